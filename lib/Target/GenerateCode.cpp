// GenerateCode.cpp - run LLVM's passes from LLVM IR to PTX
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phases produce straight-line code that is already unrolled and vectorised
// where this is profitable. Default passes of LLVM that would find nothing to
// do are therefore left out. They take several times as long as the remaining
// passes, since each one walks through code that exceeds the host's caches.

#include "GenerateCode.h"

#include "tile/Target/OptimizeLLVM.h"

#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace tile;

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

std::unique_ptr<llvm::TargetMachine>
tile::createTargetMachine(const Architecture &architecture, int ptxVersion) {
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
      // The next level adds global value numbering, which does not change
      // kernels.
      llvm::CodeGenOptLevel::Default));
}

//===----------------------------------------------------------------------===//
// Facts about the kernels
//===----------------------------------------------------------------------===//

KernelFacts::KernelFacts(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    hasCallees |= function.getCallingConv() != llvm::CallingConv::PTX_Kernel;
    size_t count = 0;
    bool hasAtomicLoads = false;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      ++count;
      hasAllocas |= llvm::isa<llvm::AllocaInst>(instruction);
      hasAtomics |= instruction.isAtomic();
      hasAtomicLoads |=
          llvm::isa<llvm::LoadInst>(instruction) && instruction.isAtomic();
    }
    length = std::max(length, count);
    for (llvm::Argument &argument : function.args()) {
      // Code generation copies a byval argument to an alloca.
      hasAllocas |= argument.hasByValAttr();
      if (hasAtomicLoads && argument.getType()->isPointerTy() &&
          !argument.onlyReadsMemory())
        readAtomically.push_back(&argument);
    }
  }
}

/// Numbers of instructions from which on passes are skipped: the instruction
/// combiner from kLongKernel on, some passes of code generation from kLongCode
/// on. The longest matmul of the benchmarks has 6,000 instructions.
static constexpr size_t kLongKernel = 30000, kLongCode = 8000;

//===----------------------------------------------------------------------===//
// Passes over the IR
//===----------------------------------------------------------------------===//

/// Pipeline for kernels that call no functions. The default pipeline takes
/// several times as long, and extends the live ranges of addresses, which may
/// cause spills.
static constexpr llvm::StringLiteral kKernelPipeline =
    "function(early-cse,loop-mssa(loop-rotate,licm),"
    "tile-hold-stored,instcombine<no-verify-fixpoint;max-iterations=1>,"
    "simplifycfg,early-cse,tile-carry-products)";

/// Pipeline for kernels of more than kLongKernel instructions, without the
/// instruction combiner. For each value, the combiner queries all conditions
/// that dominate it, of which there is one for each guarded access. Its time
/// therefore grows with the square of the kernel's length.
static constexpr llvm::StringLiteral kLongKernelPipeline =
    "function(early-cse,loop-mssa(loop-rotate,licm),instsimplify,simplifycfg,"
    "tile-carry-products)";

void tile::optimizeKernels(llvm::Module &module, llvm::TargetMachine &machine,
                           KernelFacts &facts) {
  if (facts.hasCallees) {
    optimizeLLVM(module, machine, {}, /*pipeline=*/"");
    optimizeLLVM(module, machine, {}, "function(tile-carry-products)");
    facts.length = KernelFacts(module).length;
    return;
  }
  bool isLong = facts.length >= kLongKernel;
  optimizeLLVM(module, machine, {},
               isLong ? kLongKernelPipeline : kKernelPipeline);
}

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

namespace {

/// Code generation without the passes that find nothing to do in kernels.
class KernelPassManager : public llvm::legacy::PassManager {
public:
  explicit KernelPassManager(const KernelFacts &facts) {
    leaveOutWhatThePhasesDo(facts);
    leaveOutWhatKernelsLack(facts);
    if (facts.length >= kLongCode)
      leaveOutWhatGrows();
  }

