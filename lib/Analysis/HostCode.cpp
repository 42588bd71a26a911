// HostCode.cpp - the host code of a module
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/HostCode.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tile;

bool tile::isKernel(Operation *op) {
  return isa<KernelOp>(op) ||
         op->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

/// Whether an operation is a function or a variable.
static bool isDefinition(Operation *op) {
  return isa<SymbolOpInterface>(op) && !op->hasTrait<OpTrait::SymbolTable>();
}

/// Whether an operation may be a function of the host. A declaration in the
/// LLVM dialect is not one: it may declare a function of the driver.
static bool mayBeHosts(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function && !isKernel(op) &&
         (isa<func::FuncOp>(op) || !function.isExternal());
}

/// Adds the module's symbols that `op` uses to `names`; returns false if its
/// symbol uses are not known.
static bool addUses(Operation *op, SetVector<StringAttr> &names) {
  auto uses = SymbolTable::getSymbolUses(op);
  if (!uses)
    return false;
  for (SymbolTable::SymbolUse use : *uses)
    names.insert(use.getSymbolRef().getRootReference());
  return true;
}

SmallVector<Operation *> tile::collectHostCode(ModuleOp module) {
  auto operations = llvm::make_pointer_range(*module.getBody());
  if (llvm::none_of(operations, mayBeHosts))
    return {};
  // A symbol that a kernel, or an operation about the module as a whole, uses
  // directly or indirectly is not host code.
  SetVector<StringAttr> used;
  for (Operation *op : operations)
    if ((isKernel(op) || !isDefinition(op)) && !addUses(op, used))
      return {};
  SymbolTable symbols(module);
  for (size_t i = 0; i < used.size(); ++i)
    if (Operation *op = symbols.lookup(used[i]); op && !addUses(op, used))
      return {};
  SmallVector<Operation *> host;
  for (Operation *op : operations)
    if (isDefinition(op) && !isKernel(op) &&
        !used.contains(SymbolTable::getSymbolName(op)))
      host.push_back(op);
  return host;
}

SmallVector<Operation *> tile::collectHostFunctions(ModuleOp module) {
  SmallVector<Operation *> functions = collectHostCode(module);
  llvm::erase_if(functions, [](Operation *op) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    return !function || function.isExternal();
  });
  return functions;
}

HostCodeAside::HostCodeAside(ModuleOp module) : module(module) {
  SmallVector<Operation *> host = collectHostCode(module);
  if (host.empty())
    return;
  aside = ModuleOp::create(module.getLoc());
  for (Operation *op : host)
    op->moveBefore(aside->getBody(), aside->getBody()->end());
}

HostCodeAside::~HostCodeAside() {
  if (aside)
    module.getBody()->getOperations().splice(module.getBody()->end(),
                                             aside->getBody()->getOperations());
}

LogicalResult tile::verifyNoNestedKernels(ModuleOp module) {
  auto visit = [&](Operation *op) -> WalkResult {
    if (!isa<FunctionOpInterface>(op))
      return WalkResult::advance();
    Operation *parent = op->getParentOp();
    if (parent == module || !(isKernel(op) || isa<gpu::GPUFuncOp>(op)))
      return WalkResult::skip();
    return op->emitError("expected a kernel in the program's own module, got "
                         "one in a nested '")
           << parent->getName() << "'";
  };
  return failure(module.walk<WalkOrder::PreOrder>(visit).wasInterrupted());
}

LogicalResult tile::verifyHasKernels(ModuleOp module) {
  if (failed(verifyNoNestedKernels(module)))
    return failure();
  if (!module.getOps<KernelOp>().empty())
    return success();
  for (Operation &op : *module.getBody())
    if (isKernel(&op))
      return op.emitError("expected a 'tile.kernel', got a kernel that is "
                          "lowered already, '")
             << SymbolTable::getSymbolName(&op).getValue() << "'";
  return module.emitError("expected a module with a kernel, got one without");
}
