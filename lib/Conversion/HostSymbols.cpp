// HostSymbols.cpp - a prefix for the names of a program in host code
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/HostSymbols.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tile;

static constexpr llvm::StringLiteral kPrefix = "_tile_program_";

std::string tile::getHostSymbol(StringRef name) {
  return (kPrefix + name).str();
}

StringRef tile::getProgramSymbol(StringRef name) {
  return name.drop_front(kPrefix.size());
}

static bool isDeclared(SymbolOpInterface symbol) {
  auto function = dyn_cast<FunctionOpInterface>(symbol.getOperation());
  return function ? function.isExternal() : symbol.isDeclaration();
}

void tile::renameToHostSymbols(ModuleOp module) {
  MLIRContext *context = module.getContext();
  llvm::SmallDenseSet<StringAttr> defined;
  for (auto symbol : module.getOps<SymbolOpInterface>()) {
    if (isDeclared(symbol))
      continue;
    defined.insert(symbol.getNameAttr());
    symbol.setName(StringAttr::get(context, getHostSymbol(symbol.getName())));
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](FlatSymbolRefAttr use) -> std::optional<Attribute> {
        if (!defined.contains(use.getAttr()))
          return std::nullopt;
        return FlatSymbolRefAttr::get(context, getHostSymbol(use.getValue()));
      });
  replacer.recursivelyReplaceElementsIn(module);
}
