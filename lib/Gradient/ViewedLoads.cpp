// ViewedLoads.cpp - loads of the boxes that views take
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ViewedLoads.h"

#include "ArgumentRoles.h"

#include "tile/IR/PermutedAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

/// Whether an operation is a view with the dimensions of its source, each with
/// a step of one.
static bool isPlainView(Operation *op) {
  auto view = dyn_cast<ViewOp>(op);
  return view && !view.getSteps() &&
         cast<TileType>(view.getSource().getType()).getRank() ==
             view.getType().getRank();
}

static bool canLoadViews(LoadOp load) {
  return isReadOnlyArgument(load.getSource()) && !load.getMask() &&
         !load.getPad() && !load.getResult().use_empty() &&
         llvm::all_of(load->getUsers(), isPlainView);
}

/// Replaces a view by a load of its box, and returns this.
static LoadOp loadView(LoadOp load, ViewOp view) {
  ImplicitLocOpBuilder b(view.getLoc(), view);
  SmallVector<Value> offsets(load.getOffsets());
  for (auto [dim, offset] : llvm::enumerate(view.getOffsets())) {
    Value &moved = offsets[getArrayDimension(load, dim)];
    moved = b.createOrFold<arith::AddIOp>(moved, offset);
  }
  auto box = LoadOp::create(b, view.getType(), load.getSource(), offsets,
                            /*pad=*/Value(), /*mask=*/Value(),
                            load.getInBounds(), load.getDimsAttr());
  view.getResult().replaceAllUsesWith(box.getResult());
  view.erase();
  return box;
}

void tile::loadViews(KernelOp kernel) {
  SmallVector<LoadOp> loads;
  kernel.walk([&](LoadOp load) { loads.push_back(load); });
  // A view of a view becomes a view of a load.
  while (!loads.empty()) {
    LoadOp load = loads.pop_back_val();
    if (!canLoadViews(load))
      continue;
    for (Operation *user : llvm::make_early_inc_range(load->getUsers()))
      loads.push_back(loadView(load, cast<ViewOp>(user)));
    load.erase();
  }
}
