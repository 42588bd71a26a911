// TranslateStorage.cpp - memory of CUDA Tile that no parameter points to
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel has no memory of its own between operations. A global, and what
// `alloca` allocates, are arguments after the parameters, which the launcher
// provides: a global with its initial values before the first launch, and for
// an allocation its elements for each program of the grid.

#include "Pointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

/// Returns the linear index of the program in the grid, x counting fastest.
static Value getLinearProgramId(KernelTranslator &t) {
  Value linear;
  for (Axis axis : {Axis::z, Axis::y, Axis::x}) {
    Value id = ProgramIdOp::create(t.b, axis);
    if (linear)
      id = arith::AddIOp::create(
          t.b,
          arith::MulIOp::create(t.b, linear, NumProgramsOp::create(t.b, axis)),
          id);
    linear = id;
  }
  return linear;
}

/// Returns the type of elements that the one pointer points to which an
/// operation gives; null after an error.
static Type getResultPointee(KernelTranslator &t, const SourceOp &op) {
  const SourceType *type = op.results.front()->type;
  if (isPointer(type) && type->shape.empty())
    return getPointee(t, op, type);
  (void)t.refuse(op, "expected one pointer as result");
  return {};
}

static LogicalResult allocate(KernelTranslator &t, const SourceOp &op) {
  constexpr uint64_t kMost = uint64_t(1) << 31;
  Type pointee = getResultPointee(t, op);
  if (!pointee)
    return failure();
  uint64_t count = op.getAttribute("count").number;
  if (count == 0 || count >= kMost)
    return t.refuse(op, "expected fewer than 2^31 elements, and one at least");
  Meaning pointer;
  pointer.memory = t.getAllocation(op.results.front(), pointee);
  pointer.offset = t.fromIndex(
      arith::MulIOp::create(t.b, getLinearProgramId(t),
                            arith::ConstantIndexOp::create(t.b, count)),
      t.b.getI64Type());
  t.set(op.results.front(), pointer);
  return success();
}

static LogicalResult getGlobal(KernelTranslator &t, const SourceOp &op) {
  Type pointee = getResultPointee(t, op);
  if (!pointee)
    return failure();
  const SourceGlobal *global = t.findGlobal(op.getAttribute("name").text);
  if (!global || t.convertElement(global->type->element) != pointee)
    return t.refuse(op, "expected a global of the pointer's elements");
  Meaning pointer;
  pointer.memory = t.getGlobal(*global);
  t.set(op.results.front(), pointer);
  return success();
}

void tile::cudatile::addStorage(Handlers &handlers) {
  handlers["alloca"] = {allocate, false, true};
  handlers["get_global"] = {getGlobal, false, true};
}
