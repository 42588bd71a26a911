// AddToGradients.cpp - kernels that add to gradients
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AddToGradients.h"

#include "AccessBox.h"
#include "ArgumentRoles.h"

#include "tile/Gradient/ValueBuilder.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Lists the kernels of a derivative.
static SmallVector<KernelOp> listKernels(Operation *derivative) {
  if (auto kernel = dyn_cast<KernelOp>(derivative))
    return {kernel};
  llvm::SetVector<KernelOp> kernels;
  derivative->walk([&](LaunchOp launch) {
    kernels.insert(SymbolTable::lookupNearestSymbolFrom<KernelOp>(
        derivative, launch.getKernelAttr()));
  });
  return kernels.takeVector();
}

/// Makes a store add to the elements of the array.
static void addToArray(StoreOp store) {
  ValueBuilder b(store.getLoc(), store.getContext());
  b.setInsertionPoint(store);
  Value added = skipRounding(store.getValue());
  Value before = loadBox(b, store, store.getDest());
  Value sum = b.add(b.cast(before, getElementType(added.getType())), added);
  Type element = getElementType(store.getValue().getType());
  store.getValueMutable().assign(b.cast(sum, element));
}

void tile::addToGradients(Operation *derivative,
                          const llvm::StringSet<> &gradients) {
  for (KernelOp kernel : listKernels(derivative))
    for (BlockArgument argument : kernel.getArguments()) {
      ArrayAccess access = getArrayAccess(argument);
      // A kernel that reads a gradient adds to it.
      if (!access.writes || access.reads ||
          !gradients.contains(getArgumentName(kernel, argument.getArgNumber())))
        continue;
      for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
        if (auto store = dyn_cast<StoreOp>(user))
          addToArray(store);
    }
}
