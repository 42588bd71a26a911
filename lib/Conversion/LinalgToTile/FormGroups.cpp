// FormGroups.cpp - operations that become one kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are assigned to groups in the order of the program. Each group
// grows from a matmul or a reduction. An operation may join a group
// (JoinRules.cpp) only if no later group has to run before it, so that groups
// stay in order.
//
// A kernel computes each operation of a chain from the tiles of the one before.
// Chains of more than kMostSteps are cut: an intermediate result is stored, and
// the next kernel loads it. This bounds the length of a kernel's code and the
// depth of the recursion that builds it.

#include "Groups.h"
#include "JoinRules.h"
#include "Steps.h"
#include "TakenFunctions.h"
#include "VerifyTaken.h"
#include "WriteGroups.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace tile {
#define GEN_PASS_DEF_FORMGROUPS
#include "tile/Conversion/LinalgToTile.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

/// Maximum length of a chain of operations that one kernel computes.
static constexpr int64_t kMostSteps = 128;

namespace {
/// Length of the longest chain of operations that one kernel computes to get a
/// result.
struct Steps {
  /// Length in the kernel of the operation's group or, if it has none, of the
  /// group `latest`.
  int64_t inGroup = 0;
  /// Length in the kernels of later groups, which load the results of that
  /// group.
  int64_t elsewhere = 0;
};

class Grouper {
public:
  Grouper(func::FuncOp function, const ResultArrays &arrays)
      : function(function) {
    result.arrays = arrays;
  }
  void run();

private:
  void place(linalg::GenericOp op);
  void startGroup(linalg::GenericOp op);
  void placeMove(Operation *op);
  void placeGroup(GroupOp op);
  bool join(int64_t index, linalg::GenericOp op);
  void addMember(int64_t index, linalg::GenericOp op, ArrayRef<int> loops);

  int64_t getLatest(Operation *op);
  Value addCopy(Value tensor, Operation *user);
  Value store(Value tensor, Operation *user);
  void placeReshape(Operation *reshape);
  bool isBefore(Operation *op, int64_t index) const;
  bool isRead(unsigned argument, int64_t index);
  void placeResult(OpOperand &operand);
  void placeApart(OpOperand &operand);
  void placeResults(func::ReturnOp op);
  void require(const Group &group, int64_t index);
  Steps countSteps(Operation *op, int64_t last);
  void cutChains(Operation *op);

  func::FuncOp function;
  Grouping result;
  /// The group of each operation.
  DenseMap<Operation *, int64_t> groupOf;
  /// The last group that an operation without a group needs: it must run first.
  DenseMap<Operation *, int64_t> latest;
  /// Operations of softmaxes that matmuls may compute as they go.
  DenseSet<Operation *> ofSoftmaxes;
  /// The groups that exist in the program before this pass, by their index.
  DenseMap<int64_t, GroupOp> given;
  DenseMap<Operation *, Steps> stepsOf;
  /// Results that were stored to end a chain: their readers load them.
  DenseSet<Value> cuts;
};
} // namespace

/// Returns the tensors that an operation reads, including those that its body
/// reads.
static SmallVector<Value> getTensorsRead(Operation *op) {
  SetVector<Value> tensors;
  auto add = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      tensors.insert(value);
  };
  auto generic = dyn_cast<linalg::GenericOp>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (!generic || generic.isDpsInput(&operand) ||
        generic.payloadUsesValueFromOperand(&operand))
      add(operand.get());
  op->walk(
      [&](tensor::ExtractOp extract) { add(getExtracted(extract).get()); });
  if (isa<GroupOp>(op))
    visitUsedValuesDefinedAbove(
        op->getRegions(), [&](OpOperand *operand) { add(operand->get()); });
  return tensors.takeVector();
}

