// TileGpuDialect.cpp - registration and bytecode version of tile_gpu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OldSpellings.h"

#include "../Dialect/Promises.h"
#include "../Dialect/VersionedBytecode.h"
#include "../OptionalWord.h"
#include "../SortOps.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

#include "tile/IR/Gpu/TileGpuDialect.cpp.inc"

#include "tile/IR/Gpu/CopyMechanismInterface.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/IR/Gpu/TileGpuAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/IR/Gpu/TileGpuTypes.cpp.inc"

/// Parses a mechanism, as in `by(#tile_gpu.cover_rows)`, and, after `with`, its
/// further buffer. The parentheses separate it from a colon, after which a type
/// of the attribute would be parsed. Earlier versions have the words `covering`
/// and `ends` instead.
static ParseResult
parseCopyMechanism(OpAsmParser &parser, Attribute &mechanism,
                   std::optional<OpAsmParser::UnresolvedOperand> &extra,
                   Type &extraType) {
  if (succeeded(parser.parseOptionalKeyword("covering")))
    mechanism = CoverRowsAttr::get(parser.getContext());
  else if (succeeded(parser.parseOptionalKeyword("by")) &&
           (parser.parseLParen() || parser.parseAttribute(mechanism) ||
            parser.parseRParen()))
    return failure();
  if (failed(parser.parseOptionalKeyword("with")) &&
      failed(parser.parseOptionalKeyword("ends")))
    return success();
  return failure(parser.parseOperand(extra.emplace()) ||
                 parser.parseColonType(extraType));
}

static void printCopyMechanism(OpAsmPrinter &printer, Operation *,
                               Attribute mechanism, Value extra,
                               Type extraType) {
  if (mechanism && !isa<CpAsyncAttr>(mechanism))
    printer << " by(" << mechanism << ")";
  if (extra)
    printer << " with " << extra << " : " << extraType;
}

#define GET_OP_CLASSES
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"

namespace {
/// Upgrades programs of earlier versions.
struct TileGpuBytecode : VersionedBytecode<TileGpuDialect> {
  using VersionedBytecode::VersionedBytecode;

  LogicalResult
  upgradeFromVersion(Operation *top,
                     const DialectVersion &version) const override {
    if (static_cast<const BytecodeVersion &>(version).number == 1)
      top->walk(upgradeCopyMechanism);
    return success();
  }
};
} // namespace

bool tile::isTileDialect(Dialect *dialect) {
  return isa_and_present<TileDialect, TileGpuDialect>(dialect);
}

using Operations = OperationList<
#define GET_OP_LIST
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"
    >;

void TileGpuDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/IR/Gpu/TileGpuAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/IR/Gpu/TileGpuTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"
      >();
  addInterfaces<TileGpuBytecode>();
  visitPromises(Operations(), [&](auto interface, auto op) {
    declarePromisedInterface<decltype(interface), decltype(op)>();
  });
}
