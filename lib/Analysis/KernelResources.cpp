// KernelResources.cpp - resources that a launch of a kernel uses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel is executed for some blocks of the grid as far as its integers are
// known. Three iterations of a loop are executed: the first, the last and one
// that stands for all others. If a condition is not known, both sides of the
// branch count half.

#include "tile/Analysis/KernelResources.h"

#include "tile/Analysis/InstructionEstimate.h"
#include "tile/Analysis/LiveTiles.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Analysis/Tiling.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

/// Returns the layout of a tile in registers; nothing for other values.
static std::optional<RegisterLayout> getLayout(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  if (!tile || !tile.getRegister() || !tile.getRegister().isResolved())
    return std::nullopt;
  return tile.getRegister().getRegisterLayout();
}

/// Returns the elements of a tile that are inside its array, if the tile starts
/// where the array does.
static int64_t countInside(ArrayAccessOpInterface access,
                           const LaunchSizes &launch) {
  ArrayRef<int64_t> shape = getTileShape(access.getAccessedTile().getType());
  auto array = dyn_cast<BlockArgument>(access.getArray());
  if (!array || !isa<KernelOp>(array.getOwner()->getParentOp()))
    return llvm::product_of(shape);
  int64_t elements = 1;
  for (auto [extent, size] :
       llvm::zip(shape, launch.arguments[array.getArgNumber()].sizes))
    elements *= std::min(extent, size);
  return elements;
}

static double countBytes(ArrayAccessOpInterface access,
                         const LaunchSizes &launch) {
  auto tile = cast<TileType>(access.getAccessedTile().getType());
  return static_cast<double>(countInside(access, launch) *
                             getElementBytes(tile.getElementType()));
}

static Resources getAccessResources(ArrayAccessOpInterface access,
                                    const LaunchSizes &launch) {
  Resources used;
  double bytes = countBytes(access, launch);
  if (access.getAccessedTile().getDefiningOp() != access.getOperation()) {
    used.storedBytes = bytes;
    return used;
  }
  if (access->hasAttr(kCopyAttr)) {
    used.copiedBytes = bytes;
    return used;
  }
  used.loadedBytes = bytes;
  used.loads = 1;
  return used;
}

/// Returns the resources of a reduction or a scan. The result of a reduction is
/// replicated over the lanes and the warps that hold elements of a sum; those
/// of a scan may be in any.
static Resources getCombiningResources(CombiningOpInterface combining,
                                       int64_t numWarps) {
  std::optional<RegisterLayout> source =
      getLayout(combining.getSources().front());
  std::optional<RegisterLayout> result = getLayout(combining->getResult(0));
  Resources used;
  if (!source || !result)
    return used;
  bool isScan = source->getBox() == result->getBox();
  auto isSpread = [&](RegisterLayout::Level level) {
    return isScan ||
           result->getReplication(level) > source->getReplication(level);
  };
  used.shuffles = isSpread(RegisterLayout::kLane);
  used.barriers = numWarps > 1 && isSpread(RegisterLayout::kWarp);
  return used;
}

/// Returns the multiply-adds of a matmul, with the padding of its tiling.
static double countMultiplyAdds(const Tiling &tiling,
                                MatmulOpInterface matmul) {
  return static_cast<double>(tiling.extent(0) * tiling.extent(1) *
                             tiling.extent(kBatchAxis) * matmul.getK());
}

/// Returns the wavefronts of shared memory in which a matmul reads its
/// operands: each instruction of a warpgroup reads both, and fragments of a
/// warp are read once for its part of the accumulator.
static double countOperandWavefronts(MatmulOpInterface matmul) {
  constexpr double kBytes = 128;
  Tiling tiling = getTiling(matmul);
  MatrixInstructionAttrInterface instruction = tiling.instruction;
  int64_t rows = instruction.isAsynchronous()
                     ? instruction.getInstructionShape().m
                     : tiling.extent(0) / tiling.warps[0];
  int64_t columns = tiling.extent(1) / tiling.warps[1];
  int64_t parts = tiling.extent(0) / rows * tiling.warps[1];
  auto lhs = cast<ShapedType>(matmul.getLhs().getType());
  int64_t elements =
      parts * (rows + columns) * matmul.getK() * tiling.extent(kBatchAxis);
  return static_cast<double>(elements * getElementBytes(lhs.getElementType())) /
         kBytes;
}

