// CombiningOps.cpp - tile.reduce, tile.scan, their parts, tile.arg_reduce
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CombiningOps.h"
#include "Verify.h"

#include "tile/IR/ElementRegion.h"
#include "tile/IR/Tile.h"
#include "tile/Layout/Chunks.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

ParseResult tile::parseCombination(
    OpAsmParser &parser, ReduceKindAttr &kind,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &sources) {
  OptionalParseResult first =
      parser.parseOptionalOperand(sources.emplace_back());
  if (!first.has_value()) {
    sources.pop_back();
    kind =
        dyn_cast_or_null<ReduceKindAttr>(ReduceKindAttr::parse(parser, Type()));
    return failure(!kind || parser.parseOperandList(sources));
  }
  if (failed(*first))
    return failure();
  if (succeeded(parser.parseOptionalComma()))
    return parser.parseOperandList(sources);
  return success();
}

void tile::printCombination(OpAsmPrinter &printer, Operation *,
                            ReduceKindAttr kind, OperandRange sources) {
  if (kind)
    printer << stringifyReduceKind(kind.getValue()) << " ";
  printer << sources;
}

/// Parses `(region)?`.
static ParseResult
parseCombiner(OpAsmParser &parser,
              SmallVectorImpl<std::unique_ptr<Region>> &body) {
  auto region = std::make_unique<Region>();
  OptionalParseResult result = parser.parseOptionalRegion(*region);
  if (!result.has_value())
    return success();
  body.push_back(std::move(region));
  return *result;
}

static void printCombiner(OpAsmPrinter &printer, MutableArrayRef<Region> body) {
  for (Region &region : body) {
    printer << " ";
    printer.printRegion(region);
  }
}

ParseResult
tile::parseReduction(OpAsmParser &parser, SmallVectorImpl<Type> &sources,
                     SmallVectorImpl<Type> &results,
                     SmallVectorImpl<std::unique_ptr<Region>> &body) {
  return failure(parser.parseTypeList(sources) || parser.parseKeyword("to") ||
                 parser.parseTypeList(results) || parseCombiner(parser, body));
}

void tile::printReduction(OpAsmPrinter &printer, Operation *, TypeRange sources,
                          TypeRange results, MutableArrayRef<Region> body) {
  printer << sources << " to " << results;
  printCombiner(printer, body);
}

ParseResult tile::parseScan(OpAsmParser &parser, SmallVectorImpl<Type> &sources,
                            SmallVectorImpl<Type> &results,
                            SmallVectorImpl<std::unique_ptr<Region>> &body) {
  if (parser.parseTypeList(sources))
    return failure();
  results.assign(sources.begin(), sources.end());
  return parseCombiner(parser, body);
}

void tile::printScan(OpAsmPrinter &printer, Operation *, TypeRange sources,
                     TypeRange, MutableArrayRef<Region> body) {
  printer << sources;
  printCombiner(printer, body);
}

//===----------------------------------------------------------------------===//
// Common checks
//===----------------------------------------------------------------------===//

static TileType getTile(Value value) { return cast<TileType>(value.getType()); }

/// Verifies C3: the kind of reduction has a meaning for the element type.
static LogicalResult verifyKind(Operation *op, ReduceKind kind, Type element) {
  bool isSum = kind == ReduceKind::add || kind == ReduceKind::mul;
  bool isOrder = kind == ReduceKind::min || kind == ReduceKind::max;
  bool isMeant = isSum || element.isIntOrIndex() ||
                 (isOrder && !isa<ComplexType>(element));
  if (isMeant)
    return success();
  return op->emitOpError() << "expected "
                           << (isOrder ? "an ordered" : "an integer")
                           << " element type for '" << stringifyReduceKind(kind)
                           << "', got " << element;
}

/// Whether an attribute is a value of an element type.
static bool isValueOf(Attribute value, Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  if (!complex) {
    auto typed = dyn_cast<TypedAttr>(value);
    return isa<FloatAttr, IntegerAttr>(value) && typed.getType() == element;
  }
  auto parts = dyn_cast<ArrayAttr>(value);
  return parts && parts.size() == 2 && llvm::all_of(parts, [&](Attribute part) {
           return isValueOf(part, complex.getElementType());
         });
}

