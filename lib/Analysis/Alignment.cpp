// Alignment.cpp - known alignment of the addresses of an array access
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Alignment.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// The divisor of zero, and the largest divisor that is distinguished.
static constexpr int64_t kMaxDivisor = 1 << 16;

static int64_t lowestBit(int64_t value) {
  return value == 0 ? kMaxDivisor : std::min(value & -value, kMaxDivisor);
}

/// Returns the values of which an index is one: the first value that a loop
/// carries and the value that its body yields, or the results of the two
/// regions of a branch. Returns nothing for other indices.
static SmallVector<Value, 2> getAlternatives(Value index) {
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || loop.getInductionVar() == index)
      return {};
    return {loop.getTiedLoopInit(argument)->get(),
            loop.getTiedLoopYieldedValue(argument)->get()};
  }
  Operation *op = index.getDefiningOp();
  unsigned result = cast<OpResult>(index).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {loop.getInits()[result], loop.getYieldedValues()[result]};
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return {branch.thenYield().getOperand(result),
            branch.elseYield().getOperand(result)};
  return {};
}

namespace {
/// Searches an index expression for the divisors of its operands. The depth is
/// bounded, since an address is a short expression, and so is the number of
/// visits; loops and branches that carry an index add nothing to the depth.
///
/// That a divisor holds for an index which a loop carries is proved by
/// induction: a search that meets the index again assumes that every power of
/// two divides it. If d divides the index instead, then the smaller one of d
/// and the divisor that is found with this assumption divides the result of
/// each operation that the search looks through.
class DivisorSearch {
public:
  int64_t find(Value index, int depth);

private:
  int64_t findOfLeast(ValueRange operands, int depth) {
    int64_t divisor = kMaxDivisor;
    for (Value operand : operands)
      divisor = std::min(divisor, find(operand, depth));
    return divisor;
  }

  SmallPtrSet<Value, 4> assumed; ///< indices that loops carry
  int visits = 512;
};
} // namespace

int64_t DivisorSearch::find(Value index, int depth) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return lowestBit(constant.getSExtValue());
  if (assumed.contains(index))
    return kMaxDivisor;
  if (depth == 0 || --visits < 0)
    return 1;
  if (auto alternatives = getAlternatives(index); !alternatives.empty()) {
    assumed.insert(index);
    int64_t divisor = findOfLeast(alternatives, depth);
    assumed.erase(index);
    return divisor;
  }
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop ? findOfLeast({loop.getLowerBound(), loop.getStep()}, depth - 1)
                : 1;
  }
  Operation *op = index.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
          arith::MinUIOp, arith::MaxUIOp, arith::IndexCastOp>(op))
    return findOfLeast(op->getOperands(), depth - 1);
  if (isa<arith::MulIOp>(op))
    return std::min(find(op->getOperand(0), depth - 1) *
                        find(op->getOperand(1), depth - 1),
                    kMaxDivisor);
  if (isa<arith::SelectOp>(op))
    return findOfLeast(op->getOperands().drop_front(), depth - 1);
  if (auto shift = dyn_cast<arith::ShLIOp>(op))
    if (matchPattern(shift.getRhs(), m_ConstantInt(&constant)) &&
        constant.ult(16))
      return std::min(find(shift.getLhs(), depth - 1)
                          << constant.getZExtValue(),
                      kMaxDivisor);
  return 1;
}

/// A search visits operands up to this depth.
static constexpr int kMaxDepth = 8;

int64_t tile::getKnownDivisor(Value index) {
  return DivisorSearch().find(index, kMaxDepth);
}

/// Whether an index is known not to be negative. The search is bounded by
/// depth, since an offset is a short expression. It does not look through
/// values that loops carry: arithmetic on these may overflow after some
/// iterations.
static bool isKnownNonNegative(Value index, int depth) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return !constant.isNegative();
  if (depth == 0)
    return false;
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop =
        dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && loop.getInductionVar() == index && !loop.getUnsignedCmp() &&
           ::isKnownNonNegative(loop.getLowerBound(), depth - 1);
  }
  Operation *op = index.getDefiningOp();
  if (isa<ProgramIdOp, NumProgramsOp, memref::DimOp>(op))
    return true;
  auto isOperandNonNegative = [&](Value operand) {
    return ::isKnownNonNegative(operand, depth - 1);
  };
  // maxsi is at least each operand; unsigned, minui and remui are at most each.
  if (isa<arith::MaxSIOp, arith::MinUIOp, arith::RemUIOp>(op))
    return llvm::any_of(op->getOperands(), isOperandNonNegative);
  if (isa<arith::DivUIOp, arith::CeilDivUIOp, arith::RemSIOp>(op))
    return isOperandNonNegative(op->getOperand(0));
  if (isa<arith::AddIOp, arith::MulIOp, arith::MinSIOp, arith::DivSIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp>(op))
    return llvm::all_of(op->getOperands(), isOperandNonNegative);
  if (isa<arith::SelectOp>(op))
    return llvm::all_of(op->getOperands().drop_front(), isOperandNonNegative);
  return false;
}

