// EvaluateMemory.cpp - boxes of loaded, sliced, padded and joined tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices, pads and joins of tensors are not copied: a box of their result is
// computed from boxes of their sources, at other offsets.

#include "Evaluator.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

static bool areLast(ArrayRef<unsigned> dims, int64_t rank) {
  for (auto [index, dim] : llvm::enumerate(dims))
    if (int64_t(dim) != rank - int64_t(dims.size()) + int64_t(index))
      return false;
  return true;
}

Value Evaluator::buildLoad(Value tensor, const Box &box, Value pad) {
  Location loc = tensor.getLoc();
  Value array = kernel.getArray(tensor);
  if (llvm::any_of(
          box, [](const BoxDim &dim) { return dim.size > 1 && dim.step != 1; }))
    return buildSteppedLoad(loc, array, box, pad);
  SmallVector<Value> offsets =
      llvm::map_to_vector(box, [](const BoxDim &dim) { return dim.offset; });
  if (offsets.empty())
    offsets.push_back(kernel.getIndex(int64_t(0)));
  SmallVector<unsigned> dims = getSizedDims(box);
  SmallVector<int64_t> arrayDims(dims.begin(), dims.end());
  Type element = getElementTypeOrSelf(array.getType());
  auto load =
      LoadOp::create(builder, loc, TileType::get(getShape(box), element), array,
                     offsets, pad, /*inBounds=*/false);
  if (!areLast(dims, int64_t(offsets.size())))
    load.setDims(arrayDims);
  return load;
}

/// Loads a box by indices along the dimensions in which elements are left out.
Value Evaluator::buildSteppedLoad(Location loc, Value array, const Box &box,
                                  Value pad) {
  SmallVector<unsigned> dims = getSizedDims(box);
  SmallVector<int64_t> shape = getShape(box);
  SmallVector<Value> offsets, indices;
  SmallVector<int64_t> axes;
  for (const BoxDim &dim : box)
    offsets.push_back(dim.offset);
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    const BoxDim &part = box[dim];
    if (part.step == 1)
      continue;
    SmallVector<int64_t> extents(shape.size(), 1);
    extents[axis] = part.size;
    Type i32 = builder.getI32Type();
    Value index = IotaOp::create(builder, loc, TileType::get(extents, i32),
                                 axis, Value(), Value());
    Value step =
        splat(loc, extents, builder.getI32IntegerAttr(int32_t(part.step)));
    indices.push_back(arith::MulIOp::create(builder, loc, index, step));
    axes.push_back(dim);
  }
  SmallVector<int64_t> arrayDims(dims.begin(), dims.end());
  Type element = getElementTypeOrSelf(array.getType());
  DenseI64ArrayAttr ofTile = areLast(dims, int64_t(box.size()))
                                 ? DenseI64ArrayAttr()
                                 : builder.getDenseI64ArrayAttr(arrayDims);
  return GatherOp::create(builder, loc, TileType::get(shape, element), array,
                          offsets, indices, /*axis=*/IntegerAttr(),
                          builder.getDenseI64ArrayAttr(axes), /*mask=*/Value(),
                          pad, /*in_bounds=*/UnitAttr(), ofTile);
}

//===----------------------------------------------------------------------===//
// Parts and joins
//===----------------------------------------------------------------------===//

/// Returns the scalar with which a pad surrounds its source.
static Value getPadding(tensor::PadOp op) {
  return op.getConstantPaddingValue();
}

Value Evaluator::buildPad(tensor::PadOp op, const Box &box) {
  Box inner(box);
  for (auto [dim, low] : llvm::zip_equal(inner, op.getMixedLowPad()))
    dim.offset = kernel.subtract(dim.offset, kernel.getIndex(low));
  Value pad = kernel.getScalar(getPadding(op));
  Value source = op.getSource();
  if (grouping.isLoaded(source, groupIndex))
    return buildLoad(source, inner,
                     matchPattern(pad, m_AnyZeroFloat()) ? Value() : pad);
  Value tile = evaluate(source, inner);
  for (unsigned dim = 0; dim < box.size(); ++dim)
    tile =
        keepInside(op.getLoc(), tile, inner, dim, getExtent(source, dim), pad);
  return tile;
}

