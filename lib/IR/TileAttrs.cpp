// TileAttrs.cpp - layouts, storage, tiling, grid: syntax and constraints
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "tile/Layout/Print.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

#include "tile/IR/TileEnums.cpp.inc"

#include "tile/IR/MatrixInstructionInterface.cpp.inc"

/// Parses the shape of an instruction: "16x8x16", or "64x?x16".
static ParseResult parseInstructionShape(AsmParser &parser,
                                         SmallVector<int64_t> &shape) {
  return parser.parseDimensionList(shape, /*allowDynamic=*/true,
                                   /*withTrailingX=*/false);
}

static void printInstructionShape(AsmPrinter &printer,
                                  ArrayRef<int64_t> shape) {
  printer.printDimensionList(shape);
}

#define GET_ATTRDEF_CLASSES
#include "tile/IR/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/IR/TileAttrs.cpp.inc"
      >();
}

llvm::hash_code tile::hash_value(const Layout &layout) {
  return llvm::hash_value(toString(layout));
}

//===----------------------------------------------------------------------===//
// #tile<axis ...>, #tile<reduce_kind ...> and other words
//===----------------------------------------------------------------------===//

/// Parses a word of an enumeration of `count` words. `what` names it in the
/// message.
template <typename Enum>
static std::optional<Enum> parseWord(AsmParser &parser, StringRef what,
                                     uint32_t count) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    word = "";
  if (std::optional<Enum> value = symbolizeEnum<Enum>(word))
    return value;
  InFlightDiagnostic error = parser.emitError(loc) << "expected " << what;
  for (uint32_t i = 0; i < count; ++i)
    error << (i == 0           ? " "
              : i + 1 == count ? " or "
                               : ", ")
          << stringifyEnum(static_cast<Enum>(i));
  if (!word.empty())
    error << ", got '" << word << "'";
  return std::nullopt;
}

/// Parses an attribute of one word.
template <typename EnumAttr, typename Enum>
static Attribute parseEnum(AsmParser &parser, StringRef what, unsigned max) {
  std::optional<Enum> word = parseWord<Enum>(parser, what, max + 1);
  return word ? EnumAttr::get(parser.getContext(), *word) : EnumAttr();
}

template <typename EnumAttr>
static void printEnum(AsmPrinter &printer, EnumAttr attr) {
  printer << " " << stringifyEnum(attr.getValue());
}

Attribute AxisAttr::parse(AsmParser &parser, Type) {
  return parseEnum<AxisAttr, Axis>(parser, "axis", getMaxEnumValForAxis());
}

void AxisAttr::print(AsmPrinter &printer) const { printEnum(printer, *this); }

Attribute ReduceKindAttr::parse(AsmParser &parser, Type) {
  return parseEnum<ReduceKindAttr, ReduceKind>(parser, "kind of reduction",
                                               getMaxEnumValForReduceKind());
}

void ReduceKindAttr::print(AsmPrinter &printer) const {
  printEnum(printer, *this);
}

Attribute DistributionAttr::parse(AsmParser &parser, Type) {
  return parseEnum<DistributionAttr, Distribution>(
      parser, "distribution", getMaxEnumValForDistribution());
}

void DistributionAttr::print(AsmPrinter &printer) const {
  printEnum(printer, *this);
}

Attribute ComplexKindAttr::parse(AsmParser &parser, Type) {
  return parseEnum<ComplexKindAttr, ComplexKind>(
      parser, "operation on complex numbers", getMaxEnumValForComplexKind());
}

void ComplexKindAttr::print(AsmPrinter &printer) const {
  printEnum(printer, *this);
}

Attribute AtomicKindAttr::parse(AsmParser &parser, Type) {
  return parseEnum<AtomicKindAttr, AtomicKind>(parser, "kind of atomic update",
                                               getMaxEnumValForAtomicKind());
}

void AtomicKindAttr::print(AsmPrinter &printer) const {
  printEnum(printer, *this);
}

Attribute AtomicOrderAttr::parse(AsmParser &parser, Type) {
  return parseEnum<AtomicOrderAttr, AtomicOrder>(
      parser, "order of an atomic access", getMaxEnumValForAtomicOrder());
}

void AtomicOrderAttr::print(AsmPrinter &printer) const {
  printEnum(printer, *this);
}

Attribute AtomicScopeAttr::parse(AsmParser &parser, Type) {
  return parseEnum<AtomicScopeAttr, AtomicScope>(
      parser, "scope of an atomic access", getMaxEnumValForAtomicScope());
}

void AtomicScopeAttr::print(AsmPrinter &printer) const {
  printEnum(printer, *this);
}

Attribute PrecisionAttr::parse(AsmParser &parser, Type) {
  return parseEnum<PrecisionAttr, Precision>(parser, "precision",
                                             getMaxEnumValForPrecision());
}

