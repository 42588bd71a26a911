// BuildKernel.cpp - the kernel of a group
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block computes one tile of the outputs. The loops of the grid are those
// that index the output of the highest rank, except for reduced loops and loops
// with all iterations in one tile: the last loop is x, the one before it is y,
// and all others together are z. Blocks of a matmul that run at the same time
// share few columns of tiles, so that their operands stay in the L2 cache.

#include "BuildKernel.h"
#include "Evaluator.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
/// The loops of the grid, from the outermost one to x.
class Grid {
public:
  Grid(KernelBuilder &kernel, const Group &group, ArrayRef<unsigned> loops)
      : kernel(kernel), group(group), loops(loops) {}

  /// Returns the offset of the block's tile in each loop of the grid.
  llvm::MapVector<unsigned, BoxDim> getTile(Evaluator &evaluator);
  GridAttr getAttr();

private:
  /// Returns the loops along z, y or x.
  ArrayRef<unsigned> getLoops(Axis axis);
  /// Returns the number of tiles of a loop.
  Value count(Evaluator &evaluator, unsigned loop);
  /// Returns the index of the block's tile along an axis.
  Value getBlock(Evaluator &evaluator, Axis axis);
  bool isOfMatmul();
  void groupColumns(Evaluator &evaluator);

  KernelBuilder &kernel;
  const Group &group;
  ArrayRef<unsigned> loops;
  /// The row and the column of the block's tile, for a matmul.
  Value row, column;
};
} // namespace

/// Number of columns of tiles that consecutive blocks compute together, row by
/// row.
static constexpr int64_t kColumns = 8;

/// Returns an output of the group that `loop` indexes, and the dimension.
static std::pair<Value, unsigned> findDim(const Group &group, unsigned loop) {
  for (Value output : group.outputs)
    for (auto [dim, own] :
         llvm::enumerate(group.getLoops(::cast<OpResult>(output))))
      if (own == loop)
        return {output, unsigned(dim)};
  llvm_unreachable("a loop of the grid indexes an output");
}

ArrayRef<unsigned> Grid::getLoops(Axis axis) {
  size_t outer = loops.size() < 3 ? 0 : loops.size() - 2;
  switch (axis) {
  case Axis::x:
    return loops.take_back(1);
  case Axis::y:
    return loops.drop_back(std::min<size_t>(1, loops.size())).drop_front(outer);
  case Axis::z:
    return loops.take_front(outer);
  }
  llvm_unreachable("three axes");
}

Value Grid::count(Evaluator &evaluator, unsigned loop) {
  auto [output, dim] = findDim(group, loop);
  return kernel.divideUp(evaluator.getExtent(output, dim),
                         group.loops[loop].tile);
}

/// Whether x and y are the two sides of a matmul's result, with more than
/// kColumns tiles along x and more than one along y.
bool Grid::isOfMatmul() {
  linalg::GenericOp first = group.ops.front();
  std::optional<Matmul> matmul = matchMatmul(first);
  if (!matmul || loops.size() < 2)
    return false;
  ArrayRef<unsigned> own = group.loopsOf.find(first)->second;
  unsigned x = loops.back(), y = *std::prev(loops.end(), 2);
  std::pair sides(own[matmul->getRow()], own[matmul->getColumn()]);
  if (sides != std::pair(y, x) && sides != std::pair(x, y))
    return false;
  auto isMany = [&](unsigned loop, int64_t most) {
    const GroupLoop &shared = group.loops[loop];
    return ShapedType::isDynamic(shared.extent) ||
           shared.extent > most * shared.tile;
  };
  return isMany(x, kColumns) && isMany(y, 1);
}

/// Changes which tile each block computes. Blocks start in the order of their
/// indices. All tiles of kColumns columns, row by row, belong to earlier blocks
/// than the tiles of the next columns.
void Grid::groupColumns(Evaluator &evaluator) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getKernel().getLoc();
  Value x = ProgramIdOp::create(builder, loc, Axis::x);
  Value y = ProgramIdOp::create(builder, loc, Axis::y);
  Value columns = count(evaluator, loops.back());
  Value rows = count(evaluator, *std::prev(loops.end(), 2));
  Value blockIndex = kernel.add(kernel.multiply(y, columns), x);
  Value together = kernel.multiply(rows, kColumns);
  Value first = kernel.multiply(kernel.divide(blockIndex, together), kColumns);
  Value width = kernel.minimum(kernel.subtract(columns, first),
                               kernel.getIndex(kColumns));
  Value rest = kernel.modulo(blockIndex, together);
  row = kernel.divide(rest, width);
  column = kernel.add(first, kernel.modulo(rest, width));
}

Value Grid::getBlock(Evaluator &evaluator, Axis axis) {
  if (axis != Axis::z && isOfMatmul()) {
    if (!row)
      groupColumns(evaluator);
    return axis == Axis::x ? column : row;
  }
  return ProgramIdOp::create(kernel.getBuilder(), kernel.getKernel().getLoc(),
                             axis);
}

llvm::MapVector<unsigned, BoxDim> Grid::getTile(Evaluator &evaluator) {
  llvm::MapVector<unsigned, BoxDim> tile;
  for (Axis axis : {Axis::z, Axis::y, Axis::x}) {
    ArrayRef<unsigned> along = getLoops(axis);
    if (along.empty())
      continue;
    Value block = getBlock(evaluator, axis);
    for (unsigned loop : llvm::reverse(along)) {
      int64_t size = group.loops[loop].tile;
      // The outermost loop takes the remaining part of the index.
      Value index = block;
      if (loop != along.front()) {
        Value blocks = count(evaluator, loop);
        index = kernel.modulo(block, blocks);
        block = kernel.divide(block, blocks);
      }
      tile[loop] = {kernel.multiply(index, size), size};
    }
  }
  return tile;
}

