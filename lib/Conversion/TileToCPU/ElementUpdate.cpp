// ElementUpdate.cpp - atomic accesses to one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks run concurrently. An update is a loop around a compare-exchange.

#include "Element.h"
#include "Patterns.h"

#include "tile/Conversion/AtomicUpdate.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

/// The strongest order that a program can request.
static constexpr UpdateOrder kOrder = {"", LLVM::AtomicOrdering::acq_rel};

static Value getPointer(ImplicitLocOpBuilder &b, Value array,
                        ValueRange coordinates, int64_t bytes) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, array);
  Value offset = metadata.getOffset();
  for (auto [at, stride] : llvm::zip(coordinates, metadata.getStrides()))
    offset =
        arith::AddIOp::create(b, offset, arith::MulIOp::create(b, at, stride));
  Value address = arith::AddIOp::create(
      b, memref::ExtractAlignedPointerAsIndexOp::create(b, array),
      arith::MulIOp::create(b, offset,
                            arith::ConstantIndexOp::create(b, bytes)));
  return LLVM::IntToPtrOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext()),
      arith::IndexCastOp::create(b, b.getI64Type(), address).getResult());
}

/// Combines two elements in the compute type; an exchange keeps all bits of
/// `value`.
static Value combine(OpBuilder &b, Location loc, AtomicKind kind, Type element,
                     Value old, Value value) {
  if (kind == AtomicKind::exchange)
    return value;
  Value result = buildUpdate(b, loc, kind, cpu::widen(b, loc, old, element),
                             cpu::widen(b, loc, value, element));
  return cpu::narrow(b, loc, result, element);
}

Value cpu::updateElement(ImplicitLocOpBuilder &b, AtomicKind kind, Type element,
                         Value array, ValueRange coordinates, Value value,
                         Value expected) {
  Location loc = b.getLoc();
  Value pointer = getPointer(b, array, coordinates, getElementBytes(element));
  if (expected)
    return buildCompareExchange(b, loc, pointer, expected, value, kOrder);
  return buildUpdateLoop(b, loc, pointer, value.getType(), kOrder,
                         [&](OpBuilder &nested, Value old) {
                           return combine(nested, loc, kind, element, old,
                                          value);
                         });
}

Value cpu::loadElement(ImplicitLocOpBuilder &b, Type element, Value array,
                       ValueRange coordinates) {
  Value pointer = getPointer(b, array, coordinates, getElementBytes(element));
  return buildAtomicLoad(b, b.getLoc(), pointer, cpu::getStorageType(element),
                         {"", LLVM::AtomicOrdering::acquire});
}

void cpu::storeElement(ImplicitLocOpBuilder &b, Type element, Value array,
                       ValueRange coordinates, Value value) {
  Value pointer = getPointer(b, array, coordinates, getElementBytes(element));
  buildAtomicStore(b, b.getLoc(), value, pointer,
                   {"", LLVM::AtomicOrdering::release});
}
