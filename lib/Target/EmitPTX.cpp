// EmitPTX.cpp - translate the LLVM dialect to PTX
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM has two ways to report a failure: a diagnostic of the context, which
// becomes an error at the line of the tile program, and an abort. LLVM aborts
// at instructions that the architecture lacks, so these are refused before
// (VerifyTarget.h). If LLVM aborts nevertheless, this also becomes an error in
// a process that has enabled llvm::CrashRecoveryContext, as tile-compile does.

#include "tile/Target/EmitPTX.h"

#include "GenerateCode.h"
#include "JoinPTX.h"
#include "LaunchWait.h"
#include "RegisterDemand.h"
#include "SplitKernels.h"
#include "SplitLongBlocks.h"

#include "tile/Analysis/HostCode.h"
#include "tile/Conversion/WarpgroupMmaToPTX.h"
#include "tile/Target/Libdevice.h"
#include "tile/Target/LineTables.h"
#include "tile/VerifyTarget/VerifyTarget.h"

#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/BasicPtxBuilderInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tile;

namespace {
/// Converts LLVM's diagnostics to diagnostics of MLIR.
struct DiagnosticForwarder : llvm::DiagnosticHandler {
  explicit DiagnosticForwarder(ModuleOp module) : module(module) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true; // Remarks, and hints that an optimisation did not happen.
    failed = true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    emitError(getLocation(info)) << text;
    return true;
  }

  Location getLocation(const llvm::DiagnosticInfo &info) {
    // Diagnostics of these kinds have a location, and code generation reports
    // them as errors.
    const llvm::DiagnosticInfoWithLocationBase *located = nullptr;
    if (info.getKind() == llvm::DK_Unsupported)
      located = static_cast<const llvm::DiagnosticInfoUnsupported *>(&info);
    if (info.getKind() == llvm::DK_ResourceLimit ||
        info.getKind() == llvm::DK_StackSize)
      located = static_cast<const llvm::DiagnosticInfoResourceLimit *>(&info);
    if (!located || !located->isLocationAvailable())
      return module.getLoc();
    StringRef file;
    unsigned line, column;
    located->getLocation(file, line, column);
    return FileLineColLoc::get(module.getContext(), file, line, column);
  }

  ModuleOp module;
  bool failed = false;
};
} // namespace

/// Replaces operations for which LLVM has no intrinsic by inline PTX.
static void expandToInlinePTX(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateNVVMToLLVMConversionPatterns(patterns);
  populateWarpgroupMmaToPTXPatterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
}

/// Verifies the module by LLVM's verifier, and reports all of its errors, one
/// on each line.
static LogicalResult verifyModule(llvm::Module &module, ModuleOp source) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(module, &stream))
    return success();
  return source.emitError("expected valid LLVM IR, got: ")
         << StringRef(text).rtrim();
}

/// Verifies that every called function has a body, or is provided by the
/// driver.
static LogicalResult verifyResolved(llvm::Module &module, ModuleOp source) {
  for (llvm::Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() ||
        function.use_empty() || function.getName() == "vprintf" ||
        function.getName() == "__assertfail" ||
        function.getName() == "__nvvm_reflect")
      continue;
    Operation *symbol = SymbolTable::lookupSymbolIn(
        source, StringAttr::get(source.getContext(), function.getName()));
    return emitError(symbol ? symbol->getLoc() : source.getLoc())
           << "expected a body for function '" << function.getName()
           << "', which a kernel calls";
  }
  return success();
}

namespace {
/// State that is shared by the steps that emit one module.
struct PTXEmission {
  ModuleOp source;
  const Architecture &architecture;
  const EmitPTXOptions &options;
  int ptxVersion;
  std::string libdevice;
  EmittedPTX result;

  LogicalResult run(llvm::LLVMContext &context, DiagnosticForwarder &forwarder);
};
} // namespace

