// Libdevice.cpp - NVIDIA's mathematical functions as LLVM bitcode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/Libdevice.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;
using namespace tile;

/// Returns the name of the operation that was lowered to a call. Lowerings
/// record it in the call's location; empty if they have not.
static StringRef getSourceOperation(LLVM::CallOp call) {
  auto name = dyn_cast<NameLoc>(call.getLoc());
  return name ? name.getName().getValue() : StringRef();
}

/// Returns the first call of a libdevice function.
static LLVM::CallOp findLibdeviceCall(ModuleOp module) {
  LLVM::CallOp found;
  module.walk([&](LLVM::CallOp call) {
    std::optional<StringRef> callee = call.getCallee();
    if (!callee || !callee->starts_with("__nv_"))
      return WalkResult::advance();
    found = call;
    return WalkResult::interrupt();
  });
  return found;
}

FailureOr<std::string> tile::findNeededLibdevice(ModuleOp module,
                                                 const ToolkitFile &libdevice) {
  // Without a declaration there is no call, as in most kernels.
  bool isDeclared = llvm::any_of(
      module.getOps<LLVM::LLVMFuncOp>(), [](LLVM::LLVMFuncOp function) {
        return function.getName().starts_with("__nv_");
      });
  LLVM::CallOp call = isDeclared ? findLibdeviceCall(module) : nullptr;
  if (!call)
    return std::string();
  if (libdevice.isFile())
    return libdevice.path;
  InFlightDiagnostic error = call.emitError("expected libdevice for ");
  StringRef operation = getSourceOperation(call);
  if (!operation.empty())
    error << "'" << operation << "' (function '" << *call.getCallee() << "')";
  else
    error << "function '" << *call.getCallee() << "'";
  error << ", " << libdevice.getMissing();
  return failure();
}

/// Replaces the queries whether division and square root must be precise by one
/// (true), since IEEE rounding is required. LLVM's own pass would replace them
/// by zero.
static void answerPrecisionQuestions(llvm::Module &library) {
  llvm::Function *reflect = library.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(reflect->users())) {
    auto *call = dyn_cast<llvm::CallInst>(user);
    if (!call || call->arg_size() != 1)
      continue;
    auto *name = dyn_cast<llvm::GlobalVariable>(
        call->getArgOperand(0)->stripPointerCasts());
    auto *text =
        name && name->hasInitializer()
            ? dyn_cast<llvm::ConstantDataSequential>(name->getInitializer())
            : nullptr;
    if (!text || !text->isCString() ||
        !text->getAsCString().starts_with("__CUDA_PREC_"))
      continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 1));
    call->eraseFromParent();
  }
}

LogicalResult tile::linkLibdevice(llvm::Module &module, StringRef path,
                                  std::string &error) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(path, diagnostic, module.getContext());
  if (!library) {
    error =
        ("expected bitcode in '" + path + "', got: " + diagnostic.getMessage())
            .str();
    return failure();
  }
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  bool failed = llvm::Linker::linkModules(
      module, std::move(library), llvm::Linker::LinkOnlyNeeded,
      [](llvm::Module &linked, const llvm::StringSet<> &added) {
        llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
          return !value.hasName() || !added.contains(value.getName());
        });
      });
  if (failed) {
    error = ("expected '" + path + "' to link").str();
    return failure();
  }
  answerPrecisionQuestions(module);
  return success();
}
