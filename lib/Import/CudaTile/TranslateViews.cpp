// TranslateViews.cpp - views of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArrayView.h"
#include "Codes.h"
#include "Pointers.h"
#include "ViewAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

/// Appends the integers of an operand as indices. Fails if there is another
/// value, or not one for each extent or stride that is open.
static LogicalResult appendOpen(KernelTranslator &t, const SourceOp &op,
                                StringRef operand, ArrayRef<int64_t> extents,
                                SmallVector<Value> &indices) {
  ArrayRef<SourceValue *> values = op.getOperands(operand);
  for (const SourceValue *source : values) {
    Value value = t.getValue(source);
    if (!value || !isa<IntegerType>(value.getType()))
      return failure();
    indices.push_back(t.toIndex(value));
  }
  return success(size_t(llvm::count(extents, kDynamic)) == values.size());
}

/// Returns the array at the address of a pointer, of a view that no parameter
/// describes. Null after an error.
static Value makeArrayAt(KernelTranslator &t, const SourceOp &op,
                         const Meaning &base, const SourceType &type) {
  if (!getPointee(t, op, op.getOperand("base")->type))
    return {};
  auto open = [](ArrayRef<int64_t> extents) {
    return llvm::map_to_vector(extents, [](int64_t extent) {
      return extent == kDynamic ? ShapedType::kDynamic : extent;
    });
  };
  SmallVector<Value> sizes, strides;
  if (failed(appendOpen(t, op, "shape", type.shape, sizes)) ||
      failed(appendOpen(t, op, "strides", type.strides, strides))) {
    (void)t.refuse(op, "expected an integer for each extent and stride that "
                       "the type leaves open");
    return {};
  }
  auto array =
      MemRefType::get(open(type.shape), t.convertElement(type.element),
                      StridedLayoutAttr::get(t.b.getContext(),
                                             /*offset=*/0, open(type.strides)));
  return ArrayAtOp::create(t.b, array,
                           getAddresses(t, base, op.getOperand("base")->type),
                           sizes, strides);
}

/// Returns the array of a view; null after an error.
static Value makeArray(KernelTranslator &t, const SourceOp &op,
                       const Meaning &base, const SourceType &type) {
  if (!base.base)
    return makeArrayAt(t, op, base, type);
  ArrayView view(t, op, base);
  if (!view.findStarts(base.offset))
    return makeArrayAt(t, op, base, type);
  if (failed(view.findSizes()))
    return {};
  return view.create(t.getArray(base.base, view.getArrayType()));
}

static LogicalResult makeTensorView(KernelTranslator &t, const SourceOp &op) {
  Meaning base = t.get(op.getOperand("base"));
  const SourceType *type = op.results.front()->type;
  if (type->tag != TypeTag::tensorView)
    return t.refuse(op, "expected a tensor view as result");
  if (!base.isPointer() || !op.getOperand("base")->type->shape.empty())
    return t.refuse(op, "expected one pointer as base");
  if (hasHalfBytes(type->element) || !t.convertElement(type->element))
    return t.refuse(op, "expected elements of at least 8 bits");
  constexpr size_t kMostDims = 8; // of an array of a kernel
  if (type->shape.empty() || type->shape.size() > kMostDims)
    return t.refuse(op, "expected an array of 1 to 8 dimensions");
  Meaning meaning;
  meaning.array = makeArray(t, op, base, *type);
  if (!meaning.array)
    return failure();
  meaning.view = type;
  t.set(op.results.front(), meaning);
  return success();
}

/// Whether a view cuts an array into tiles that have its dimensions, in any
/// order.
static bool isOfDims(const SourceType &view, int64_t rank) {
  auto isDim = [&](int64_t dim) { return dim >= 0 && dim < rank; };
  if (view.shape.size() != size_t(rank) || !llvm::all_of(view.dims, isDim))
    return false;
  if (view.tag == TypeTag::gatherScatterView)
    return view.dims.size() == 1;
  llvm::SmallDenseSet<int64_t> dims(view.dims.begin(), view.dims.end());
  return dims.size() == size_t(rank) && (view.tag != TypeTag::stridedView ||
                                         view.strides.size() == size_t(rank));
}

