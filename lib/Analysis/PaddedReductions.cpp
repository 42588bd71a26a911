// PaddedReductions.cpp - reductions that include zeros beyond an array's end
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the kernel computes for each value which of its axes have
// padding, and the value of the padded elements if it is a constant. For this,
// elementwise operations are folded with the padded value of their operands.

#include "tile/Analysis/PaddedReductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// The padding of one value
//===----------------------------------------------------------------------===//

namespace {

/// An axis of a tile whose last elements a load may have read outside of its
/// array.
struct PaddedAxis {
  int64_t axis;
  Operation *load;
  unsigned argument;
  int64_t dimension;
  int64_t extent;
};

struct Padding {
  SmallVector<PaddedAxis> axes;
  /// A splat of the value that all padded elements have; null if it is not
  /// known.
  Attribute value;
  /// Axes along which all elements are equal.
  llvm::SmallDenseSet<int64_t> uniform;
  /// The axes that were summed, if the value is a sum that includes padding.
  /// `summedElements` is the number of elements of each sum.
  SmallVector<PaddedAxis> summed;
  int64_t summedElements = 0;
};

class PaddingWalk {
public:
  explicit PaddingWalk(KernelOp kernel) : kernel(kernel) {}
  SmallVector<PaddedReduction> run();

private:
  void visit(Operation *op);
  void visitLoad(LoadOp load);
  void visitElementwise(Operation *op);
  void visitReduce(ReduceOp reduce);
  void visitOrder(Operation *op);
  void visitAverage(Operation *op);
  void moveAxes(Operation *op, llvm::function_ref<int64_t(int64_t)> move);

  Padding combineOperands(Operation *op);
  Attribute fold(Operation *op);
  void report(Operation *op, ArrayRef<PaddedAxis> axes, const Twine &result,
              StringRef advice);

  KernelOp kernel;
  DenseMap<Value, Padding> known;
  DenseSet<Operation *> reportedLoads;
  SmallVector<PaddedReduction> found;
};

} // namespace

static TileType getTile(Value value) { return cast<TileType>(value.getType()); }

static bool isZero(Attribute splat) {
  return splat && (matchPattern(splat, m_AnyZeroFloat()) ||
                   matchPattern(splat, m_Zero()));
}

/// Returns the element of a splat; null for anything else.
static TypedAttr getElement(Attribute splat) {
  auto elements = dyn_cast_or_null<SplatElementsAttr>(splat);
  return elements ? dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>())
                  : TypedAttr();
}

/// Returns a tile whose elements are all equal.
static Attribute makeSplat(TileType type, Attribute element) {
  return DenseElementsAttr::get(cast<ShapedType>(type), element);
}

/// Returns the value of a floating-point constant, or of the elements of a
/// splat.
static std::optional<double> getConstantFloat(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return std::nullopt;
  if (TypedAttr element = getElement(constant))
    constant = element;
  auto attr = dyn_cast<FloatAttr>(constant);
  return attr ? std::optional(attr.getValueAsDouble()) : std::nullopt;
}

/// Whether the elements of a tile are not negative because of how they are
/// computed.
static bool isNonNegative(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return op->getOperand(0) == op->getOperand(1);
  return isa<math::AbsFOp, math::AbsIOp, math::ExpOp, math::Exp2Op,
             math::SqrtOp, arith::ExtUIOp, arith::UIToFPOp>(op);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

SmallVector<PaddedReduction> PaddingWalk::run() {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  return std::move(found);
}

void PaddingWalk::visit(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return visitLoad(load);
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return moveAxes(op, [&](int64_t axis) {
      return llvm::find(transpose.getPermutation(), axis) -
             transpose.getPermutation().begin();
    });
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    int64_t added = getTile(broadcast.getResult()).getRank() -
                    getTile(broadcast.getSource()).getRank();
    return moveAxes(op, [&](int64_t axis) {
      return broadcast.getDims() ? (*broadcast.getDims())[axis] : axis + added;
    });
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return visitReduce(reduce);
  if (isa<ArgReduceOp, SortOp, TopKOp>(op))
    return visitOrder(op);
  if (op->hasTrait<OpTrait::Elementwise>() || isa<ExtractOp>(op))
    return visitElementwise(op);
}

void PaddingWalk::visitLoad(LoadOp load) {
  auto array = dyn_cast<BlockArgument>(load.getSource());
  if (load.getPad() || load.getInBounds() || !array ||
      array.getOwner() != &kernel.getBody().front())
    return;
  auto memory = cast<MemRefType>(array.getType());
  TileType type = getTile(load.getResult());
  Padding padding;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    int64_t extent = type.getShape()[axis];
    int64_t dimension = load.getDims()
                            ? (*load.getDims())[axis]
                            : memory.getRank() - type.getRank() + axis;
    int64_t size = memory.getDimSize(dimension);
    if (extent > 1 && (ShapedType::isDynamic(size) || size % extent != 0))
      padding.axes.push_back(
          {axis, load, array.getArgNumber(), dimension, extent});
  }
  if (!isa<ComplexType>(type.getElementType()))
    padding.value =
        makeSplat(type, Builder(load).getZeroAttr(type.getElementType()));
  known[load.getResult()] = std::move(padding);
}

