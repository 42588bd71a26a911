// TileGpuDialect.cpp - registration and bytecode version of tile_gpu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Dialect/Promises.h"
#include "../Dialect/VersionedBytecode.h"
#include "../OptionalWord.h"
#include "../SortOps.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

#include "tile/IR/Gpu/TileGpuDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/IR/Gpu/TileGpuTypes.cpp.inc"

#define GET_OP_CLASSES
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"

bool tile::isTileDialect(Dialect *dialect) {
  return isa_and_present<TileDialect, TileGpuDialect>(dialect);
}

using Operations = OperationList<
#define GET_OP_LIST
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"
    >;

void TileGpuDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/IR/Gpu/TileGpuTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"
      >();
  addInterfaces<VersionedBytecode<TileGpuDialect>>();
  visitPromises(Operations(), [&](auto interface, auto op) {
    declarePromisedInterface<decltype(interface), decltype(op)>();
  });
}
