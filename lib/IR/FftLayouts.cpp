// FftLayouts.cpp - layouts, buffers and cost of passes of a Fourier transform
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FftPlan.h"

#include "tile/IR/ConvertLayout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

std::optional<RegisterLayout>
PartialFftOp::getRequiredLayout(Value, int64_t numWarps) {
  return getPassLayout(getType().getShape(), getThreads(), numWarps);
}

/// Additions, multiplications by constants and by a twiddle factor, which is
/// loaded. A prime radix takes two sums of half as many products for each
/// element.
int64_t PartialFftOp::getInstructions(int64_t elements, int64_t) {
  constexpr int64_t kTwiddle = 8, kStage = 4;
  int64_t radix = getType().getDimSize(1);
  int64_t sums = radix > 16 ? 2 * radix : kStage * llvm::Log2_64_Ceil(radix);
  return elements * (kTwiddle + sums);
}

Placement OrderFftOp::getResultPlacement() { return Placement::shared; }

/// Of rows with element (q, c, a) at q columns + c s + a: dimension r' of the
/// result takes the slowest part of c, the columns the places, r, and the rest.
SharedAttr OrderFftOp::getSharedLayout() {
  TileType from = getSource().getType(), to = getType();
  int64_t radix = from.getDimSize(1), columns = from.getDimSize(2);
  int64_t places = getPlaces(), next = to.getDimSize(1);
  int64_t blocks = columns / places / next; // of a column of the result
  IntTuple shape(
      {IntTuple(to.getDimSize(0)), IntTuple(next),
       IntTuple({IntTuple(places), IntTuple(radix), IntTuple(blocks)})});
  IntTuple stride(
      {IntTuple(radix * columns), IntTuple(blocks * places),
       IntTuple({IntTuple(1), IntTuple(columns), IntTuple(places)})});
  return SharedAttr::get(
      getContext(), LayoutAttr::get(getContext(), *Layout::get(shape, stride)),
      SwizzleAttr(), /*alignment=*/16);
}

/// The tile with a dimension of one more: what is stored to a buffer of another
/// shape lies there in the tile's order, whatever the buffer's layout.
static Value addDimension(OpBuilder &builder, Value tile) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  RegisterLayout layout =
      getRegisterLayout(tile).insertDimension(type.getRank());
  return ReshapeOp::create(
      builder, tile.getLoc(),
      TileType::get(shape, type.getElementType())
          .withStorage(RegisterAttr::get(type.getContext(), layout)),
      tile);
}

void OrderFftOp::bufferize(Bufferizer &bufferizer) {
  Value buffer = bufferizer.createBuffer(getLoc(), getType());
  bufferizer.store(getLoc(), addDimension(bufferizer.builder, getSource()),
                   buffer);
  bufferizer.setBuffer(*this, buffer);
}
