// SplitSums.cpp - sums that do not wait for other sums
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum over several warps has a barrier. In the gradient of a normalisation
// the terms of a sum have factors that are sums themselves, of the same row, so
// that their barriers follow each other. Without the factors the sums do not
// depend on each other, and share a barrier.
//
// Terms of a sum are summed separately only if they are multiples, whose
// rounding errors are as large as those of the separate sums: a sum of
// differences, as of y - t, would lose the digits in which y and t agree.

#include "SplitSums.h"

#include "tile/Gradient/ValueBuilder.h"

using namespace mlir;
using namespace tile;

namespace {
/// Term is one summand: a tile, or the number of summed elements, multiplied by
/// factors that are the same along the summed axis.
struct Term {
  Value tile;
  SmallVector<Value> factors;
  bool isNegated;
};

/// Counts the sums on the longest path to a value, in the value's block.
class SumDepths {
public:
  unsigned get(Value value, Block *block) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == block ? get(op) : 0;
  }

private:
  unsigned get(Operation *op) {
    auto found = depths.find(op);
    if (found != depths.end())
      return found->second;
    unsigned depth = 0;
    for (Value operand : op->getOperands())
      depth = std::max(depth, get(operand, op->getBlock()));
    return depths[op] = depth + isa<ReduceOp>(op);
  }

  DenseMap<Operation *, unsigned> depths;
};

class SumSplitter {
public:
  SumSplitter(ReduceOp sum, SumDepths &depths) : sum(sum), depths(depths) {}

  void split();

private:
  bool isRepeated(Value value);
  bool isScaled(Value value);
  void addTerms(Value value, SmallVector<Value> factors, bool isNegated);
  bool isShorter();
  Value getFactor(ValueBuilder &b, Value repeated);
  Value sumTile(ValueBuilder &b, Value tile);
  Value createTerm(ValueBuilder &b, const Term &term);

  TileType getType() { return cast<TileType>(sum.getResult(0).getType()); }
  unsigned getDepth(Value value) { return depths.get(value, sum->getBlock()); }
  bool isReduced(int64_t dim) { return !sum.getAxis() || sum.getAxis() == dim; }

  ReduceOp sum;
  SumDepths &depths;
  SmallVector<Term> terms;
};
} // namespace

/// Whether the elements of a tile are the same along the summed axis.
bool SumSplitter::isRepeated(Value value) {
  if (value.getDefiningOp<FillOp>())
    return true;
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return false;
  ArrayRef<int64_t> shape =
      cast<TileType>(broadcast.getSource().getType()).getShape();
  if (shape.size() != broadcast.getType().getShape().size())
    return false;
  return llvm::all_of(llvm::enumerate(shape), [&](auto extent) {
    return extent.value() == 1 || !isReduced(extent.index());
  });
}

/// Whether a tile is a multiplication by a factor that is the same along the
/// summed axis, or a sum of such tiles.
bool SumSplitter::isScaled(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::MulFOp>(op))
    return isRepeated(op->getOperand(0)) || isRepeated(op->getOperand(1));
  return isa_and_present<arith::NegFOp, arith::AddFOp, arith::SubFOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isScaled(operand); });
}

/// Adds the terms of a tile with further factors.
void SumSplitter::addTerms(Value value, SmallVector<Value> factors,
                           bool isNegated) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::NegFOp>(op))
    return addTerms(op->getOperand(0), factors, !isNegated);
  if (isa_and_present<arith::MulFOp>(op))
    for (unsigned index : {0, 1})
      if (isRepeated(op->getOperand(index))) {
        factors.push_back(op->getOperand(index));
        return addTerms(op->getOperand(1 - index), factors, isNegated);
      }
  if (isa_and_present<arith::AddFOp, arith::SubFOp>(op)) {
    Value a = op->getOperand(0), b = op->getOperand(1);
    bool negatesB = isa<arith::SubFOp>(op) != isNegated;
    if (isScaled(a) && isScaled(b)) {
      addTerms(a, factors, isNegated);
      return addTerms(b, factors, negatesB);
    }
    if (isRepeated(b) && getDepth(b) > 0) {
      addTerms(a, factors, isNegated);
      factors.push_back(b);
      terms.push_back({Value(), factors, negatesB});
      return;
    }
  }
  terms.push_back({value, factors, isNegated});
}

/// Whether fewer sums follow each other if the terms are summed, and few more
/// are computed.
bool SumSplitter::isShorter() {
  constexpr int64_t kMostTiles = 4;
  unsigned depth = 0;
  int64_t tiles = 0;
  for (const Term &term : terms)
    if (term.tile) {
      depth = std::max(depth, getDepth(term.tile) + 1);
      ++tiles;
    }
  return tiles <= kMostTiles && depth < getDepth(sum.getResult(0));
}

/// Returns the elements of a tile that are repeated along the axis, as a tile
/// of the sum's type.
Value SumSplitter::getFactor(ValueBuilder &b, Value repeated) {
  if (auto fill = repeated.getDefiningOp<FillOp>())
    return FillOp::create(b, getType(), fill->getOperands());
  Value source = repeated.getDefiningOp<BroadcastOp>().getSource();
  auto type = cast<TileType>(source.getType());
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (sum.getKeep() || !isReduced(dim))
      shape.push_back(extent);
  auto small = TileType::get(shape, type.getElementType());
  Value factor =
      small == type ? source : ReshapeOp::create(b, small, source).getResult();
  return small == getType() ? factor
                            : BroadcastOp::create(b, getType(), factor);
}

/// Returns the sum of a tile, that of the program if it has one before.
Value SumSplitter::sumTile(ValueBuilder &b, Value tile) {
  for (Operation *user : tile.getUsers()) {
    auto other = dyn_cast<ReduceOp>(user);
    if (other && other->getBlock() == sum->getBlock() &&
        other->isBeforeInBlock(sum) && other.getKind() == sum.getKind() &&
        other.getAxis() == sum.getAxis() &&
        other.getResult(0).getType() == getType())
      return other.getResult(0);
  }
  IRMapping mapping;
  mapping.map(sum->getOperand(0), tile);
  return b.clone(*sum, mapping)->getResult(0);
}

Value SumSplitter::createTerm(ValueBuilder &b, const Term &term) {
  Value product;
  if (term.tile) {
    product = sumTile(b, term.tile);
  } else {
    auto source = cast<TileType>(sum->getOperand(0).getType());
    int64_t count = source.getNumElements() / getType().getNumElements();
    product = b.real(getType(), count);
  }
  for (Value factor : term.factors)
    product = b.mul(product, getFactor(b, factor));
  return product;
}

void SumSplitter::split() {
  addTerms(sum->getOperand(0), {}, /*isNegated=*/false);
  if (!isShorter())
    return;
  ValueBuilder b(sum.getLoc(), sum.getContext());
  b.setInsertionPoint(sum);
  Value total;
  for (const Term &term : terms) {
    Value product = createTerm(b, term);
    total = term.isNegated ? b.sub(total, product) : b.add(total, product);
  }
  sum.getResult(0).replaceAllUsesWith(total);
  sum.erase();
}

void tile::splitSums(KernelOp kernel) {
  SmallVector<ReduceOp> sums;
  kernel.walk([&](ReduceOp op) {
    bool isSum = op.getKind() == ReduceKind::add;
    Type element = getElementType(op->getOperand(0).getType());
    if (isSum && (element.isF32() || element.isF64()))
      sums.push_back(op);
  });
  for (ReduceOp op : sums) {
    SumDepths depths;
    SumSplitter(op, depths).split();
  }
}
