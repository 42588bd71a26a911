// Functions.cpp - the functions that expressions of tile-layout can call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/LayoutLanguage/Functions.h"

#include "tile/Layout/Algebra.h"
#include "tile/Layout/LinearLayout.h"
#include "tile/Layout/Print.h"

using namespace tile;
using namespace tile::layoutlanguage;

using Operands = std::vector<Value>;

template <class T>
static Result<Value> toValue(Result<T> result) {
  if (!result)
    return Result<Value>::failure(result.error());
  return Value(*std::move(result));
}

static const Layout &layoutOf(const Value &value) {
  return std::get<Layout>(value);
}
static const IntTuple &shapeOf(const Value &value) {
  return std::get<IntTuple>(value);
}

/// Applies an operation to a layout or to the inner layout of a composed one.
template <class Operation>
static Result<Value> onInner(const Value &value, Operation operation) {
  if (const auto *composed = std::get_if<ComposedLayout>(&value))
    return toValue(composed->withInner(operation(composed->inner())));
  return toValue<Layout>(operation(layoutOf(value)));
}

/// Divides or multiplies by a tiler.
template <Result<Layout> (*operation)(const Layout &, const Tiler &)>
static Result<Value> byTiler(const Operands &operands) {
  return onInner(operands[0], [&](const Layout &layout) {
    return operation(layout, std::get<Tiler>(operands[1]));
  });
}

/// Multiplies by a layout.
template <Result<Layout> (*operation)(const Layout &, const Layout &)>
static Result<Value> byLayout(const Operands &operands) {
  return onInner(operands[0], [&](const Layout &layout) {
    return operation(layout, layoutOf(operands[1]));
  });
}

static Result<Value> mode(const Operands &operands) {
  int64_t index = shapeOf(operands[1]).value();
  return onInner(operands[0], [&](const Layout &layout) -> Result<Layout> {
    int64_t rank = layout.rank();
    if (index < 0 || index >= rank)
      return Result<Layout>::failure(
          "expected a mode from 0 to " + std::to_string(rank - 1) + " of " +
          toString(layout) + ", got " + std::to_string(index));
    return layout.mode(index);
  });
}

/// Returns the values at the indices 1, 2, 4, ..., which are the bases of a
/// linear layout.
static Result<Value> bases(const Operands &operands) {
  Result<LinearLayout> linear = Result<LinearLayout>::failure(
      "expected a swizzle without an offset, got " + describe(operands[0]));
  if (const auto *layout = std::get_if<Layout>(&operands[0])) {
    linear = toLinear(*layout);
  } else {
    const auto &composed = std::get<ComposedLayout>(operands[0]);
    const auto *swizzle = std::get_if<Swizzle>(&composed.outer());
    if (swizzle && composed.offset() == 0)
      linear = toLinear(*swizzle, composed.inner());
  }
  if (!linear)
    return Result<Value>::failure(linear.error());
  const std::vector<uint64_t> &images = linear->getBases();
  return Value(
      IntTuple::flat(std::vector<int64_t>(images.begin(), images.end())));
}

static const std::vector<Function> &allFunctions() {
  constexpr Kind kL = Kind::kLayout, kC = Kind::kLayoutOrComposed,
                 kT = Kind::kTiler, kS = Kind::kShape, kN = Kind::kInteger;
  static const std::vector<Function> functions = {
      {"coalesce",
       {kC},
       "the shortest layout of the same function",
       [](const Operands &o) { return onInner(o[0], coalesce); }},
      {"coalesce_by_mode",
       {kC},
       "each mode coalesced on its own",
       [](const Operands &o) { return onInner(o[0], coalesceByMode); }},
      {"compose", {kC, kT}, "A after T, the same as A o T", byTiler<compose>},
      {"complement",
       {kL, kN},
       "what A leaves out of 0 ... N-1",
       [](const Operands &o) {
         return toValue(complement(layoutOf(o[0]), shapeOf(o[1]).value()));
       }},
      {"left_inverse",
       {kL},
       "R with R(A(i)) = i",
       [](const Operands &o) { return toValue(leftInverse(layoutOf(o[0]))); }},
      {"right_inverse",
       {kL},
       "R with A(R(i)) = i",
       [](const Operands &o) { return toValue(rightInverse(layoutOf(o[0]))); }},
      {"logical_divide",
       {kC, kT},
       "A in tiles: ((T0,R0),(T1,R1),L)",
       byTiler<logicalDivide>},
      {"zipped_divide",
       {kC, kT},
       "the same as ((T0,T1),(R0,R1,L))",
       byTiler<zippedDivide>},
      {"tiled_divide",
       {kC, kT},
       "the same as ((T0,T1),R0,R1,L)",
       byTiler<tiledDivide>},
      {"flat_divide",
       {kC, kT},
       "the same as (T0,T1,R0,R1,L)",
       byTiler<flatDivide>},
      {"logical_product",
       {kC, kT},
       "copies of A: ((A0,T0),(A1,T1),L)",
       byTiler<logicalProduct>},
      {"zipped_product",
       {kC, kT},
       "the same as ((A0,A1),(T0,T1,L))",
       byTiler<zippedProduct>},
      {"tiled_product",
       {kC, kT},
       "the same as ((A0,A1),T0,T1,L)",
       byTiler<tiledProduct>},
      {"flat_product",
       {kC, kT},
       "the same as (A0,A1,T0,T1,L)",
       byTiler<flatProduct>},
      {"blocked_product",
       {kC, kL},
       "A at each place of B: ((A0,B0),(A1,B1))",
       byLayout<blockedProduct>},
      {"raked_product",
       {kC, kL},
       "the copies interlocked: ((B0,A0),(B1,A1))",
       byLayout<rakedProduct>},
      {"bases",
       {kC},
       "the values at 1, 2, 4, ..., where A is linear in bits",
       bases},
      {"layout_left",
       {kS},
       "the compact layout of a shape, leftmost fastest",
       [](const Operands &o) { return toValue(layoutLeft(shapeOf(o[0]))); }},
      {"layout_right",
       {kS},
       "the compact layout, rightmost fastest",
       [](const Operands &o) { return toValue(layoutRight(shapeOf(o[0]))); }},
      {"mode", {kC, kN}, "mode N of A", mode},
      {"size",
       {kL},
       "how many coordinates A has",
       [](const Operands &o) -> Result<Value> {
         return Value(IntTuple(layoutOf(o[0]).size()));
       }},
      {"cosize",
       {kL},
       "the span of the values of A",
       [](const Operands &o) -> Result<Value> {
         return Value(IntTuple(layoutOf(o[0]).cosize()));
       }},
      {"injective",
       {kL},
       "whether no two coordinates share a value",
       [](const Operands &o) -> Result<Value> {
         return Value(layoutOf(o[0]).isInjective());
       }},
      {"compatible",
       {kS, kS},
       "whether coordinates of S are some of S'",
       [](const Operands &o) -> Result<Value> {
         return Value(isCompatible(shapeOf(o[0]), shapeOf(o[1])));
       }},
      {"weakly_compatible",
       {kS, kS},
       "whether multiples of S are compatible",
       [](const Operands &o) -> Result<Value> {
         return Value(isWeaklyCompatible(shapeOf(o[0]), shapeOf(o[1])));
       }},
  };
  return functions;
}

