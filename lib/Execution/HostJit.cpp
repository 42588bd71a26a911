// HostJit.cpp - modules in the LLVM dialect compiled in memory for the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Execution/HostJit.h"

#include "tile/Emulator/DeviceMath.h"
#include "tile/Target/OptimizeLLVM.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tile;

llvm::Error tile::reportedError() {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "");
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

static void initializeHost() {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
}

/// Features of x86 that the code must not use:
/// - Instructions on bf16 that flush denormals (Intel's manual, VCVTNEPS2BF16).
/// - GFNI: for an arithmetic shift of bytes by a constant of 0, LLVM's
///   getGFNICtrlImm returns a matrix that inverts the bits of negative ones.
static constexpr const char *kAvoidedFeatures[] = {"avx512bf16", "avxneconvert",
                                                   "gfni"};

static llvm::Expected<llvm::orc::JITTargetMachineBuilder>
detectHost(HostCode code) {
  initializeHost();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  host->setCodeGenOptLevel(code == HostCode::kLoops
                               ? llvm::CodeGenOptLevel::Aggressive
                               : llvm::CodeGenOptLevel::Default);
  // No other operations than llvm.fma become fused multiply-adds.
  host->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  if (host->getTargetTriple().isX86())
    for (const char *feature : kAvoidedFeatures)
      host->getFeatures().AddFeature(feature, /*Enable=*/false);
  return host;
}

//===----------------------------------------------------------------------===//
// Optimisation
//===----------------------------------------------------------------------===//

/// Cheap passes for straight-line code. Further passes would find little, since
/// there are calls of the emulator between its memory accesses.
static constexpr llvm::StringLiteral kStraightPipeline =
    "function(sroa,early-cse,loop-mssa(loop-rotate,licm),"
    "instcombine<no-verify-fixpoint;max-iterations=1>,simplifycfg,early-cse)";

/// Passes that reduce the amount of code, and thus the time of code generation.
static constexpr llvm::StringLiteral kLittlePipeline =
    "function(sroa,early-cse,simplifycfg)";

static StringRef choosePipeline(HostCode code, HostEffort effort) {
  if (effort == HostEffort::kLittle)
    return kLittlePipeline;
  return code == HostCode::kStraight ? StringRef(kStraightPipeline)
                                     : StringRef();
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine,
                     HostCode code, HostEffort effort) {
  // The SLP vectoriser of LLVM 22.1 replaces a conversion of an i8 to i64, and
  // of the i64, as unsigned, to f32, by conversions through i32. This gives
  // wrong results for negative values.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;
  optimizeLLVM(module, machine, tuning, choosePipeline(code, effort));
}

/// Sets the processor on each function, where the vectoriser and the code
/// generator read it.
static void setProcessor(llvm::Module &module, llvm::TargetMachine &machine) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
}

/// Disables optimisation in the code generation of functions with long blocks.
/// For hundreds of consecutive calls the scheduler takes a time that grows
/// faster than the square of the block's length (14 s for 2,000 instructions).
/// Each thread runs this code once.
static void limitScheduling(llvm::Module &module) {
  constexpr size_t kLongBlock = 250;
  for (llvm::Function &function : module) {
    bool isLong = llvm::any_of(function, [](const llvm::BasicBlock &block) {
      return block.size() > kLongBlock;
    });
    if (isLong) {
      function.addFnAttr(llvm::Attribute::OptimizeNone);
      function.addFnAttr(llvm::Attribute::NoInline);
    }
  }
}

/// Replaces selections between floating-point values by selections between
/// their bits. The code generator has conditional moves of integers, but splits
/// the block at a selection of f32 or f64. In straight-line code this takes a
/// time that grows with the square of the block's length.
static void selectBits(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *select = dyn_cast<llvm::SelectInst>(&instruction);
      llvm::Type *type = instruction.getType();
      if (!select || !(type->isFloatTy() || type->isDoubleTy()))
        continue;
      llvm::IRBuilder<> builder(select);
      llvm::Type *bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
      llvm::Value *chosen = builder.CreateSelect(
          select->getCondition(),
          builder.CreateBitCast(select->getTrueValue(), bits),
          builder.CreateBitCast(select->getFalseValue(), bits));
      select->replaceAllUsesWith(builder.CreateBitCast(chosen, type));
      select->eraseFromParent();
    }
}