/// Gives the result of `op` the padding of its operand, with each axis changed
/// by `move`.
void PaddingWalk::moveAxes(Operation *op,
                           llvm::function_ref<int64_t(int64_t)> move) {
  TileType result = getTile(op->getResult(0));
  TileType source = getTile(op->getOperand(0));
  Padding padding = known.lookup(op->getOperand(0));
  for (PaddedAxis &padded : padding.axes)
    padded.axis = move(padded.axis);
  llvm::SmallDenseSet<int64_t> uniform;
  for (int64_t axis = 0; axis < result.getRank(); ++axis)
    uniform.insert(axis);
  for (int64_t axis = 0; axis < source.getRank(); ++axis)
    if (source.getShape()[axis] != 1 && !padding.uniform.contains(axis))
      uniform.erase(move(axis));
  padding.uniform = std::move(uniform);
  if (TypedAttr element = getElement(padding.value))
    padding.value = makeSplat(result, element);
  known[op->getResult(0)] = std::move(padding);
}

/// Returns the axes that are padded in any operand. An axis is left out if
/// another operand has different elements along it and no padding, since that
/// operand may be a mask of the program.
Padding PaddingWalk::combineOperands(Operation *op) {
  Padding padding;
  TileType type = dyn_cast<TileType>(op->getResult(0).getType());
  int64_t rank = type ? type.getRank() : 0;
  for (int64_t axis = 0; axis < rank; ++axis) {
    std::optional<PaddedAxis> padded;
    bool isMasked = false, isUniform = true;
    for (Value operand : op->getOperands()) {
      bool isSplat = !isa<TileType>(operand.getType()) ||
                     matchPattern(operand, m_Constant()) ||
                     isa_and_nonnull<FillOp>(operand.getDefiningOp());
      const Padding &of = known.lookup(operand);
      const auto *own = llvm::find_if(
          of.axes, [&](const PaddedAxis &a) { return a.axis == axis; });
      bool isPadded = own != of.axes.end();
      if (isPadded && !padded)
        padded = *own;
      bool operandIsUniform = isSplat || of.uniform.contains(axis);
      isUniform &= operandIsUniform;
      isMasked |= !isPadded && !operandIsUniform;
    }
    if (padded && !isMasked)
      padding.axes.push_back(*padded);
    if (isUniform)
      padding.uniform.insert(axis);
  }
  return padding;
}

/// Returns the value that the padded elements of the result of `op` have, as a
/// splat; null if it is not known.
Attribute PaddingWalk::fold(Operation *op) {
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Attribute value;
    if (!matchPattern(operand, m_Constant(&value)))
      value = known.lookup(operand).value;
    operands.push_back(value);
  }
  if (isa<arith::MulFOp>(op) && llvm::any_of(operands, isZero))
    return *llvm::find_if(operands, isZero); // assuming finite operands
  // Folding may change the operation in place, so a copy is folded.
  Operation *copy = op->clone();
  llvm::scope_exit destroy([&] { copy->destroy(); });
  SmallVector<OpFoldResult> results;
  if (failed(copy->fold(operands, results)) || results.empty())
    return {};
  if (auto attribute = dyn_cast<Attribute>(results.front()))
    return attribute;
  return known.lookup(cast<Value>(results.front())).value;
}

/// Whether an operation selects between two operands by bools.
static bool choosesByMask(Operation *op) {
  return op->getNumOperands() == 3 &&
         getElementTypeOrSelf(op->getOperand(0)).isInteger(1);
}

void PaddingWalk::visitElementwise(Operation *op) {
  if (op->getNumResults() == 0)
    return;
  visitAverage(op);
  Padding padding = combineOperands(op);
  if (choosesByMask(op) && !known.lookup(op->getOperand(0)).value)
    padding.axes.clear(); // the program chooses
  if (op->getNumRegions() == 0 && !padding.axes.empty())
    padding.value = fold(op);
  // An element of a sum, or its conversion, is still that sum.
  if (isa<ExtractOp, CastOp, arith::ExtFOp, arith::TruncFOp>(op)) {
    const Padding source = known.lookup(op->getOperand(0));
    padding.summed = source.summed;
    padding.summedElements = source.summedElements;
  }
  for (Value result : op->getResults())
    known[result] = padding;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static StringRef getResultName(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::add:
    return "the sum";
  case ReduceKind::mul:
    return "the product";
  case ReduceKind::max:
  case ReduceKind::umax:
    return "the maximum";
  case ReduceKind::min:
  case ReduceKind::umin:
    return "the minimum";
  default:
    return "the reduction";
  }
}

