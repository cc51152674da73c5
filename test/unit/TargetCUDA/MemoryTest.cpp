// MemoryTest.cpp - parameters, storage, moves, atomics, shuffles, output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitterTest.h"

namespace tile::cuda {

using MemoryTest = EmitterTest;

static const char *const kConstants = "%c0 = arith.constant 0 : i32\n%c4 = arith.constant 4 : i32\n"
                                      "%c8 = arith.constant 8 : i32\n";

// Pointers that are only read are const, and `__restrict__` stands where it was promised.
TEST_F(MemoryTest, QualifiesPointers) {
  std::string text = emitBody(std::string(kConstants) + R"(
    %x = simt.load %A[%c0 : i32] : memref<?xf16> -> f16
    simt.store %x, %B[%c0 : i32] : f16, memref<?xf16>)",
                              "f16", 256,
                              ", minBlocks = 2 : i64, restrictParameters = array<i64: 0, 1>, "
                              "readonlyParameters = array<i64: 0>");
  expectInOrder(text, {"extern \"C\" __global__ void __launch_bounds__(256, 2) k(const f16 *__restrict__ A, f16 "
                       "*__restrict__ B, long long n) {\n"});
}

// Registers, private arrays and shared buffers are arrays; shared ones lie in one arena, static where it is small.
TEST_F(MemoryTest, DeclaresStorage) {
  std::string body = std::string(kConstants) + R"(
    %r = simt.registers : memref<8xf32, #simt.register>
    %l = simt.local : memref<3xi8, #simt.local>
    %s = simt.shared at 0 : memref<128xf32, #simt.shared>
    %q = simt.shared at 512 align 128 : memref<64xf32, #simt.shared>
    %v = simt.load %s[%c0 : i32] : memref<128xf32, #simt.shared> -> f32
    simt.store %v, %q[%c4 : i32] : f32, memref<64xf32, #simt.shared>
    simt.store %v, %r[%c0 : i32] : f32, memref<8xf32, #simt.register>
    %b = arith.constant 7 : i8
    %t = simt.thread_id : i32
    simt.store %b, %l[%t : i32] : i8, memref<3xi8, #simt.local>
    %w = simt.load %r[%c4 : i32] : memref<8xf32, #simt.register> -> f32
    %m = simt.load %l[%c0 : i32] : memref<3xi8, #simt.local> -> i8
    %f = arith.sitofp %m : i8 to f32
    %u = arith.addf %w, %f : f32
    simt.store %u, %B[%c0 : i32] : f32, memref<?xf32>)";
  std::string text = emitBody(body, "f32", 128, ", sharedBytes = 768 : i64");
  expectInOrder(text,
                {"  __shared__ alignas(128) unsigned char arena[768];\n", "  alignas(16) float r[8];\n",
                 "  alignas(16) signed char l[3];\n", "  float *s = reinterpret_cast<float *>(&arena[0]);\n",
                 "  float *q = reinterpret_cast<float *>(&arena[512]);\n", "q[4] = v;", "l[(int)threadIdx.x] = 7;"});
  std::string large = emitBody(body, "f32", 128, ", sharedBytes = 65536 : i64");
  expectInOrder(large, {"  extern __shared__ __align__(1024) unsigned char arena[]; // 65536 bytes\n"});
}

// Kernels of one module may each have an arena: static up to 48 KB, dynamic beyond.
TEST_F(MemoryTest, ArenasOfOneModuleGetAlong) {
  std::string module;
  for (auto [name, bytes] : {std::pair<const char *, const char *>{"a", "49152"}, {"b", "49153"}, {"c", "100000"}}) {
    std::string kernel = bodyModule(R"(
      %c0 = arith.constant 0 : i32
      %s = simt.shared at 1024 align 1024 : memref<8xf32, #simt.shared>
      %x = simt.load %A[%c0 : i32] : memref<?xf32> -> f32
      simt.store %x, %s[%c0 : i32] : f32, memref<8xf32, #simt.shared>
      simt.barrier
      %y = simt.load %s[%c0 : i32] : memref<8xf32, #simt.shared> -> f32
      simt.store %y, %B[%c0 : i32] : f32, memref<?xf32>)",
                                    "f32", 128, std::string(", sharedBytes = ") + bytes + " : i64");
    module += kernel.replace(kernel.find("@k"), 2, std::string("@") + name);
  }
  expectInOrder(emit(module), {" a(", "__shared__ alignas(1024) unsigned char arena[49152];", " b(",
                               "arena[]; // 49153 bytes", " c(", "arena[]; // 100000 bytes"});
}

