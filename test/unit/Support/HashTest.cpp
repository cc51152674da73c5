// HashTest.cpp - SHA-256 against published values and against itself in pieces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tile/Support/Hash.h"

#include <gtest/gtest.h>

using namespace tile;

/// The examples of FIPS 180-4.
TEST(Sha256, KnownValues) {
  EXPECT_EQ(Sha256().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256().update("abc").hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256().update("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").hex(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256().update(std::string(1000000, 'a')).hex(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/// The digest depends on the bytes, not on how they were cut, at every length around the block size.
TEST(Sha256, PiecesDoNotMatter) {
  for (size_t length = 0; length <= 200; ++length) {
    std::string text(length, 'x');
    Sha256 pieces;
    for (size_t i = 0; i < length; i += 7)
      pieces.update(text.substr(i, 7));
    EXPECT_EQ(pieces.hex(), Sha256().update(text).hex()) << length;
  }
}

/// Fields are kept apart.
TEST(Sha256, FieldsDoNotRunTogether) {
  EXPECT_NE(Sha256().field("ab").field("c").hex(), Sha256().field("a").field("bc").hex());
}
