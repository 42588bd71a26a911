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
  if (Status status = loaded.loadConstants(); !status)
    return status.takeError();
  return loaded;
}

Status Function::loadConstants() {
  auto loaded = std::make_shared<std::vector<DeviceBuffer>>();
  for (const Temporary &temporary : function->temporaries) {
    if (temporary.content.empty())
      continue;
    Result<DeviceBuffer> buffer = DeviceBuffer::allocate(
        device, static_cast<int64_t>(temporary.content.size()));
    if (!buffer)
      return buffer.takeError();
    if (Status status = buffer->upload(temporary.content.data()); !status)
      return status;
    loaded->push_back(std::move(*buffer));
  }
  constants = std::move(loaded);
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// Parts of the memory of a call, one after the other.
struct Layout {
  static constexpr int64_t kAlignment = 256;

  /// Appends a part of `size` bytes, and returns its offset.
  Result<uint64_t> append(int64_t size) {
    int64_t offset = bytes, rounded;
    if (__builtin_add_overflow(size, kAlignment - 1, &rounded) ||
        __builtin_add_overflow(bytes, rounded / kAlignment * kAlignment,
                               &bytes))
      return inputError("expected memory of fewer than 2^63 bytes, found ",
                        offset, " + ", size);
    return static_cast<uint64_t>(offset);
  }

  int64_t bytes = 0;
};
} // namespace

static Status checkMemory(const HostFunction &function, uint64_t address) {
  if (address != 0 && address % Layout::kAlignment == 0)
    return success();
  return inputError("function '", function.name,
                    "': expected memory at a multiple of ", Layout::kAlignment,
                    " bytes, found it at ", address);
}

/// Returns the address of each temporary: that of a constant, or one in
/// `memory`.
static Result<std::vector<uint64_t>>
placeTemporaries(const HostFunction &function,
                 const std::vector<int64_t> &sizes,
                 const std::vector<DeviceBuffer> &constants, uint64_t memory,
                 Layout &layout) {
  std::vector<uint64_t> addresses;
  size_t numConstants = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!function.temporaries[i].content.empty()) {
      addresses.push_back(constants[numConstants++].getAddress());
      continue;
    }
    Result<uint64_t> offset = layout.append(sizes[i]);
    if (!offset)
      return offset.takeError();
    addresses.push_back(memory + *offset);
  }
  return addresses;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Result<Function::Bound>
Function::bind(const std::vector<KernelArgument> &arguments,
               uint64_t memory) const {
  Result<std::vector<int64_t>> sizes = getTemporaryBytes(*function, arguments);
  if (!sizes)
    return sizes.takeError();
  Layout layout;
  Result<std::vector<uint64_t>> addresses =
      placeTemporaries(*function, *sizes, *constants, memory, layout);
  if (!addresses)
    return addresses.takeError();
  Result<std::vector<BoundLaunch>> launches =
      bindLaunches(*module, *function, arguments, *addresses);
  if (!launches)
    return launches.takeError();

  PreparedCall call;
  call.module = module;
  call.function = function;
  call.constants = constants;
  call.launches = std::move(*launches);
  call.views.resize(arguments.size());
  for (size_t i = 0; i < call.launches.size(); ++i) {
    const BoundLaunch &launch = call.launches[i];
    LaunchOptions options;
    options.grid = launch.grid;
    for (int64_t bytes : launch.plan.hiddenBytes) {
      Result<uint64_t> offset = layout.append(bytes);
      if (!offset)
        return offset.takeError();
      call.workspaces.push_back({i, options.workspaces.size(), *offset});
      options.workspaces.push_back(memory + *offset);
    }
    call.prepared.emplace_back();
    if (launch.plan.isEmpty())
      continue;
    call.addViews(i, arguments, memory);
    Result<PreparedLaunch> prepared = PreparedLaunch::create(
        kernels.at(launch.kernel->name), launch.arguments, options);
    if (!prepared)
      return prepared.takeError();
    call.prepared.back() = std::move(*prepared);
  }
  return Bound{std::move(call), layout.bytes};
}