/// Whether the body of an operation reads elements of a tensor by
/// `tensor.extract`.
static bool isExtracted(Operation *op, Value tensor) {
  return op
      ->walk([&](tensor::ExtractOp extract) {
        return getExtracted(extract).get() == tensor ? WalkResult::interrupt()
                                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns the last group that an operation needs, directly or through
/// operations without a group; -1 if it needs none. A tensor that is read
/// through a reshape or by `tensor.extract` must be in memory: the operation
/// then belongs to a later group than the one that stores the tensor.
int64_t Grouper::getLatest(Operation *op) {
  int64_t last = -1;
  for (Value tensor : getTensorsRead(op)) {
    Operation *producer = tensor.getDefiningOp();
    if (auto found = result.inMemory.find(tensor);
        found != result.inMemory.end()) {
      bool isStored =
          isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
              producer) ||
          cuts.contains(tensor) || isExtracted(op, tensor);
      last = std::max(last, found->second + (isStored && found->second >= 0));
    } else if (auto group = groupOf.find(producer); group != groupOf.end()) {
      last = std::max(last, group->second);
    } else if (auto known = latest.find(producer); known != latest.end()) {
      last = std::max(last, known->second);
    }
  }
  return last;
}

void Grouper::addMember(int64_t index, linalg::GenericOp op,
                        ArrayRef<int> loops) {
  groupOf[op] = index;
  result.groups[index].add(op, loops);
}

bool Grouper::join(int64_t index, linalg::GenericOp op) {
  SmallVector<int> loops(op.getNumLoops(), kNoLoop);
  bool isOfSoftmax = ofSoftmaxes.contains(op) || result.softmaxes.contains(op);
  if (given.contains(index) ||
      !mayJoin(result.groups[index], op, loops, isOfSoftmax))
    return false;
  addMember(index, op, loops);
  return true;
}

void Grouper::startGroup(linalg::GenericOp op) {
  result.groups.emplace_back();
  SmallVector<int> loops(op.getNumLoops(), kNoLoop);
  addMember(int64_t(result.groups.size()) - 1, op, loops);
}

void Grouper::place(linalg::GenericOp op) {
  int64_t last = getLatest(op);
  Steps steps = countSteps(op, last);
  // The kernel of group `last` computes the results of that group; kernels of
  // later groups load them.
  auto joins = [&](int64_t index) {
    int64_t length = index == last ? steps.inGroup : steps.elsewhere;
    if (length > kMostSteps || !join(index, op))
      return false;
    stepsOf[op] = {length, 0};
    return true;
  };
  if (isElementwise(op)) {
    bool isThere = last >= 0 && last < int64_t(result.groups.size());
    if (isThere && joins(last))
      return;
    latest[op] = last;
    stepsOf[op] = steps;
    return;
  }
  for (int64_t index = int64_t(result.groups.size()) - 1;
       index >= std::max<int64_t>(last, 0); --index)
    if (joins(index))
      return;
  startGroup(op);
  stepsOf[op] = {steps.elsewhere, 0};
}

/// Handles an operation that belongs to no group: each kernel that reads its
/// result computes it.
void Grouper::placeMove(Operation *op) {
  latest[op] = getLatest(op);
  stepsOf[op] = countSteps(op, latest[op]);
}

/// Returns the lengths of the longest chains that end with an operation. The
/// operation has no group and needs group `last`, or it joins that group.
Steps Grouper::countSteps(Operation *op, int64_t last) {
  Steps longest;
  for (Value tensor : getTensorsRead(op)) {
    Operation *producer = tensor.getDefiningOp();
    auto known = stepsOf.find(producer);
    if (known == stepsOf.end() || cuts.contains(tensor))
      continue;
    auto group = groupOf.find(producer);
    int64_t index =
        group == groupOf.end() ? latest.lookup(producer) : group->second;
    const Steps &steps = known->second;
    longest.elsewhere = std::max(longest.elsewhere, steps.elsewhere);
    longest.inGroup = std::max(longest.inGroup,
                               index == last ? steps.inGroup : steps.elsewhere);
  }
  return {longest.inGroup + 1, longest.elsewhere + 1};
}

/// Stores each tensor that an operation reads and whose chain, computed outside
/// of groups, has the maximum length.
void Grouper::cutChains(Operation *op) {
  for (Value tensor : getTensorsRead(op)) {
    auto known = stepsOf.find(tensor.getDefiningOp());
    if (known == stepsOf.end() || known->second.elsewhere < kMostSteps ||
        cuts.contains(tensor))
      continue;
    Value stored = store(tensor, op);
    op->replaceUsesOfWith(tensor, stored);
    cuts.insert(stored);
  }
}

/// Adds a copy of a tensor before `user`, as a group of its own.
Value Grouper::addCopy(Value tensor, Operation *user) {
  OpBuilder builder(user);
  Location loc = tensor.getLoc();
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, tensor);
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      builder, loc, TypeRange{type}, ValueRange{tensor}, ValueRange{empty},
      {identity, identity}, loops,
      [](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        linalg::YieldOp::create(nested, nestedLoc, elements[0]);
      });
  startGroup(copy);
  return copy.getResult(0);
}

