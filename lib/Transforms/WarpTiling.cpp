// WarpTiling.cpp - spread each product over warps, lanes and instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost model. A warp that computes subM x subN instructions reads
// subM * m + subN * n rows of operands for each step along K. Among the ways to
// split the warps over M and N, the cheapest has the least padded work per
// warp, then the fewest rows. For FMA the thread tile is chosen with it: the
// same two numbers, counted in elements of a thread, with vectors of four
// preferred, then the warp tile nearest a square. Of a batch all are those of
// the products that a warp computes. docs/WarpTiling.md has the formula.

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/LiveTiles.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Analysis/ProductChain.h"
#include "tile/Analysis/Tiling.h"
#include "tile/Analysis/WarpgroupProduct.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#include <tuple>

#define DEBUG_TYPE "tile-warp-tiling"

namespace tile {
#define GEN_PASS_DEF_WARPTILING
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// The number of threads
//===----------------------------------------------------------------------===//

/// M, N, and how many products the batch has.
static std::array<int64_t, 3> getExtents(ProductOpInterface op) {
  ArrayRef<int64_t> shape = op.getSumType().getShape();
  ArrayRef<int64_t> product = shape.take_back(2);
  return {product[0], product[1], shape.size() == 3 ? shape[0] : 1};
}

static int64_t countRegisters(TileType tile, int64_t numWarps) {
  return llvm::divideCeil(tile.getNumElements() *
                              getElementBytes(tile.getElementType()),
                          4 * numWarps * kWarpSize);
}

/// Registers of a thread for the other tiles that the product's loop carries.
static int64_t countCarriedRegisters(ProductOpInterface op, int64_t numWarps) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return 0;
  int64_t registers = 0;
  for (auto [carried, next] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    auto tile = dyn_cast<TileType>(carried.getType());
    bool isOwn = carried == op.getAcc() || next == op->getResult(0);
    if (tile && !isOwn)
      registers += countRegisters(tile, numWarps);
  }
  return registers;
}

/// Registers of a thread for an lhs that is made of accumulators.
static int64_t countMadeRegisters(ProductOpInterface op, int64_t numWarps) {
  return getProducers(op).empty()
             ? 0
             : countRegisters(cast<TileType>(op.getLhs().getType()), numWarps);
}

/// Registers of a thread for operands that are rounded: lhs of a step and of
/// the next one, each so many times as there are warps along N, and rhs of the
/// next one on its way to shared memory.
static int64_t countRoundedRegisters(ProductOpInterface op,
                                     const MatrixInstruction &instruction,
                                     const Costs &costs, int64_t numWarps,
                                     int64_t alongN) {
  if (!instruction.isWarpgroup() || !isRounded(op))
    return 0;
  auto lhs = cast<TileType>(op.getLhs().getType());
  auto rhs = cast<TileType>(op.getRhs().getType());
  return 2 * countRegisters(lhs, numWarps) * alongN +
         countRegisters(rhs, numWarps) + costs.roundedRhsRegisters;
}

/// Four warps with whole rows of a chain's product, or as few more as have
/// registers for its accumulators, an lhs that is made in registers, and what
/// its loop carries: the more rows a warp has, the more often it multiplies
/// what it reads of rhs.
static int64_t proposeWarpsOfChain(ProductOpInterface op,
                                   const MatrixInstruction &instruction,
                                   const Costs &costs) {
  // A warpgroup for each 64 rows, four at most.
  if (int64_t group = instruction.getNumWarps(); group > 1)
    return group *
           std::min<int64_t>(4, llvm::divideCeil(op.getSumType().getDimSize(0),
                                                 kWarpgroupRows));
  auto needed = [&](int64_t numWarps) {
    int64_t carried = countCarriedRegisters(op, numWarps);
    return countRegisters(op.getSumType(), numWarps) +
           countMadeRegisters(op, numWarps) +
           (carried == 0 ? 0 : carried + costs.loopRegisters);
  };
  int64_t most = std::clamp<int64_t>(
      op.getSumType().getDimSize(0) / instruction.subM, 1, 16);
  int64_t warps =
      llvm::bit_floor(static_cast<uint64_t>(std::min<int64_t>(4, most)));
  while (2 * warps <= most && needed(warps) > costs.chainRegisters)
    warps *= 2;
  return warps;
}

