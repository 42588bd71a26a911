// VerifyTarget.cpp - refuse operations that the architecture lacks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every nvvm operation has a name in the table, made of its mnemonic and of the
// attributes on which its requirements depend:
//
//   nvvm.mma.sync ... {shape = m16n8k16, f64}     mma.sync.m16n8k16.f64
//   llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f64"       the same
//   nvvm.barrier0                                 barrier0

#include "tile/VerifyTarget/VerifyTarget.h"

#include "CodeGenLimits.h"
#include "TargetTable.h"
#include "tile/Analysis/Parameters.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/VerifyTarget/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tile {
#define GEN_PASS_DEF_VERIFYTARGET
#include "tile/VerifyTarget/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Returns the class of a multiplicand's type in the table, which does not
/// distinguish signed and unsigned integers, nor the formats of 8-bit floating
/// point.
static StringRef getMultiplicandClass(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Cases({"s8", "u8"}, "i8")
      .Cases({"s4", "u4"}, "i4")
      .Cases({"e4m3", "e5m2"}, "f8")
      .Default(type);
}

static std::string getMmaName(NVVM::MmaOp op) {
  NVVM::MMAShapeAttr shape = op.getShape();
  std::optional<NVVM::MMATypes> type = op.getMultiplicandAPtxType();
  if (!type)
    type = NVVM::MmaOp::inferOperandMMAType(op.getOperandA().front().getType(),
                                            /*isAccumulator=*/false);
  return llvm::formatv(
      "mma.sync.m{0}n{1}k{2}.{3}", shape.getM(), shape.getN(), shape.getK(),
      type ? getMultiplicandClass(stringifyEnum(*type)) : StringRef("unknown"));
}

/// Returns the name in the table of an intrinsic such as
/// "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"; intrinsics for f16 name
/// only the types of the result and the accumulator.
static std::string getMmaIntrinsicName(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  StringRef shape = parts.size() > 3 ? parts[3] : StringRef();
  StringRef type = "f16";
  for (StringRef part : parts)
    if (llvm::is_contained({"bf16", "tf32", "f64", "s8", "u8", "s4", "u4", "b1",
                            "e4m3", "e5m2", "e3m2", "e2m3", "e2m1"},
                           part)) {
      type = part;
      break;
    }
  return ("mma.sync." + shape + "." + getMultiplicandClass(type)).str();
}

static std::string getMatrixAccessName(StringRef name,
                                       NVVM::LdStMatrixShapeAttr shape,
                                       NVVM::LdStMatrixEltType type) {
  return llvm::formatv("{0}.m{1}n{2}.{3}", name, shape.getM(), shape.getN(),
                       stringifyEnum(type));
}

static std::string getTypeName(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Returns the name of an operation in the table; empty for an operation
/// without requirements.
static std::string getInstructionName(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    StringRef name = call.getIntrin();
    if (name.starts_with("llvm.nvvm.mma."))
      return getMmaIntrinsicName(name);
    return name.starts_with("llvm.nvvm.") ? name.str() : std::string();
  }
  if (!isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()))
    return {};
  StringRef name = op->getName().stripDialect();
  auto with = [&](StringRef detail) { return (name + "." + detail).str(); };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](NVVM::MmaOp mma) { return getMmaName(mma); })
      .Case<NVVM::LdMatrixOp, NVVM::StMatrixOp>([&](auto access) {
        return getMatrixAccessName(name, access.getShape(),
                                   access.getEltType());
      })
      .Case([&](NVVM::FenceProxyOp fence) {
        return with(stringifyEnum(fence.getKind()));
      })
      .Case([&](NVVM::ReduxOp redux) {
        return with(getTypeName(redux.getType()));
      })
      .Case([&](NVVM::ConvertFloatToTF32Op convert) {
        return with(stringifyEnum(convert.getRnd()));
      })
      .Case<NVVM::ConvertF32x2ToF16x2Op, NVVM::ConvertF32x2ToBF16x2Op>(
          [&](auto convert) { return with(stringifyEnum(convert.getRnd())); })
      .Case<NVVM::ConvertF32x2ToF8x2Op, NVVM::ConvertF16x2ToF8x2Op>(
          [&](auto convert) { return with(getTypeName(convert.getDstTy())); })
      .Case([&](NVVM::PrefetchOp prefetch) {
        return prefetch.getTensormap() ? with("tensormap") : name.str();
      })
      .Case([&](NVVM::MembarOp membar) {
        return membar.getScope() == NVVM::MemScopeKind::CLUSTER
                   ? with("cluster")
                   : name.str();
      })
      .Default(name.str());
}

