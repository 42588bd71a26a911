// Groups.cpp - operations that become one kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Groups.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

SmallVector<unsigned> Group::getLoops(OpResult result) const {
  auto op = cast<linalg::GenericOp>(result.getOwner());
  AffineMap map = op.getIndexingMapMatchingResult(result);
  ArrayRef<unsigned> loops = loopsOf.find(op)->second;
  return llvm::map_to_vector(llvm::seq(map.getNumResults()), [&](unsigned dim) {
    return loops[*getLoop(map, dim)];
  });
}

/// Whether an operation is a member of a group.
static bool isMember(Operation *op) { return op->hasAttr(kGroupLoopsAttr); }

/// Records the loops that index a tensor that the group reads and does not
/// compute. If an elementwise operation without a group computes the tensor,
/// the inputs of this operation are recorded, too.
void Group::addInput(Value tensor, ArrayRef<int> tensorLoops) {
  tensor = skipOnlineSoftmax(tensor);
  if (contains(tensor) || inputs.contains(tensor) ||
      llvm::is_contained(tensorLoops, kNoLoop))
    return;
  inputs[tensor] =
      SmallVector<unsigned>(tensorLoops.begin(), tensorLoops.end());
  auto producer = tensor.getDefiningOp<linalg::GenericOp>();
  if (!producer || isMember(producer) || !isElementwise(producer))
    return;
  AffineMap out = producer.getIndexingMapMatchingResult(cast<OpResult>(tensor));
  for (OpOperand *operand : producer.getDpsInputOperands()) {
    AffineMap map = producer.getMatchingIndexingMap(operand);
    SmallVector<int> own;
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      std::optional<unsigned> loop = getLoop(map, dim);
      own.push_back(
          loop ? tensorLoops[*out.getResultPosition(map.getResult(dim))]
               : kNoLoop);
    }
    if (isa<RankedTensorType>(operand->get().getType()))
      addInput(operand->get(), own);
  }
}

void Group::addInputs(linalg::GenericOp op, ArrayRef<int> opLoops) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(operand->get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<int> indexed;
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      std::optional<unsigned> loop = getLoop(map, dim);
      indexed.push_back(loop ? opLoops[*loop] : kNoLoop);
    }
    addInput(operand->get(), indexed);
  }
}

/// Marks the group's loops that share an index with other loops of `op`, that
/// are the columns or sums of a matmul, and that another operation reduces.
void Group::markLoops(linalg::GenericOp op) {
  ArrayRef<unsigned> own = loopsOf[op];
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      if (!isa<AffineDimExpr>(expr))
        for (unsigned loop = 0; loop < own.size(); ++loop)
          loops[own[loop]].isPart |= expr.isFunctionOfDim(loop);
  if (std::optional<Matmul> matmul = matchMatmul(op)) {
    loops[own[matmul->getColumn()]].isColumn = true;
    for (unsigned loop : matmul->sums)
      loops[own[loop]].isSum |= !loops[own[loop]].isReduced;
    return;
  }
  for (auto [index, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    loops[own[index]].isReduced |= kind == utils::IteratorType::reduction;
}

void Group::add(linalg::GenericOp op, ArrayRef<int> opLoops) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<int> known(opLoops);
  for (auto [loop, extent] : llvm::zip_equal(known, extents)) {
    if (loop == kNoLoop) {
      loop = int(loops.size());
      loops.push_back({extent});
    }
    GroupLoop &shared = loops[loop];
    if (ShapedType::isDynamic(shared.extent))
      shared.extent = extent;
  }
  ops.push_back(op);
  loopsOf[op] = llvm::to_vector_of<unsigned>(known);
  op->setAttr(kGroupLoopsAttr,
              Builder(op.getContext())
                  .getDenseI64ArrayAttr(llvm::to_vector_of<int64_t>(known)));
  markLoops(op);
  addInputs(op, known);
}

//===----------------------------------------------------------------------===//
// Groups of the IR
//===----------------------------------------------------------------------===//

ResultArrays fromlinalg::getResultArrays(func::FuncOp function) {
  ResultArrays arrays(function.getNumResults());
  for (auto [result, array] : llvm::enumerate(arrays))
    if (auto argument =
            function.getResultAttrOfType<IntegerAttr>(result, kResultArrayAttr))
      array = unsigned(argument.getInt());
  return arrays;
}

/// Reports that a member has another extent of a loop than an earlier member,
/// with a note at the latter.
static LogicalResult reportExtent(const Group &group, linalg::GenericOp op,
                                  int64_t loop, int64_t known, int64_t extent) {
  InFlightDiagnostic error = op.emitError("expected ")
                             << known << " iterations of loop " << loop
                             << " of the group, got " << extent;
  for (linalg::GenericOp member : group.ops)
    if (llvm::is_contained(group.loopsOf.find(member)->second, loop)) {
      error.attachNote(member.getLoc()) << "a member with the loop";
      break;
    }
  return error;
}

/// Adds a member with the loops that its attribute lists. These may be new
/// loops of the group.
static LogicalResult addMember(Group &group, linalg::GenericOp op) {
  auto attr = op->getAttrOfType<DenseI64ArrayAttr>(kGroupLoopsAttr);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (attr.size() != int64_t(extents.size()))
    return op.emitError("expected '")
           << kGroupLoopsAttr << "' with a loop for each of " << extents.size()
           << ", got " << attr.size();
  SmallVector<int> loops;
  for (auto [loop, extent] : llvm::zip_equal(attr.asArrayRef(), extents)) {
    while (loop >= int64_t(group.loops.size()))
      group.loops.push_back({ShapedType::kDynamic});
    int64_t known = group.loops[size_t(loop)].extent;
    if (!ShapedType::isDynamic(known) && !ShapedType::isDynamic(extent) &&
        known != extent)
      return reportExtent(group, op, loop, known, extent);
    loops.push_back(int(loop));
  }
  group.add(op, loops);
  return success();
}

/// Returns the members of a group's region, in order.
static SmallVector<linalg::GenericOp> getMembers(GroupOp op) {
  return llvm::filter_to_vector(op.getBody().getOps<linalg::GenericOp>(),
                                isMember);
}

/// Reads the group of `members`, which stores `outputs`; errors are reported at
/// `op`, the group's operation.
static FailureOr<Group> readMembers(GroupOp op,
                                    ArrayRef<linalg::GenericOp> members,
                                    ValueRange outputs) {
  Group group;
  for (linalg::GenericOp member : members)
    if (failed(addMember(group, member)))
      return failure();
  for (const GroupLoop &loop : group.loops)
    if (llvm::none_of(members, [&](linalg::GenericOp member) {
          return llvm::is_contained(group.loopsOf[member],
                                    unsigned(&loop - group.loops.data()));
        }))
      return op.emitOpError("expected a member with loop ")
             << &loop - group.loops.data() << ", got none";
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (!output.getDefiningOp() || !group.contains(output))
      return op.emitOpError("expected to yield results of members, got another "
                            "value as result ")
             << index;
    group.outputs.insert(output);
  }
  std::optional<ArrayRef<int64_t>> tiles = op.getTiles();
  if (!tiles)
    return group;
  if (tiles->size() != group.loops.size())
    return op.emitOpError("expected tiles of ")
           << group.loops.size() << " loops, got " << tiles->size();
  for (auto [loop, tile] : llvm::zip_equal(group.loops, *tiles))
    loop.tile = tile;
  return group;
}

