// SpecializeAlignment.cpp - a promised and a general body of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel compiled for run-time strides must not assume that rows are aligned,
// and without that assumption no access is wider than an element. So the kernel
// gets two bodies, and the launcher picks:
//
//   tile.kernel @k(%a: memref<?x?xf16>)            before
//
//   tile.kernel @k(%a: memref<?x?xf16>             after: promised
//       {tile.alignment = 16, tile.stride_alignment = 16})
//   tile.kernel @k__general(%a: memref<?x?xf16>)          general
//       attributes {tile.general_of = "k"}
//
// Only arrays that some access would read wider are promised.

#include "tile/Analysis/Alignment.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

#define DEBUG_TYPE "tile-specialize-alignment"

namespace tile {
#define GEN_PASS_DEF_SPECIALIZEALIGNMENT
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Whether an access to a box of the array gets wider by the promise.
static bool gainsByPromise(Value array, ValueRange offsets, Type tile) {
  auto type = cast<MemRefType>(array.getType());
  std::optional<int64_t> dim = getContiguousDimension(type);
  if (!dim)
    return false;
  SmallVector<int64_t> box = getBoxExtents(type, getTileShape(tile));
  if (box[*dim] == 1)
    return false;
  return getVectorWidth(array, offsets, box, *dim, Assume::kPromise) >
         getVectorWidth(array, offsets, box, *dim);
}

/// The kernel's array arguments that are worth a promise.
static SmallVector<unsigned> findArraysToPromise(KernelOp kernel) {
  SmallVector<unsigned> arguments;
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    bool gains = llvm::any_of(argument.getUsers(), [&](Operation *user) {
      // A scalar argument may be an offset of the same access.
      if (auto load = dyn_cast<LoadOp>(user))
        return load.getSource() == argument &&
               gainsByPromise(argument, load.getOffsets(), load.getType());
      if (auto store = dyn_cast<StoreOp>(user))
        return store.getDest() == argument &&
               gainsByPromise(argument, store.getOffsets(),
                              store.getValue().getType());
      if (auto gather = dyn_cast<GatherOp>(user))
        return gather.getSource() == argument && !gather.getMask() &&
               gainsByPromise(argument, gather.getOffsets(), gather.getType());
      if (auto scatter = dyn_cast<ScatterOp>(user))
        return scatter.getDest() == argument && !scatter.getKind() &&
               !scatter.getMask() &&
               gainsByPromise(argument, scatter.getOffsets(),
                              scatter.getValue().getType());
      return false;
    });
    if (gains)
      arguments.push_back(argument.getArgNumber());
  }
  return arguments;
}

static LogicalResult specialize(KernelOp kernel, SymbolTable &symbols) {
  SmallVector<unsigned> arguments = findArraysToPromise(kernel);
  if (arguments.empty())
    return success();
  OpBuilder builder(kernel->getContext());
  std::string name = (kernel.getSymName() + "__general").str();
  if (symbols.lookup(name))
    return kernel.emitError("expected the name '")
           << name << "' to be free for the kernel's general body";
  builder.setInsertionPointAfter(kernel);
  auto general = cast<KernelOp>(builder.clone(*kernel));
  general.setSymName(name);
  general->setAttr(kGeneralOfAttr, kernel.getSymNameAttr());
  symbols.insert(general, std::next(kernel->getIterator()));
  for (unsigned argument : arguments) {
    Attribute bytes = builder.getI64IntegerAttr(kMaxAccessBytes);
    kernel.setArgAttr(argument, kAlignmentAttr, bytes);
    auto type = cast<MemRefType>(kernel.getArgumentTypes()[argument]);
    auto [strides, offset] = type.getStridesAndOffset();
    if (llvm::any_of(strides, ShapedType::isDynamic))
      kernel.setArgAttr(argument, kStrideAlignmentAttr, bytes);
  }
  return success();
}

namespace {
struct SpecializeAlignment
    : tile::impl::SpecializeAlignmentBase<SpecializeAlignment> {
  using SpecializeAlignmentBase::SpecializeAlignmentBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (!kernel->hasAttr(kGeneralOfAttr) &&
          failed(specialize(kernel, symbols)))
        return signalPassFailure();
  }
};
} // namespace
