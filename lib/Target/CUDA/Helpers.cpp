// Helpers.cpp - what of the table stands at the head of a text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Helpers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <cassert>

namespace tile::cuda {

llvm::SmallVector<Helper> helpers() {
  return llvm::to_vector(llvm::concat<const Helper>(basicHelpers(), mathHelpers()));
}

std::string defineHelpers(const llvm::SetVector<llvm::StringRef> &used) {
  llvm::SmallVector<Helper> table = helpers();
  llvm::StringSet<> wanted;
  for (llvm::StringRef name : used) {
    assert(llvm::any_of(table, [&](const Helper &helper) { return helper.name == name; }) && "no such helper");
    wanted.insert(name);
  }
  llvm::SmallVector<const Helper *> chosen;
  for (const Helper &helper : llvm::reverse(table)) {
    if (!wanted.contains(helper.name))
      continue;
    chosen.push_back(&helper);
    llvm::SmallVector<llvm::StringRef> needs;
    helper.needs.split(needs, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef name : needs)
      wanted.insert(name);
  }
  std::string out;
  for (const Helper *helper : llvm::reverse(chosen)) {
    llvm::StringRef text = helper->text.drop_front();
    size_t device;
    while ((device = text.find("DEVICE ")) != llvm::StringRef::npos) {
      out += text.take_front(device);
      out += "__device__ __forceinline__ ";
      text = text.drop_front(device + 7);
    }
    out += text;
    out += '\n';
  }
  return out;
}

} // namespace tile::cuda
