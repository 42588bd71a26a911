// Instructions.cpp - nvvm operations as calls of the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instructions.h"

#include "Accesses.h"

#include "tile/Conversion/RegisterTie.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using emulator::Site;
using emulator::SiteKind;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

static int64_t getRegisterBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
  return type.getIntOrFloatBitWidth() / 8;
}

void tile::storeRegisters(OpBuilder &builder, Location loc, Value pointer,
                          ValueRange values) {
  int64_t offset = 0;
  for (Value value : values) {
    LLVM::StoreOp::create(builder, loc, value,
                          createOffset(builder, loc, pointer, offset));
    offset += getRegisterBytes(value.getType());
  }
}

Value tile::loadRegisters(OpBuilder &builder, Location loc, Value pointer,
                          Type type) {
  auto parts = dyn_cast<LLVM::LLVMStructType>(type);
  if (!parts)
    return LLVM::LoadOp::create(builder, loc, type, pointer);
  Value result = LLVM::PoisonOp::create(builder, loc, type);
  int64_t offset = 0;
  for (auto [index, part] : llvm::enumerate(parts.getBody())) {
    Value value = LLVM::LoadOp::create(
        builder, loc, part, createOffset(builder, loc, pointer, offset));
    result = LLVM::InsertValueOp::create(builder, loc, result, value, index);
    offset += getRegisterBytes(part);
  }
  return result;
}

void tile::replaceInstruction(Operation *op, Value result) {
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

namespace {
/// Converts one operation. The insertion point of the builder is before it.
struct InstructionConverter {
  Operation *op;
  InstructionContext &context;
  OpBuilder builder;
  Location loc;

  InstructionConverter(Operation *op, InstructionContext &context)
      : op(op), context(context), builder(op), loc(op->getLoc()) {}

  Type i32() { return builder.getI32Type(); }
  Value constant(uint32_t value) { return createI32(builder, loc, value); }
  Value site(SiteKind kind) {
    return site(makeSite(kind, op->getName().stripDialect()));
  }
  Value site(Site site) {
    return constant(context.sites.add(op, std::move(site)));
  }
  Value call(StringRef name, Type result, ValueRange arguments) {
    return context.calls.callMachine(builder, loc, name, result, arguments);
  }
  Value ask(StringRef name, ValueRange arguments) {
    return context.calls.askMachine(builder, loc, name, arguments);
  }
  Value null() {
    return LLVM::ZeroOp::create(builder, loc, context.scratch.getType());
  }
  /// Convert a 32-bit register to its bits, and back.
  Value toBits(Value value) {
    return value.getType() == i32()
               ? value
               : LLVM::BitcastOp::create(builder, loc, i32(), value);
  }
  Value fromBits(Value bits, Type type) {
    return type == i32() ? bits
                         : LLVM::BitcastOp::create(builder, loc, type, bits);
  }
  Value isNotZero(Value value) {
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, value,
                                constant(0));
  }
  LogicalResult replace(Value value) {
    replaceInstruction(op, value);
    return success();
  }
  /// Replaces the operation by a struct of two values.
  LogicalResult replacePair(Value first, Value second) {
    Value pair =
        LLVM::PoisonOp::create(builder, loc, op->getResult(0).getType());
    for (auto [index, value] : llvm::enumerate(ValueRange{first, second}))
      pair = LLVM::InsertValueOp::create(builder, loc, pair, value, index);
    return replace(pair);
  }
  /// Removes an operation without results, after a call has replaced it.
  LogicalResult erase() {
    op->erase();
    return success();
  }
  LogicalResult refuse(StringRef detail = "") {
    InFlightDiagnostic error =
        emitError(loc) << "expected an instruction that the emulator has, got ";
    if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
      error << "'" << call.getIntrin() << "'";
    else
      error << "'" << op->getName() << "'";
    if (!detail.empty())
      error << " " << detail;
    return failure();
  }

  LogicalResult convert();
  LogicalResult convertIntrinsic(LLVM::CallIntrinsicOp call);
  LogicalResult convertToInteger(LLVM::CallIntrinsicOp call);
  LogicalResult convertCall(LLVM::CallOp call);
  std::optional<LogicalResult> convertRegister();

  LogicalResult convertBarrier(NVVM::BarrierOp barrier);
  LogicalResult convertShuffle(NVVM::ShflOp shuffle);
  LogicalResult convertVote(NVVM::VoteSyncOp vote);
  LogicalResult convertElect(NVVM::ElectSyncOp elect);
  LogicalResult convertMatch(NVVM::MatchSyncOp match);
  LogicalResult convertRedux(NVVM::ReduxOp redux);
  LogicalResult convertCopy(NVVM::CpAsyncOp copy);
  LogicalResult convertProxyFence(NVVM::FenceProxyOp fence);
  LogicalResult convertExit();
};
} // namespace

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