  void add(llvm::Pass *pass) override {
    llvm::AnalysisID id = pass->getPassID();
    // A pass that directly follows itself, because the passes in between are
    // left out, runs only once.
    if (id == last || llvm::is_contained(leftOut, id) ||
        llvm::is_contained(leftOutByName, pass->getPassName())) {
      delete pass;
      return;
    }
    last = id;
    llvm::legacy::PassManager::add(pass);
  }

private:
  /// Skips passes whose work the phases have done: on multiplications by
  /// strides that differ by a constant, on common parts of sums, and on
  /// adjacent accesses. They take a third of the time for straight-line code.
  /// The pass that combines accesses is kept if LLVM's default pipeline has
  /// run, since that splits vectors of which only elements are used.
  void leaveOutWhatThePhasesDo(const KernelFacts &facts) {
    leftOut.push_back(getID(llvm::createStraightLineStrengthReducePass()));
    leftOut.push_back(getID(llvm::createNaryReassociatePass()));
    if (!facts.hasCallees)
      leftOut.push_back(getID(llvm::createLoadStoreVectorizerPass()));
  }

  /// Skips passes for calls of the C library and for textures, and passes that
  /// are unnecessary according to `facts`.
  void leaveOutWhatKernelsLack(const KernelFacts &facts) {
    leftOutByName.append({"Expand memcmp() to load/stores",
                          "Merge contiguous icmps into a memcmp",
                          "NVPTX Image Optimizer",
                          "Partially inline calls to library functions",
                          "Replace intrinsics with calls to vector library"});
    if (facts.hasCallees)
      return;
    if (!facts.hasAllocas)
      leftOutByName.append(
          {"convert address space of alloca'ed memory to local",
           "NVPTX lower atomics of local memory",
           "NVPTX specific alloca hoisting", "SROA"});
    if (!facts.hasAtomics)
      leftOutByName.push_back("Expand Atomic instructions");
  }

  /// Skips, for long code, passes whose time grows with the square of its
  /// length, and passes that search for repeated expressions, which earlier
  /// passes have found.
  void leaveOutWhatGrows() {
    leftOut.append({getID(llvm::createEarlyCSEPass()),
                    getID(llvm::createCodeGenPrepareLegacyPass()),
                    getID(llvm::createSeparateConstOffsetFromGEPPass()),
                    &llvm::MachineCSELegacyID, &llvm::MachineSinkingLegacyID});
  }

  static llvm::AnalysisID getID(llvm::Pass *pass) {
    return std::unique_ptr<llvm::Pass>(pass)->getPassID();
  }

  llvm::SmallVector<llvm::AnalysisID> leftOut;
  /// Names of passes that no header of LLVM declares.
  llvm::SmallVector<llvm::StringRef> leftOutByName;
  llvm::AnalysisID last = nullptr;
};

} // namespace

/// Splits blocks of more than `kMaxBlock` instructions, since instruction
/// selection builds a graph of each block, which exceeds the host's caches for
/// thousands of instructions. The PTX gets no further branches and labels,
/// since the block before a new block is its only predecessor.
static void splitLongBlocks(llvm::Module &module) {
  constexpr unsigned kMaxBlock = 1000;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(function)) {
      llvm::SmallVector<llvm::Instruction *> starts;
      unsigned length = 0;
      for (llvm::Instruction &instruction : block)
        if (++length % kMaxBlock == 0 && !llvm::isa<llvm::PHINode>(instruction))
          starts.push_back(&instruction);
      // Splits start at the end, so that no instruction is moved twice.
      for (llvm::Instruction *start : llvm::reverse(starts))
        block.splitBasicBlock(start);
    }
}

llvm::LogicalResult tile::generateCode(llvm::Module &module,
                                       llvm::TargetMachine &machine,
                                       const KernelFacts &facts,
                                       std::string &ptx) {
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  if (facts.length >= kLongCode)
    splitLongBlocks(module);
  KernelPassManager passes(facts);
  if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                  llvm::CodeGenFileType::AssemblyFile,
                                  /*DisableVerify=*/true))
    return llvm::failure();
  passes.run(module);
  ptx = buffer.str().str();
  return llvm::success();
}
