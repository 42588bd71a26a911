// Runtime.cpp - parses metadata and packs a scalar
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/Arguments.h"
#include "tile/Runtime/KernelMetadata.h"

#include <iostream>

using namespace tile::runtime;

int main() {
  Result<ScalarValue> value = parseScalar(ElementType::F16, "1.5");
  std::cout << "f16 1.5 is " << int(value->bytes[1]) << "\n";
  std::cout << fromJson("{}", "empty.json").error().message << "\n";
}