void PrecisionAttr::print(AsmPrinter &printer) const {
  printEnum(printer, *this);
}

Attribute FftNormAttr::parse(AsmParser &parser, Type) {
  return parseEnum<FftNormAttr, FftNorm>(parser, "norm",
                                         getMaxEnumValForFftNorm());
}

void FftNormAttr::print(AsmPrinter &printer) const {
  printEnum(printer, *this);
}

Attribute LevelAttr::parse(AsmParser &parser, Type) {
  return parseEnum<LevelAttr, Level>(parser, "level", getMaxEnumValForLevel());
}

void LevelAttr::print(AsmPrinter &printer) const { printEnum(printer, *this); }

//===----------------------------------------------------------------------===//
// #tile.layout
//===----------------------------------------------------------------------===//

/// Parses an integer or a parenthesized list of tuples. Deep nesting is
/// refused, so that no text can exhaust the stack.
static ParseResult parseTuple(AsmParser &parser, IntTuple &tuple,
                              int depth = 0) {
  if (depth > 32)
    return parser.emitError(parser.getCurrentLocation())
           << "expected at most 32 levels of nesting";
  if (failed(parser.parseOptionalLParen())) {
    int64_t value;
    if (parser.parseInteger(value))
      return failure();
    tuple = IntTuple(value);
    return success();
  }
  std::vector<IntTuple> elements;
  do {
    IntTuple element(0);
    if (parseTuple(parser, element, depth + 1))
      return failure();
    elements.push_back(std::move(element));
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseRParen())
    return failure();
  tuple = IntTuple(std::move(elements));
  return success();
}

/// shape `:` stride
static ParseResult parseShapeStride(AsmParser &parser, LayoutAttr &attr) {
  SMLoc loc = parser.getCurrentLocation();
  IntTuple shape(0), stride(0);
  if (parseTuple(parser, shape) || parser.parseColon() ||
      parseTuple(parser, stride))
    return failure();
  Result<Layout> layout = Layout::get(shape, stride);
  if (!layout)
    return parser.emitError(loc) << layout.error();
  attr = LayoutAttr::get(parser.getContext(), *layout);
  return success();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  LayoutAttr attr;
  if (parser.parseLess() || parseShapeStride(parser, attr) ||
      parser.parseGreater())
    return {};
  return attr;
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << toString(getValue()) << ">";
}

//===----------------------------------------------------------------------===//
// #tile.swizzle
//===----------------------------------------------------------------------===//

LogicalResult SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  unsigned bits, unsigned base,
                                  unsigned shift) {
  // C1
  if (bits > 32 || base > 32 || shift > 32 || shift < bits ||
      bits + base + shift >= 32)
    return emitError() << "expected bits <= shift and bits + base + shift < "
                          "32, got <"
                       << bits << ", " << base << ", " << shift << ">";
  return success();
}

Swizzle SwizzleAttr::getSwizzle() const {
  Swizzle swizzle;
  swizzle.bits = getBits();
  swizzle.base = getBase();
  swizzle.shift = getShift();
  return swizzle;
}

//===----------------------------------------------------------------------===//
// #tile.register
//===----------------------------------------------------------------------===//

/// (`<` layout `,` `box` `=` `[` extents `]` `>`)?
Attribute RegisterAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  LayoutAttr layout;
  DenseI64ArrayAttr box;
  if (succeeded(parser.parseOptionalLess())) {
    SmallVector<int64_t> extents;
    if (parseShapeStride(parser, layout) || parser.parseComma() ||
        parser.parseKeyword("box") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(
            AsmParser::Delimiter::Square,
            [&] { return parser.parseInteger(extents.emplace_back()); }) ||
        parser.parseGreater())
      return {};
    box = DenseI64ArrayAttr::get(parser.getContext(), extents);
  }
  return parser.getChecked<RegisterAttr>(loc, parser.getContext(), layout, box);
}

void RegisterAttr::print(AsmPrinter &printer) const {
  if (!isResolved())
    return;
  printer << "<" << toString(getLayout().getValue()) << ", box = [";
  llvm::interleaveComma(getBox().asArrayRef(), printer);
  printer << "]>";
}

/// Whether a tile may have the shape (C2 of the type).
static bool isTileShape(ArrayRef<int64_t> shape) {
  constexpr int64_t kLimit = int64_t(1) << 31;
  int64_t elements = 1;
  return llvm::all_of(shape, [&](int64_t extent) {
    return extent > 0 && extent < kLimit && (elements *= extent) < kLimit;
  });
}

