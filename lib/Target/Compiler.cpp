// Compiler.cpp - from a module of tile programs to code that a launcher can run
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/Compiler.h"

#include "PassDump.h"
#include "SplitKernels.h"
#include "StartLevel.h"
#include "tile/Analysis/HostCode.h"
#include "tile/IR/BoundsAssertions.h"
#include "tile/Pipelines/TileToNVVM.h"
#include "tile/Target/AssembleCubin.h"
#include "tile/Target/BuildMetadata.h"
#include "tile/Target/DescribeHostFunctions.h"
#include "tile/Target/EmitPTX.h"
#include "tile/Transforms/Passes.h"
#include "tile/VerifyTarget/VerifyTarget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Kernels by name
//===----------------------------------------------------------------------===//

static SmallVector<SymbolOpInterface> getKernels(ModuleOp module) {
  SmallVector<SymbolOpInterface> kernels;
  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (isKernel(symbol))
      kernels.push_back(symbol);
  return kernels;
}

/// Whether `op` is a function that launches one of `kernels`.
static bool launchesOneOf(Operation *op,
                          const llvm::SmallDenseSet<StringRef> &kernels) {
  return isa<func::FuncOp>(op) &&
         op->walk([&](LaunchOp launch) {
             return kernels.contains(launch.getKernel())
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           }).wasInterrupted();
}

LogicalResult tile::keepKernel(ModuleOp module, StringRef name) {
  SmallVector<SymbolOpInterface> kernels = getKernels(module);
  auto isKept = [&](SymbolOpInterface kernel) {
    auto genericOf = kernel->getAttrOfType<StringAttr>(kGeneralOfAttr);
    return kernel.getName() == name || (genericOf && genericOf == name);
  };
  if (llvm::none_of(kernels, isKept)) {
    InFlightDiagnostic error = module.emitError("expected a kernel called '")
                               << name << "', got ";
    if (kernels.empty())
      return error << "a module without kernels";
    llvm::interleaveComma(kernels, error, [&](SymbolOpInterface kernel) {
      error << "'" << kernel.getName() << "'";
    });
    return error;
  }
  llvm::SmallDenseSet<StringRef> erased;
  for (SymbolOpInterface kernel : kernels)
    if (!isKept(kernel))
      erased.insert(kernel.getName());
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (launchesOneOf(&op, erased))
      op.erase();
  for (SymbolOpInterface kernel : kernels)
    if (!isKept(kernel))
      kernel.erase();
  return success();
}

/// Fails if a module has nothing to compile, or has kernels in nested modules,
/// which are not compiled.
static LogicalResult verifyKernels(ModuleOp module, CompileStage stage) {
  if (failed(verifyNoNestedKernels(module)))
    return failure();
  SmallVector<SymbolOpInterface> kernels = getKernels(module);
  if (kernels.empty())
    return verifyHasKernels(module);
  // The metadata for the launcher is read from a tile.kernel.
  if (stage == CompileStage::kCubin)
    for (SymbolOpInterface kernel : kernels)
      if (!isa<KernelOp>(kernel))
        return kernel->emitError("expected a 'tile.kernel', got a kernel that "
                                 "is lowered already (of such a one there are "
                                 "PTX and LLVM IR, but no metadata), '")
               << kernel.getName() << "'";
  return success();
}

