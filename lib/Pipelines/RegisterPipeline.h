// RegisterPipeline.h - a pipeline by name, with errors that list its options
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_PIPELINES_REGISTERPIPELINE_H
#define TILE_LIB_PIPELINES_REGISTERPIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tile {

/// Returns the names of a pipeline's options, such as "arch, tiling"; "none" if
/// it has no options.
template <typename Options>
std::string listOptions() {
  struct Names : Options {
    std::string list() const {
      llvm::SmallVector<llvm::StringRef> names(this->OptionsMap.keys());
      llvm::sort(names);
      return names.empty() ? "none" : llvm::join(names, ", ");
    }
  };
  return Names().list();
}

/// Registers a pipeline. An error about options lists those that exist. By
/// contrast, mlir::PassPipelineRegistration never lists them, and fails without
/// a message if a pipeline without options is given some.
template <typename Options>
void registerPipeline(llvm::StringRef name, llvm::StringRef description,
                      void (*build)(mlir::OpPassManager &, const Options &)) {
  auto parseAndBuild =
      [build, name = name.str()](
          mlir::OpPassManager &pm, llvm::StringRef text,
          llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)> onError)
      -> llvm::LogicalResult {
    Options options;
    std::string reason;
    llvm::raw_string_ostream stream(reason);
    if (failed(options.parseFromString(text, stream)))
      return onError("expected options of -" + name + " (" +
                     listOptions<Options>() + "), got '" + text + "'" +
                     (reason.empty() ? "" : ": ") +
                     llvm::StringRef(reason).rtrim());
    build(pm, options);
    return llvm::success();
  };
  auto withOptions =
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(Options());
      };
  mlir::registerPassPipeline(name, description, parseAndBuild, withOptions);
}

} // namespace tile

#endif // TILE_LIB_PIPELINES_REGISTERPIPELINE_H
