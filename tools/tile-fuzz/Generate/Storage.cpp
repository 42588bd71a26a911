// Storage.cpp - declared storages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

using namespace tile::fuzz;

/// To a declared storage and back.
void Generator::addConvertLayout(const Tile &x) {
  std::string stored = x.type.str(
      random.pick<std::string>({", #tile.shared", ", #tile.register"}));
  std::string name = fresh();
  line(name + " = tile.convert_layout " + x.name + " : " + x.type.str() +
       " to " + stored);
  add(x.type,
      "tile.convert_layout " + name + " : " + stored + " to " + x.type.str());
}
