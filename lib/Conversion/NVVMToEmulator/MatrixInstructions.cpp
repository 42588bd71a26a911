// MatrixInstructions.cpp - matrix instructions as calls of the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instructions.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tile;
using emulator::ElementType;
using emulator::MmaFacts;
using emulator::Site;
using emulator::SiteKind;

/// Bytes of a row of an 8x8 matrix. One lane provides the row's address.
static constexpr uint32_t kRowBytes = 16;

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

/// Describes an access of ldmatrix or stmatrix; none for a shape that the
/// emulator does not support.
static std::optional<Site> describeAccess(SiteKind kind, StringRef instruction,
                                          int64_t count, NVVM::MMALayout layout,
                                          NVVM::LdStMatrixShapeAttr shape,
                                          NVVM::LdStMatrixEltType element) {
  Site site = makeSite(kind, instruction);
  site.memory.space = emulator::AddressSpace::Shared;
  site.memory.mode = kind == SiteKind::LoadMatrix ? emulator::AccessMode::Read
                                                  : emulator::AccessMode::Write;
  site.memory.bytes = site.memory.alignment = kRowBytes;
  site.matrix.count = count;
  site.matrix.isTransposed = layout == NVVM::MMALayout::col;
  if (shape.getM() == 8 && shape.getN() == 8 &&
      element == NVVM::LdStMatrixEltType::B16)
    return site;
  site.matrix.elementBits = 8;
  if (kind == SiteKind::LoadMatrix && shape.getM() == 16 &&
      shape.getN() == 16 && element == NVVM::LdStMatrixEltType::B8)
    return site;
  return std::nullopt;
}

static LogicalResult refuseShape(Operation *op, NVVM::LdStMatrixShapeAttr shape,
                                 NVVM::LdStMatrixEltType element) {
  return emitError(op->getLoc())
         << "expected an instruction that the emulator has, got '"
         << op->getName() << "' of " << shape.getM() << "x" << shape.getN()
         << " " << stringifyEnum(element);
}

LogicalResult tile::convertLoadMatrix(Operation *op,
                                      InstructionContext &context) {
  auto load = cast<NVVM::LdMatrixOp>(op);
  std::optional<Site> site =
      describeAccess(SiteKind::LoadMatrix, "ldmatrix", load.getNum(),
                     load.getLayout(), load.getShape(), load.getEltType());
  if (!site)
    return refuseShape(op, load.getShape(), load.getEltType());
  OpBuilder builder(op);
  Value siteIndex =
      createI32(builder, op->getLoc(), context.sites.add(op, *site));
  context.calls.callMachine(builder, op->getLoc(), "tile_emulator_load_matrix",
                            Type(),
                            {siteIndex, load.getPtr(), context.scratch});
  replaceInstruction(op, loadRegisters(builder, op->getLoc(), context.scratch,
                                       load.getType()));
  return success();
}