/// Elements that a thread computes by FMA: the more, the less it reads of an
/// operand for each; fewer where a block has few of them, where they take more
/// registers, where threads keep a step's operands too, and where the block
/// alone has to hide what its loads wait for.
static int64_t getFmaElements(ProductOpInterface op,
                              const Architecture &architecture) {
  constexpr int64_t kLeast = 16, kSome = 32, kMost = 64;
  auto [m, n, batch] = getExtents(op);
  if (m * n < 64 * 64)
    return kLeast;
  int64_t registers =
      llvm::divideCeil(getElementBytes(op.getSumType().getElementType()), 4);
  TilingAttr attr = op.getTilingAttr();
  bool keepsOperands = attr && attr.getOperands() == OperandSource::global;
  bool isAlone =
      isAloneOnProcessor(op->getParentOfType<KernelOp>(), architecture);
  bool wantsFew = m * n < 64 * 128 && (keepsOperands || isAlone);
  return std::min(wantsFew ? kSome : kMost, kMost / registers);
}

/// Warps that copy a step's operands by a few accesses of a thread, where each
/// has a sub-tile of a product, four at most.
static int64_t proposeCopyingWarps(ProductOpInterface op,
                                   const MatrixInstruction &instruction) {
  constexpr int64_t kAccesses = 12, kMost = 4;
  auto [m, n, batch] = getExtents(op);
  int64_t bytes =
      (m + n) * op.getK() *
      getElementBytes(cast<ShapedType>(op.getLhs().getType()).getElementType());
  int64_t accesses = llvm::divideCeil(bytes, kMaxAccessBytes * kWarpSize);
  int64_t subTiles = llvm::divideCeil(m, instruction.subM) *
                     llvm::divideCeil(n, instruction.subN);
  return std::min({kMost, subTiles, accesses / kAccesses});
}

/// More warps, where a thread has registers then for operands that are rounded,
/// and did not have them.
static int64_t raiseForRounding(ProductOpInterface op,
                                const MatrixInstruction &instruction,
                                const Architecture &architecture, int64_t warps,
                                int64_t most) {
  const Costs &costs = architecture.costs;
  for (int64_t more = warps; more <= most; more *= 2) {
    int64_t rounded =
        countRoundedRegisters(op, instruction, costs, more, /*alongN=*/1);
    int64_t limit =
        std::min(architecture.registersPerThread,
                 architecture.registersPerBlock / (more * kWarpSize));
    if (rounded == 0 ||
        rounded + countRegisters(op.getSumType(), more) + costs.loopRegisters <=
            limit)
      return more;
  }
  return warps;
}

/// Warps that serve a product well: tensor-core warps compute 64 x 64, half of
/// that where an element of the accumulator is two registers, FMA warps 16 to
/// 64 elements a thread, at least four warps where there is work. A batch has
/// as many for each of its products, or takes turns of equal length.
static int64_t proposeWarps(ProductOpInterface op, const ProductChains &chains,
                            const Architecture &architecture) {
  auto [m, n, batch] = getExtents(op);
  // An unknown name is refused where the product is tiled.
  TilingAttr attr = op.getTilingAttr();
  const MatrixInstruction *named =
      attr && attr.getAtom()
          ? findInstruction(attr.getAtom().getValue(), op, architecture)
          : nullptr;
  int64_t warps, most;
  bool isChained = chains.isLinked(op) && batch == 1;
  const MatrixInstruction &instruction =
      named ? *named
            : chooseInstruction(op, architecture, chains.mayBeWarpgroup(op));
  if (isChained && !instruction.isFma())
    return proposeWarpsOfChain(op, instruction, architecture.costs);
  int64_t registers =
      llvm::divideCeil(getElementBytes(op.getSumType().getElementType()), 4);
  if (instruction.isFma()) {
    warps =
        llvm::divideCeil(m * n, kWarpSize * getFmaElements(op, architecture));
    most = 8;
  } else {
    warps = llvm::divideCeil(m, 64) * llvm::divideCeil(n, 64) * registers;
    warps = std::max(warps, instruction.getNumWarps());
    // Four of a single product where each has 32 x 32: a multiprocessor has
    // four tensor cores, and room for few blocks where operands have stages.
    if (batch == 1)
      warps = std::max({warps, std::min<int64_t>(4, (m / 32) * (n / 32)),
                        proposeCopyingWarps(op, instruction)});
    most = 16;
    warps = raiseForRounding(op, instruction, architecture, warps, most);
  }
  warps = llvm::bit_floor(static_cast<uint64_t>(std::min(warps, most)));
  int64_t turns = llvm::divideCeil(batch * warps, most);
  return llvm::divideCeil(batch, turns) * warps;
}

