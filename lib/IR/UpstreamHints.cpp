// UpstreamHints.cpp - notes on operations that replace upstream ones on tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's parsers and verifiers refuse tiles with messages of their own, before
// this dialect sees the operation. The hints are found from the text of the
// message: it starts with the operation's name in quotes, and contains a tile's
// type.

#include "UpstreamHints.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tile;

/// Returns the operation that a message is about: `'arith.extf' op ...`, or
/// `custom op 'complex.mul' ...`.
static StringRef getOperation(StringRef message) {
  message.consume_front("custom op ");
  if (!message.consume_front("'"))
    return {};
  return message.take_until([](char c) { return c == '\''; });
}

static StringRef getHint(StringRef operation) {
  if (operation.starts_with("complex."))
    return "'tile.complex' computes with tiles of complex numbers, and "
           "'tile.map' with their elements";
  if (operation == "arith.bitcast")
    return "'tile.cast ... bitcast' takes the bits of a tile's elements";
  if (operation == "arith.select")
    return "'tile.select' chooses by a tile of i1";
  return llvm::StringSwitch<StringRef>(operation)
      .Cases({"arith.extf", "arith.truncf", "arith.extsi", "arith.trunci",
              "arith.sitofp", "arith.fptosi", "arith.index_cast"},
             "'tile.cast' converts the elements of a tile")
      .Cases(
          {"arith.extui", "arith.uitofp", "arith.fptoui", "arith.index_castui"},
          "'tile.cast ... unsigned' converts the elements of a tile")
      .Default({});
}

/// Whether a message reports a scalar that should be a tile, or a tile that
/// should be a scalar.
static bool isScalarForTile(StringRef message) {
  return message.starts_with("use of value '") &&
         message.contains("expects different type than prior uses") &&
         message.count("!tile.tile<") == 1;
}

void tile::addUpstreamHints(DiagnosticEngine &engine) {
  engine.registerHandler([](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    std::string message = diagnostic.str();
    if (!StringRef(message).contains("!tile.tile<"))
      return failure();
    StringRef hint = getHint(getOperation(message));
    if (isScalarForTile(message))
      hint = "'tile.fill' makes a tile of a scalar, 'tile.broadcast' one of a "
             "row or a column, and 'tile.map' takes all of them";
    if (!hint.empty())
      diagnostic.attachNote() << hint;
    return failure();
  });
}
