// Promises.cpp - whether a context has the external models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Promises.h"

#include "tile/IR/Gpu/TileGpu.h"

using namespace mlir;
using namespace tile;

LogicalResult tile::verifyPromises(Operation *op) {
  MLIRContext *context = op->getContext();
  context->loadDialect<TileDialect, tile_gpu::TileGpuDialect>();
  std::string missing;
  visitPromisedInterfaces([&](auto interface) {
    using Interface = decltype(interface);
    // (getRegisteredOperationsByDialect of LLVM 22 finds none among those of
    // many dialects)
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (missing.empty() && isTileDialect(&name.getDialect()) &&
          name.getDialect().hasPromisedInterface(name.getTypeID(),
                                                 Interface::getInterfaceID()))
        missing = ("the " + llvm::getTypeName<Interface>() + " of '" +
                   name.getStringRef() + "'")
                      .str();
  });
  if (missing.empty())
    return success();
  return op->emitError("expected a context of tile::registerAllDialects, got "
                       "one without ")
         << missing;
}
