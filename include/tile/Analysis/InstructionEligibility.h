// InstructionEligibility.h - matmuls whose operands an instruction can read
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions decide before operands have storage and layouts. An instruction
// that reads operands by matrix descriptors (DescriptorLayout.h) needs them in
// buffers that its descriptors can describe. A of 16-bit elements may be in
// registers instead, as in a chain of matmuls (MatmulChain.h): each warp has 16
// rows, distributed as in m16n8k16.

#ifndef TILE_ANALYSIS_INSTRUCTIONELIGIBILITY_H
#define TILE_ANALYSIS_INSTRUCTIONELIGIBILITY_H

#include "tile/Analysis/Tiling.h"

namespace tile {

/// Rows of A of one instruction of a warpgroup.
constexpr int64_t kWarpgroupRows = 64;

/// Explains why an instruction that reads descriptors cannot compute a matmul,
/// with the expected and the actual property, before its operands have buffers;
/// empty if it can.
std::string explainNoDescriptors(MatmulOpInterface op);

/// Whether the operands are rounded before they are multiplied: for tf32 the
/// instruction would cut off the bits that the type lacks. A rounded operand is
/// a new tile. lhs is rounded in registers, rhs on its way to shared memory.
bool isRounded(MatmulOpInterface op);

/// Whether an instruction that reads descriptors is faster than others, if it
/// can compute the matmul. Rounded operands require large tiles, since the time
/// of rounding dominates small ones.
bool isWorthDescriptors(MatmulOpInterface op, const Costs &costs);

/// Returns the load of which operand 0 or 1 is converted on its way to shared
/// memory (ConvertedLoad.h), before the operand has storage; null if it is not.
CopyableOpInterface getConvertedLoad(MatmulOpInterface op, int operand);

/// Whether operand 0 or 1 is loaded to registers, computed with there, and
/// stored to shared memory: rounded rhs, and converted tiles.
/// @pre explainNoDescriptors(op) is empty.
bool passesRegisters(MatmulOpInterface op, int operand);

/// Whether such an operand is loaded or stored in accesses of 16 bytes instead
/// of single elements.
/// @pre passesRegisters(op, operand).
bool isStoredByVectors(MatmulOpInterface op, int operand);

/// Whether lhs is computed from the accumulators of other matmuls, and the
/// instruction takes its elements from registers.
bool canHaveLhsInRegisters(MatmulOpInterface op);

/// Whether the columns of an instruction are whole panels of rhs, before rhs
/// has a buffer.
/// @pre explainNoDescriptors(op) is empty.
bool hasWholePanels(MatmulOpInterface op, const Tiling &tiling);

} // namespace tile

#endif // TILE_ANALYSIS_INSTRUCTIONELIGIBILITY_H