/// Returns the mask of the lanes whose index has a relation to `lane`: eq, lt,
/// le, gt or ge, the end of the register's name.
static Value createLaneMask(OpBuilder &builder, Location loc, Value lane,
                            StringRef relation) {
  auto constant = [&](uint32_t value) {
    return createI32(builder, loc, value);
  };
  Value self = LLVM::ShlOp::create(builder, loc, constant(1), lane);
  Value below = LLVM::SubOp::create(builder, loc, self, constant(1));
  Value atMost = LLVM::OrOp::create(builder, loc, below, self);
  auto invert = [&](Value mask) -> Value {
    return LLVM::XOrOp::create(builder, loc, mask, constant(~0u));
  };
  return llvm::StringSwitch<Value>(relation)
      .Case("eq", self)
      .Case("lt", below)
      .Case("le", atMost)
      .Case("gt", invert(atMost))
      .Default(invert(below));
}

/// Converts the read of a special register; none for other operations.
std::optional<LogicalResult> InstructionConverter::convertRegister() {
  StringRef name = op->getName().stripDialect();
  if (!name.consume_front("read.ptx.sreg."))
    return std::nullopt;
  auto [family, member] = name.split('.');
  StringRef question = llvm::StringSwitch<StringRef>(family)
                           .Case("tid", "tile_emulator_thread_index")
                           .Case("ntid", "tile_emulator_block_size")
                           .Case("ctaid", "tile_emulator_block_index")
                           .Case("nctaid", "tile_emulator_grid_size")
                           .Default("");
  if (!question.empty())
    return replace(ask(question, constant(member[0] - 'x')));
  if (name == "laneid")
    return replace(ask("tile_emulator_lane", {}));
  if (name == "warpid")
    return replace(ask("tile_emulator_warp", {}));
  if (name == "warpsize")
    return replace(constant(kWarpSize));
  if (family == "lanemask")
    return replace(
        createLaneMask(builder, loc, ask("tile_emulator_lane", {}), member));
  if (isa<NVVM::ClockOp, NVVM::Clock64Op, NVVM::GlobalTimerOp>(op)) {
    Type type = op->getResult(0).getType();
    Value time = call("tile_emulator_clock", builder.getI64Type(), {});
    return replace(type == time.getType()
                       ? time
                       : LLVM::TruncOp::create(builder, loc, type, time));
  }
  return refuse();
}

//===----------------------------------------------------------------------===//
// Barriers and warp collectives
//===----------------------------------------------------------------------===//

LogicalResult InstructionConverter::convertBarrier(NVVM::BarrierOp barrier) {
  if (barrier.getReductionOp())
    return refuse("with a reduction");
  Value id = barrier.getBarrierId();
  Value count = barrier.getNumberOfThreads();
  call("tile_emulator_barrier", Type(),
       {site(SiteKind::Barrier), id ? id : constant(0),
        count ? count : constant(0)});
  return erase();
}

