// TileGpuDialect.cpp - registration and bytecode version of tile_gpu
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../OptionalWord.h"
#include "../Promises.h"
#include "../SortOps.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

#include "tile/IR/Gpu/TileGpuDialect.cpp.inc"

#define GET_OP_CLASSES
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"

bool tile::isTileDialect(Dialect *dialect) {
  return isa_and_present<TileDialect, TileGpuDialect>(dialect);
}

namespace {

/// Version of the dialect in a bytecode file.
struct Version : DialectVersion {};

/// Writes the dialect version and refuses files of later versions.
struct TileGpuBytecode : BytecodeDialectInterface {
  explicit TileGpuBytecode(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(TileGpuDialect::kBytecodeVersion);
  }
  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number != TileGpuDialect::kBytecodeVersion) {
      reader.emitError() << "expected tile_gpu dialect version "
                         << TileGpuDialect::kBytecodeVersion << ", got "
                         << number;
      return nullptr;
    }
    return std::make_unique<Version>();
  }
};

} // namespace

using Operations = OperationList<
#define GET_OP_LIST
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"
    >;

void TileGpuDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tile/IR/Gpu/TileGpuOps.cpp.inc"
      >();
  addInterfaces<TileGpuBytecode>();
  visitPromises(Operations(), [&](auto interface, auto op) {
    declarePromisedInterface<decltype(interface), decltype(op)>();
  });
}
