// EstimateLaunch.cpp - the estimated time of a launch of a tile program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/EstimateLaunch.h"

#include "tile/Analysis/KernelResources.h"
#include "tile/Analysis/Levels.h"
#include "tile/Target/BuildMetadata.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tile;

static LogicalResult runPasses(ModuleOp module,
                               function_ref<void(OpPassManager &)> build) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableVerifier(false);
  build(passes);
  return passes.run(module);
}

/// Returns the first kernel of a module.
static KernelOp getKernel(ModuleOp module) {
  return *module.getOps<KernelOp>().begin();
}

static LogicalResult makeVariants(ModuleOp module,
                                  const TilePhasesOptions &options) {
  FailureOr<Level> level = getLevel(module);
  if (failed(level))
    return failure();
  if (*level >= Level::distributed)
    return getKernel(module).emitError("expected a kernel at level 'source' or "
                                       "'decomposed', got one at '")
           << stringifyLevel(*level) << "'";
  return runPasses(module, [&](OpPassManager &passes) {
    buildTileVariants(passes, options, *level);
  });
}

/// Plans the launch, and erases all kernels except for the variant that it
/// takes.
static FailureOr<runtime::LaunchPlan>
keepEntry(ModuleOp module, StringRef architecture,
          const std::vector<runtime::KernelArgument> &arguments,
          const std::optional<runtime::Grid> &grid) {
  FailureOr<runtime::ModuleMetadata> metadata =
      describeModule(module, architecture);
  if (failed(metadata))
    return failure();
  const runtime::KernelMetadata &kernel = metadata->kernels.front();
  runtime::Result<runtime::LaunchPlan> plan =
      runtime::planLaunch(kernel, arguments, grid);
  if (!plan)
    return getKernel(module).emitError(plan.error().message);
  StringRef symbol = kernel.entries[plan->entry].symbol;
  for (auto variant : llvm::make_early_inc_range(module.getOps<KernelOp>()))
    if (variant.getSymName() != symbol)
      variant.erase();
  return std::move(*plan);
}

/// Returns the sizes of the launch's arguments and of the workspaces, which
/// follow them.
static LaunchSizes
getLaunchSizes(KernelOp kernel,
               const std::vector<runtime::KernelArgument> &arguments,
               runtime::Grid grid) {
  LaunchSizes launch;
  launch.grid = grid;
  for (runtime::ArgumentFacts &facts : runtime::getFacts(arguments))
    launch.arguments.push_back({std::move(facts.sizes), facts.integer});
  for (Type type : kernel.getArgumentTypes().drop_front(arguments.size()))
    launch.arguments.push_back(
        {cast<MemRefType>(type).getShape().vec(), std::nullopt});
  return launch;
}

/// Fails at a kernel whose tiles do not fit shared memory together.
static LogicalResult verifyFits(KernelOp kernel, const BlockResources &block,
                                const Architecture &architecture) {
  if (block.sharedBytes <= architecture.sharedBytesPerBlock)
    return success();
  return kernel.emitError("expected at most ")
         << architecture.sharedBytesPerBlock
         << " bytes of tiles in shared memory on " << architecture.name
         << ", got " << block.sharedBytes;
}

FailureOr<LaunchEstimate>
tile::estimateLaunch(ModuleOp module, const TilePhasesOptions &options,
                     const std::vector<runtime::KernelArgument> &arguments,
                     const std::optional<runtime::Grid> &grid) {
  const Architecture *architecture =
      setTargetArchitecture(module, options.arch);
  if (!architecture)
    return failure();
  const Machine &machine = getMachineOfEstimates(*architecture);
  if (failed(makeVariants(module, options)))
    return failure();
  FailureOr<runtime::LaunchPlan> plan =
      keepEntry(module, architecture->name, arguments, grid);
  if (failed(plan))
    return failure();
  LaunchEstimate estimate;
  estimate.part = machine.part.str();
  estimate.entry = getKernel(module).getSymName().str();
  if (plan->isEmpty())
    return estimate;
  if (failed(runPasses(module, [&](OpPassManager &passes) {
        buildTilePlans(passes, options);
      })))
    return failure();
  KernelOp kernel = getKernel(module);
  estimate.resources =
      collectResources(kernel, getLaunchSizes(kernel, arguments, plan->grid),
                       *architecture, machine);
  if (failed(verifyFits(kernel, estimate.resources.block, *architecture)))
    return failure();
  constexpr double kGigaInMicro = 1e-3;
  estimate.microseconds = estimateCycles(machine, estimate.resources) *
                          kGigaInMicro / machine.gigahertz;
  return estimate;
}

static llvm::json::Value toJson(const Section &section) {
  const Resources &each = section.each;
  return llvm::json::Object{{"executions", section.executions},
                            {"most", section.most},
                            {"stages", section.stages},
                            {"mmaCycles", each.mmaCycles},
                            {"wavefronts", each.wavefronts},
                            {"slots", each.slots},
                            {"copiedBytes", each.copiedBytes},
                            {"loadedBytes", each.loadedBytes},
                            {"storedBytes", each.storedBytes},
                            {"spilledBytes", each.spilledBytes},
                            {"loads", each.loads},
                            {"shuffles", each.shuffles},
                            {"barriers", each.barriers}};
}

llvm::json::Value tile::toJson(const LaunchEstimate &estimate) {
  const LaunchResources &launch = estimate.resources;
  llvm::json::Array sections;
  for (const Section &section : launch.block.sections)
    sections.push_back(::toJson(section));
  return llvm::json::Object{{"part", estimate.part},
                            {"entry", estimate.entry},
                            {"microseconds", estimate.microseconds},
                            {"blocks", launch.blocks},
                            {"blocksPerProcessor", launch.blocksPerProcessor},
                            {"memoryBytes", launch.memoryBytes},
                            {"threads", launch.block.threads},
                            {"registers", launch.block.registers},
                            {"sharedBytes", launch.block.sharedBytes},
                            {"sections", std::move(sections)}};
}
