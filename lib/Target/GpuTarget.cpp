// GpuTarget.cpp - the binary of a gpu.module
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"
#include "tile/Target/AssembleCubin.h"
#include "tile/Target/EmitPTX.h"
#include "tile/Target/GpuModules.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tile;

using Bytes = SmallVector<char, 0>;

/// Returns the file `name` in `folder` of the CUDA toolkit, whose own folder is
/// an option of gpu-module-to-binary.
static ToolkitFile getFile(const gpu::TargetOptions &options, StringRef folder,
                           StringRef name) {
  ToolkitFile file;
  file.advice = "give the folder of the CUDA toolkit as 'toolkit' of "
                "gpu-module-to-binary";
  if (options.getToolkitPath().empty())
    return file;
  SmallString<128> path(options.getToolkitPath());
  llvm::sys::path::append(path, folder, name);
  file.path = path.str().str();
  return file;
}

/// Copies the kernels to a module of their own.
static OwningOpRef<ModuleOp> copyKernels(gpu::GPUModuleOp source) {
  OwningOpRef<ModuleOp> copy = ModuleOp::create(source.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(copy->getBody());
  for (Operation &op : *source.getBody())
    builder.clone(op);
  return copy;
}

static Bytes toBytes(StringRef text) { return Bytes(text.begin(), text.end()); }

/// Converts PTX to the format that `options` requests.
static FailureOr<Bytes> assemble(gpu::GPUModuleOp source, StringRef ptx,
                                 const Architecture &architecture,
                                 const gpu::TargetOptions &options) {
  if (options.getCompilationTarget() == gpu::CompilationTarget::Assembly) {
    // The text ends with a null character, as that of upstream's targets does,
    // for users that expect a C string.
    Bytes text = toBytes(ptx);
    text.push_back('\0');
    return text;
  }
  AssembleCubinOptions cubinOptions;
  cubinOptions.ptxas = getFile(options, "bin", "ptxas");
  FailureOr<AssembledCubin> assembled =
      assembleCubin(source.getLoc(), ptx, architecture, cubinOptions);
  if (failed(assembled))
    return failure();
  if (options.getCompilationTarget() == gpu::CompilationTarget::Binary)
    return toBytes(assembled->cubin);
  FailureOr<std::string> fatbin =
      joinFatbin(source.getLoc(), {{&architecture, assembled->cubin}},
                 getFile(options, "bin", "fatbinary"));
  if (failed(fatbin))
    return failure();
  return toBytes(*fatbin);
}

namespace {
struct GpuTargetModel final
    : gpu::TargetAttrInterface::ExternalModel<GpuTargetModel, GpuTargetAttr> {
  std::optional<Bytes>
  serializeToObject(Attribute attribute, Operation *op,
                    const gpu::TargetOptions &options) const;
  Attribute createObject(Attribute attribute, Operation *op,
                         const Bytes &object,
                         const gpu::TargetOptions &options) const;
};
} // namespace

std::optional<Bytes>
GpuTargetModel::serializeToObject(Attribute attribute, Operation *op,
                                  const gpu::TargetOptions &options) const {
  auto source = cast<gpu::GPUModuleOp>(op);
  StringRef name = cast<GpuTargetAttr>(attribute).getArch();
  const Architecture *architecture = findArchitecture(name);
  if (!architecture) {
    source.emitError("expected #tile.gpu_target of architecture ")
        << listArchitectures() << ", got '" << name << "'";
    return std::nullopt;
  }
  if (options.getCompilationTarget() == gpu::CompilationTarget::Offload) {
    source.emitError("expected 'format' of gpu-module-to-binary to be isa, bin "
                     "or fatbin, got llvm");
    return std::nullopt;
  }
  EmitPTXOptions ptxOptions;
  ptxOptions.libdevice = getFile(options, "nvvm/libdevice", "libdevice.10.bc");
  OwningOpRef<ModuleOp> kernels = copyKernels(source);
  FailureOr<EmittedPTX> emitted = emitPTX(*kernels, *architecture, ptxOptions);
  if (failed(emitted))
    return std::nullopt;
  if (auto callback = options.getISACallback())
    callback(emitted->ptx);
  FailureOr<Bytes> object =
      assemble(source, emitted->ptx, *architecture, options);
  if (failed(object))
    return std::nullopt;
  return std::move(*object);
}

Attribute
GpuTargetModel::createObject(Attribute attribute, Operation *op,
                             const Bytes &object,
                             const gpu::TargetOptions &options) const {
  Builder builder(attribute.getContext());
  // The object gets upstream's target, so that its users need not know this
  // project's.
  auto target = NVVM::NVVMTargetAttr::get(
      attribute.getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda",
      cast<GpuTargetAttr>(attribute).getArch());
  return builder.getAttr<gpu::ObjectAttr>(
      target, options.getCompilationTarget(),
      builder.getStringAttr(StringRef(object.data(), object.size())),
      /*properties=*/DictionaryAttr(), /*kernels=*/gpu::KernelTableAttr());
}

void tile::registerGpuTargets(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TileDialect *) {
    GpuTargetAttr::attachInterface<GpuTargetModel>(*context);
  });
}