bool tile::isKnownNonNegative(Value index) {
  return ::isKnownNonNegative(index, kMaxDepth);
}

/// Returns the larger of the alignments that the author promises and that the
/// variant assumes.
static int64_t getAlignment(KernelOp kernel, unsigned argument,
                            StringRef promised, StringRef assumed) {
  int64_t alignment = 1;
  for (StringRef name : {promised, assumed})
    if (auto bytes = kernel.getArgAttrOfType<IntegerAttr>(argument, name))
      alignment = std::max(alignment, bytes.getInt());
  return alignment;
}

int64_t tile::getBaseAlignment(KernelOp kernel, unsigned argument) {
  return getAlignment(kernel, argument, kAlignmentAttr, kAssumedAlignmentAttr);
}

int64_t tile::getStrideAlignment(KernelOp kernel, unsigned argument) {
  return getAlignment(kernel, argument, kStrideAlignmentAttr,
                      kAssumedStrideAlignmentAttr);
}

/// Returns the alignment in bytes that `read` reports for an array argument,
/// whose dimensions may be permuted. An array that is no kernel argument has
/// the alignment of its element.
static int64_t getArgumentAlignment(Value array,
                                    int64_t (*read)(KernelOp, unsigned),
                                    int64_t elementBytes, Assume assume) {
  while (auto permuted = array.getDefiningOp<memref::TransposeOp>())
    array = permuted.getIn();
  auto argument = dyn_cast<BlockArgument>(array);
  auto kernel =
      argument ? dyn_cast_or_null<KernelOp>(argument.getOwner()->getParentOp())
               : nullptr;
  if (!kernel)
    return elementBytes;
  if (assume == Assume::kPromise)
    return std::max(elementBytes, kMaxAccessBytes);
  return std::max(elementBytes, read(kernel, argument.getArgNumber()));
}

int64_t tile::getVectorWidth(Value array, ValueRange offsets,
                             ArrayRef<int64_t> boxExtents, int64_t dim,
                             Assume assume) {
  auto type = cast<MemRefType>(array.getType());
  auto [strides, arrayOffset] = type.getStridesAndOffset();
  if (strides[dim] != 1 || boxExtents[dim] == 1)
    return 1;
  int64_t bytes = getElementBytes(type.getElementType());
  if (!llvm::isPowerOf2_64(bytes) || bytes >= kMaxAccessBytes)
    return 1;
  int64_t aligned =
      getArgumentAlignment(array, getBaseAlignment, bytes, assume) / bytes;
  int64_t width = std::min(kMaxAccessBytes / bytes, aligned);
  // A static offset of the layout is part of the address; a run-time one has
  // been folded into the pointer by the caller.
  if (!ShapedType::isDynamic(arrayOffset))
    width = std::min(width, lowestBit(arrayOffset));
  for (int64_t d = 0; d < type.getRank(); ++d) {
    int64_t divisor = getKnownDivisor(offsets[d]);
    if (d == dim) {
      width = std::min(width, divisor);
      continue;
    }
    int64_t stride =
        ShapedType::isDynamic(strides[d])
            ? getArgumentAlignment(array, getStrideAlignment, bytes, assume) /
                  bytes
            : lowestBit(strides[d]);
    // If the box has extent one along d, only the offset moves along d.
    if (boxExtents[d] == 1)
      stride = std::min(stride * divisor, kMaxDivisor);
    width = std::min(width, stride);
  }
  return llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(width, 1)));
}

int64_t tile::getVectorWidth(Value array, ValueRange offsets,
                             ArrayRef<int64_t> tileShape, Assume assume) {
  auto type = cast<MemRefType>(array.getType());
  std::optional<int64_t> dim = getContiguousDimension(type);
  return dim ? getVectorWidth(array, offsets, getBoxExtents(type, tileShape),
                              *dim, assume)
             : 1;
}

SmallVector<int64_t> tile::getBoxExtents(MemRefType array,
                                         ArrayRef<int64_t> tileShape) {
  SmallVector<int64_t> extents(array.getRank() - tileShape.size(), 1);
  llvm::append_range(extents, tileShape);
  return extents;
}
