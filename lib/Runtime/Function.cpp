// Function.cpp - run functions of the host on a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/Function.h"

using namespace tile::runtime;

Result<Function> Function::load(const CudaDevice &device,
                                std::string_view binary,
                                const ModuleMetadata &module,
                                const std::string &name) {
  Result<KernelModule> loaded = KernelModule::load(device, binary, module);
  if (!loaded)
    return loaded.takeError();
  return load(*loaded, name);
}

Result<Function> Function::load(const KernelModule &module,
                                const std::string &name) {
  Function loaded(module.getDevice());
  loaded.module = std::make_shared<const ModuleMetadata>(module.getMetadata());
  loaded.function = findFunction(*loaded.module, name);
  if (!loaded.function)
    return inputError("expected the name of a function, found '", name, "'");
  for (const Launch &launch : loaded.function->launches) {
    if (loaded.kernels.count(launch.kernel))
      continue;
    Result<Kernel> kernel = module.getKernel(launch.kernel);
    if (!kernel)
      return kernel.takeError();
    loaded.kernels.emplace(launch.kernel, std::move(*kernel));
  }
  return loaded;
}

/// Allocates `bytes` bytes and returns their address; `memory` owns them.
static Result<uint64_t> allocate(const CudaDevice &device, int64_t bytes,
                                 std::vector<DeviceBuffer> &memory) {
  Result<DeviceBuffer> buffer = DeviceBuffer::allocate(device, bytes);
  if (!buffer)
    return buffer.takeError();
  memory.push_back(std::move(*buffer));
  return memory.back().getAddress();
}

/// `what` describes the memory in an error, which is followed by an index.
static Result<std::vector<uint64_t>>
allocateAll(const CudaDevice &device, const std::vector<int64_t> &sizes,
            const std::string &what, std::vector<DeviceBuffer> &memory) {
  std::vector<uint64_t> addresses;
  for (int64_t bytes : sizes) {
    Result<uint64_t> address = allocate(device, bytes, memory);
    if (!address)
      return runtimeError(what, " ", addresses.size(), ": ",
                          address.error().message);
    addresses.push_back(*address);
  }
  return addresses;
}

Result<PreparedCall>
Function::prepare(const std::vector<KernelArgument> &arguments) const {
  Result<std::vector<int64_t>> sizes = getTemporaryBytes(*function, arguments);
  if (!sizes)
    return sizes.takeError();
  PreparedCall call;
  call.module = module;
  Result<std::vector<uint64_t>> temporaries = allocateAll(
      device, *sizes, concat("function '", function->name, "': temporary"),
      call.memory);
  if (!temporaries)
    return temporaries.takeError();
  for (size_t i = 0; i < function->temporaries.size(); ++i) {
    const std::string &content = function->temporaries[i].content;
    if (content.empty())
      continue;
    if (Status status = call.memory[i].upload(content.data()); !status)
      return status.takeError();
  }
  Result<std::vector<BoundLaunch>> launches =
      bindLaunches(*module, *function, arguments, *temporaries);
  if (!launches)
    return launches.takeError();
  call.launches = std::move(*launches);
  for (const BoundLaunch &launch : call.launches) {
    Result<std::vector<uint64_t>> workspaces = allocateAll(
        device, launch.plan.hiddenBytes,
        concat("kernel '", launch.kernel->name, "': workspace"), call.memory);
    if (!workspaces)
      return workspaces.takeError();
    call.workspaces.push_back(std::move(*workspaces));
    call.kernels.push_back(kernels.at(launch.kernel->name));
  }
  return call;
}

Status PreparedCall::launch(CudaStream stream) const {
  for (size_t i = 0; i < launches.size(); ++i) {
    if (launches[i].plan.isEmpty())
      continue;
    LaunchOptions options;
    options.grid = launches[i].grid;
    options.stream = stream;
    options.workspaces = workspaces[i];
    if (Result<LaunchPlan> done =
            kernels[i].launch(launches[i].arguments, options);
        !done)
      return done.takeError();
  }
  return success();
}
