// TranslateCombinations.cpp - reductions and scans of CUDA Tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelTranslator.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

static Type getElementType(Value tile) {
  return cast<TileType>(tile.getType()).getElementType();
}

/// Returns the kind that combines as a binary operation does, if there is one.
static std::optional<ReduceKind> getKind(const SourceOp &op) {
  using Kind = std::optional<ReduceKind>;
  StringRef name = op.getName();
  bool isSum = name == "addf" || name == "mulf";
  if (isSum &&
      Rounding(op.getAttribute("rounding").number) != Rounding::nearest)
    return std::nullopt;
  bool isExtremum = name == "maxf" || name == "minf";
  if (isExtremum && !op.hasFlag("propagate_nan"))
    return std::nullopt;
  if ((name == "maxi" || name == "mini") && !op.isSigned())
    return name == "maxi" ? ReduceKind::umax : ReduceKind::umin;
  return llvm::StringSwitch<Kind>(name)
      .Cases({"addf", "addi"}, ReduceKind::add)
      .Cases({"mulf", "muli"}, ReduceKind::mul)
      .Cases({"maxf", "maxi"}, ReduceKind::max)
      .Cases({"minf", "mini"}, ReduceKind::min)
      .Case("andi", ReduceKind::bit_and)
      .Case("ori", ReduceKind::bit_or)
      .Case("xori", ReduceKind::bit_xor)
      .Default(std::nullopt);
}

/// Returns the kind of a region with one operation on its two arguments, if
/// there is one with the same result. Sums of f16 are those of the region: a
/// kind would compute them in f32.
static std::optional<ReduceKind> findKind(const SourceRegion &region,
                                          Type element) {
  if (region.operations.size() != 2 || region.arguments.size() != 2)
    return std::nullopt;
  const SourceOp &op = region.operations.front();
  const SourceOp &end = region.operations.back();
  bool isBinary = op.operands.size() == 2 && op.results.size() == 1 &&
                  op.format->operands.front().name == "lhs";
  if (!isBinary || end.getName() != "yield" ||
      end.operands.front() != op.results)
    return std::nullopt;
  SourceValue *lhs = op.getOperand("lhs"), *rhs = op.getOperand("rhs");
  if (lhs == rhs || !llvm::is_contained(region.arguments, lhs) ||
      !llvm::is_contained(region.arguments, rhs))
    return std::nullopt;
  bool hasKinds = element.isF32() || element.isF64() || element.isInteger();
  if (!hasKinds)
    return std::nullopt;
  return getKind(op);
}

/// Returns the identities as attributes of the elements' types; null after an
/// error.
static ArrayAttr convertIdentities(KernelTranslator &t, const SourceOp &op,
                                   ArrayRef<Value> sources) {
  const std::vector<SourceAttribute> &elements =
      op.getAttribute("identities").elements;
  if (elements.size() != sources.size()) {
    (void)t.refuse(op, "expected an identity for each operand");
    return {};
  }
  SmallVector<Attribute> identities;
  for (auto [identity, operand, source] :
       llvm::zip_equal(elements, op.getOperands("values"), sources)) {
    const SourceType *type = operand->type->element;
    if (!identity.type || identity.type->tag != type->tag ||
        type->tag == TypeTag::tf32) {
      (void)t.refuse(op, "expected identities of the types of the operands, "
                         "which are not tf32");
      return {};
    }
    Type element = getElementType(source);
    unsigned width = element.getIntOrFloatBitWidth();
    APInt bits(64, identity.number);
    bits = bits.trunc(width);
    if (auto type = dyn_cast<FloatType>(element))
      identities.push_back(
          FloatAttr::get(type, APFloat(type.getFloatSemantics(), bits)));
    else
      identities.push_back(IntegerAttr::get(element, bits));
  }
  return t.b.getArrayAttr(identities);
}

