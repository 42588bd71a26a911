// WorkReport.cpp - least work and memory traffic of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WorkReport.h"

#include "tile/Analysis/Executions.h"
#include "tile/Analysis/Machine.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Analysis/Tiling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Arithmetic operations
//===----------------------------------------------------------------------===//

namespace {
/// A count of arithmetic operations, and the unit that executes them.
struct Flops {
  std::string unit;
  int64_t count;
};
} // namespace

static std::string getTypeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

/// Counts the operations of a matmul. A complex multiplication counts as four
/// real ones.
static Flops countMatmul(MatmulOpInterface op) {
  MatrixInstructionAttrInterface instruction = getTiling(op).instruction;
  Type element = cast<ShapedType>(op.getLhs().getType()).getElementType();
  int64_t each = 2;
  if (auto complex = dyn_cast<ComplexType>(element)) {
    element = complex.getElementType();
    each = 8;
  }
  std::string unit =
      instruction.hasFragments()
          ? getUnit(/*isMma=*/true, getTypeName(instruction.getOperandType()))
          : getUnit(/*isMma=*/false, getTypeName(element));
  return {unit, each * op.getSumType().getNumElements() * op.getK()};
}

/// Returns the number of floating-point operations of an operation for each
/// element: zero for operations that move, convert or compare elements.
static int64_t countOfElement(Operation *op) {
  bool isOfDialect =
      isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect());
  if (!isOfDialect || op->getNumResults() != 1 ||
      isa<arith::ConstantOp, arith::SelectOp, CastOpInterface>(op) ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())))
    return 0;
  return isa<math::FmaOp>(op) ? 2 : 1;
}

static Flops countElements(TileType tile, int64_t ofEach) {
  return {getUnit(/*isMma=*/false, getTypeName(tile.getElementType())),
          ofEach * tile.getNumElements()};
}

/// Counts the operations that the regions of `op` compute for each element.
static int64_t countOfRegions(Operation *op) {
  int64_t count = 0;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) { count += countOfElement(inner); });
  return count;
}

/// Returns the arithmetic operations of one execution of `op`; nothing for a
/// kind of operation that is not counted.
static std::optional<Flops> countFlops(Operation *op) {
  if (auto matmul = dyn_cast<MatmulOpInterface>(op))
    return countMatmul(matmul);
  if (auto combining = dyn_cast<CombiningOpInterface>(op)) {
    auto tile = dyn_cast<TileType>(combining.getSources().front().getType());
    if (!tile || !isa<FloatType>(tile.getElementType()))
      return std::nullopt;
    int64_t ofEach = combining.getKindAttr() ? 1 : countOfRegions(op);
    return countElements(tile, ofEach);
  }
  auto tile = op->getNumResults() == 1
                  ? dyn_cast<TileType>(op->getResult(0).getType())
                  : TileType();
  if (!tile || !isa<FloatType>(tile.getElementType()))
    return std::nullopt;
  return countElements(tile, isa<MapOp>(op) ? countOfRegions(op)
                                            : countOfElement(op));
}

/// Returns the number of arithmetic operations of a block by unit; nothing if
/// the number of executions of one of them is known only at run time.
static std::optional<std::map<std::string, int64_t>>
countBlockFlops(KernelOp kernel) {
  std::map<std::string, int64_t> sum;
  bool isKnown = true;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<Flops> flops = countFlops(op);
    if (!flops || flops->count == 0)
      return WalkResult::advance();
    std::optional<int64_t> executions = countExecutions(op);
    int64_t all = 0;
    isKnown &= executions && !llvm::MulOverflow(flops->count, *executions, all);
    isKnown =
        isKnown && !llvm::AddOverflow(sum[flops->unit], all, sum[flops->unit]);
    return WalkResult::skip(); // A region is counted with its operation.
  });
  if (!isKnown)
    return std::nullopt;
  return sum;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// Returns the number of bytes that a block writes if `isWrite`, else reads;
/// only in the array `argument` if this is given. Updates count as both.
static std::optional<int64_t>
countBlockBytes(ArrayRef<GlobalAccessReport> accesses, bool isWrite,
                std::optional<int64_t> argument = std::nullopt) {
  int64_t sum = 0;
  for (const GlobalAccessReport &access : accesses) {
    if (access.direction == (isWrite ? "read" : "write") ||
        (argument && access.argument != *argument))
      continue;
    int64_t bytes;
    if (!access.executions ||
        llvm::MulOverflow(access.bytes, *access.executions, bytes) ||
        llvm::AddOverflow(sum, bytes, sum))
      return std::nullopt;
  }
  return sum;
}

/// Returns the bytes of an array; nothing if they are known only at run time.
static std::optional<int64_t> getArrayBytes(Type type) {
  auto array = dyn_cast<MemRefType>(type);
  if (!array || !array.hasStaticShape())
    return std::nullopt;
  return array.getNumElements() * getElementBytes(array.getElementType());
}

/// Returns the minimum number of bytes transferred from and to memory: for each
/// array at most its size, and at most the bytes that the blocks access.
static std::optional<int64_t>
countMemoryBytes(KernelOp kernel, ArrayRef<GlobalAccessReport> accesses,
                 int64_t blocks) {
  int64_t sum = 0;
  for (auto [argument, type] : llvm::enumerate(kernel.getArgumentTypes()))
    for (bool isWrite : {false, true}) {
      std::optional<int64_t> ofBlock =
          countBlockBytes(accesses, isWrite, int64_t(argument));
      if (ofBlock == 0)
        continue;
      std::optional<int64_t> ofArray = getArrayBytes(type);
      int64_t asked;
      if (!ofBlock || !ofArray || llvm::MulOverflow(*ofBlock, blocks, asked))
        return std::nullopt;
      sum += std::min(asked, *ofArray);
    }
  return sum;
}

//===----------------------------------------------------------------------===//
// The bound
//===----------------------------------------------------------------------===//

static void setTimes(WorkReport &work, const Architecture &architecture) {
  const Machine *machine = findMachine(architecture);
  if (!machine)
    return;
  constexpr double kGiga = 1e9, kTera = 1e12, kMicro = 1e-6;
  work.part = machine->part.str();
  if (work.memoryBytes)
    work.microseconds["memory"] =
        double(*work.memoryBytes) / (machine->peak.gigabytes * kGiga * kMicro);
  if (!work.flops)
    return;
  for (const auto &[unit, flops] : *work.blockFlops)
    if (double teraflops = machine->getTeraflops(unit))
      work.microseconds[unit] =
          double(flops) * double(*work.blocks) / (teraflops * kTera * kMicro);
}

WorkReport tile::reportWork(KernelOp kernel,
                            ArrayRef<GlobalAccessReport> accesses,
                            const Architecture &architecture) {
  WorkReport work;
  work.blockFlops = countBlockFlops(kernel);
  work.blockReadBytes = countBlockBytes(accesses, /*isWrite=*/false);
  work.blockWrittenBytes = countBlockBytes(accesses, /*isWrite=*/true);
  work.blocks = getNumBlocks(kernel);
  if (!work.blocks)
    return work;
  work.memoryBytes = countMemoryBytes(kernel, accesses, *work.blocks);
  int64_t ofBlock = 0, all;
  if (work.blockFlops) {
    for (const auto &[unit, flops] : *work.blockFlops)
      ofBlock += flops;
    if (!llvm::MulOverflow(ofBlock, *work.blocks, all))
      work.flops = all;
  }
  setTimes(work, architecture);
  return work;
}
