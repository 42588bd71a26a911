// Launch.h - makes the arguments of a launch from a seed, and checks its
// results
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

/// An array argument in memory, with guard bytes before and after it and gaps
/// between its rows. Strides may be negative, and zero where the program only
/// reads.
struct ArrayMemory {
  mlir::MemRefType type;
  std::vector<int64_t> sizes, strides;
  /// The bytes of the memory, including guards, and the byte offset in them of
  /// the element with the lowest address.
  std::vector<uint8_t> bytes;
  size_t begin = 0;

  /// Returns the number of elements from the lowest address to the highest.
  int64_t getSpan() const;
  /// Returns the distance in elements from the lowest address to the element
  /// with coordinates 0.
  int64_t getLow() const;
};

/// Counts of the elements that are compared exactly, within an error, or not at
/// all.
struct Comparison {
  int64_t exact = 0, bounded = 0, unknown = 0;

  void operator+=(const Comparison &o) {
    exact += o.exact;
    bounded += o.bounded;
    unknown += o.unknown;
  }
};

/// The arguments of a kernel. They depend only on a seed and the kernel's
/// signature, so that a reduced program still gets the same arguments.
class Launch {
public:
  /// Creates a launch. If `sharesMemory`, elements of arrays that are only read
  /// may share memory: two arguments are sometimes the same array, and strides
  /// zero. Otherwise some arrays have few different values.
  Launch(KernelOp kernel, uint64_t seed, bool sharesMemory = true);

  /// Creates a launch with the given arguments and grid.
  Launch(KernelOp kernel, const std::vector<ArgumentValue> &values,
         const std::array<int64_t, 3> &grid);

  /// Returns the arguments for the evaluator, which stores the expected values
  /// in them.
  std::vector<ArgumentValue> getValues() const;

  /// Returns copies of the arrays as they are before a launch.
  std::vector<ArrayMemory> copyArrays() const { return arrays; }

  /// Returns pointers to the flat parameters, in the order of the kernel ABI
  /// (KernelMetadata.h). They are valid while `memory` and this object live.
  std::vector<void *> getParameters(std::vector<ArrayMemory> &memory);

  /// Returns the address of the element with coordinates 0. If the memory of
  /// another argument is passed again for `array`, the address is in that
  /// memory.
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

  /// Index in `arrays` of each argument, or -1 for a scalar.
  std::vector<int> positions;
  std::vector<ArrayMemory> arrays;
  /// Index of each array itself, or of the array whose memory is passed again
  /// for it.
  std::vector<size_t> owners;
  /// Whether elements of arrays that are only read may share memory.
  bool sharesMemory = true;
  /// Whether a kernel may rely on aligned addresses and rows.
  bool isAligned = false;
  std::vector<Element> scalars;
  std::vector<mlir::Type> scalarTypes;
  std::array<int64_t, 3> grid = {1, 1, 1};
  /// The storage of the parameters that getParameters points to.
  std::vector<uint64_t> cells;
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_LAUNCH_H