/// Makes a view of tiles: a partition, strided or gather and scatter view.
static LogicalResult makeView(KernelTranslator &t, const SourceOp &op) {
  Meaning meaning = t.get(op.getOperand("source"));
  const SourceType *view = op.results.front()->type;
  bool isView =
      llvm::is_contained({TypeTag::partitionView, TypeTag::stridedView,
                          TypeTag::gatherScatterView},
                         view->tag);
  if (!meaning.view || meaning.view->tag != TypeTag::tensorView || !isView)
    return t.refuse(op, "expected a view of tiles of a tensor view");
  if (!isOfDims(*view, cast<MemRefType>(meaning.array.getType()).getRank()) ||
      !isTile(view->shape))
    return t.refuse(op, "expected tiles with the dimensions of the array, of "
                        "fewer than 2^31 elements");
  bool isPadded = view->padding && *view->padding != Padding::zero;
  if (isPadded && isCoded(view->element->element))
    return t.refuse(op, "expected elements of a type with a padding value");
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

/// Returns the number of elements between the tiles of a view along one of its
/// dimensions.
static int64_t getStep(const SourceType &view, size_t dim) {
  return view.tag == TypeTag::stridedView ? view.strides[dim] : view.shape[dim];
}

/// Counts the tiles of a view along each of its dimensions.
static LogicalResult getIndexSpace(KernelTranslator &t, const SourceOp &op) {
  Meaning meaning = t.get(op.getOperand("source"));
  const SourceType *view = meaning.view;
  bool isCut = view && (view->tag == TypeTag::partitionView ||
                        view->tag == TypeTag::stridedView);
  if (!isCut || op.results.size() != view->shape.size())
    return t.refuse(op, "expected a result for each dimension of a partition "
                        "or strided view");
  for (auto [dim, result] : llvm::enumerate(op.results)) {
    Value extent = memref::DimOp::create(t.b, meaning.array, view->dims[dim]);
    Value step = arith::ConstantIndexOp::create(t.b, getStep(*view, dim));
    Value count = arith::CeilDivUIOp::create(t.b, extent, step);
    t.set(result, {t.fromIndex(count, t.convert(result->type))});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
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

/// Whether the program promises that a tile is inside of its array along all
/// of its dimensions.
static bool isInBounds(const SourceOp &op, size_t rank) {
  ArrayRef<int64_t> promises = op.getAttribute("in_bounds").integers;
  return promises.size() == rank &&
         llvm::all_of(promises, [](int64_t value) { return value != 0; });
}

/// Sets the offsets of a tile of a partition or strided view: multiples of its
/// steps.
static LogicalResult setOffsets(KernelTranslator &t, const SourceOp &op,
                                const SourceType &view, ViewAccess &access) {
  access.offsets.resize(view.shape.size());
  for (auto [dim, index] : llvm::enumerate(op.getOperands("index"))) {
    Value value = t.getValue(index);
    if (!value || !isa<IntegerType>(value.getType()))
      return t.refuse(op, "expected an integer for each dimension");
    access.offsets[view.dims[dim]] = t.scale(index, getStep(view, dim));
  }
  if (!llvm::is_sorted(view.dims))
    access.dims = t.b.getDenseI64ArrayAttr(view.dims);
  return success();
}

/// Sets the indices of a gather and scatter view: elements, not multiples of
/// the tile's extents.
static LogicalResult setPlaces(KernelTranslator &t, const SourceOp &op,
                               const SourceType &view, ViewAccess &access) {
  access.axis = view.dims.front();
  for (auto [dim, index] : llvm::enumerate(op.getOperands("index"))) {
    bool isAxis = int64_t(dim) == *access.axis;
    SmallVector<int64_t> places(isAxis ? 1 : 0, view.shape[dim]);
    Value value = t.getValue(index);
    if (!value || ArrayRef(index->type->shape) != ArrayRef(places) ||
        !isa<IntegerType>(getElementTypeOrSelf(value)))
      return t.refuse(op, "expected a tile of indices along the dimension of "
                          "the gather, and an integer along the others");
    if (!isAxis) {
      access.offsets.push_back(t.toIndex(value));
      continue;
    }
    SmallVector<int64_t> shape(view.shape.size(), 1);
    shape[dim] = view.shape[dim];
    access.places = t.reshape(value, shape);
    access.offsets.push_back(arith::ConstantIndexOp::create(t.b, 0));
  }
  return success();
}

std::optional<ViewAccess> tile::cudatile::getViewAccess(KernelTranslator &t,
                                                        const SourceOp &op) {
  Meaning meaning = t.get(op.getOperand("view"));
  const SourceType *view = meaning.view;
  if (!view || view->tag == TypeTag::tensorView ||
      op.getOperands("index").size() != view->shape.size()) {
    (void)t.refuse(op, "expected an index for each dimension of a view of "
                       "tiles");
    return std::nullopt;
  }
  ViewAccess access;
  access.array = meaning.array;
  access.shape = view->shape;
  access.isInBounds = isInBounds(op, view->shape.size());
  bool isGather = view->tag == TypeTag::gatherScatterView;
  if (failed((isGather ? setPlaces : setOffsets)(t, op, *view, access)))
    return std::nullopt;
  access.pad = createPad(
      t, view, cast<MemRefType>(access.array.getType()).getElementType());
  return access;
}

void tile::cudatile::addViews(Handlers &handlers) {
  handlers["get_index_space_shape"] = {getIndexSpace, true};
  handlers["get_tensor_shape"] = {getTensorShape, true};
  handlers["make_gather_scatter_view"] = {makeView, true, true};
  handlers["make_partition_view"] = {makeView, true, true};
  handlers["make_strided_view"] = {makeView, true, true};
  handlers["make_tensor_view"] = {makeTensorView, true, true};
}
