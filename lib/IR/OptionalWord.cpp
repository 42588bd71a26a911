// OptionalWord.cpp - the assembly of a first word that may be left out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OptionalWord.h"

using namespace mlir;
using namespace tile;

ParseResult tile::parseUpdate(OpAsmParser &parser, AtomicKindAttr &kind,
                              OpAsmParser::UnresolvedOperand &values) {
  OptionalParseResult first = parser.parseOptionalOperand(values);
  if (first.has_value())
    return *first;
  kind =
      dyn_cast_or_null<AtomicKindAttr>(AtomicKindAttr::parse(parser, Type()));
  return failure(!kind || parser.parseOperand(values));
}

void tile::printUpdate(OpAsmPrinter &printer, Operation *, AtomicKindAttr kind,
                       Value values) {
  if (kind)
    printer << stringifyAtomicKind(kind.getValue()) << " ";
  printer << values;
}

/// Parses an order, if one is next; another word belongs to the text that
/// follows.
ParseResult tile::parseFenceOrder(OpAsmParser &parser, AtomicOrderAttr &order) {
  SmallVector<StringRef> words;
  for (unsigned i = 0; i <= getMaxEnumValForAtomicOrder(); ++i)
    words.push_back(stringifyAtomicOrder(static_cast<AtomicOrder>(i)));
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word, words)))
    order =
        AtomicOrderAttr::get(parser.getContext(), *symbolizeAtomicOrder(word));
  return success();
}

void tile::printFenceOrder(OpAsmPrinter &printer, Operation *,
                           AtomicOrderAttr order) {
  if (order.getValue() != AtomicOrder::acq_rel)
    printer << " " << stringifyAtomicOrder(order.getValue());
}
