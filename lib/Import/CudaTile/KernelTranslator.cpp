// KernelTranslator.cpp - the kernel of a CUDA Tile entry
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelTranslator.h"

#include "Codes.h"
#include "JoinArrays.h"
#include "PointerBoxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Types and values
//===----------------------------------------------------------------------===//

Type KernelTranslator::convertElement(const SourceType *type) {
  Builder builder(b.getContext());
  switch (type->tag) {
  case TypeTag::i1:
    return builder.getI1Type();
  case TypeTag::i8:
  case TypeTag::i4:
  case TypeTag::f4E2M1FN:
  case TypeTag::f8E8M0FNU:
    return builder.getI8Type();
  case TypeTag::i16:
    return builder.getI16Type();
  case TypeTag::i32:
    return builder.getI32Type();
  case TypeTag::i64:
    return builder.getI64Type();
  case TypeTag::f16:
    return builder.getF16Type();
  case TypeTag::bf16:
    return builder.getBF16Type();
  case TypeTag::f32:
  case TypeTag::tf32: // a matmul rounds its operands
    return builder.getF32Type();
  case TypeTag::f64:
    return builder.getF64Type();
  case TypeTag::f8E4M3FN:
    return Float8E4M3FNType::get(b.getContext());
  case TypeTag::f8E5M2:
    return Float8E5M2Type::get(b.getContext());
  default:
    return {};
  }
}

bool tile::cudatile::isTile(ArrayRef<int64_t> shape) {
  constexpr int64_t kElements = int64_t(1) << 31;
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent >= kElements || (count *= extent) >= kElements)
      return false;
  return shape.size() <= TileType::kMaxRank;
}

Type KernelTranslator::convert(const SourceType *type) {
  if (type->tag != TypeTag::tile)
    return {};
  Type element = convertElement(type->element);
  if (!element || type->shape.empty())
    return element;
  return isTile(type->shape) ? TileType::get(type->shape, element) : Type();
}

Value KernelTranslator::toTile(Value value, ArrayRef<int64_t> shape) {
  if (isa<TileType>(value.getType()))
    return value;
  return FillOp::create(b, TileType::get(shape, value.getType()), value);
}

Value KernelTranslator::reshape(Value value, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<TileType>(value.getType());
  if (!type)
    return shape.empty() ? value : toTile(value, shape);
  if (type.getShape() != shape)
    value = ReshapeOp::create(b, TileType::get(shape, type.getElementType()),
                              value);
  return shape.empty() ? ExtractOp::create(b, value, ValueRange()).getResult()
                       : value;
}

Value KernelTranslator::broadcast(Value value, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<TileType>(value.getType());
  if (!type || type.getShape() == shape)
    return reshape(value, shape);
  return BroadcastOp::create(b, TileType::get(shape, type.getElementType()),
                             value);
}

Value KernelTranslator::zero(Type type) {
  return constant(type, b.getZeroAttr(getElementTypeOrSelf(type)));
}

Value KernelTranslator::constant(Type type, TypedAttr element) {
  if (!isa<TileType>(type))
    return arith::ConstantOp::create(b, element);
  return arith::ConstantOp::create(
      b, type, DenseElementsAttr::get(cast<ShapedType>(type), element));
}

Value KernelTranslator::integer(Type type, int64_t element) {
  return constant(type, IntegerAttr::get(getElementTypeOrSelf(type), element));
}

Value KernelTranslator::real(Type type, double element) {
  return constant(type, FloatAttr::get(getElementTypeOrSelf(type), element));
}

bool tile::cudatile::needsTile(Type from, Type to) {
  auto isShort = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  return isShort(from) || isShort(to) ||
         (isa<FloatType>(from) && isa<FloatType>(to) &&
          from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth());
}

