// Bufferize.cpp - shared tiles and scratch become buffers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile in shared memory is defined once and never changes, so it gets a
// buffer of its own; that its bytes are free after its last reader is the
// business of -tile-allocate-shared. Inserts and puts alone change a buffer,
// where no one sees the tile that was there; elsewhere it changes a copy.

#include "PassOrder.h"
#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/RowCover.h"
#include "tile/Analysis/SharedLayout.h"
#include "tile/Analysis/SharedWidth.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

#define DEBUG_TYPE "tile-bufferize"

namespace tile {
#define GEN_PASS_DEF_BUFFERIZE
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

static Value createBuffer(OpBuilder &builder, Location loc,
                          ArrayRef<int64_t> shape, Type element,
                          SharedAttr shared) {
  return memref::AllocOp::create(
      builder, loc,
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), shared));
}

static Value createBuffer(OpBuilder &builder, Location loc, TileType type) {
  return createBuffer(builder, loc, type.getShape(), type.getElementType(),
                      type.getShared());
}

/// Whether the buffer's box is larger than the tile.
static bool hasPadding(TileType type) {
  return type.getShared().getBox() != SmallVector<int64_t>(type.getShape());
}

namespace {

/// Rewrites a kernel in program order. Values that were shared tiles are found
/// in `buffers`; the operations that defined them are erased at the end.
class Bufferizer {
public:
  explicit Bufferizer(KernelOp kernel)
      : kernel(kernel), builder(kernel.getContext()),
        numWarps(*kernel.getBlock() / kWarpSize) {}

