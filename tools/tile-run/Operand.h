// Operand.h - parses arguments of tile-run, and reads and writes their files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ARG of the command line is a number for a scalar, and for an array one of
//
//   FILE.npy  in=FILE.npy     an array that is only read
//   inout=FILE.npy            an array that is read, and written back to FILE
//   inout=IN.npy:OUT.npy      an array that is read from IN and written to OUT
//   out=FILE.npy              a new array of the size that the metadata states
//   out=FILE.npy:64x128       a new array of the given size
//
// A new array consists of bytes 0xFF (NaN for floats) before the run. An input
// file may be followed by a view in brackets, in elements:
//
//   in=FILE.npy[offset=1,shape=63x8,strides=64x1]

#ifndef TILE_TOOLS_TILERUN_OPERAND_H
#define TILE_TOOLS_TILERUN_OPERAND_H

#include "tile/Runtime/Arguments.h"
#include "tile/Runtime/Npy.h"

#include <optional>
#include <string>
#include <vector>

namespace tile::runtime {

/// An argument of a launch, with its arrays in host memory.
struct Operand {
  /// The argument; the address of an array is a host address.
  KernelArgument argument;

  // The other members are used only for arrays.

  /// The header of the file; header.shape is the shape of the file.
  NpyHeader header;
  /// The memory that contains the array.
  std::optional<HostBuffer> data;
  /// The distance of the array's first element from the start of `data`.
  int64_t offsetBytes = 0;
  /// The file for the result; empty if it is not written.
  std::string outputPath;
  /// True if `data` has gaps between elements, so that they are gathered before
  /// they are written to a file.
  bool isPadded = false;
  Access access = Access::Read;

  bool isArray() const { return std::holds_alternative<ArrayView>(argument); }
  bool isWritten() const { return isArray() && access != Access::Read; }
  bool isReadAndWritten() const {
    return isArray() && access == Access::ReadWrite;
  }
};

/// Parses and reads the arguments of `callee` (for example "kernel 'gemm'").
/// The number of `texts` must be that of `declared`.
Result<std::vector<Operand>>
readOperands(const std::string &callee, const std::vector<Argument> &declared,
             const std::vector<std::string> &texts);

/// Returns the arguments with their host addresses.
std::vector<KernelArgument> getArguments(const std::vector<Operand> &operands);

/// Checks that the result files and `otherPath`, if it is not empty, can be
/// written and are all different.
Status checkOutputs(const std::vector<Operand> &operands,
                    const std::string &otherPath);

/// Writes all result files under temporary names, until they are committed.
Result<std::vector<PendingFile>>
stageOutputs(const std::vector<Operand> &operands);

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_OPERAND_H
