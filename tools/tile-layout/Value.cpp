// Value.cpp - what an expression of tile-layout can be
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Value.h"

#include "tile/Layout/Print.h"

using namespace tile;
using namespace tile::layouttool;

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

std::string layouttool::toText(const Value &value) {
  return std::visit([](const auto &v) { return print(v); }, value);
}

std::string layouttool::describe(const Value &value) {
  return std::visit([](const auto &v) { return nameOf(v) + " " + print(v); },
                    value);
}