/// Returns the resources of a matmul by matrix instructions.
static Resources getMmaResources(const Machine &machine,
                                 MatmulOpInterface matmul) {
  Tiling tiling = getTiling(matmul);
  std::string type;
  llvm::raw_string_ostream(type) << tiling.instruction.getOperandType();
  Resources used;
  used.mmaCycles = machine.getMmaCycles(getUnit(/*isMma=*/true, type),
                                        countMultiplyAdds(tiling, matmul),
                                        !tiling.instruction.isAsynchronous());
  used.wavefronts = countOperandWavefronts(matmul);
  return used;
}

/// Returns the resources of a matmul by FMA. A thread reads the rows and the
/// columns of its elements for each step along the sums. A multiply-add of
/// complex elements is four; those of integers have the rate of f32.
static Resources getFmaResources(const Machine &machine,
                                 MatmulOpInterface matmul) {
  constexpr double kComplex = 4;
  Tiling tiling = getTiling(matmul);
  auto rows = static_cast<double>(tiling.sub[0] * tiling.thread[0]);
  auto columns = static_cast<double>(tiling.sub[1] * tiling.thread[1]);
  Type element = getElementTypeOrSelf(matmul.getLhs().getType());
  auto complex = dyn_cast<ComplexType>(element);
  Type part = complex ? complex.getElementType() : element;
  StringRef type = part.isF64() ? "f64" : part.isF16() ? "f16" : "f32";
  Resources used = tile::getFmaResources(
      machine, getUnit(/*isMma=*/false, type),
      countMultiplyAdds(tiling, matmul), (rows + columns) / (rows * columns),
      getElementBytes(element));
  if (complex)
    used.mmaCycles *= kComplex;
  return used;
}

/// Whether an operation moves the elements of a tile between threads.
static bool changesLayout(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  std::optional<RegisterLayout> from = getLayout(op->getOperand(0)),
                                to = getLayout(op->getResult(0));
  return from && to && from->getBox() == to->getBox() &&
         from->getLayout() != to->getLayout();
}

/// Returns the resources of an operation without those of its regions.
static Resources getResources(Operation *op, const LaunchSizes &launch,
                              const Machine &machine) {
  Resources used;
  Participants by = getParticipants(op);
  if (auto access = dyn_cast<ArrayAccessOpInterface>(op))
    used = getAccessResources(access, launch);
  else if (auto combining = dyn_cast<CombiningOpInterface>(op))
    used = getCombiningResources(combining, by.numWarps);
  else if (changesLayout(op))
    used.barriers = by.numWarps > 1;
  if (auto matmul = dyn_cast<MatmulOpInterface>(op))
    return getTiling(matmul).instruction.hasFragments()
               ? getMmaResources(machine, matmul)
               : getFmaResources(machine, matmul);
  auto isTile = [](Type type) { return isa<TileType>(type); };
  bool isTiled = llvm::any_of(op->getOperandTypes(), isTile) ||
                 llvm::any_of(op->getResultTypes(), isTile);
  if (isTiled)
    used.slots = static_cast<double>(
        estimateInstructions(op, by.getNumThreads()) * by.numWarps);
  return used;
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

namespace {
/// Executes a kernel, and adds up the resources of its sections.
class Execution {
public:
  Execution(KernelOp kernel, const LaunchSizes &launch, const Machine &machine)
      : kernel(kernel), launch(launch), machine(machine),
        values(kernel, launch) {}

  /// Executes a block of the grid.
  void runBlock(std::array<int64_t, 3> id);
  /// Returns the sections, as the mean of the executed blocks.
  std::vector<Section> takeSections();
  /// Returns the bytes that all blocks must move from and to global memory: of
  /// each array no more than it has, and no more than blocks access.
  double getMemoryBytes(int64_t blocks);

private:
  void runSection(Operation *op, Block &block, double times);
  void runOperations(Block &block, double times, Resources &used);
  void runOperation(Operation *op, double times, Resources &used);
  void runLoop(scf::ForOp loop, double times);
  void runIteration(scf::ForOp loop, std::optional<int64_t> index,
                    double times);
  void runBranch(scf::IfOp branch, double times, Resources &used);
  void runOnce(scf::WhileOp loop, double times, Resources &used);
  double countTrips(scf::ForOp loop, std::optional<int64_t> &begin,
                    std::optional<int64_t> &step);

  KernelOp kernel;
  const LaunchSizes &launch;
  const Machine &machine;
  LaunchValues values;
  /// The resources of one execution of each operation.
  llvm::DenseMap<Operation *, Resources> ofOperations;
  llvm::MapVector<Operation *, Section> sections;
  /// How often the block that is executed has executed each section.
  llvm::DenseMap<Operation *, double> ofBlock;
  /// Number of executed blocks, and the bytes that they load from arrays, and
  /// store to them.
  double numBlocks = 0;
  llvm::MapVector<Value, std::array<double, 2>> accessed;
};
} // namespace

void Execution::runBlock(std::array<int64_t, 3> id) {
  ++numBlocks;
  values.setBlock(id);
  ofBlock.clear();
  sections[kernel]; // becomes the first section
  runSection(kernel, kernel.getBody().front(), /*times=*/1);
  for (auto [op, executions] : ofBlock)
    sections[op].most = std::max(sections[op].most, executions);
}

void Execution::runSection(Operation *op, Block &block, double times) {
  // Loops in the block add sections, so that no reference remains valid.
  Resources used;
  runOperations(block, times, used);
  Section &section = sections[op];
  section.executions += times;
  section.each += used;
  ofBlock[op] += times;
}

void Execution::runOperations(Block &block, double times, Resources &used) {
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      runLoop(loop, times);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      runBranch(branch, times, used);
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      runOnce(loop, times, used);
    else
      runOperation(&op, times, used);
  }
}