/// Verifies the identities of C5.
static LogicalResult verifyIdentities(CombiningOpInterface op) {
  SmallVector<Type> elements = getElementTypes(op.getSources());
  ArrayAttr identities = op.getIdentitiesAttr();
  if (!identities || identities.size() != elements.size())
    return op->emitOpError()
           << "expected an identity for each of " << elements.size()
           << " sources, got " << (identities ? identities.size() : 0);
  for (auto [identity, element] : llvm::zip_equal(identities, elements))
    if (!isValueOf(identity, element))
      return op->emitOpError()
             << "expected an identity of type " << element
             << " (the source's element type), got " << identity;
  return success();
}

/// Verifies C3, C4, and the identities of C5.
static LogicalResult verifyCombination(CombiningOpInterface op) {
  OperandRange sources = op.getSources();
  bool hasKind = op.getKindAttr() != nullptr;
  // C4
  if (op->getNumRegions() != (hasKind ? 0 : 1))
    return op->emitOpError() << "expected a kind or one region, got "
                             << (hasKind ? "a kind and " : "")
                             << "regions: " << op->getNumRegions();
  if (sources.empty() || (hasKind && sources.size() != 1))
    return op->emitOpError()
           << "expected " << (hasKind ? "one source with a kind" : "a source")
           << ", got " << sources.size();
  if (hasKind && op.getIdentitiesAttr())
    return op->emitOpError("expected no identity with a kind");
  for (Value source : sources)
    if (getTile(source).getShape() != getTile(sources.front()).getShape())
      return op->emitOpError()
             << "expected sources of shape ["
             << getTile(sources.front()).getShape()
             << "] (the first one's), got " << source.getType();
  // C3
  if (hasKind)
    return verifyKind(op, op.getKindAttr().getValue(),
                      getTile(sources.front()).getElementType());
  return verifyIdentities(op);
}

/// Verifies the region of C5, and C6.
static LogicalResult verifyCombiner(CombiningOpInterface op) {
  Region *body = op.getCombiner();
  if (!body)
    return success();
  SmallVector<Type> elements = getElementTypes(op.getSources());
  SmallVector<Type> arguments(elements);
  llvm::append_range(arguments, elements);
  return verifyElementRegion(op, *body, arguments, elements);
}

/// Verifies that there is a result for each source, of shape `shape` and with
/// the source's element type.
static LogicalResult verifyResults(CombiningOpInterface op, ValueRange results,
                                   ArrayRef<int64_t> shape) {
  OperandRange sources = op.getSources();
  if (results.size() != sources.size())
    return op->emitOpError()
           << "expected " << sources.size()
           << " results (one for each source), got " << results.size();
  for (auto [source, result] : llvm::zip_equal(sources, results)) {
    if (getTile(result).getShape() != shape)
      return op->emitOpError()
             << "expected a result of shape [" << shape << "], got ["
             << getTile(result).getShape() << "]";
    Type element = getTile(source).getElementType();
    if (getTile(result).getElementType() != element)
      return op->emitOpError()
             << "expected element type " << element << " (the source's), got "
             << getTile(result).getElementType();
  }
  return success();
}

LogicalResult tile::verifyAxis(Operation *op, int64_t axis, int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitOpError() << "expected an axis below the rank " << rank
                           << ", got " << axis;
}

/// Returns the shape of the result if the elements along an axis, or all
/// elements, are combined.
static SmallVector<int64_t> getReducedShape(ArrayRef<int64_t> shape,
                                            std::optional<uint64_t> axis,
                                            bool keep) {
  SmallVector<int64_t> reduced;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    bool isReduced = !axis || *axis == dim;
    if (!isReduced || keep)
      reduced.push_back(isReduced ? 1 : extent);
  }
  return reduced;
}

/// Verifies that all tiles are in registers, with a layout.
static LogicalResult verifyResolved(Operation *op) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      RegisterAttr registers = cast<TileType>(type).getRegister();
      if (!registers || !registers.isResolved())
        return op->emitOpError(
                   "expected tiles in registers with a layout, got ")
               << type;
    }
  return success();
}

/// Verifies C1 of the partial operations: the sources have one layout.
static LogicalResult verifyOneLayout(CombiningOpInterface op) {
  Attribute first = getTile(op.getSources().front()).getStorage();
  for (Value source : op.getSources())
    if (getTile(source).getStorage() != first)
      return op->emitOpError() << "expected sources of one layout, got "
                               << op.getSources().getTypes();
  return success();
}

