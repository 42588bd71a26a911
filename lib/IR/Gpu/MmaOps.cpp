// MmaOps.cpp - asynchronous matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Verify.h"

#include "tile/IR/Gpu/TileGpu.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

/// Maximum number of groups that a wait may leave in flight.
static constexpr int64_t kMaxInFlight = 63;

LogicalResult MmaAsyncOp::verify() {
  if (failed(verifyMatmul(*this)))
    return failure();
  // C6
  if (!getTiling().getAtom() || !getTiling().getWarps() ||
      !getTiling().getSub())
    return emitOpError() << "expected a tiling with 'atom', 'warps' and 'sub', "
                            "got "
                         << getTiling();
  auto instruction =
      dyn_cast<MatrixInstructionAttrInterface>(getTiling().getAtom());
  if (instruction && !instruction.isAsynchronous())
    return emitOpError() << "expected an asynchronous instruction, got "
                         << instruction;
  // C7
  auto lhs = dyn_cast<TileType>(getLhs().getType());
  return lhs ? verifyInRegisters(*this, lhs) : success();
}

/// Reports a write in addition to the reads of the operands: each operation
/// starts an MMA that its token identifies, so that CSE must not merge equal
/// operations.
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

StringRef WarpgroupMmaOp::getElementName() {
  return getElement().isF32()                  ? "tf32"
         : getElement().isF16()                ? "f16"
         : getElement().isBF16()               ? "bf16"
         : isa<Float8E4M3FNType>(getElement()) ? "e4m3"
                                               : "e5m2";
}

LogicalResult WarpgroupMmaOp::verify() {
  // C1
  constexpr size_t kMaxAccumulators = 128, kStep = 4;
  size_t count = getAcc().size();
  if (count == 0 || count > kMaxAccumulators || count % kStep != 0)
    return emitOpError()
           << "expected 4 to 128 accumulators, a multiple of 4, got " << count;
  // C2
  Type element = getElement();
  if (!hasHalves() && !element.isF32() &&
      !isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return emitOpError()
           << "expected elements of f32, f16, bf16, f8E4M3FN or f8E5M2, got "
           << element;
  if (getTransposed() && !hasHalves())
    return emitOpError() << "expected K contiguous for elements that are not "
                            "of 16 bits, got 'transposed' of "
                         << element;
  return success();
}