LogicalResult InstructionConverter::convertShuffle(NVVM::ShflOp shuffle) {
  Site facts = makeSite(SiteKind::Shuffle, "shfl.sync");
  switch (shuffle.getKind()) {
  case NVVM::ShflKind::bfly:
    facts.shuffle = emulator::ShuffleMode::Butterfly;
    break;
  case NVVM::ShflKind::up:
    facts.shuffle = emulator::ShuffleMode::Up;
    break;
  case NVVM::ShflKind::down:
    facts.shuffle = emulator::ShuffleMode::Down;
    break;
  case NVVM::ShflKind::idx:
    facts.shuffle = emulator::ShuffleMode::Index;
    break;
  }
  bool hasPredicate = shuffle.getReturnValueAndIsValid().value_or(false);
  Value bits = call("tile_emulator_shuffle", i32(),
                    {site(std::move(facts)), shuffle.getThreadMask(),
                     toBits(shuffle.getVal()), shuffle.getOffset(),
                     shuffle.getMaskAndClamp(),
                     hasPredicate ? context.scratch : null()});
  Value value = fromBits(bits, shuffle.getVal().getType());
  if (!hasPredicate)
    return replace(value);
  Value isValid =
      isNotZero(LLVM::LoadOp::create(builder, loc, i32(), context.scratch));
  return replacePair(value, isValid);
}

LogicalResult InstructionConverter::convertVote(NVVM::VoteSyncOp vote) {
  Site facts = makeSite(SiteKind::Vote, "vote.sync");
  switch (vote.getKind()) {
  case NVVM::VoteSyncKind::any:
    facts.vote = emulator::VoteMode::Any;
    break;
  case NVVM::VoteSyncKind::all:
    facts.vote = emulator::VoteMode::All;
    break;
  case NVVM::VoteSyncKind::ballot:
    facts.vote = emulator::VoteMode::Ballot;
    break;
  case NVVM::VoteSyncKind::uni:
    facts.vote = emulator::VoteMode::Uniform;
    break;
  }
  Value predicate = LLVM::ZExtOp::create(builder, loc, i32(), vote.getPred());
  Value result =
      call("tile_emulator_vote", i32(),
           {site(std::move(facts)), vote.getMask(), predicate, null()});
  return replace(vote.getType() == i32() ? result : isNotZero(result));
}

LogicalResult InstructionConverter::convertElect(NVVM::ElectSyncOp elect) {
  Site facts = makeSite(SiteKind::Vote, "elect.sync");
  facts.vote = emulator::VoteMode::Elect;
  Value mask = elect.getMembermask();
  call("tile_emulator_vote", i32(),
       {site(std::move(facts)), mask ? mask : constant(~0u), constant(1),
        context.scratch});
  return replace(
      isNotZero(LLVM::LoadOp::create(builder, loc, i32(), context.scratch)));
}

LogicalResult InstructionConverter::convertMatch(NVVM::MatchSyncOp match) {
  Site facts = makeSite(SiteKind::Match, "match.sync");
  bool isAll = match.getKind() == NVVM::MatchSyncKind::all;
  facts.match = isAll ? emulator::MatchMode::All : emulator::MatchMode::Any;
  Value value = match.getVal();
  if (value.getType() == i32())
    value = LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), value);
  Value lanes = call("tile_emulator_match", i32(),
                     {site(std::move(facts)), match.getThreadMask(), value,
                      isAll ? context.scratch : null()});
  if (!isAll)
    return replace(lanes);
  Value isSame =
      isNotZero(LLVM::LoadOp::create(builder, loc, i32(), context.scratch));
  return replacePair(lanes, isSame);
}

static std::optional<emulator::ReduxMode> getMode(NVVM::ReduxKind kind) {
  switch (kind) {
  case NVVM::ReduxKind::ADD:
    return emulator::ReduxMode::Add;
  case NVVM::ReduxKind::AND:
    return emulator::ReduxMode::And;
  case NVVM::ReduxKind::OR:
    return emulator::ReduxMode::Or;
  case NVVM::ReduxKind::XOR:
    return emulator::ReduxMode::Xor;
  case NVVM::ReduxKind::MIN:
    return emulator::ReduxMode::SignedMin;
  case NVVM::ReduxKind::MAX:
    return emulator::ReduxMode::SignedMax;
  case NVVM::ReduxKind::UMIN:
    return emulator::ReduxMode::UnsignedMin;
  case NVVM::ReduxKind::UMAX:
    return emulator::ReduxMode::UnsignedMax;
  case NVVM::ReduxKind::FMIN:
    return emulator::ReduxMode::FloatMin;
  case NVVM::ReduxKind::FMAX:
    return emulator::ReduxMode::FloatMax;
  }
  return std::nullopt;
}

