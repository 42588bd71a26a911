// Launch.h - arguments of a launch that follow from a seed, and its results
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
  /// Bytes of the memory, and the offset of the element with the lowest
  /// address.
  std::vector<uint8_t> bytes;
  size_t begin = 0;

  /// Elements from the lowest address to the highest.
  int64_t getSpan() const;
  /// Elements from the lowest address to that of the first element.
  int64_t getLow() const;
};

/// The numbers of elements compared exactly, within an error, and not at all.
struct Comparison {
  int64_t exact = 0, bounded = 0, unknown = 0;

  void operator+=(const Comparison &o) {
    exact += o.exact;
    bounded += o.bounded;
    unknown += o.unknown;
  }
};

/// Arguments of a kernel: made only from a seed and the kernel's signature, so
/// that a program that was reduced is still launched the same way.
class Launch {
public:
  Launch(KernelOp kernel, uint64_t seed);

  /// Returns the arguments for the evaluator, which stores the expected values
  /// in them.
  std::vector<ArgumentValue> getValues() const;

  /// Memory as before a launch.
  std::vector<ArrayMemory> copyArrays() const { return arrays; }

  /// Pointers to the flat parameters, in the order of the kernel ABI
  /// (KernelMetadata.h). They are valid while `memory` and this live.
  std::vector<void *> getParameters(std::vector<ArrayMemory> &memory);

  /// The address of the first element of an array; the memory may be that of
  /// another argument.
  uint8_t *getFirst(std::vector<ArrayMemory> &memory, size_t array) const;

  /// Returns the facts about the arguments that predicates of entry points use.
  std::vector<runtime::ArgumentFacts>
  getFacts(std::vector<ArrayMemory> &memory) const;

  const std::array<int64_t, 3> &getGrid() const { return grid; }
  const std::vector<ArrayMemory> &getArrays() const { return arrays; }

  /// Compares memory after a launch with the expected values, including memory
  /// that must not be written. Returns a description of the first difference;
  /// empty if there is none.
  std::string compare(const std::vector<ArrayMemory> &memory,
                      const std::vector<ArgumentValue> &expected,
                      Comparison &counts) const;

private:
  void addArray(mlir::BlockArgument argument, uint64_t seed);
  bool addTwin(mlir::BlockArgument argument, Random &random);
  void addScalar(mlir::Type type, uint64_t seed);

  /// Parallel to the arguments: the position of an array, or -1 for a scalar.
  std::vector<int> positions;
  std::vector<ArrayMemory> arrays;
  /// Parallel to the arrays: its own position, or that of an array whose memory
  /// is passed again.
  std::vector<size_t> owners;
  /// Whether a kernel may rely on aligned addresses and rows.
  bool isAligned = false;
  std::vector<Number> scalars;
  std::vector<mlir::Type> scalarTypes;
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// The storage of the parameters that getParameters points to.
  std::vector<uint64_t> cells;
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_LAUNCH_H
