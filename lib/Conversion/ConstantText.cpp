// ConstantText.cpp - texts that compiled code passes to C functions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/ConstantText.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tile;

Value tile::createConstantText(OpBuilder &builder, Location loc,
                               StringRef owner, StringRef text) {
  std::string terminated = text.str();
  terminated.push_back('\0');
  Region *region = builder.getInsertionBlock()->getParent();
  auto module = region->getParentOfType<ModuleOp>();
  for (int suffix = 0;; ++suffix) {
    std::string name = (owner + "_text" + Twine(suffix)).str();
    Operation *known = module.lookupSymbol(name);
    if (!known)
      return LLVM::createGlobalString(loc, builder, name, terminated,
                                      LLVM::Linkage::Internal);
    auto global = dyn_cast<LLVM::GlobalOp>(known);
    auto value = dyn_cast_or_null<StringAttr>(global ? global.getValueOrNull()
                                                     : Attribute());
    if (value && value.getValue() == terminated)
      return LLVM::AddressOfOp::create(builder, loc, global);
  }
}
