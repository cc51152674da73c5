// OpTableTest.cpp - every cell of the op x type x width table: interpreter, simulator and scalar library agree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "benchmark/numerics/Probe.h"
#include "tile/Compiler/Compiler.h"
#include "tile/Interpreter/Interpreter.h"
#include "tile/Simulator/Simulator.h"
#include "tile/Support/OpTable.h"

#include <gtest/gtest.h>

#include <set>

using namespace tile;

static constexpr int64_t kCount = 64;

/// Each thread applies the probe to `width` neighbours, as the widest access there is.
static std::string programOf(const Probe &probe, int64_t width) {
  std::string arguments, loads, w = std::to_string(width), at = "[%t * " + w + " + %v]";
  for (size_t i = 0; i < probe.operands.size(); ++i) {
    std::string type = "memref<64x" + std::string(name(probe.operands[i])) + ">", n = std::to_string(i);
    arguments += "%a" + n + ": " + type + ", ";
    loads += "    %x" + n + " = tile.load %a" + n + at + " : " + type + "\n";
  }
  std::string result(name(probe.result)), target = "memref<64x" + result + ">";
  std::string head = "tile.kernel @probe(" + arguments + "%y: " + target + ") grid(%b) in (1) threads(" +
                     std::to_string(kCount / width) + ") {\n  %t = tile.thread_id\n";
  if (!probe.body.empty())
    return head + "  tile.vectorized %v in (" + w + ") {\n" + loads + "    " + probe.body + "\n    tile.store %r, %y" +
           at + " : " + target + "\n  }\n}\n";
  std::string local = "memref<" + w + "x" + result + ", #tile.local>";
  return head + "  %f = tile.alloc_local : " + local + "\n  tile.copy %a0[%t * " + w + "] to %f cast : memref<64x" +
         std::string(name(probe.operands[0])) + "> to " + local + "\n  tile.copy %f to %y[%t * " + w + "] : " + local +
         " to " + target + "\n}\n";
}

/// Inputs on which the operation does not fault.
static std::vector<std::vector<uint64_t>> safeInputs(const Probe &probe) {
  std::vector<std::vector<uint64_t>> inputs = inputsOf(probe, 4 * kCount), kept(inputs.size());
  for (size_t i = 0; kept[0].size() < kCount; i = (i + 1) % inputs[0].size()) {
    uint64_t operands[3] = {};
    for (size_t operand = 0; operand < inputs.size(); ++operand)
      operands[operand] = inputs[operand][i];
    if (!probe.reference(operands))
      continue;
    for (size_t operand = 0; operand < inputs.size(); ++operand)
      kept[operand].push_back(operands[operand]);
  }
  return kept;
}

static std::vector<HostArgument> argumentsOf(const Probe &probe, const std::vector<std::vector<uint64_t>> &inputs) {
  std::vector<HostArgument> arguments;
  for (size_t operand = 0; operand < inputs.size(); ++operand) {
    HostTensor tensor = HostTensor::contiguous(probe.operands[operand], {kCount});
    for (int64_t i = 0; i < kCount; ++i)
      tensor.store(i, inputs[operand][i]);
    arguments.push_back(tensor);
  }
  arguments.push_back(HostTensor::contiguous(probe.result, {kCount}, std::byte{0xAB}));
  return arguments;
}

/// What stands in the output, compared with the scalar library; empty if every bit is right.
static std::string difference(const Probe &probe, const std::vector<std::vector<uint64_t>> &inputs,
                              const std::vector<HostArgument> &arguments) {
  const HostTensor &output = std::get<HostTensor>(arguments.back());
  std::vector<uint64_t> results;
  for (int64_t i = 0; i < kCount; ++i)
    results.push_back(output.load(i));
  return compare(probe, inputs, results).worst;
}

/// Every supported operation, on every type it supports, as 1, 2 and 4 neighbours of a thread, has the scalar library's
/// value in the interpreter and in every variant of the lowered program.
TEST(OpTable, EveryCellAtEveryWidth) {
  std::set<std::string> names;
  for (const Probe &probe : allProbes()) {
    names.insert(probe.name.substr(0, probe.name.find(' ')));
    std::vector<std::vector<uint64_t>> inputs = safeInputs(probe);
    for (int64_t width : {1, 2, 4}) {
      SCOPED_TRACE(probe.name + " on " + std::string(name(probe.operands[0])) + ", width " + std::to_string(width));
      Result<Program> program = Program::parse({programOf(probe, width), "probe.mlir", {}});
      ASSERT_TRUE(program) << program.error();
      Result<CompiledProgram> compiled = program->compile({});
      ASSERT_TRUE(compiled) << compiled.error();
      std::vector<HostArgument> reference = argumentsOf(probe, inputs);
      std::optional<Fault> fault = interpret(program->kernels()[0], {}, reference);
      EXPECT_FALSE(fault) << toString(*fault);
      EXPECT_EQ(difference(probe, inputs, reference), "") << "interpreter";
      for (size_t variant = 0; variant < compiled->kernels[0].variants.size(); ++variant) {
        std::vector<HostArgument> arguments = argumentsOf(probe, inputs);
        simt::KernelOp kernel = compiled->variantKernel(compiled->kernels[0], variant);
        simt::SimulatorResult result = simt::simulate(kernel, {}, arguments, {1}, {});
        EXPECT_FALSE(result.fault) << simt::toString(*result.fault);
        EXPECT_EQ(difference(probe, inputs, arguments), "") << "simulator, variant " << variant;
      }
    }
  }
  // The list of probes and the support table name the same operations.
  for (const ScalarOpInfo &info : scalarOps()) {
    bool hasOwnTest = info.kind == OpKind::CompareI || info.kind == OpKind::CompareF || info.kind == OpKind::Constant ||
                      info.name == "math.fpowi" || info.name == "arith.select" ||
                      info.name.starts_with("arith.index_cast");
    EXPECT_TRUE(hasOwnTest || names.contains(std::string(info.name))) << info.name;
  }
}

/// An operation on a type outside the table is refused by name before anything is printed.
TEST(OpTable, OtherCellsAreRefused) {
  for (const ScalarOpInfo &info : scalarOps())
    for (ScalarType type : {ScalarType::F8E4M3FN, ScalarType::F8E5M2}) {
      if (info.kind != OpKind::Binary || isSupported(info.name, type, type) || info.name == "math.fpowi" ||
          !info.types.contains(ScalarType::F32))
        continue;
      Probe probe;
      probe.name = std::string(info.name);
      probe.operands = {type, type};
      probe.result = type;
      probe.body = "%r = " + probe.name + " %x0, %x1 : " + std::string(name(type));
      Result<Program> program = Program::parse({programOf(probe, 1), "probe.mlir", {}});
      std::string message = program ? "" : program.error();
      if (program) {
        Result<CompiledProgram> compiled = program->compile({});
        EXPECT_FALSE(compiled) << probe.name << " on " << name(type);
        message = compiled ? "" : compiled.error();
      }
      EXPECT_NE(message.find(probe.name), std::string::npos) << message;
      EXPECT_NE(message.find("probe.mlir:"), std::string::npos) << message;
    }
}
