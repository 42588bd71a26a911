// EmitPTX.cpp - from the LLVM dialect to the text that ptxas reads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM has two ways to say that it cannot: a diagnostic of the context, which
// becomes an error at the line of the tile program, and an abort. Aborts come
// from instructions that the architecture lacks, so these are refused before
// (VerifyTarget.h). Should one happen all the same, and the process has
// llvm::CrashRecoveryContext enabled as tile-compile has, it is an error too.

#include "tile/Target/EmitPTX.h"

#include "JoinPTX.h"
#include "OptimizeLLVM.h"
#include "SplitKernels.h"

#include "tile/Target/Libdevice.h"
#include "tile/Target/LineTables.h"
#include "tile/Target/VerifyTarget.h"

#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Dialect/LLVMIR/BasicPtxBuilderInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;
using namespace tile;

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

/// Has CodeGenPrepare go on in a block that it has changed, in functions of so
/// many blocks, where it would begin the function anew: the time of that grows
/// with the square of their number. The code is the same. LLVM has this as an
/// option of the process alone.
static void limitCodeGenPrepare() {
  constexpr unsigned kMaxBlocks = 128;
  auto &options = llvm::cl::getRegisteredOptions();
  auto option = options.find("cgpp-huge-func");
  if (option != options.end())
    static_cast<llvm::cl::opt<unsigned> *>(option->second)
        ->setValue(kMaxBlocks);
}

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    limitCodeGenPrepare();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

namespace {
/// Turns LLVM's diagnostics into those of MLIR.
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
    // Of the located kinds, those that code generation reports as errors.
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

static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const Architecture &architecture, int ptxVersion) {
  initializeTarget();
  llvm::Triple triple(kTriple);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, architecture.name, "+ptx" + std::to_string(ptxVersion),
      llvm::TargetOptions(), std::nullopt, std::nullopt,
      // The next level adds global value numbering, which changes no kernel.
      llvm::CodeGenOptLevel::Default));
}

/// For kernels that call nothing: straight code that the phases have unrolled
/// and vectorised where they want it. The default pipeline takes several times
/// as long and lets addresses live longer, up to spilling.
static constexpr llvm::StringLiteral kKernelPipeline =
    "function(early-cse,loop-mssa(loop-rotate,licm),"
    "instcombine<no-verify-fixpoint;max-iterations=1>,simplifycfg,early-cse)";

/// For kernels of thousands of operations. The instruction combiner asks all
/// conditions that hold, one for each guarded access, what they say of a value:
/// a time that grows with the square of the kernel.
static constexpr llvm::StringLiteral kLongKernelPipeline =
    "function(early-cse,loop-mssa(loop-rotate,licm),instsimplify,simplifycfg)";

/// Instructions of a function from which `kLongKernelPipeline` is taken, and
/// those from which code generation leaves passes out. The benchmarks' longest
/// matrix product has 6,000.
static constexpr unsigned kLongKernel = 30000, kLongCode = 8000;

static bool hasLongFunction(const llvm::Module &module, unsigned length) {
  return llvm::any_of(module, [&](const llvm::Function &function) {
    return function.getInstructionCount() >= length;
  });
}

/// Whether the module has functions to inline: those of libdevice.
static bool hasCallees(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return !function.isDeclaration() &&
           function.getCallingConv() != llvm::CallingConv::PTX_Kernel;
  });
}

namespace {
/// Code generation without passes that take a third of its time on straight
/// code of thousands of instructions and look for what the phases have done:
/// products of strides that differ by a constant, sums with a part in common,
/// and neighbouring accesses. These are joined where LLVM's default pipeline
/// has cut vectors of which only elements are used. What then stands twice in a
/// row runs once.
///
/// Of long code those are left out too whose time grows with its square, and
/// the search for what is said twice, which has been found before.
class KernelPassManager : public llvm::legacy::PassManager {
public:
  KernelPassManager(bool joinsAccesses, bool isLong)
      : leftOut{getID(llvm::createStraightLineStrengthReducePass()),
                getID(llvm::createNaryReassociatePass())} {
    if (!joinsAccesses)
      leftOut.push_back(getID(llvm::createLoadStoreVectorizerPass()));
    if (isLong)
      leftOut.append({getID(llvm::createEarlyCSEPass()),
                      getID(llvm::createCodeGenPrepareLegacyPass()),
                      getID(llvm::createSeparateConstOffsetFromGEPPass()),
                      &llvm::MachineCSELegacyID,
                      &llvm::MachineSinkingLegacyID});
  }

  void add(llvm::Pass *pass) override {
    llvm::AnalysisID id = pass->getPassID();
    if (id == last || llvm::is_contained(leftOut, id)) {
      delete pass;
      return;
    }
    last = id;
    llvm::legacy::PassManager::add(pass);
  }

private:
  static llvm::AnalysisID getID(llvm::Pass *pass) {
    return std::unique_ptr<llvm::Pass>(pass)->getPassID();
  }

