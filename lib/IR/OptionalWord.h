// OptionalWord.h - the assembly of a first word that may be left out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom directives of formats name these functions. The generated parser
// of an optional attribute takes no bare word.

#ifndef TILE_LIB_IR_OPTIONALWORD_H
#define TILE_LIB_IR_OPTIONALWORD_H

#include "tile/IR/Tile.h"

namespace tile {

/// The assembly `(kind)? values`.
mlir::ParseResult parseUpdate(mlir::OpAsmParser &parser, AtomicKindAttr &kind,
                              mlir::OpAsmParser::UnresolvedOperand &values);
void printUpdate(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                 AtomicKindAttr kind, mlir::Value values);

/// The assembly `(order)?`; the order is acq_rel if it is absent.
mlir::ParseResult parseFenceOrder(mlir::OpAsmParser &parser,
                                  AtomicOrderAttr &order);
void printFenceOrder(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     AtomicOrderAttr order);

} // namespace tile

#endif // TILE_LIB_IR_OPTIONALWORD_H
