// RereadTiles.cpp - loaded tiles that are read again instead of held
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that reduces a row and then uses it again, as a normalization does,
// holds the row in registers. A long row takes so many of them that a
// multiprocessor has one block, and waits for memory whenever that block does.
// Such a row is copied to shared memory instead. Before each reduction, and
// after the last one, it is read from there, and the arithmetic on it is done
// again.
//
// A section of a block ends with an operation that combines the elements of a
// tile, as a reduction does. Values that are computed again are those of loaded
// tiles, and of arithmetic on them.

#include "tile/Analysis/LiveTiles.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Decisions.h"
#include "tile/IR/Participants.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tile {
#define GEN_PASS_DEF_REREADTILES
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Registers of a thread for addresses, indices, and elements on their way.
static constexpr int64_t kOtherRegisters = 40;
/// Bytes of shared memory of a block for reductions.
static constexpr int64_t kReductionBytes = 4096;

/// Whether an operation takes an instruction or two for an element.
static bool isArithmetic(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  if (isAlias(op))
    return true;
  return op->hasTrait<OpTrait::Elementwise>() &&
         !isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
              arith::RemSIOp, arith::RemUIOp>(op);
}

/// Returns the elements of a tile; one for a scalar.
static int64_t countElements(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return type ? type.getNumElements() : 1;
}

static int64_t countBytes(TileType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

/// Whether a thread holds few elements of a tile, or can make them anywhere: a
/// constant, or a tile made of one with at most a 32nd of its elements, as a
/// broadcast one.
static bool isSmall(Value value) {
  constexpr int64_t kTimes = 32;
  if (!isa<TileType>(value.getType()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return countElements(operand) * kTimes <= countElements(value);
         });
}

namespace {
/// The sections of a block, and the values that are computed again in each.
class Sections {
public:
  Sections(Block &block) : block(block) {}

  /// Finds the loads whose tiles are used after the section of their first use,
  /// and the values computed from them. Returns whether there are any.
  bool find();
  /// Returns the bytes of the loaded tiles.
  int64_t countBytes() const;
  /// Whether a value is computed where it is used.
  bool isRecomputed(Value value) const { return derived.contains(value); }
  /// Returns the section of an operation, perhaps of a nested one.
  int64_t getNumber(Operation *op) const {
    return numbers.lookup(block.findAncestorOpInBlock(*op));
  }
  bool isInBlock(Operation *op) const { return op->getBlock() == &block; }
  /// Whether an operation of the block is before another one, perhaps a nested
  /// one.
  bool isBefore(Operation *a, Operation *b) const {
    return a->isBeforeInBlock(block.findAncestorOpInBlock(*b));
  }
  /// Copies the loads to shared memory, and reads them in each section.
  void rewrite();

private:
  void findDerived();
  void number();
  llvm::DenseMap<Value, int64_t> findLast() const;
  Value getIn(int64_t section, Value value, Operation *user);

  Block &block;
  /// Loaded tiles, and values computed from these and from small tiles.
  SetVector<Value> loads, derived;
  llvm::DenseMap<Operation *, int64_t> numbers;
  llvm::DenseMap<std::pair<int64_t, Value>, Value> copies;
  /// Operands before the rewrite.
  llvm::DenseMap<Operation *, SmallVector<Value>> operandsOf;
};
} // namespace

void Sections::findDerived() {
  derived = SetVector<Value>(loads.begin(), loads.end());
  for (Operation &op : block) {
    bool isDerived = isArithmetic(&op) &&
                     llvm::any_of(op.getOperands(),
                                  [&](Value operand) {
                                    return derived.contains(operand);
                                  }) &&
                     llvm::all_of(op.getOperands(), [&](Value operand) {
                       return derived.contains(operand) || isSmall(operand);
                     });
    if (isDerived)
      derived.insert(op.getResult(0));
  }
}

/// Numbers the section of each operation.
void Sections::number() {
  int64_t section = 0;
  for (Operation &op : block) {
    numbers[&op] = section;
    bool isCombination = isa<CombiningOpInterface>(op) &&
                         llvm::any_of(op.getOperands(), [&](Value operand) {
                           return derived.contains(operand);
                         });
    section += isCombination;
  }
}

/// Finds the last section in which each value, or a derived value that is
/// computed from it, is used.
llvm::DenseMap<Value, int64_t> Sections::findLast() const {
  llvm::DenseMap<Value, int64_t> last;
  for (Value value : llvm::reverse(derived.getArrayRef())) {
    int64_t &section = last[value];
    for (Operation *user : value.getUsers()) {
      section = std::max(section, getNumber(user));
      for (Value result : user->getResults())
        section = std::max(section, last.lookup(result));
    }
  }
  return last;
}

bool Sections::find() {
  for (auto load : block.getOps<CopyableOpInterface>())
    if (auto type = dyn_cast<TileType>(load.getAccessedTile().getType());
        type && !type.getStorage())
      loads.insert(load.getAccessedTile());
  findDerived();
  number();
  llvm::DenseMap<Value, int64_t> last = findLast();
  loads.remove_if([&](Value load) {
    return llvm::all_of(load.getUsers(), [&](Operation *user) {
      return getNumber(user) == last.lookup(load);
    });
  });
  findDerived();
  return !loads.empty();
}

int64_t Sections::countBytes() const {
  int64_t bytes = 0;
  for (Value load : loads)
    bytes += ::countBytes(cast<TileType>(load.getType()));
  return bytes;
}

/// Returns `value` as it is computed in `section`, for `user`, the first
/// operation there that needs it.
Value Sections::getIn(int64_t section, Value value, Operation *user) {
  Operation *op = value.getDefiningOp();
  bool isLoad = loads.contains(value);
  if (!derived.contains(value) || (!isLoad && numbers.lookup(op) == section))
    return value;
  Value &copy = copies[{section, value}];
  if (copy)
    return copy;
  OpBuilder builder(user);
  Value made;
  if (isLoad) {
    made = convertTo(builder, op->getLoc(), value, /*storage=*/Attribute());
    made.getDefiningOp()->setAttr(kRereadAttr,
                                  builder.getI64IntegerAttr(section));
  } else {
    IRMapping operands;
    for (auto [operand, original] :
         llvm::zip_equal(op->getOperands(), operandsOf.lookup(op)))
      operands.map(operand, getIn(section, original, user));
    made = builder.clone(*op, operands)->getResult(0);
  }
  return copies[{section, value}] = made;
}

void Sections::rewrite() {
  for (Value load : loads)
    retype(load, cast<TileType>(load.getType())
                     .withStorage(getAnyShared(load.getContext())));
  SmallVector<Operation *> users;
  for (Operation &op : block) {
    users.push_back(&op);
    operandsOf[&op] = llvm::to_vector(op.getOperands());
  }
  for (Operation *user : users)
    user->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(getIn(numbers.lookup(user), operand.get(), user));
    });
  for (Value value : llvm::reverse(derived.getArrayRef()))
    if (!loads.contains(value) && value.use_empty())
      value.getDefiningOp()->erase();
}