/// Returns text such as "8.4" for 84.
static std::string formatPTXVersion(int version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

/// Whether the architecture satisfies the requirement of the row.
static bool hasArchitecture(const Architecture &architecture,
                            const TargetRow &row) {
  if (row.accelerated)
    return architecture.number == row.architecture &&
           architecture.name.ends_with("a");
  return architecture.number >= row.architecture;
}

/// Returns the PTX version that the operation requires; zero if it requires
/// none.
static FailureOr<int> verifyOperation(Operation *op,
                                      const Architecture &architecture,
                                      int ptxVersion) {
  std::string name = getInstructionName(op);
  if (name.empty())
    return 0;
  const TargetRow *row = findTargetRow(name);
  if (!row)
    return emitError(op->getLoc())
           << "expected an instruction of the target table, got " << name;
  if (!hasArchitecture(architecture, *row))
    return emitError(op->getLoc())
           << "expected architecture " << row->describeArchitecture() << " for "
           << name << ", got " << architecture.name;
  if (row->ptxVersion > ptxVersion)
    return emitError(op->getLoc())
           << "expected PTX version " << formatPTXVersion(row->ptxVersion)
           << " or later for " << name << ", got "
           << formatPTXVersion(ptxVersion);
  return row->ptxVersion;
}

/// Verifies the constraints of inline assembly, which LLVM's translation does
/// not check. InlineAsm::verify compares only the numbers of operands and
/// results with the constraints, so a function type with any types will do.
static LogicalResult verifyConstraints(LLVM::InlineAsmOp op) {
  llvm::LLVMContext context;
  llvm::Type *any = llvm::Type::getInt32Ty(context);
  llvm::Type *result = llvm::Type::getVoidTy(context);
  if (op->getNumResults() == 1) {
    auto several = dyn_cast<LLVM::LLVMStructType>(op.getRes().getType());
    result = several ? llvm::StructType::get(context,
                                             SmallVector<llvm::Type *>(
                                                 several.getBody().size(), any))
                     : any;
  }
  auto *type = llvm::FunctionType::get(
      result, SmallVector<llvm::Type *>(op.getOperands().size(), any),
      /*isVarArg=*/false);
  llvm::Error error = llvm::InlineAsm::verify(type, op.getConstraints());
  if (!error)
    return success();
  return op.emitError("expected constraints of inline assembly, got '")
         << op.getConstraints() << "': " << llvm::toString(std::move(error));
}

/// Size of a kernel's parameters, in bytes, that every PTX version accepts, and
/// the first version, times ten, that accepts kMostParameterBytes
/// (Parameters.h).
static constexpr int64_t kMostEarlyBytes = 4352;
static constexpr int kLaterPTXVersion = 81;

static int64_t getParameterBytes(LLVM::LLVMFuncOp kernel) {
  DataLayout layout = DataLayout::closest(kernel);
  uint64_t bytes = 0;
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto passed = kernel.getArgAttrOfType<TypeAttr>(
        index, LLVM::LLVMDialect::getByValAttrName());
    Type whole = passed ? passed.getValue() : type;
    bytes = llvm::alignTo(bytes, layout.getTypeABIAlignment(whole)) +
            uint64_t(layout.getTypeSize(whole));
  }
  return int64_t(bytes);
}

/// Returns the PTX version that a kernel's parameters require; zero if they
/// require none.
static FailureOr<int> verifyParameterBytes(LLVM::LLVMFuncOp kernel,
                                           int ptxVersion) {
  int64_t bytes = getParameterBytes(kernel);
  if (bytes <= kMostEarlyBytes)
    return 0;
  if (bytes > kMostParameterBytes)
    return kernel.emitError("expected parameters of at most ")
           << kMostParameterBytes << " bytes, got " << bytes;
  if (ptxVersion < kLaterPTXVersion)
    return kernel.emitError("expected PTX version ")
           << formatPTXVersion(kLaterPTXVersion) << " or later for parameters "
           << "of more than " << kMostEarlyBytes << " bytes, got "
           << formatPTXVersion(ptxVersion);
  return kLaterPTXVersion;
}

FailureOr<TargetNeeds> tile::verifyTarget(ModuleOp module,
                                          const Architecture &architecture,
                                          int ptxVersion) {
  if (ptxVersion &&
      (ptxVersion < architecture.ptxVersion || ptxVersion > kNewestPTXVersion))
    return module.emitError("expected PTX version ")
           << formatPTXVersion(architecture.ptxVersion) << " to "
           << formatPTXVersion(kNewestPTXVersion) << " for "
           << architecture.name << ", got " << formatPTXVersion(ptxVersion);
  int newest = ptxVersion ? ptxVersion : kNewestPTXVersion;
  TargetNeeds needs;
  needs.ptxVersion = architecture.ptxVersion;
  bool refused = false;
  module.walk([&](Operation *op) {
    if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
      refused |= failed(verifyConstraints(assembly));
    needs.inlinePTX |= isa<tile_gpu::WarpgroupMmaOp>(op) ||
                       isa<NVVM::BasicPtxBuilderInterface>(op);
    refused |= failed(verifyCodeGen(op));
    auto require = [&](FailureOr<int> version) {
      if (failed(version))
        refused = true;
      else
        needs.ptxVersion = std::max(needs.ptxVersion, *version);
    };
    require(verifyOperation(op, architecture, newest));
    if (auto kernel = dyn_cast<LLVM::LLVMFuncOp>(op);
        kernel && kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      require(verifyParameterBytes(kernel, newest));
  });
  if (refused)
    return failure();
  if (ptxVersion)
    needs.ptxVersion = ptxVersion;
  return needs;
}

namespace {
struct VerifyTarget : tile::impl::VerifyTargetBase<VerifyTarget> {
  using VerifyTargetBase::VerifyTargetBase;

  void runOnOperation() override {
    const Architecture *architecture = getTargetArchitecture(getOperation());
    if (!architecture ||
        failed(verifyTarget(getOperation(), *architecture, ptxVersion)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
