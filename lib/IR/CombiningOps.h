// CombiningOps.h - the assembly of operations by kind or by region
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom directives of the operations' formats name these functions.

#ifndef TILE_LIB_IR_COMBININGOPS_H
#define TILE_LIB_IR_COMBININGOPS_H

#include "tile/IR/Tile.h"

namespace tile {

/// The assembly `(kind)? sources`.
mlir::ParseResult parseCombination(
    mlir::OpAsmParser &parser, ReduceKindAttr &kind,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &sources);
void printCombination(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      ReduceKindAttr kind, mlir::OperandRange sources);

/// The assembly `sources "to" results (region)?`.
mlir::ParseResult
parseReduction(mlir::OpAsmParser &parser,
               llvm::SmallVectorImpl<mlir::Type> &sources,
               llvm::SmallVectorImpl<mlir::Type> &results,
               llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &body);
void printReduction(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::TypeRange sources, mlir::TypeRange results,
                    llvm::MutableArrayRef<mlir::Region> body);

/// The assembly `sources (region)?`; the results have the types of the sources.
mlir::ParseResult
parseScan(mlir::OpAsmParser &parser, llvm::SmallVectorImpl<mlir::Type> &sources,
          llvm::SmallVectorImpl<mlir::Type> &results,
          llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &body);
void printScan(mlir::OpAsmPrinter &printer, mlir::Operation *op,
               mlir::TypeRange sources, mlir::TypeRange results,
               llvm::MutableArrayRef<mlir::Region> body);

} // namespace tile

#endif // TILE_LIB_IR_COMBININGOPS_H