LogicalResult RegisterAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   LayoutAttr layout, DenseI64ArrayAttr box) {
  // C1
  if (!layout != !box)
    return emitError() << "expected a layout and a box, or neither";
  if (!layout)
    return success();
  // C2, C3
  if (!isTileShape(box.asArrayRef()))
    return emitError() << "expected a box of positive extents and fewer than "
                          "2^31 elements";
  Result<RegisterLayout> registers = RegisterLayout::get(
      layout.getValue(),
      std::vector<int64_t>(box.asArrayRef().begin(), box.asArrayRef().end()));
  if (!registers)
    return emitError() << registers.error();
  return success();
}

RegisterLayout RegisterAttr::getRegisterLayout() const {
  return *RegisterLayout::get(
      getLayout().getValue(),
      std::vector<int64_t>(getBox().asArrayRef().begin(),
                           getBox().asArrayRef().end()));
}

RegisterAttr RegisterAttr::get(MLIRContext *context,
                               const RegisterLayout &layout) {
  return get(context, LayoutAttr::get(context, layout.getLayout()),
             DenseI64ArrayAttr::get(context, layout.getBox()));
}

//===----------------------------------------------------------------------===//
// #tile.shared
//===----------------------------------------------------------------------===//

/// Maximum alignment; a larger one exceeds the shared memory that a block may
/// have.
static constexpr int64_t kMaxAlignment = 1 << 16;

/// (`<` layout (`,` `swizzle` `=` `<` b `,` m `,` s `>`)? (`,` `align` `=` n)?
/// `>`)?
Attribute SharedAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  LayoutAttr layout;
  SwizzleAttr swizzle;
  int64_t alignment = 16;
  if (succeeded(parser.parseOptionalLess())) {
    if (parseShapeStride(parser, layout))
      return {};
    bool hasAlignment = false;
    while (succeeded(parser.parseOptionalComma())) {
      if (!swizzle && succeeded(parser.parseOptionalKeyword("swizzle"))) {
        if (parser.parseEqual())
          return {};
        swizzle = dyn_cast_or_null<SwizzleAttr>(SwizzleAttr::parse(parser, {}));
        if (!swizzle)
          return {};
        continue;
      }
      SMLoc parameter = parser.getCurrentLocation();
      if (hasAlignment || failed(parser.parseOptionalKeyword("align"))) {
        parser.emitError(parameter)
            << "expected 'swizzle' or 'align', each once";
        return {};
      }
      hasAlignment = true;
      if (parser.parseEqual() || parser.parseInteger(alignment))
        return {};
    }
    if (parser.parseGreater())
      return {};
  }
  if (alignment <= 0 || alignment > kMaxAlignment) {
    parser.emitError(loc) << "expected an alignment from 1 to " << kMaxAlignment
                          << " bytes, got " << alignment;
    return {};
  }
  return parser.getChecked<SharedAttr>(loc, parser.getContext(), layout,
                                       swizzle,
                                       static_cast<unsigned>(alignment));
}

void SharedAttr::print(AsmPrinter &printer) const {
  if (!isResolved())
    return;
  printer << "<" << toString(getLayout().getValue());
  if (getSwizzle()) {
    printer << ", swizzle = ";
    getSwizzle().print(printer);
  }
  if (getAlignment() != 16)
    printer << ", align = " << getAlignment();
  printer << ">";
}

LogicalResult SharedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 LayoutAttr layout, SwizzleAttr swizzle,
                                 unsigned alignment) {
  // C1
  if (!llvm::isPowerOf2_32(alignment))
    return emitError() << "expected an alignment that is a power of two, got "
                       << alignment;
  if (!layout)
    return success();
  // C2
  if (layout.getValue().shape().isLeaf() && layout.getValue().size() != 1)
    return emitError() << "expected one mode a dimension, got the integer "
                          "layout "
                       << toString(layout.getValue());
  for (auto [extent, stride] : layout.getValue().flattened())
    if (stride < 0)
      return emitError() << "expected strides that are not negative, got "
                         << stride;
  // C3
  if (layout.getValue().cosize() >= (int64_t(1) << 31))
    return emitError() << "expected a layout of fewer than 2^31 elements, got "
                       << layout.getValue().cosize();
  return success();
}

SmallVector<int64_t> SharedAttr::getBox() const {
  SmallVector<int64_t> box;
  const Layout &layout = getLayout().getValue();
  if (layout.shape().isLeaf()) // a tile of rank 0
    return box;
  for (int64_t i = 0; i < static_cast<int64_t>(layout.rank()); ++i)
    box.push_back(layout.mode(i).size());
  return box;
}

//===----------------------------------------------------------------------===//
// #tile.tiling
//===----------------------------------------------------------------------===//

LogicalResult AccessAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t vector, AccessInstruction kind,
                                 AccessGuard guard, bool cached) {
  // C1
  if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
    return emitError() << "expected 'vector' to be 1, 2, 4, 8 or 16, got "
                       << vector;
  // C2
  bool isOne = kind == AccessInstruction::elements;
  if (kind != AccessInstruction::copy_async && isOne != (vector == 1))
    return emitError() << "expected 'vector' to be "
                       << (isOne ? "1" : "more than 1") << " for '"
                       << stringifyAccessInstruction(kind) << "', got "
                       << vector;
  // C3
  if (cached && kind != AccessInstruction::copy_async)
    return emitError()
           << "expected 'cached' for 'copy_async' only, got it for '"
           << stringifyAccessInstruction(kind) << "'";
  return success();
}