  llvm::SmallVector<llvm::AnalysisID> leftOut;
  llvm::AnalysisID last = nullptr;
};
} // namespace

static LogicalResult printPTX(llvm::Module &module,
                              llvm::TargetMachine &machine, bool joinsAccesses,
                              std::string &ptx) {
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  KernelPassManager passes(joinsAccesses, hasLongFunction(module, kLongCode));
  // verifyModule has been asked.
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile,
                                  /*DisableVerify=*/true))
    return failure();
  passes.run(module);
  ptx = buffer.str().str();
  return success();
}

/// Turns the nvvm operations that LLVM has no intrinsic for into the text of
/// their instruction.
static void expandToInlinePTX(ModuleOp module) {
  WalkResult any = module.walk([](NVVM::BasicPtxBuilderInterface op) {
    return WalkResult::interrupt();
  });
  if (!any.wasInterrupted())
    return;
  RewritePatternSet patterns(module.getContext());
  populateNVVMToLLVMConversionPatterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
}

/// What LLVM's own check says of the module, one line an error.
static LogicalResult verifyModule(llvm::Module &module, ModuleOp source) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(module, &stream))
    return success();
  return source.emitError("expected valid LLVM IR, got: ")
         << StringRef(text).rtrim();
}

/// Every called function has a body, or is one that the driver provides.
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

/// The arrays that may be read atomically: those of a kernel with such loads
/// that phase 9 does not call read-only. LLVM infers that they are, since the
/// kernel does not write them, and has no instruction for an atomic load of
/// what nobody writes.
static SmallVector<llvm::Argument *>
collectAtomicallyRead(llvm::Module &module) {
  SmallVector<llvm::Argument *> arrays;
  for (llvm::Function &function : module) {
    bool hasAtomicLoads = llvm::any_of(
        llvm::instructions(function), [](llvm::Instruction &instruction) {
          return isa<llvm::LoadInst>(instruction) && instruction.isAtomic();
        });
    for (llvm::Argument &argument : function.args())
      if (hasAtomicLoads && argument.getType()->isPointerTy() &&
          !argument.onlyReadsMemory())
        arrays.push_back(&argument);
  }
  return arrays;
}

namespace {
/// One run over one module: what its steps share.
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
  bool inlines = hasCallees(*module);
  SmallVector<llvm::Argument *> readAtomically = collectAtomicallyRead(*module);
  optimizeLLVM(*module, *machine, {},
               inlines ? StringRef()
               : hasLongFunction(*module, kLongKernel)
                   ? StringRef(kLongKernelPipeline)
                   : StringRef(kKernelPipeline));
  for (llvm::Argument *array : readAtomically)
    array->removeAttr(llvm::Attribute::ReadOnly);
  if (options.keepLLVMIR) {
    llvm::raw_string_ostream stream(result.llvmIR);
    module->print(stream, nullptr);
  }
  if (failed(printPTX(*module, *machine, inlines, result.ptx)))
    return source.emitError("expected LLVM's NVPTX target to write text");
  removeUnknownLines(result.ptx);
  return failure(forwarder.failed);
}

/// One module, guarded against LLVM's aborts.
static FailureOr<EmittedPTX> emitWhole(PTXEmission emission) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto handler = std::make_unique<DiagnosticForwarder>(emission.source);
  DiagnosticForwarder &forwarder = *handler;
  context->setDiagnosticHandler(std::move(handler));
  LogicalResult result = failure();
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely(
          [&] { result = emission.run(*context, forwarder); })) {
    // What LLVM left half done is not safe to destroy.
    (void)context.release();
    return emission.source.emitError("expected LLVM to generate code for ")
           << emission.architecture.name << ", got an internal error of LLVM";
  }
  if (failed(result))
    return failure();
  return std::move(emission.result);
}

/// The kernels side by side: LLVM takes most of the time of a compilation.
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

/// Beside kernels stand functions and variables, and what LLVM says of a
/// module: other operations belong to no function.
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
  if (failed(verifyTopLevel(module)))
    return failure();
  FailureOr<int> needed =
      verifyTarget(module, architecture, options.ptxVersion);
  if (failed(needed))
    return failure();
  FailureOr<std::string> libdevice =
      findNeededLibdevice(module, options.libdevicePath);
  if (failed(libdevice))
    return failure();
  expandToInlinePTX(module);
  if (options.lineTables)
    attachLineTables(module);
  PTXEmission whole{module, architecture, options, *needed, *libdevice, {}};
  if (options.keepLLVMIR)
    return emitWhole(whole);
  return emitByKernel(whole);
}
