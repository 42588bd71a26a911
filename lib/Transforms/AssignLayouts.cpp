// AssignLayouts.cpp - a layout for every tile, every mismatch visible
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register layouts first, since shared ones are chosen for the accesses that
// registers make. See AssignRegisterLayouts.cpp and AssignSharedLayouts.cpp.
//
//   %d = tile.matmul %a, %b, %c tiling <...>
//          : !tile.tile<16x16xf16, #tile.shared>, ...
//          -> !tile.tile<16x8xf32, #tile.register>
//
// becomes
//
//   %d = tile.matmul %a, %b, %c tiling <...>
//          : !tile.tile<16x16xf16, #tile.shared<(16,16):(16,1), swizzle =
//          ...>>,
//          ... -> !tile.tile<16x8xf32, #tile.register<((4,8),1,(2,2)):...>>

#include "AssignLayouts.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Fragments.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tile-assign-layouts"

namespace tile {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Registers of a thread that computed operands may take. ptxas moves most of
/// the computation to its uses: with 128 and an accumulator of 128, i8 as f16
/// in tiles of 128x128x64 spills at most 16 bytes.
static constexpr int64_t kMaxFragmentRegisters = 128;

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

/// A reduction of everything is one of each axis, the last first.
static void expandFullReduction(ReduceOp op) {
  OpBuilder builder(op);
  Value value = op.getSource();
  auto type = cast<TileType>(value.getType());
  for (int64_t axis = type.getRank(); axis-- > 0;) {
    type = TileType::get(type.getContext(), type.getShape().drop_back(),
                         type.getElementType(), op.getType().getStorage());
    value = ReduceOp::create(builder, op.getLoc(), type, op.getKindAttr(),
                             value, builder.getI64IntegerAttr(axis));
  }
  op.getResult().replaceAllUsesWith(value);
  op.erase();
}

/// Sums and products of small floats are those of f32, rounded once.
static void widenReduction(ReduceOp op) {
  OpBuilder builder(op);
  MLIRContext *context = op.getContext();
  TileType from = op.getSource().getType(), to = op.getType();
  Type f32 = builder.getF32Type();
  auto wide = TileType::get(context, from.getShape(), f32, from.getStorage());
  auto reduced = TileType::get(context, to.getShape(), f32, to.getStorage());
  Value value = CastOp::create(builder, op.getLoc(), wide, op.getSource());
  op.getSourceMutable().assign(value);
  op.getResult().setType(reduced);
  builder.setInsertionPointAfter(op);
  auto narrow = CastOp::create(builder, op.getLoc(), to, op.getResult());
  op.getResult().replaceAllUsesExcept(narrow, narrow);
}

static bool isWidened(ReduceOp op) {
  Type element = op.getType().getElementType();
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32 &&
         (op.getKind() == ReduceKind::add || op.getKind() == ReduceKind::mul);
}

/// Whether defining the tile again at each use is as cheap as a move.
static bool isCheap(Operation *op) {
  return isa<arith::ConstantOp, FillOp, IotaOp>(op) &&
         isa<TileType>(op->getResult(0).getType());
}

/// One definition a use, so that a constant does not tie its users' layouts.
static void duplicateForEachUse(Operation *op) {
  if (op->use_empty())
    return;
  OpBuilder builder(op);
  for (OpOperand &use :
       llvm::make_early_inc_range(llvm::drop_begin(op->getResult(0).getUses())))
    use.set(builder.clone(*op)->getResult(0));
}

/// The layout that the program declares for a tile in registers, null for none.
static RegisterAttr getDeclared(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  RegisterAttr registers = type ? type.getRegister() : RegisterAttr();
  return registers && registers.isResolved() ? registers : RegisterAttr();
}

static Value convertTo(OpBuilder &builder, Location loc, Value value,
                       Attribute storage) {
  auto type = cast<TileType>(value.getType());
  return ConvertLayoutOp::create(builder, loc, type.withStorage(storage),
                                 value);
}

/// A product's instructions say where its accumulator is: a layout that the
/// program declares for it is reached by conversions around it.
static void keepDeclaredLayout(MatmulOp op) {
  RegisterAttr declared = getDeclared(op.getResult());
  if (!declared)
    return;
  OpBuilder builder(op);
  auto any =
      RegisterAttr::get(op.getContext(), LayoutAttr(), DenseI64ArrayAttr());
  op.getAccMutable().assign(convertTo(builder, op.getLoc(), op.getAcc(), any));
  op.getResult().setType(op.getType().withStorage(any));
  builder.setInsertionPointAfter(op);
  Value converted = convertTo(builder, op.getLoc(), op.getResult(), declared);
  op.getResult().replaceAllUsesExcept(converted, converted.getDefiningOp());
}

/// Operands of a cast or a selection may declare another layout than the result
/// does; those of other elementwise operations have one type.
static void keepDeclaredLayout(Operation *op) {
  RegisterAttr declared = getDeclared(op->getResult(0));
  OpBuilder builder(op);
  for (OpOperand &use : op->getOpOperands())
    if (RegisterAttr other = getDeclared(use.get());
        declared && other && other != declared)
      use.set(convertTo(builder, op->getLoc(), use.get(), declared));
}

/// Whether a product's instructions can read the operand where it is: it is a
/// tile of its own, or a box at offsets that keep rows aligned and of extents
/// that need no padding; and neighbours in memory are none of its batch's.
static bool canReadInPlace(MatmulOp op, int operand,
                           const Architecture &architecture) {
  Value value = op->getOperand(operand);
  Tiling tiling = getTiling(op, architecture);
  auto type = cast<TileType>(value.getType());
  bool isPadded = getOperandBox(tiling, operand, op.getK()) !=
                  SmallVector<int64_t>(type.getShape());
  int64_t batch = type.getRank() == 3 ? 0 : -1; // of the root's dimensions
  int64_t unit = kMaxAccessBytes / getElementBytes(type.getElementType());
  while (Operation *def = value.getDefiningOp()) {
    if (auto view = dyn_cast<ViewOp>(def)) {
      if (isPadded || llvm::any_of(view.getOffsets(), [&](Value offset) {
            return getKnownDivisor(offset) < unit;
          }))
        return false;
      value = view.getSource();
    } else if (auto transpose = dyn_cast<TransposeOp>(def)) {
      value = transpose.getSource();
      batch = batch < 0 ? batch : transpose.getPermutation()[batch];
    } else {
      break;
    }
  }
  SharedAttr shared = cast<TileType>(value.getType()).getShared();
  if (shared && chooseFastestDimension(value) == batch)
    return false;
  return !shared || !shared.isResolved() ||
         (!isPadded &&
          getMaxVector(shared, getElementBytes(type.getElementType())) >= unit);
}

/// Copies an operand through registers to a tile of its own.
static void copyOperand(MatmulOp op, int operand) {
  OpBuilder builder(op);
  MLIRContext *context = op.getContext();
  Value value = op->getOperand(operand);
  auto type = cast<TileType>(value.getType());
  auto registers =
      RegisterAttr::get(context, LayoutAttr(), DenseI64ArrayAttr());
  auto shared = SharedAttr::get(context, LayoutAttr(), SwizzleAttr(), 16);
  value = ConvertLayoutOp::create(builder, op.getLoc(),
                                  type.withStorage(registers), value);
  value = ConvertLayoutOp::create(builder, op.getLoc(),
                                  type.withStorage(shared), value);
  op->setOperand(operand, value);
}

/// Registers of 32 bits that a thread needs for the operands that are computed
/// in registers.
static int64_t countFragmentRegisters(MatmulOp op, const Tiling &tiling,
                                      int64_t numWarps) {
  int64_t bytes = 0;
  for (int operand : {0, 1}) {
    auto type = cast<TileType>(op->getOperand(operand).getType());
    if (type.getRegister())
      bytes += getFragmentLayout(tiling, operand, op.getK(), numWarps)
                   .getNumValues() *
               getElementBytes(type.getElementType());
  }
  return bytes / 4;
}

/// Operands in registers that are too many for a thread, or those of FMA that
/// are not asked for there, are copied to shared memory, and read from there
/// step by step.
static void limitFragments(MatmulOp op, const Architecture &architecture,
                           int64_t numWarps) {
  Tiling tiling = getTiling(op, architecture);
  if (tiling.operands == OperandSource::global)
    return;
  if (!tiling.instruction->isFma()) {
    int64_t registers = countFragmentRegisters(op, tiling, numWarps);
    if (registers <= kMaxFragmentRegisters)
      return;
    remark::missed(op.getLoc(),
                   remark::RemarkOpts::name("computed operands in registers")
                       .category(DEBUG_TYPE))
        << "expected fragments of computed operands of at most " +
               std::to_string(kMaxFragmentRegisters) +
               " registers a thread, got " + std::to_string(registers) +
               ": the operands are copied to shared memory";
  }
  OpBuilder builder(op);
  auto shared =
      SharedAttr::get(op.getContext(), LayoutAttr(), SwizzleAttr(), 16);
  for (int operand : {0, 1}) {
    Value value = op->getOperand(operand);
    if (cast<TileType>(value.getType()).getRegister())
      op->setOperand(operand, convertTo(builder, op.getLoc(), value, shared));
  }
}

void tile::simplifyForLayouts(KernelOp kernel,
                              const Architecture &architecture) {
  SmallVector<Operation *> cheap;
  kernel.walk([&](Operation *op) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      if (isWidened(reduce))
        widenReduction(reduce);
      if (!reduce.getAxis())
        expandFullReduction(reduce);
    } else if (isCheap(op)) {
      cheap.push_back(op);
    }
  });
  kernel.walk([](Operation *op) {
    if (auto matmul = dyn_cast<MatmulOp>(op))
      keepDeclaredLayout(matmul);
    else if (isa<CastOp, SelectOp>(op))
      keepDeclaredLayout(op);
  });
  llvm::for_each(cheap, duplicateForEachUse);
  kernel.walk([&](MatmulOp op) {
    limitFragments(op, architecture, *kernel.getBlock() / kWarpSize);
    for (int operand : {0, 1})
      if (!canReadInPlace(op, operand, architecture))
        copyOperand(op, operand);
  });
}

