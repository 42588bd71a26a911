// HostOps.cpp - tile.launch
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

using namespace mlir;
using namespace tile;

LogicalResult tile::verifyOnHost(Operation *op) {
  if (!op->getParentOfType<KernelOp>())
    return success();
  return op->emitOpError()
         << "expected to be in a function of the host, got one in a kernel";
}

LogicalResult LaunchOp::verify() {
  // C2
  if (getGrid().size() > 3)
    return emitOpError() << "expected a grid of up to 3 extents, got "
                         << getGrid().size();
  // C3
  return verifyOnHost(*this);
}

/// Returns the types of the arguments that a launch provides: all except
/// workspaces, which phases add.
static SmallVector<Type> getGivenTypes(KernelOp kernel) {
  SmallVector<Type> types;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!kernel.getArgAttr(index, kWorkspaceAttr))
      types.push_back(type);
  return types;
}

/// A type as diagnostics print it.
static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

/// Reports that a launch does not fit its kernel, with a note at the kernel.
static LogicalResult reportLaunch(LaunchOp launch, KernelOp kernel,
                                  const Twine &message) {
  InFlightDiagnostic error = launch.emitOpError() << message;
  error.attachNote(kernel.getLoc()) << "the kernel";
  return error;
}

/// Verifies (C1) for the arguments.
static LogicalResult verifyArguments(LaunchOp launch, KernelOp kernel) {
  SmallVector<Type> expected = getGivenTypes(kernel);
  if (expected.size() != launch.getArguments().size())
    return reportLaunch(launch, kernel,
                        "expected " + Twine(expected.size()) +
                            " arguments of @" + kernel.getSymName() + ", got " +
                            Twine(launch.getArguments().size()));
  for (auto [index, types] :
       llvm::enumerate(llvm::zip(expected, launch.getArguments().getTypes()))) {
    auto [wanted, given] = types;
    if (wanted != given)
      return reportLaunch(launch, kernel,
                          "expected argument " + Twine(index) + " of @" +
                              kernel.getSymName() + " to be " + toText(wanted) +
                              ", got " + toText(given));
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *callee = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  // A kernel that is lowered already is no longer a tile.kernel.
  if (callee && callee->hasAttr("nvvm.kernel"))
    return success();
  auto kernel = dyn_cast_or_null<KernelOp>(callee);
  if (!kernel)
    return emitOpError() << "expected a kernel of the module, got "
                         << getKernelAttr();
  if (failed(verifyArguments(*this, kernel)))
    return failure();
  // C2
  if (getGrid().empty() && !kernel.getGrid())
    return reportLaunch(*this, kernel,
                        "expected a grid, here or of @" + kernel.getSymName() +
                            ", got none");
  return success();
}
