// Device.cpp - the runtime as a C library: the library and devices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Objects.h"

using namespace tile;
using namespace tile::capi;

TILE_C_EXPORT uint32_t tile_runtime_api_version(void) {
  return TILE_API_VERSION;
}

TILE_C_EXPORT const char *tile_runtime_last_error(void) {
  return getLastError();
}

TILE_C_EXPORT tile_status tile_device_count(int32_t *count) {
  if (tile_status status = resetOutput(count, "count"))
    return status;
  runtime::Result<int> found = runtime::countCudaDevices();
  if (!found)
    return failWith(found.error());
  *count = *found;
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_device_open(uint32_t api_version,
                                           int32_t ordinal,
                                           tile_device **device) {
  if (tile_status status = resetOutput(device, "device"))
    return status;
  if (tile_status status = expectVersion(api_version))
    return status;
  runtime::Result<runtime::CudaDevice> opened =
      runtime::CudaDevice::open(ordinal);
  if (!opened)
    return failWith(opened.error(), TILE_STATUS_OUT_OF_RANGE);
  std::string arch = opened->getArch();
  addHandle(std::make_shared<Device>(Device{std::move(*opened), arch}), device);
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_device_destroy(tile_device *device) {
  return removeHandle(device, Device::kKind);
}

TILE_C_EXPORT tile_status tile_device_get_info(const tile_device *device,
                                               tile_device_info *info) {
  std::shared_ptr<Device> found;
  if (tile_status status = findHandle(device, found))
    return status;
  if (tile_status status = prepareInfo("tile_device_info", info))
    return status;
  info->name = found->device.getName().c_str();
  info->arch = found->arch.c_str();
  info->max_shared_bytes = found->device.getMaxSharedBytes();
  info->multiprocessors = found->device.countMultiprocessors();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_device_synchronize(const tile_device *device) {
  std::shared_ptr<Device> found;
  if (tile_status status = findHandle(device, found))
    return status;
  return toStatus(found->device.synchronize());
}