/// Prepares a module for code generation, and runs passes on it.
static llvm::Error prepare(llvm::Module &module,
                           llvm::orc::JITTargetMachineBuilder host,
                           HostCode code, HostEffort effort) {
  auto machine = host.createTargetMachine();
  if (!machine)
    return machine.takeError();
  module.setTargetTriple((*machine)->getTargetTriple());
  setProcessor(module, **machine);
  optimize(module, **machine, code, effort);
  if (code == HostCode::kStraight) {
    selectBits(module);
    limitScheduling(module);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The JIT
//===----------------------------------------------------------------------===//

HostJit::HostJit() = default;
HostJit::~HostJit() = default;

static SmallVector<HostFunction> getConversions() {
  return llvm::map_to_vector(emulator::getHalfConversions(),
                             [](const emulator::DeviceFunction &function) {
                               return HostFunction{function.name,
                                                   function.address};
                             });
}

/// Provides functions of this process, such as malloc, memcpy and expf. libm is
/// opened explicitly: if the process has loaded the compiler by dlopen, libm
/// may be loaded only for the compiler, and its symbols are not found
/// otherwise.
static llvm::Error addProcessSymbols(llvm::orc::LLJIT &jit) {
  using llvm::orc::DynamicLibrarySearchGenerator;
  char prefix = jit.getDataLayout().getGlobalPrefix();
  auto symbols = DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix);
  if (!symbols)
    return symbols.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*symbols));
  auto math = DynamicLibrarySearchGenerator::Load("libm.so.6", prefix);
  if (math)
    jit.getMainJITDylib().addGenerator(std::move(*math));
  else // Another system: its process has it, or missing symbols fail later.
    llvm::consumeError(math.takeError());
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<HostJit>> HostJit::create(HostCode code) {
  auto host = detectHost(code);
  if (!host)
    return host.takeError();
  auto machine = host->createTargetMachine();
  if (!machine)
    return machine.takeError();
  std::unique_ptr<HostJit> result(new HostJit());
  result->machine = std::move(*machine);
  result->fullLevel = result->machine->getOptLevel();
  auto createCompiler = [&](const llvm::orc::JITTargetMachineBuilder &) {
    return std::make_unique<llvm::orc::SimpleCompiler>(*result->machine);
  };
  auto created = llvm::orc::LLJITBuilder()
                     .setJITTargetMachineBuilder(*host)
                     .setCompileFunctionCreator(createCompiler)
                     .create();
  if (!created)
    return created.takeError();
  result->problems = std::make_shared<std::string>();
  result->jit = std::move(*created);
  llvm::orc::LLJIT &jit = *result->jit;
  jit.getExecutionSession().setErrorReporter(
      [problems = result->problems](llvm::Error error) {
        *problems += llvm::toString(std::move(error)) + "\n";
      });
  jit.getIRTransformLayer().setTransform(
      [self = result.get(), host = *host,
       code](llvm::orc::ThreadSafeModule module,
             const llvm::orc::MaterializationResponsibility &)
          -> llvm::Expected<llvm::orc::ThreadSafeModule> {
        llvm::Error error = module.withModuleDo([&](llvm::Module &module) {
          return prepare(module, host, code, self->effort);
        });
        if (error)
          return std::move(error);
        return std::move(module);
      });
  if (llvm::Error error = addProcessSymbols(jit))
    return std::move(error);
  if (llvm::Error error = result->define(getConversions()))
    return std::move(error);
  return result;
}

llvm::Error HostJit::define(ArrayRef<HostFunction> functions) {
  llvm::orc::SymbolMap symbols;
  for (const HostFunction &function : functions)
    symbols[jit->mangleAndIntern(function.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  return jit->getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

namespace {
/// Collects LLVM's errors, which would end the process without a handler.
struct ProblemCollector : llvm::DiagnosticHandler {
  explicit ProblemCollector(std::shared_ptr<std::string> problems)
      : problems(std::move(problems)) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(*problems);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << "\n";
    }
    return true;
  }

  std::shared_ptr<std::string> problems;
};
} // namespace

llvm::Error HostJit::add(ModuleOp module) {
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiagnosticHandler(std::make_unique<ProblemCollector>(problems));
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, *context);
  if (!translated)
    return reportedError();
  translated->setDataLayout(jit->getDataLayout());
  // Functions that may be dropped once inlined must not be visible to the
  // linker.
  for (llvm::Function &function : *translated)
    if (function.hasLinkOnceLinkage())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return jit->addIRModule(
      llvm::orc::ThreadSafeModule(std::move(translated), std::move(context)));
}

llvm::Expected<void *> HostJit::lookup(StringRef name, HostEffort effort) {
  this->effort = effort;
  machine->setOptLevel(
      effort == HostEffort::kLittle ? llvm::CodeGenOptLevel::None : fullLevel);
  auto address = jit->lookup(name);
  if (!address)
    return llvm::createStringError(*problems +
                                   llvm::toString(address.takeError()));
  // The JIT returns code even if LLVM reported errors.
  if (!problems->empty())
    return llvm::createStringError(*problems);
  return address->toPtr<void *>();
}