// What is read again is loaded with a policy, of 4, 8 and 16 bytes; older architectures have none.
TEST_F(MemoryTest, AsksTheCacheToKeep) {
  std::string text = emitBody(std::string(kConstants) + R"(
    %r = simt.registers : memref<16xf16, #simt.register>
    simt.move %A[%c0 : i32] to %r[%c0 : i32] bytes 16 keep 7 : memref<?xf16> to memref<16xf16, #simt.register>
    simt.move %A[%c8 : i32] to %r[%c8 : i32] bytes 8 keep 8 : memref<?xf16> to memref<16xf16, #simt.register>
    simt.move %A[%c4 : i32] to %r[%c4 : i32] bytes 4 keep 9 : memref<?xf16> to memref<16xf16, #simt.register>
    simt.move %r[%c0 : i32] to %B[%c0 : i32] bytes 16 : memref<16xf16, #simt.register> to memref<?xf16>
    simt.move %r[%c8 : i32] to %B[%c8 : i32] bytes 8 : memref<16xf16, #simt.register> to memref<?xf16>)",
                              "f16", 128, ", readonlyParameters = array<i64: 0>");
  expectInOrder(text, {"move16_keep(&r[0], &A[0]);", "move8_keep(&r[8], &A[8]);", "move4_keep(&r[4], &A[4]);",
                       "store16(&B[0], &r[0]);", "store8(&B[8], &r[8]);"});
  std::string ptx = compile(text, "sm_90a");
  for (const char *load : {"ld.global.nc.L2::cache_hint.v4.b32", "ld.global.nc.L2::cache_hint.v2.b32",
                           "ld.global.nc.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64"})
    EXPECT_NE(ptx.find(load), std::string::npos) << load;
  EXPECT_EQ(compile(text, "sm_75").find("createpolicy"), std::string::npos);
}

// i1 is one byte in memory: any byte but 0 reads as true, and 0 or 1 is written.
TEST_F(MemoryTest, KeepsBoolsInBytes) {
  std::string text = emitBody(std::string(kConstants) + R"(
    %x = simt.load %A[%c0 : i32] : memref<?xi1> -> i1
    %y = simt.load %A[%c4 : i32] : memref<?xi1> -> i1
    %z = arith.andi %x, %y : i1
    simt.store %z, %B[%c0 : i32] : i1, memref<?xi1>)",
                              "i1");
  expectInOrder(text, {"unsigned char *A", "const bool x = A[0] != 0;", "B[0] = x && y;"});
}

// A move is one access of its width on both sides, in PTX as in the text, and registers stay registers.
TEST_F(MemoryTest, MovesAreOneAccess) {
  struct Case {
    int bytes;
    const char *load, *store, *helper;
  };
  for (auto [bytes, load, store, helper] :
       {Case{16, ".v4.u32", ".v2.u64", "store"}, {8, ".u64", ".u64", "store"}, {4, ".u32", ".u32", "move"}}) {
    std::string b = std::to_string(bytes);
    std::string text = emitBody(std::string(kConstants) +
                                "%r = simt.registers : memref<4xf32, #simt.register>\n%t = simt.thread_id : i64\n"
                                "%i = arith.muli %t, %n overflow<nsw> : i64\n"
                                "simt.move %A[%i : i64] to %r[%c0 : i32] bytes " +
                                b +
                                " : memref<?xf32> to memref<4xf32, #simt.register>\n"
                                "simt.move %r[%c0 : i32] to %B[%t : i64] bytes " +
                                b + " : memref<4xf32, #simt.register> to memref<?xf32>");
    expectInOrder(text, {"void move" + b + "(void *to, const void *from)", "move" + b + "(&r[0], &A[t * n]);",
                         helper + b + "(&B[t], &r[0]);"});
    std::string ptx = compile(text, "sm_90a");
    EXPECT_NE(ptx.find(std::string("ld.global") + load), std::string::npos) << ptx;
    EXPECT_NE(ptx.find(std::string("st.global") + store), std::string::npos) << ptx;
    EXPECT_EQ(ptx.find(".local"), std::string::npos) << ptx;
  }
}

