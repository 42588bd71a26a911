// Function.h - run functions of the host on a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   Result<Function> function =
//       Function::load(*device, cubin, metadata, "main");
//   Result<PreparedCall> call = function->prepare({x, weights, out});
//   Status status = call->launch(stream);

#ifndef TILE_RUNTIME_FUNCTION_H
#define TILE_RUNTIME_FUNCTION_H

#include "tile/Runtime/HostFunction.h"
#include "tile/Runtime/Runtime.h"

#include <map>

namespace tile::runtime {

/// A call of a function with given arguments, and the memory that it needs in
/// addition to them. One call runs at a time: the next starts when the last has
/// ended, as in one stream.
class PreparedCall {
public:
  /// Launches all kernels, and does not wait for them. Allocates nothing, so it
  /// may be captured in a graph.
  Status launch(CudaStream stream = nullptr) const;

  const std::vector<BoundLaunch> &getLaunches() const { return launches; }

private:
  friend class Function;

  /// The metadata to which the launches point.
  std::shared_ptr<const ModuleMetadata> module;
  std::vector<BoundLaunch> launches;
  /// The kernel and the workspaces of each launch.
  std::vector<Kernel> kernels;
  std::vector<std::vector<uint64_t>> workspaces;
  std::vector<DeviceBuffer> memory;
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

private:
  explicit Function(const CudaDevice &device) : device(device) {}

  CudaDevice device;
  std::shared_ptr<const ModuleMetadata> module;
  const HostFunction *function = nullptr;
  /// Kernels by name.
  std::map<std::string, Kernel> kernels;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_FUNCTION_H