/// More warps, 16 at most, while a thread has more of the tiles that are live
/// at a time than fit its registers: accumulators that loops carry, and what
/// comes behind them.
static int64_t raiseWarps(KernelOp kernel, const Costs &costs, int64_t warps) {
  constexpr int64_t kMost = 16, kRegisterBytes = 4;
  int64_t registers = countLiveTileBytes(kernel) / (kWarpSize * kRegisterBytes);
  while (2 * warps <= kMost && registers > costs.chainRegisters * warps)
    warps *= 2;
  return warps;
}

/// Elements of a sort, rows rounded up to what its network has.
static int64_t countSorted(SortOp op) {
  auto keys = cast<TileType>(op.getSources().front().getType());
  int64_t extent = keys.getDimSize(op.getAxis());
  return keys.getNumElements() / extent * llvm::PowerOf2Ceil(extent);
}

/// The block size where the program fixes none: what the products ask for,
/// else eight elements a thread of the largest tile, by 256 threads at most, or
/// more for a sort: a network's code grows with the elements of a thread.
static int64_t chooseWarps(KernelOp kernel, const ProductChains &chains,
                           const Architecture &architecture) {
  int64_t warps = 0, given = 0, elements = 1, most = 8;
  kernel.walk([&](ProductOpInterface op) {
    if (TilingAttr tiling = op.getTilingAttr())
      if (DenseI64ArrayAttr numbers = tiling.getWarps())
        given = std::max(given, llvm::product_of(numbers.asArrayRef()));
    warps = std::max(warps, proposeWarps(op, chains, architecture));
  });
  if (given != 0)
    return given;
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<TileType>(type))
        elements = std::max(elements, tile.getNumElements());
    if (auto sort = dyn_cast<SortOp>(op)) {
      elements = std::max(elements, countSorted(sort));
      most = architecture.getMaxWarps();
    }
  });
  if (warps != 0)
    return raiseWarps(kernel, architecture.costs, warps);
  warps = std::clamp<int64_t>(elements / (kWarpSize * 8), 1, most);
  return llvm::bit_floor(static_cast<uint64_t>(warps));
}

//===----------------------------------------------------------------------===//
// One product
//===----------------------------------------------------------------------===//

namespace {
/// What the program gave along M, N and the batch; zero is open.
struct Given {
  int64_t warps[3] = {0, 0, 0}, sub[3] = {0, 0, 0}, thread[3] = {0, 0, 0};
};

/// Smaller is better, first member first.
struct Cost {
  int64_t work;    ///< padded elements of a warp
  int64_t traffic; ///< rows (mma) or elements (fma) read a step along K
  int64_t spread;  ///< rows and columns of the warp tile: distinct data a step
  int64_t idle;    ///< warps that only repeat others' work
  bool operator<(const Cost &o) const {
    return std::tie(work, traffic, spread, idle) <
           std::tie(o.work, o.traffic, o.spread, o.idle);
  }
};
} // namespace

/// "2 x 2", "128x128".
static std::string format(ArrayRef<int64_t> numbers, StringRef separator) {
  return llvm::join(
      llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }),
      separator);
}

static Given readGiven(TilingAttr attr) {
  Given given;
  if (!attr)
    return given;
  for (int axis : {0, 1, kBatchAxis}) {
    if (attr.getWarps())
      given.warps[axis] = getAxisNumber(attr.getWarps(), axis);
    if (attr.getSub())
      given.sub[axis] = getAxisNumber(attr.getSub(), axis);
    if (attr.getThread())
      given.thread[axis] = getAxisNumber(attr.getThread(), axis);
  }
  return given;
}

/// Rows of both operands that a warp's instructions read in a step along K.
static int64_t countReads(const Tiling &tiling, const int64_t (&rows)[2]) {
  if (tiling.instruction->isWarpgroup())
    return tiling.sub[0] * (kWarpgroupRows + rows[1]);
  if (!tiling.instruction->isFma())
    return rows[0] + rows[1];
  // Vectors of fewer than four elements cost loads.
  int64_t reads = 0;
  for (int axis : {0, 1})
    reads += rows[axis] * (tiling.thread[axis] % 4 == 0 ? 1 : 2);
  return reads;
}

