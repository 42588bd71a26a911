// OldSpellings.cpp - earlier forms of the operations of tile_gpu and of copies
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OldSpellings.h"

#include "tile/IR/Gpu/TileGpu.h"

using namespace mlir;
using namespace tile;

/// Returns the name that an operation of tile_gpu had in the tile dialect.
template <typename Op>
static StringRef getOldName() {
  static const std::string name =
      ("tile." + Op::getOperationName().split('.').second).str();
  return name;
}

namespace tile_gpu {

/// An operation of the class `Op`, under its old name.
template <typename Op>
struct OldSpelling : Op {
  using Op::Op;

  static StringRef getOperationName() { return getOldName<Op>(); }

  static bool classof(Operation *op) {
    return op->getName().getTypeID() == TypeID::get<OldSpelling<Op>>();
  }

  /// Parses the operation under its new name.
  static ParseResult parse(OpAsmParser &parser, OperationState &state) {
    MLIRContext *context = parser.getContext();
    context->getOrLoadDialect<TileGpuDialect>();
    state.name = OperationName(Op::getOperationName(), context);
    return Op::parse(parser, state);
  }

  static LogicalResult
  verifyInherentAttrs(OperationName name, NamedAttrList &attributes,
                      llvm::function_ref<InFlightDiagnostic()> emitError) {
    MLIRContext *context = name.getContext();
    context->getOrLoadDialect<TileGpuDialect>();
    return Op::verifyInherentAttrs(
        OperationName(Op::getOperationName(), context), attributes, emitError);
  }

  /// Refuses the generic form, which no parser of an operation renames.
  static OperationName::VerifyInvariantsFn getVerifyInvariantsFn() {
    return [](Operation *op) -> LogicalResult {
      return op->emitOpError("expected the new name of the operation, '")
             << Op::getOperationName() << "', in the generic form";
    };
  }
};

} // namespace tile_gpu

namespace {
template <typename... Ops>
struct OldSpellings {
  static void add(TileDialect &dialect) {
    (RegisteredOperationName::insert<tile_gpu::OldSpelling<Ops>>(dialect), ...);
  }
  /// Returns the new name for an old one; nothing for another operation.
  static std::optional<StringRef> findNewName(StringRef name) {
    std::optional<StringRef> found;
    ((name == getOldName<Ops>() ? void(found = Ops::getOperationName())
                                : void()),
     ...);
    return found;
  }
};
} // namespace

using All = OldSpellings<
#define GET_OP_LIST
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"
    >;

void tile::upgradeCopyMark(Operation *op) {
  if (!op->hasAttr("tile.stage"))
    return;
  MLIRContext *context = op->getContext();
  context->getOrLoadDialect<tile_gpu::TileGpuDialect>();
  op->removeAttr("tile.stage");
  auto load = dyn_cast<CopyableOpInterface>(op);
  if (!load)
    return;
  Attribute mechanism = tile_gpu::ThroughRegistersAttr::get(context);
  if (load.getTileType().getShared())
    mechanism = tile_gpu::CpAsyncAttr::get(context);
  op->setAttr(kCopyAttr, mechanism);
}

void tile::upgradeCopyMechanism(Operation *op) {
  auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(op);
  if (copy && isa_and_present<UnitAttr>(copy.getCopyMechanismAttr()))
    copy.setCopyMechanismAttr(tile_gpu::CoverRowsAttr::get(op->getContext()));
}

void tile::addOldSpellings(TileDialect &dialect) { All::add(dialect); }

bool tile::isOldSpelling(OperationName name) {
  return name.getDialectNamespace() == TileDialect::getDialectNamespace() &&
         All::findNewName(name.getStringRef());
}

void tile::upgradeOldSpelling(Operation *op) {
  if (!isOldSpelling(op->getName()))
    return;
  op->getContext()->getOrLoadDialect<tile_gpu::TileGpuDialect>();
  OpBuilder builder(op);
  OperationState state(op->getLoc(),
                       *All::findNewName(op->getName().getStringRef()),
                       op->getOperands(), op->getResultTypes(),
                       llvm::to_vector(op->getDiscardableAttrs()));
  Operation *renamed = builder.create(state);
  renamed->copyProperties(op->getPropertiesStorage());
  upgradeCopyMechanism(renamed);
  op->replaceAllUsesWith(renamed);
  op->erase();
}
