// Registration.cpp - registration of all dialects, passes and pipelines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Registration.h"

#include "OldPassNames.h"
#include "tile/Algorithms/RegisterAlgorithms.h"
#include "tile/Analysis/InstructionEstimate.h"
#include "tile/Conversion/LinalgToTile.h"
#include "tile/Conversion/Passes.h"
#include "tile/Conversion/TileToCPU.h"
#include "tile/Conversion/TileToNVGPU.h"
#include "tile/Gradient/Passes.h"
#include "tile/Gradient/RegisterDerivatives.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Pipelines/TileToCPU.h"
#include "tile/Pipelines/TileToNVVM.h"
#include "tile/Transforms/MatmulDistribution.h"
#include "tile/Transforms/Passes.h"
#include "tile/VerifyTarget/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void tile::registerAllDialects(DialectRegistry &registry) {
  registry.insert<TileDialect, tile_gpu::TileGpuDialect, affine::AffineDialect,
                  arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, nvgpu::NVGPUDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  registerAlgorithms(registry);
  registerDerivatives(registry);
  registerMatmulCosts(registry);
  registerMatmulDistributions(registry);
  registerTileToCPUDialects(registry);
  registerLinalgToTileDialects(registry);
  func::registerInlinerExtension(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void tile::registerAllPasses() {
  registerTileConversionPasses();
  registerTileLinalgToTilePasses();
  registerTileGradientPasses();
  registerTileTargetPasses();
  registerTileTransformsPasses();
  registerTileToNVGPUPasses();
  registerTransformsPasses(); // upstream's: canonicalize, cse, inline, ...
}

void tile::registerAllPipelines() {
  // MLIR refuses to register a second pipeline with the same name.
  static const bool registered = [] {
    registerTileToNVVM();
    registerTileToCPU();
    registerOldPassNames();
    return true;
  }();
  (void)registered;
}
