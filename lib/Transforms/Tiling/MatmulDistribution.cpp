// MatmulDistribution.cpp - tile.matmul as an operation that warps compute
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Transforms/MatmulDistribution.h"

#include "../IntegerList.h"
#include "MatmulRegisters.h"
#include "MatmulTiling.h"
#include "MatmulWarps.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/InstructionEligibility.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Decisions.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#define DEBUG_TYPE "tile-warp-tiling"

using namespace mlir;
using namespace tile;

/// Lists the names of the instructions of the architecture that can compute the
/// matmul: "'m16n8k16', 'fma'".
static std::string listAccepted(MatmulOpInterface op,
                                const Architecture &architecture) {
  // An instruction may have several rows.
  llvm::SmallSetVector<MatrixInstructionAttrInterface, 8> accepted;
  for (const TableEntry &entry : getMatrixInstructions(op->getContext()))
    if (canCompute(entry.instruction, op) && isOn(entry, architecture))
      accepted.insert(entry.instruction);
  auto getName = [](MatrixInstructionAttrInterface instruction) {
    return instruction.getInstructionName();
  };
  return "'" + llvm::join(llvm::map_range(accepted, getName), "', '") + "'";
}

/// Returns the instruction that the program gives, or the table's choice. Null
/// after an error.
static MatrixInstructionAttrInterface
demandInstruction(MatmulOpInterface op, TilingAttr attr,
                  const MatmulChains &chains,
                  const Architecture &architecture) {
  MatrixInstructionAttrInterface found =
      pickInstruction(op, architecture, chains.mayReadDescriptors(op));
  if (found && attr.getAtom() && found.readsDescriptors())
    if (std::string why = explainNoDescriptors(op); !why.empty()) {
      op->emitOpError() << why << " (for instruction '"
                        << found.getInstructionName() << "')";
      return {};
    }
  if (!found)
    refuseInstruction(op) << " on " << architecture.name << " ("
                          << listAccepted(op, architecture) << "), got '"
                          << getInstructionName(attr.getAtom()) << "'";
  return found;
}

static void remarkMissed(Operation *op, StringRef name,
                         const std::string &text) {
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name(name).category(DEBUG_TYPE))
      << text;
}

/// Whether the architecture has an instruction for the matmul's types that
/// reads descriptors.
static bool hasDescriptorInstruction(MatmulOpInterface op,
                                     const Architecture &architecture) {
  return llvm::any_of(
      getMatrixInstructions(op->getContext()), [&](const TableEntry &entry) {
        return entry.instruction.readsDescriptors() &&
               canCompute(entry.instruction, op) && isOn(entry, architecture);
      });
}

/// Returns the reason why no instruction that reads descriptors computes a
/// matmul. The text is empty if one does, or if none has the matmul's types.
static std::string
explainNoDescriptorInstruction(MatmulOpInterface op,
                               MatrixInstructionAttrInterface instruction,
                               const Architecture &architecture) {
  if (instruction.readsDescriptors() ||
      !hasDescriptorInstruction(op, architecture))
    return {};
  std::string why = explainNoDescriptors(op);
  return why.empty() ? "the accumulators of a warpgroup do not fit the block's "
                       "registers or the tiling"
                     : why;
}

/// Records the reason for the instruction that was chosen from the table. Emits
/// a remark if a change of the program would make a faster one possible.
static void explainChoice(MatmulOpInterface op,
                          MatrixInstructionAttrInterface instruction,
                          const Architecture &architecture) {
  std::string reason = explainFma(op, architecture);
  if (!reason.empty()) {
    remarkMissed(op, "fma", "multiplied by fma in each thread: " + reason);
  } else {
    reason = ("the fastest of " + architecture.name + " for these types").str();
    std::string why =
        explainNoDescriptorInstruction(op, instruction, architecture);
    if (!why.empty() && op.getPrecision() == Precision::fast_accumulation)
      remarkMissed(op, "fast accumulation",
                   "multiplied as with precision ieee: " + why);
    if (!why.empty())
      reason += " by single warps: " + why;
  }
  recordDecision(op, "instruction", instruction.getInstructionName(), reason);
}

/// Refuses parameters that the instruction does not have.
static LogicalResult
verifyParameters(MatmulOpInterface op, TilingAttr attr,
                 MatrixInstructionAttrInterface instruction) {
  Type element = cast<ShapedType>(op.getLhs().getType()).getElementType();
  int64_t most =
      std::max<int64_t>(kMaxAccessBytes / getElementBytes(element), 1);
  if (attr.getVector() > most)
    return op->emitOpError()
           << "expected 'vector' of at most " << most << " elements of "
           << element << " (16 bytes), got " << attr.getVector();
  if (!instruction.hasFragments())
    return success();
  if (attr.getThread())
    return op->emitOpError() << "expected no 'thread' for instruction '"
                             << instruction.getInstructionName() << "'";
  if (attr.getVector() != 0)
    return op->emitOpError() << "expected no 'vector' for instruction '"
                             << instruction.getInstructionName()
                             << "', which reads rows of 16 bytes";
  if (attr.getOperands() == OperandSource::global)
    return op->emitOpError()
           << "expected operands in shared memory for "
              "instruction '"
           << instruction.getInstructionName() << "', got global";
  return success();
}