namespace {
/// Counts the bytes that values take in the registers of all threads together,
/// if tiles are held, or read again.
class HeldBytes {
public:
  HeldBytes(const Sections &sections, bool isReread)
      : sections(sections), isReread(isReread) {}

  /// A value that is made at its uses takes the bytes of the operands that end
  /// in its operation.
  int64_t operator()(Value value);

private:
  bool isMadeAtUse(Value value) const;

  const Sections &sections;
  bool isReread;
  llvm::DenseMap<Value, int64_t> known;
};
} // namespace

/// Whether the elements of a value are computed where they are used: it is used
/// in the section of its operation, which is elementwise or only reshapes.
bool HeldBytes::isMadeAtUse(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !sections.isInBlock(op) || !isPure(op) ||
      op->getNumRegions() != 0 ||
      llvm::any_of(op->getOperands(), [&](Value operand) {
        return countElements(operand) > countElements(value);
      }))
    return false;
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return sections.getNumber(user) == sections.getNumber(op);
  });
}

int64_t HeldBytes::operator()(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  if (!type || isSmall(value))
    return 0;
  if (isReread && sections.isRecomputed(value))
    return 0;
  auto [found, isNew] = known.try_emplace(value, countBytes(type));
  if (!isNew || !isMadeAtUse(value))
    return found->second;
  int64_t all = found->second, ending = 0;
  Operation *op = value.getDefiningOp();
  for (Value operand : SetVector<Value>(llvm::from_range, op->getOperands()))
    if (llvm::none_of(operand.getUsers(), [&](Operation *user) {
          return sections.isBefore(op, user);
        }))
      ending += (*this)(operand);
  return known[value] = std::min(all, ending);
}

/// Returns the bytes of the tiles that the program declares to be in shared
/// memory, or that an operation reads there.
static int64_t countSharedBytes(KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      auto type = dyn_cast<TileType>(result.getType());
      bool isShared =
          type && (type.getShared() ||
                   llvm::any_of(result.getUses(), [](OpOperand &use) {
                     return getPlacement(use) == Placement::shared;
                   }));
      if (isShared)
        bytes += countBytes(type);
    }
  });
  return bytes;
}

/// Returns the number of blocks that a multiprocessor has if tiles are read
/// again, and that it has not if they are held; zero if there is none. ptxas
/// reads about half of a tile ahead.
static int64_t chooseBlocks(KernelOp kernel, const Architecture &architecture,
                            const Sections &sections) {
  constexpr int64_t kBlocks = 2;
  int64_t blocks = getBlocksPerProcessor(kernel).value_or(kBlocks);
  int64_t limit = getRegisterLimit(kernel, architecture, blocks);
  auto countRegisters = [&](CountBytes count, int64_t more = 0) {
    constexpr int64_t kRegisterBytes = 4;
    int64_t threads = getParticipants(kernel).getNumThreads();
    return (countLiveBytes(kernel, count) + more) / threads / kRegisterBytes +
           kOtherRegisters;
  };
  HeldBytes countHeld(sections, /*isReread=*/false),
      countReread(sections, /*isReread=*/true);
  int64_t rereadBytes = sections.countBytes();
  bool isWorth = countRegisters(countHeld) > limit &&
                 countRegisters(countReread, rereadBytes / 2) <= limit;
  bool hasRoom = rereadBytes + countSharedBytes(kernel) + kReductionBytes <=
                 getSharedBytesLimit(architecture, blocks);
  return isWorth && hasRoom ? blocks : 0;
}

namespace {
struct RereadTiles : tile::impl::RereadTilesBase<RereadTiles> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture)
      return signalPassFailure();
    if (!kernel.getBlock() || !llvm::hasSingleElement(kernel.getBody()))
      return;
    Sections sections(kernel.getBody().front());
    if (!sections.find())
      return;
    int64_t blocks = chooseBlocks(kernel, *architecture, sections);
    if (blocks == 0)
      return;
    sections.rewrite();
    kernel->setAttr(kBlocksPerProcessorAttr,
                    Builder(kernel).getI64IntegerAttr(blocks));
    recordDecision(kernel, "blocks of a multiprocessor", Twine(blocks),
                   "long rows are read again from shared memory, instead of "
                   "held in registers");
  }
};
} // namespace
