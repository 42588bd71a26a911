// TranslateShapes.cpp - constants, shapes and matmuls of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Codes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

static ArrayRef<int64_t> getShape(const SourceOp &op) {
  return op.results.front()->type->shape;
}

/// Applies a change of shape to a numeric tile, or to the offsets of a tile of
/// pointers.
static LogicalResult
changeShape(KernelTranslator &t, const SourceOp &op,
            function_ref<Value(Value, ArrayRef<int64_t>)> change) {
  Meaning meaning = t.get(op.getOperand("source"));
  Value &changed = meaning.addresses     ? meaning.addresses
                   : meaning.isPointer() ? meaning.offset
                                         : meaning.value;
  if (changed)
    changed = change(changed, getShape(op));
  t.set(op.results.front(), meaning);
  return success();
}

static LogicalResult translateReshape(KernelTranslator &t, const SourceOp &op) {
  return changeShape(t, op, [&](Value value, ArrayRef<int64_t> shape) {
    return t.reshape(value, shape);
  });
}

static LogicalResult translateBroadcast(KernelTranslator &t,
                                        const SourceOp &op) {
  return changeShape(t, op, [&](Value value, ArrayRef<int64_t> shape) {
    return t.broadcast(value, shape);
  });
}

static LogicalResult translatePermute(KernelTranslator &t, const SourceOp &op) {
  ArrayRef<int64_t> permutation = op.getAttribute("permutation").integers;
  return changeShape(t, op, [&](Value value, ArrayRef<int64_t> shape) -> Value {
    auto type = dyn_cast<TileType>(value.getType());
    if (!type)
      return value;
    return TransposeOp::create(t.b, TileType::get(shape, type.getElementType()),
                               value, permutation);
  });
}

static LogicalResult translateCat(KernelTranslator &t, const SourceOp &op) {
  Value parts[] = {t.getValue(op, "lhs"), t.getValue(op, "rhs")};
  if (getShape(op).empty())
    return t.refuse(op, "expected at least one dimension");
  t.setResult(op, JoinOp::create(t.b, t.convert(op.results.front()->type),
                                 parts, op.getAttribute("dim").number));
  return success();
}

/// Returns the offsets that indices count, in tiles of this shape.
static SmallVector<Value> createOffsets(KernelTranslator &t,
                                        ArrayRef<SourceValue *> indices,
                                        ArrayRef<int64_t> shape) {
  SmallVector<Value> offsets;
  for (auto [index, extent] : llvm::zip_equal(indices, shape))
    offsets.push_back(t.scale(index, extent));
  return offsets;
}

/// The indices of an extraction count tiles of the result's shape.
static LogicalResult translateExtract(KernelTranslator &t, const SourceOp &op) {
  Value source = t.getValue(op, "source");
  ArrayRef<int64_t> shape = getShape(op);
  if (shape.size() != op.getOperands("indices").size())
    return t.refuse(op, "expected an index for each dimension of a tile");
  if (shape.empty()) {
    t.setResult(op, source);
    return success();
  }
  t.setResult(
      op, ViewOp::create(t.b, t.convert(op.results.front()->type), source,
                         createOffsets(t, op.getOperands("indices"), shape)));
  return success();
}

/// The indices of an insertion count tiles of the inserted tile's shape.
static LogicalResult translateInsert(KernelTranslator &t, const SourceOp &op) {
  ArrayRef<int64_t> shape = op.getOperand("source")->type->shape;
  ArrayRef<SourceValue *> indices = op.getOperands("indices");
  Value dest = t.getValue(op, "dest");
  if (shape.empty() || shape.size() != indices.size() ||
      !isa<TileType>(dest.getType()))
    return t.refuse(op, "expected an index for each dimension of a tile");
  t.setResult(op, InsertOp::create(t.b, t.getValue(op, "source"), dest,
                                   createOffsets(t, indices, shape)));
  return success();
}

static LogicalResult translateIota(KernelTranslator &t, const SourceOp &op) {
  if (getShape(op).size() != 1)
    return t.refuse(op, "expected one dimension");
  t.setResult(op, IotaOp::create(t.b, t.convert(op.results.front()->type),
                                 /*axis=*/0, Value(), Value()));
  return success();
}

static LogicalResult translateConstant(KernelTranslator &t,
                                       const SourceOp &op) {
  Type type = t.convert(op.results.front()->type);
  ArrayRef<uint8_t> bytes = op.getAttribute("value").bytes;
  ArrayRef<char> raw(reinterpret_cast<const char *>(bytes.data()),
                     bytes.size());
  auto tile = dyn_cast<TileType>(type);
  ShapedType shaped =
      tile ? cast<ShapedType>(type) : RankedTensorType::get({}, type);
  if (op.results.front()->type->element->tag == TypeTag::tf32)
    return t.refuse(op, "a constant of tf32 has no translation yet");
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(shaped, raw, isSplat))
    return t.refuse(op, "expected the bytes of the type's elements, or of one "
                        "of them, got " +
                            Twine(bytes.size()));
  auto elements = DenseElementsAttr::getFromRawBuffer(shaped, raw);
  TypedAttr value = elements;
  if (!tile)
    value = cast<TypedAttr>(*elements.getValues<mlir::Attribute>().begin());
  Value constant = arith::ConstantOp::create(t.b, type, value);
  const SourceType *element = op.results.front()->type->element;
  if (hasHalfBytes(element))
    constant = extendHalfBytes(t, constant, element->tag == TypeTag::i4);
  t.setResult(op, constant);
  return success();
}

/// Whether an assumption is that an integer is not negative: it has a lower
/// bound, zero, and no upper one.
static bool isNatural(const SourceAttribute &predicate) {
  return predicate.tag == AttributeTag::bounded &&
         ArrayRef<int64_t>(predicate.integers) ==
             ArrayRef<int64_t>({1, 0, 0, 0});
}

/// Leaves the assumption out: the launcher tests alignments. cuTile assumes of
/// extents and strides that they are not negative.
static LogicalResult translateAssume(KernelTranslator &t, const SourceOp &op) {
  Value value = t.getValue(op, "value");
  if (value && isNatural(op.getAttribute("predicate")))
    if (std::optional<unsigned> parameter = t.findParameter(value))
      t.addSize(*parameter);
  t.set(op.results.front(), t.get(op.getOperand("value")));
  return success();
}

void tile::cudatile::addShapes(Handlers &handlers) {
  handlers["assume"] = {translateAssume, true, true, true};
  handlers["broadcast"] = {translateBroadcast, true, true, true};
  handlers["cat"] = {translateCat, false, false, true};
  handlers["constant"] = {translateConstant, false, false, true};
  handlers["extract"] = {translateExtract, false, false, true};
  handlers["insert"] = {translateInsert, false, false, true};
  handlers["iota"] = {translateIota};
  handlers["permute"] = {translatePermute, true, true, true};
  handlers["reshape"] = {translateReshape, true, true, true};
}
