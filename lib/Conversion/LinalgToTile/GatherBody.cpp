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
  Value value = pad.getConstantPaddingValue();
  return matchPattern(value, m_AnyZeroFloat()) ? Value()
                                               : kernel.getScalar(value);
}

/// Returns an index as its value before arith.index_cast, if that value is a
/// tile: indices of 32 bits take half of the registers.
BodyBuilder::Part BodyBuilder::getIndexPart(Value index) {
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  if (cast && cast->getBlock() == op.getBody())
    if (Part part = getPart(cast.getIn()); part.isTile)
      return part;
  return getPart(index);
}

BodyBuilder::Part BodyBuilder::makeGather(tensor::ExtractOp extract) {
  GatherOperands operands = findGatherOperands(extract);
  Type element = extract.getType();
  Value array = evaluator.getKernel().getArray(getExtracted(extract).get());
  Value pad = takePad(extract, operands.offsets);
  SmallVector<int64_t> shape = getShape(operands.axes);
  if (operands.indices.empty()) {
    auto load = LoadOp::create(builder, loc, TileType::get(shape, element),
                               array, operands.offsets, pad, false);
    if (!operands.dims.empty())
      load.setDims(operands.dims);
    return {load, operands.axes, true};
  }
  if (!operands.isBox)
    shape = {ShapedType::getNumElements(shape)};
  Value gathered = GatherOp::create(
      builder, loc, TileType::get(shape, element), array, operands.offsets,
      operands.indices, /*axis=*/IntegerAttr(),
      builder.getDenseI64ArrayAttr(operands.indexed), /*mask=*/Value(), pad,
      /*in_bounds=*/UnitAttr(), builder.getDenseI64ArrayAttr(operands.dims));
  return {evaluator.reshape(loc, gathered, getShape(operands.axes)),
          operands.axes, true};
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

BodyBuilder::GatherOperands
BodyBuilder::findGatherOperands(tensor::ExtractOp extract) {
  KernelBuilder &kernel = evaluator.getKernel();
  GatherOperands operands;
  SmallVector<int64_t> ofAxis(sized.size(), -1);
  SmallVector<Part> computed;
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    Part part = getIndexPart(index);
    llvm::append_range(operands.axes, part.axes);
    auto loop = index.getDefiningOp<linalg::IndexOp>();
    bool isLoop = part.isTile && loop && loops[loop.getDim()].step == 1 &&
                  ofAxis[part.axes[0]] < 0;
    if (isLoop)
      ofAxis[part.axes[0]] = int64_t(dim);
    if (isLoop || !part.isTile) {
      operands.offsets.push_back(isLoop ? loops[loop.getDim()].offset
                                        : part.value);
      continue;
    }
    operands.offsets.push_back(kernel.getIndex(int64_t(0)));
    operands.indexed.push_back(int64_t(dim));
    computed.push_back(part);
  }
  if (operands.offsets.empty())
    operands.offsets.push_back(kernel.getIndex(int64_t(0)));
  llvm::sort(operands.axes);
  operands.axes.erase(llvm::unique(operands.axes), operands.axes.end());
  assignDims(operands.axes, ofAxis, operands.indexed, operands.dims);
  operands.isBox = operands.dims.size() == operands.axes.size();
  if (!operands.isBox)
    return findOperandsOfElements(extract, std::move(operands));
  for (const Part &part : computed) {
    SmallVector<int64_t> extents;
    for (unsigned axis : operands.axes)
      extents.push_back(
          llvm::is_contained(part.axes, axis) ? loops[sized[axis]].size : 1);
    operands.indices.push_back(evaluator.reshape(loc, part.value, extents));
  }
  return operands;
}

/// Handles a tile that has more dimensions than can be assigned to dimensions
/// of the array: its elements are read as one row, each by its own indices.
BodyBuilder::GatherOperands
BodyBuilder::findOperandsOfElements(tensor::ExtractOp extract,
                                    GatherOperands operands) {
  int64_t elements = ShapedType::getNumElements(getShape(operands.axes));
  operands.indexed.clear();
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    Part part = getIndexPart(index);
    if (!part.isTile)
      continue;
    operands.offsets[dim] = evaluator.getKernel().getIndex(int64_t(0));
    operands.indices.push_back(
        evaluator.reshape(loc, spread(part, operands.axes), {elements}));
    operands.indexed.push_back(int64_t(dim));
  }
  operands.dims = {operands.indexed.back()};
  return operands;
}