/// Makes `tensor`, which `user` needs in memory, an output of its group, or of
/// a new group if it has none. Returns the tensor that is in memory.
Value Grouper::store(Value tensor, Operation *user) {
  if (result.inMemory.contains(tensor))
    return tensor;
  Operation *producer = tensor.getDefiningOp();
  if (!groupOf.contains(producer)) {
    auto generic = dyn_cast<linalg::GenericOp>(producer);
    if (generic && !getSplat(tensor))
      startGroup(generic);
    else
      tensor = addCopy(tensor, user);
  }
  int64_t index = groupOf[tensor.getDefiningOp()];
  result.groups[index].outputs.insert(tensor);
  result.inMemory[tensor] = index;
  return tensor;
}

/// Stores the source of a reshape, so that the result is in memory, too. Leaves
/// the reshape to its readers if all elements are equal, or if it is a unit
/// reshape and its source is neither in memory nor of a group.
void Grouper::placeReshape(Operation *reshape) {
  Value source = reshape->getOperand(0);
  if (getSplat(source))
    return;
  bool isOfGroup = groupOf.contains(source.getDefiningOp());
  if (!result.inMemory.contains(source) && !isOfGroup &&
      isUnitReshape(reshape)) {
    placeMove(reshape);
    return;
  }
  Value stored = store(source, reshape);
  reshape->setOperand(0, stored);
  result.inMemory[reshape->getResult(0)] = result.inMemory[stored];
}

/// Makes a result the output of a group that stores it in the caller's array.
/// An argument, or a value that is returned twice, is copied there.
void Grouper::placeResult(OpOperand &operand) {
  Operation *end = operand.getOwner();
  Value whole = skipReshapes(operand.get());
  bool isStored =
      isa_and_present<linalg::GenericOp, GroupOp>(whole.getDefiningOp());
  if (!isStored || getSplat(whole) || result.results.contains(whole)) {
    whole = addCopy(operand.get(), end);
    operand.set(whole);
  }
  result.results[store(whole, end)] = operand.getOperandNumber();
}

/// Makes a result an output of a group; the array of an argument is copied
/// first.
void Grouper::placeApart(OpOperand &operand) {
  Value stored = store(operand.get(), operand.getOwner());
  if (result.inMemory[stored] < 0)
    stored = store(addCopy(stored, operand.getOwner()), operand.getOwner());
  operand.set(stored);
}

/// Whether an operation runs in a group before group `index`.
bool Grouper::isBefore(Operation *op, int64_t index) const {
  if (auto group = op->getParentOfType<GroupOp>())
    op = group;
  auto found = groupOf.find(op);
  return found != groupOf.end() && found->second < index;
}

/// Whether an operation that does not run before group `index` reads the
/// elements of an argument.
bool Grouper::isRead(unsigned argument, int64_t index) {
  Value tensor = function.getArgument(argument);
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    return !isa<tensor::DimOp>(user) && !isBefore(user, index) &&
           llvm::is_contained(getTensorsRead(user), tensor);
  });
}