void Execution::runOperation(Operation *op, double times, Resources &used) {
  auto [known, isNew] = ofOperations.try_emplace(op);
  if (isNew)
    known->second = getResources(op, launch, machine);
  Resources ofOp = known->second * times;
  used += ofOp;
  if (auto access = dyn_cast<ArrayAccessOpInterface>(op)) {
    auto &[loaded, stored] = accessed[access.getArray()];
    loaded += ofOp.copiedBytes + ofOp.loadedBytes;
    stored += ofOp.storedBytes;
  }
}

void Execution::runBranch(scf::IfOp branch, double times, Resources &used) {
  constexpr double kHalf = 0.5;
  std::optional<int64_t> condition = values.evaluate(branch.getCondition());
  double ofThen = condition ? (*condition ? 1 : 0) : kHalf;
  if (ofThen > 0)
    runOperations(*branch.thenBlock(), times * ofThen, used);
  if (ofThen < 1 && branch.elseBlock())
    runOperations(*branch.elseBlock(), times * (1 - ofThen), used);
}

/// Executes one iteration of a loop whose number of iterations is not known.
void Execution::runOnce(scf::WhileOp loop, double times, Resources &used) {
  runOperations(*loop.getBeforeBody(), times, used);
  runOperations(*loop.getAfterBody(), times, used);
}

/// Returns the number of iterations; one if it is not known.
double Execution::countTrips(scf::ForOp loop, std::optional<int64_t> &begin,
                             std::optional<int64_t> &step) {
  begin = values.evaluate(loop.getLowerBound());
  step = values.evaluate(loop.getStep());
  std::optional<int64_t> end = values.evaluate(loop.getUpperBound());
  if (!begin || !end || !step || *step <= 0)
    return 1;
  return *end <= *begin
             ? 0
             : static_cast<double>(llvm::divideCeil(*end - *begin, *step));
}

void Execution::runLoop(scf::ForOp loop, double times) {
  constexpr double kExecuted = 3;
  std::optional<int64_t> begin, step;
  double trips = countTrips(loop, begin, step);
  auto getIndex = [&](double trip) -> std::optional<int64_t> {
    if (!begin || !step)
      return std::nullopt;
    return *begin + *step * static_cast<int64_t>(trip);
  };
  if (trips <= kExecuted) {
    for (double trip = 0; trip < trips; ++trip)
      runIteration(loop, getIndex(trip), times);
    return;
  }
  runIteration(loop, getIndex(0), times);
  runIteration(loop, getIndex(trips / 2), times * (trips - 2));
  runIteration(loop, getIndex(trips - 1), times);
}

void Execution::runIteration(scf::ForOp loop, std::optional<int64_t> index,
                             double times) {
  values.set(loop.getInductionVar(), index);
  runSection(loop, *loop.getBody(), times);
  if (auto stages = loop->getAttrOfType<IntegerAttr>(kNumStagesAttr))
    sections[loop].stages = stages.getInt();
}

std::vector<Section> Execution::takeSections() {
  std::vector<Section> found;
  for (auto &[op, section] : sections) {
    if (section.executions == 0)
      continue;
    section.each = section.each / section.executions;
    section.executions /= numBlocks;
    found.push_back(section);
  }
  return found;
}

