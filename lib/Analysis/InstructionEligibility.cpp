// InstructionEligibility.cpp - matmuls whose operands an instruction can read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/InstructionEligibility.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/ConvertedLoad.h"
#include "tile/Analysis/DescriptorLayout.h"
#include "tile/Analysis/MatmulChain.h"
#include "tile/IR/Participants.h"

using namespace mlir;
using namespace tile;

static int64_t getOperandBytes(MatmulOpInterface op) {
  return getElementBytes(
      cast<ShapedType>(op.getLhs().getType()).getElementType());
}

/// Whether a tile is used only as operand `operand` of matmuls that have the
/// types and precision of `op`.
static bool isReadAlike(Value tile, MatmulOpInterface op, int operand) {
  return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
    auto other = dyn_cast<MatmulOpInterface>(use.getOwner());
    return other && use.getOperandNumber() == static_cast<unsigned>(operand) &&
           other->getOperandTypes() == op->getOperandTypes() &&
           other.getPrecision() == op.getPrecision();
  });
}

/// Whether the program requests no storage for a tile.
static bool isOpen(Value tile) {
  auto type = dyn_cast<TileType>(tile.getType());
  return type && !type.getStorage();
}

/// Whether matmuls of 16-bit elements with the precision of `op` are the only
/// uses of a tile and of its transposes.
static bool isReadByMatmuls(Value tile, MatmulOpInterface op) {
  return isOpen(tile) && llvm::all_of(tile.getUses(), [&](OpOperand &use) {
           if (auto transpose = dyn_cast<TransposeOp>(use.getOwner()))
             return isReadByMatmuls(transpose.getResult(), op);
           auto other = dyn_cast<MatmulOpInterface>(use.getOwner());
           return other && use.getOperandNumber() < 2 &&
                  other.getPrecision() == op.getPrecision() &&
                  getOperandBytes(other) == 2;
         });
}

namespace {
/// The tile in shared memory from which a matmul reads an operand, directly or
/// through transposes, and its dimensions that are K (inner) and M or N
/// (outer). The tile is loaded, perhaps converted on its way (ConvertedLoad.h),
/// or it is computed and then stored.
struct SharedOperand {
  Value tile;
  int64_t inner, outer;
  CopyableOpInterface load = {}; ///< null if the tile is not loaded
};
} // namespace

/// Whether a tile is computed from tiles that are loaded in `block`, and from
/// constants, by elementwise operations. As an operand it can be in registers.
static bool isComputedFromLoads(Value tile, Block *block) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (isMadeAnywhere(op))
    return true;
  if (op->getBlock() != block)
    return false;
  return isa<CopyableOpInterface>(op) ||
         (op->hasTrait<OpTrait::Elementwise>() &&
          llvm::all_of(op->getOperands(), [&](Value value) {
            return !isa<TileType>(value.getType()) ||
                   isComputedFromLoads(value, block);
          }));
}

/// Whether a tile is computed, and stored to shared memory for matmuls: it is
/// not an operand that can be in registers.
static bool isStored(Value tile, MatmulOpInterface op) {
  Operation *source = tile.getDefiningOp();
  return source && source->hasTrait<OpTrait::Elementwise>() &&
         isReadByMatmuls(tile, op) &&
         !(tile.hasOneUse() && isComputedFromLoads(tile, op->getBlock()));
}

/// Returns the load of which a matmul's operand is converted, if all tiles on
/// the way are open, and of the matmul's block; null if there is none.
static CopyableOpInterface findConverted(Value tile, MatmulOpInterface op) {
  std::optional<ConvertedLoad> found =
      tile.hasOneUse() ? findConvertedLoad(tile) : std::nullopt;
  if (!found || found->load->getBlock() != op->getBlock())
    return {};
  SmallVector<Operation *> makers(found->ops);
  makers.push_back(found->load);
  llvm::append_range(makers, found->repeated);
  bool areOpen = llvm::all_of(makers, [](Operation *maker) {
    Value made = maker->getResult(0);
    return !isa<TileType>(made.getType()) || isOpen(made);
  });
  return areOpen ? found->load : CopyableOpInterface();
}

/// Finds the tile from which a matmul reads operand 0 or 1. It is null if
/// something else than matmuls reads the tile, or a transpose of it, or if the
/// program requests a storage for one of them.
static SharedOperand findShared(MatmulOpInterface op, int operand) {
  Value value = op->getOperand(operand);
  int64_t batch = getTileShape(value.getType()).size() - 2;
  SharedOperand found = {Value(), batch + 1 - operand, batch + operand};
  if (!isOpen(value))
    return found;
  bool isAlike = isReadAlike(value, op, operand);
  while (auto transpose = value.getDefiningOp<TransposeOp>()) {
    found.inner = transpose.getPermutation()[found.inner];
    found.outer = transpose.getPermutation()[found.outer];
    value = transpose.getSource();
    if (!isOpen(value))
      return found;
    isAlike &= value.hasOneUse();
  }
  bool isMatrix = batch == 0;
  if (auto load = value.getDefiningOp<CopyableOpInterface>()) {
    if (isAlike || (isMatrix && isReadByMatmuls(value, op)))
      found = {value, found.inner, found.outer, load};
  } else if (isMatrix && isReadByMatmuls(value, op)) {
    found.load = findConverted(value, op);
    if (found.load || isStored(value, op))
      found.tile = value;
  }
  return found;
}

