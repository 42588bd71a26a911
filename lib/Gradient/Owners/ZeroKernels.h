// ZeroKernels.h - kernels that fill arrays of gradients with zeros
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_ZEROKERNELS_H
#define TILE_LIB_GRADIENT_ZEROKERNELS_H

#include "../LaunchFunction.h"

namespace tile {

/// Kernels, one for each type of array, that fill an array with zeros.
class ZeroKernels {
public:
  /// The kernels are created before `kernel`, under the name of the derivative
  /// followed by `__zero`.
  ZeroKernels(KernelOp kernel, llvm::StringRef name, LaunchFunction &host)
      : kernel(kernel), name(name), host(host) {}

  /// Launches a kernel that fills an array of the host, unless the condition
  /// `isCovered` holds; null does not hold.
  void launch(mlir::Value array, mlir::Value isCovered = {});

private:
  KernelOp getKernel(mlir::MemRefType type);
  KernelOp createKernel(mlir::MemRefType type);

  KernelOp kernel;
  llvm::StringRef name;
  LaunchFunction &host;
  llvm::MapVector<mlir::Type, KernelOp> kernels;
};

} // namespace tile

#endif // TILE_LIB_GRADIENT_ZEROKERNELS_H