static Cost costOf(const Tiling &tiling, int64_t numWarps) {
  int64_t rows[2];
  for (int axis : {0, 1})
    rows[axis] = tiling.sub[axis] * (tiling.instruction->isFma()
                                         ? tiling.thread[axis]
                                         : tiling.subExtent(axis));
  int64_t products = tiling.sub[kBatchAxis];
  return {products * rows[0] * rows[1], products * countReads(tiling, rows),
          products * (tiling.sub[0] * tiling.subExtent(0) +
                      tiling.sub[1] * tiling.subExtent(1)),
          numWarps / tiling.getNumWarps()};
}

/// Fills in `sub` for one axis. False when the given parameters do not cover
/// the extent exactly and the program gave them.
/// @pre the extent of the batch of a single product is 1.
static bool completeAxis(Tiling &tiling, const Given &given, int axis,
                         int64_t extent) {
  int64_t perSub = tiling.warps[axis] * tiling.subExtent(axis);
  tiling.sub[axis] =
      given.sub[axis] ? given.sub[axis]
                      : static_cast<int64_t>(llvm::divideCeil(extent, perSub));
  if (tiling.extent(axis) < extent)
    return false;
  // Given parameters leave no warp without work beyond the instruction's own
  // padding.
  bool isGiven = given.warps[axis] || given.sub[axis] ||
                 (given.thread[axis] && axis != kBatchAxis);
  int64_t atom = tiling.instruction->isFma() ? 1 : tiling.subExtent(axis);
  if (axis == 0)
    atom *= tiling.instruction->getNumWarps();
  return !isGiven || tiling.extent(axis) ==
                         static_cast<int64_t>(llvm::alignTo(extent, atom));
}

/// Every way to split warps over M, N and the batch that divides their number
/// and has what is given, none with more warps than products along the batch.
static void forEachSplit(const Given &given, int64_t batch, int64_t numWarps,
                         function_ref<void(std::array<int64_t, 3>)> visit) {
  for (int64_t outer = 1; outer <= std::min(batch, numWarps); ++outer)
    for (int64_t m = 1; m <= numWarps / outer; ++m)
      for (int64_t n = 1; n <= numWarps / (outer * m); ++n) {
        std::array<int64_t, 3> warps = {m, n, outer};
        bool isWanted = llvm::all_of_zip(warps, given.warps,
                                         [](int64_t number, int64_t given) {
                                           return given == 0 || given == number;
                                         });
        if (isWanted && numWarps % llvm::product_of(warps) == 0)
          visit(warps);
      }
}

/// Every tiling that the given parameters allow, in turn.
static void forEachTiling(const MatrixInstruction &instruction,
                          const Given &given, ProductOpInterface op,
                          int64_t numWarps,
                          function_ref<void(const Tiling &)> visit) {
  std::array<int64_t, 3> extents = getExtents(op);
  auto candidates = [](int64_t given, std::initializer_list<int64_t> all) {
    return given ? SmallVector<int64_t>{given} : SmallVector<int64_t>(all);
  };
  bool isFma = instruction.isFma();
  Tiling tiling;
  tiling.instruction = &instruction;
  forEachSplit(given, extents[kBatchAxis], numWarps, [&](auto warps) {
    llvm::copy(warps, tiling.warps);
    if (tiling.warps[0] % instruction.getNumWarps() != 0)
      return;
    if (!completeAxis(tiling, given, kBatchAxis, extents[kBatchAxis]))
      return;
    for (int64_t tm : isFma ? candidates(given.thread[0], {4, 8, 2, 1})
                            : SmallVector<int64_t>{1})
      for (int64_t tn : isFma ? candidates(given.thread[1], {4, 8, 2, 1})
                              : SmallVector<int64_t>{1})
        for (int64_t lanesN : isFma ? SmallVector<int64_t>{8, 16, 4, 32, 2, 1}
                                    : SmallVector<int64_t>{1}) {
          tiling.thread[0] = tm;
          tiling.thread[1] = tn;
          tiling.lanes[0] = kWarpSize / lanesN;
          tiling.lanes[1] = lanesN;
          if (completeAxis(tiling, given, 0, extents[0]) &&
              completeAxis(tiling, given, 1, extents[1]) &&
              (!instruction.isWarpgroup() || hasWholePanels(op, tiling)))
            visit(tiling);
        }
  });
}

