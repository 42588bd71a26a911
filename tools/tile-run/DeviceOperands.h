// DeviceOperands.h - copies of tile-run's array arguments on a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILERUN_DEVICEOPERANDS_H
#define TILE_TOOLS_TILERUN_DEVICEOPERANDS_H

#include "Operand.h"
#include "tile/Runtime/Runtime.h"

#include <optional>
#include <vector>

namespace tile::runtime {

/// The operands' arrays on the device.
class DeviceOperands {
public:
  /// Copies the arrays to `device`.
  static Result<DeviceOperands> create(const CudaDevice &device,
                                       std::vector<Operand> &operands);

  /// Save and restore the contents of arrays that the kernel reads and writes.
  Status keepInitialValues(const CudaDevice &device,
                           const std::vector<Operand> &operands);
  Status restoreInitialValues();

  /// Copies back to the host those arrays that the kernel writes.
  Status download(std::vector<Operand> &operands);

  std::vector<KernelArgument> arguments;

private:
  /// The array of each operand on the device; empty for scalars.
  std::vector<std::optional<DeviceBuffer>> buffers;
  std::vector<std::optional<DeviceBuffer>> initialValues;
};

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_DEVICEOPERANDS_H
