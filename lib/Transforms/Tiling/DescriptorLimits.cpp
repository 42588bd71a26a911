// DescriptorLimits.cpp - matmuls whose operands are not read by descriptors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DescriptorLimits.h"

#include "MatmulRegisters.h"
#include "MatmulTiling.h"

#include "tile/Analysis/InstructionEligibility.h"
#include "tile/IR/Participants.h"

using namespace mlir;
using namespace tile;

namespace {
/// Forbids instructions that read descriptors for matmuls that cannot have
/// them. This is repeated until nothing changes, since it may change the choice
/// for other matmuls of a chain.
class DescriptorLimits {
public:
  DescriptorLimits(KernelOp kernel, MatmulChains &chains,
                   const Architecture &architecture)
      : kernel(kernel), chains(chains), architecture(architecture) {}

  void apply() {
    do {
      isChanged = false;
      kernel.walk([&](MatmulOpInterface op) { visit(op); });
    } while (isChanged);
  }

private:
  bool isChosen(MatmulOpInterface op) {
    return !op.getTilingAttr().getAtom() &&
           chooseInstruction(op, architecture, chains.mayReadDescriptors(op))
               .readsDescriptors();
  }

  void forbid(MatmulOpInterface op) {
    if (!isChosen(op))
      return;
    chains.forbidDescriptors(op);
    isChanged = true;
  }

  void visit(MatmulOpInterface op) {
    std::optional<Tiling> tiling = find(op);
    if (!tiling || !fitsRegisters(op, *tiling, architecture))
      return forbid(op);
    // The specialized variant and the generic one have the same block size, so
    // the choice must suit both.
    for (int operand : {0, 1})
      if (tiling->instruction.readsDescriptors() &&
          passesRegisters(op, operand) && !isStoredByVectors(op, operand))
        return forbid(op);
    SmallVector<MatmulOpInterface> producers = getProducers(op);
    if (producers.empty() || !tiling->instruction.hasFragments())
      return;
    SmallVector<Tiling> tilings;
    for (MatmulOpInterface producer : producers)
      if (std::optional<Tiling> found = find(producer))
        tilings.push_back(*found);
    if (tilings.size() == producers.size() &&
        hasOperandInAccumulators(op, *tiling, tilings,
                                 getParticipants(op).numWarps))
      return;
    forbid(op);
    llvm::for_each(producers,
                   [&](MatmulOpInterface producer) { forbid(producer); });
  }

  /// Returns the tiling that the matmul would get now.
  std::optional<Tiling> find(MatmulOpInterface op) {
    MatrixInstructionAttrInterface instruction =
        pickInstruction(op, architecture, chains.mayReadDescriptors(op));
    // A matmul that -tile-warp-tiling will refuse has no tiling.
    if (!instruction ||
        (instruction.readsDescriptors() && !explainNoDescriptors(op).empty()))
      return std::nullopt;
    return findTiling(instruction, readGiven(op.getTilingAttr()), op,
                      getParticipants(op).numWarps, chains);
  }

  KernelOp kernel;
  MatmulChains &chains;
  const Architecture &architecture;
  bool isChanged = false;
};
} // namespace

void tile::limitDescriptors(KernelOp kernel, MatmulChains &chains,
                            const Architecture &architecture) {
  DescriptorLimits(kernel, chains, architecture).apply();
}
