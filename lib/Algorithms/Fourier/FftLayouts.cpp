// FftLayouts.cpp - layouts, buffers and cost of passes of a Fourier transform
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FftLayouts.h"
#include "../Models.h"

#include "tile/IR/ConvertLayout.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

namespace {
struct PassLayouts
    : LayoutOpInterface::ExternalModel<PassLayouts, PartialFftOp> {
  std::optional<RegisterLayout> getRequiredLayout(Operation *op, Value,
                                                  int64_t numWarps) const {
    auto pass = cast<PartialFftOp>(op);
    return getPassLayout(pass.getType().getShape(), pass.getThreads(),
                         numWarps);
  }
};

struct PassCost : CostOpInterface::ExternalModel<PassCost, PartialFftOp> {
  /// Counts additions, multiplications by constants, and the multiplication by
  /// a twiddle factor, which is loaded. A radix above 16, which is prime, has
  /// two sums of radix / 2 terms for each element.
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    constexpr int64_t kTwiddle = 8, kStage = 4;
    int64_t radix = cast<PartialFftOp>(op).getType().getDimSize(1);
    int64_t sums = radix > 16 ? 2 * radix : kStage * llvm::Log2_64_Ceil(radix);
    return elements * (kTwiddle + sums);
  }
};
} // namespace

/// Bytes that a warp reads from shared memory in one wavefront.
static constexpr int64_t kWavefrontBytes = 128;

int64_t ColumnOrder::countWavefronts(int64_t pitch) const {
  int64_t lanes = kWavefrontBytes / elementBytes, wavefronts = 0;
  int64_t nextColumns = radix * columns / nextRadix;
  for (int64_t first = 0; first < nextColumns; first += lanes) {
    SmallVector<int64_t> elements(lanes, 0); // of each bank
    for (int64_t column = first; column < std::min(first + lanes, nextColumns);
         ++column) {
      int64_t block = column / (stride * radix);
      int64_t row = column / stride % radix;
      int64_t offset = row * pitch + block * stride + column % stride;
      ++elements[offset % lanes];
    }
    wavefronts += *llvm::max_element(elements);
  }
  return wavefronts;
}

int64_t ColumnOrder::choosePitch() const {
  int64_t best = columns;
  for (int64_t pitch = columns;
       pitch < columns + kWavefrontBytes / elementBytes; ++pitch)
    if (countWavefronts(pitch) < countWavefronts(best))
      best = pitch;
  return best;
}

/// Adds a leading dimension of extent one to a tile. Its shape then differs
/// from the buffer's, and a tile that is stored to a buffer of another shape is
/// there in the order of its own elements, whatever the buffer's layout.
static Value addDimension(OpBuilder &builder, Value tile) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), 1);
  RegisterLayout layout = getRegisterLayout(tile).insertDimension(0);
  return ReshapeOp::create(
      builder, tile.getLoc(),
      TileType::get(shape, type.getElementType())
          .withStorage(RegisterAttr::get(type.getContext(), layout)),
      tile);
}

namespace {
struct OrderBuffers
    : BufferizeOpInterface::ExternalModel<OrderBuffers, OrderFftOp> {
  /// Returns the layout of a buffer in which element (q, c, a) of the rows is
  /// at index q * pitch + c * s + a. Dimension r' of the result indexes the
  /// slowest part of c; the dimension of columns indexes a, q and the rest of
  /// c.
  SharedAttr getSharedLayout(Operation *op) const {
    auto order = cast<OrderFftOp>(op);
    TileType from = order.getSource().getType(), to = order.getType();
    int64_t radix = from.getDimSize(1), columns = from.getDimSize(2);
    int64_t columnStride = order.getPlaces(), next = to.getDimSize(1);
    int64_t blocks = columns / columnStride / next; // of a column of the result
    int64_t pitch = ColumnOrder{radix, columns, columnStride, next,
                                static_cast<int64_t>(
                                    getElementBytes(from.getElementType()))}
                        .choosePitch();
    IntTuple shape({IntTuple(to.getDimSize(0)), IntTuple(next),
                    IntTuple({IntTuple(columnStride), IntTuple(radix),
                              IntTuple(blocks)})});
    IntTuple stride(
        {IntTuple(radix * pitch), IntTuple(blocks * columnStride),
         IntTuple({IntTuple(1), IntTuple(pitch), IntTuple(columnStride)})});
    return SharedAttr::get(
        op->getContext(),
        LayoutAttr::get(op->getContext(), *Layout::get(shape, stride)),
        SwizzleAttr(), /*alignment=*/16);
  }

  void bufferize(Operation *op, Bufferizer &bufferizer) const {
    auto order = cast<OrderFftOp>(op);
    Location loc = op->getLoc();
    Value buffer = bufferizer.createBuffer(loc, order.getType());
    bufferizer.store(loc, addDimension(bufferizer.builder, order.getSource()),
                     buffer);
    bufferizer.setBuffer(order, buffer);
  }
};
} // namespace

void tile::addPasses(MLIRContext &context) {
  PartialFftOp::attachInterface<PassLayouts, PassCost>(context);
  OrderFftOp::attachInterface<OrderBuffers>(context);
}
