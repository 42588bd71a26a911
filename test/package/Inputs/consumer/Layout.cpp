// Layout.cpp - composes two layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Compose.h"
#include "tile/Layout/Print.h"

#include <iostream>

int main() {
  tile::Layout rows = *tile::parseLayout("(4,8):(8,1)");
  tile::Layout everySecond = *tile::parseLayout("8:2");
  std::cout << tile::toString(*tile::compose(rows, everySecond)) << "\n";
}