/// The best tiling that the given parameters allow, if one does.
static std::optional<Tiling> findBest(const MatrixInstruction &instruction,
                                      const Given &given, ProductOpInterface op,
                                      int64_t numWarps) {
  std::optional<std::pair<Cost, Tiling>> best;
  forEachTiling(instruction, given, op, numWarps, [&](const Tiling &tiling) {
    Cost cost = costOf(tiling, numWarps);
    if (!best || cost < best->first)
      best.emplace(cost, tiling);
  });
  if (!best)
    return std::nullopt;
  return best->second;
}

/// The tiling of a product, and what `given` says beside it.
static TilingAttr toAttr(const Tiling &tiling, ProductOpInterface op,
                         TilingAttr given) {
  MLIRContext *context = given.getContext();
  bool hasBatch = op.getSumType().getRank() == 3;
  auto numbers = [&](const int64_t (&values)[3]) {
    SmallVector<int64_t> all = {values[0], values[1]};
    if (hasBatch)
      all.insert(all.begin(), values[kBatchAxis]);
    return DenseI64ArrayAttr::get(context, all);
  };
  return TilingAttr::get(context, numbers(tiling.warps), numbers(tiling.sub),
                         tiling.instruction->isFma()
                             ? DenseI64ArrayAttr::get(context, tiling.thread)
                             : DenseI64ArrayAttr(),
                         StringAttr::get(context, tiling.instruction->name),
                         given.getOperands(), given.getVector(),
                         given.getStages());
}

/// The instruction that the program names, or the table's choice. Null after
/// an error.
static const MatrixInstruction *
pickInstruction(ProductOpInterface op, TilingAttr attr,
                const ProductChains &chains, const Architecture &architecture) {
  if (!attr.getAtom())
    return &chooseInstruction(op, architecture, chains.mayBeWarpgroup(op));
  const MatrixInstruction *found =
      findInstruction(attr.getAtom().getValue(), op, architecture);
  if (found && found->isWarpgroup())
    if (std::string why = explainNoWarpgroup(op); !why.empty()) {
      op->emitOpError() << why << " (for instruction '" << found->name << "')";
      return nullptr;
    }
  if (found)
    return found;
  // Rows of several types share a name.
  llvm::SetVector<StringRef> names;
  for (const MatrixInstruction &row : getMatrixInstructions())
    if (findInstruction(row.name, op, architecture))
      names.insert(row.name);
  std::string accepted = "'" + llvm::join(names, "', '") + "'";
  op->emitOpError() << "expected an instruction for operands of "
                    << cast<ShapedType>(op.getLhs().getType()).getElementType()
                    << (op.getPrecision() == Precision::tf32
                            ? " with precision tf32"
                            : "")
                    << " and an accumulator of "
                    << op.getSumType().getElementType() << " on "
                    << architecture.name << " (" << accepted << "), got '"
                    << attr.getAtom().getValue() << "'";
  return nullptr;
}

/// Says of a product that no matrix instruction takes what would be one's.
static void remarkFma(ProductOpInterface op, const Architecture &architecture) {
  std::string why = explainFma(op, architecture);
  if (!why.empty())
    remark::missed(op->getLoc(),
                   remark::RemarkOpts::name("fma").category(DEBUG_TYPE))
        << "multiplied by fma in each thread: " + why;
}

/// Says of a product that may be a warpgroup's why it is not.
static void remarkAccumulation(ProductOpInterface op,
                               const MatrixInstruction &instruction,
                               const Architecture &architecture) {
  if (op.getPrecision() != Precision::fast_accumulation ||
      !architecture.hasWarpgroupProducts || instruction.isWarpgroup())
    return;
  std::string why = explainNoWarpgroup(op);
  remark::missed(
      op->getLoc(),
      remark::RemarkOpts::name("fast accumulation").category(DEBUG_TYPE))
      << "multiplied as with precision ieee: " +
             (why.empty()
                  ? "the accumulators of a warpgroup do not fit the block's "
                    "registers or the tiling"
                  : why);
}

