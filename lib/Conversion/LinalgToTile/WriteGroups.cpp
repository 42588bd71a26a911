// WriteGroups.cpp - groups as operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation that belongs to no group stays in the function, after the last
// group that it needs. If a group reads an operation that comes after the
// group, a clone of the operation is put into the group. Such an operation
// reads a value of the group itself, or became a member of a later group after
// this group had read it.

#include "WriteGroups.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
class GroupWriter {
public:
  GroupWriter(func::FuncOp function, const Grouping &grouping,
              const DenseMap<int64_t, GroupOp> &given)
      : body(function.front()), builder(function.getContext()),
        grouping(grouping), given(given) {}

  void write();

private:
  int64_t getIndex(Value value) const;
  void indexOperations();
  SmallVector<Operation *> collectRead(ArrayRef<Operation *> readers,
                                       int64_t index);
  void moveInto(GroupOp op, ArrayRef<Operation *> ops, int64_t index);
  GroupOp create(int64_t index);
  void dropUnread();
  void sort();

  Block &body;
  OpBuilder builder;
  const Grouping &grouping;
  const DenseMap<int64_t, GroupOp> &given;
  /// The group of each member, and the last group that each other operation
  /// needs; -1 for none.
  DenseMap<Operation *, int64_t> indices;
  DenseSet<Operation *> members;
};
} // namespace

/// Visits the values that an operation or its regions use.
static void visitReads(Operation *op, llvm::function_ref<void(Value)> visit) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      visit(operand);
  });
}

/// Returns the last group that a value needs.
int64_t GroupWriter::getIndex(Value value) const {
  auto found = indices.find(value.getDefiningOp());
  return found == indices.end() ? -1 : found->second;
}

void GroupWriter::indexOperations() {
  for (auto [index, group] : llvm::enumerate(grouping.groups))
    for (linalg::GenericOp op : group.ops) {
      indices[op] = int64_t(index);
      members.insert(op);
    }
  for (auto [index, group] : given)
    indices[group] = index;
  for (Operation &op : body) {
    if (members.contains(&op) || isa<GroupOp>(op))
      continue;
    int64_t last = -1;
    visitReads(&op,
               [&](Value value) { last = std::max(last, getIndex(value)); });
    indices[&op] = last;
  }
}

/// Returns, in order, `readers` and the operations whose results they read
/// directly or indirectly, except for those that need only groups before group
/// `index`.
SmallVector<Operation *> GroupWriter::collectRead(ArrayRef<Operation *> readers,
                                                  int64_t index) {
  SetVector<Operation *> ops(readers.begin(), readers.end());
  for (size_t next = 0; next < ops.size(); ++next)
    visitReads(ops[next], [&](Value value) {
      Operation *op = value.getDefiningOp();
      if (op && op->getBlock() == &body && getIndex(value) >= index)
        ops.insert(op);
    });
  SmallVector<Operation *> ordered = ops.takeVector();
  llvm::sort(ordered, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  return ordered;
}

/// Moves members of group `index` to the builder's position in the group's
/// region, and clones other operations there.
void GroupWriter::moveInto(GroupOp op, ArrayRef<Operation *> ops,
                           int64_t index) {
  IRMapping clones;
  for (Operation *part : ops) {
    if (members.contains(part) && indices.lookup(part) == index)
      part->moveBefore(builder.getInsertionBlock(),
                       builder.getInsertionPoint());
    else
      builder.clone(*part, clones)->removeAttr(kGroupLoopsAttr);
  }
  op.getBody().walk([&](Operation *nested) {
    for (OpOperand &operand : nested->getOpOperands())
      operand.set(clones.lookupOrDefault(operand.get()));
  });
}

GroupOp GroupWriter::create(int64_t index) {
  const Group &group = grouping.groups[index];
  SmallVector<Operation *> readers(group.ops.begin(), group.ops.end());
  SmallVector<Operation *> ops = collectRead(readers, index);
  builder.setInsertionPoint(body.getTerminator());
  auto outputs = group.outputs.getArrayRef();
  auto op =
      GroupOp::create(builder, readers.front()->getLoc(),
                      ValueRange(outputs).getTypes(), DenseI64ArrayAttr());
  builder.createBlock(&op.getBody());
  builder.setInsertionPoint(YieldOp::create(builder, op.getLoc(), outputs));
  moveInto(op, ops, index);
  for (linalg::GenericOp member : group.ops)
    if (auto softmax = grouping.softmaxes.find(member);
        softmax != grouping.softmaxes.end() &&
        group.contains(softmax->second.weights->get()))
      createOnlineSoftmax(softmax->second);
  for (auto [output, result] : llvm::zip_equal(outputs, op.getResults()))
    Value(output).replaceUsesWithIf(result, [&](OpOperand &use) {
      return !op->isAncestor(use.getOwner());
    });
  return op;
}

/// Erases members of groups without outputs, which no operation reads, and
/// operations of which each reader has a clone.
void GroupWriter::dropUnread() {
  for (const Group &group : grouping.groups)
    for (linalg::GenericOp op : llvm::reverse(group.ops))
      if (op->use_empty() && op->getBlock() == &body)
        op.erase();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Orders the operations of the function: each group is followed by the
/// operations that need it and no later group.
void GroupWriter::sort() {
  SmallVector<SmallVector<Operation *>> after(grouping.groups.size() + 1);
  for (Operation &op : body.without_terminator())
    after[size_t(indices.lookup(&op) + 1)].push_back(&op);
  for (SmallVector<Operation *> &ops : after) {
    std::stable_partition(ops.begin(), ops.end(), llvm::IsaPred<GroupOp>);
    for (Operation *op : ops)
      op->moveBefore(body.getTerminator());
  }
}

void GroupWriter::write() {
  indexOperations();
  for (int64_t index = 0; index < int64_t(grouping.groups.size()); ++index) {
    if (GroupOp op = given.lookup(index)) {
      SmallVector<Operation *> ops = collectRead(op.getOperation(), index);
      llvm::erase(ops, op);
      builder.setInsertionPointToStart(&op.getBody().front());
      moveInto(op, ops, index);
    } else if (!grouping.groups[size_t(index)].outputs.empty()) {
      indices[create(index)] = index;
    }
  }
  dropUnread();
  sort();
}

void fromlinalg::writeGroups(func::FuncOp function, const Grouping &grouping,
                             const DenseMap<int64_t, GroupOp> &given) {
  GroupWriter(function, grouping, given).write();
}