/// Returns the contiguous dimension of the tile in shared memory: that of the
/// array from which it is loaded, or the last one of a tile that is stored.
static std::optional<int64_t> getContiguousDimension(SharedOperand operand) {
  int64_t rank = cast<TileType>(operand.tile.getType()).getRank();
  CopyableOpInterface load = operand.load;
  return load ? ::tile::getContiguousDimension(
                    cast<MemRefType>(load.getArray().getType()), rank)
              : rank - 1;
}

/// Whether K is contiguous in the tile of an operand. Nothing if neither K nor
/// the other dimension of the matmul (M or N) is contiguous.
static std::optional<bool> isAlongK(SharedOperand operand) {
  std::optional<int64_t> contiguous = getContiguousDimension(operand);
  if (contiguous != operand.inner && contiguous != operand.outer)
    return std::nullopt;
  return *contiguous == operand.inner;
}

bool tile::isRounded(MatmulOpInterface op) {
  return op.getPrecision() == Precision::tf32;
}

bool tile::canHaveLhsInRegisters(MatmulOpInterface op) {
  return getOperandBytes(op) == 2 && !getProducers(op).empty();
}

/// Explains why operand 0 or 1 cannot be read by a descriptor; empty if it can,
/// or if the operand is in registers.
static std::string explainOperand(MatmulOpInterface op, int operand) {
  std::string name = operand == 0 ? "lhs" : "rhs";
  if (operand == 0 && canHaveLhsInRegisters(op))
    return {};
  SharedOperand shared = findShared(op, operand);
  if (!shared.tile)
    return "expected '" + name +
           "' loaded from an array, converted from one loaded tile, or "
           "computed from matmuls, for matmuls only "
           "and with no storage of its own";
  CopyableOpInterface load = shared.load;
  bool isOwn = load && load.getAccessedTile() == shared.tile &&
               op->getOperand(operand).hasOneUse() && load->hasOneUse() &&
               load->getBlock() == op->getBlock() && !load.getPad();
  if (isRounded(op) && !isOwn)
    return "expected '" + name +
           "' loaded beside this product and for it alone, as it is rounded";
  std::optional<bool> isAlong = isAlongK(shared);
  if (!isAlong)
    return "expected '" + name + "' of an array in which K or " +
           (operand == 0 ? "M" : "N") + " is contiguous";
  if (!*isAlong && getOperandBytes(op) != 2)
    return "expected '" + name +
           "' of an array in which K is contiguous, as its elements are not of "
           "16 bits";
  return {};
}

/// Explains why the block or the given tiling does not consist of whole
/// warpgroups; empty if it does.
static std::string explainWarps(MatmulOpInterface op, int64_t groupWarps) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (kernel && kernel.getBlock() &&
      getParticipants(op).numWarps % groupWarps != 0)
    return "expected a block of a multiple of 128 threads, got " +
           std::to_string(getParticipants(op).getNumThreads());
  TilingAttr tiling = op.getTilingAttr();
  if (tiling && tiling.getWarps()) {
    int64_t warps = getAxisNumber(tiling.getWarps(), 0);
    if (warps % groupWarps != 0)
      return "expected a multiple of 4 warps along M, got " +
             std::to_string(warps);
  }
  if (tiling && tiling.getOperands() == OperandSource::global)
    return "expected operands in shared memory, got global";
  return {};
}

std::string tile::explainNoDescriptors(MatmulOpInterface op) {
  TileType type = op.getSumType();
  if (type.getRank() != 2 && isRounded(op))
    return "expected one product, as its operands are rounded, got a batch";
  int64_t rows = type.getShape().take_back(2).front();
  if (rows < kWarpgroupRows)
    return "expected at least 64 rows, got " + std::to_string(rows);
  for (int operand : {0, 1})
    if (std::string why = explainOperand(op, operand); !why.empty())
      return why;
  return explainWarps(op, /*groupWarps=*/4);
}

bool tile::isWorthDescriptors(MatmulOpInterface op, const Costs &costs) {
  return !isRounded(op) ||
         (op.getSumType().getNumElements() >= costs.minRoundedSums &&
          op.getK() >= costs.minRoundedStep);
}

CopyableOpInterface tile::getConvertedLoad(MatmulOpInterface op, int operand) {
  SharedOperand shared = findShared(op, operand);
  bool isConverted =
      shared.load && shared.load.getAccessedTile() != shared.tile;
  return isConverted ? shared.load : CopyableOpInterface();
}

bool tile::passesRegisters(MatmulOpInterface op, int operand) {
  return isRounded(op) ? operand == 1
                       : static_cast<bool>(getConvertedLoad(op, operand));
}

bool tile::isStoredByVectors(MatmulOpInterface op, int operand) {
  SharedOperand shared = findShared(op, operand);
  CopyableOpInterface load = shared.load;
  int64_t bytes = std::max(getElementBytes(load.getTileType().getElementType()),
                           getOperandBytes(op));
  return getVectorWidth(load.getArray(), load.getOffsets(),
                        load.getTileType().getShape()) *
             bytes >=
         kMaxAccessBytes;
}

bool tile::hasWholePanels(MatmulOpInterface op, const Tiling &tiling) {
  // The order in which a tile is stored is chosen with its layout.
  SharedOperand rhs = findShared(op, /*operand=*/1);
  bool isAlong = rhs.load && *isAlongK(rhs);
  return isAlong ||
         getInstructionColumns(tiling) * getOperandBytes(op) % kMinPanelBytes ==
             0;
}