LogicalResult InstructionConverter::convertRedux(NVVM::ReduxOp redux) {
  std::optional<emulator::ReduxMode> mode = getMode(redux.getKind());
  if (!mode || redux.getAbs() || redux.getNan())
    return refuse("with these attributes");
  Site facts = makeSite(SiteKind::Redux, "redux.sync");
  facts.redux = *mode;
  Value bits = call("tile_emulator_redux", i32(),
                    {site(std::move(facts)), redux.getMaskAndClamp(),
                     toBits(redux.getVal())});
  return replace(fromBits(bits, redux.getType()));
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

LogicalResult InstructionConverter::convertCopy(NVVM::CpAsyncOp copy) {
  Site facts = makeSite(SiteKind::CopyAsync, "cp.async");
  facts.memory.space = emulator::AddressSpace::Shared;
  facts.memory.mode = emulator::AccessMode::Write;
  facts.memory.bytes = facts.memory.alignment = copy.getSize();
  Value bytes = constant(copy.getSize());
  Value sourceBytes = copy.getCpSize();
  call("tile_emulator_copy_async", Type(),
       {site(std::move(facts)), copy.getDst(), copy.getSrc(), bytes,
        sourceBytes ? sourceBytes : bytes});
  return erase();
}

//===----------------------------------------------------------------------===//
// Other instructions
//===----------------------------------------------------------------------===//

/// Converts a fence. Only a fence for the asynchronous proxy that includes
/// shared memory has an effect in the emulator.
LogicalResult
InstructionConverter::convertProxyFence(NVVM::FenceProxyOp fence) {
  if (fence.getKind() == NVVM::ProxyKind::async ||
      fence.getKind() == NVVM::ProxyKind::async_shared)
    call("tile_emulator_proxy_fence", Type(),
         site(makeSite(SiteKind::WarpgroupFence, "fence.proxy.async")));
  return erase();
}

/// Converts an exit to a return; the operations after it are unreachable.
LogicalResult InstructionConverter::convertExit() {
  op->getBlock()->splitBlock(op->getNextNode());
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return erase();
}

/// Whether an intrinsic is one like "llvm.nvvm.f2i.rz", which converts f32 or
/// f64 to an integer of 32 or 64 bits.
static bool isIntegerConversion(StringRef name) {
  return name.consume_front("llvm.nvvm.") &&
         (name.consume_front("f2") || name.consume_front("d2")) &&
         llvm::is_contained({"i.rz", "ui.rz", "ll.rz", "ull.rz"}, name);
}

/// Converts a float to an integer: it is rounded toward zero and limited to the
/// integer's range. NaN becomes zero, or, if one of the types has 64 bits, the
/// integer with only the highest bit set (PTX ISA, "cvt").
LogicalResult
InstructionConverter::convertToInteger(LLVM::CallIntrinsicOp call) {
  Value value = call.getArgs().front();
  Type type = call.getResult(0).getType();
  bool isUnsigned = call.getIntrin().contains("2u");
  Value nearest = LLVM::CallIntrinsicOp::create(
                      builder, loc, type,
                      builder.getStringAttr(isUnsigned ? "llvm.fptoui.sat"
                                                       : "llvm.fptosi.sat"),
                      value)
                      .getResult(0);
  if (value.getType().isF32() && type.isInteger(32))
    return replace(nearest);
  Value isNaN = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno,
                                     value, value);
  unsigned width = type.getIntOrFloatBitWidth();
  Value ofNaN = LLVM::ConstantOp::create(
      builder, loc, type,
      builder.getIntegerAttr(type, APInt::getSignMask(width)));
  return replace(LLVM::SelectOp::create(builder, loc, isNaN, ofNaN, nearest));
}

