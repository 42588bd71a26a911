// ProductOps.cpp - matrix products in flight
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

using namespace mlir;
using namespace tile;

/// The most groups that an instruction may leave in flight.
static constexpr int64_t kMaxInFlight = 63;

bool tile::isAsyncProduct(Operation *op) {
  auto product = dyn_cast<ProductOpInterface>(op);
  return product && product.isAsync();
}

LogicalResult MmaAsyncOp::verify() {
  if (failed(verifyProduct(*this)))
    return failure();
  // C6
  if (getResult().getType().getRank() != 2)
    return emitOpError() << "expected 'acc' of rank 2, got rank "
                         << getResult().getType().getRank();
  if (!getTiling().getAtom() || !getTiling().getWarps() ||
      !getTiling().getSub())
    return emitOpError() << "expected a tiling with 'atom', 'warps' and 'sub', "
                            "got "
                         << getTiling();
  // C7
  auto lhs = dyn_cast<TileType>(getLhs().getType());
  return lhs ? verifyInRegisters(*this, lhs) : success();
}

/// The token's product begins, too: two are not one.
void MmaAsyncOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addOperandReads(*this, effects);
  effects.emplace_back(MemoryEffects::Write::get(),
                       SideEffects::DefaultResource::get());
}

LogicalResult MmaWaitOp::verify() {
  // C1
  auto inFlight = static_cast<int64_t>(getInFlight());
  if (inFlight < 0 || inFlight > kMaxInFlight)
    return emitOpError() << "expected 'in_flight' of 0 to " << kMaxInFlight
                         << ", got " << inFlight;
  // C2
  if (getValues().getTypes() != getResultTypes())
    return emitOpError("expected a result of the type of each value");
  for (Value value : getValues())
    if (failed(verifyInRegisters(*this, cast<TileType>(value.getType()))))
      return failure();
  return success();
}
