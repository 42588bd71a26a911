// NVVMToEmulator.cpp - compiled kernels as code of the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host code calls the functions of tile/Emulator/Calls.h.

#include "tile/Conversion/NVVMToEmulator.h"

#include "tile/Conversion/DefineArithmetic.h"
#include "tile/Conversion/HostSymbols.h"
#include "tile/Conversion/RegisterTie.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "Accesses.h"
#include "Arithmetic.h"
#include "Instructions.h"
#include "Polls.h"
#include "ZeroDivisors.h"

#include "tile/Conversion/Passes.h"
#include "tile/Emulator/DeviceMath.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/IR/Intrinsics.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTNVVMTOEMULATOR
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Operations that can be converted
//===----------------------------------------------------------------------===//

/// Whether an operation has effects that the host supports or that a later step
/// of this conversion handles.
static bool isKnownEffect(Operation *op) {
  return isa<LLVM::AllocaOp, LLVM::LoadOp, LLVM::StoreOp, LLVM::MaskedLoadOp,
             LLVM::MaskedStoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp,
             LLVM::FenceOp, LLVM::MemcpyOp, LLVM::MemmoveOp,
             LLVM::MemcpyInlineOp, LLVM::MemsetOp, LLVM::MemsetInlineOp,
             LLVM::AssumeOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
             LLVM::Trap, LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp,
             LLVM::ReturnOp, LLVM::UnreachableOp>(op);
}

/// Whether an intrinsic is one of NVVM, or is independent of the target and
/// takes no pointers.
static bool isKnownIntrinsic(LLVM::CallIntrinsicOp call) {
  if (call.getIntrin().starts_with("llvm.nvvm."))
    return true; // Verified when instructions are converted.
  llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(call.getIntrin());
  return id != llvm::Intrinsic::not_intrinsic &&
         !llvm::Intrinsic::isTargetIntrinsic(id) &&
         llvm::none_of(call->getOperandTypes(), [](Type type) {
           return isa<LLVM::LLVMPointerType>(type);
         });
}

static LogicalResult verifyCall(LLVM::CallOp call) {
  std::optional<StringRef> name = call.getCallee();
  if (!name)
    return emitError(call.getLoc())
           << "expected a call of a function by its name";
  auto module = call->getParentOfType<ModuleOp>();
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(*name);
  if ((callee && !callee.isExternal()) ||
      emulator::findDeviceFunction(std::string_view(*name)) ||
      *name == "vprintf" || *name == "__assertfail")
    return success();
  return emitError(call.getLoc())
         << "expected a function that the emulator has, got '" << *name << "'";
}

static LogicalResult verifyOperation(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallOp>(op))
    return verifyCall(call);
  bool isKnown = isa_and_present<NVVM::NVVMDialect>(op->getDialect()) ||
                 isa<tile_gpu::WarpgroupMmaOp>(op) || isKnownEffect(op) ||
                 isMemoryEffectFree(op);
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    isKnown = isKnownIntrinsic(call);
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    isKnown = isRegisterTie(assembly);
  if (isKnown)
    return success();
  InFlightDiagnostic error = emitError(op->getLoc())
                             << "expected an instruction that the emulator "
                                "has, got '";
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return error << call.getIntrin() << "'";
  return error << op->getName() << "'";
}

static LogicalResult verifyGlobal(LLVM::GlobalOp global) {
  bool isShared = global.getAddrSpace() ==
                  static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
  bool isDefined = global.getValueOrNull() || global.getInitializerBlock();
  if (!isShared && isDefined)
    return success();
  if (isShared && !isDefined && global.getLinkage() == LLVM::Linkage::External)
    return success();
  return emitError(global.getLoc())
         << (isShared ? "expected shared memory as one external symbol, got '"
                      : "expected a global that has a value, got '")
         << global.getSymName() << "'";
}