/// Refuses what the instruction does not have.
static LogicalResult verifyParameters(ProductOpInterface op, TilingAttr attr,
                                      const MatrixInstruction &instruction) {
  Type element = cast<ShapedType>(op.getLhs().getType()).getElementType();
  int64_t most =
      std::max<int64_t>(kMaxAccessBytes / getElementBytes(element), 1);
  if (attr.getVector() > most)
    return op->emitOpError()
           << "expected 'vector' of at most " << most << " elements of "
           << element << " (16 bytes), got " << attr.getVector();
  if (instruction.isFma())
    return success();
  if (attr.getThread())
    return op->emitOpError() << "expected no 'thread' for instruction '"
                             << instruction.name << "'";
  if (attr.getVector() != 0)
    return op->emitOpError()
           << "expected no 'vector' for instruction '" << instruction.name
           << "', which reads rows of 16 bytes";
  if (attr.getOperands() == OperandSource::global)
    return op->emitOpError() << "expected operands in shared memory for "
                                "instruction '"
                             << instruction.name << "', got global";
  return success();
}

/// A tiling that is accepted, with as many of the given parameters as there
/// may be.
static std::optional<Tiling> relax(const MatrixInstruction &instruction,
                                   const Given &given, ProductOpInterface op,
                                   int64_t numWarps) {
  constexpr int kSub = 1, kThread = 2, kWarps = 4;
  for (int left : {kSub, kThread, kSub | kThread, kSub | kThread | kWarps}) {
    Given less = given;
    for (int axis : {0, 1, kBatchAxis}) {
      less.sub[axis] = left & kSub ? 0 : given.sub[axis];
      less.thread[axis] = left & kThread ? 0 : given.thread[axis];
      less.warps[axis] = left & kWarps ? 0 : given.warps[axis];
    }
    if (std::optional<Tiling> found = findBest(instruction, less, op, numWarps))
      return found;
  }
  return std::nullopt;
}

static LogicalResult refuseTiling(ProductOpInterface op, TilingAttr attr,
                                  const MatrixInstruction &instruction,
                                  int64_t numWarps) {
  InFlightDiagnostic error =
      op->emitOpError() << "expected a tiling that divides "
                        << format(op.getSumType().getShape(), "x") << " over "
                        << numWarps << " warps with instruction '"
                        << instruction.name << "', got " << attr;
  if (std::optional<Tiling> accepted =
          relax(instruction, readGiven(attr), op, numWarps))
    error.attachNote() << "accepted would be " << toAttr(*accepted, op, attr);
  else if (instruction.isWarpgroup())
    error.attachNote() << "its columns are whole rows of 32 bytes where N is "
                          "contiguous";
  return error;
}

/// A product's registers, those of a warpgroup's beside an lhs that is made in
/// registers and all that its loop carries.
static int64_t countRegisters(ProductOpInterface op, const Tiling &tiling,
                              const Architecture &architecture) {
  int64_t registers = estimateRegisters(tiling, op, architecture);
  if (!tiling.instruction->isWarpgroup())
    return registers;
  int64_t numWarps = op->getParentOfType<KernelOp>().getNumWarps();
  return registers + countMadeRegisters(op, numWarps) +
         countRoundedRegisters(op, *tiling.instruction, architecture.costs,
                               numWarps, tiling.warps[1]) +
         countCarriedRegisters(op, numWarps);
}

static bool fitsRegisters(ProductOpInterface op, const Tiling &tiling,
                          const Architecture &architecture) {
  return countRegisters(op, tiling, architecture) <=
         getRegisterLimit(op->getParentOfType<KernelOp>(), architecture);
}

/// What ptxas cannot fit it spills, which no program asks for that gives a
/// tiling, or cannot, which is a warpgroup's accumulators. What the compiler
/// chose else for a tile that is too large stays.
static LogicalResult verifyRegisters(ProductOpInterface op, TilingAttr attr,
                                     const Tiling &tiling,
                                     const Architecture &architecture) {
  if (!attr.getWarps() && !attr.getSub() && !attr.getThread() &&
      attr.getOperands() == OperandSource::shared &&
      !tiling.instruction->isWarpgroup())
    return success();
  auto kernel = op->getParentOfType<KernelOp>();
  if (fitsRegisters(op, tiling, architecture))
    return success();
  return op->emitOpError() << "expected at most "
                           << getRegisterLimit(kernel, architecture)
                           << " registers a thread in a block of "
                           << kernel.getLaunchedThreads()
                           << ", got an estimate of "
                           << countRegisters(op, tiling, architecture)
                           << " for accumulator and operands of "
                           << toAttr(tiling, op, attr);
}

