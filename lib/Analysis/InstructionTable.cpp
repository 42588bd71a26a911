// InstructionTable.cpp - which instruction multiplies which tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/InstructionTable.h"

#include "tile/Analysis/InstructionEligibility.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

SmallVector<TableEntry> tile::getMatrixInstructions(MLIRContext *context) {
  SmallVector<TableEntry> table;
  for (const InstructionFamily &family : getInstructionFamilies())
    for (const InstructionRow &row : family.rows)
      table.push_back({family.getAttr(row, context), &row});
  return table;
}

bool tile::isOn(const TableEntry &entry, const Architecture &architecture) {
  return entry.row->minArchitecture <= architecture.number &&
         architecture.number <= entry.row->maxArchitecture &&
         (entry.instruction.getNumWarps() == 1 || architecture.hasWarpgroupMma);
}

bool tile::isOn(MatrixInstructionAttrInterface instruction,
                const Architecture &architecture) {
  return llvm::any_of(getMatrixInstructions(instruction.getContext()),
                      [&](const TableEntry &entry) {
                        return entry.instruction == instruction &&
                               isOn(entry, architecture);
                      });
}

MatrixInstructionAttrInterface
tile::chooseInstruction(MatmulOpInterface op, const Architecture &architecture,
                        bool mayReadDescriptors) {
  for (const TableEntry &entry : getMatrixInstructions(op->getContext()))
    if (canCompute(entry.instruction, op) && isOn(entry, architecture) &&
        (!entry.instruction.readsDescriptors() ||
         (mayReadDescriptors && explainNoDescriptors(op).empty())))
      return entry.instruction;
  llvm_unreachable("the table ends with a row that supports every matmul");
}

/// Returns the instruction that `atom` is or names if it can compute the
/// matmul, else null. The rows of one name have different types.
static MatrixInstructionAttrInterface resolve(Attribute atom,
                                              MatmulOpInterface op) {
  if (auto instruction =
          dyn_cast_if_present<MatrixInstructionAttrInterface>(atom))
    return canCompute(instruction, op) ? instruction
                                       : MatrixInstructionAttrInterface();
  auto name = dyn_cast_if_present<StringAttr>(atom);
  for (const TableEntry &entry : getMatrixInstructions(op->getContext()))
    if (name && entry.instruction.getInstructionName() == name.getValue() &&
        canCompute(entry.instruction, op))
      return entry.instruction;
  return {};
}

MatrixInstructionAttrInterface
tile::findInstruction(Attribute atom, MatmulOpInterface op,
                      const Architecture &architecture) {
  MatrixInstructionAttrInterface found = resolve(atom, op);
  return found && isOn(found, architecture) ? found
                                            : MatrixInstructionAttrInterface();
}

MatrixInstructionAttrInterface
tile::pickInstruction(MatmulOpInterface op, const Architecture &architecture,
                      bool mayReadDescriptors) {
  TilingAttr tiling = op.getTilingAttr();
  return tiling && tiling.getAtom()
             ? findInstruction(tiling.getAtom(), op, architecture)
             : chooseInstruction(op, architecture, mayReadDescriptors);
}

MatrixInstructionAttrInterface tile::getInstruction(MatmulOpInterface op) {
  TilingAttr tiling = op.getTilingAttr();
  return tiling ? resolve(tiling.getAtom(), op)
                : MatrixInstructionAttrInterface();
}

std::string tile::getInstructionName(Attribute atom) {
  if (auto name = dyn_cast<StringAttr>(atom))
    return name.str();
  return cast<MatrixInstructionAttrInterface>(atom).getInstructionName();
}

/// Returns the first architecture with an instruction for operands of the type;
/// zero if there is none.
static int getFirstArchitecture(Type operand) {
  int first = 0;
  for (const TableEntry &entry : getMatrixInstructions(operand.getContext()))
    if (entry.instruction.getOperandType() == operand)
      first = first == 0 ? entry.row->minArchitecture
                         : std::min(first, entry.row->minArchitecture);
  return first;
}

static std::string print(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

/// Lists the operand types of an architecture's matrix instructions: "f16,
/// bf16, tf32".
static std::string listOperandTypes(MLIRContext *context,
                                    const Architecture &architecture) {
  llvm::SmallSetVector<Type, 8> types;
  for (const TableEntry &entry : getMatrixInstructions(context))
    if (Type operand = entry.instruction.getOperandType();
        operand && isOn(entry, architecture))
      types.insert(operand);
  return llvm::join(llvm::map_range(types, print), ", ");
}

std::string tile::explainFma(MatmulOpInterface op,
                             const Architecture &architecture) {
  if (chooseInstruction(op, architecture).getOperandType())
    return {};
  std::string text = ("no matrix instruction of " + architecture.name).str();
  Type type = cast<ShapedType>(op.getLhs().getType()).getElementType();
  if (type.isF32())
    return text + " takes f32 to its last bit; precision tf32 would use tensor "
                  "cores";
  text += " takes " + print(type);
  if (int first = getFirstArchitecture(type))
    return text + "; those of sm_" + std::to_string(first) + " do";
  return text + "; they take " +
         listOperandTypes(op->getContext(), architecture);
}