LogicalResult PTXEmission::run(llvm::LLVMContext &context,
                               DiagnosticForwarder &forwarder) {
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(source, context, "tile",
                              /*disableVerification=*/true);
  if (!module || failed(verifyModule(*module, source)))
    return failure();
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(architecture, ptxVersion);
  if (!machine)
    return source.emitError("expected LLVM with the NVPTX target");
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  std::string error;
  if (!libdevice.empty() && failed(linkLibdevice(*module, libdevice, error)))
    return source.emitError() << error;
  if (failed(verifyResolved(*module, source)))
    return failure();
  KernelFacts facts(*module);
  optimizeKernels(*module, *machine, facts);
  for (llvm::Argument *array : facts.readAtomically)
    array->removeAttr(llvm::Attribute::ReadOnly);
  askForRegisters(*module, architecture);
  splitLongBlocks(*module, architecture);
  if (options.keepLLVMIR) {
    llvm::raw_string_ostream stream(result.llvmIR);
    module->print(stream, nullptr);
  }
  if (failed(generateCode(*module, *machine, facts, result.ptx)))
    return source.emitError("expected LLVM's NVPTX target to write text");
  removeUnknownLines(result.ptx);
  return failure(forwarder.failed ||
                 failed(verifyLaunchWaits(source, result.ptx)));
}

/// Emits one module, guarded against LLVM's aborts.
static FailureOr<EmittedPTX> emitWhole(PTXEmission emission) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto handler = std::make_unique<DiagnosticForwarder>(emission.source);
  DiagnosticForwarder &forwarder = *handler;
  context->setDiagnosticHandler(std::move(handler));
  LogicalResult result = failure();
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely(
          [&] { result = emission.run(*context, forwarder); })) {
    // State that LLVM left incomplete cannot be destroyed safely.
    (void)context.release();
    return emission.source.emitError("expected LLVM to generate code for ")
           << emission.architecture.name << ", got an internal error of LLVM";
  }
  if (failed(result))
    return failure();
  return std::move(emission.result);
}

/// Emits the kernels in parallel, since LLVM takes most of the time of a
/// compilation.
static FailureOr<EmittedPTX> emitByKernel(PTXEmission whole) {
  std::optional<std::string> joined;
  {
    SplitKernels split(whole.source);
    std::vector<std::string> texts(split.size());
    LogicalResult emitted = split.forEach([&](size_t i, ModuleOp part) {
      PTXEmission emission = whole;
      emission.source = part;
      FailureOr<EmittedPTX> result = emitWhole(std::move(emission));
      if (succeeded(result))
        texts[i] = std::move(result->ptx);
      return success(succeeded(result));
    });
    if (failed(emitted))
      return failure();
    joined = joinPTX(texts);
  }
  if (!joined || joined->empty())
    return emitWhole(whole);
  EmittedPTX result;
  result.ptx = std::move(*joined);
  return result;
}

/// Verifies that the module contains only kernels, functions, variables and
/// LLVM's operations for modules, since other operations would belong to no
/// function.
static LogicalResult verifyTopLevel(ModuleOp module) {
  for (Operation &op : module.getOps())
    if (!isa<SymbolOpInterface, LLVM::ModuleFlagsOp, LLVM::GlobalCtorsOp,
             LLVM::GlobalDtorsOp, LLVM::LinkerOptionsOp>(op))
      return op.emitError("expected functions and variables beside kernels, "
                          "got '")
             << op.getName() << "'";
  return success();
}

FailureOr<EmittedPTX> tile::emitPTX(ModuleOp module,
                                    const Architecture &architecture,
                                    const EmitPTXOptions &options) {
  HostCodeAside host(module);
  if (failed(verifyTopLevel(module)))
    return failure();
  FailureOr<TargetNeeds> needs =
      verifyTarget(module, architecture, options.ptxVersion);
  if (failed(needs))
    return failure();
  FailureOr<std::string> libdevice =
      findNeededLibdevice(module, options.libdevice);
  if (failed(libdevice))
    return failure();
  if (needs->inlinePTX)
    expandToInlinePTX(module);
  if (options.lineTables)
    attachLineTables(module);
  PTXEmission whole{
      module, architecture, options, needs->ptxVersion, *libdevice, {}};
  if (options.keepLLVMIR)
    return emitWhole(whole);
  return emitByKernel(whole);
}
