// Launch.h - arguments of a launch that follow from a seed, and what came out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_LAUNCH_H
#define TILE_TOOLS_TILEFUZZ_LAUNCH_H

#include "Evaluate.h"
#include "Random.h"

#include "tile/Runtime/KernelMetadata.h"

#include <array>
#include <string>
#include <vector>

namespace tile::fuzz {

/// An array argument in memory: guards around it, gaps between its rows.
/// Strides may be negative, and zero where the program only reads.
struct ArrayMemory {
  mlir::MemRefType type;
  std::vector<int64_t> sizes, strides;
  /// All of it, and where the element of the lowest address is.
  std::vector<uint8_t> bytes;
  size_t begin = 0;

  /// Elements from the lowest address to the highest.
  int64_t getSpan() const;
  /// Elements from the lowest address to that of the first element.
  int64_t getLow() const;
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

  /// The address of the first element of an array; the memory may be that of
  /// another argument.
  uint8_t *getFirst(std::vector<ArrayMemory> &memory, size_t array) const;

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
  void addArray(mlir::BlockArgument argument, uint64_t seed);
  bool addTwin(mlir::BlockArgument argument, Random &random);
  void addScalar(mlir::Type type, uint64_t seed);

  /// One entry an argument: the array's position, or -1 for a scalar.
  std::vector<int> positions;
  std::vector<ArrayMemory> arrays;
  /// One entry an array: its position, or that of an array whose memory is
  /// passed again.
  std::vector<size_t> owners;
  /// Whether a kernel may rely on aligned addresses and rows.
  bool isAligned = false;
  std::vector<Number> scalars;
  std::vector<mlir::Type> scalarTypes;
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// What getParameters points to.
  std::vector<uint64_t> cells;
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_LAUNCH_H