  void run() {
    SmallVector<Operation *> operations;
    kernel.walk<WalkOrder::PreOrder>(
        [&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations) {
      builder.setInsertionPoint(op);
      visit(op);
    }
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
  }

private:
  void visit(Operation *op);
  void visitLoad(LoadOp op);
  bool canJoinGroup(LoadOp load);
  void visitConvert(ConvertLayoutOp op);
  void visitView(ViewOp op);
  Value getInsertBuffer(Operation *op, Value dest);
  void visitInsert(InsertOp op);
  void visitPut(PutOp op);
  void visitJoin(JoinOp op);
  Value createView(Location loc, Value buffer, ValueRange offsets,
                   ArrayRef<int64_t> shape);
  void visitTranspose(TransposeOp op);
  void visitReshape(ReshapeOp op);
  void visitAtomic(Operation *op);
  void visitPrint(PrintOp op);
  void setBuffer(Operation *op, Value buffer) {
    buffers.map(op->getResult(0), buffer);
    replaced.push_back(op);
  }
  Value loadRows(Location loc, Value buffer, ArrayRef<int64_t> box);
  Value copyBuffer(Location loc, Value source, TileType to);
  Value exchange(Location loc, Value source, TileType to);
  Value storeToExchange(Location loc, Value source, TileType to);
  Value getInRegisters(Location loc, Value tile);
  void storeShared(Location loc, Value value, Value buffer, bool padding) {
    StoreSharedOp::create(builder, loc, value, buffer, padding);
  }

  KernelOp kernel;
  OpBuilder builder;
  int64_t numWarps;
  IRMapping buffers;
  NVVM::CpAsyncWaitGroupOp lastWait;
  SmallVector<AlignRowsOp> lastAligns; ///< of what the last wait waits for
  SmallVector<Operation *> replaced;
};

} // namespace

/// Whether nothing between the last copy's wait and the load uses what was
/// copied or writes arrays: then the two are one group.
bool Bufferizer::canJoinGroup(LoadOp load) {
  if (!lastWait || lastWait->getBlock() != load->getBlock())
    return false;
  for (Operation *op = lastWait->getNextNode(); op != load;
       op = op->getNextNode())
    if (!isa<memref::AllocOp, LoadOp, AlignRowsOp>(op) &&
        !isMemoryEffectFree(op))
      return false;
  return true;
}

void Bufferizer::visitLoad(LoadOp op) {
  TileType type = op.getType();
  Location loc = op.getLoc();
  Value buffer = createBuffer(builder, loc, type);
  if (op.getPad()) {
    // A copy fills with zero: other pad values go through registers.
    std::vector<int64_t> box(type.getShape().begin(), type.getShape().end());
    if (hasPadding(type))
      llvm::copy(type.getShared().getBox(), box.begin());
    auto registers = RegisterAttr::get(
        op.getContext(), RegisterLayout::blocked(box, 1, numWarps));
    Value value = LoadOp::create(builder, loc, type.withStorage(registers),
                                 op.getSource(), op.getOffsets(), op.getPad(),
                                 op.getInBounds());
    storeShared(loc, value, buffer, hasPadding(type));
  } else {
    if (canJoinGroup(op)) {
      lastWait->getPrevNode()->erase(); // the commit
      lastWait.erase();
    } else {
      lastAligns.clear();
    }
    Value ends;
    if (needsCover(op))
      ends = memref::AllocOp::create(builder, loc, getEndsType(op));
    CopyAsyncOp::create(builder, loc, op.getSource(), op.getOffsets(), buffer,
                        ends, /*condition=*/Value(),
                        /*covering=*/ends != nullptr, op.getInBounds());
    NVVM::CpAsyncCommitGroupOp::create(builder, loc);
    lastWait = NVVM::CpAsyncWaitGroupOp::create(builder, loc, 0u);
    Operation *last = lastWait;
    for (AlignRowsOp align : lastAligns) {
      align->moveAfter(last);
      last = align;
    }
    if (ends)
      lastAligns.push_back(AlignRowsOp::create(builder, loc, buffer, ends,
                                               op.getSource(), op.getOffsets(),
                                               /*condition=*/Value()));
  }
  setBuffer(op, buffer);
}

/// Reads a buffer with one element a value of a thread, rows over the lanes.
/// `box` may be larger than the buffer's tile.
Value Bufferizer::loadRows(Location loc, Value buffer, ArrayRef<int64_t> box) {
  auto type = cast<MemRefType>(buffer.getType());
  auto layout = RegisterLayout::blocked({box.begin(), box.end()}, 1, numWarps);
  auto registers = RegisterAttr::get(builder.getContext(), layout);
  return LoadSharedOp::create(builder, loc,
                              TileType::get(builder.getContext(),
                                            type.getShape(),
                                            type.getElementType(), registers),
                              buffer);
}

/// A buffer of type `to` with the elements of another one of its shape.
Value Bufferizer::copyBuffer(Location loc, Value source, TileType to) {
  Value value = loadRows(loc, source, to.getShared().getBox());
  Value buffer = createBuffer(builder, loc, to);
  storeShared(loc, value, buffer, hasPadding(to));
  return buffer;
}

/// A tile's elements in registers, of any layout: a conversion that only moved
/// them is passed over.
Value Bufferizer::getInRegisters(Location loc, Value tile) {
  if (auto convert = tile.getDefiningOp<ConvertLayoutOp>())
    tile = convert.getSource();
  if (Value buffer = buffers.lookupOrNull(tile))
    return loadRows(loc, buffer, getTileShape(tile.getType()));
  return tile;
}

/// Whether threads exchange elements of a tile in registers.
static bool isExchange(ConvertLayoutOp op) {
  RegisterAttr from = op.getSource().getType().getRegister();
  RegisterAttr to = op.getType().getRegister();
  return from && to &&
         !from.getRegisterLayout().isEquivalent(to.getRegisterLayout());
}

/// The last of the exchanges that follow one another: all are written before
/// any is read, so that threads meet once for all of them.
static ConvertLayoutOp getLastBeside(ConvertLayoutOp first) {
  SmallPtrSet<Operation *, 4> beside = {first};
  ConvertLayoutOp last = first;
  while (auto next = dyn_cast_or_null<ConvertLayoutOp>(last->getNextNode())) {
    if (!isExchange(next) || beside.contains(next.getSource().getDefiningOp()))
      break;
    beside.insert(next);
    last = next;
  }
  return last;
}

void Bufferizer::visitConvert(ConvertLayoutOp op) {
  Location loc = op.getLoc();
  TileType from = op.getSource().getType(), to = op.getType();
  if (to.getShared()) {
    if (Value source = buffers.lookupOrNull(op.getSource()))
      return setBuffer(op, copyBuffer(loc, source, to));
    Value buffer = createBuffer(builder, loc, to);
    storeShared(loc, op.getSource(), buffer, hasPadding(to));
    return setBuffer(op, buffer);
  }
  if (from.getShared()) {
    Value value =
        LoadSharedOp::create(builder, loc, to, buffers.lookup(op.getSource()));
    op.getResult().replaceAllUsesWith(value);
    replaced.push_back(op);
    return;
  }
  if (!isExchange(op))
    return;
  Value buffer = storeToExchange(loc, op.getSource(), to);
  builder.setInsertionPointAfter(getLastBeside(op));
  op.getResult().replaceAllUsesWith(
      LoadSharedOp::create(builder, loc, to, buffer));
  replaced.push_back(op);
}

/// A tile in registers, handed from thread to thread through a buffer.
Value Bufferizer::exchange(Location loc, Value value, TileType to) {
  return LoadSharedOp::create(builder, loc, to,
                              storeToExchange(loc, value, to));
}

/// The buffer of an exchange.
Value Bufferizer::storeToExchange(Location loc, Value value, TileType to) {
  auto from = cast<TileType>(value.getType());
  RegisterLayout source = from.getRegister().getRegisterLayout();
  RegisterLayout dest = to.getRegister().getRegisterLayout();
  int64_t bytes = getElementBytes(from.getElementType());
  int64_t contiguous = std::max<int64_t>(from.getRank() - 1, 0);
  std::optional<AccessPlan> matrices =
      getMatrixPlan(dest, contiguous, from.getElementType(), from.getShape(),
                    kMaxAccessBytes);
  auto plan = [&](const RegisterLayout &layout, AccessKind kind) {
    return planRegisterAccess(layout, from.getShape(), from.getElementType(),
                              contiguous, kind);
  };
  SharedAttr shared = chooseSharedLayout(
      from.getContext(), from.getShape(), contiguous, bytes,
      {plan(source, AccessKind::kStore),
       matrices ? *matrices : plan(dest, AccessKind::kLoad)});
  Value buffer = createBuffer(builder, loc, from.withStorage(shared));
  storeShared(loc, value, buffer, /*padding=*/false);
  return buffer;
}

/// Of an element that several threads hold, one has what was there.
void Bufferizer::visitAtomic(Operation *op) {
  Value read = op->getResult(0);
  auto type = cast<TileType>(read.getType());
  RegisterLayout layout = type.getRegister().getRegisterLayout();
  if (read.use_empty() || (layout.getReplication(RegisterLayout::kLane) == 1 &&
                           layout.getReplication(RegisterLayout::kWarp) == 1))
    return;
  builder.setInsertionPointAfter(op);
  auto uses =
      llvm::map_to_vector(op->getUses(), [](OpOperand &use) { return &use; });
  Value handed = exchange(op->getLoc(), read, type);
  for (OpOperand *use : uses)
    use->set(handed);
}

/// The thread that prints reads a buffer, and says where the tile was.
void Bufferizer::visitPrint(PrintOp op) {
  auto type =
      op.getValue() ? dyn_cast<TileType>(op.getValue().getType()) : TileType();
  if (!type)
    return;
  op.setStorage(type.getShared() ? "shared" : "register");
  Value buffer = buffers.lookupOrNull(op.getValue());
  if (!buffer) {
    int64_t contiguous = std::max<int64_t>(type.getRank() - 1, 0);
    buffer = createBuffer(builder, op.getLoc(),
                          type.withStorage(getDenseSharedLayout(
                              op.getContext(), type.getShape(), contiguous)));
    storeShared(op.getLoc(), op.getValue(), buffer, /*padding=*/false);
  }
  op.getValueMutable().assign(buffer);
}

/// The box of a buffer's tile that begins at the offsets.
Value Bufferizer::createView(Location loc, Value buffer, ValueRange offsets,
                             ArrayRef<int64_t> shape) {
  SmallVector<OpFoldResult> begins(offsets.begin(), offsets.end()), sizes;
  for (int64_t extent : shape)
    sizes.push_back(builder.getIndexAttr(extent));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, buffer, begins, sizes,
                                   strides);
}