LogicalResult tile::convertStoreMatrix(Operation *op,
                                       InstructionContext &context) {
  auto store = cast<NVVM::StMatrixOp>(op);
  std::optional<Site> site = describeAccess(
      SiteKind::StoreMatrix, "stmatrix", store.getSources().size(),
      store.getLayout(), store.getShape(), store.getEltType());
  if (!site)
    return refuseShape(op, store.getShape(), store.getEltType());
  OpBuilder builder(op);
  Value siteIndex =
      createI32(builder, op->getLoc(), context.sites.add(op, *site));
  storeRegisters(builder, op->getLoc(), context.scratch, store.getSources());
  context.calls.callMachine(builder, op->getLoc(), "tile_emulator_store_matrix",
                            Type(),
                            {siteIndex, store.getPtr(), context.scratch});
  op->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

/// Returns the element type that PTX calls `name`; none for other names.
static std::optional<ElementType> parseElement(StringRef name) {
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Case("f16", ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Case("tf32", ElementType::TF32)
      .Case("f32", ElementType::F32)
      .Case("f64", ElementType::F64)
      .Case("e4m3", ElementType::F8E4M3)
      .Case("e5m2", ElementType::F8E5M2)
      .Case("s8", ElementType::S8)
      .Case("u8", ElementType::U8)
      .Case("s32", ElementType::S32)
      .Default(std::nullopt);
}

/// Returns the accumulator's type of an MMA whose name contains only the type
/// of its multiplicands.
static ElementType getAccumulator(ElementType multiplicand) {
  switch (multiplicand) {
  case ElementType::F64:
    return ElementType::F64;
  case ElementType::S8:
  case ElementType::U8:
    return ElementType::S32;
  default:
    return ElementType::F32;
  }
}

static std::optional<MmaFacts> describe(NVVM::MmaOp op) {
  if (op.getLayoutA() != NVVM::MMALayout::row ||
      op.getLayoutB() != NVVM::MMALayout::col || op.getB1Op() ||
      !op.getMultiplicandAPtxType() || !op.getMultiplicandBPtxType() ||
      op.accumPtxType() != op.resultPtxType())
    return std::nullopt;
  auto a = parseElement(stringifyEnum(*op.getMultiplicandAPtxType()));
  auto b = parseElement(stringifyEnum(*op.getMultiplicandBPtxType()));
  auto accumulator = parseElement(stringifyEnum(op.accumPtxType()));
  if (!a || !b || !accumulator)
    return std::nullopt;
  MmaFacts facts;
  facts.m = op.getShape().getM();
  facts.n = op.getShape().getN();
  facts.k = op.getShape().getK();
  facts.a = *a;
  facts.b = *b;
  facts.accumulator = *accumulator;
  facts.saturate =
      op.getIntOverflowBehavior() == NVVM::MMAIntOverflow::satfinite;
  return facts;
}

/// Parses a shape such as "m16n8k32".
static bool parseShape(StringRef text, MmaFacts &facts) {
  return text.consume_front("m") && !text.consumeInteger(10, facts.m) &&
         text.consume_front("n") && !text.consumeInteger(10, facts.n) &&
         text.consume_front("k") && !text.consumeInteger(10, facts.k) &&
         text.empty();
}

/// Sets the types from the end of an intrinsic's name. The name lists the types
/// of a and b, or of d and c if a and b are f16, or of d, a, b and c.
static bool setTypes(ArrayRef<StringRef> names, MmaFacts &facts) {
  SmallVector<ElementType> types;
  for (StringRef name : names) {
    std::optional<ElementType> type = parseElement(name);
    if (!type)
      return false;
    types.push_back(*type);
  }
  auto isHalfResult = [](ElementType type) {
    return type == ElementType::F16 || type == ElementType::F32;
  };
  if (types.size() == 4 && types[0] == types[3]) {
    facts.a = types[1];
    facts.b = types[2];
    facts.accumulator = types[0];
    return true;
  }
  if (types.size() == 2 && isHalfResult(types[0])) {
    facts.a = facts.b = ElementType::F16;
    facts.accumulator = types[0];
    return types[0] == types[1];
  }
  if (types.empty() || types.size() > 2)
    return false;
  facts.a = types.front();
  facts.b = types.back();
  facts.accumulator = getAccumulator(facts.a);
  return true;
}

/// Parses a name such as "llvm.nvvm.mma.m16n8k32.row.col.satfinite.s8.u8".
static std::optional<MmaFacts> describe(LLVM::CallIntrinsicOp call) {
  StringRef name = call.getIntrin();
  name.consume_front("llvm.nvvm.mma.");
  SmallVector<StringRef> parts;
  name.split(parts, '.');
  MmaFacts facts;
  if (parts.size() < 4 || !parseShape(parts[0], facts) || parts[1] != "row" ||
      parts[2] != "col")
    return std::nullopt;
  ArrayRef<StringRef> types = ArrayRef(parts).drop_front(3);
  if (types.front() == "satfinite") {
    facts.saturate = true;
    types = types.drop_front();
  }
  if (!setTypes(types, facts))
    return std::nullopt;
  return facts;
}

/// Returns the bytes of `count` registers of an operand of type `element`.
static int64_t getBytes(int count, ElementType element) {
  return count * (element == ElementType::F64 ? 8 : 4);
}

LogicalResult tile::convertMma(Operation *op, InstructionContext &context) {
  auto mma = dyn_cast<NVVM::MmaOp>(op);
  std::optional<MmaFacts> facts =
      mma ? describe(mma) : describe(cast<LLVM::CallIntrinsicOp>(op));
  ValueRange registers =
      mma ? ValueRange(op->getOperands())
          : ValueRange(cast<LLVM::CallIntrinsicOp>(op).getArgs());
  bool isKnown = facts && emulator::isSupported(*facts);
  emulator::MmaRegisters counts =
      isKnown ? emulator::countRegisters(*facts) : emulator::MmaRegisters();
  if (!isKnown || registers.size() != size_t(counts.a) + counts.b + counts.c) {
    std::string name;
    llvm::raw_string_ostream stream(name);
    if (mma)
      stream << mma->getName() << " " << mma.getShapeAttr();
    else
      stream << cast<LLVM::CallIntrinsicOp>(op).getIntrin();
    return emitError(op->getLoc())
           << "expected an instruction that the emulator has, got '" << name
           << "'";
  }
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Site site = makeSite(SiteKind::Mma, "mma.sync");
  site.mma = *facts;
  Value siteIndex =
      createI32(builder, loc, context.sites.add(op, std::move(site)));
  Value a = context.scratch;
  Value b = createOffset(builder, loc, a, getBytes(counts.a, facts->a));
  Value c = createOffset(builder, loc, b, getBytes(counts.b, facts->b));
  storeRegisters(builder, loc, a, registers.take_front(counts.a));
  storeRegisters(builder, loc, b, registers.slice(counts.a, counts.b));
  storeRegisters(builder, loc, c, registers.take_back(counts.c));
  context.calls.callMachine(builder, loc, "tile_emulator_mma", Type(),
                            {siteIndex, c, a, b, c});
  replaceInstruction(
      op, loadRegisters(builder, loc, c, op->getResult(0).getType()));
  return success();
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

static std::optional<MmaFacts> describe(NVVM::WgmmaMmaAsyncOp op) {
  bool isPlain = op.getScaleA() == NVVM::WGMMAScaleIn::one &&
                 op.getScaleB() == NVVM::WGMMAScaleIn::one &&
                 !op.getSatfinite();
  auto a = parseElement(stringifyEnum(op.getTypeA()));
  auto b = parseElement(stringifyEnum(op.getTypeB()));
  auto accumulator = parseElement(stringifyEnum(op.getTypeD()));
  if (!isPlain || !a || !b || !accumulator)
    return std::nullopt;
  MmaFacts facts;
  facts.m = op.getShape().getM();
  facts.n = op.getShape().getN();
  facts.k = op.getShape().getK();
  facts.a = *a;
  facts.b = *b;
  facts.accumulator = *accumulator;
  facts.isTransposedA = op.getLayoutA() == NVVM::MMALayout::col;
  facts.isTransposedB = op.getLayoutB() == NVVM::MMALayout::row;
  return facts;
}

static std::optional<MmaFacts> describe(tile_gpu::WarpgroupMmaOp op) {
  std::optional<ElementType> element = parseElement(op.getElementName());
  if (!element)
    return std::nullopt;
  MmaFacts facts;
  facts.m = 64;
  facts.n = op.getColumns();
  facts.k = op.getK();
  facts.a = facts.b = *element;
  facts.accumulator = ElementType::F32;
  facts.isTransposedB = op.getTransposed();
  return facts;
}

static bool isWarpgroupMma(Operation *op) {
  return isa<NVVM::WgmmaMmaAsyncOp, tile_gpu::WarpgroupMmaOp>(op);
}

/// Whether an operation only passes accumulators on to other values.
static bool movesRegisters(Operation *user) {
  return isa<LLVM::ExtractValueOp, LLVM::InsertValueOp, BranchOpInterface>(
      user);
}

/// Returns the values to which an operation passes the operand `use` on.
static SmallVector<Value> getMoved(OpOperand &use) {
  auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
  if (!branch)
    return {use.getOwner()->getResult(0)};
  std::optional<BlockArgument> argument =
      branch.getSuccessorBlockArgument(use.getOperandNumber());
  return argument ? SmallVector<Value>{*argument} : SmallVector<Value>();
}

/// Returns the first operation in each block that reads the accumulators of an
/// MMA. The next MMA with the same accumulators does not count as a reader. A
/// register tie (RegisterTie.h), which passes the values on after a wait,
/// counts; readers of its results do not.
static SmallVector<Operation *> findReaders(Operation *mma) {
  llvm::MapVector<Block *, Operation *> readers;
  llvm::SetVector<Value> reached;
  reached.insert_range(mma->getResults());
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      if (movesRegisters(user)) {
        reached.insert_range(getMoved(use));
      } else if (!isWarpgroupMma(user)) {
        Operation *&first = readers[user->getBlock()];
        if (!first || user->isBeforeInBlock(first))
          first = user;
      }
    }
  return llvm::map_to_vector(readers, [](auto &entry) { return entry.second; });
}

void tile::announceReads(LLVM::LLVMFuncOp function,
                         InstructionContext &context) {
  llvm::MapVector<Operation *, SmallVector<Operation *>> readers;
  function.walk([&](Operation *op) {
    if (isWarpgroupMma(op))
      readers[op] = findReaders(op);
  });
  OpBuilder entry = OpBuilder::atBlockBegin(&function.getBody().front());
  for (auto &[mma, users] : readers) {
    // The constant becomes the index of the site, once the MMA has one.
    Value mmaIndex = createI32(entry, mma->getLoc(), 0);
    context.mmaSites[mma] = mmaIndex.getDefiningOp<LLVM::ConstantOp>();
    for (Operation *reader : users) {
      OpBuilder builder(reader);
      Location loc = reader->getLoc();
      Site site = makeSite(SiteKind::WarpgroupFence, "read of accumulators");
      Value readIndex =
          createI32(builder, loc, context.sites.add(reader, std::move(site)));
      context.calls.callMachine(builder, loc, "tile_emulator_warpgroup_read",
                                Type(), {readIndex, mmaIndex});
    }
  }
}

LogicalResult tile::convertTie(Operation *op) {
  auto tie = cast<LLVM::InlineAsmOp>(op);
  OpBuilder builder(op);
  Value values = tie.getOperands().front();
  if (auto type = dyn_cast<LLVM::LLVMStructType>(tie.getRes().getType())) {
    values = LLVM::PoisonOp::create(builder, op->getLoc(), type);
    for (auto [i, value] : llvm::enumerate(tie.getOperands()))
      values =
          LLVM::InsertValueOp::create(builder, op->getLoc(), values, value, i);
  }
  replaceInstruction(op, values);
  return success();
}

/// Adds an MMA to the table of sites, and returns its index in the table.
static FailureOr<Value> addMma(OpBuilder &builder, Operation *op,
                               std::optional<MmaFacts> facts,
                               InstructionContext &context) {
  if (!facts || !emulator::isWarpgroupSupported(*facts))
    return emitError(op->getLoc())
           << "expected an instruction that the emulator has, got '"
           << op->getName() << "'";
  Site site = makeSite(SiteKind::WarpgroupMma, "wgmma.mma_async");
  site.mma = *facts;
  site.memory.space = emulator::AddressSpace::Shared;
  site.memory.bytes = site.memory.alignment = kRowBytes;
  uint32_t siteIndex = context.sites.add(op, std::move(site));
  context.mmaSites.at(op).setValueAttr(builder.getI32IntegerAttr(siteIndex));
  return createI32(builder, op->getLoc(), siteIndex);
}

/// Stores the initial accumulators of an MMA: the registers, or zero.
static void storeAccumulators(OpBuilder &builder, Location loc, Value pointer,
                              ValueRange registers, bool isFromZero) {
  if (!isFromZero)
    return storeRegisters(builder, loc, pointer, registers);
  Value zero = LLVM::ZeroOp::create(builder, loc, registers[0].getType());
  storeRegisters(builder, loc, pointer,
                 SmallVector<Value>(registers.size(), zero));
}

LogicalResult tile::convertWarpgroupMma(NVVM::WgmmaMmaAsyncOp op,
                                        InstructionContext &context) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  FailureOr<Value> siteIndex = addMma(builder, op, describe(op), context);
  if (failed(siteIndex))
    return failure();
  auto type = cast<LLVM::LLVMStructType>(op.getInouts().getType());
  SmallVector<Value> registers;
  for (size_t i = 0; i < type.getBody().size(); ++i)
    registers.push_back(
        LLVM::ExtractValueOp::create(builder, loc, op.getInouts(), i));
  storeAccumulators(builder, loc, context.scratch, registers,
                    op.getScaleD() == NVVM::WGMMAScaleOut::zero);
  context.calls.callMachine(
      builder, loc, "tile_emulator_warpgroup_mma", Type(),
      {*siteIndex, context.scratch, op.getDescriptorA(), op.getDescriptorB()});
  replaceInstruction(op, loadRegisters(builder, loc, context.scratch, type));
  return success();
}

LogicalResult tile::convertWarpgroupMma(tile_gpu::WarpgroupMmaOp op,
                                        InstructionContext &context) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  FailureOr<Value> siteIndex = addMma(builder, op, describe(op), context);
  if (failed(siteIndex))
    return failure();
  Value d = context.scratch;
  Value a = createOffset(builder, loc, d, op.getAcc().size() * sizeof(float));
  storeAccumulators(builder, loc, d, op.getAcc(), op.getFromZero());
  storeRegisters(builder, loc, a,
                 {op.getLhs0(), op.getLhs1(), op.getLhs2(), op.getLhs3()});
  context.calls.callMachine(builder, loc,
                            "tile_emulator_warpgroup_mma_registers", Type(),
                            {*siteIndex, d, a, op.getRhs()});
  auto type = LLVM::LLVMStructType::getLiteral(
      op.getContext(), llvm::to_vector(op.getResultTypes()));
  Value sum = loadRegisters(builder, loc, d, type);
  SmallVector<Value> results;
  for (size_t i = 0; i < op->getNumResults(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(builder, loc, sum, i));
  op->replaceAllUsesWith(results);
  op->erase();
  return success();
}