GridAttr Grid::getAttr() {
  Builder builder(kernel.getKernel().getContext());
  SmallVector<Attribute> sources;
  SmallVector<AffineExpr> extents;
  SmallVector<int64_t> factors;
  for (Axis axis : {Axis::x, Axis::y, Axis::z}) {
    ArrayRef<unsigned> along = getLoops(axis);
    if (along.empty())
      continue;
    factors.push_back(int64_t(along.size()));
    for (unsigned loop : along) {
      const GroupLoop &shared = group.loops[loop];
      if (!ShapedType::isDynamic(shared.extent)) {
        extents.push_back(builder.getAffineConstantExpr(
            llvm::divideCeilSigned(shared.extent, shared.tile)));
        continue;
      }
      auto [output, dim] = findDim(group, loop);
      auto array = ::cast<BlockArgument>(kernel.getArray(output));
      extents.push_back(builder.getAffineDimExpr(unsigned(sources.size()))
                            .ceilDiv(uint64_t(shared.tile)));
      sources.push_back(builder.getI64ArrayAttr({array.getArgNumber(), dim}));
    }
  }
  if (extents.empty()) {
    extents.push_back(builder.getAffineConstantExpr(1));
    factors.push_back(1);
  }
  bool isPlain =
      llvm::all_of(factors, [](int64_t count) { return count == 1; });
  AffineMap map = AffineMap::get(unsigned(sources.size()), 0, extents,
                                 builder.getContext());
  return GridAttr::get(builder.getContext(), AffineMapAttr::get(map),
                       builder.getArrayAttr(sources),
                       isPlain ? SmallVector<int64_t>() : factors);
}

/// Returns the loops that index the output of the highest rank, in order,
/// except for reduced loops and loops whose iterations are all in one tile.
static SmallVector<unsigned> getGridLoops(const Group &group) {
  SmallVector<unsigned> loops;
  Value longest = group.outputs.front();
  auto getRank = [](Value tensor) {
    return ::cast<RankedTensorType>(tensor.getType()).getRank();
  };
  for (Value output : group.outputs)
    if (getRank(output) > getRank(longest))
      longest = output;
  for (unsigned loop : group.getLoops(::cast<OpResult>(longest)))
    if (!group.loops[loop].isReduced && !group.loops[loop].isWhole())
      loops.push_back(loop);
  return loops;
}

/// Stores the block's tile of an output. A dimension that is not a loop of the
/// grid is stored as a whole if it fits in a tile, otherwise tile by tile in a
/// loop.
static void storeOutput(KernelBuilder &kernel, Evaluator &evaluator,
                        Value output, Box box, unsigned dim) {
  const Group &group = evaluator.getGroup();
  SmallVector<unsigned> loops = group.getLoops(::cast<OpResult>(output));
  while (dim < box.size() && box[dim].offset)
    ++dim;
  if (dim < box.size()) {
    const GroupLoop &row = group.loops[loops[dim]];
    box[dim] = {kernel.getIndex(int64_t(0)), row.tile};
    if (row.isWhole())
      return storeOutput(kernel, evaluator, output, box, dim);
    kernel.buildLoop(output.getLoc(), evaluator.getExtent(output, dim),
                     row.tile, {},
                     [&](Value index, ValueRange) -> SmallVector<Value> {
                       box[dim].offset = index;
                       storeOutput(kernel, evaluator, output, box, dim);
                       return {};
                     });
    return;
  }
  Value tile = evaluator.evaluate(output, box);
  SmallVector<Value> offsets =
      llvm::map_to_vector(box, [](const BoxDim &part) { return part.offset; });
  if (offsets.empty())
    offsets.push_back(kernel.getIndex(int64_t(0)));
  SmallVector<unsigned> sized = getSizedDims(box);
  SmallVector<int64_t> dims(sized.begin(), sized.end());
  Builder attributes(output.getContext());
  bool areLast = llvm::equal(
      sized, llvm::seq<unsigned>(unsigned(offsets.size() - sized.size()),
                                 unsigned(offsets.size())));
  StoreOp::create(kernel.getBuilder(), output.getLoc(), tile,
                  kernel.getArray(output), offsets, /*mask=*/Value(),
                  /*in_bounds=*/UnitAttr(),
                  areLast ? DenseI64ArrayAttr()
                          : attributes.getDenseI64ArrayAttr(dims));
}

BuiltKernel fromlinalg::buildKernel(func::FuncOp function,
                                    const Grouping &grouping,
                                    int64_t groupIndex, StringRef name) {
  const Group &group = grouping.groups[groupIndex];
  linalg::GenericOp first = group.ops.front();
  KernelBuilder kernel(function, first.getLoc(), name);
  Evaluator evaluator(kernel, grouping, groupIndex);
  SmallVector<unsigned> gridLoops = getGridLoops(group);
  Grid grid(kernel, group, gridLoops);
  llvm::MapVector<unsigned, BoxDim> tile = grid.getTile(evaluator);
  for (Value output : group.outputs) {
    Box box;
    for (unsigned loop : group.getLoops(::cast<OpResult>(output)))
      box.push_back(tile.lookup(loop));
    storeOutput(kernel, evaluator, output, box, 0);
  }
  kernel.finish();
  kernel.getKernel().setGridAttr(grid.getAttr());
  SmallVector<Value> arguments;
  for (auto [host, argument] : kernel.getArguments())
    arguments.push_back(host);
  return {kernel.getKernel(), arguments};
}