namespace {
struct AssignLayouts : tile::impl::AssignLayoutsBase<AssignLayouts> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture || failed(verifyPrepared(kernel)))
      return signalPassFailure();
    simplifyForLayouts(kernel, *architecture);
    assignRegisterLayouts(kernel, *architecture);
    assignSharedLayouts(kernel, *architecture);
  }

  /// A layout that the program declares is spread over the block's warps.
  static LogicalResult verifyWarps(Operation *op, int64_t numWarps) {
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<TileType>(type);
      RegisterAttr declared = tile ? tile.getRegister() : RegisterAttr();
      if (!declared || !declared.isResolved())
        continue;
      int64_t warps = declared.getRegisterLayout().getNumWarps();
      if (warps != numWarps)
        return op->emitError("expected a layout of ")
               << numWarps << " warps (the block's), got " << warps << " in "
               << declared;
    }
    return success();
  }

  /// A tile that no block can hold. Per thread, ptxas may spill instead.
  static LogicalResult verifyFits(Operation *op) {
    // CUDA C++ Programming Guide, Technical Specifications per Compute
    // Capability: 64 K registers of 32 bits a block.
    constexpr int64_t kBlockBytes = 65536 * 4;
    for (Type type : op->getResultTypes()) {
      auto tile = dyn_cast<TileType>(type);
      if (!tile || !tile.getRegister())
        continue;
      int64_t bytes = getElementBytes(tile.getElementType());
      for (int64_t extent : tile.getShape())
        if (llvm::MulOverflow(bytes, extent, bytes))
          bytes = std::numeric_limits<int64_t>::max();
      if (bytes > kBlockBytes)
        return op->emitError("expected a tile of at most ")
               << kBlockBytes << " bytes (a block's registers), got " << bytes
               << " of " << tile;
    }
    return success();
  }

  /// What the phases before must have left.
  static LogicalResult verifyPrepared(KernelOp kernel) {
    if (!kernel.getBlock())
      return kernel.emitError(
          "expected a block size (run -tile-warp-tiling before)");
    int64_t numWarps = *kernel.getBlock() / kWarpSize;
    WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
      auto isStored = [](Type type) {
        auto tile = dyn_cast<TileType>(type);
        return !tile || tile.getStorage();
      };
      if (!llvm::all_of(op->getResultTypes(), isStored))
        return op->emitError("expected a tile with a storage (run "
                             "-tile-assign-storage before)");
      if (failed(verifyWarps(op, numWarps)) || failed(verifyFits(op)))
        return WalkResult::interrupt();
      auto matmul = dyn_cast<MatmulOp>(op);
      if (matmul && !hasCompleteTiling(matmul))
        return op->emitError("expected a complete tiling (run "
                             "-tile-warp-tiling before)");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