/// Verifies that the names of kernels are identifiers of C, as PTX requires;
/// the launcher finds a kernel by its name.
static LogicalResult verifyNames(ModuleOp module) {
  for (SymbolOpInterface kernel : getKernels(module)) {
    StringRef name = kernel.getName();
    bool isOfC =
        !name.empty() && !llvm::isDigit(name.front()) &&
        llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if (!isOfC)
      return kernel->emitError("expected a kernel's name to be that of a C "
                               "function, got '")
             << name << "'";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

static void addAssembly(runtime::ModuleMetadata &metadata,
                        ArrayRef<AssemblyFacts> facts) {
  for (runtime::KernelMetadata &kernel : metadata.kernels)
    for (runtime::EntryPoint &entry : kernel.entries)
      for (const AssemblyFacts &fact : facts) {
        if (fact.entry != entry.symbol)
          continue;
        entry.registers = fact.registers;
        entry.spillStoreBytes = fact.spillStoreBytes;
        entry.spillLoadBytes = fact.spillLoadBytes;
        entry.stackBytes = fact.stackBytes;
      }
}

/// Warns of values that do not fit in a thread's registers and are spilled to
/// memory. A few are worth a further block of a multiprocessor: an RMS norm of
/// rows of 20000 f16 takes 163 us with two blocks and 160 bytes of spill
/// stores, and 218 us with one block and none (H200).
static void warnOfSpills(ModuleOp module, ArrayRef<AssemblyFacts> facts,
                         const Architecture &architecture) {
  for (const AssemblyFacts &fact : facts) {
    constexpr int64_t kFewBytes = 192;
    if (fact.spillStoreBytes <= kFewBytes)
      continue;
    Operation *entry = SymbolTable::lookupSymbolIn(
        module, StringAttr::get(module.getContext(), fact.entry));
    emitWarning(entry ? entry->getLoc() : module.getLoc())
        << "expected what a thread holds of the tiles in its registers, got "
        << fact.spillStoreBytes << " bytes of spill stores in '" << fact.entry
        << "' for " << architecture.name
        << "; a larger 'block' leaves a thread less of each tile";
  }
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

namespace {
/// State that the steps of one compilation share.
struct Compilation {
  ModuleOp module;
  const CompileOptions &options;
  DumpDirectory dump;
  CompiledModule result;
  /// Names and locations of the functions that no kernel calls.
  SmallVector<std::pair<StringAttr, Location>> hostFunctions;

  LogicalResult run();
  bool wantsReport() { return options.keepReport || dump.isActive(); }
  LogicalResult chooseArchitecture();
  LogicalResult runPasses(ModuleOp part,
                          function_ref<void(OpPassManager &)> build,
                          bool verifyEach);
  LogicalResult runPhases();
  LogicalResult lower();
  LogicalResult lowerKernels();
  LogicalResult emit();
  LogicalResult assemble();
  void remarkHostFunctions();
  LogicalResult dumpResults();
  LogicalResult checkDump(bool isWritten);
};
} // namespace

LogicalResult Compilation::checkDump(bool isWritten) {
  if (isWritten)
    return success();
  return emitError(UnknownLoc::get(module.getContext())) << dump.error;
}

LogicalResult Compilation::chooseArchitecture() {
  result.architecture = setTargetArchitecture(module, options.pipeline.arch);
  if (!result.architecture)
    return failure();
  result.report.architecture = result.architecture->name.str();
  return success();
}

LogicalResult Compilation::runPasses(ModuleOp part,
                                     function_ref<void(OpPassManager &)> build,
                                     bool verifyEach) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(verifyEach);
  build(passes);
  dump.addTo(passes, options.keepPhases ? &result.phases : nullptr);
  return passes.run(part);
}

/// Runs the phases from the level that the kernels specify up to the level
/// buffered. Verifies before that the module is at the specified level, and
/// afterwards the result, including its synchronization.
LogicalResult Compilation::runPhases() {
  FailureOr<Level> level = verifyStart(module, options.pipeline);
  if (failed(level))
    return failure();
  if (options.pipeline.checkBounds && *level == Level::source)
    assertFilledBounds(module);
  auto buildPhases = [&](OpPassManager &passes) {
    buildTilePhases(passes, options.pipeline, *level);
  };
  return runPasses(module, buildPhases, /*verifyEach=*/true);
}

/// Lowers the module to the LLVM dialect. The metadata and the report are
/// created before the last phase, while kernels and buffers still exist.
LogicalResult Compilation::lower() {
  if (module.getOps<KernelOp>().empty())
    return success();
  if (failed(runPhases()))
    return failure();
  FailureOr<runtime::ModuleMetadata> metadata =
      describeModule(module, result.architecture->name);
  if (failed(metadata))
    return failure();
  result.metadata = std::move(*metadata);
  describeHostFunctions(module, result.metadata);
  if (wantsReport())
    for (auto kernel : module.getOps<KernelOp>())
      result.report.bodies.push_back(reportKernel(
          kernel, describeKernel(kernel, result.architecture->name),
          *result.architecture));
  return lowerKernels();
}

/// Loads the dialects of a pipeline, since passes that run in parallel cannot
/// load any.
static void loadDialects(MLIRContext *context, const OpPassManager &passes) {
  DialectRegistry registry;
  passes.getDependentDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
}

/// Runs phase 9, for the kernels in parallel if the module has only kernels and
/// host code. Verification after each pass would take as long as the passes.
/// The code is therefore verified once: here, or as LLVM IR by `emitPTX`.
LogicalResult Compilation::lowerKernels() {
  HostCodeAside host(module);
  bool leavesCheckToLLVM = options.stage != CompileStage::kLLVMDialect;
  auto build = [&](OpPassManager &passes) {
    buildTileLowering(passes, options.pipeline);
  };
  auto lowerModule = [&](ModuleOp part) {
    return success(succeeded(runPasses(part, build, /*verifyEach=*/false)) &&
                   (leavesCheckToLLVM || succeeded(verify(part))));
  };
  bool hasOthers = !llvm::all_of(module.getOps(),
                                 [](Operation &op) { return isKernel(&op); });
  if (hasOthers || dump.isActive() || options.keepPhases)
    return lowerModule(module);
  OpPassManager passes(ModuleOp::getOperationName());
  build(passes);
  loadDialects(module.getContext(), passes);
  SplitKernels split(module);
  return split.forEach([&](size_t, ModuleOp part) {
    // Some kernels may already be lowered.
    return part.getOps<KernelOp>().empty() ? success() : lowerModule(part);
  });
}

LogicalResult Compilation::emit() {
  EmitPTXOptions ptxOptions;
  ptxOptions.ptxVersion = options.ptxVersion;
  ptxOptions.lineTables = options.lineTables;
  ptxOptions.libdevice = options.libdevice;
  ptxOptions.keepLLVMIR = options.keepLLVMIR || dump.isActive();
  FailureOr<EmittedPTX> emitted =
      emitPTX(module, *result.architecture, ptxOptions);
  if (failed(emitted))
    return failure();
  result.ptx = std::move(emitted->ptx);
  result.llvmIR = std::move(emitted->llvmIR);
  if (wantsReport())
    addInstructions(result.report, result.ptx);
  return success();
}

LogicalResult Compilation::assemble() {
  if (options.cubinIsOptional && !options.ptxas.isProgram()) {
    emitWarning(UnknownLoc::get(module.getContext()))
        << "'ptxas' was not found: registers and spills are left out; "
        << options.ptxas.advice;
    return success();
  }
  AssembleCubinOptions cubinOptions;
  cubinOptions.ptxas = options.ptxas;
  cubinOptions.lineTables = options.lineTables;
  FailureOr<AssembledCubin> assembled = assembleCubin(
      module.getLoc(), result.ptx, *result.architecture, cubinOptions);
  if (failed(assembled))
    return failure();
  result.cubin = std::move(assembled->cubin);
  ::addAssembly(result.metadata, assembled->facts);
  warnOfSpills(module, assembled->facts, *result.architecture);
  if (wantsReport())
    addAssembly(result.report, assembled->facts);
  return success();
}

LogicalResult Compilation::dumpResults() {
  auto write = [&](StringRef name, StringRef contents) {
    return contents.empty() || dump.write(name, contents);
  };
  return checkDump(write("module.ll", result.llvmIR) &&
                   write("module.ptx", result.ptx) &&
                   write("module.cubin", result.cubin) &&
                   write("module.json", toJson(result.metadata)) &&
                   write("report.txt", toText(result.report)));
}

/// Emits a remark for each function that no kernel calls and that is in none of
/// the results, since code for the GPU does not contain it.
void Compilation::remarkHostFunctions() {
  bool isModuleResult = options.stage == CompileStage::kLLVMDialect;
  for (auto [name, loc] : hostFunctions)
    if (!findFunction(result.metadata, name.getValue()) &&
        (!isModuleResult || !module.lookupSymbol(name)))
      emitRemark(loc) << "function '" << name.getValue()
                      << "', which no kernel calls, is in none of the results";
}

LogicalResult Compilation::run() {
  if (dump.isActive() && failed(checkDump(dump.create())))
    return failure();
  if (failed(verifyKernels(module, options.stage)) ||
      failed(chooseArchitecture()) || failed(verifyNames(module)))
    return failure();
  for (Operation *function : collectHostFunctions(module))
    hostFunctions.emplace_back(SymbolTable::getSymbolName(function),
                               function->getLoc());
  if (failed(lower()))
    return failure();
  remarkHostFunctions();
  if (options.stage != CompileStage::kLLVMDialect && failed(emit()))
    return failure();
  // The results are also written if ptxas fails, since they help to find the
  // reason.
  LogicalResult assembled =
      options.stage == CompileStage::kCubin ? assemble() : success();
  if (dump.isActive() && failed(dumpResults()))
    return failure();
  return assembled;
}

FailureOr<CompiledModule> tile::compile(ModuleOp module,
                                        const CompileOptions &options) {
  Compilation compilation{
      module, options, DumpDirectory(options.dumpDirectory), {}, {}};
  if (failed(compilation.run()))
    return failure();
  return std::move(compilation.result);
}