/// Returns the largest value of the type, or the smallest if `isNegative`: an
/// infinity, or the last finite value if the type has no infinities.
static APFloat getExtreme(const llvm::fltSemantics &semantics,
                          bool isNegative) {
  return APFloat::semanticsHasInf(semantics)
             ? APFloat::getInf(semantics, isNegative)
             : APFloat::getLargest(semantics, isNegative);
}

TypedAttr tile::getIdentity(Builder &builder, ReduceKind kind, Type type) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    switch (kind) {
    case ReduceKind::mul:
      return builder.getFloatAttr(floating, 1.0);
    case ReduceKind::min:
      return builder.getFloatAttr(floating,
                                  getExtreme(semantics, /*isNegative=*/false));
    case ReduceKind::max:
      return builder.getFloatAttr(floating,
                                  getExtreme(semantics, /*isNegative=*/true));
    default:
      // -0.0 + x is x also for x = -0.0.
      return builder.getFloatAttr(
          floating, APFloat::getZero(semantics, /*Negative=*/true));
    }
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  switch (kind) {
  case ReduceKind::mul:
    return builder.getIntegerAttr(type, 1);
  case ReduceKind::min:
    return builder.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  case ReduceKind::max:
    return builder.getIntegerAttr(type, APInt::getSignedMinValue(width));
  case ReduceKind::umin:
  case ReduceKind::bit_and:
    return builder.getIntegerAttr(type, APInt::getMaxValue(width));
  default:
    return builder.getIntegerAttr(type, 0);
  }
}

/// Returns a tile's shape, in which the extent along an axis is the number of
/// warps along it, times the number of chunks.
static SmallVector<int64_t> getShapeOfWarps(TileType tile, int64_t axis,
                                            int64_t chunks) {
  SmallVector<int64_t> shape(tile.getShape());
  shape[axis] = chunks * tile.getRegister().getRegisterLayout().getExtent(
                             RegisterLayout::kWarp, axis);
  return shape;
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

void ReduceOp::build(OpBuilder &builder, OperationState &state,
                     TypeRange results, ReduceKind kind, Value source,
                     IntegerAttr axis) {
  build(builder, state, results,
        ReduceKindAttr::get(builder.getContext(), kind), source,
        /*identities=*/ArrayAttr(), axis, /*keep=*/UnitAttr(),
        /*commutative=*/UnitAttr(), /*bodyCount=*/0);
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombination(*this)))
    return failure();
  TileType source = getTile(getSources().front());
  // C1
  if (std::optional<uint64_t> axis = getAxis())
    if (failed(verifyAxis(*this, *axis, source.getRank())))
      return failure();
  // C2
  return verifyResults(
      *this, getResults(),
      getReducedShape(source.getShape(), getAxis(), getKeep()));
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombiner(*this); }

LogicalResult ReduceOp::fold(FoldAdaptor,
                             SmallVectorImpl<OpFoldResult> &results) {
  // The single element of a tile of rank 0 is the result of its reduction.
  if (getTile(getSources().front()).getRank() != 0 ||
      getSources().getTypes() != getResultTypes())
    return failure();
  results.assign(getSources().begin(), getSources().end());
  return success();
}

LogicalResult ReduceOp::readProperties(DialectBytecodeReader &reader,
                                       OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  if (failed(reader.readOptionalAttribute(properties.axis)))
    return failure();
  if (TileDialect::readsUpTo(reader, 1))
    return reader.readAttribute(properties.kind);
  return failure(failed(reader.readOptionalAttribute(properties.kind)) ||
                 failed(reader.readOptionalAttribute(properties.identities)) ||
                 failed(reader.readOptionalAttribute(properties.keep)) ||
                 failed(reader.readOptionalAttribute(properties.commutative)));
}

void ReduceOp::writeProperties(DialectBytecodeWriter &writer) {
  Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.axis);
  writer.writeOptionalAttribute(properties.kind);
  writer.writeOptionalAttribute(properties.identities);
  writer.writeOptionalAttribute(properties.keep);
  writer.writeOptionalAttribute(properties.commutative);
}

//===----------------------------------------------------------------------===//
// PartialReduceOp
//===----------------------------------------------------------------------===//