static LogicalResult verifyModule(ModuleOp module) {
  bool isRefused = false;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    isRefused |= failed(verifyGlobal(global));
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    function.getBody().walk(
        [&](Operation *op) { isRefused |= failed(verifyOperation(op)); });
  return failure(isRefused);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static Type getHostPointer(MLIRContext *context) {
  return LLVM::LLVMPointerType::get(context);
}

/// Loads the parameter `index` of a kernel.
static Value loadParameter(OpBuilder &builder, Location loc, Value parameters,
                           unsigned index, Type type) {
  constexpr int64_t kPointerBytes = 8;
  Value address = createOffset(builder, loc, parameters, index * kPointerBytes);
  Value pointer =
      LLVM::LoadOp::create(builder, loc, parameters.getType(), address);
  return LLVM::LoadOp::create(builder, loc, type, pointer);
}

/// Adds the thread to a function as its first parameter.
static void addThread(LLVM::LLVMFuncOp function) {
  Type pointer = getHostPointer(function.getContext());
  function.getBody().insertArgument(0u, pointer, function.getLoc());
  LLVM::LLVMFunctionType type = function.getFunctionType();
  SmallVector<Type> parameters{pointer};
  llvm::append_range(parameters, type.getParams());
  function.setType(LLVM::LLVMFunctionType::get(type.getReturnType(), parameters,
                                               type.isVarArg()));
}

/// Replaces the parameters of a kernel, except for the first one, which is the
/// thread. The only other parameter becomes a pointer to an array of pointers
/// to the values.
static void loadParameters(LLVM::LLVMFuncOp function) {
  Type pointer = getHostPointer(function.getContext());
  Block &entry = function.getBody().front();
  Value list = entry.insertArgument(1u, pointer, function.getLoc());
  auto builder = OpBuilder::atBlockBegin(&entry);
  unsigned count = entry.getNumArguments() - 2;
  for (unsigned index = 0; index < count; ++index) {
    BlockArgument argument = entry.getArgument(2 + index);
    argument.replaceAllUsesWith(loadParameter(builder, function.getLoc(), list,
                                              index, argument.getType()));
  }
  entry.eraseArguments(2, count);
  function.setType(LLVM::LLVMFunctionType::get(
      function.getFunctionType().getReturnType(), {pointer, pointer}));
}

/// Drops the attributes of a function, none of which the host can use.
static void dropAttributes(LLVM::LLVMFuncOp function) {
  function->setDiscardableAttrs(DictionaryAttr::get(function.getContext(), {}));
  LLVM::LLVMFuncOp::Properties kept;
  kept.sym_name = function.getSymNameAttr();
  kept.function_type = function.getFunctionTypeAttr();
  kept.visibility_ = function.getVisibility_Attr();
  function.getProperties() = kept;
  function.setLinkage(LLVM::Linkage::External);
  function.setCConv(LLVM::CConv::C);
}

/// Passes the thread, the first argument of the function, on to the functions
/// of the module that it calls.
static void passThread(LLVM::LLVMFuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  function.walk([&](LLVM::CallOp call) {
    auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(*call.getCallee());
    if (callee && !callee.isExternal())
      call.getCalleeOperandsMutable().slice(0, 0).append(
          function.getBody().getArgument(0));
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool isSharedMemory(LLVM::GlobalOp global) {
  return global.getAddrSpace() ==
         static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
}

/// Replaces the address of the external symbol for shared memory by the address
/// at which the emulator has allocated the shared memory of the block.
static void convertSharedAddress(LLVM::AddressOfOp address,
                                 RuntimeCalls &calls) {
  OpBuilder builder(address);
  Location loc = address.getLoc();
  Value base = calls.askMachine(builder, loc, "tile_emulator_shared_base", {});
  base = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), base);
  address.getResult().replaceAllUsesWith(
      LLVM::IntToPtrOp::create(builder, loc, address.getType(), base));
  address.erase();
}

static void convertSharedMemory(ModuleOp module, RuntimeCalls &calls) {
  SmallVector<LLVM::AddressOfOp> addresses;
  module.walk([&](LLVM::AddressOfOp address) {
    auto global = module.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName());
    if (global && isSharedMemory(global))
      addresses.push_back(address);
  });
  for (LLVM::AddressOfOp address : addresses)
    convertSharedAddress(address, calls);
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (isSharedMemory(global))
      global.erase();
}

/// Exports the remaining globals, which the emulator looks up by their names.
static std::vector<EmulatorGlobal> exportGlobals(ModuleOp module) {
  DataLayout layout(module);
  std::vector<EmulatorGlobal> globals;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    global.setLinkage(LLVM::Linkage::External);
    global.setAddrSpace(0);
    globals.push_back(
        {getProgramSymbol(global.getSymName()).str(),
         layout.getTypeSize(global.getGlobalType()).getFixedValue(),
         !global.getConstant()});
  }
  return globals;
}

/// Replaces all address spaces by the single one of the host.
static void mergeAddressSpaces(ModuleOp module) {
  module.walk([](LLVM::AddrSpaceCastOp cast) {
    cast.getResult().replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LLVMPointerType type) -> Type {
    return getHostPointer(type.getContext());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Drops the no-wrap flags of address arithmetic. An address may be outside of
/// its array if it is not accessed; the emulator checks each access.
static void dropAddressPromises(LLVM::LLVMFuncOp function) {
  function.walk([](LLVM::GEPOp address) {
    address.setNoWrapFlags(LLVM::GEPNoWrapFlags::none);
  });
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

FailureOr<EmulatorModule> tile::convertToEmulator(ModuleOp module) {
  if (failed(::verifyModule(module)))
    return failure();
  renameToHostSymbols(module);
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      functions.push_back(function);

  RuntimeCalls calls(module);
  SiteTable sites;
  bool isRefused = false;
  for (LLVM::LLVMFuncOp function : functions)
    addThread(function);
  for (LLVM::LLVMFuncOp function : functions) {
    passThread(function);
    dropAddressPromises(function);
    // Functions that no phase has lowered still contain undefined arithmetic.
    defineHostArithmetic(function);
    followZeroDivisors(function, calls, sites);
    convertArithmetic(function, calls);
    convertAccesses(function, calls, sites);
    isRefused |= failed(convertInstructions(function, calls, sites));
    addPolls(function, calls, sites);
    // This comes after convertAccesses, since the loads of parameters are not
    // accesses of the kernel.
    if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      loadParameters(function);
    dropAttributes(function);
  }
  if (isRefused)
    return failure();
  convertSharedMemory(module, calls);
  EmulatorModule result;
  result.globals = exportGlobals(module);
  mergeAddressSpaces(module);
  result.sites = std::move(sites.sites);
  return result;
}

namespace {
struct ConvertNVVMToEmulator
    : tile::impl::ConvertNVVMToEmulatorBase<ConvertNVVMToEmulator> {
  using ConvertNVVMToEmulatorBase::ConvertNVVMToEmulatorBase;

  void runOnOperation() override {
    FailureOr<EmulatorModule> result = convertToEmulator(getOperation());
    if (failed(result))
      return signalPassFailure();
    SmallVector<Attribute> sites;
    for (const emulator::Site &site : result->sites)
      sites.push_back(StringAttr::get(
          &getContext(),
          site.instruction + " at " +
              (site.location.empty() ? "an unknown place" : site.location)));
    getOperation()->setAttr(kSitesAttr, ArrayAttr::get(&getContext(), sites));
  }
};
} // namespace
