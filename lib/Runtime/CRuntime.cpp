// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- CRuntime.cpp - load and launch kernels from C ----------------------===//

#include "tile/Runtime/CRuntime.h"

#include "tile/Runtime/Npy.h"
#include "tile/Runtime/Runtime.h"

#include <cstdlib>
#include <cstring>

using namespace tile::runtime;

/// The C interface's handle is the C++ kernel.
struct tile_kernel {
  Kernel kernel;
};

/// Hands `message` to the caller, if they want it.
static void setError(char **error, const std::string &message) {
  if (error)
    *error = strdup(message.c_str());
}

/// Reads the arguments of a C launch.
static Result<std::vector<KernelArgument>>
readArguments(const KernelMetadata &kernel, const tile_argument *arguments,
              size_t count) {
  std::vector<KernelArgument> converted;
  for (size_t i = 0; i < count; ++i) {
    const tile_argument &argument = arguments[i];
    // Beyond the kernel's arguments only the number matters.
    ElementType type = i < kernel.arguments.size() ? kernel.arguments[i].type
                                                   : ElementType::I8;
    if (argument.type) {
      std::optional<ElementType> named = parseElementType(argument.type);
      if (!named)
        return inputError("argument ", i, ": expected an element type, found '",
                          argument.type, "'");
      type = *named;
    }
    if (argument.rank < 0) {
      ScalarValue scalar;
      scalar.type = type;
      if (!argument.data)
        return inputError("argument ", i,
                          ": expected a pointer to a value, found null");
      std::memcpy(scalar.bytes.data(), argument.data,
                  static_cast<size_t>(getByteSize(type)));
      converted.push_back(scalar);
      continue;
    }
    if (argument.rank > 0 && !argument.sizes)
      return inputError("argument ", i, ": expected sizes, found null");
    ArrayView array;
    array.type = type;
    array.address = reinterpret_cast<uintptr_t>(argument.data);
    array.sizes.assign(argument.sizes, argument.sizes + argument.rank);
    if (argument.strides)
      array.strides.assign(argument.strides, argument.strides + argument.rank);
    else if (getDenseBytes(array.sizes, 1))
      array.strides = getDenseStrides(array.sizes, /*fortranOrder=*/false);
    else // Refused later, for its sizes.
      array.strides.assign(array.sizes.size(), 1);
    converted.push_back(std::move(array));
  }
  return converted;
}

/// Hands a loaded kernel to the caller.
static tile_kernel *finishLoading(Result<Kernel> kernel, char **error) {
  if (kernel)
    return new tile_kernel{std::move(*kernel)};
  setError(error, kernel.error().message);
  return nullptr;
}

tile_kernel *tile_kernel_load(int device, const char *path,
                              const char *metadata, const char *kernel,
                              char **error) {
  Result<CudaDevice> opened = CudaDevice::open(device);
  if (!opened)
    return finishLoading(opened.takeError(), error);
  return finishLoading(
      Kernel::loadFile(*opened, path, kernel, metadata ? metadata : ""), error);
}

tile_kernel *tile_kernel_load_data(int device, const void *binary, size_t size,
                                   const char *metadata, const char *kernel,
                                   char **error) {
  Result<CudaDevice> opened = CudaDevice::open(device);
  if (!opened)
    return finishLoading(opened.takeError(), error);
  Result<ModuleMetadata> module = fromJson(metadata, "metadata");
  if (!module)
    return finishLoading(module.takeError(), error);
  Result<const KernelMetadata *> found =
      findKernel(*module, kernel, "metadata");
  if (!found)
    return finishLoading(found.takeError(), error);
  return finishLoading(
      Kernel::load(*opened, {static_cast<const char *>(binary), size}, **found),
      error);
}

int tile_kernel_launch(const tile_kernel *kernel,
                       const tile_argument *arguments, size_t count,
                       const int64_t grid[3], void *stream,
                       void *const *workspaces, char **error) {
  const KernelMetadata &metadata = kernel->kernel.getMetadata();
  Result<std::vector<KernelArgument>> converted =
      readArguments(metadata, arguments, count);
  if (!converted) {
    setError(error, concat("kernel '", metadata.name,
                           "': ", converted.error().message));
    return 1;
  }
  LaunchOptions options;
  options.stream = stream;
  if (grid)
    options.grid = Grid{grid[0], grid[1], grid[2]};
  for (size_t i = 0; workspaces && i < metadata.hiddenArguments.size(); ++i)
    options.workspaces.push_back(reinterpret_cast<uintptr_t>(workspaces[i]));
  Result<LaunchPlan> plan = kernel->kernel.launch(*converted, options);
  if (plan)
    return 0;
  setError(error, plan.error().message);
  return 1;
}

int tile_kernel_workspaces(const tile_kernel *kernel,
                           const tile_argument *arguments, size_t count,
                           int64_t *bytes, size_t capacity, char **error) {
  const KernelMetadata &metadata = kernel->kernel.getMetadata();
  Result<std::vector<KernelArgument>> converted =
      readArguments(metadata, arguments, count);
  Status status = converted ? checkArguments(metadata, *converted)
                            : Status(converted.takeError());
  if (!status) {
    setError(error, status.error().message);
    return -1;
  }
  Result<std::vector<int64_t>> sizes = getHiddenBytes(metadata, *converted);
  if (!sizes) {
    setError(error, sizes.error().message);
    return -1;
  }
  for (size_t i = 0; i < sizes->size() && i < capacity; ++i)
    bytes[i] = (*sizes)[i];
  return static_cast<int>(sizes->size());
}

void tile_kernel_free(tile_kernel *kernel) { delete kernel; }

void tile_free_error(char *error) { std::free(error); }