/// Determines where results are stored. A result whose array belongs to an
/// argument that is still read is first stored elsewhere, and copied to that
/// array after everything else.
void Grouper::placeResults(func::ReturnOp op) {
  auto isLast = [&](OpOperand &operand) {
    std::optional<unsigned> array = result.arrays[operand.getOperandNumber()];
    auto group = operand.get().getDefiningOp<GroupOp>();
    return array && isRead(*array, group ? groupOf.lookup(group) : 0);
  };
  SmallVector<OpOperand *> last;
  for (OpOperand &operand : op->getOpOperands())
    if (isLast(operand))
      last.push_back(&operand);
  for (OpOperand &operand : op->getOpOperands())
    if (llvm::is_contained(last, &operand))
      placeApart(operand);
    else
      placeResult(operand);
  for (OpOperand *operand : last) {
    operand->set(addCopy(operand->get(), op));
    result.results[store(operand->get(), op)] = operand->getOperandNumber();
  }
}

/// Makes each value that group `index` reads, and that an earlier group
/// computes, an output of the earlier group.
void Grouper::require(const Group &group, int64_t index) {
  SmallVector<Value> open;
  DenseSet<Value> seen;
  auto read = [&](Operation *reader) {
    SmallVector<Value> tensors = getTensorsRead(reader);
    for (Value tensor : llvm::reverse(tensors))
      if (tensor.getDefiningOp() && !seen.contains(tensor))
        open.push_back(tensor);
  };
  for (linalg::GenericOp op : llvm::reverse(group.ops))
    read(op);
  if (GroupOp op = given.lookup(index))
    read(op);
  while (!open.empty()) {
    Value tensor = open.pop_back_val();
    if (!seen.insert(tensor).second || result.isLoaded(tensor, index))
      continue;
    Operation *producer = tensor.getDefiningOp();
    auto of = groupOf.find(producer);
    if (of == groupOf.end()) {
      read(producer);
    } else if (of->second != index) {
      result.groups[of->second].outputs.insert(tensor);
      result.inMemory[tensor] = of->second;
    }
  }
}

/// Adds a group that exists in the program. No further operation joins it.
void Grouper::placeGroup(GroupOp op) {
  auto index = int64_t(result.groups.size());
  result.groups.emplace_back();
  given[index] = op;
  groupOf[op] = index;
  for (Value tensor : op.getResults())
    result.inMemory[tensor] = index;
}

void Grouper::run() {
  result.softmaxes = takeOnlineSoftmaxes(function);
  for (auto &[op, softmax] : result.softmaxes)
    ofSoftmaxes.insert_range(getOperations(softmax));
  for (BlockArgument argument : function.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      result.inMemory[argument] = -1;
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    // A tensor that a body reads by `tensor.extract` must be in memory.
    op.walk([&](tensor::ExtractOp extract) {
      OpOperand &read = getExtracted(extract);
      bool isPadded = read.getOwner()->getBlock() == op.getBlock();
      read.set(store(read.get(), isPadded ? read.getOwner() : &op));
    });
    if (auto group = dyn_cast<GroupOp>(op)) {
      placeGroup(group);
      continue;
    }
    cutChains(&op);
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      place(generic);
    else if (isConstantArray(&op))
      result.inMemory[op.getResult(0)] = -1;
    else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      placeReshape(&op);
    else if (auto end = dyn_cast<func::ReturnOp>(op))
      placeResults(end);
    else
      placeMove(&op);
  }
  for (auto [index, group] : llvm::enumerate(result.groups))
    require(group, int64_t(index));
  writeGroups(function, result, given);
}

/// Groups the operations of a function, which has one block and whose
/// operations are in normal form. Adds copies of values that must be in memory
/// and have no group. A result whose array belongs to an argument that is still
/// read is copied there at the end, so that no kernel reads an argument after
/// its array was written.
static LogicalResult group(func::FuncOp function) {
  if (failed(verifyOperations(function)))
    return failure();
  for (GroupOp group : function.front().getOps<GroupOp>())
    if (failed(readGroup(group)))
      return failure();
  Grouper(function, getResultArrays(function)).run();
  return success();
}

LogicalResult fromlinalg::formGroups(ModuleOp module) {
  return convertTaken(module, group);
}

namespace {
struct FormGroups : tile::impl::FormGroupsBase<FormGroups> {
  using FormGroupsBase::FormGroupsBase;

  void runOnOperation() override {
    if (failed(formGroups(getOperation())))
      signalPassFailure();
  }
};
} // namespace
