// Kernel.cpp - the runtime as a C library: facts about a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Objects.h"

using namespace tile;
using namespace tile::capi;

/// Returns the values as a list, with TILE_DYNAMIC for values that are known
/// only at run time.
static std::vector<int64_t>
listValues(const std::vector<runtime::StaticOrRunTime> &values) {
  std::vector<int64_t> list;
  for (const runtime::StaticOrRunTime &value : values)
    list.push_back(value.value_or(TILE_DYNAMIC));
  return list;
}

capi::Kernel::Kernel(runtime::Kernel loaded) : kernel(std::move(loaded)) {
  for (const runtime::Argument &argument : kernel.getMetadata().arguments) {
    shapes.push_back(listValues(argument.shape));
    strides.push_back(listValues(argument.strides));
  }
}

TILE_C_EXPORT tile_status tile_kernel_destroy(tile_kernel *kernel) {
  return removeHandle(kernel, capi::Kernel::kKind);
}

TILE_C_EXPORT tile_status tile_kernel_get_info(const tile_kernel *kernel,
                                               tile_kernel_info *info) {
  std::shared_ptr<capi::Kernel> found;
  if (tile_status status = findHandle(kernel, found))
    return status;
  if (tile_status status = prepareInfo("tile_kernel_info", info))
    return status;
  const runtime::KernelMetadata &metadata = found->kernel.getMetadata();
  info->name = metadata.name.c_str();
  info->arch = metadata.arch.c_str();
  for (int axis = 0; axis < 3; ++axis) {
    info->block[axis] = metadata.block[axis];
    info->cluster[axis] = metadata.cluster[axis];
  }
  info->shared_bytes = metadata.sharedBytes;
  info->num_arguments = metadata.arguments.size();
  info->num_entries = metadata.entries.size();
  info->num_workspaces = metadata.hiddenArguments.size();
  info->has_grid = metadata.grid.has_value();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_kernel_get_argument(const tile_kernel *kernel,
                                                   size_t index,
                                                   tile_argument_info *info) {
  std::shared_ptr<capi::Kernel> found;
  if (tile_status status = findHandle(kernel, found))
    return status;
  if (tile_status status = prepareInfo("tile_argument_info", info))
    return status;
  const auto &arguments = found->kernel.getMetadata().arguments;
  if (tile_status status = expectIndex("argument", index, arguments.size()))
    return status;
  const runtime::Argument &argument = arguments[index];
  bool isArray = argument.kind == runtime::Argument::Kind::Array;
  info->name = argument.name.c_str();
  info->type = runtime::getElementTypeName(argument.type);
  info->rank =
      isArray ? static_cast<int32_t>(argument.shape.size()) : TILE_SCALAR;
  info->reads = argument.access != runtime::Access::Write;
  info->writes = argument.access != runtime::Access::Read;
  info->shape = found->shapes[index].data();
  info->strides = found->strides[index].data();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_kernel_get_entry(const tile_kernel *kernel,
                                                size_t index,
                                                tile_entry_info *info) {
  std::shared_ptr<capi::Kernel> found;
  if (tile_status status = findHandle(kernel, found))
    return status;
  if (tile_status status = prepareInfo("tile_entry_info", info))
    return status;
  const auto &entries = found->kernel.getMetadata().entries;
  if (tile_status status = expectIndex("entry point", index, entries.size()))
    return status;
  runtime::Result<int> blocks = found->kernel.getOccupancy(index);
  if (!blocks)
    return failWith(blocks.error());
  const runtime::EntryPoint &entry = entries[index];
  info->symbol = entry.symbol.c_str();
  info->registers = entry.registers.value_or(TILE_UNKNOWN);
  info->spill_store_bytes = entry.spillStoreBytes.value_or(TILE_UNKNOWN);
  info->spill_load_bytes = entry.spillLoadBytes.value_or(TILE_UNKNOWN);
  info->stack_bytes = entry.stackBytes.value_or(TILE_UNKNOWN);
  info->blocks_per_multiprocessor = *blocks;
  const runtime::KernelMetadata &metadata = found->kernel.getMetadata();
  const std::array<int64_t, 3> &block = getBlock(metadata, index);
  std::copy(block.begin(), block.end(), info->block);
  info->shared_bytes = getSharedBytes(metadata, index);
  return TILE_STATUS_OK;
}
