// GradientPass.cpp - the pass that creates kernels of derivatives
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CustomDerivative.h"

#include "tile/Gradient/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {
#define GEN_PASS_DEF_GRADIENTPASS
#include "tile/Gradient/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct GradientPass : tile::impl::GradientPassBase<GradientPass> {
  using GradientPassBase::GradientPassBase;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    for (auto op : getOperation().getOps<KernelOp>())
      if (kernel.empty() ? !isCustomDerivative(op) : op.getSymName() == kernel)
        kernels.push_back(op);
    if (kernels.empty() && !kernel.empty()) {
      getOperation()->emitError("expected a kernel '")
          << kernel << "', got a module without";
      return signalPassFailure();
    }
    GradientOptions options;
    options.mode = mode;
    options.inputs.assign(inputs.begin(), inputs.end());
    options.outputs.assign(outputs.begin(), outputs.end());
    options.saved.assign(saved.begin(), saved.end());
    options.allowsAtomics = atomics;
    options.keepsSegments = segments;
    options.accumulates = accumulate;
    options.storesOutputs = values;
    for (KernelOp op : kernels)
      if (failed(buildGradient(op, options)))
        return signalPassFailure();
  }
};
} // namespace
