// DerivativesTest.cpp - tests that each operation has a derivative or a reason
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Gradient/DerivativeInterfaces.h"
#include "tile/IR/Tile.h"
#include "tile/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace mlir;

namespace {

/// A row of docs/operation-derivatives.csv.
struct Row {
  bool hasDerivative;
  std::string note;
};

std::map<std::string, Row> readTable() {
  std::map<std::string, Row> table;
  std::ifstream file(TILE_DERIVATIVES);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "operation,derivative,note");
  while (std::getline(file, line)) {
    auto [name, rest] = llvm::StringRef(line).split(',');
    auto [derivative, note] = rest.split(',');
    EXPECT_TRUE(derivative == "yes" || derivative == "no") << line;
    table["tile." + name.str()] = {derivative == "yes", note.str()};
  }
  return table;
}

TEST(Derivatives, EachOperationHasOneOrAReason) {
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::map<std::string, Row> table = readTable();
  size_t count = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "tile" || tile::isOldSpelling(name))
      continue;
    ++count;
    auto row = table.find(name.getStringRef().str());
    ASSERT_NE(row, table.end()) << name.getStringRef().str();
    EXPECT_EQ(name.hasInterface<tile::TangentOpInterface>(),
              row->second.hasDerivative)
        << row->first;
    EXPECT_TRUE(row->second.hasDerivative || !row->second.note.empty())
        << row->first;
  }
  EXPECT_EQ(count, table.size());
}

/// The tangents that a rule creates are operands of operations with a
/// transpose: of the same operation, if it is linear.
TEST(Derivatives, LinearOperationsHaveTransposes) {
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  for (const char *name :
       {"tile.load", "tile.store", "tile.matmul", "tile.reduce", "tile.scan",
        "tile.gather", "tile.scatter", "tile.atomic_rmw", "tile.iota",
        "tile.fft", "tile.take", "tile.put", "arith.addf", "arith.mulf",
        "arith.divf", "complex.mul", "scf.for", "scf.if"})
    EXPECT_TRUE(RegisteredOperationName::lookup(name, &context)
                    ->hasInterface<tile::LinearOpInterface>())
        << name;
}

} // namespace
