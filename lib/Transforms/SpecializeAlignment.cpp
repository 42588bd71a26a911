// SpecializeAlignment.cpp - a specialized and a generic variant of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel compiled for run-time strides must not assume that rows are aligned,
// and without that assumption no access is wider than an element. So the kernel
// gets two variants, and the launcher chooses one. Only arrays that some access
// would read or write wider are assumed to be aligned.

#include "tile/Analysis/AccessWidth.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace tile {
#define GEN_PASS_DEF_SPECIALIZEALIGNMENT
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Returns the most elements that one access of an array by an operation can
/// take; one if the operation does not access the array.
static int64_t getWidth(Operation *op, Value array, Assume assume) {
  auto access = dyn_cast<ArrayAccessOpInterface>(op);
  // A scalar argument may be an offset of the same access.
  return access && access.getArray() == array ? getAccessWidth(access, assume)
                                              : 1;
}

/// Whether some access of an array, or of the array with its dimensions
/// permuted, becomes wider by an assumption.
static bool gains(Value array) {
  return llvm::any_of(array.getUsers(), [&](Operation *user) {
    if (auto permuted = dyn_cast<memref::TransposeOp>(user))
      return gains(permuted.getResult());
    return getWidth(user, array, Assume::kPromise) >
           getWidth(user, array, Assume::kAttributes);
  });
}

/// Returns the kernel's array arguments for which an assumption is useful.
static SmallVector<unsigned> findArraysToAssume(KernelOp kernel) {
  SmallVector<unsigned> arguments;
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (gains(argument))
      arguments.push_back(argument.getArgNumber());
  return arguments;
}

static LogicalResult specialize(KernelOp kernel, SymbolTable &symbols) {
  SmallVector<unsigned> arguments = findArraysToAssume(kernel);
  if (arguments.empty())
    return success();
  OpBuilder builder(kernel->getContext());
  std::string name = (kernel.getSymName() + "__general").str();
  if (Operation *other = symbols.lookup(name)) {
    InFlightDiagnostic error =
        kernel.emitError("expected the name '")
        << name << "' to be free for the kernel's generic variant";
    error.attachNote(other->getLoc()) << "it has the name";
    return error;
  }
  builder.setInsertionPointAfter(kernel);
  auto generic = cast<KernelOp>(builder.clone(*kernel));
  generic.setSymName(name);
  generic->setAttr(kGeneralOfAttr, kernel.getSymNameAttr());
  symbols.insert(generic, std::next(kernel->getIterator()));
  for (unsigned argument : arguments) {
    Attribute bytes = builder.getI64IntegerAttr(kMaxAccessBytes);
    kernel.setArgAttr(argument, kAssumedAlignmentAttr, bytes);
    auto type = cast<MemRefType>(kernel.getArgumentTypes()[argument]);
    auto [strides, offset] = type.getStridesAndOffset();
    if (llvm::any_of(strides, ShapedType::isDynamic))
      kernel.setArgAttr(argument, kAssumedStrideAlignmentAttr, bytes);
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