/// Returns the bytes of an array that is an argument; nothing for others.
static std::optional<double> getArrayBytes(Value array,
                                           const LaunchSizes &launch) {
  auto argument = dyn_cast<BlockArgument>(array);
  if (!argument || !isa<KernelOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  const LaunchArgument &own = launch.arguments[argument.getArgNumber()];
  auto type = cast<MemRefType>(array.getType());
  return double(llvm::product_of(own.sizes) *
                getElementBytes(type.getElementType()));
}

double Execution::getMemoryBytes(int64_t blocks) {
  double sum = 0;
  for (auto &[array, ofBlock] : accessed) {
    std::optional<double> most = getArrayBytes(array, launch);
    for (double bytes : ofBlock) {
      double all = bytes / numBlocks * static_cast<double>(blocks);
      sum += most ? std::min(all, *most) : all;
    }
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Registers and shared memory
//===----------------------------------------------------------------------===//

/// Returns the bytes that a thread holds of a tile in registers.
static int64_t countRegisterBytes(Value value) {
  std::optional<RegisterLayout> layout = getLayout(value);
  if (!layout || matchPattern(value, m_Constant()))
    return 0;
  auto tile = cast<TileType>(value.getType());
  return layout->getNumValues() * getElementBytes(tile.getElementType());
}

/// Returns the bytes of a tile's buffer in shared memory, of all stages if the
/// buffer is circular.
static int64_t countSharedBytes(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  if (!tile || !tile.getShared() ||
      (value.getDefiningOp() && isAlias(value.getDefiningOp())))
    return 0;
  int64_t bytes =
      tile.getNumElements() * getElementBytes(tile.getElementType());
  Operation *op = value.getDefiningOp();
  auto loop = op ? dyn_cast<scf::ForOp>(op->getParentOp()) : scf::ForOp();
  auto stages =
      loop ? loop->getAttrOfType<IntegerAttr>(kNumStagesAttr) : IntegerAttr();
  return op && op->hasAttr(kCopyAttr) && stages ? bytes * stages.getInt()
                                                : bytes;
}

/// Returns the registers that the tiles of a thread need at the same time.
static int64_t countTileRegisters(KernelOp kernel) {
  constexpr int64_t kBytes = 4;
  return llvm::divideCeil(countLiveBytes(kernel, countRegisterBytes), kBytes);
}

/// Returns the bytes that a block moves for registers beyond the limit of a
/// thread: they are stored to memory and loaded again.
static double countSpilledBytes(int64_t registers, int64_t limit,
                                int64_t threads) {
  constexpr int64_t kBytes = 4, kMoves = 2;
  int64_t spilled = std::max<int64_t>(registers - limit, 0);
  return static_cast<double>(kMoves * kBytes * spilled * threads);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

LaunchResources tile::collectResources(KernelOp kernel,
                                       const LaunchSizes &launch,
                                       const Architecture &architecture,
                                       const Machine &machine) {
  constexpr int64_t kSamples = 5;
  Execution execution(kernel, launch, machine);
  for (int64_t sample = 0; sample < kSamples; ++sample) {
    std::array<int64_t, 3> id;
    for (size_t axis = 0; axis < id.size(); ++axis)
      id[axis] = (launch.grid[axis] - 1) * sample / (kSamples - 1);
    execution.runBlock(id);
  }
  LaunchResources resources;
  BlockResources &block = resources.block;
  block.sections = execution.takeSections();
  block.threads = kernel.getLaunchedThreads();
  // Besides those of tiles there are addresses, counters and descriptors.
  constexpr int64_t kOthers = 48, kUnit = 8;
  int64_t ofTiles = countTileRegisters(kernel);
  int64_t limit = getRegisterLimit(kernel, architecture);
  block.registers =
      std::min<int64_t>(llvm::alignTo(ofTiles + kOthers, kUnit), limit);
  block.sharedBytes = countLiveBytes(kernel, countSharedBytes);
  block.sections.front().each.spilledBytes =
      countSpilledBytes(ofTiles, limit, block.threads);
  resources.blocks = launch.getNumBlocks();
  Occupancy occupancy = getOccupancy(architecture, block.threads,
                                     block.registers, block.sharedBytes);
  resources.blocksPerProcessor = std::max<int64_t>(1, occupancy.blocks);
  resources.memoryBytes = execution.getMemoryBytes(resources.blocks);
  return resources;
}