/// The tiling that gives each warp whole rows of a chained product, as many as
/// others: what a lane has of them is what it multiplies next. None where the
/// program gives warps, or they would be without work.
static std::optional<Tiling> findWholeRows(const MatrixInstruction &instruction,
                                           Given given, ProductOpInterface op,
                                           int64_t numWarps) {
  if (given.warps[0] || op.getSumType().getRank() != 2 || instruction.isFma())
    return std::nullopt;
  given.warps[0] = numWarps;
  given.warps[1] = given.warps[kBatchAxis] = 1;
  return findBest(instruction, given, op, numWarps);
}

/// The cheapest tiling that the given parameters allow; of a chain's product
/// one of whole rows, if there is any.
static std::optional<Tiling> findTiling(const MatrixInstruction &instruction,
                                        const Given &given,
                                        ProductOpInterface op, int64_t numWarps,
                                        const ProductChains &chains) {
  if (chains.isLinked(op))
    if (auto rows = findWholeRows(instruction, given, op, numWarps))
      return rows;
  return findBest(instruction, given, op, numWarps);
}

namespace {
/// The compiler's own choice of warpgroups gives way where their accumulators
/// do not fit, or what is given, or where a chain would not stay in registers:
/// then its products have rows that follow one another.
class WarpgroupLimits {
public:
  WarpgroupLimits(KernelOp kernel, ProductChains &chains,
                  const Architecture &architecture)
      : kernel(kernel), chains(chains), architecture(architecture),
        numWarps(kernel.getNumWarps()) {}

  void apply() {
    do {
      isChanged = false;
      kernel.walk([&](ProductOpInterface op) { visit(op); });
    } while (isChanged);
  }

private:
  bool isWarpgroup(ProductOpInterface op) {
    return !op.getTilingAttr().getAtom() &&
           chooseInstruction(op, architecture, chains.mayBeWarpgroup(op))
               .isWarpgroup();
  }

  void forbid(ProductOpInterface op) {
    if (!isWarpgroup(op))
      return;
    chains.forbidWarpgroup(op);
    isChanged = true;
  }

  void visit(ProductOpInterface op) {
    std::optional<Tiling> tiling = find(op);
    if (!tiling || !fitsRegisters(op, *tiling, architecture))
      return forbid(op);
    // Both variants of a kernel have the block that was chosen for this one.
    if (tiling->instruction->isWarpgroup() && isRounded(op) &&
        !isRoundedByVectors(op))
      return forbid(op);
    SmallVector<ProductOpInterface> producers = getProducers(op);
    if (producers.empty() || tiling->instruction->isFma())
      return;
    SmallVector<Tiling> tilings;
    for (ProductOpInterface producer : producers)
      if (std::optional<Tiling> found = find(producer))
        tilings.push_back(*found);
    if (tilings.size() == producers.size() &&
        hasOperandInAccumulators(op, *tiling, tilings, numWarps))
      return;
    forbid(op);
    llvm::for_each(producers,
                   [&](ProductOpInterface producer) { forbid(producer); });
  }

  /// As the product would be tiled now.
  std::optional<Tiling> find(ProductOpInterface op) {
    TilingAttr attr = op.getTilingAttr();
    const MatrixInstruction *instruction =
        attr.getAtom()
            ? findInstruction(attr.getAtom().getValue(), op, architecture)
            : &chooseInstruction(op, architecture, chains.mayBeWarpgroup(op));
    // What is refused where the product is tiled has none.
    if (!instruction ||
        (instruction->isWarpgroup() && !explainNoWarpgroup(op).empty()))
      return std::nullopt;
    return findTiling(*instruction, readGiven(attr), op, numWarps, chains);
  }

  KernelOp kernel;
  ProductChains &chains;
  const Architecture &architecture;
  int64_t numWarps;
  bool isChanged = false;
};
} // namespace

