// AddTemporaries.cpp - gradients that are computed before they are added
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AddTemporaries.h"

#include "../ArgumentRoles.h"
#include "BoxKernel.h"
#include "ZeroKernels.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

/// Allocates an array with the shape of `gradient`. Returns it, and the same
/// array as a value of the gradient's type, which is null if the type has
/// another layout.
static std::pair<Value, Value> allocateTemporary(LaunchFunction &host,
                                                 Value gradient) {
  ImplicitLocOpBuilder &b = host.getBuilder();
  auto type = cast<MemRefType>(gradient.getType());
  auto contiguous = MemRefType::get(type.getShape(), type.getElementType());
  if (!memref::CastOp::areCastCompatible(contiguous, type))
    return {};
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(getSize(b, gradient, dim));
  Value array = host.allocate(contiguous, sizes);
  return {array, b.createOrFold<memref::CastOp>(type, array)};
}

static Value loadBox(ValueBuilder &b, Value array, const BoxKernel &box,
                     TileType type) {
  return LoadOp::create(b, type, array, box.offsets, /*pad=*/Value(),
                        /*mask=*/Value(), /*in_bounds=*/false,
                        /*dims=*/DenseI64ArrayAttr());
}

/// Launches a kernel, created after `kernel`, that adds an array to a gradient.
/// Sums are rounded once.
static void launchAddition(KernelOp kernel, StringRef name,
                           LaunchFunction &host, Value array, Value gradient) {
  ValueBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointAfter(kernel);
  auto type = cast<MemRefType>(gradient.getType());
  SmallVector<int64_t> shape = chooseBox(type);
  BoxKernel box = createBoxKernel(b, name, {array.getType(), type},
                                  /*divided=*/1, shape);
  Value added = box.kernel.getArgument(0), sums = box.kernel.getArgument(1);
  TileType tile = getBoxTile(shape, type.getElementType());
  Type element = getSumElement(type.getElementType());
  Value sum = b.add(b.cast(loadBox(b, sums, box, tile), element),
                    b.cast(loadBox(b, added, box, tile), element));
  StoreOp::create(b, b.cast(sum, type.getElementType()), sums, box.offsets,
                  /*mask=*/Value(), /*in_bounds=*/false,
                  /*dims=*/DenseI64ArrayAttr());
  ImplicitLocOpBuilder &h = host.getBuilder();
  Value one = arith::ConstantIndexOp::create(h, 1);
  host.launch(box.kernel, {countBoxes(h, gradient, shape), one, one},
              {array, gradient});
}

FailureOr<Operation *>
tile::addTemporaries(KernelOp kernel, const llvm::StringSet<> &gradients) {
  std::string name = kernel.getSymName().str();
  LaunchFunction host(kernel, name);
  SmallVector<Value> passed;
  SmallVector<std::pair<Value, unsigned>> added;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    passed.push_back(host.getArgument(i));
    if (!gradients.contains(getArgumentName(kernel, i)))
      continue;
    auto [array, asGradient] = allocateTemporary(host, host.getArgument(i));
    if (!array) {
      host.erase();
      return kernel.emitError("expected '")
             << getArgumentName(kernel, i)
             << "', which a custom derivative accumulates, to be contiguous, "
                "got "
             << kernel.getArgumentTypes()[i];
    }
    passed.back() = asGradient;
    added.push_back({array, i});
  }
  kernel.setSymName(name + "__custom");
  ZeroKernels zeros(kernel, name, host);
  for (auto [array, argument] : added)
    zeros.launch(array);
  host.launch(kernel, kernel.getGrid() ? ValueRange() : host.getGrid(), passed);
  for (auto [array, argument] : added)
    launchAddition(kernel, name + "__add_" + getArgumentName(kernel, argument),
                   host, array, host.getArgument(argument));
  return host.finish(/*count=*/0).getOperation();
}