const Function *layoutlanguage::findFunction(std::string_view name) {
  for (const Function &function : allFunctions())
    if (function.name == name)
      return &function;
  return nullptr;
}

Result<Value> layoutlanguage::convertOperand(Kind kind, const Value &value) {
  auto fail = [&](const char *expected) {
    return Result<Value>::failure(std::string("expected ") + expected +
                                  ", got " + describe(value));
  };
  const auto *tuple = std::get_if<IntTuple>(&value);
  bool isLayout = std::holds_alternative<Layout>(value);
  switch (kind) {
  case Kind::kLayout:
    return isLayout ? value : fail("a layout");
  case Kind::kLayoutOrComposed:
    if (isLayout || std::holds_alternative<ComposedLayout>(value))
      return value;
    return fail("a layout");
  case Kind::kTiler:
    if (isLayout)
      return Value(Tiler(layoutOf(value)));
    if (tuple)
      return toValue(Tiler::ofShape(*tuple));
    return std::holds_alternative<Tiler>(value) ? value : fail("a tiler");
  case Kind::kShape:
    return tuple ? value : fail("a shape");
  case Kind::kInteger:
    return tuple && tuple->isLeaf() ? value : fail("an integer");
  }
  return fail("an operand");
}

Result<Value> layoutlanguage::composeValues(const Value &left,
                                            const Value &right) {
  const auto *rightLayout = std::get_if<Layout>(&right);
  // A composed layout without an outer part adds an offset to the values of a
  // layout. `left` becomes its outer part.
  const auto *rightComposed = std::get_if<ComposedLayout>(&right);
  if (rightComposed) {
    const auto *outer = std::get_if<Swizzle>(&rightComposed->outer());
    if (!outer || !outer->isIdentity())
      return Result<Value>::failure("expected a layout on the right, got " +
                                    describe(right));
  }
  auto around = [&](ComposedLayout::Outer outer) {
    return toValue(
        rightComposed
            ? ComposedLayout::get(std::move(outer), rightComposed->offset(),
                                  rightComposed->inner())
            : ComposedLayout::get(std::move(outer), 0, *rightLayout));
  };
  if (const auto *swizzle = std::get_if<Swizzle>(&left)) {
    if (rightLayout || rightComposed)
      return around(*swizzle);
    return Result<Value>::failure("expected a layout after a swizzle, got " +
                                  describe(right));
  }
  if (const auto *offset = std::get_if<IntTuple>(&left)) {
    if (!offset->isLeaf())
      return Result<Value>::failure(
          "expected a layout, a swizzle or an offset, "
          "got " +
          describe(left));
    if (rightLayout)
      return toValue(
          ComposedLayout::get(Swizzle(), offset->value(), *rightLayout));
    return Result<Value>::failure("expected a layout after an offset, got " +
                                  describe(right));
  }
  if (rightComposed && std::holds_alternative<Layout>(left))
    return around(layoutOf(left));
  Result<Value> layout = convertOperand(Kind::kLayoutOrComposed, left);
  if (!layout)
    return layout;
  Result<Value> tiler = convertOperand(Kind::kTiler, right);
  if (!tiler)
    return tiler;
  return byTiler<compose>({*layout, *tiler});
}

/// Returns the name that the help uses for operand `index` if it has kind
/// `kind`.
static const char *letterOf(Kind kind, size_t index) {
  switch (kind) {
  case Kind::kLayout:
  case Kind::kLayoutOrComposed:
    return index == 0 ? "A" : "B";
  case Kind::kTiler:
    return "T";
  case Kind::kShape:
    return index == 0 ? "S" : "S'";
  case Kind::kInteger:
    return "N";
  }
  return "?";
}

std::string layoutlanguage::describeFunctions() {
  std::string text;
  for (const Function &function : allFunctions()) {
    std::string usage = std::string("  ") + function.name + "(";
    for (size_t i = 0; i < function.operands.size(); ++i)
      usage += (i ? ", " : "") + std::string(letterOf(function.operands[i], i));
    usage += ")";
    usage.resize(30, ' ');
    text += usage + function.help + "\n";
  }
  return text;
}
