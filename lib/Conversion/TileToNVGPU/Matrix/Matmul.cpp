// Matmul.cpp - matmul of tiles by synchronous instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction's family emits the matmul (MatmulEmitters.h).

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "MatmulEmitters.h"

#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/SharedAccess.h"
#include "tile/IR/Participants.h"

using namespace mlir;
using namespace tile;

namespace {

struct ConvertMatmul : LoweringPattern<MatmulOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(MatmulOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyInstruction(op, lowering.architecture)))
      return failure();
    Tiling tiling = getTiling(op);
    for (int operand : {0, 1})
      if (failed(verifyOperand(op, operand, tiling)))
        return failure();
    TileType type = op.getType();
    EmittedMatmul matmul{op, tiling, adaptor.getLhs(), adaptor.getRhs(),
                         unpack(rewriter, op.getLoc(), type, adaptor.getAcc())};
    auto emit = tiling.instruction.hasFragments() ? emitMma : emitFma;
    SmallVector<Value> result =
        emit(rewriter, std::move(matmul), lowering.architecture);
    replaceWithPacks(rewriter, op, {pack(rewriter, op.getLoc(), type, result)});
    return success();
  }

private:
  /// Verifies that the architecture has the instruction, and that the matmul is
  /// not asynchronous. There are emitters for `mma` and `fma`.
  static LogicalResult verifyInstruction(MatmulOp op,
                                         const Architecture &architecture) {
    if (!hasCompleteTiling(op))
      return op.emitError(
          "expected a complete tiling (run -tile-warp-tiling before)");
    MatrixInstructionAttrInterface instruction = getInstruction(op);
    if (instruction.isAsynchronous())
      return op.emitError("expected a product in flight, as its instruction is "
                          "that of a warpgroup (run -tile-issue-matmuls "
                          "before)");
    if (!isa<MmaAttr, FmaAttr>(instruction) || !isOn(instruction, architecture))
      return op.emitError("expected an instruction of ")
             << architecture.name << ", got '"
             << instruction.getInstructionName() << "'";
    return success();
  }

  static bool isHeldAs(TileType type, RegisterAttr expected) {
    RegisterAttr registers = type.getRegister();
    return registers && registers.isResolved() &&
           registers.getRegisterLayout().isEquivalent(
               expected.getRegisterLayout());
  }

  /// Verifies that an operand is in a buffer, or in registers as the
  /// instructions take it.
  static LogicalResult verifyOperand(MatmulOp op, int operand,
                                     const Tiling &tiling) {
    auto type = dyn_cast<TileType>(op->getOperand(operand).getType());
    if (!type)
      return success();
    int64_t k = op.getK(), rank = type.getRank();
    RegisterAttr fragments;
    if (tiling.operands == OperandSource::global) {
      for (int64_t contiguous : {rank - 2, rank - 1})
        if (isHeldAs(type,
                     RegisterAttr::get(
                         op.getContext(),
                         getOperandPlan(
                             tiling, operand, getOperandBox(tiling, operand, k),
                             contiguous, getElementBytes(type.getElementType()),
                             getParticipants(op).numWarps)
                             .layout)))
          return success();
    } else if (tiling.instruction.hasFragments()) {
      fragments = RegisterAttr::get(
          op.getContext(),
          getFragmentLayout(tiling, operand, k, getParticipants(op).numWarps));
      if (isHeldAs(type, fragments))
        return success();
    }
    InFlightDiagnostic error = op.emitError("expected ")
                               << (operand == 0 ? "lhs" : "rhs")
                               << " in a buffer (run -tile-bufferize before)";
    if (fragments)
      error << " or in " << fragments << " (the fragments of "
            << tiling.instruction.getInstructionName() << ")";
    return error << ", got " << type;
  }
};

} // namespace

void tile::populateMatmulPatterns(TypeConverter &types,
                                  RewritePatternSet &patterns,
                                  const LoweringContext &context) {
  patterns.add<ConvertMatmul>(types, patterns.getContext(), context);
}