/// Converts a scalar between two types of integers or two types of floats.
static Value castScalar(ImplicitLocOpBuilder &b, Value value, Type to,
                        bool isUnsigned) {
  Type from = value.getType();
  bool isWider = to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  if (isa<FloatType>(from))
    return isWider ? arith::ExtFOp::create(b, to, value).getResult()
                   : arith::TruncFOp::create(b, to, value);
  if (!isWider)
    return arith::TruncIOp::create(b, to, value);
  return isUnsigned ? arith::ExtUIOp::create(b, to, value).getResult()
                    : arith::ExtSIOp::create(b, to, value);
}

Value KernelTranslator::castElements(Value value, Type element, bool isUnsigned,
                                     bool isBitcast) {
  if (getElementTypeOrSelf(value) == element)
    return value;
  if (auto tile = dyn_cast<TileType>(value.getType()))
    return CastOp::create(b, TileType::get(tile.getShape(), element), value,
                          isUnsigned, /*saturate=*/false, isBitcast);
  return isBitcast ? arith::BitcastOp::create(b, element, value).getResult()
                   : castScalar(b, value, element, isUnsigned);
}

Value KernelTranslator::select(Value condition, Value onTrue, Value onFalse) {
  if (isa<TileType>(onTrue.getType()))
    return SelectOp::create(b, condition, onTrue, onFalse);
  return arith::SelectOp::create(b, condition, onTrue, onFalse);
}

Value KernelTranslator::toIndex(Value integer) {
  if (integer.getType().isIndex())
    return integer;
  return arith::IndexCastOp::create(b, b.getIndexType(), integer);
}

Value KernelTranslator::fromIndex(Value index, Type type) {
  return arith::IndexCastOp::create(b, type, index);
}

Value KernelTranslator::scale(const SourceValue *index, int64_t extent) {
  Value value = getValue(index);
  if (!value)
    return {};
  value = toIndex(value);
  if (extent == 1)
    return value;
  return arith::MulIOp::create(b, value,
                               arith::ConstantIndexOp::create(b, extent));
}

bool tile::cudatile::isPointer(const SourceType *type) {
  return type->tag == TypeTag::tile && type->element->tag == TypeTag::pointer;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

unsigned KernelTranslator::getParameter(const SourceValue *base) const {
  return llvm::find(function.body.arguments, base) -
         function.body.arguments.begin();
}

Value tile::cudatile::getNarrow(Value integer) {
  while (isa_and_present<arith::ExtSIOp, arith::IndexCastOp>(
      integer.getDefiningOp()))
    integer = integer.getDefiningOp()->getOperand(0);
  return integer;
}

std::optional<unsigned> KernelTranslator::findParameter(Value integer) const {
  auto argument = dyn_cast<BlockArgument>(getNarrow(integer));
  if (!argument || argument.getOwner() != &kernel->getRegion(0).front())
    return std::nullopt;
  return parameters[argument.getArgNumber()];
}

/// Inserts an argument after those of earlier parameters, and of the same one.
Value KernelTranslator::insertArgument(unsigned parameter, Type type,
                                       StringRef name) {
  auto place = llvm::upper_bound(parameters, parameter);
  unsigned index = place - parameters.begin();
  parameters.insert(place, parameter);
  Builder builder(b.getContext());
  auto attributes = builder.getDictionaryAttr(
      builder.getNamedAttr(kArgumentNameAttr, builder.getStringAttr(name)));
  (void)kernel.insertArgument(index, type, attributes, kernel.getLoc());
  return kernel.getArgument(index);
}

Value KernelTranslator::getArray(const SourceValue *base, MemRefType type) {
  Value &array = arrays[{base, type}];
  if (array)
    return array;
  unsigned parameter = getParameter(base);
  unsigned sameName = llvm::count(parameters, parameter);
  std::string name = "arg" + std::to_string(parameter);
  if (sameName > 0)
    name += "_" + std::to_string(sameName);
  return array = insertArgument(parameter, type, name);
}

/// Returns the argument of storage that the launcher provides.
Value KernelTranslator::getStorage(const void *key, MemRefType type,
                                   StringRef name) {
  Value &argument = storage[key];
  unsigned last = function.body.arguments.size() + storage.size();
  if (!argument)
    argument = insertArgument(last, type, name);
  return argument;
}

const SourceGlobal *KernelTranslator::findGlobal(StringRef name) const {
  auto found = llvm::find_if(
      program.globals, [&](const auto &global) { return global.name == name; });
  bool isFound = found != program.globals.end() && found->type &&
                 found->type->tag == TypeTag::tile &&
                 isTile(found->type->shape) &&
                 !hasHalfBytes(found->type->element);
  return isFound ? &*found : nullptr;
}

Value KernelTranslator::getGlobal(const SourceGlobal &global) {
  return getStorage(&global,
                    MemRefType::get({llvm::product_of(global.type->shape)},
                                    convertElement(global.type->element)),
                    global.name);
}

Value KernelTranslator::getAllocation(const SourceValue *pointer,
                                      Type element) {
  if (Value known = storage.lookup(pointer))
    return known;
  return getStorage(pointer, MemRefType::get({ShapedType::kDynamic}, element),
                    "alloca" + std::to_string(allocations++));
}

Value KernelTranslator::getAllMemory(Type element) {
  Value &memory = memories[element];
  if (memory)
    return memory;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  memory = ArrayAtOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, element),
      arith::ConstantIntOp::create(b, kMemoryStart, 64).getResult(),
      ValueRange(arith::ConstantIndexOp::create(b, kUnknownExtent).getResult()),
      /*strides=*/ValueRange());
  return memory;
}

