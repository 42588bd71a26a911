// SplitKernels.cpp - split a module into one module for each kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SplitKernels.h"

#include "tile/Analysis/HostCode.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tile;

/// Returns the names of the module's symbols that are used in an operation. All
/// names are collected in one walk, since a walk takes longer than most passes.
static llvm::StringSet<> collectUsedSymbols(Operation *op) {
  llvm::StringSet<> names;
  if (std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(op))
    for (const SymbolTable::SymbolUse &use : *uses)
      names.insert(use.getSymbolRef().getRootReference());
  return names;
}

SplitKernels::SplitKernels(ModuleOp module) : module(module) {
  SmallVector<Operation *> kernels, others;
  for (Operation &op : *module.getBody()) {
    (isKernel(&op) ? kernels : others).push_back(&op);
    order.push_back(isKernel(&op) ? nullptr : &op);
  }
  for (Operation *kernel : kernels) {
    auto part = ModuleOp::create(module.getLoc());
    part->setAttrs(module->getAttrs());
    llvm::StringSet<> used = collectUsedSymbols(kernel);
    for (Operation *other : others)
      if (auto symbol = dyn_cast<SymbolOpInterface>(other);
          symbol && used.contains(symbol.getName()))
        part.push_back(other->clone());
    parts.push_back(part);
  }
  for (auto [kernel, part] : llvm::zip(kernels, parts))
    kernel->moveBefore(part.getBody(), part.getBody()->end());
}

SplitKernels::~SplitKernels() {
  Block *body = module.getBody();
  llvm::StringSet<> names;
  for (Operation *other : order)
    if (auto symbol = dyn_cast_if_present<SymbolOpInterface>(other))
      names.insert(symbol.getName());
  auto part = parts.begin();
  for (Operation *other : order) {
    if (other) {
      other->moveBefore(body, body->end());
      continue;
    }
    for (Operation &op : llvm::make_early_inc_range(*part->getBody())) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      if (!symbol || names.insert(symbol.getName()).second)
        op.moveBefore(body, body->end());
    }
    part->erase();
    ++part;
  }
}

LogicalResult
SplitKernels::forEach(function_ref<LogicalResult(size_t, ModuleOp)> run) {
  ParallelDiagnosticHandler handler(module.getContext());
  return failableParallelForEachN(module.getContext(), 0, parts.size(),
                                  [&](size_t i) {
                                    handler.setOrderIDForThread(i);
                                    LogicalResult result = run(i, parts[i]);
                                    handler.eraseOrderIDForThread();
                                    return result;
                                  });
}
