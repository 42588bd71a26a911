// Arguments.h - arguments of a launch, checked and packed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a launch that need no device: checking that the arguments match
// the kernel, choosing the entry point that the arguments allow, computing the
// grid, and making the flat list of parameters. Used for the GPU and for the
// CPU path.

#ifndef TILE_RUNTIME_ARGUMENTS_H
#define TILE_RUNTIME_ARGUMENTS_H

#include "tile/Runtime/KernelMetadata.h"
#include "tile/Runtime/Result.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace tile::runtime {

/// An array in memory of the device (or of the host, for the CPU path).
struct ArrayView {
  ElementType type = ElementType::F32;
  /// The address of element (0, ..., 0), with any offset included.
  uint64_t address = 0;
  /// Size and stride of each dimension. Strides are in elements and may be 0 or
  /// negative.
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

/// Memory range of an array's elements.
struct ArrayExtent {
  /// The lowest address, and the number of bytes from there to the end of the
  /// last element; 0 bytes if there are no elements.
  uint64_t first = 0;
  uint64_t size = 0;
  /// Distance in bytes between adjacent elements along each dimension, at least
  /// 0.
  std::vector<int64_t> byteStrides;
};
ArrayExtent getExtent(const ArrayView &array);

/// A scalar that is passed by value: the first getByteSize(type) bytes are
/// used.
struct ScalarValue {
  ElementType type = ElementType::F32;
  std::array<unsigned char, 16> bytes = {};
};

/// Argument of a kernel, in the order of the metadata.
using KernelArgument = std::variant<ArrayView, ScalarValue>;

/// Blocks along x, y, z.
using Grid = std::array<int64_t, 3>;

/// Parses `text` as a scalar of type `type`. Integers are decimal or
/// hexadecimal with 0x, and may be signed or unsigned if their bits fit; i1 is
/// also "true" or "false". Floats have the syntax of C, are rounded to nearest
/// even, may be "inf" or "nan", and are refused if they overflow. Complex
/// values have the syntax of Python, "1.5-2j".
Result<ScalarValue> parseScalar(ElementType type, std::string_view text);

/// Checks that `arguments` are those that `kernel` takes: their count, kinds,
/// element types and ranks, the static sizes and strides (a stride along a
/// dimension of size 0 or 1, or of an array without elements, may be any), and
/// for an array with elements a pointer that is not null and aligned to the
/// element. The message starts with "kernel 'gemm': argument 1 ('b'): ".
Status checkArguments(const KernelMetadata &kernel,
                      const std::vector<KernelArgument> &arguments);

/// Checks the arguments of any callee; `callee` is its name in messages, such
/// as "function 'main'".
Status checkArguments(const std::string &callee,
                      const std::vector<Argument> &declared,
                      const std::vector<KernelArgument> &arguments);

/// Returns the facts about the arguments that expressions and predicates query.
std::vector<ArgumentFacts>
getFacts(const std::vector<KernelArgument> &arguments);

/// Decisions made before a launch.
struct LaunchPlan {
  Grid grid = {1, 1, 1};
  /// The index of the chosen entry point in KernelMetadata::entries.
  size_t entry = 0;
  /// The size of each hidden argument in bytes.
  std::vector<int64_t> hiddenBytes;

  /// True if the grid has no blocks: there is nothing to launch.
  bool isEmpty() const { return !grid[0] || !grid[1] || !grid[2]; }
};

/// Checks the arguments (see checkArguments) and makes the launch plan. A
/// `grid` that is given must be positive; one that the kernel's expressions
/// compute may be 0 along any axis. The grid is limited as in CUDA: less than
/// 2^31 blocks along x, at most 65535 along y and z, and a multiple of the
/// cluster.
Result<LaunchPlan> planLaunch(const KernelMetadata &kernel,
                              const std::vector<KernelArgument> &arguments,
                              const std::optional<Grid> &grid);

/// Returns the index of the entry point with the symbol `name`; an error if
/// there is none, or if the arguments do not meet its assumptions.
/// @pre the arguments have passed checkArguments.
Result<size_t> findEntry(const KernelMetadata &kernel,
                         const std::vector<KernelArgument> &arguments,
                         std::string_view name);

/// Returns the size in bytes of each hidden argument for these arguments.
/// @pre the arguments have passed checkArguments.
Result<std::vector<int64_t>>
getHiddenBytes(const KernelMetadata &kernel,
               const std::vector<KernelArgument> &arguments);

/// The flat parameter list in the order of the ABI (see KernelMetadata.h),
/// as cuLaunchKernel takes it. Owns the values.
class ParameterList {
public:
  /// @pre the arguments have passed checkArguments; `hidden` has one address
  /// for each hidden argument.
  ParameterList(const KernelMetadata &kernel,
                const std::vector<KernelArgument> &arguments,
                const std::vector<uint64_t> &hidden);
  ParameterList(const ParameterList &) = delete;
  ParameterList &operator=(const ParameterList &) = delete;

  /// Returns a pointer to each parameter's value.
  void **data() { return pointers.data(); }
  size_t size() const { return pointers.size(); }
  /// Replaces the address of an array.
  void setAddress(size_t argument, uint64_t address);
  /// Replaces the address of a hidden argument.
  void setHidden(size_t index, uint64_t address);

private:
  void append(const void *value, size_t bytes);

  /// The addresses of a deque's elements do not change.
  std::deque<std::array<unsigned char, 16>> values;
  std::vector<void *> pointers;
  /// Index of the parameter that is the scalar or the address of each argument.
  std::vector<size_t> firsts;
  /// Index of the first parameter that is a hidden argument.
  size_t firstHidden = 0;
};

/// The byte size of each parameter of `kernel`, in the order of the ABI.
std::vector<int64_t> getParameterSizes(const KernelMetadata &kernel);

} // namespace tile::runtime

#endif // TILE_RUNTIME_ARGUMENTS_H