/// Whether padding with this value does not change the result of the reduction.
static bool isHarmless(ReduceOp reduce, Attribute padding) {
  TypedAttr element = getElement(padding);
  if (!element)
    return false;
  ReduceKind kind = *reduce.getKind();
  if (kind == ReduceKind::add || kind == ReduceKind::bit_or ||
      kind == ReduceKind::bit_xor || kind == ReduceKind::umax)
    return isZero(padding);
  if (kind == ReduceKind::max && isZero(padding) &&
      isNonNegative(reduce.getSources().front()))
    return true;
  Builder builder(reduce.getContext());
  return element == getIdentity(builder, kind, element.getType());
}

static std::string describeAxes(std::optional<int64_t> axis) {
  return axis ? " along axis " + std::to_string(*axis)
              : std::string(" of all elements");
}

/// Returns the padded axes that a reduction along `axis`, or of all axes,
/// includes.
static SmallVector<PaddedAxis> takeReduced(const Padding &padding,
                                           std::optional<int64_t> axis) {
  return llvm::filter_to_vector(padding.axes, [&](const PaddedAxis &padded) {
    return !axis || padded.axis == *axis;
  });
}

void PaddingWalk::visitReduce(ReduceOp reduce) {
  if (!reduce.getKind())
    return;
  Value source = reduce.getSources().front();
  std::optional<int64_t> axis = reduce.getAxis();
  const Padding of = known.lookup(source);
  SmallVector<PaddedAxis> reduced = takeReduced(of, axis);
  ReduceKind kind = *reduce.getKind();
  if (!reduced.empty() && !isHarmless(reduce, of.value))
    report(reduce, reduced, getResultName(kind) + describeAxes(axis),
           isZero(of.value) ? "give the load a pad that changes nothing"
                            : "mask the elements that are computed of them");
  Padding padding;
  ArrayRef<int64_t> shape = getTile(source).getShape();
  for (PaddedAxis padded : of.axes)
    if (axis && padded.axis != *axis) {
      if (!reduce.getKeep() && padded.axis > *axis)
        --padded.axis;
      padding.axes.push_back(padded);
    }
  // The sum, the maximum and the minimum of a row of zeros are zero.
  if (isZero(of.value))
    padding.value =
        makeSplat(getTile(reduce.getResult(0)), getElement(of.value));
  if (kind == ReduceKind::add && !reduced.empty()) {
    padding.summed = reduced;
    padding.summedElements = 1;
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (!axis || int64_t(dim) == *axis)
        padding.summedElements *= extent;
  }
  known[reduce.getResult(0)] = std::move(padding);
}

/// Reports an operation that orders the elements of its first operand along an
/// axis, if the axis is padded.
void PaddingWalk::visitOrder(Operation *op) {
  auto attribute = op->getAttrOfType<IntegerAttr>("axis");
  std::optional<int64_t> axis;
  if (attribute)
    axis = attribute.getInt();
  SmallVector<PaddedAxis> reduced =
      takeReduced(known.lookup(op->getOperand(0)), axis);
  if (!reduced.empty())
    report(op, reduced, "the order" + describeAxes(axis),
           "give the load a pad that belongs at the end");
}

/// Reports a division of a sum by the number of elements that were summed, or
/// the equivalent multiplication: the elements that were summed include those
/// outside of the array.
void PaddingWalk::visitAverage(Operation *op) {
  bool divides = isa<arith::DivFOp>(op);
  if (!divides && !isa<arith::MulFOp>(op))
    return;
  const Padding of = known.lookup(op->getOperand(0));
  std::optional<double> by = getConstantFloat(op->getOperand(1));
  if (of.summed.empty() || !by)
    return;
  double count = of.summedElements;
  if (divides ? *by == count : std::abs(*by * count - 1) < 1e-3)
    report(op, of.summed,
           "the average over " + Twine(of.summedElements) + " elements",
           "divide by the number of elements inside");
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

void PaddingWalk::report(Operation *op, ArrayRef<PaddedAxis> axes,
                         const Twine &result, StringRef advice) {
  std::string text = result.str();
  for (const PaddedAxis &padded : axes)
    if (!reportedLoads.contains(padded.load))
      found.push_back({op, padded.load, padded.argument, padded.dimension,
                       padded.extent, text, advice.str()});
  for (const PaddedAxis &padded : axes)
    reportedLoads.insert(padded.load);
}

SmallVector<PaddedReduction> tile::findPaddedReductions(KernelOp kernel) {
  return PaddingWalk(kernel).run();
}

static std::string getArgumentName(KernelOp kernel, unsigned argument) {
  auto name = kernel.getArgAttrOfType<StringAttr>(argument, kArgumentNameAttr);
  return name ? "'" + name.str() + "'" : "argument " + std::to_string(argument);
}

static std::string describe(const PaddedReduction &found) {
  auto kernel = found.op->getParentOfType<KernelOp>();
  return found.result +
         " includes the zeros that a load reads beyond the end of " +
         getArgumentName(kernel, found.argument) +
         ", where the size of its dimension " +
         std::to_string(found.dimension) + " is no multiple of " +
         std::to_string(found.extent) + ": " + found.advice;
}

void tile::warn(const PaddedReduction &found) {
  found.op->emitWarning(describe(found)).attachNote(found.load->getLoc())
      << "the load is here";
}