void Bufferizer::visitView(ViewOp op) {
  setBuffer(op, createView(op.getLoc(), buffers.lookup(op.getSource()),
                           op.getOffsets(), op.getType().getShape()));
}

/// Whether an insert or put may change its tile's buffer: nothing else reads
/// the tile, the buffer is filled anew each time that the operation runs (a
/// tile from before a loop is read again in the next round), and the tile is
/// all of it (what a view shows is another's).
static bool canInsertInPlace(Operation *op, Value dest) {
  Operation *definition = dest.getDefiningOp();
  return dest.hasOneUse() &&
         isa_and_present<LoadOp, ConvertLayoutOp, ReshapeOp, JoinOp, InsertOp,
                         PutOp>(definition) &&
         definition->getBlock() == op->getBlock();
}

/// The buffer of the tile that an insert or put makes of another one.
Value Bufferizer::getInsertBuffer(Operation *op, Value dest) {
  Value buffer = buffers.lookup(dest);
  if (canInsertInPlace(op, dest))
    return buffer;
  return copyBuffer(op->getLoc(), buffer,
                    cast<TileType>(op->getResult(0).getType()));
}

void Bufferizer::visitInsert(InsertOp op) {
  Location loc = op.getLoc();
  Value buffer = getInsertBuffer(op, op.getDest());
  Value box = createView(loc, buffer, op.getOffsets(),
                         op.getPart().getType().getShape());
  storeShared(loc, op.getPart(), box, /*padding=*/false);
  setBuffer(op, buffer);
}

