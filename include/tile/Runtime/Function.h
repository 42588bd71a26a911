// Function.h - run functions of the host on a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   Result<Function> function =
//       Function::load(*device, cubin, metadata, "main");
//   Result<PreparedCall> call = function->prepare({x, weights, out});
//   Status status = call->launch(stream);
//
// A caller with an allocator of its own gives a call its memory:
//
//   Result<int64_t> bytes = function->getMemoryBytes({x, weights, out});
//   Result<PreparedCall> call =
//       function->prepareIn({x, weights, out}, allocate(*bytes));

#ifndef TILE_RUNTIME_FUNCTION_H
#define TILE_RUNTIME_FUNCTION_H

#include "tile/Runtime/HostFunction.h"
#include "tile/Runtime/Runtime.h"

#include <map>
#include <memory>
#include <optional>

namespace tile::runtime {

/// A call of a function with given arguments, and the memory that it needs in
/// addition to them. Launches that use the same memory must not overlap in
/// time: the next starts when the last has ended, as in one stream.
class PreparedCall {
public:
  /// Launches all kernels, and does not wait for them. Allocates nothing, so it
  /// may be captured in a graph.
  Status launch(CudaStream stream = nullptr) const;

  /// Sets another array of the same type, sizes and strides for an argument of
  /// the function. On failure nothing is changed.
  Status setAddress(size_t argument, uint64_t address);
  /// Sets other memory, aligned to 256 bytes and as large as before, for a call
  /// that prepareIn has prepared.
  Status setMemory(uint64_t address);
  size_t countArguments() const { return views.size(); }

  const std::vector<BoundLaunch> &getLaunches() const { return launches; }

private:
  friend class Function;

  /// An array that a launch takes, as a view of an argument of the function or
  /// of the memory, which starts `offset` bytes after its address.
  struct View {
    size_t launch;
    size_t argument;
    uint64_t offset;
  };
  /// A workspace of a launch, which starts `offset` bytes after the memory's
  /// address.
  struct Workspace {
    size_t launch;
    size_t index;
    uint64_t offset;
  };

  void addViews(size_t launch, const std::vector<KernelArgument> &arguments,
                uint64_t memory);

  /// The metadata to which the launches point.
  std::shared_ptr<const ModuleMetadata> module;
  const HostFunction *function = nullptr;
  std::vector<BoundLaunch> launches;
  /// Nothing for a launch whose grid is empty.
  std::vector<std::optional<PreparedLaunch>> prepared;
  /// The views of each argument of the function, and those of the memory.
  std::vector<std::vector<View>> views;
  std::vector<View> temporaries;
  std::vector<Workspace> workspaces;
  /// The memory, if the call has allocated it, and the constants.
  std::vector<DeviceBuffer> memory;
  std::shared_ptr<const std::vector<DeviceBuffer>> constants;
};

/// A function with its kernels loaded on a device.
class Function {
public:
  /// Loads the kernels of the function `name` of `module` from `binary` (a
  /// cubin).
  static Result<Function> load(const CudaDevice &device,
                               std::string_view binary,
                               const ModuleMetadata &module,
                               const std::string &name);

  /// Loads the function from a module that is loaded.
  static Result<Function> load(const KernelModule &module,
                               const std::string &name);

  const HostFunction &getMetadata() const { return *function; }

  /// Checks the arguments, which must stay where they are, and allocates the
  /// memory that a call needs.
  Result<PreparedCall>
  prepare(const std::vector<KernelArgument> &arguments) const;

  /// Returns the bytes of the memory that a call needs: its temporaries and the
  /// workspaces of its kernels.
  Result<int64_t>
  getMemoryBytes(const std::vector<KernelArgument> &arguments) const;
  /// Prepares a call whose memory the caller has allocated. Its address
  /// `memory` is aligned to 256 bytes, and not 0 even if it has no bytes.
  Result<PreparedCall> prepareIn(const std::vector<KernelArgument> &arguments,
                                 uint64_t memory) const;

private:
  /// A call that is bound, and the bytes of its memory.
  struct Bound {
    PreparedCall call;
    int64_t bytes;
  };

  explicit Function(const CudaDevice &device) : device(device) {}

  Status loadConstants();
  Result<Bound> bind(const std::vector<KernelArgument> &arguments,
                     uint64_t memory) const;

  CudaDevice device;
  std::shared_ptr<const ModuleMetadata> module;
  const HostFunction *function = nullptr;
  /// Kernels by name.
  std::map<std::string, Kernel> kernels;
  /// The temporaries that are constants, in order.
  std::shared_ptr<const std::vector<DeviceBuffer>> constants;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_FUNCTION_H
