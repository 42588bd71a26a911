// main.cpp - a small front end for tile-mlir
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   embed "y = a*x + b"
//
// Builds a kernel from the line, compiles it to PTX, runs it on the emulator,
// and compares the results with those of the host.

#include "BuildKernel.h"
#include "Expression.h"
#include "RunKernel.h"

#include "tile/IR/Tile.h"
#include "tile/Registration.h"
#include "tile/Target/Compiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <iostream>

using namespace embed;

/// The size of the arrays, which is not a multiple of a block.
static constexpr size_t kElements = 2500;

/// Makes an array of positive and negative values for each input, and one for
/// the result.
static std::vector<std::vector<float>> makeArrays(size_t numInputs) {
  std::vector<std::vector<float>> arrays(numInputs + 1);
  for (size_t n = 0; n < arrays.size(); ++n)
    for (size_t i = 0; i < kElements; ++i)
      arrays[n].push_back(float((i * (n + 7)) % 1001) * 0.01f - 5.0f);
  return arrays;
}

/// Counts the elements whose value differs between the kernel and the host.
static size_t countDifferences(const Statement &statement,
                               const std::vector<std::vector<float>> &arrays) {
  size_t count = 0;
  std::vector<float> inputs(statement.inputs.size());
  for (size_t i = 0; i < kElements; ++i) {
    for (size_t n = 0; n < inputs.size(); ++n)
      inputs[n] = arrays[n][i];
    count += arrays.back()[i] != evaluate(statement.value, inputs);
  }
  return count;
}

/// Prints the kernel's entry points in PTX.
static llvm::LogicalResult compileToPTX(mlir::ModuleOp module) {
  tile::CompileOptions options;
  options.pipeline.arch = "sm_80";
  options.stage = tile::CompileStage::kPTX;
  mlir::FailureOr<tile::CompiledModule> compiled =
      tile::compile(module, options);
  if (failed(compiled))
    return llvm::failure();
  std::cout << "PTX for sm_80: " << compiled->ptx.size() << " bytes\n";
  for (const auto &entry : compiled->metadata.kernels[0].entries)
    std::cout << "entry point " << entry.symbol << "\n";
  return llvm::success();
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: embed 'y = a*x + b'\n";
    return 2;
  }
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  // The dialects whose operations a front end builds must be loaded.
  context.loadDialect<tile::TileDialect, mlir::arith::ArithDialect>();

  // Errors of this program and of the compiler show the text of the expression.
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(argv[1], "expression"), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);

  mlir::FailureOr<Statement> statement = parse(argv[1], &context);
  if (failed(statement))
    return 1;
  mlir::OwningOpRef<mlir::ModuleOp> module = buildKernel(*statement);
  if (failed(mlir::verify(*module)))
    return 1;

  mlir::OwningOpRef<mlir::ModuleOp> copy(module->clone());
  if (failed(compileToPTX(*copy)))
    return 1;
  std::vector<std::vector<float>> arrays = makeArrays(statement->inputs.size());
  if (llvm::Error error = runKernel(*module, arrays)) {
    std::cerr << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  size_t differences = countDifferences(*statement, arrays);
  std::cout << kElements - differences << " of " << kElements
            << " elements are the host's\n";
  return differences == 0 ? 0 : 1;
}