/// @pre the product has a tiling, be it empty.
static LogicalResult tileProduct(ProductOpInterface op, int64_t numWarps,
                                 const ProductChains &chains,
                                 const Architecture &architecture) {
  TilingAttr attr = op.getTilingAttr();
  Given given = readGiven(attr);
  const MatrixInstruction *instruction =
      pickInstruction(op, attr, chains, architecture);
  if (!instruction || failed(verifyParameters(op, attr, *instruction)))
    return failure();
  if (given.warps[0] && numWarps % llvm::product_of(given.warps) != 0)
    return op->emitOpError()
           << "expected 'warps' that divide the block's " << numWarps
           << " warps, got " << format(attr.getWarps(), " x ");
  std::optional<Tiling> best =
      findTiling(*instruction, given, op, numWarps, chains);
  if (!attr.getAtom()) {
    remarkFma(op, architecture);
    remarkAccumulation(op, *instruction, architecture);
  }
  if (!best)
    return refuseTiling(op, attr, *instruction, numWarps);
  best->operands = attr.getOperands();
  if (failed(verifyRegisters(op, attr, *best, architecture)))
    return failure();
  op.setTilingAttr(toAttr(*best, op, attr));
  return success();
}

namespace {
struct WarpTiling : tile::impl::WarpTilingBase<WarpTiling> {
  using WarpTilingBase::WarpTilingBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture)
      return signalPassFailure();
    if (failed(applyOptions(kernel)) ||
        failed(verifyWarpsFit(kernel, *architecture)))
      return signalPassFailure();
    ProductChains chains(kernel, *architecture);
    if (!kernel.getBlock())
      kernel.setBlock(kWarpSize * chooseWarps(kernel, chains, *architecture));
    if (failed(verifyOccupancy(kernel, *architecture)))
      return signalPassFailure();
    int64_t numWarps = kernel.getNumWarps();
    WarpgroupLimits(kernel, chains, *architecture).apply();
    WalkResult result = kernel.walk([&](ProductOpInterface op) {
      return WalkResult(tileProduct(op, numWarps, chains, *architecture));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  /// Every product has a tiling afterwards: its own parameters, and those of
  /// the options for the rest.
  LogicalResult applyOptions(KernelOp kernel) {
    WalkResult result = kernel.walk([&](ProductOpInterface op) -> WalkResult {
      TilingAttr tiling = completeByOptions(op);
      if (!tiling)
        return WalkResult::interrupt();
      op.setTilingAttr(tiling);
      if (failed(verify(op, /*verifyRecursively=*/false)))
        return WalkResult::interrupt();
      if (tiling.getVector() != 0)
        kernel->setAttr(kExactAccessesAttr, UnitAttr::get(&getContext()));
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Null after an error.
  TilingAttr completeByOptions(ProductOpInterface op) {
    TilingAttr own = op.getTilingAttr();
    if (!own)
      own = TilingAttr::get(&getContext(), {}, {}, {}, {},
                            OperandSource::shared, 0, 0);
    auto pair = [&](DenseI64ArrayAttr given, ArrayRef<int64_t> option) {
      return given || option.empty()
                 ? given
                 : DenseI64ArrayAttr::get(&getContext(), option);
    };
    StringAttr name = own.getAtom();
    if (!name && !atom.empty())
      name = StringAttr::get(&getContext(), atom);
    return TilingAttr::getChecked(
        [&] { return op->emitOpError(); }, &getContext(),
        pair(own.getWarps(), warps), pair(own.getSub(), sub),
        pair(own.getThread(), thread), name,
        own.getOperands() == OperandSource::shared ? operands.getValue()
                                                   : own.getOperands(),
        own.getVector() ? own.getVector() : vector,
        own.getStages() ? own.getStages() : stages);
  }

  /// A product that asks for more warps than a block may have is refused
  /// before a block size is chosen for it.
  static LogicalResult verifyWarpsFit(KernelOp kernel,
                                      const Architecture &architecture) {
    WalkResult result = kernel.walk([&](ProductOpInterface op) -> WalkResult {
      DenseI64ArrayAttr given = op.getTilingAttr().getWarps();
      if (given &&
          llvm::product_of(given.asArrayRef()) > architecture.getMaxWarps())
        return op->emitOpError()
               << "expected at most " << architecture.getMaxWarps()
               << " warps (" << architecture.threadsPerBlock
               << " threads a block), got " << format(given, " x ");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
