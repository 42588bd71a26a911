// TranslateControl.cpp - loops and branches of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch of CUDA Tile may leave the loop or the kernel around it:
//
//   loop iter_values(%x = %a) {      scf.while (%x = %a) {
//     if %c {                          %r:3 = scf.if %c {
//       break %b                         scf.yield false, %x, %b
//     }                                } else {
//     %y = ...                           %y = ...
//     continue %y                        scf.yield true, %y, zero
//   }                                  }
//                                      scf.condition(%r#0) %r#1, %r#2
//                                    } do { ^(%y, %result): scf.yield %y }
//
// The operations after such a branch move to its region that does not leave. If
// both may go on, each has them. A loop in which the kernel ends gives a flag
// as well, and the operations after it move to a branch on this flag.

#include "Pointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

/// The origins of values that are pointers, by the values' positions.
using Origins = SmallVector<Meaning>;

/// Returns the type of what a region gives for a value: of numeric tiles, and
/// of the offsets of pointers. Null for views.
static Type convertType(KernelTranslator &t, const SourceType *type) {
  if (!isPointer(type))
    return t.convert(type);
  Type wide = t.b.getI64Type();
  if (!isTile(type->shape) || !t.convertElement(type->element->element))
    return {};
  return type->shape.empty() ? wide : Type(TileType::get(type->shape, wide));
}

/// Returns the types of values that have one here. Tokens have none. Views,
/// which no region gives, are an error.
static FailureOr<SmallVector<Type>>
convertTypes(KernelTranslator &t, const SourceOp &op,
             ArrayRef<SourceValue *> values) {
  SmallVector<Type> types;
  for (const SourceValue *value : values) {
    if (value->type->tag == TypeTag::token)
      continue;
    types.push_back(convertType(t, value->type));
    if (!types.back())
      return t.refuse(op, "expected its regions to give tiles and tokens");
  }
  return types;
}

/// Returns the offsets of pointers from their origin. If they have none, or if
/// `origin`, that of the same pointers elsewhere, has none, returns addresses.
static Value getOffsets(KernelTranslator &t, const Meaning &pointers,
                        const SourceType *type, const Meaning &origin) {
  if (pointers.addresses || origin.addresses)
    return getAddresses(t, pointers, type);
  return pointers.offset ? widen(t, pointers.offset)
                         : t.zero(convertType(t, type));
}

/// Returns the values of numeric tiles and the offsets of pointers; tokens are
/// left out.
static SmallVector<Value> listValues(KernelTranslator &t,
                                     ArrayRef<SourceValue *> values,
                                     ArrayRef<Meaning> origins) {
  SmallVector<Value> found;
  for (auto [index, value] : llvm::enumerate(values)) {
    Meaning meaning = t.get(value);
    if (meaning.isPointer())
      found.push_back(
          getOffsets(t, meaning, value->type,
                     index < origins.size() ? origins[index] : Meaning()));
    else if (meaning.value)
      found.push_back(meaning.value);
  }
  return found;
}

static Origins getOrigins(KernelTranslator &t, ArrayRef<SourceValue *> values) {
  return llvm::map_to_vector(values, [&](const SourceValue *value) {
    Meaning origin = t.get(value);
    origin.value = origin.offset = Value();
    return origin;
  });
}

/// Assigns values, in order, to those that are tiles of their types.
static void assign(KernelTranslator &t, ArrayRef<SourceValue *> to,
                   ValueRange values, ArrayRef<Meaning> origins) {
  size_t next = 0;
  for (auto [index, value] : llvm::enumerate(to)) {
    if (value->type->tag == TypeTag::token || next == values.size())
      continue;
    Value own = values[next++];
    if (own.getType() != convertType(t, value->type))
      own = Value();
    Meaning meaning(own);
    if (isPointer(value->type)) {
      meaning = own && index < origins.size() ? origins[index] : Meaning();
      (meaning.addresses ? meaning.addresses : meaning.offset) = own;
    }
    t.set(value, meaning);
  }
}