FailureOr<Group> fromlinalg::readGroup(GroupOp op) {
  return readMembers(op, getMembers(op),
                     op.getBody().front().getTerminator()->getOperands());
}

/// Returns the source of a chain of reshapes.
Value fromlinalg::skipReshapes(Value tensor) {
  while (isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      tensor.getDefiningOp()))
    tensor = tensor.getDefiningOp()->getOperand(0);
  return tensor;
}

namespace {
/// Takes the groups of a function out of their regions.
class GroupTaker {
public:
  explicit GroupTaker(func::FuncOp function) : function(function) {}
  FailureOr<Grouping> take();

private:
  /// A group whose operations are in the function again.
  struct Taken {
    GroupOp op;
    SmallVector<linalg::GenericOp> members;
    SmallVector<Value> outputs;
  };
  Taken inlineRegion(GroupOp op);
  LogicalResult addResults();
  void addMemory();

  func::FuncOp function;
  Grouping result;
};
} // namespace

GroupTaker::Taken GroupTaker::inlineRegion(GroupOp op) {
  Taken taken{op, getMembers(op), {}};
  Block &block = op.getBody().front();
  Operation *end = block.getTerminator();
  taken.outputs = SmallVector<Value>(end->getOperands());
  op->replaceAllUsesWith(taken.outputs);
  end->erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         block.getOperations());
  return taken;
}

/// Adds the tensors that are in memory and that no group stores.
void GroupTaker::addMemory() {
  for (BlockArgument argument : function.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      result.inMemory[argument] = -1;
  for (Operation &op : function.front()) {
    if (isConstantArray(&op))
      result.inMemory[op.getResult(0)] = -1;
    else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      if (auto source = result.inMemory.find(op.getOperand(0));
          source != result.inMemory.end()) {
        int64_t index = source->second;
        result.inMemory[op.getResult(0)] = index;
      }
  }
}

LogicalResult GroupTaker::addResults() {
  Operation *end = function.front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    Value whole = skipReshapes(operand.get());
    auto stored = result.inMemory.find(whole);
    if (stored == result.inMemory.end() || stored->second < 0 ||
        !result.results.try_emplace(whole, operand.getOperandNumber()).second)
      return end->emitError("expected a result of a 'tile.group' of its own as "
                            "result ")
             << operand.getOperandNumber() << ", got another tensor";
  }
  return success();
}

FailureOr<Grouping> GroupTaker::take() {
  SmallVector<Taken> all;
  for (auto op : llvm::make_early_inc_range(function.front().getOps<GroupOp>()))
    all.push_back(inlineRegion(op));
  result.arrays = getResultArrays(function);
  result.softmaxes = takeOnlineSoftmaxes(function);
  for (Taken &taken : all) {
    FailureOr<Group> group =
        readMembers(taken.op, taken.members, taken.outputs);
    if (failed(group))
      return failure();
    if (group->outputs.empty()) {
      taken.op.erase();
      continue;
    }
    if (!taken.op.getTiles())
      return taken.op.emitOpError("expected tiles, which -tile-tile-groups "
                                  "chooses, got none");
    for (Value output : group->outputs)
      result.inMemory[output] = int64_t(result.groups.size());
    result.groups.push_back(std::move(*group));
    taken.op.erase();
  }
  addMemory();
  if (failed(addResults()))
    return failure();
  return std::move(result);
}

FailureOr<Grouping> fromlinalg::takeGroups(func::FuncOp function) {
  return GroupTaker(function).take();
}