// A vector of 16 bytes stays one store where the address is a sum of several 64-bit terms.
TEST_F(MemoryTest, StoresFarVectorsWhole) {
  std::string ptx = compile(emitBody(std::string(kConstants) + R"(
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %r = simt.registers : memref<4xf32, #simt.register>
    %t = simt.thread_id : i64
    %x = simt.load %A[%t : i64] : memref<?xf32> -> f32
    simt.store %x, %r[%c0 : i32] : f32, memref<4xf32, #simt.register>
    simt.store %x, %r[%c1 : i32] : f32, memref<4xf32, #simt.register>
    simt.store %x, %r[%c2 : i32] : f32, memref<4xf32, #simt.register>
    simt.store %x, %r[%c3 : i32] : f32, memref<4xf32, #simt.register>
    %c4_i64 = arith.constant 4 : i64
    %part = arith.muli %t, %c4_i64 overflow<nsw> : i64
    %block = arith.index_cast %bx : index to i64
    %c1024 = arith.constant 1024 : i64
    %b = arith.muli %block, %c1024 overflow<nsw> : i64
    %p = arith.addi %n, %b overflow<nsw> : i64
    %i = arith.addi %p, %part overflow<nsw> : i64
    simt.move %r[%c0 : i32] to %B[%i : i64] bytes 16 : memref<4xf32, #simt.register> to memref<?xf32>)"),
                            "sm_90a");
  EXPECT_NE(ptx.find("st.global.v2.u64"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find("st.global.u32"), std::string::npos) << ptx;
}

// A wide store of narrow values under a condition stays one.
TEST_F(MemoryTest, WideStoresStayWhole) {
  std::string body = std::string(kConstants) + "%r = simt.registers : memref<8xbf16, #simt.register>\n"
                                               "%t = simt.thread_id : i64\n";
  for (int i = 0; i < 8; ++i) {
    std::string n = std::to_string(i);
    body += "%k" + n + " = arith.constant " + n + " : i32\n%o" + n + " = arith.constant " + std::to_string(i * 4096) +
            " : i64\n%a" + n + " = arith.addi %t, %o" + n + " : i64\n%v" + n + " = simt.load %A[%a" + n +
            " : i64] : memref<?xbf16> -> bf16\nsimt.store %v" + n + ", %r[%k" + n +
            " : i32] : bf16, memref<8xbf16, #simt.register>\n";
  }
  body += R"(
    %inside = arith.cmpi slt, %t, %n : i64
    scf.if %inside {
      simt.move %r[%c0 : i32] to %B[%t : i64] bytes 16 : memref<8xbf16, #simt.register> to memref<?xbf16>
    })";
  std::string text = emitBody(body, "bf16");
  expectInOrder(text, {"if (", "store16(&B[t], &r[0]);"});
  std::string ptx = compile(text, "sm_90a");
  EXPECT_NE(ptx.find("st.global.v2.u64"), std::string::npos) << ptx;
}

// A view is the same storage under another element type, from any byte on; const stays const.
TEST_F(MemoryTest, ViewsStorage) {
  std::string text = emitBody(std::string(kConstants) + R"(
    %s = simt.shared at 0 : memref<128xf32, #simt.shared>
    %h = simt.view %s at 8 : memref<128xf32, #simt.shared> to memref<64xi16, #simt.shared>
    %f = simt.view %s at 16 : memref<128xf32, #simt.shared> to memref<16xf32, #simt.shared>
    %o = simt.view %s at 2 : memref<128xf32, #simt.shared> to memref<16xi16, #simt.shared>
    %g = simt.view %A at 0 : memref<?xf32> to memref<?xi32>
    %i = simt.load %g[%c0 : i32] : memref<?xi32> -> i32
    %j = arith.trunci %i : i32 to i16
    simt.store %j, %h[%c0 : i32] : i16, memref<64xi16, #simt.shared>
    simt.store %j, %o[%c0 : i32] : i16, memref<16xi16, #simt.shared>
    %x = simt.load %f[%c0 : i32] : memref<16xf32, #simt.shared> -> f32
    simt.store %x, %B[%c0 : i32] : f32, memref<?xf32>)",
                              "f32", 128, ", sharedBytes = 512 : i64, readonlyParameters = array<i64: 0>");
  expectInOrder(text, {"short *h = reinterpret_cast<short *>(&s[2]);", "float *f = &s[4];",
                       "short *o = reinterpret_cast<short *>(reinterpret_cast<unsigned char *>(s) + 2);",
                       "const int *g = reinterpret_cast<const int *>(A);"});
}

