// Tiler.cpp - the right operand of operations that work mode by mode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Tiler.h"

#include "tile/Layout/Print.h"

#include <string>

using namespace tile;

Result<Tiler> Tiler::ofShape(const IntTuple &shape) {
  if (shape.isLeaf()) {
    Result<Layout> layout = Layout::get(shape, 1);
    if (!layout)
      return Result<Tiler>::failure(layout.error());
    return Tiler(*std::move(layout));
  }
  std::vector<Tiler> elements;
  for (size_t i = 0; i < shape.size(); ++i) {
    Result<Tiler> element = ofShape(shape[i]);
    if (!element)
      return element;
    elements.push_back(*std::move(element));
  }
  return list(std::move(elements));
}

Result<Layout> tile::applyByMode(const Layout &layout, const Tiler &tiler,
                                 ModesWithoutTiler others,
                                 Result<Layout> (*operation)(const Layout &,
                                                             const Layout &)) {
  if (tiler.isLayout())
    return operation(layout, tiler.layout());
  if (tiler.size() == 0 || tiler.size() > layout.rank())
    return Result<Layout>::failure("expected 1 to " +
                                   std::to_string(layout.rank()) +
                                   " tilers (the modes of " + toString(layout) +
                                   "), got " + std::to_string(tiler.size()));
  std::vector<Layout> modes;
  for (size_t i = 0; i < tiler.size(); ++i) {
    Result<Layout> mode =
        applyByMode(layout.mode(i), tiler[i], others, operation);
    if (!mode)
      return Result<Layout>::failure("mode " + std::to_string(i) + ": " +
                                     mode.error());
    modes.push_back(*std::move(mode));
  }
  if (others == ModesWithoutTiler::kKeep)
    for (size_t i = tiler.size(); i < layout.rank(); ++i)
      modes.push_back(layout.mode(i));
  return concatenate(modes);
}
