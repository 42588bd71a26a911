// LineTables.cpp - lines of the tile program for instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/LineTables.h"

#include "tile/IR/SourceLine.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

#include <string>

using namespace mlir;
using namespace tile;

/// Returns `path` with underscores in place of the characters that a `.file` of
/// PTX cannot contain, since ptxas supports no escapes in strings.
static std::string replaceEscaped(StringRef path) {
  std::string text = path.str();
  for (char &c : text)
    if (c == '"' || c == '\\' || (llvm::isASCII(c) && !llvm::isPrint(c)))
      c = '_';
  return text;
}

namespace {
/// Creates the debug scopes of one module.
struct ScopeBuilder {
  MLIRContext *context;
  LLVM::DICompileUnitAttr unit;

  LLVM::DIFileAttr getFile(FileLineColLoc location) {
    std::string path = replaceEscaped(location.getFilename().getValue());
    return LLVM::DIFileAttr::get(context, llvm::sys::path::filename(path),
                                 llvm::sys::path::parent_path(path));
  }

  /// Returns the only compile unit of the module, which is named after the
  /// first file.
  LLVM::DICompileUnitAttr getUnit(LLVM::DIFileAttr file) {
    if (!unit)
      unit = LLVM::DICompileUnitAttr::get(
          DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C,
          file, StringAttr::get(context, "tile-mlir"), /*isOptimized=*/true,
          LLVM::DIEmissionKind::DebugDirectivesOnly);
    return unit;
  }

  LLVM::DISubprogramAttr getSubprogram(LLVM::LLVMFuncOp function,
                                       FileLineColLoc location) {
    LLVM::DIFileAttr file = getFile(location);
    auto type =
        LLVM::DISubroutineTypeAttr::get(context, llvm::dwarf::DW_CC_normal, {});
    return LLVM::DISubprogramAttr::get(
        context, DistinctAttr::create(UnitAttr::get(context)), getUnit(file),
        file, function.getNameAttr(), function.getNameAttr(), file,
        location.getLine(), location.getLine(),
        LLVM::DISubprogramFlags::Definition |
            LLVM::DISubprogramFlags::Optimized,
        type, /*retainedNodes=*/{}, /*annotations=*/{});
  }
};
} // namespace

static void attachLineTables(LLVM::LLVMFuncOp function, ScopeBuilder &scopes) {
  std::optional<FileLineColLoc> ofFunction = getFileLocation(function.getLoc());
  if (!ofFunction)
    return;
  LLVM::DISubprogramAttr scope = scopes.getSubprogram(function, *ofFunction);
  function.getBody().walk([&](Operation *op) {
    FileLineColLoc location =
        getFileLocation(op->getLoc()).value_or(*ofFunction);
    if (location.getFilename() == ofFunction->getFilename())
      return op->setLoc(location);
    // The function was inlined from another file.
    auto block = LLVM::DILexicalBlockFileAttr::get(
        scopes.context, scope, scopes.getFile(location), /*discriminator=*/0);
    op->setLoc(FusedLoc::get({location}, block, scopes.context));
  });
  function->setLoc(FusedLoc::get({*ofFunction}, scope, scopes.context));
}

void tile::attachLineTables(ModuleOp module) {
  ScopeBuilder scopes{module.getContext(), {}};
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      ::attachLineTables(function, scopes);
}

/// Whether a line of PTX is ".loc FILE 0 ...", for which no line is known.
static bool isUnknownLine(StringRef line) {
  line = line.ltrim();
  if (!line.consume_front(".loc"))
    return false;
  return line.ltrim().split('\t').second.ltrim().starts_with("0 ") ||
         line.ltrim().split(' ').second.ltrim().starts_with("0 ");
}

void tile::removeUnknownLines(std::string &ptx) {
  std::string kept;
  kept.reserve(ptx.size());
  for (StringRef rest = ptx; !rest.empty();) {
    size_t end = rest.find('\n');
    StringRef line = rest.take_front(end == StringRef::npos ? end : end + 1);
    rest = rest.drop_front(line.size());
    if (!isUnknownLine(line))
      kept += line;
  }
  ptx = std::move(kept);
}