// Every atomic that has a form, with and without its old value, on global and shared memory.
TEST_F(MemoryTest, AtomicsCompile) {
  struct Row {
    const char *type;
    std::vector<const char *> kinds;
  };
  for (const Row &row : {Row{"f32", {"add", "max", "min", "exchange"}}, Row{"f64", {"add", "max", "min", "exchange"}},
                         Row{"f16", {"add", "max", "min", "exchange"}}, Row{"bf16", {"add", "max", "min", "exchange"}},
                         Row{"i32", {"add", "max", "min", "umax", "umin", "and", "or", "xor", "exchange"}},
                         Row{"i64", {"add", "max", "min", "umax", "umin", "and", "or", "xor", "exchange"}}}) {
    std::string t = row.type, global = "memref<?x" + t + ">", shared = "memref<4x" + t + ", #simt.shared>";
    std::string body = std::string(kConstants) + "%s = simt.shared at 0 : " + shared + "\n" +
                       "%x = simt.load %A[%c0 : i32] : " + global + " -> " + t + "\n";
    int number = 0;
    for (const char *kind : row.kinds)
      for (const char *place : {"%A", "%s"}) {
        std::string memory = place[1] == 's' ? shared : global, old = "%old" + std::to_string(number++);
        body += std::string("simt.atomic ") + kind + " %x, " + place + "[%c0 : i32] : " + t + ", " + memory + "\n";
        body += old + " = simt.atomic " + kind + " %x, " + place + "[%c0 : i32] : " + t + ", " + memory + " -> " + t +
                "\nsimt.store " + old + ", %B[%c0 : i32] : " + t + ", " + global + "\n";
      }
    emitBody(body, t, 128, ", sharedBytes = 32 : i64");
  }
}

// The text of atomics: plain where CUDA has the function, through unsigned where it is CUDA's only form.
TEST_F(MemoryTest, PrintsAtomics) {
  std::string text = emitBody(std::string(kConstants) + R"(
    %x = simt.load %B[%c0 : i32] : memref<?xi64> -> i64
    simt.atomic add %x, %A[%c4 : i32] : i64, memref<?xi64>
    simt.atomic max %x, %A[%c4 : i32] : i64, memref<?xi64>
    %old = simt.atomic umin %x, %A[%c4 : i32] : i64, memref<?xi64> -> i64
    simt.store %old, %B[%c0 : i32] : i64, memref<?xi64>)",
                              "i64");
  expectInOrder(
      text, {"atomicAdd(reinterpret_cast<unsigned long long *>(&A[4]), (unsigned long long)x);", "atomicMax(&A[4], x);",
             "const long long old = (long long)atomicMin(reinterpret_cast<unsigned long long *>(&A[4]), (unsigned "
             "long long)x);"});
  std::string half = emitBody(std::string(kConstants) + R"(
    %x = simt.load %B[%c0 : i32] : memref<?xbf16> -> bf16
    simt.atomic add %x, %A[%c4 : i32] : bf16, memref<?xbf16>
    simt.atomic max %x, %A[%c4 : i32] : bf16, memref<?xbf16>)",
                              "bf16");
  expectInOrder(half, {"reduce_add_bf16(&A[4], x);", "atomic_loop16<maximum_bf16>(&A[4], x);"});
  EXPECT_NE(compile(half, "sm_90a").find("red.add.noftz.bf16"), std::string::npos);
}

