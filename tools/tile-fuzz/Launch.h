// Launch.h - arguments of a launch that follow from a seed, and what came out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_LAUNCH_H
#define TILE_TOOLS_TILEFUZZ_LAUNCH_H

#include "Evaluate.h"

#include "tile/Runtime/KernelMetadata.h"

#include <array>
#include <string>
#include <vector>

namespace tile::fuzz {

/// An array argument in memory: guards around it, gaps between its rows.
struct ArrayMemory {
  mlir::MemRefType type;
  std::vector<int64_t> sizes, strides;
  /// All of it, and where the first element is.
  std::vector<uint8_t> bytes;
  size_t begin = 0;

  int64_t getSpan() const;
  uint8_t *getPointer() { return bytes.data() + begin; }
};

/// How many numbers were compared, and how.
struct Comparison {
  int64_t exact = 0, bounded = 0, unknown = 0;

  void operator+=(const Comparison &o) {
    exact += o.exact;
    bounded += o.bounded;
    unknown += o.unknown;
  }
};

/// Arguments of one kernel: made from a seed and the kernel's signature alone,
/// so that a program that was shrunk is still launched the same way.
class Launch {
public:
  Launch(KernelOp kernel, uint64_t seed);

  /// The arguments for the evaluator; it leaves what is expected in them.
  std::vector<ArgumentValue> getValues() const;

  /// Memory as before a launch.
  std::vector<ArrayMemory> copyArrays() const { return arrays; }

  /// Pointers to the flat parameters, in the order of the kernel ABI
  /// (KernelMetadata.h). They are valid while `memory` and this live.
  std::vector<void *> getParameters(std::vector<ArrayMemory> &memory);

  /// What predicates of entry points ask about the arguments.
  std::vector<runtime::ArgumentFacts>
  getFacts(std::vector<ArrayMemory> &memory) const;

  const std::array<int64_t, 3> &getGrid() const { return grid; }
  const std::vector<ArrayMemory> &getArrays() const { return arrays; }

  /// Compares memory after a launch with what is expected, everything that was
  /// not to be written included. Empty if all is right; else what is wrong
  /// first.
  std::string compare(const std::vector<ArrayMemory> &memory,
                      const std::vector<ArgumentValue> &expected,
                      Comparison &counts) const;

private:
  void addArray(mlir::MemRefType type, bool isWritten, uint64_t seed);
  void addScalar(mlir::Type type, uint64_t seed);

  /// One entry an argument: the array's position, or -1 for a scalar.
  std::vector<int> positions;
  std::vector<ArrayMemory> arrays;
  std::vector<Number> scalars;
  std::vector<mlir::Type> scalarTypes;
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// What getParameters points to.
  std::vector<uint64_t> cells;
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_LAUNCH_H
