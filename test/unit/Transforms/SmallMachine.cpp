// SmallMachine.cpp - see SmallMachine.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SmallMachine.h"

#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace tile;
using namespace tile::test;

static unsigned bitsOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static __int128 wrap(__int128 value, unsigned bits) {
  __int128 modulus = __int128(1) << bits, rest = ((value % modulus) + modulus) % modulus;
  return rest >= modulus / 2 ? rest - modulus : rest;
}

static __int128 floorDivide(__int128 a, __int128 b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

void SmallMachine::set(Value value, __int128 number) {
  unsigned bits = bitsOf(value.getType());
  __int128 wrapped = wrap(number, bits);
  if (wrapped != number && bits != 1) {
    left64 |= bits == 64;
    left32 |= bits == 32;
  }
  values[value.getAsOpaquePointer()] = int64_t(wrapped);
}

std::vector<Event> SmallMachine::run(int64_t number, std::vector<int64_t> arguments) {
  thread = number;
  epoch = 0;
  values.clear();
  events.clear();
  size_t next = 0;
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (argument.getType().isIntOrIndex())
      set(argument, arguments.at(next++));
  runBlock(kernel.getBody().front());
  return events;
}

void SmallMachine::runBlock(Block &block) {
  for (Operation &op : block)
    runOp(op);
}

void SmallMachine::access(Value buffer, Value index, int64_t width, Event::Kind kind, Operation &op) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = get(index) * (type.getElementTypeBitWidth() / 8);
  while (auto view = buffer.getDefiningOp<simt::ViewOp>()) {
    bytes += view.getOffset();
    buffer = view.getSource();
  }
  if (auto shared = buffer.getDefiningOp<simt::SharedOp>(); shared && shared.getOffset()) {
    bytes += *shared.getOffset();
    buffer = {};
  }
  if (simt::spaceOf(type) == simt::Space::Register)
    return;
  events.push_back({kind, epoch, bytes, width, buffer});
  events.back().site = trips;
  events.back().site.push_back(int64_t(&op));
}

void SmallMachine::runFor(Operation &op) {
  auto loop = cast<scf::ForOp>(op);
  for (auto [argument, init] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getInits()))
    set(argument, get(init));
  for (__int128 i = get(loop.getLowerBound()), end = get(loop.getUpperBound()); i < end; i += get(loop.getStep())) {
    set(loop.getInductionVar(), i);
    trips.push_back(int64_t(i));
    runBlock(*loop.getBody());
    trips.pop_back();
    std::vector<int64_t> yielded;
    for (Value value : loop.getYieldedValues())
      yielded.push_back(get(value));
    for (auto [argument, value] : llvm::zip_equal(loop.getRegionIterArgs(), yielded))
      set(argument, value);
    // The loop of C counts one step beyond.
    left32 |= bitsOf(loop.getInductionVar().getType()) == 32 && i + get(loop.getStep()) > INT32_MAX;
  }
  for (auto [argument, result] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
    set(result, get(argument));
}

void SmallMachine::runOp(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case<simt::RegistersOp, simt::SharedOp, simt::ViewOp, simt::NoteOp, scf::YieldOp>([](auto) {})
      .Case([&](simt::BarrierOp) { ++epoch; })
      .Case([&](simt::LoadOp load) { access(load.getBuffer(), load.getIndex(), 4, Event::Read, op); })
      .Case([&](simt::StoreOp store) { access(store.getBuffer(), store.getIndex(), 4, Event::Write, op); })
      .Case([&](simt::MoveOp move) {
        access(move.getSource(), move.getSourceIndex(), move.getBytes(), Event::Read, op);
        access(move.getTarget(), move.getTargetIndex(), move.getBytes(), Event::Write, op);
      })
      .Case([&](simt::PrintOp print) {
        for (Value value : print.getValues())
          events.push_back({Event::Print, epoch, get(value), 0, {}});
      })
      .Case([&](scf::ForOp) { runFor(op); })
      .Case([&](scf::IfOp branch) {
        Block *taken = get(branch.getCondition()) ? branch.thenBlock() : branch.elseBlock();
        if (!taken)
          return;
        runBlock(*taken);
        for (auto [result, value] : llvm::zip_equal(branch.getResults(), taken->getTerminator()->getOperands()))
          set(result, get(value));
      })
      .Default([&](Operation *) {
        if (!isa<FloatType>(op.getResult(0).getType()))
          set(op.getResult(0), evaluate(op));
      });
}