// A shuffle among 32 lanes by a constant is CUDA's own; where lanes are missing, those read their own value.
TEST_F(MemoryTest, Shuffles) {
  std::string body = std::string(kConstants) + R"(
    %x = simt.load %A[%c0 : i32] : memref<?xf32> -> f32
    %y = simt.shuffle xor %x, %c4 : f32, i32
    %z = arith.addf %x, %y : f32
    simt.store %z, %B[%c0 : i32] : f32, memref<?xf32>)";
  expectInOrder(emitBody(body), {"const float y = __shfl_xor_sync(0xffffffffu, x, 4);", "B[0] = x + y;"});
  expectInOrder(emitBody(body, "f32", 7),
                {"__shfl_sync(0x0000007fu, x, lane_or_own(0x0000007fu, (int)(threadIdx.x & 31) ^ 4))"});
  expectInOrder(emitBody(body, "f32", 100), {"const unsigned lanes = threadIdx.x < 96 ? 0xffffffffu : 0x0000000fu;",
                                             "__shfl_sync(lanes, x, lane_or_own(lanes, (int)(threadIdx.x & 31) ^ 4))"});
  // Of the number of a lane five bits count, to the hardware too: it may be any value.
  expectInOrder(emitBody(std::string(kConstants) + R"(
    %x = simt.load %A[%c0 : i32] : memref<?xi32> -> i32
    %y = simt.shuffle idx %x, %x : i32, i32
    simt.store %y, %B[%c0 : i32] : i32, memref<?xi32>)",
                         "i32"),
                {"__shfl_sync(0xffffffffu, x, x)"});
  expectInOrder(emitBody(std::string(kConstants) + R"(
    %x = simt.load %A[%c0 : i32] : memref<?xf16> -> f16
    %y = simt.shuffle down %x, %c8 : f16, i32
    simt.store %y, %B[%c0 : i32] : f16, memref<?xf16>)",
                         "f16"),
                {"const f16 y = (f16)__shfl_down_sync(0xffffffffu, (int)x, 8);"});
}

// Notes are comments that cannot swallow the next line; a failed assertion traps; print is one printf.
TEST_F(MemoryTest, PrintsNotesAssertionsAndOutput) {
  std::string text = emitBody(std::string(kConstants) + R"(
    simt.note "copy A to a\0Anext \\"
    %x = simt.load %A[%c0 : i32] : memref<?xf32> -> f32
    %ok = arith.cmpf olt, %x, %x : f32
    simt.assert %ok, "x must be \22small\22"
    %h = arith.truncf %x : f32 to f16
    simt.print "50% \22done\22" %x, %c4, %n, %h, %ok : f32, i32, i64, f16, i1
    simt.barrier user)");
  expectInOrder(text, {"  // copy A to a next /\n", "const bool ok = x < x;",
                       "  if (!ok)\n    __trap(); // x must be \"small\"\n",
                       "printf(\"50%% \\\"done\\\" %g %d %lld %g %d\\n\", (double)x, 4, n, "
                       "(double)f16_to_f32(f32_to_f16(x)), (int)ok);",
                       "__syncthreads();"});
}

// A check says file and line, then its text with the values in it, before it traps; percent signs and braces stay.
TEST_F(MemoryTest, ChecksSayWhatIsWrong) {
  std::string text = emitBody(std::string(kConstants) + R"(
    %least = arith.constant 4 : i64
    %ok = arith.cmpi slt, %n, %least : i64
    simt.check %ok, "100% of {} in {}"(%n : i64))");
  expectInOrder(text, {"__device__ unsigned fault_count;\n", "void claim_fault() {",
                       "  if (!(n < 4)) {\n    claim_fault();\n", "    printf(\"", "error: 100%% of %lld in {}\\n\", ",
                       "n);\n    __trap();\n  }\n"});
}

