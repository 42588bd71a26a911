// FuzzMetadata.cpp - passes damaged metadata of kernels to its parser
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/KernelMetadata.h"

#include <cstdlib>

using namespace tile::runtime;

/// Checks that accepted metadata can be written, parsed again and evaluated.
static void check(const ModuleMetadata &module) {
  Result<ModuleMetadata> again = fromJson(toJson(module), "again.json");
  if (!again || !(*again == module))
    std::abort();
  std::vector<ArgumentFacts> facts;
  for (const KernelMetadata &kernel : module.kernels) {
    facts.clear();
    for (const Argument &argument : kernel.arguments) {
      ArgumentFacts fact;
      for (const StaticOrRunTime &size : argument.shape)
        fact.sizes.push_back(size.value_or(17));
      for (const StaticOrRunTime &stride : argument.strides)
        fact.strides.push_back(stride.value_or(3));
      facts.push_back(std::move(fact));
    }
    if (kernel.grid)
      for (const Expression &extent : *kernel.grid)
        (void)evaluate(extent, facts);
    for (const HiddenArgument &hidden : kernel.hiddenArguments)
      (void)evaluate(hidden.bytes, facts);
    for (const EntryPoint &entry : kernel.entries)
      for (const Predicate &predicate : entry.predicates)
        (void)holds(predicate, facts);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  if (Result<ModuleMetadata> module = fromJson(text, "kernels.json"))
    check(*module);
  else if (module.error().message.empty())
    std::abort();
  return 0;
}
