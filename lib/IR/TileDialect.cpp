// TileDialect.cpp - registration, constants, bytecode version, inlining
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CombiningOps.h"
#include "Dialect/Promises.h"
#include "Dialect/VersionedBytecode.h"
#include "Gpu/OldSpellings.h"
#include "OptionalWord.h"
#include "SortOps.h"
#include "UpstreamHints.h"
#include "Verify.h"

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Decisions.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/CompilationInterfaces.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace tile;

#include "tile/IR/TileDialect.cpp.inc"

#include "tile/IR/TileInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "tile/IR/TileOps.cpp.inc"

bool tile::isComposite(Operation *op) {
  auto composite = dyn_cast<DecomposeOpInterface>(op);
  return composite && composite.isComposite();
}

LogicalResult tile::verifyLimits(Operation *op) {
  auto limited = dyn_cast<LimitOpInterface>(op);
  return limited ? limited.verifyLimits() : success();
}

namespace {

/// Upgrades programs of earlier versions.
struct TileBytecode : VersionedBytecode<TileDialect> {
  using VersionedBytecode::VersionedBytecode;

  /// Upgrades operations: up to version 5 the mark of a load that runs ahead
  /// was an integer; up to version 4 the operations of tile_gpu belonged to
  /// this dialect; up to version 2 a store had no mask, and no segment sizes.
  LogicalResult
  upgradeFromVersion(Operation *top,
                     const DialectVersion &version) const override {
    uint64_t number = static_cast<const BytecodeVersion &>(version).number;
    if (number <= 5)
      top->walk(upgradeCopyMark);
    if (number <= 4)
      top->walk(upgradeOldSpelling);
    if (number > 2)
      return success();
    top->walk([](StoreOp store) {
      int32_t offsets = store->getNumOperands() - 2;
      store.getProperties().operandSegmentSizes = {1, 1, offsets, 0};
    });
    return success();
  }
};

/// Prints the records of a kernel before the module, so that the line of the
/// kernel stays short.
struct RecordAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list || list.empty())
      return AliasResult::NoAlias;
    if (isListOfDecisions(list))
      os << "decisions";
    else if (isListOfStorages(list))
      os << "storages";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};

/// Allows functions on tiles, and the tile operations in them, to be inlined
/// into kernels.
struct TileInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable,
                       bool wouldBeCloned) const override {
    return !isa<KernelOp>(callable);
  }
  bool isLegalToInline(Region *dest, Region *src, bool wouldBeCloned,
                       IRMapping &mapping) const override {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *dest, bool wouldBeCloned,
                       IRMapping &mapping) const override {
    return true;
  }
};

/// Rewrites (a - b) - a to 0 - b for tiles of integers. Upstream's pattern
/// creates a zero for integers, vectors and tensors only, and aborts for other
/// types (MLIR 22.1.8, SubISubILHSRHSLHS).
struct SubtractOwnMinuend : OpRewritePattern<arith::SubIOp> {
  explicit SubtractOwnMinuend(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/16) {}

  LogicalResult matchAndRewrite(arith::SubIOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<TileType>(op.getType());
    auto inner = op.getLhs().getDefiningOp<arith::SubIOp>();
    if (!type || !inner || inner.getLhs() != op.getRhs())
      return failure();
    auto zero = DenseElementsAttr::get(
        cast<ShapedType>(Type(type)),
        rewriter.getIntegerAttr(type.getElementType(), 0));
    rewriter.replaceOpWithNewOp<arith::SubIOp>(
        op,
        arith::ConstantOp::create(rewriter, op.getLoc(), cast<TypedAttr>(zero)),
        inner.getRhs());
    return success();
  }
};

} // namespace

bool TileDialect::readsUpTo(DialectBytecodeReader &reader, uint64_t version) {
  FailureOr<const DialectVersion *> read =
      reader.getDialectVersion<TileDialect>();
  return succeeded(read) &&
         static_cast<const BytecodeVersion *>(*read)->number <= version;
}

void TileDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<SubtractOwnMinuend>(patterns.getContext());
}

using Operations = OperationList<
#define GET_OP_LIST
#include "tile/IR/TileOps.cpp.inc"
    >;

void TileDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tile/IR/TileOps.cpp.inc"
      >();
  addOldSpellings(*this);
  addInterfaces<RecordAliases, TileBytecode, TileInliner>();
  visitPromises(Operations(), [&](auto interface, auto op) {
    declarePromisedInterface<decltype(interface), decltype(op)>();
  });
  declarePromisedInterface<gpu::TargetAttrInterface, GpuTargetAttr>();
  addUpstreamHints(getContext()->getDiagEngine());
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