// What follows a split is called with either value of the condition, and loads that stream know it.
TEST_F(MemoryTest, SplitsKernels) {
  std::string text = emitBody(std::string(kConstants) + R"(
    %least = arith.constant 4 : i64
    %few = arith.cmpi slt, %n, %least : i64
    %split = simt.split %few
    %r = simt.registers : memref<4xf32, #simt.register>
    simt.move %A[%c0 : i32] to %r[%c0 : i32] bytes 16 streams %split : memref<?xf32> to memref<4xf32, #simt.register>)");
  expectInOrder(text, {"streams ? __ldcs(at) : *at;", "  auto body = [&](bool split) __attribute__((always_inline)) {",
                       "    move16_streaming(&r[0], &A[0], split);",
                       "  };\n  if (n < 4)\n    body(true);\n  else\n    body(false);\n"});
}

// A hold takes the whole words of its registers; half a word more is left out.
TEST_F(MemoryTest, HoldsWords) {
  std::string text = emitBody(std::string(kConstants) + R"(
    %r = simt.registers : memref<7xbf16, #simt.register>
    simt.hold %r : memref<7xbf16, #simt.register>)");
  expectInOrder(text, {"void hold_words(void *words, int count) {", "bf16 r[7];", "  hold_words(&r[0], 3);"});
}

// A folded grid is taken apart by its extents, which are parameters.
TEST_F(MemoryTest, UnfoldsTheGrid) {
  std::string text = emit(R"(
    simt.kernel @folded(%A: memref<?xf32>, %gx: i64, %gy: i64) grid(%bx: i64, %by: i32, %bz: i64)
        in affine_map<() -> (70000, 70000, 2)> threads(32) attributes {source = "k", requirements = [], folded,
        parameters = [#simt.parameter<tensor 0>, #simt.parameter<grid_extent 0>, #simt.parameter<grid_extent 1>]} {
      %x = arith.constant 1.0 : f32
      simt.store %x, %A[%bx : i64] : f32, memref<?xf32>
      simt.store %x, %A[%by : i32] : f32, memref<?xf32>
      simt.store %x, %A[%bz : i64] : f32, memref<?xf32>
    })");
  expectInOrder(text, {"const long long bx = blockIdx.x % (unsigned)gx;",
                       "const int by = blockIdx.x / (unsigned)gx % (unsigned)gy;",
                       "const long long bz = blockIdx.x / (unsigned)gx / (unsigned)gy;"});
}

// The block order says which index is along x, and which is taken out of the folded number first.
TEST_F(MemoryTest, OrdersTheGrid) {
  auto kernel = [](const std::string &attributes, const std::string &parameters) {
    return "simt.kernel @k(%A: memref<?xf32>" + parameters +
           ") grid(%bx: i64, %by: i32) in affine_map<() -> (7, 9)> threads(32) attributes {source = \"k\", "
           "requirements "
           "= [], blockOrder = array<i64: 1, 0>, " +
           attributes + R"(} {
      %x = arith.constant 1.0 : f32
      simt.store %x, %A[%bx : i64] : f32, memref<?xf32>
      simt.store %x, %A[%by : i32] : f32, memref<?xf32>
    })";
  };
  expectInOrder(emit(kernel("parameters = [#simt.parameter<tensor 0>]", "")),
                {"const int by = blockIdx.x;", "const long long bx = blockIdx.y;"});
  expectInOrder(
      emit(kernel("folded, parameters = [#simt.parameter<tensor 0>, #simt.parameter<grid_extent 1>]", ", %gy: i64")),
      {"const int by = blockIdx.x % (unsigned)gy;", "const long long bx = blockIdx.x / (unsigned)gy;"});
}

// Line directives point at the program's own file.
TEST_F(MemoryTest, PrintsLineDirectives) {
  EmitOptions options;
  options.lineDirectives = true;
  std::string module = bodyModule("%c0 = arith.constant 0 : i32\n%x = simt.load %A[%c0 : i32] : memref<?xf32> -> f32\n"
                                  "simt.store %x, %B[%c0 : i32] : f32, memref<?xf32>");
  expectInOrder(emit(module, options),
                {"#line 1 \"program.mlir\"\nextern \"C\"", "#line 3 \"program.mlir\"\n  const float x",
                 "#line 4 \"program.mlir\"\n  B[0] = x;"});
}

} // namespace tile::cuda