LogicalResult TilingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 DenseI64ArrayAttr warps, DenseI64ArrayAttr sub,
                                 DenseI64ArrayAttr thread, Attribute atom,
                                 OperandSource operands, int64_t vector,
                                 int64_t stages) {
  // C1
  auto check = [&](DenseI64ArrayAttr values, StringRef name,
                   bool mayHaveBatch) -> LogicalResult {
    if (!values)
      return success();
    bool isInRange = llvm::all_of(values.asArrayRef(), [](int64_t value) {
      return value > 0 && value <= 65536;
    });
    if (!isInRange ||
        (values.size() != 2 && !(mayHaveBatch && values.size() == 3)))
      return emitError() << "expected '" << name << "' to be two "
                         << (mayHaveBatch ? "or three " : "")
                         << "numbers from 1 to 65536, got ["
                         << values.asArrayRef() << "]";
    return success();
  };
  if (failed(check(warps, "warps", /*mayHaveBatch=*/true)) ||
      failed(check(sub, "sub", /*mayHaveBatch=*/true)) ||
      failed(check(thread, "thread", /*mayHaveBatch=*/false)))
    return failure();
  // C2
  if (stages < 0 || stages > 64)
    return emitError() << "expected 'stages' from 0 to 64, got " << stages;
  // C3
  if (!llvm::is_contained({0, 1, 2, 4, 8, 16}, vector))
    return emitError() << "expected 'vector' to be 0, 1, 2, 4, 8 or 16, got "
                       << vector;
  // C4
  if (atom && !isa<StringAttr, MatrixInstructionAttrInterface>(atom))
    return emitError() << "expected 'atom' to be a matrix instruction or its "
                          "name, got "
                       << atom;
  return success();
}

//===----------------------------------------------------------------------===//
// #tile.grid
//===----------------------------------------------------------------------===//

/// Returns the first division in `extent` by an expression that is not
/// positive, for which affine expressions define no value; null if there is
/// none.
static AffineExpr findBadDivision(AffineExpr extent) {
  AffineExpr found;
  extent.walk([&](AffineExpr expr) {
    bool divides =
        llvm::is_contained({AffineExprKind::FloorDiv, AffineExprKind::CeilDiv,
                            AffineExprKind::Mod},
                           expr.getKind());
    if (!divides || found)
      return;
    auto by =
        dyn_cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(expr).getRHS());
    if (!by || by.getValue() <= 0)
      found = expr;
  });
  return found;
}

SmallVector<ArrayRef<AffineExpr>> GridAttr::getExtents() {
  ArrayRef<AffineExpr> results = getMap().getValue().getResults();
  SmallVector<ArrayRef<AffineExpr>> extents;
  if (getFactors().empty())
    for (size_t i = 0; i < results.size(); ++i)
      extents.push_back(results.slice(i, 1));
  for (int64_t factor : getFactors()) {
    extents.push_back(results.take_front(factor));
    results = results.drop_front(factor);
  }
  return extents;
}

LogicalResult GridAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               AffineMapAttr map, ArrayAttr sources,
                               ArrayRef<int64_t> factors) {
  AffineMap value = map.getValue();
  // C1
  int64_t results = value.getNumResults();
  if (factors.empty() && (results < 1 || results > 3))
    return emitError() << "expected a grid of 1 to 3 extents, got " << results;
  // C4
  if (factors.size() > 3)
    return emitError() << "expected 1 to 3 factors of the grid, got "
                       << factors.size();
  int64_t left = results;
  for (int64_t factor : factors) {
    if (factor < 1 || factor > left)
      return emitError() << "expected factors of the grid from 1 to the "
                         << left << " results that are left, got " << factor;
    left -= factor;
  }
  if (!factors.empty() && left != 0)
    return emitError() << "expected factors of the grid that add up to "
                       << results << " results, got " << results - left;
  if (value.getNumSymbols() != 0)
    return emitError() << "expected a grid map without symbols, got "
                       << value.getNumSymbols();
  if (value.getNumDims() != sources.size())
    return emitError() << "expected " << value.getNumDims()
                       << " sources of the grid, got " << sources.size();
  // C3
  for (AffineExpr extent : value.getResults())
    if (AffineExpr division = findBadDivision(extent)) {
      std::string text;
      llvm::raw_string_ostream(text) << division;
      return emitError() << "expected a grid that divides by positive numbers, "
                            "got '"
                         << text << "'";
    }
  return success();
}
