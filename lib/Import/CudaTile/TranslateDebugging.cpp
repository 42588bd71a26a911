// TranslateDebugging.cpp - assertions and output of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelTranslator.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

static LogicalResult translateAssert(KernelTranslator &t, const SourceOp &op) {
  AssertOp::create(t.b, t.getValue(op, "condition"),
                   op.getAttribute("message").text);
  return success();
}

/// Prints each value after the format, whose conversions stay as they are.
static LogicalResult translatePrint(KernelTranslator &t, const SourceOp &op) {
  StringAttr format = t.b.getStringAttr(op.getAttribute("format").text);
  ArrayRef<SourceValue *> values = op.getOperands("values");
  if (values.empty())
    PrintOp::create(t.b, format, /*value=*/Value(), /*storage=*/StringAttr());
  for (const SourceValue *source : values) {
    Value value = t.getValue(source);
    if (!value)
      return t.refuse(op, "expected numeric tiles");
    PrintOp::create(t.b, format, value, /*storage=*/StringAttr());
  }
  return success();
}

void tile::cudatile::addDebugging(Handlers &handlers) {
  handlers["assert"] = {translateAssert};
  handlers["print_tko"] = {translatePrint, true};
}
