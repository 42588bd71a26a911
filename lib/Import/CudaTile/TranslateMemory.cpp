// TranslateMemory.cpp - views, loads and stores of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Programs and views
//===----------------------------------------------------------------------===//

template <typename Op>
static LogicalResult translateAxes(KernelTranslator &t, const SourceOp &op) {
  constexpr Axis kAxes[] = {Axis::x, Axis::y, Axis::z};
  for (auto [result, axis] : llvm::zip_equal(op.results, kAxes))
    t.set(result, t.fromIndex(Op::create(t.b, axis), t.convert(result->type)));
  return success();
}

/// Returns the array of a tensor view; null if it has no translation.
static MemRefType convertView(KernelTranslator &t, const SourceType *view) {
  Type element = t.convertElement(view->element);
  if (!element)
    return {};
  auto convert = [](ArrayRef<int64_t> extents) {
    return llvm::map_to_vector(extents, [](int64_t extent) {
      return extent == kDynamic ? ShapedType::kDynamic : extent;
    });
  };
  auto layout = StridedLayoutAttr::get(t.b.getContext(), /*offset=*/0,
                                       convert(view->strides));
  return MemRefType::get(convert(view->shape), element, layout);
}

/// Whether the extents or strides of a view that its type leaves open are those
/// of the array: parameters from `first` on, one for each dimension.
static bool areParameters(KernelTranslator &t, ArrayRef<int64_t> extents,
                          ArrayRef<SourceValue *> values, unsigned first) {
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (extent != kDynamic)
      continue;
    Value own = values.empty() ? Value() : t.getValue(values.front());
    if (!own || t.findParameter(own) != first + dim)
      return false;
    values = values.drop_front();
  }
  return values.empty();
}

/// Verifies that a view is of a whole array: the parameters after its pointer
/// are the array's extents, and then its strides, as in cuTile's calling
/// convention.
static LogicalResult verifyWhole(KernelTranslator &t, const SourceOp &op,
                                 const SourceValue *base,
                                 const SourceType *view) {
  unsigned first = t.getParameter(base) + 1;
  if (areParameters(t, view->shape, op.getOperands("shape"), first) &&
      areParameters(t, view->strides, op.getOperands("strides"),
                    first + view->shape.size()))
    return success();
  return t.refuse(op,
                  "expected the extents and strides of a whole array, which "
                  "are the parameters after its pointer");
}

static LogicalResult makeTensorView(KernelTranslator &t, const SourceOp &op) {
  Meaning base = t.get(op.getOperand("base"));
  const SourceType *view = op.results.front()->type;
  if (view->tag != TypeTag::tensorView)
    return t.refuse(op, "expected a tensor view as result");
  if (!base.base || base.offset)
    return t.refuse(op, "expected a parameter of the entry as base, got a "
                        "pointer that is computed");
  if (failed(verifyWhole(t, op, base.base, view)))
    return failure();
  MemRefType type = convertView(t, view);
  if (!type)
    return t.refuse(op, "expected elements of at least 8 bits");
  Meaning meaning;
  meaning.array = t.getArray(base.base, type);
  meaning.view = view;
  t.set(op.results.front(), meaning);
  return success();
}

static LogicalResult makeView(KernelTranslator &t, const SourceOp &op) {
  Meaning meaning = t.get(op.getOperand("source"));
  const SourceType *view = op.results.front()->type;
  if (!meaning.view || view->tag != TypeTag::partitionView)
    return t.refuse(op, "expected a partition view of a tensor view");
  meaning.view = view;
  t.set(op.results.front(), meaning);
  return success();
}

static LogicalResult getTensorShape(KernelTranslator &t, const SourceOp &op) {
  Value array = t.get(op.getOperand("source")).array;
  if (!array ||
      op.results.size() != size_t(cast<MemRefType>(array.getType()).getRank()))
    return t.refuse(op, "expected a result for each dimension of a view");
  for (auto [dim, result] : llvm::enumerate(op.results))
    t.set(result, {t.fromIndex(memref::DimOp::create(t.b, array, dim),
                               t.convert(result->type))});
  return success();
}

/// Whether a value is a view whose tiles have as many dimensions as its array.
static bool isPartition(const Meaning &view) {
  if (!view.view || view.view->tag != TypeTag::partitionView)
    return false;
  int64_t rank = cast<MemRefType>(view.array.getType()).getRank();
  auto isDim = [&](int64_t dim) { return dim >= 0 && dim < rank; };
  return view.view->shape.size() == size_t(rank) &&
         view.view->dims.size() == size_t(rank) &&
         llvm::all_of(view.view->dims, isDim);
}

