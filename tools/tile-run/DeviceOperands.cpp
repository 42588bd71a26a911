// DeviceOperands.cpp - copies of tile-run's array arguments on a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceOperands.h"

using namespace tile::runtime;

Result<DeviceOperands> DeviceOperands::create(const CudaDevice &device,
                                              std::vector<Operand> &operands) {
  DeviceOperands copies;
  copies.arguments = getArguments(operands);
  for (size_t i = 0; i < operands.size(); ++i) {
    copies.buffers.emplace_back();
    copies.initialValues.emplace_back();
    if (!operands[i].isArray())
      continue;
    Result<DeviceBuffer> buffer =
        DeviceBuffer::allocate(device, operands[i].data->size());
    if (!buffer)
      return buffer.takeError();
    if (Status status = buffer->upload(operands[i].data->data()); !status)
      return status.takeError();
    std::get<ArrayView>(copies.arguments[i]).address =
        buffer->getAddress() + static_cast<uint64_t>(operands[i].offsetBytes);
    copies.buffers.back().emplace(std::move(*buffer));
  }
  return copies;
}

Status DeviceOperands::keepInitialValues(const CudaDevice &device,
                                         const std::vector<Operand> &operands) {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].isReadAndWritten())
      continue;
    Result<DeviceBuffer> copy =
        DeviceBuffer::allocate(device, buffers[i]->size());
    if (!copy)
      return copy.takeError();
    if (Status status = copy->copyFrom(*buffers[i]); !status)
      return status;
    initialValues[i].emplace(std::move(*copy));
  }
  return success();
}

Status DeviceOperands::restoreInitialValues() {
  for (size_t i = 0; i < buffers.size(); ++i)
    if (initialValues[i])
      if (Status status = buffers[i]->copyFrom(*initialValues[i]); !status)
        return status;
  return success();
}

Status DeviceOperands::download(std::vector<Operand> &operands) {
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i].isWritten())
      if (Status status = buffers[i]->download(operands[i].data->data());
          !status)
        return status;
  return success();
}
