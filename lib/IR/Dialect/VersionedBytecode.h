// VersionedBytecode.h - the version of a dialect in bytecode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_DIALECT_VERSIONEDBYTECODE_H
#define TILE_LIB_IR_DIALECT_VERSIONEDBYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace tile {

/// Version of a dialect in a bytecode file.
struct BytecodeVersion : mlir::DialectVersion {
  explicit BytecodeVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

/// Writes the version of the dialect `D` (`D::kBytecodeVersion`), reads the
/// versions from 1 to it, and refuses others. Attributes and types are written
/// in their textual form, which is stable.
template <typename D>
struct VersionedBytecode : mlir::BytecodeDialectInterface {
  explicit VersionedBytecode(mlir::Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(mlir::DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(D::kBytecodeVersion);
  }

  std::unique_ptr<mlir::DialectVersion>
  readVersion(mlir::DialectBytecodeReader &reader) const override {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number != 0 && number <= D::kBytecodeVersion)
      return std::make_unique<BytecodeVersion>(number);
    mlir::InFlightDiagnostic error = reader.emitError()
                                     << "expected " << D::getDialectNamespace()
                                     << " dialect version 1";
    if (D::kBytecodeVersion != 1)
      error << " to " << D::kBytecodeVersion;
    error << ", got " << number;
    return nullptr;
  }
};

} // namespace tile

#endif // TILE_LIB_IR_DIALECT_VERSIONEDBYTECODE_H
