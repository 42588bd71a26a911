// WarpgroupMmaToPTX.cpp - tile_gpu.warpgroup_mma as inline assembly
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/WarpgroupMmaToPTX.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tile;

/// Returns a list of operands such as "{$4, $5}".
static std::string list(int64_t first, int64_t count) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(llvm::seq(first, first + count), stream,
                        [&](int64_t operand) { stream << "$" << operand; });
  return "{" + text + "}";
}

/// Returns the instruction. Its operands are numbered in this order: the
/// accumulators as results, the accumulators as operands, the registers of lhs,
/// the descriptor of rhs.
static std::string getText(tile_gpu::WarpgroupMmaOp op) {
  int64_t count = op.getAcc().size(), lhs = 2 * count;
  std::string type = op.getElementName().str();
  // scale-d is a predicate; imm-scale-a and imm-scale-b are 1.
  std::string text = "{\n.reg .pred p;\nsetp.ne.b32 p, " +
                     std::string(op.getFromZero() ? "0" : "1") + ", 0;\n" +
                     "wgmma.mma_async.sync.aligned.m64n" +
                     std::to_string(op.getColumns()) + "k" +
                     std::to_string(op.getK()) + ".f32." + type + "." + type +
                     " " + list(0, count) + ", " + list(lhs, 4) + ", $" +
                     std::to_string(lhs + 4) + ", p, 1, 1";
  if (op.hasHalves())
    text += op.getTransposed() ? ", 1" : ", 0";
  return text + ";\n}\n";
}

static std::string getConstraints(tile_gpu::WarpgroupMmaOp op) {
  std::string text;
  for (size_t i = 0; i < op.getAcc().size(); ++i)
    text += "=f,";
  for (size_t i = 0; i < op.getAcc().size(); ++i)
    text += std::to_string(i) + ",";
  return text + "r,r,r,r,l";
}

namespace {
struct EmitWarpgroupMma : OpRewritePattern<tile_gpu::WarpgroupMmaOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tile_gpu::WarpgroupMmaOp op,
                                PatternRewriter &rewriter) const override {
    MLIRContext *context = op.getContext();
    auto type = LLVM::LLVMStructType::getLiteral(
        context, llvm::to_vector(op.getResultTypes()));
    Value sum =
        LLVM::InlineAsmOp::create(
            rewriter, op.getLoc(), type, op.getOperands(), getText(op),
            getConstraints(op), /*has_side_effects=*/true,
            /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
            LLVM::AsmDialectAttr::get(context, LLVM::AsmDialect::AD_ATT),
            /*operand_attrs=*/ArrayAttr())
            .getRes();
    SmallVector<Value> results;
    for (size_t i = 0; i < op->getNumResults(); ++i)
      results.push_back(
          LLVM::ExtractValueOp::create(rewriter, op.getLoc(), sum, i));
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void tile::populateWarpgroupMmaToPTXPatterns(RewritePatternSet &patterns) {
  patterns.add<EmitWarpgroupMma>(patterns.getContext());
}
