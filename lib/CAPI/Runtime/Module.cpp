// Module.cpp - the runtime as a C library: binaries with their kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Objects.h"

using namespace tile;
using namespace tile::capi;
using runtime::concat;

TILE_C_EXPORT tile_status tile_module_load(const tile_device *device,
                                           const void *binary, size_t size,
                                           const char *metadata,
                                           tile_module **module) {
  if (tile_status status = resetOutput(module, "module"))
    return status;
  std::shared_ptr<Device> found;
  if (tile_status status = findHandle(device, found))
    return status;
  if (tile_status status = expectPointer(binary, "binary"))
    return status;
  if (tile_status status = expectPointer(metadata, "metadata"))
    return status;
  runtime::Result<runtime::ModuleMetadata> read =
      runtime::fromJson(metadata, "metadata");
  if (!read)
    return failWith(read.error(), TILE_STATUS_INVALID_FILE);
  return addResult<Module>(
      runtime::KernelModule::load(found->device,
                                  {static_cast<const char *>(binary), size},
                                  std::move(*read)),
      module, TILE_STATUS_INVALID_FILE);
}

TILE_C_EXPORT tile_status tile_module_load_file(const tile_device *device,
                                                const char *path,
                                                const char *metadata,
                                                tile_module **module) {
  if (tile_status status = resetOutput(module, "module"))
    return status;
  std::shared_ptr<Device> found;
  if (tile_status status = findHandle(device, found))
    return status;
  if (tile_status status = expectPointer(path, "path"))
    return status;
  return addResult<Module>(runtime::KernelModule::loadFile(
                               found->device, path, metadata ? metadata : ""),
                           module, TILE_STATUS_INVALID_FILE);
}

TILE_C_EXPORT tile_status tile_module_destroy(tile_module *module) {
  return removeHandle(module, Module::kKind);
}

TILE_C_EXPORT tile_status tile_module_count_kernels(const tile_module *module,
                                                    size_t *count) {
  if (tile_status status = resetOutput(count, "count"))
    return status;
  std::shared_ptr<Module> found;
  if (tile_status status = findHandle(module, found))
    return status;
  *count = found->module.getMetadata().kernels.size();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_module_get_kernel_name(const tile_module *module,
                                                      size_t index,
                                                      const char **name) {
  if (tile_status status = resetOutput(name, "name"))
    return status;
  std::shared_ptr<Module> found;
  if (tile_status status = findHandle(module, found))
    return status;
  const auto &kernels = found->module.getMetadata().kernels;
  if (tile_status status = expectIndex("kernel", index, kernels.size()))
    return status;
  *name = kernels[index].name.c_str();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_module_get_kernel(const tile_module *module,
                                                 const char *name,
                                                 tile_kernel **kernel) {
  if (tile_status status = resetOutput(kernel, "kernel"))
    return status;
  std::shared_ptr<Module> found;
  if (tile_status status = findHandle(module, found))
    return status;
  if (tile_status status = expectPointer(name, "name"))
    return status;
  return addResult<Kernel>(found->module.getKernel(name), kernel);
}