static LogicalResult refuseTiling(MatmulOpInterface op, TilingAttr attr,
                                  MatrixInstructionAttrInterface instruction,
                                  int64_t numWarps) {
  InFlightDiagnostic error =
      op->emitOpError() << "expected a tiling that divides "
                        << formatIntegers(op.getSumType().getShape(), "x")
                        << " over " << numWarps << " warps with instruction '"
                        << instruction.getInstructionName() << "', got "
                        << attr;
  if (std::optional<Tiling> accepted =
          relax(instruction, readGiven(attr), op, numWarps))
    error.attachNote() << "accepted would be " << toAttr(*accepted, op, attr);
  else if (instruction.readsDescriptors())
    error.attachNote() << "its columns are whole rows of 32 bytes where N is "
                          "contiguous";
  return error;
}

/// Refuses a tiling that does not fit the registers if the program gave a part
/// of it or if the instruction reads descriptors: ptxas would spill registers,
/// and cannot spill the accumulators of such an instruction. A tiling that the
/// compiler chose for a tile that is too large is accepted.
static LogicalResult verifyRegisters(MatmulOpInterface op, TilingAttr attr,
                                     const Tiling &tiling,
                                     const Architecture &architecture) {
  if (!attr.getWarps() && !attr.getSub() && !attr.getThread() &&
      attr.getOperands() == OperandSource::shared &&
      !tiling.instruction.readsDescriptors())
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

/// Returns the distribution that a tiling describes. A warp computes whole
/// matmuls of a batch if it does not share them with other warps along M or N.
static WorkDistribution describe(const CostedTiling &costed,
                                 MatmulOpInterface op) {
  const Tiling &tiling = costed.tiling;
  bool isWarps = tiling.warps[0] * tiling.warps[1] == 1;
  return {isWarps ? Holder::warp : Holder::block,
          isWarps ? tiling.sub[kBatchAxis] : getExtents(op)[kBatchAxis],
          costed.cost, toAttr(tiling, op, op.getTilingAttr())};
}

/// Returns the number of instructions of a warp that computes the whole matmul.
static int64_t countInstructions(MatmulOpInterface op,
                                 const DistributionContext &context) {
  auto [m, n, batch] = getExtents(op);
  MatrixInstructionAttrInterface instruction = chooseInstruction(
      op, context.architecture, context.chains.mayReadDescriptors(op));
  if (!instruction.hasFragments())
    return llvm::divideCeil(batch * m * n * op.getK(), kWarpSize) *
           getElementRegisters(op.getSumType().getElementType());
  MatrixShape shape = instruction.getInstructionShape();
  return batch * llvm::divideCeil(m, shape.m) * llvm::divideCeil(n, shape.n) *
         llvm::divideCeil(op.getK(), shape.k);
}

WarpDemand tile::getMatmulDemand(MatmulOpInterface op,
                                 const DistributionContext &context) {
  WarpDemand demand;
  if (TilingAttr tiling = op.getTilingAttr())
    if (DenseI64ArrayAttr warps = tiling.getWarps())
      demand.given = llvm::product_of(warps.asArrayRef());
  demand.wanted = proposeWarps(op, context.chains, context.architecture);
  demand.instructions = countInstructions(op, context);
  return demand;
}

FailureOr<SmallVector<WorkDistribution>>
tile::enumerateTilings(MatmulOpInterface op,
                       const DistributionContext &context) {
  TilingAttr attr = op.getTilingAttr();
  Given given = readGiven(attr);
  MatrixInstructionAttrInterface instruction =
      demandInstruction(op, attr, context.chains, context.architecture);
  if (!instruction || failed(verifyParameters(op, attr, instruction)))
    return failure();
  if (given.warps[0] && context.numWarps % llvm::product_of(given.warps) != 0)
    return op->emitOpError()
           << "expected 'warps' that divide the block's " << context.numWarps
           << " warps, got " << formatIntegers(attr.getWarps(), " x ");
  SmallVector<CostedTiling> tilings =
      listTilings(instruction, given, op, context.numWarps, context.chains);
  if (attr.getAtom())
    recordDecision(op, "instruction", instruction.getInstructionName(),
                   "given by the operation's tiling");
  else
    explainChoice(op, instruction, context.architecture);
  if (tilings.empty())
    return refuseTiling(op, attr, instruction, context.numWarps);
  return llvm::map_to_vector(tilings, [&](const CostedTiling &costed) {
    return describe(costed, op);
  });
}

LogicalResult tile::distributeMatmul(MatmulOpInterface op,
                                     const WorkDistribution &distribution,
                                     const DistributionContext &context) {
  TilingAttr given = op.getTilingAttr();
  op.setTilingAttr(cast<TilingAttr>(distribution.plan));
  return verifyRegisters(op, given, getTiling(op), context.architecture);
}

void tile::registerMatmulDistributions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TileDialect *) {
    MatmulOp::attachInterface<MatmulDistributions<MatmulOp>>(*context);
  });
}
