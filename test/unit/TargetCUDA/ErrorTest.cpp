// ErrorTest.cpp - what has no CUDA form is refused by name, at its place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"

namespace tile::cuda {

using ErrorTest = EmitterTest;

static const char *const kZero = "%c0 = arith.constant 0 : i64\n%x = simt.load %A[%c0 : i64] : memref<?xf32> -> f32\n";

// An operation of another dialect.
TEST_F(ErrorTest, RefusesUnknownOperations) {
  EXPECT_EQ(errorOf(bodyModule("%c = arith.constant 0 : index\n%d = memref.dim %A, %c : memref<?xf32>\n%x = "
                               "arith.constant 1.0 : f32\nsimt.store %x, %B[%d : index] : f32, memref<?xf32>")),
            "'memref.dim' has no form in CUDA C");
}

// An operation of math that the support table does not list.
TEST_F(ErrorTest, RefusesUnlistedOperations) {
  EXPECT_EQ(
      errorOf(bodyModule(std::string(kZero) + "%y, %z = math.sincos %x : f32\nsimt.store %y, %B[%c0 : i64] : f32, "
                                              "memref<?xf32>")),
      "'math.sincos' is not a scalar operation of the language");
}

// A type without a C form.
TEST_F(ErrorTest, RefusesUnknownTypes) {
  EXPECT_EQ(errorOf(bodyModule("%c0 = arith.constant 0 : i64\n%v = simt.load %A[%c0 : i64] : memref<?xi24> -> i24\n"
                               "simt.store %v, %B[%c0 : i64] : i24, memref<?xi24>",
                               "i24")),
            "'simt.kernel' has a value of type 'i24', which has no form in CUDA C");
}

// An operation on a type for which the table does not have it.
TEST_F(ErrorTest, RefusesUnsupportedPairs) {
  std::string error = errorOf(bodyModule("%c0 = arith.constant 0 : i64\n%v = simt.load %A[%c0 : i64] : "
                                         "memref<?xf8E5M2> -> f8E5M2\n%w = arith.addf %v, %v : f8E5M2\nsimt.store %w, "
                                         "%B[%c0 : i64] : f8E5M2, memref<?xf8E5M2>",
                                         "f8E5M2"));
  EXPECT_NE(error.find("'arith.addf' on f8E5M2 is not supported"), std::string::npos) << error;
}

// Shared memory without a plan, atomics without a form, writes to what is only read, a folded grid without extents.
TEST_F(ErrorTest, RefusesBrokenKernels) {
  EXPECT_EQ(errorOf(bodyModule(std::string(kZero) + "%s = simt.shared : memref<4xf32, #simt.shared>\nsimt.store %x, "
                                                    "%s[%c0 : i64] : f32, memref<4xf32, #simt.shared>")),
            "'simt.shared' op has no place in shared memory; plan-shared-memory gives it one");
  EXPECT_EQ(errorOf(bodyModule(std::string(kZero) + "simt.atomic umax %x, %A[%c0 : i64] : f32, memref<?xf32>")),
            "atomic 'umax' on 'f32' has no form in CUDA C");
  EXPECT_EQ(errorOf(bodyModule(std::string(kZero) + "simt.store %x, %A[%c0 : i64] : f32, memref<?xf32>", "f32", 32,
                               ", readonlyParameters = array<i64: 0>")),
            "'simt.store' writes 'A'; the kernel lists that parameter as only read");
  EXPECT_EQ(errorOf(R"(simt.kernel @k(%A: memref<?xf32>) grid(%bx: i64, %by: i64) in affine_map<() -> (4, 4)>
                      threads(32) attributes {source = "k", requirements = [], folded, parameters =
                      [#simt.parameter<tensor 0>]} {})"),
            "'simt.kernel' op is folded, but no parameter carries the extent of grid axis 0");
}

// Something beside the kernels.
TEST_F(ErrorTest, RefusesOtherTopLevelOperations) {
  EXPECT_EQ(errorOf("memref.global @g : memref<4xf32>"),
            "'memref.global' stands beside simt kernels; only they have a form in CUDA C");
}

} // namespace tile::cuda