LogicalResult PartialReduceOp::verify() {
  // C1
  if (failed(verifyCombination(*this)) || failed(verifyResolved(*this)) ||
      failed(verifyOneLayout(*this)))
    return failure();
  TileType source = getTile(getSources().front());
  // C2
  if (failed(verifyAxis(*this, getAxis(), source.getRank())))
    return failure();
  int64_t axis = getAxis();
  SmallVector<int64_t> shape = getShapeOfWarps(source, axis, 1);
  int64_t chunks = getNumChunks(source.getRegister().getRegisterLayout(), axis);
  if (chunks > 1 && !getResults().empty() &&
      getTile(getResults().front()).getShape() != ArrayRef(shape))
    shape = getShapeOfWarps(source, axis, chunks);
  return verifyResults(*this, getResults(), shape);
}

LogicalResult PartialReduceOp::verifyRegions() { return verifyCombiner(*this); }

//===----------------------------------------------------------------------===//
// ScanOp, PartialScanOp
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  if (failed(verifyCombination(*this)))
    return failure();
  // C1
  if (std::optional<uint64_t> axis = getAxis())
    if (failed(
            verifyAxis(*this, *axis, getTile(getSources().front()).getRank())))
      return failure();
  // C2
  if (getSources().getTypes() == getResultTypes())
    return success();
  return emitOpError() << "expected results of " << getSources().getTypes()
                       << " (the sources' types), got " << getResultTypes();
}

LogicalResult ScanOp::verifyRegions() { return verifyCombiner(*this); }

LogicalResult PartialScanOp::verify() {
  // C1
  if (failed(verifyCombination(*this)) || failed(verifyResolved(*this)) ||
      failed(verifyOneLayout(*this)))
    return failure();
  TileType source = getTile(getSources().front());
  int64_t axis = getAxis();
  if (failed(verifyAxis(*this, axis, source.getRank())))
    return failure();
  int64_t chunks = getNumChunks(source.getRegister().getRegisterLayout(), axis);
  if (chunks == 0)
    return emitOpError() << "expected sources whose elements are in order "
                            "along the axis, got "
                         << source;
  // C2
  if (getSources().getTypes() != getResultTypes())
    return emitOpError() << "expected results of " << getSources().getTypes()
                         << " (the sources' types), got " << getResultTypes();
  SmallVector<int64_t> shape = getShapeOfWarps(source, axis, chunks);
  for (auto [total, of] : llvm::zip_equal(getTotals(), getSources()))
    if (getTile(total).getShape() != ArrayRef(shape) ||
        getTile(total).getElementType() != getTile(of).getElementType())
      return emitOpError() << "expected totals of shape [" << ArrayRef(shape)
                           << "] and the sources' element types, got "
                           << total.getType();
  return success();
}

LogicalResult PartialScanOp::verifyRegions() { return verifyCombiner(*this); }

//===----------------------------------------------------------------------===//
// ArgReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ArgReduceOp::verify() {
  TileType source = getSource().getType();
  Type element = source.getElementType();
  // C3
  bool isUnsigned =
      getKind() == ReduceKind::umin || getKind() == ReduceKind::umax;
  if (!isUnsigned && getKind() != ReduceKind::min &&
      getKind() != ReduceKind::max)
    return emitOpError() << "expected kind min, max, umin or umax, got '"
                         << stringifyReduceKind(getKind()) << "'";
  if (failed(verifyKind(*this, getKind(), element)))
    return failure();
  // C1
  if (std::optional<uint64_t> axis = getAxis())
    if (failed(verifyAxis(*this, *axis, source.getRank())))
      return failure();
  // C2
  SmallVector<int64_t> shape =
      getReducedShape(source.getShape(), getAxis(), getKeep());
  for (Value result : getResults())
    if (getTile(result).getShape() != ArrayRef(shape))
      return emitOpError() << "expected results of shape [" << ArrayRef(shape)
                           << "], got [" << getTile(result).getShape() << "]";
  if (getValue().getType().getElementType() != element)
    return emitOpError() << "expected a value of element type " << element
                         << " (the source's), got "
                         << getValue().getType().getElementType();
  // C4
  Type index = getIndex().getType().getElementType();
  if (!index.isInteger(32) && !index.isInteger(64) && !index.isIndex())
    return emitOpError()
           << "expected an index of element type i32, i64 or index, got "
           << index;
  return success();
}
