// GatherBody.cpp - tensor.extract in a body, as tile.load or tile.gather
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `tensor.extract` in a body reads, for example, rows of a table. A dimension
// whose index is the index of a loop becomes a dimension of the tile, so that
// adjacent elements are read together. The other dimensions are gathered by
// indices.

#include "BodyBuilder.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

/// Returns the padding value of the tensor that `extract` reads; null if it is
/// zero, or if the tensor is not padded. Converts `offsets` in a padded tensor
/// to offsets in the tensor before padding.
Value BodyBuilder::takePad(tensor::ExtractOp extract,
                           SmallVectorImpl<Value> &offsets) {
  auto pad = dyn_cast<tensor::PadOp>(getExtracted(extract).getOwner());
  if (!pad)
    return {};
  KernelBuilder &kernel = evaluator.getKernel();
  for (auto [offset, low] : llvm::zip(offsets, pad.getMixedLowPad()))
    offset = kernel.subtract(offset, kernel.getIndex(low));
  Value number = pad.getConstantPaddingValue();
  return matchPattern(number, m_AnyZeroFloat()) ? Value()
                                                : kernel.getScalar(number);
}

/// Returns an index as its value before arith.index_cast, if that value is a
/// tile: indices of 32 bits take half of the registers.
BodyBuilder::Part BodyBuilder::getPlace(Value index) {
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  if (cast && cast->getBlock() == op.getBody())
    if (Part part = getPart(cast.getIn()); part.isTile)
      return part;
  return getPart(index);
}

BodyBuilder::Part BodyBuilder::makeGather(tensor::ExtractOp extract) {
  Places places = findPlaces(extract);
  Type element = extract.getType();
  Value array = evaluator.getKernel().getArray(getExtracted(extract).get());
  Value pad = takePad(extract, places.offsets);
  SmallVector<int64_t> shape = getShape(places.axes);
  if (places.indices.empty()) {
    auto load = LoadOp::create(builder, loc, TileType::get(shape, element),
                               array, places.offsets, pad, false);
    if (!places.dims.empty())
      load.setDims(places.dims);
    return {load, places.axes, true};
  }
  if (!places.isBox)
    shape = {ShapedType::getNumElements(shape)};
  Value gathered = GatherOp::create(
      builder, loc, TileType::get(shape, element), array, places.offsets,
      places.indices, /*axis=*/IntegerAttr(),
      builder.getDenseI64ArrayAttr(places.indexed), /*mask=*/Value(), pad,
      /*in_bounds=*/UnitAttr(), builder.getDenseI64ArrayAttr(places.dims));
  return {evaluator.reshape(loc, gathered, getShape(places.axes)), places.axes,
          true};
}

/// Assigns a dimension of the array to each dimension of the tile: the array's
/// dimension that the same loop indexes or, if there is none, the next one with
/// computed indices.
static void assignDims(ArrayRef<unsigned> axes, ArrayRef<int64_t> ofAxis,
                       SmallVector<int64_t> indexed,
                       SmallVectorImpl<int64_t> &dims) {
  for (unsigned axis : axes) {
    if (ofAxis[axis] >= 0) {
      dims.push_back(ofAxis[axis]);
    } else if (!indexed.empty()) {
      dims.push_back(indexed.front());
      indexed.erase(indexed.begin());
    }
  }
}

BodyBuilder::Places BodyBuilder::findPlaces(tensor::ExtractOp extract) {
  KernelBuilder &kernel = evaluator.getKernel();
  Places places;
  SmallVector<int64_t> ofAxis(sized.size(), -1);
  SmallVector<Part> computed;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    Part part = getPlace(index);
    llvm::append_range(places.axes, part.axes);
    auto loop = index.getDefiningOp<linalg::IndexOp>();
    bool isLoop = part.isTile && loop && loops[loop.getDim()].step == 1 &&
                  ofAxis[part.axes[0]] < 0;
    if (isLoop)
      ofAxis[part.axes[0]] = int64_t(dim);
    if (isLoop || !part.isTile) {
      places.offsets.push_back(isLoop ? loops[loop.getDim()].offset
                                      : part.value);
      continue;
    }
    places.offsets.push_back(kernel.getIndex(int64_t(0)));
    places.indexed.push_back(int64_t(dim));
    computed.push_back(part);
  }
  if (places.offsets.empty())
    places.offsets.push_back(kernel.getIndex(int64_t(0)));
  llvm::sort(places.axes);
  places.axes.erase(llvm::unique(places.axes), places.axes.end());
  assignDims(places.axes, ofAxis, places.indexed, places.dims);
  places.isBox = places.dims.size() == places.axes.size();
  if (!places.isBox)
    return findPlacesOfElements(extract, std::move(places));
  for (const Part &part : computed) {
    SmallVector<int64_t> extents;
    for (unsigned axis : places.axes)
      extents.push_back(
          llvm::is_contained(part.axes, axis) ? loops[sized[axis]].size : 1);
    places.indices.push_back(evaluator.reshape(loc, part.value, extents));
  }
  return places;
}

/// Handles a tile that has more dimensions than can be assigned to dimensions
/// of the array: its elements are read as one row, each by its own indices.
BodyBuilder::Places BodyBuilder::findPlacesOfElements(tensor::ExtractOp extract,
                                                      Places places) {
  int64_t elements = ShapedType::getNumElements(getShape(places.axes));
  places.indexed.clear();
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    Part part = getPlace(index);
    if (!part.isTile)
      continue;
    places.offsets[dim] = evaluator.getKernel().getIndex(int64_t(0));
    places.indices.push_back(
        evaluator.reshape(loc, spread(part, places.axes), {elements}));
    places.indexed.push_back(int64_t(dim));
  }
  places.dims = {places.indexed.back()};
  return places;
}