LogicalResult
InstructionConverter::convertIntrinsic(LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  if (name.starts_with("llvm.nvvm.mma."))
    return convertMma(op, context);
  if (name == "llvm.nvvm.cp.async.wait.all") {
    this->call("tile_emulator_copy_wait_all", Type(), site(SiteKind::CopyWait));
    return erase();
  }
  if (isIntegerConversion(name))
    return convertToInteger(call);
  // The function of the host is more accurate than the approximate instruction.
  StringRef function =
      llvm::StringSwitch<StringRef>(name)
          .Case("llvm.nvvm.ex2.approx.ftz.f32", "tile_emulator_ex2_ftz")
          .Case("llvm.nvvm.rcp.approx.ftz.f", "tile_emulator_rcp_ftz")
          .Case("llvm.nvvm.rcp.approx.ftz.d", "tile_emulator_rcp_ftz_f64")
          .Case("llvm.nvvm.rsqrt.approx.f", "__nv_rsqrtf")
          .Case("llvm.nvvm.rsqrt.approx.d", "__nv_rsqrt")
          .Default("");
  if (!function.empty())
    return replace(context.calls.callMath(
        builder, loc, function, call.getResult(0).getType(), call.getArgs()));
  return name.starts_with("llvm.nvvm.") ? refuse() : success();
}

LogicalResult InstructionConverter::convertCall(LLVM::CallOp call) {
  StringRef callee = call.getCallee().value_or("");
  ValueRange arguments = call.getCalleeOperands();
  if (callee == "vprintf" && arguments.size() == 2)
    return replace(this->call("tile_emulator_print", i32(),
                              {site(makeSite(SiteKind::Print, "vprintf")),
                               arguments[0], arguments[1]}));
  if (callee == "__assertfail" && arguments.size() == 5) {
    this->call("tile_emulator_assert_fail", Type(),
               {site(makeSite(SiteKind::Assert, "__assertfail")), arguments[0],
                arguments[1], arguments[2], arguments[3]});
    return erase();
  }
  return success();
}