/// Translates the region to the body of a combination. Its arguments are an
/// earlier and a later element of each operand; those of the body are the
/// earlier elements of all operands, and then the later ones.
static LogicalResult translateBody(KernelTranslator &t, const SourceOp &op,
                                   Region &body, ArrayRef<Value> sources) {
  const SourceRegion &region = op.regions.front();
  if (region.arguments.size() != 2 * sources.size())
    return t.refuse(op, "expected two region arguments for each operand");
  SmallVector<Type> types = llvm::map_to_vector(sources, getElementType);
  Block &block = body.emplaceBlock();
  for (unsigned half : {0, 1})
    for (auto [index, type] : llvm::enumerate(types))
      t.set(region.arguments[2 * index + half],
            {block.addArgument(type, op.loc)});
  OpBuilder::InsertionGuard guard(t.b);
  t.b.setInsertionPointToStart(&block);
  auto end = [&](const SourceOp &op) -> FailureOr<SmallVector<Value>> {
    auto given =
        llvm::map_to_vector(op.getOperands("values"), [&](SourceValue *value) {
          return t.getValue(value);
        });
    if (op.getName() != "yield" || llvm::is_contained(given, Value()))
      return t.refuse(op, "expected a region that yields scalars");
    return given;
  };
  FailureOr<SmallVector<Value>> given =
      translateSequence(t, region.operations, types, end);
  if (failed(given))
    return failure();
  YieldOp::create(t.b, *given);
  return success();
}

/// Creates a reduction or scan, with a kind if there is one for its region.
template <typename Create>
static LogicalResult combine(KernelTranslator &t, const SourceOp &op,
                             Create create) {
  SmallVector<Value> sources;
  for (SourceValue *operand : op.getOperands("values")) {
    sources.push_back(t.getValue(operand));
    if (!sources.back() || !isa<TileType>(sources.back().getType()))
      return t.refuse(op, "expected numeric tiles of at least one dimension");
  }
  if (sources.empty() || sources.size() != op.results.size())
    return t.refuse(op, "expected a result for each operand");
  std::optional<ReduceKind> kind;
  if (sources.size() == 1)
    kind = findKind(op.regions.front(), getElementType(sources.front()));
  ArrayAttr identities;
  if (!kind && !(identities = convertIdentities(t, op, sources)))
    return failure();
  auto kindAttr =
      kind ? ReduceKindAttr::get(t.b.getContext(), *kind) : ReduceKindAttr();
  Operation *created = create(kindAttr, sources, identities);
  if (!kind && failed(translateBody(t, op, created->getRegion(0), sources)))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(op.results, created->getResults()))
    t.set(result, {t.reshape(value, result->type->shape)});
  return success();
}

/// Returns the type of a result, which has rank 0 instead of being a scalar.
static SmallVector<Type> getResultTypes(KernelTranslator &t,
                                        const SourceOp &op) {
  return llvm::map_to_vector(op.results, [&](SourceValue *result) {
    return Type(TileType::get(result->type->shape,
                              t.convertElement(result->type->element)));
  });
}

static LogicalResult translateReduce(KernelTranslator &t, const SourceOp &op) {
  IntegerAttr axis = t.b.getI64IntegerAttr(op.getAttribute("dim").number);
  return combine(
      t, op,
      [&](ReduceKindAttr kind, ValueRange sources, ArrayAttr identities) {
        return ReduceOp::create(t.b, getResultTypes(t, op), kind, sources,
                                identities, axis, /*keep=*/UnitAttr(),
                                kind ? UnitAttr() : t.b.getUnitAttr(),
                                /*bodyCount=*/kind ? 0 : 1)
            .getOperation();
      });
}

static LogicalResult translateScan(KernelTranslator &t, const SourceOp &op) {
  IntegerAttr axis = t.b.getI64IntegerAttr(op.getAttribute("dim").number);
  bool reverse = op.getAttribute("reverse").number;
  return combine(
      t, op,
      [&](ReduceKindAttr kind, ValueRange sources, ArrayAttr identities) {
        return ScanOp::create(t.b, getResultTypes(t, op), kind, sources,
                              identities, axis, /*exclusive=*/UnitAttr(),
                              reverse ? t.b.getUnitAttr() : UnitAttr(),
                              /*bodyCount=*/kind ? 0 : 1)
            .getOperation();
      });
}

void tile::cudatile::addCombinations(Handlers &handlers) {
  handlers["reduce"] = {translateReduce};
  handlers["scan"] = {translateScan};
}
