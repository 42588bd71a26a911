// Value.cpp - values of expressions of tile-layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/LayoutLanguage/Value.h"

#include "tile/Layout/Print.h"

using namespace tile;
using namespace tile::layoutlanguage;

static std::string print(bool value) { return value ? "true" : "false"; }

static std::string print(const RegisterLayout &value) {
  std::string text =
      "#tile.register<" + toString(value.getLayout()) + ", box = [";
  for (size_t dim = 0; dim < value.getBox().size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(value.getBox()[dim]);
  return text + "]>";
}

static std::string print(const SharedLayout &value) {
  std::string text = "#tile.shared<" + toString(value.layout);
  const Swizzle &swizzle = value.swizzle;
  if (!swizzle.isIdentity())
    text += ", swizzle = <" + std::to_string(swizzle.bits) + ", " +
            std::to_string(swizzle.base) + ", " +
            std::to_string(swizzle.shift) + ">";
  return text + ">";
}

template <class T>
static std::string print(const T &value) {
  return toString(value);
}

static std::string nameOf(bool) { return "the answer"; }
static std::string nameOf(const IntTuple &value) {
  return value.isLeaf() ? "the integer" : "the shape";
}
static std::string nameOf(const Swizzle &) { return "the swizzle"; }
static std::string nameOf(const Layout &) { return "the layout"; }
static std::string nameOf(const ComposedLayout &) {
  return "the composed layout";
}
static std::string nameOf(const Tiler &) { return "the tiler"; }
static std::string nameOf(const RegisterLayout &) {
  return "the register layout";
}
static std::string nameOf(const SharedLayout &) { return "the shared layout"; }

std::string layoutlanguage::toText(const Value &value) {
  return std::visit([](const auto &v) { return print(v); }, value);
}

std::string layoutlanguage::describe(const Value &value) {
  return std::visit([](const auto &v) { return nameOf(v) + " " + print(v); },
                    value);
}

Result<std::string> layoutlanguage::evaluateAt(const Value &value,
                                               const IntTuple &at) {
  using Text = Result<std::string>;
  auto print = [](const Result<int64_t> &offset) {
    return offset ? Text(std::to_string(*offset))
                  : Text::failure(offset.error());
  };
  if (const auto *layout = std::get_if<Layout>(&value))
    return print(layout->evaluate(at));
  if (const auto *composed = std::get_if<ComposedLayout>(&value))
    return print(composed->evaluate(at));
  const auto *registers = std::get_if<RegisterLayout>(&value);
  if (!registers)
    return Text::failure("expected a layout, got " + describe(value));
  // The coordinate in the box of (lane, warp, value).
  const Layout &layout = registers->getLayout();
  Result<IntTuple> natural = naturalCoordinate(at, layout.shape());
  if (!natural)
    return Text::failure(natural.error());
  auto index = [&](size_t level) {
    return crd2idx((*natural)[level], layout.shape()[level]);
  };
  return toString(
      IntTuple::flat(registers->coordinate(index(0), index(1), index(2))));
}