LogicalResult InstructionConverter::convert() {
  if (std::optional<LogicalResult> done = convertRegister())
    return *done;
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](NVVM::Barrier0Op) {
        call("tile_emulator_barrier", Type(),
             {site(SiteKind::Barrier), constant(0), constant(0)});
        return erase();
      })
      .Case([&](NVVM::BarrierOp barrier) { return convertBarrier(barrier); })
      .Case([&](NVVM::BarrierArriveOp arrive) {
        Value id = arrive.getBarrierId();
        call("tile_emulator_barrier_arrive", Type(),
             {site(SiteKind::Barrier), id ? id : constant(0),
              arrive.getNumberOfThreads()});
        return erase();
      })
      .Case([&](NVVM::SyncWarpOp sync) {
        call("tile_emulator_warp_sync", Type(),
             {site(SiteKind::WarpSync), sync.getMask()});
        return erase();
      })
      .Case([&](NVVM::ShflOp shuffle) { return convertShuffle(shuffle); })
      .Case([&](NVVM::VoteSyncOp vote) { return convertVote(vote); })
      .Case([&](NVVM::ElectSyncOp elect) { return convertElect(elect); })
      .Case([&](NVVM::MatchSyncOp match) { return convertMatch(match); })
      .Case([&](NVVM::ReduxOp redux) { return convertRedux(redux); })
      .Case([&](NVVM::CpAsyncOp copy) { return convertCopy(copy); })
      .Case([&](NVVM::CpAsyncCommitGroupOp) {
        call("tile_emulator_copy_commit", Type(), site(SiteKind::CopyCommit));
        return erase();
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp wait) {
        call("tile_emulator_copy_wait", Type(),
             {site(SiteKind::CopyWait), constant(wait.getN())});
        return erase();
      })
      .Case([&](NVVM::LdMatrixOp) { return convertLoadMatrix(op, context); })
      .Case([&](NVVM::StMatrixOp) { return convertStoreMatrix(op, context); })
      .Case([&](NVVM::MmaOp) { return convertMma(op, context); })
      .Case<NVVM::WgmmaMmaAsyncOp, tile_gpu::WarpgroupMmaOp>(
          [&](auto mma) { return convertWarpgroupMma(mma, context); })
      .Case([&](NVVM::WgmmaFenceAlignedOp) {
        call("tile_emulator_warpgroup_fence", Type(),
             site(makeSite(SiteKind::WarpgroupFence, "wgmma.fence")));
        return erase();
      })
      .Case([&](NVVM::WgmmaGroupSyncAlignedOp) {
        call("tile_emulator_warpgroup_commit", Type(),
             site(makeSite(SiteKind::WarpgroupFence, "wgmma.commit_group")));
        return erase();
      })
      .Case([&](NVVM::WgmmaWaitGroupSyncOp wait) {
        call("tile_emulator_warpgroup_wait", Type(),
             {site(makeSite(SiteKind::WarpgroupFence, "wgmma.wait_group")),
              constant(wait.getGroup())});
        return erase();
      })
      .Case([&](NVVM::PrefetchOp prefetch) {
        if (prefetch.getTensormap() || prefetch.getPredicate())
          return refuse("with these attributes");
        call("tile_emulator_prefetch", Type(),
             {site(SiteKind::Prefetch), prefetch.getAddr()});
        return erase();
      })
      .Case([&](NVVM::NanosleepOp) {
        call("tile_emulator_yield", Type(), {});
        return erase();
      })
      .Case([&](NVVM::Exit) { return convertExit(); })
      .Case([&](LLVM::Trap) {
        call("tile_emulator_trap", Type(), site(SiteKind::Other));
        return erase();
      })
      .Case([&](NVVM::FenceProxyOp fence) { return convertProxyFence(fence); })
      // These have no effect on the results of a kernel: launches run one after
      // another.
      .Case<NVVM::PMEventOp, NVVM::SetMaxRegisterOp, NVVM::GriddepcontrolOp>(
          [&](auto) { return erase(); })
      // convertAccesses converts this fence.
      .Case([](NVVM::MembarOp) { return success(); })
      .Case<NVVM::ConvertFloatToTF32Op, NVVM::ConvertF32x2ToF16x2Op,
            NVVM::ConvertF32x2ToBF16x2Op, NVVM::ConvertF32x2ToF8x2Op,
            NVVM::ConvertF16x2ToF8x2Op, NVVM::ConvertF8x2ToF16x2Op,
            NVVM::PermuteOp, NVVM::DotAccumulate4WayOp>(
          [&](auto) { return convertPackedArithmetic(op, context); })
      .Case([&](LLVM::CallIntrinsicOp call) { return convertIntrinsic(call); })
      .Case([&](LLVM::CallOp call) { return convertCall(call); })
      .Case([&](LLVM::InlineAsmOp assembly) {
        return isRegisterTie(assembly) ? convertTie(op) : success();
      })
      .Default([&](Operation *) {
        return isa_and_present<NVVM::NVVMDialect>(op->getDialect()) ? refuse()
                                                                    : success();
      });
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult tile::convertInstructions(LLVM::LLVMFuncOp function,
                                        RuntimeCalls &calls, SiteTable &sites) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (op != function)
      ops.push_back(op);
  });
  OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
  InstructionContext context{
      calls, sites, createStackBuffer(entry, function.getLoc(), kScratchBytes),
      llvm::DenseMap<Operation *, LLVM::ConstantOp>()};
  announceReads(function, context);
  bool isRefused = false;
  for (Operation *op : ops)
    if (failed(InstructionConverter(op, context).convert()))
      isRefused = true;
  if (context.scratch.use_empty())
    context.scratch.getDefiningOp()->erase();
  return failure(isRefused);
}
