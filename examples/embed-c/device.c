/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* device.c - loads the kernel on a GPU. The driver accepts PTX, too. */

#include "embed.h"

#include "tile-c/Runtime.h"

#include <stdio.h>

static void describe_kernel(const tile_kernel *kernel) {
  tile_kernel_info info = {.struct_size = sizeof info};
  if (tile_kernel_get_info(kernel, &info) != TILE_STATUS_OK)
    return;
  for (size_t i = 0; i < info.num_entries; ++i) {
    tile_entry_info entry = {.struct_size = sizeof entry};
    if (tile_kernel_get_entry(kernel, i, &entry) == TILE_STATUS_OK)
      printf("entry point %s: blocks of %d threads, %d at once on a "
             "multiprocessor\n",
             entry.symbol, (int)info.block[0], entry.blocks_per_multiprocessor);
  }
}

void describe_on_device(const tile_result *result) {
  int32_t devices;
  if (tile_device_count(&devices) != TILE_STATUS_OK) {
    printf("no GPU: %s\n", tile_runtime_last_error());
    return;
  }
  const char *ptx, *metadata;
  size_t size;
  tile_result_get_output(result, TILE_OUTPUT_PTX, &ptx, &size);
  tile_result_get_output(result, TILE_OUTPUT_METADATA, &metadata, NULL);
  tile_device *device = NULL;
  tile_module *module = NULL;
  tile_kernel *kernel = NULL;
  if (tile_device_open(TILE_API_VERSION, 0, &device) == TILE_STATUS_OK &&
      tile_module_load(device, ptx, size, metadata, &module) ==
          TILE_STATUS_OK &&
      tile_module_get_kernel(module, "normalize", &kernel) == TILE_STATUS_OK)
    describe_kernel(kernel);
  else
    printf("GPU: %s\n", tile_runtime_last_error());
  tile_kernel_destroy(kernel);
  tile_module_destroy(module);
  tile_device_destroy(device);
}
