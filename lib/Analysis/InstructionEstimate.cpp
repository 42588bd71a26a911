// InstructionEstimate.cpp - code size estimate of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of instructions were measured in PTX for sm_80: the number of
// instructions of a kernel with the operation, minus that of the same kernel
// without it, divided by the number of elements of a thread.

#include "tile/Analysis/InstructionEstimate.h"

#include "tile/Analysis/Tiling.h"
#include "tile/IR/AttachModels.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// An element
//===----------------------------------------------------------------------===//

namespace {
/// Number of instructions for one element of f32 (single) and of f64 (wide).
struct FunctionCost {
  int64_t single = 1, wide = 1;
};
} // namespace

/// Returns the cost of a function of libdevice, which is inlined for each
/// element.
static FunctionCost getFunctionCost(StringRef name) {
  return llvm::StringSwitch<FunctionCost>(name)
      .Case("math.exp", {20, 76})
      .Case("math.exp2", {4, 85})
      .Case("math.expm1", {54, 91})
      .Cases({"math.log", "math.log2", "math.log10", "math.log1p"}, {54, 130})
      .Cases({"math.sin", "math.cos", "math.tan"}, {172, 96})
      .Case("math.sincos", {344, 192})
      .Case("math.tanh", {34, 105})
      .Cases({"math.sinh", "math.cosh"}, {50, 111})
      .Cases({"math.asin", "math.acos"}, {53, 140})
      .Cases({"math.atan", "math.atan2"}, {74, 96})
      .Cases({"math.asinh", "math.acosh", "math.atanh"}, {84, 210})
      .Case("math.erf", {52, 108})
      .Case("math.erfc", {102, 197})
      .Case("math.cbrt", {32, 82})
      .Cases({"math.powf", "math.fpowi"}, {207, 145})
      .Case("arith.remf", {134, 134})
      .Cases({"arith.divf", "math.sqrt", "math.rsqrt"}, {10, 20})
      .Cases({"arith.divsi", "arith.divui", "arith.remsi", "arith.remui",
              "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi"},
             {20, 50})
      .Cases({"arith.minimumf", "arith.maximumf", "math.round"}, {4, 16})
      .Default({1, 1});
}

/// Returns the cost for an element of this type. A 64-bit instruction, which
/// has two registers for each operand, counts more since ptxas takes longer for
/// it.
static int64_t weigh(Type element, FunctionCost cost) {
  if (isa<ComplexType>(element))
    return 4 * cost.single;
  bool isWide = element.isIndex() || element.getIntOrFloatBitWidth() == 64;
  return isWide ? cost.wide + llvm::divideCeil(cost.wide, 2) : cost.single;
}

/// Counts one run of an operation on scalars or elements.
static int64_t countScalar(Operation *op) {
  Type type = op->getNumOperands() != 0  ? op->getOperand(0).getType()
              : op->getNumResults() != 0 ? op->getResult(0).getType()
                                         : Type();
  Type element = type ? getElementTypeOrSelf(type) : Type();
  FunctionCost cost = getFunctionCost(op->getName().getStringRef());
  return element && (element.isIntOrIndexOrFloat() || isa<ComplexType>(element))
             ? weigh(element, cost)
             : cost.single;
}

/// Counts one run of the operations of an operation's regions.
static int64_t countRegions(Operation *op) {
  int64_t count = 0;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) { count += countScalar(inner); });
  return count;
}

/// Counts the operations that combine two elements.
static int64_t countCombiner(Operation *op) { return 1 + countRegions(op); }

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

static int64_t countValues(Type type) {
  auto tile = dyn_cast<TileType>(type);
  if (!tile || !tile.getRegister() || !tile.getRegister().isResolved())
    return 0;
  return tile.getRegister().getRegisterLayout().getNumValues();
}

/// Returns the maximum number of elements that a thread holds of a tile of the
/// operation.
static int64_t countValues(Operation *op) {
  int64_t most = 0;
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      most = std::max(most, countValues(type));
  return most;
}

/// Counts the matrix instructions or multiply-adds of a matmul, and the loads
/// of their operands.
static int64_t countMatmul(MatmulOpInterface op) {
  Tiling tiling = getTiling(op);
  MatrixInstructionAttrInterface instruction = tiling.instruction;
  int64_t tiles = tiling.sub[0] * tiling.sub[1] * tiling.sub[kBatchAxis];
  if (instruction.hasFragments()) {
    MatrixShape sub = instruction.getSubTile(),
                shape = instruction.getInstructionShape();
    return tiles * llvm::divideCeil(sub.m, shape.m) *
           llvm::divideCeil(sub.n, shape.n) *
           llvm::divideCeil(op.getK(), shape.k) * 6;
  }
  Type element = op.getSumType().getElementType();
  return tiles * op.getK() *
         (tiling.thread[0] * tiling.thread[1] * weigh(element, {}) +
          tiling.thread[0] + tiling.thread[1]);
}

namespace {
template <typename Matmul>
struct MatmulCosts
    : CostOpInterface::ExternalModel<MatmulCosts<Matmul>, Matmul> {
  int64_t getInstructions(Operation *op, int64_t, int64_t) const {
    return countMatmul(cast<MatmulOpInterface>(op));
  }
};
} // namespace

void tile::registerMatmulCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TileDialect *) {
    attachModels<MatmulCosts, MatmulOp>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, tile_gpu::TileGpuDialect *) {
    attachModels<MatmulCosts, tile_gpu::MmaAsyncOp>(*context);
  });
}

/// Counts the instructions of an operation, as the tiles' layouts give them for
/// the block size of the kernel.
static int64_t count(Operation *op) {
  int64_t values = countValues(op);
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([&](CombiningOpInterface combining) {
        return (values + 10 * countValues(op->getResultTypes().front())) *
               countCombiner(op);
      })
      .Case([&](CostOpInterface cost) {
        int64_t block = op->getParentOfType<KernelOp>().getLaunchedThreads();
        return cost.getInstructions(values, block) +
               cost.getRegionRuns(values) * countRegions(op);
      })
      .Default([&](Operation *) {
        return op->hasTrait<OpTrait::ConstantLike>()
                   ? 0
                   : std::max<int64_t>(values, 1) * countScalar(op);
      });
}

int64_t tile::estimateInstructions(Operation *op, int64_t block) {
  int64_t own = op->getParentOfType<KernelOp>().getLaunchedThreads();
  return llvm::divideCeil(count(op) * own, block);
}

int64_t tile::estimateInstructions(KernelOp kernel, int64_t block) {
  int64_t sum = 0;
  kernel.getBody().walk([&](Operation *op) {
    Operation *parent = op->getParentOp();
    if (!isa<CostOpInterface, CombiningOpInterface>(parent))
      sum += estimateInstructions(op, block);
  });
  return sum;
}

std::optional<int64_t>
tile::findSmallestBlock(KernelOp kernel, const Architecture &architecture) {
  for (int64_t block = llvm::NextPowerOf2(kernel.getLaunchedThreads());
       block <= architecture.threadsPerBlock; block *= 2)
    if (estimateInstructions(kernel, block) <= kMaxInstructions)
      return block;
  return std::nullopt;
}
