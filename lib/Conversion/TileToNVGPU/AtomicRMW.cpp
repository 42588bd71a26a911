// AtomicRMW.cpp - atomic updates of the elements of a box
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The owner of an element updates it, by LLVM's atomicrmw: where a GPU lacks
// the instruction, code generation makes a loop of compare-exchange. LLVM 22
// writes the instruction without order and scope, which then are those of its
// default, relaxed and gpu (PTX ISA, "atom"). So what an update orders is said
// by fences, and at system scope the loop is ours.

#include "BoxAccess.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/Conversion/AtomicUpdate.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

static constexpr auto kRelaxed = LLVM::AtomicOrdering::monotonic;

/// As NVPTX calls it.
static StringRef getScopeName(AtomicScope scope) {
  switch (scope) {
  case AtomicScope::block:
    return "block";
  case AtomicScope::gpu:
    return "device";
  case AtomicScope::system:
    return "";
  }
  llvm_unreachable("all scopes are listed");
}

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

namespace {
/// Updates of one operation's elements.
class ElementUpdate {
public:
  ElementUpdate(AtomicRMWOp op, OpBuilder &builder)
      : op(op), builder(builder), loc(op.getLoc()),
        element(cast<TileType>(op.getType()).getElementType()),
        bits(builder.getIntegerType(8 * getElementBytes(element))),
        scope(getScopeName(op.getScope())) {}

  /// Updates the element at a pointer; returns what was there. @p expected null
  /// but for compare_exchange.
  Value emit(Value pointer, Value value, Value expected) {
    if (expected)
      return fromBits(
          buildCompareExchange(builder, loc, pointer, toBits(builder, expected),
                               toBits(builder, value), {scope, kRelaxed}));
    if (op.getScope() == AtomicScope::system)
      return fromBits(buildUpdateLoop(
          builder, loc, pointer, bits, {scope, kRelaxed},
          [&](OpBuilder &nested, Value old) {
            return toBits(nested, buildUpdate(nested, loc, op.getKind(),
                                              fromBits(nested, old), value));
          }));
    Value updated = LLVM::AtomicRMWOp::create(
        builder, loc, getBinOp(op.getKind(), element), pointer,
        element.isIndex() ? toBits(builder, value) : value, kRelaxed, scope);
    return element.isIndex() ? fromBits(updated) : updated;
  }

  /// What a fence says for the block's other accesses.
  void fence() {
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel, scope);
  }

private:
  Value toBits(OpBuilder &at, Value value) {
    if (element.isIndex())
      return arith::IndexCastOp::create(at, loc, bits, value);
    return isa<FloatType>(element)
               ? arith::BitcastOp::create(at, loc, bits, value).getResult()
               : value;
  }
  Value fromBits(OpBuilder &at, Value value) {
    if (element.isIndex())
      return arith::IndexCastOp::create(at, loc, element, value);
    return isa<FloatType>(element)
               ? arith::BitcastOp::create(at, loc, element, value).getResult()
               : value;
  }
  Value fromBits(Value value) { return fromBits(builder, value); }

  AtomicRMWOp op;
  OpBuilder &builder;
  Location loc;
  Type element, bits;
  StringRef scope;
};

struct ConvertAtomicRMW : LoweringPattern<AtomicRMWOp> {
  using LoweringPattern::LoweringPattern;

  /// A release is that of the whole block: what all threads did before is
  /// behind a barrier, and the other way round.
  LogicalResult
  matchAndRewrite(AtomicRMWOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool releases = op.getOrder() == AtomicOrder::release ||
                    op.getOrder() == AtomicOrder::acq_rel;
    bool acquires = op.getOrder() == AtomicOrder::acquire ||
                    op.getOrder() == AtomicOrder::acq_rel;
    ElementUpdate update(op, rewriter);
    if (releases) {
      gpu::BarrierOp::create(rewriter, op.getLoc());
      update.fence();
    }
    SmallVector<Value> before = updateAll(op, adaptor, update, rewriter);
    if (acquires) {
      update.fence();
      gpu::BarrierOp::create(rewriter, op.getLoc());
    }
    if (op.use_empty())
      rewriter.eraseOp(op);
    else
      rewriter.replaceOpWithMultiple(
          op, {pack(rewriter, op.getLoc(), op.getType(), before)});
    return success();
  }

private:
  static SmallVector<Value> updateAll(AtomicRMWOp op, OneToNOpAdaptor adaptor,
                                      ElementUpdate &update,
                                      OpBuilder &builder) {
    Location loc = op.getLoc();
    TileType type = op.getType();
    IndexBuilder index(builder, loc);
    BoxAccess box(index, adaptor.getDest().front(), adaptor.getOffsets(), type,
                  /*width=*/1);
    Value isOwner = box.getCoordinates().isOwner();
    SmallVector<Value> values = unpack(builder, loc, type, adaptor.getValue());
    SmallVector<Value> expected(values.size()), before;
    if (op.getExpected())
      expected = unpack(builder, loc, type, adaptor.getExpected());
    for (auto [number, value, wanted] :
         llvm::zip(llvm::seq(values.size()), values, expected)) {
      SmallVector<Value> at = box.at(number);
      Value isInside =
          op.getInBounds()
              ? box.getCoordinates().isInside(number, type.getShape())
              : box.isInside(number, at);
      auto updateOne = [&]() -> Value {
        return update.emit(box.getPointer(at), value, wanted);
      };
      before.push_back(emitIf(index, index.both(isOwner, isInside),
                              type.getElementType(), updateOne));
    }
    return before;
  }

  /// What `emit` makes where the condition, null for always, holds; zero
  /// elsewhere.
  static Value emitIf(IndexBuilder &index, Value condition, Type type,
                      function_ref<Value()> emit) {
    if (!condition)
      return emit();
    auto branch =
        scf::IfOp::create(index.builder, index.loc, type, condition,
                          /*addThenBlock=*/true, /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(index.builder);
    index.builder.setInsertionPointToStart(branch.thenBlock());
    Value result = emit();
    scf::YieldOp::create(index.builder, index.loc, result);
    index.builder.setInsertionPointToStart(branch.elseBlock());
    Value zero = createZero(index.builder, index.loc, type);
    scf::YieldOp::create(index.builder, index.loc, zero);
    return branch.getResult(0);
  }
};
} // namespace

void tile::populateAtomicRMWPatterns(TypeConverter &types,
                                     RewritePatternSet &patterns,
                                     const LoweringContext &context) {
  patterns.add<ConvertAtomicRMW>(types, patterns.getContext(), context);
}
