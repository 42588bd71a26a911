// FactorStatus.cpp - the first column of a matrix without a usable pivot
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorStatus.h"

using namespace mlir;
using namespace tile;

void tile::noteStatus(IndexBuilder &index, Value &status, int64_t step,
                      Value isUsable) {
  noteStatus(index, status, index.constantI32(step), isUsable);
}

void tile::noteStatus(IndexBuilder &index, Value &status, Value step,
                      Value isUsable) {
  if (!status)
    status = index.constantI32(0);
  Value isFirst = index.builder.createOrFold<arith::CmpIOp>(
      index.loc, arith::CmpIPredicate::eq, status, index.constantI32(0));
  Value oneBased = index.builder.createOrFold<arith::AddIOp>(
      index.loc, step, index.constantI32(1));
  status =
      index.select(isUsable, status, index.select(isFirst, oneBased, status));
}
