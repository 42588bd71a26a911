// ShapeLayouts.cpp - layouts around rearrangements of a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/ConvertLayout.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

std::optional<RegisterLayout>
TransposeOp::inferResultLayout(const RegisterLayout &source) {
  return source.transpose(getPermutation().vec());
}

std::optional<RegisterLayout>
TransposeOp::inferSourceLayout(const RegisterLayout &result) {
  SmallVector<int64_t> inverse = invertPermutationVector(getPermutation());
  return result.transpose({inverse.begin(), inverse.end()});
}

void TransposeOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  setResult(getOperation()->getResult(0),
            *inferResultLayout(getRegisterLayout(getSource())), wanted[0]);
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

std::optional<RegisterLayout>
BroadcastOp::inferSourceLayout(const RegisterLayout &result) {
  return broadcastSource(result, getSource().getType().getShape(),
                         getType().getShape());
}

void BroadcastOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  OpBuilder builder(*this);
  RegisterLayout needed =
      *inferSourceLayout(wanted[0].getRegister().getRegisterLayout());
  getSourceMutable().assign(convertTo(builder, getLoc(), getSource(), needed));
}

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

bool ReshapeOp::followsSource() { return true; }

std::optional<RegisterLayout>
ReshapeOp::inferResultLayout(const RegisterLayout &source) {
  return reshapeLayout(source, getSource().getType().getShape(),
                       getType().getShape());
}

std::optional<RegisterLayout>
ReshapeOp::inferSourceLayout(const RegisterLayout &result) {
  return reshapeLayout(result, getType().getShape(),
                       getSource().getType().getShape());
}

void ReshapeOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  if (std::optional<RegisterLayout> made =
          inferResultLayout(getRegisterLayout(getSource())))
    return setResult(getOperation()->getResult(0), *made, wanted[0]);
  // The tile passes through shared memory, where the address gives row-major
  // order.
  convertToShared(getSourceMutable());
  setSharedResult(*this, wanted[0]);
}

//===----------------------------------------------------------------------===//
// PutOp
//===----------------------------------------------------------------------===//

/// Writes the elements into a copy of the tile.
void PutOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  convertToShared(getDestMutable());
  setSharedResult(*this, wanted[0]);
}

SmallVector<SmallVector<Value>> PutOp::getLayoutGroups() {
  return {{getMask(), getValues()}};
}