__int128 SmallMachine::evaluate(Operation &op) {
  if (isa<simt::ThreadIdOp>(op))
    return thread;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return cast<IntegerAttr>(constant.getValue()).getValue().getSExtValue();
  std::vector<int64_t> in;
  for (Value operand : op.getOperands())
    in.push_back(get(operand));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluate(apply.getAffineMap().getResult(0), in);
  __int128 a = in.at(0), b = in.size() > 1 ? in[1] : 0;
  unsigned from = bitsOf(op.getOperand(0).getType()), to = bitsOf(op.getResult(0).getType());
  __int128 two = 1, ua = a < 0 ? a + (two << from) : a, ub = b < 0 ? b + (two << from) : b;
  return llvm::TypeSwitch<Operation *, __int128>(&op)
      .Case<arith::ExtSIOp>([&](auto) { return a; })
      .Case<arith::IndexCastOp, arith::TruncIOp>([&](auto) { return wrap(a, to); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto) { return wrap(ua, to); })
      .Case([&](arith::AddIOp) { return a + b; })
      .Case([&](arith::SubIOp) { return a - b; })
      .Case([&](arith::MulIOp) { return a * b; })
      .Case([&](arith::DivSIOp) { return a / b; })
      .Case([&](arith::RemSIOp) { return a % b; })
      .Case([&](arith::FloorDivSIOp) { return floorDivide(a, b); })
      .Case([&](arith::CeilDivSIOp) { return -floorDivide(-a, b); })
      .Case([&](arith::DivUIOp) { return wrap(ua / ub, from); })
      .Case([&](arith::RemUIOp) { return wrap(ua % ub, from); })
      .Case([&](arith::AndIOp) { return a & b; })
      .Case([&](arith::OrIOp) { return a | b; })
      .Case([&](arith::XOrIOp) { return a ^ b; })
      .Case([&](arith::ShLIOp) { return ub >= from ? 0 : a * (two << int(ub)); })
      .Case([&](arith::ShRSIOp) { return ub >= from ? __int128(a < 0 ? -1 : 0) : a >> int(ub); })
      .Case([&](arith::ShRUIOp) { return ub >= from ? __int128(0) : wrap(ua >> int(ub), from); })
      .Case([&](arith::MinSIOp) { return a < b ? a : b; })
      .Case([&](arith::MaxSIOp) { return a > b ? a : b; })
      .Case([&](arith::SelectOp) { return in[0] ? __int128(in[1]) : __int128(in[2]); })
      .Case([&](arith::CmpIOp compare) {
        APInt left(from, uint64_t(in[0]), true, true), right(from, uint64_t(in[1]), true, true);
        return -__int128(arith::applyCmpPredicate(compare.getPredicate(), left, right));
      })
      .Default([](Operation *other) -> __int128 {
        other->emitError() << "the small machine cannot do this";
        std::abort();
      });
}

__int128 SmallMachine::evaluate(AffineExpr expr, ArrayRef<int64_t> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  __int128 a = evaluate(binary.getLHS(), operands), b = evaluate(binary.getRHS(), operands), result = 0;
  if (expr.getKind() == AffineExprKind::Add)
    result = a + b;
  else if (expr.getKind() == AffineExprKind::Mul)
    result = a * b;
  else if (expr.getKind() == AffineExprKind::FloorDiv)
    result = floorDivide(a, b);
  else if (expr.getKind() == AffineExprKind::CeilDiv)
    result = -floorDivide(-a, b);
  else
    result = a - b * floorDivide(a, b);
  left64 |= wrap(result, 64) != result;
  return wrap(result, 64);
}

OwningOpRef<ModuleOp> tile::test::parse(MLIRContext &context, const std::string &text) {
  context.loadDialect<TileDialect, simt::SimtDialect, affine::AffineDialect, arith::ArithDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    llvm::errs() << text;
  return module;
}

bool tile::test::runPasses(ModuleOp module, const std::string &pipeline) {
  PassManager passes(module.getContext());
  OpPassManager &nested = passes.nest<simt::KernelOp>();
  if (pipeline.find("plan") != std::string::npos)
    nested.addPass(createPlanSharedMemory());
  if (pipeline.find("barriers") != std::string::npos)
    nested.addPass(createInsertBarriers());
  if (pipeline.find("width") != std::string::npos)
    nested.addPass(createChooseIndexWidth());
  return succeeded(passes.run(module));
}

std::string tile::test::kernelText(const std::string &body, int threads, int indexParameters) {
  std::string header = "simt.kernel @k(%X: memref<?xf32>", kinds = "#simt.parameter<tensor 0>";
  for (int i = 0; i < indexParameters; ++i) {
    header += ", %n" + std::to_string(i) + ": index";
    kinds += ", #simt.parameter<symbol " + std::to_string(i) + ">";
  }
  return header + ") grid(%bx: index) in affine_map<(d0) -> (d0)> threads(" + std::to_string(threads) +
         ") attributes {source = \"k\", parameters = [" + kinds +
         "], requirements = []} {\n  %t = simt.thread_id : index\n" + body + "}\n";
}

simt::KernelOp tile::test::onlyKernel(ModuleOp module) {
  return *module.getOps<simt::KernelOp>().begin();
}

bool tile::test::hasRace(const std::vector<std::vector<Event>> &threads) {
  struct Seen {
    std::set<int64_t> threads;
    bool writes = false;
  };
  // Per epoch, buffer and byte: who was there, by execution of an operation.
  std::map<std::tuple<int64_t, void *, int64_t>, std::map<std::vector<int64_t>, Seen>> places;
  for (int64_t thread = 0; thread < int64_t(threads.size()); ++thread)
    for (const Event &event : threads[thread])
      for (int64_t byte = 0; event.kind != Event::Print && byte < event.width; ++byte) {
        Seen &seen = places[{event.epoch, event.buffer.getAsOpaquePointer(), event.number + byte}][event.site];
        seen.threads.insert(thread);
        seen.writes |= event.kind == Event::Write;
      }
  for (auto &[place, sites] : places)
    for (auto first = sites.begin(); first != sites.end(); ++first)
      for (auto second = std::next(first); second != sites.end(); ++second) {
        bool isOneThread = first->second.threads.size() == 1 && first->second.threads == second->second.threads;
        if ((first->second.writes || second->second.writes) && !isOneThread)
          return true;
      }
  return false;
}