/// Counts the tiles of a view along each of its dimensions.
static LogicalResult getIndexSpace(KernelTranslator &t, const SourceOp &op) {
  Meaning view = t.get(op.getOperand("source"));
  if (!isPartition(view) || op.results.size() != view.view->shape.size())
    return t.refuse(op, "expected a result for each dimension of a partition "
                        "view");
  for (auto [dim, result] : llvm::enumerate(op.results)) {
    Value extent = memref::DimOp::create(t.b, view.array, view.view->dims[dim]);
    Value each = arith::ConstantIndexOp::create(t.b, view.view->shape[dim]);
    Value count = arith::CeilDivUIOp::create(t.b, extent, each);
    t.set(result, {t.fromIndex(count, t.convert(result->type))});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Returns the value of elements outside of the array; null for zero.
static Value createPad(KernelTranslator &t, const SourceType *view,
                       mlir::Type element) {
  if (!view->padding || *view->padding == Padding::zero)
    return {};
  auto type = dyn_cast<FloatType>(element);
  if (!type)
    return {};
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  auto value = [&] {
    switch (*view->padding) {
    case Padding::negativeZero:
      return APFloat::getZero(semantics, /*Negative=*/true);
    case Padding::nan:
      return APFloat::getNaN(semantics);
    case Padding::infinity:
      return APFloat::getInf(semantics);
    case Padding::negativeInfinity:
      return APFloat::getInf(semantics, /*Negative=*/true);
    case Padding::zero:
      break;
    }
    return APFloat::getZero(semantics);
  };
  return arith::ConstantOp::create(t.b, FloatAttr::get(type, value()));
}

namespace {
/// A box of an array, as operands of tile.load and tile.store.
struct Box {
  Value array;
  SmallVector<Value> offsets;
  /// The dimensions of the array, null if they are in order.
  DenseI64ArrayAttr dims;
};
} // namespace

/// Returns the box of a tile of a partition view; nothing after an error.
static std::optional<Box> getBox(KernelTranslator &t, const SourceOp &op) {
  Meaning view = t.get(op.getOperand("view"));
  ArrayRef<SourceValue *> indices = op.getOperands("index");
  if (!isPartition(view) || indices.empty() ||
      indices.size() != view.view->shape.size()) {
    (void)t.refuse(op, "expected an index for each dimension of a partition "
                       "view");
    return std::nullopt;
  }
  ArrayRef<int64_t> shape = view.view->shape, dims = view.view->dims;
  Box box{view.array, SmallVector<Value>(dims.size()), {}};
  for (auto [index, extent, dim] : llvm::zip_equal(indices, shape, dims)) {
    Value offset = t.scale(index, extent);
    if (!offset || box.offsets[dim]) {
      (void)t.refuse(op, "expected an integer for each dimension of the array");
      return std::nullopt;
    }
    box.offsets[dim] = offset;
  }
  if (!llvm::is_sorted(dims))
    box.dims = t.b.getDenseI64ArrayAttr(dims);
  return box;
}

/// Whether the program promises that a box is inside of its array.
static bool isInBounds(const SourceOp &op) {
  const SourceAttribute &attribute = op.getAttribute("in_bounds");
  return !attribute.integers.empty() &&
         llvm::all_of(attribute.integers, [](int64_t value) { return value; });
}

static UnitAttr getInBounds(KernelTranslator &t, const SourceOp &op) {
  return isInBounds(op) ? t.b.getUnitAttr() : UnitAttr();
}

/// Refuses an atomic access of a box whose dimensions are not in order.
static LogicalResult verifyAtomic(KernelTranslator &t, const SourceOp &op,
                                  const Box &box) {
  if (!box.dims)
    return success();
  return t.refuse(op, "in another order of dimensions than that of the array, "
                      "an access that is not weak has no translation yet");
}

static LogicalResult loadView(KernelTranslator &t, const SourceOp &op) {
  FailureOr<MemoryOrder> order = getMemoryOrder(t, op);
  std::optional<Box> box;
  if (failed(order) || !(box = getBox(t, op)))
    return failure();
  const SourceType *view = t.get(op.getOperand("view")).view;
  auto array = cast<MemRefType>(box->array.getType());
  Type type = t.convert(op.results.front()->type);
  if (op.results.front()->type->shape != view->shape)
    return t.refuse(op, "expected a result of the view's shape");
  Value pad = createPad(t, view, array.getElementType());
  if (order->isWeak) {
    t.setResult(op, LoadOp::create(t.b, type, box->array, box->offsets, pad,
                                   /*mask=*/Value(), getInBounds(t, op),
                                   box->dims));
    return success();
  }
  if (pad)
    return t.refuse(op, "with a padding other than zero, a load that is not "
                        "weak has no translation yet");
  if (failed(verifyAtomic(t, op, *box)))
    return failure();
  t.setResult(op,
              AtomicLoadOp::create(t.b, type, box->array, box->offsets,
                                   order->order, order->scope, isInBounds(op)));
  return success();
}

static LogicalResult storeView(KernelTranslator &t, const SourceOp &op) {
  FailureOr<MemoryOrder> order = getMemoryOrder(t, op);
  std::optional<Box> box;
  if (failed(order) || !(box = getBox(t, op)))
    return failure();
  const SourceType *view = t.get(op.getOperand("view")).view;
  Value value = t.getValue(op, "value");
  if (!value)
    return t.refuse(op, "expected a numeric tile");
  value = t.toTile(value, view->shape);
  if (order->isWeak) {
    StoreOp::create(t.b, value, box->array, box->offsets, /*mask=*/Value(),
                    getInBounds(t, op), box->dims);
    return success();
  }
  if (failed(verifyAtomic(t, op, *box)))
    return failure();
  AtomicStoreOp::create(t.b, value, box->array, box->offsets, order->order,
                        order->scope, isInBounds(op));
  return success();
}

/// The order of the program is one that tokens allow, and kernels of a stream
/// follow each other.
static LogicalResult dropToken(KernelTranslator &t, const SourceOp &op) {
  return success();
}

void tile::cudatile::addMemory(Handlers &handlers) {
  handlers["gdc_launch_dependents_tko"] = {dropToken, true};
  handlers["gdc_wait_tko"] = {dropToken, true};
  handlers["get_index_space_shape"] = {getIndexSpace, true};
  handlers["get_num_tile_blocks"] = {translateAxes<NumProgramsOp>, true};
  handlers["get_tensor_shape"] = {getTensorShape, true};
  handlers["get_tile_block_id"] = {translateAxes<ProgramIdOp>, true};
  handlers["join_tokens"] = {dropToken, true};
  handlers["load_view_tko"] = {loadView, true};
  handlers["make_partition_view"] = {makeView, true, true};
  handlers["make_tensor_view"] = {makeTensorView, true, true};
  handlers["make_token"] = {dropToken, true};
  handlers["store_view_tko"] = {storeView, true};
}