LogicalResult KernelTranslator::addParameters() {
  for (auto [index, parameter] : llvm::enumerate(function.body.arguments)) {
    const SourceType *type = parameter->type;
    if (isPointer(type) && type->shape.empty()) {
      Meaning meaning;
      meaning.base = parameter;
      set(parameter, meaning);
      continue;
    }
    Type scalar = convert(type);
    if (!scalar || isa<TileType>(scalar))
      return emitError(function.loc)
             << "expected parameters of a CUDA Tile entry to be pointers and "
                "numbers, got another type for parameter "
             << index;
    set(parameter,
        {insertArgument(index, scalar, "arg" + std::to_string(index))});
  }
  return success();
}

/// Erases the arguments of extents and strides, which the arrays themselves
/// have, with tests and offsets that nothing uses any more.
void KernelTranslator::eraseUnusedArguments() {
  IRRewriter rewriter(b.getContext());
  (void)runRegionDCE(rewriter, kernel->getRegions());
  for (unsigned index = kernel.getNumArguments(); index-- > 0;)
    if (kernel.getArgument(index).use_empty()) {
      (void)kernel.eraseArgument(index);
      parameters.erase(parameters.begin() + index);
    }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

const Handlers &tile::cudatile::getHandlers() {
  static const Handlers handlers = [] {
    Handlers all;
    addArithmetic(all);
    addShapes(all);
    addMatmuls(all);
    addBytes(all);
    addViews(all);
    addMemory(all);
    addPointers(all);
    addStorage(all);
    addAtomics(all);
    addControl(all);
    addCombinations(all);
    addDebugging(all);
    return all;
  }();
  return handlers;
}

/// Whether the type is one of tiles that have no translation.
static bool isUnknown(KernelTranslator &t, const SourceValue *value) {
  const SourceType *type = value->type;
  if (type->tag != TypeTag::tile)
    return false;
  return isPointer(type) ? !isTile(type->shape) : !t.convert(type);
}

/// Whether a value that is computed has the shape of pointers, or there is
/// none.
static bool hasShape(Value value, const SourceType *pointers) {
  if (!value)
    return true;
  auto tile = dyn_cast<TileType>(value.getType());
  return (tile ? tile.getShape() : ArrayRef<int64_t>()) ==
         ArrayRef(pointers->shape);
}

/// Whether the translation of a value has the type that the file states.
static bool hasStatedType(KernelTranslator &t, const SourceValue *value) {
  Meaning meaning = t.get(value);
  if (isPointer(value->type))
    return meaning.isPointer() && hasShape(meaning.offset, value->type) &&
           hasShape(meaning.addresses, value->type);
  return !meaning.isPointer() &&
         (!meaning.value || meaning.value.getType() == t.convert(value->type));
}

/// Verifies that results have the types that the file states. Their users rely
/// on them.
static LogicalResult verifyResults(KernelTranslator &t, const SourceOp &op) {
  for (const SourceValue *result : op.results)
    if (!hasStatedType(t, result))
      return t.refuse(op, "its result has another type than the file states");
  return success();
}

/// Whether a result of an operation may be a token: the last one of an
/// operation that is ordered by tokens, and any of control flow.
static bool mayBeToken(const SourceOp &op, size_t result) {
  StringRef name = op.getName();
  if (name == "for" || name == "if" || name == "loop")
    return true;
  bool isOrdered =
      name.ends_with("_tko") || name == "make_token" || name == "join_tokens";
  return isOrdered && result + 1 == op.results.size();
}

static bool hasCodes(const SourceValue *value) {
  return value->type->tag == TypeTag::tile && isCoded(value->type->element);
}

LogicalResult KernelTranslator::verifyTypes(const SourceOp &op,
                                            const Handler &handler) {
  bool areCoded = llvm::any_of(op.results, hasCodes) ||
                  llvm::any_of(op.operands, [](const auto &operands) {
                    return llvm::any_of(operands, hasCodes);
                  });
  if (areCoded && !handler.takesCodes)
    return refuse(op, "for elements of i4, f4E2M1FN or f8E8M0FNU it has no "
                      "translation");
  for (auto [index, result] : llvm::enumerate(op.results)) {
    if (isUnknown(*this, result))
      return refuse(op,
                    "expected a tile of at most 8 dimensions and fewer than "
                    "2^31 elements");
    bool isUsual = result->type->tag == TypeTag::token
                       ? mayBeToken(op, index)
                       : convert(result->type) != nullptr;
    if (!handler.givesOthers && !isUsual)
      return refuse(op, "expected results that are numeric tiles");
  }
  for (const std::vector<SourceValue *> &operands : op.operands)
    for (const SourceValue *operand : operands)
      if (!handler.takesOthers && !getValue(operand))
        return refuse(op, "expected operands that are numeric tiles");
  return success();
}

LogicalResult KernelTranslator::translate(const SourceOp &op) {
  constexpr size_t kMost = 1 << 16;
  b.setLoc(op.loc);
  if (++translated > kMost)
    return refuse(op, "expected at most " + Twine(kMost) + " operations");
  auto found = getHandlers().find(op.getName());
  if (found == getHandlers().end())
    return refuse(op, "it has no translation yet");
  const Handler &handler = found->second;
  if (failed(verifyTypes(op, handler)) || failed(handler.function(*this, op)))
    return failure();
  return verifyResults(*this, op);
}

LogicalResult KernelTranslator::run() {
  kernel = KernelOp::create(b, function.name,
                            FunctionType::get(b.getContext(), {}, {}),
                            /*sym_visibility=*/StringAttr(),
                            /*block=*/IntegerAttr(), /*grid=*/GridAttr(),
                            /*arg_attrs=*/ArrayAttr(),
                            /*res_attrs=*/ArrayAttr());
  b.setInsertionPointToStart(&kernel.getBody().emplaceBlock());
  if (failed(addParameters()))
    return failure();
  auto end = [&](const SourceOp &op) -> FailureOr<SmallVector<Value>> {
    if (op.getName() != "return")
      return refuse(op, "at the end of an entry it has no translation");
    return SmallVector<Value>();
  };
  if (failed(translateSequence(*this, function.body.operations, /*types=*/{},
                               end)))
    return failure();
  ReturnOp::create(b);
  if (failed(verify(kernel)))
    return failure();
  boxPointerAccesses(kernel, parameters, sizes);
  eraseUnusedArguments();
  if (failed(joinArrays(kernel, function.name, parameters)))
    return failure();
  eraseUnusedArguments();
  recordHints(kernel, function);
  return success();
}