/// Returns what a terminator gives, if it has these types. Pointers have these
/// origins, or set those that are open.
static FailureOr<SmallVector<Value>> give(KernelTranslator &t,
                                          const SourceOp &terminator,
                                          TypeRange types, Origins &origins) {
  ArrayRef<SourceValue *> values = terminator.getOperands("values");
  for (auto [origin, given] : llvm::zip(origins, getOrigins(t, values)))
    if (!origin.isPointer())
      origin = given;
  SmallVector<Value> given = listValues(t, values, origins);
  if (ValueRange(given).getTypes() != types)
    return t.refuse(terminator, "expected values of the types of the operation "
                                "around it");
  for (auto [origin, value] : llvm::zip(origins, values)) {
    Meaning pointers = t.get(value);
    bool isSame = origin.addresses || (pointers.base == origin.base &&
                                       pointers.memory == origin.memory);
    if (pointers.isPointer() && !isSame)
      return t.refuse(terminator, "expected pointers with offsets from one "
                                  "parameter in all regions and iterations");
  }
  return given;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Returns the end of the kernel in a loop, null if there is none.
static const SourceOp *findReturn(const SourceOp &op) {
  for (const SourceRegion &region : op.regions)
    for (const SourceOp &inner : region.operations) {
      if (inner.getName() == "return")
        return &inner;
      if (const SourceOp *found = findReturn(inner))
        return found;
    }
  return nullptr;
}

static bool isReturningLoop(const SourceOp &op) {
  return op.getName() == "loop" && findReturn(op);
}

/// Whether a branch or a loop may leave the operation around it.
static bool leaves(const SourceOp &op) {
  return isReturningLoop(op) ||
         (op.getName() == "if" &&
          llvm::any_of(op.regions, [](const SourceRegion &region) {
            return !region.operations.empty() &&
                   (region.operations.back().getName() != "yield" ||
                    llvm::any_of(region.operations, leaves));
          }));
}

/// Creates a branch, the regions of which, the first one for true, give the
/// values that `translate` returns there.
static FailureOr<scf::IfOp> createBranch(
    KernelTranslator &t, Value condition, TypeRange types,
    llvm::function_ref<FailureOr<SmallVector<Value>>(size_t)> translate) {
  auto branch = scf::IfOp::create(t.b, types, condition, /*addThenBlock=*/true,
                                  /*addElseBlock=*/true);
  Block *blocks[] = {branch.thenBlock(), branch.elseBlock()};
  for (auto [index, block] : llvm::enumerate(blocks)) {
    OpBuilder::InsertionGuard guard(t.b);
    t.b.setInsertionPointToEnd(block);
    FailureOr<SmallVector<Value>> values = translate(index);
    if (failed(values))
      return failure();
    scf::YieldOp::create(t.b, *values);
  }
  return branch;
}

/// Creates a branch whose regions give values of these types. `ending` returns
/// what a region gives at its terminator.
static FailureOr<scf::IfOp> createBranch(KernelTranslator &t,
                                         const SourceOp &op, TypeRange types,
                                         Ending ending) {
  Value condition = t.getValue(op, "condition");
  if (!condition)
    return t.refuse(op, "expected i1 as condition");
  t.b.setLoc(op.loc);
  return createBranch(t, condition, types, [&](size_t index) {
    return translateSequence(t, op.regions[index].operations, types, ending);
  });
}

/// Translates a branch that may leave, and in the regions that do not, the
/// operations after it.
static FailureOr<SmallVector<Value>>
translateLeaving(KernelTranslator &t, const SourceOp &op,
                 ArrayRef<SourceOp> rest, TypeRange types, Ending ending) {
  FailureOr<scf::IfOp> branch = createBranch(
      t, op, types,
      [&](const SourceOp &terminator) -> FailureOr<SmallVector<Value>> {
        if (terminator.getName() != "yield")
          return ending(terminator);
        ArrayRef<SourceValue *> values = terminator.getOperands("values");
        assign(t, op.results, listValues(t, values, {}), getOrigins(t, values));
        return translateSequence(t, rest, types, ending);
      });
  if (failed(branch))
    return failure();
  return SmallVector<Value>(branch->getResults());
}

static FailureOr<Value> createLoop(KernelTranslator &t, const SourceOp &op);

/// Translates a loop in which the kernel may end, and the operations after it,
/// if it has not.
static FailureOr<SmallVector<Value>>
translateReturning(KernelTranslator &t, const SourceOp &op,
                   ArrayRef<SourceOp> rest, TypeRange types, Ending ending) {
  FailureOr<Value> hasReturned = createLoop(t, op);
  if (failed(hasReturned))
    return failure();
  FailureOr<scf::IfOp> branch =
      createBranch(t, *hasReturned, types, [&](size_t index) {
        return index == 0 ? ending(*findReturn(op))
                          : translateSequence(t, rest, types, ending);
      });
  if (failed(branch))
    return failure();
  return SmallVector<Value>(branch->getResults());
}

FailureOr<SmallVector<Value>>
tile::cudatile::translateSequence(KernelTranslator &t, ArrayRef<SourceOp> ops,
                                  TypeRange types, Ending ending) {
  while (ops.size() > 1) {
    const SourceOp &op = ops.front();
    ops = ops.drop_front();
    if (isReturningLoop(op))
      return translateReturning(t, op, ops, types, ending);
    if (leaves(op))
      return translateLeaving(t, op, ops, types, ending);
    if (failed(t.translate(op)))
      return failure();
  }
  bool isTerminator = !ops.empty() && llvm::is_contained({"break", "continue",
                                                          "return", "yield"},
                                                         ops.front().getName());
  if (!isTerminator) {
    emitError(t.b.getLoc()) << "expected a terminator of a region of CUDA Tile";
    return failure();
  }
  t.b.setLoc(ops.front().loc);
  return ending(ops.front());
}

static LogicalResult translateIf(KernelTranslator &t, const SourceOp &op) {
  FailureOr<SmallVector<Type>> types = convertTypes(t, op, op.results);
  if (failed(types))
    return failure();
  Origins origins(op.results.size());
  FailureOr<scf::IfOp> branch =
      createBranch(t, op, *types, [&](const SourceOp &end) {
        return give(t, end, *types, origins);
      });
  if (failed(branch))
    return failure();
  assign(t, op.results, branch->getResults(), origins);
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static FailureOr<Value> convertBound(KernelTranslator &t, const SourceOp &op,
                                     StringRef name) {
  Value value = t.getValue(op, name);
  if (!value || !isa<IntegerType>(value.getType()))
    return t.refuse(op, "expected integers as bounds");
  if (op.hasFlag("unsigned"))
    return Value(arith::IndexCastUIOp::create(t.b, t.b.getIndexType(), value));
  return t.toIndex(value);
}

static LogicalResult translateFor(KernelTranslator &t, const SourceOp &op) {
  const SourceRegion &region = op.regions.front();
  ArrayRef<SourceValue *> inits = op.getOperands("init");
  FailureOr<SmallVector<Type>> types = convertTypes(t, op, inits);
  FailureOr<Value> lower = convertBound(t, op, "lower"),
                   upper = convertBound(t, op, "upper"),
                   step = convertBound(t, op, "step");
  if (failed(types) || failed(lower) || failed(upper) || failed(step))
    return failure();
  ArrayRef<SourceValue *> arguments = region.arguments;
  Type index = arguments.empty() ? Type() : t.convert(arguments.front()->type);
  if (!index || !isa<IntegerType>(index))
    return t.refuse(op, "expected an integer as induction variable");
  Origins origins = getOrigins(t, inits);
  auto loop = scf::ForOp::create(t.b, *lower, *upper, *step,
                                 listValues(t, inits, origins));
  OpBuilder::InsertionGuard guard(t.b);
  if (types->empty()) // The loop has a terminator already.
    loop.getBody()->getTerminator()->erase();
  t.b.setInsertionPointToEnd(loop.getBody());
  t.set(arguments.front(), t.fromIndex(loop.getInductionVar(), index));
  assign(t, arguments.drop_front(), loop.getRegionIterArgs(), origins);
  FailureOr<SmallVector<Value>> values = translateSequence(
      t, region.operations, *types,
      [&](const SourceOp &end) -> FailureOr<SmallVector<Value>> {
        if (end.getName() != "continue")
          return t.refuse(end, "in 'for' it has no translation yet");
        return give(t, end, *types, origins);
      });
  if (failed(values))
    return failure();
  scf::YieldOp::create(t.b, *values);
  assign(t, op.results, loop.getResults(), origins);
  return success();
}

/// Creates a loop. Returns whether the kernel has ended in it, null if it
/// cannot.
static FailureOr<Value> createLoop(KernelTranslator &t, const SourceOp &op) {
  const SourceRegion &region = op.regions.front();
  ArrayRef<SourceValue *> inits = op.getOperands("init");
  FailureOr<SmallVector<Type>> carried = convertTypes(t, op, inits),
                               results = convertTypes(t, op, op.results);
  if (failed(carried) || failed(results))
    return failure();
  // An iteration gives whether another one follows, and the values for that one
  // or else the results, by the same values if they have the same types.
  bool areShared = *carried == *results, mayReturn = findReturn(op) != nullptr;
  SmallVector<Type> types;
  if (mayReturn)
    types.push_back(t.b.getI1Type());
  llvm::append_range(types, *carried);
  if (!areShared)
    llvm::append_range(types, *results);
  Origins origins = getOrigins(t, inits), resultOrigins(op.results.size());
  auto loop = scf::WhileOp::create(t.b, types, listValues(t, inits, origins));
  SmallVector<Location> locations(types.size(), op.loc);
  Block *before =
      t.b.createBlock(&loop.getBefore(), {}, *carried,
                      ArrayRef(locations).take_front(carried->size()));
  Block *after = t.b.createBlock(&loop.getAfter(), {}, types, locations);
  scf::YieldOp::create(t.b,
                       after->getArguments().slice(mayReturn, carried->size()));
  t.b.setInsertionPointToEnd(before);
  assign(t, region.arguments, before->getArguments(), origins);
  SmallVector<Type> all = {t.b.getI1Type()};
  llvm::append_range(all, types);
  FailureOr<SmallVector<Value>> values = translateSequence(
      t, region.operations, all,
      [&](const SourceOp &end) -> FailureOr<SmallVector<Value>> {
        bool goesOn = end.getName() == "continue",
             returns = end.getName() == "return";
        if (!goesOn && !returns && end.getName() != "break")
          return t.refuse(end, "in 'loop' it has no translation yet");
        FailureOr<SmallVector<Value>> given = SmallVector<Value>();
        if (!returns)
          given = give(t, end, goesOn ? *carried : *results,
                       goesOn ? origins : resultOrigins);
        if (failed(given))
          return failure();
        SmallVector<Value> values = {
            arith::ConstantIntOp::create(t.b, goesOn, 1)};
        if (mayReturn)
          values.push_back(arith::ConstantIntOp::create(t.b, returns, 1));
        if (returns || (!goesOn && !areShared))
          llvm::append_range(values, before->getArguments());
        llvm::append_range(values, *given);
        if ((goesOn || returns) && !areShared)
          for (Type type : *results)
            values.push_back(t.zero(type));
        return values;
      });
  if (failed(values))
    return failure();
  scf::ConditionOp::create(t.b, values->front(),
                           ArrayRef(*values).drop_front());
  t.b.setInsertionPointAfter(loop);
  assign(t, op.results, loop.getResults().take_back(results->size()),
         resultOrigins);
  return mayReturn ? Value(loop.getResult(0)) : Value();
}

static LogicalResult translateLoop(KernelTranslator &t, const SourceOp &op) {
  return success(succeeded(createLoop(t, op)));
}

template <typename Op>
static LogicalResult translateAxes(KernelTranslator &t, const SourceOp &op) {
  constexpr Axis kAxes[] = {Axis::x, Axis::y, Axis::z};
  for (auto [result, axis] : llvm::zip_equal(op.results, kAxes))
    t.set(result, t.fromIndex(Op::create(t.b, axis), t.convert(result->type)));
  return success();
}

void tile::cudatile::addControl(Handlers &handlers) {
  handlers["get_num_tile_blocks"] = {translateAxes<NumProgramsOp>, true};
  handlers["get_tile_block_id"] = {translateAxes<ProgramIdOp>, true};
  handlers["for"] = {translateFor, true, true, true};
  handlers["if"] = {translateIf, true, true, true};
  handlers["loop"] = {translateLoop, true, true, true};
}
