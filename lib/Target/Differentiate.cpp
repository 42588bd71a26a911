// Differentiate.cpp - add derivatives to a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/Differentiate.h"

#include "tile/IR/Tile.h"
#include "tile/Target/BuildMetadata.h"
#include "tile/Target/DescribeHostFunctions.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tile;

static bool hasCalls(ModuleOp module) {
  return module.walk([](func::CallOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

LogicalResult tile::addDerivatives(ModuleOp module,
                                   std::unique_ptr<Pass> gradient) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  CanonicalFormOptions options;
  options.keepsCustom = true;
  passes.addPass(createCanonicalForm(options));
  passes.addPass(std::move(gradient));
  if (failed(passes.run(module)))
    return failure();
  // Calls that were kept are inlined now.
  if (!hasCalls(module))
    return success();
  PassManager rest(module.getContext(), ModuleOp::getOperationName());
  rest.addPass(createCanonicalForm());
  return rest.run(module);
}

/// Erases the kernels or functions of these names that no other symbol uses.
/// Erasing a kernel may leave its custom derivative without a use.
template <typename Symbol>
static void eraseUnused(ModuleOp module, const llvm::StringSet<> &names) {
  bool erases = true;
  while (std::exchange(erases, false))
    for (auto symbol : llvm::make_early_inc_range(module.getOps<Symbol>()))
      if (names.contains(symbol.getSymName()) &&
          SymbolTable::symbolKnownUseEmpty(symbol, module)) {
        symbol.erase();
        erases = true;
      }
}

LogicalResult tile::replaceByDerivatives(ModuleOp module,
                                         std::unique_ptr<Pass> gradient) {
  llvm::StringSet<> names;
  for (auto symbol : module.getOps<SymbolOpInterface>())
    names.insert(symbol.getName());
  if (failed(addDerivatives(module, std::move(gradient))))
    return failure();
  // Functions launch kernels, so they are erased first.
  eraseUnused<func::FuncOp>(module, names);
  eraseUnused<KernelOp>(module, names);
  return success();
}

runtime::ModuleMetadata tile::describeInterfaces(ModuleOp module) {
  runtime::ModuleMetadata metadata;
  for (auto kernel : module.getOps<KernelOp>())
    metadata.kernels.push_back(describeKernel(kernel, /*arch=*/""));
  describeHostFunctions(module, metadata);
  return metadata;
}

std::string tile::printWithLocations(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags()
                           .enableDebugInfo(/*enable=*/true,
                                            /*prettyForm=*/false)
                           .useLocalScope());
  return text + "\n";
}
