// BytecodeTrial.h - whether a file of bytecode can be read at all
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_BYTECODETRIAL_H
#define TILE_LIB_TARGET_BYTECODETRIAL_H

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace llvm {
class SourceMgr;
}

namespace tile {

/// Whether MLIR's reader comes to an end of the bytecode in `sources`, by
/// success or by an error, which nobody sees. The reader takes much of a file
/// on trust: a damaged one may end it by a signal or keep it busy for ever. So
/// it is tried in a child process, for some seconds. True also where there can
/// be none.
bool tryBytecode(const std::shared_ptr<llvm::SourceMgr> &sources,
                 mlir::MLIRContext &context);

} // namespace tile

#endif // TILE_LIB_TARGET_BYTECODETRIAL_H