void Bufferizer::visitPut(PutOp op) {
  Value buffer = getInsertBuffer(op, op.getDest());
  PutSharedOp::create(builder, op.getLoc(), op.getValues(), buffer,
                      op.getIndices(), op.getAxis(), op.getMask(),
                      op.getKindAttr());
  setBuffer(op, buffer);
}

void Bufferizer::visitJoin(JoinOp op) {
  Location loc = op.getLoc();
  Value buffer = createBuffer(builder, loc, op.getType());
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  int64_t begin = 0;
  for (Value part : op.getParts()) {
    ArrayRef<int64_t> shape = cast<TileType>(part.getType()).getShape();
    SmallVector<Value> offsets(shape.size(), zero);
    offsets[op.getAxis()] = arith::ConstantIndexOp::create(builder, loc, begin);
    storeShared(loc, part, createView(loc, buffer, offsets, shape),
                /*padding=*/false);
    begin += shape[op.getAxis()];
  }
  setBuffer(op, buffer);
}

void Bufferizer::visitTranspose(TransposeOp op) {
  SmallVector<unsigned> permutation(op.getPermutation().begin(),
                                    op.getPermutation().end());
  setBuffer(op, memref::TransposeOp::create(
                    builder, op.getLoc(), buffers.lookup(op.getSource()),
                    AffineMapAttr::get(AffineMap::getPermutationMap(
                        permutation, op.getContext()))));
}

/// Row-major order is the address in a compact buffer: the elements pass
/// through registers into one of the result's shape.
void Bufferizer::visitReshape(ReshapeOp op) {
  Location loc = op.getLoc();
  TileType type = op.getType();
  auto compact = type.withStorage(
      getDenseSharedLayout(op.getContext(), type.getShape(),
                           std::max<int64_t>(type.getRank() - 1, 0)));
  Value buffer = createBuffer(builder, loc, compact);
  storeShared(loc, getInRegisters(loc, op.getSource()), buffer,
              /*padding=*/false);
  if (type != compact)
    buffer = copyBuffer(loc, buffer, type);
  setBuffer(op, buffer);
}

void Bufferizer::visit(Operation *op) {
  if (auto tile = dyn_cast<FromBufferOp>(op))
    return setBuffer(op, tile.getSource());
  if (auto load = dyn_cast<LoadOp>(op); load && load.getType().getShared())
    return visitLoad(load);
  if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
    // visitReshape reads its source: a buffer in between is not needed.
    bool isOnlyReshaped =
        convert.getType().getShared() && !convert->use_empty() &&
        llvm::all_of(convert->getUsers(), llvm::IsaPred<ReshapeOp>);
    if (isOnlyReshaped)
      replaced.push_back(op);
    else
      visitConvert(convert);
    return;
  }
  if (isa<AtomicRMWOp, AtomicLoadOp>(op))
    return visitAtomic(op);
  if (auto print = dyn_cast<PrintOp>(op))
    return visitPrint(print);
  if (auto view = dyn_cast<ViewOp>(op))
    return visitView(view);
  if (auto insert = dyn_cast<InsertOp>(op))
    return visitInsert(insert);
  if (auto put = dyn_cast<PutOp>(op))
    return visitPut(put);
  if (auto join = dyn_cast<JoinOp>(op))
    return visitJoin(join);
  if (auto take = dyn_cast<TakeOp>(op))
    return take.setOperand(0, buffers.lookup(take.getSource()));
  if (auto transpose = dyn_cast<TransposeOp>(op);
      transpose && transpose.getType().getShared())
    return visitTranspose(transpose);
  if (auto reshape = dyn_cast<ReshapeOp>(op);
      reshape && reshape.getType().getShared())
    return visitReshape(reshape);
  if (auto matmul = dyn_cast<MatmulOp>(op))
    for (int operand : {0, 1})
      if (Value buffer = buffers.lookupOrNull(matmul->getOperand(operand)))
        matmul->setOperand(operand, buffer);
}

namespace {
struct Bufferize : tile::impl::BufferizeBase<Bufferize> {
  using BufferizeBase::BufferizeBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifyPassOrder(kernel, TilePass::kBufferize)))
      return signalPassFailure();
    Bufferizer(kernel).run();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect, NVVM::NVVMDialect>();
  }
};
} // namespace
