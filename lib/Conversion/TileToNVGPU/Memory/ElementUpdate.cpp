// ElementUpdate.cpp - an atomic update of one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates are LLVM's atomicrmw: if a GPU lacks the instruction, LLVM's code
// generation emits a loop of compare-exchange. LLVM 22 emits the instruction
// without order and scope, for which PTX has the defaults relaxed and gpu (PTX
// ISA, "atom"). For system scope this file emits the loop itself.

#include "ElementUpdate.h"

#include "AtomicOrder.h"

#include "tile/Conversion/AtomicUpdate.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tile;

static constexpr auto kRelaxed = LLVM::AtomicOrdering::monotonic;

/// @pre the kind is not compare_exchange.
static LLVM::AtomicBinOp getBinOp(AtomicKind kind, Type element) {
  using Op = LLVM::AtomicBinOp;
  bool isFloat = isa<FloatType>(element);
  switch (kind) {
  case AtomicKind::add:
    return isFloat ? Op::fadd : Op::add;
  case AtomicKind::min:
    return isFloat ? Op::fminimum : Op::min;
  case AtomicKind::max:
    return isFloat ? Op::fmaximum : Op::max;
  case AtomicKind::umin:
    return Op::umin;
  case AtomicKind::umax:
    return Op::umax;
  case AtomicKind::bit_and:
    return Op::_and;
  case AtomicKind::bit_or:
    return Op::_or;
  case AtomicKind::bit_xor:
    return Op::_xor;
  case AtomicKind::exchange:
    return Op::xchg;
  case AtomicKind::compare_exchange:
    break;
  }
  llvm_unreachable("a compare-exchange is another operation");
}

Value ElementUpdate::emitInstruction(Value pointer, Value value, Type element) {
  return LLVM::AtomicRMWOp::create(builder, loc, getBinOp(kind, element),
                                   pointer, value, kRelaxed,
                                   getScopeName(scope));
}

Value ElementUpdate::emit(Value pointer, Value value, Value expected) {
  Type element = value.getType();
  UpdateOrder order = {getScopeName(scope), kRelaxed};
  if (expected)
    return buildCompareExchange(builder, loc, pointer, expected, value, order);
  if (scope == AtomicScope::system)
    return buildUpdateLoop(builder, loc, pointer, element, order,
                           [&](OpBuilder &nested, Value old) {
                             return buildUpdate(nested, loc, kind, old, value);
                           });
  if (!element.isIndex())
    return emitInstruction(pointer, value, element);
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
  return arith::IndexCastOp::create(builder, loc, element,
                                    emitInstruction(pointer, integer, element));
}