Value Evaluator::buildSlice(tensor::ExtractSliceOp op, const Box &box) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  Box inner;
  unsigned next = 0;
  for (unsigned dim = 0; dim < offsets.size(); ++dim) {
    Value begin = kernel.getIndex(offsets[dim]);
    if (dropped.test(dim)) {
      inner.push_back({begin});
      continue;
    }
    const BoxDim &part = box[next++];
    int64_t stride = *getConstantIntValue(strides[dim]);
    inner.push_back({kernel.add(kernel.multiply(part.offset, stride), begin),
                     part.size, part.step * stride});
  }
  return evaluate(op.getSource(), inner);
}

/// Returns the positions, in a box's tile, of the dimensions that are not
/// `dropped`.
static SmallVector<int64_t> getKept(const Box &box,
                                    const llvm::SmallBitVector &dropped) {
  SmallVector<int64_t> kept;
  for (auto [position, dim] : llvm::enumerate(getSizedDims(box)))
    if (!dropped.test(dim))
      kept.push_back(int64_t(position));
  return kept;
}

/// Returns the source's elements in the inserted slice, and the destination's
/// elements elsewhere.
Value Evaluator::buildInsertion(tensor::InsertSliceOp op, const Box &box) {
  Location loc = op.getLoc();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets();
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  Box whole, inner;
  for (auto [dim, part] : llvm::enumerate(box)) {
    Value begin = kernel.getIndex(offsets[dim]);
    whole.push_back(
        {kernel.subtract(part.offset, begin), part.size, part.step});
    if (!dropped.test(dim))
      inner.push_back(whole.back());
  }
  Value rest = evaluate(op.getDest(), box);
  Value tile = broadcast(loc, evaluate(op.getSource(), inner), getShape(box),
                         getKept(box, dropped));
  // An element is taken from the source if it is inside the slice along each
  // dimension, otherwise from the destination.
  for (unsigned dim = 0; dim < box.size(); ++dim) {
    if (hasAll(op, dim))
      continue;
    if (Value inside = getInside(loc, whole, dim, kernel.getIndex(sizes[dim])))
      tile = SelectOp::create(builder, loc, inside, tile, rest);
  }
  return tile;
}

/// Builds a reshape that adds or drops dimensions of extent one and keeps the
/// order of the others. If a pad reads the result, the box may exceed an extent
/// of one; the values of the elements outside do not matter.
Value Evaluator::buildUnitReshape(Operation *op, const Box &box) {
  auto from = ::cast<RankedTensorType>(op->getResult(0).getType());
  auto to = ::cast<RankedTensorType>(op->getOperand(0).getType());
  Box kept, inner;
  llvm::SmallBitVector units(box.size());
  for (auto [dim, part] : llvm::enumerate(box)) {
    units[dim] = from.getDimSize(dim) == 1;
    if (!units[dim])
      kept.push_back(part);
  }
  unsigned next = 0;
  for (int64_t extent : to.getShape())
    inner.push_back(extent == 1 ? BoxDim{kernel.getIndex(int64_t(0))}
                                : kept[next++]);
  return broadcast(op->getLoc(), evaluate(op->getOperand(0), inner),
                   getShape(box), getKept(box, units));
}

bool Evaluator::isZeroOutside(Value tensor) {
  if (grouping.isLoaded(tensor, groupIndex))
    return true;
  if (auto pad = tensor.getDefiningOp<tensor::PadOp>())
    return matchPattern(getPadding(pad), m_AnyZeroFloat()) &&
           isZeroOutside(pad.getSource());
  auto copy = tensor.getDefiningOp<linalg::GenericOp>();
  return copy && !getGroup().contains(tensor) && isCopy(copy) &&
         copy.getIndexingMapsArray().front().isPermutation() &&
         isZeroOutside(copy.getDpsInputs().front());
}