/// Adds the views that a launch takes.
void PreparedCall::addViews(size_t launch,
                            const std::vector<KernelArgument> &arguments,
                            uint64_t memory) {
  const std::vector<LaunchArgument> &given =
      function->launches[launch].arguments;
  for (size_t i = 0; i < given.size(); ++i) {
    const auto *view = std::get_if<ArrayView>(&launches[launch].arguments[i]);
    if (!view)
      continue;
    if (given[i].kind == LaunchArgument::Kind::Array) {
      const auto &base = *std::get_if<ArrayView>(&arguments[given[i].index]);
      views[given[i].index].push_back(
          {launch, i, view->address - base.address});
    } else if (function->temporaries[given[i].index].content.empty()) {
      temporaries.push_back({launch, i, view->address - memory});
    }
  }
}

Result<PreparedCall>
Function::prepare(const std::vector<KernelArgument> &arguments) const {
  // The size does not depend on the address.
  Result<Bound> bound = bind(arguments, Layout::kAlignment);
  if (!bound)
    return bound.takeError();
  Result<DeviceBuffer> memory = DeviceBuffer::allocate(device, bound->bytes);
  if (!memory)
    return runtimeError("function '", function->name,
                        "': ", memory.error().message);
  PreparedCall &call = bound->call;
  if (Status status = call.setMemory(memory->getAddress()); !status)
    return status.takeError();
  call.memory.push_back(std::move(*memory));
  return std::move(call);
}

Result<int64_t>
Function::getMemoryBytes(const std::vector<KernelArgument> &arguments) const {
  // The size does not depend on the address.
  Result<Bound> bound = bind(arguments, Layout::kAlignment);
  if (!bound)
    return bound.takeError();
  return bound->bytes;
}

Result<PreparedCall>
Function::prepareIn(const std::vector<KernelArgument> &arguments,
                    uint64_t memory) const {
  if (Status status = checkMemory(*function, memory); !status)
    return status.takeError();
  Result<Bound> bound = bind(arguments, memory);
  if (!bound)
    return bound.takeError();
  return std::move(bound->call);
}

Status PreparedCall::setAddress(size_t argument, uint64_t address) {
  if (argument >= views.size())
    return inputError("function '", function->name,
                      "': expected an argument below ", views.size(),
                      ", found ", argument);
  if (function->arguments[argument].kind != Argument::Kind::Array)
    return inputError("function '", function->name, "': argument ", argument,
                      " ('", function->arguments[argument].name,
                      "'): expected an array, found a scalar");
  const std::vector<View> &found = views[argument];
  for (size_t i = 0; i < found.size(); ++i) {
    PreparedLaunch &launch = *prepared[found[i].launch];
    uint64_t before = launch.getAddress(found[i].argument);
    Status status =
        launch.setAddress(found[i].argument, address + found[i].offset);
    if (status)
      continue;
    // The launches before take the array that they had.
    uint64_t old = before - found[i].offset;
    for (size_t j = 0; j < i; ++j)
      (void)prepared[found[j].launch]->setAddress(found[j].argument,
                                                  old + found[j].offset);
    return inputError("function '", function->name, "': launch ",
                      found[i].launch, ": ", status.error().message);
  }
  return success();
}

Status PreparedCall::setMemory(uint64_t address) {
  if (Status status = checkMemory(*function, address); !status)
    return status;
  for (const View &view : temporaries)
    (void)prepared[view.launch]->setAddress(view.argument,
                                            address + view.offset);
  for (const Workspace &workspace : workspaces)
    if (prepared[workspace.launch])
      prepared[workspace.launch]->setWorkspace(workspace.index,
                                               address + workspace.offset);
  return success();
}

Status PreparedCall::launch(CudaStream stream) const {
  for (const std::optional<PreparedLaunch> &launch : prepared) {
    if (!launch)
      continue;
    if (Status status = launch->launch(stream); !status)
      return status;
  }
  return success();
}
