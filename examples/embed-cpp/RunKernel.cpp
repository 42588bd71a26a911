// RunKernel.cpp - runs a kernel on the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunKernel.h"

#include "tile/Execution/EmulatorJit.h"
#include "tile/Runtime/Arguments.h"

using namespace embed;
using namespace tile;

static runtime::ArrayView viewArray(std::vector<float> &array) {
  runtime::ArrayView view;
  view.type = runtime::ElementType::F32;
  view.address = reinterpret_cast<uintptr_t>(array.data());
  view.sizes = {int64_t(array.size())};
  view.strides = {1};
  return view;
}

/// Describes the memory that the emulator lets a kernel access.
static EmulatorArray describeArray(std::vector<float> &array) {
  return {array.data(),
          array.size() * sizeof(float),
          {int64_t(array.size())},
          {sizeof(float)},
          sizeof(float)};
}

llvm::Error embed::runKernel(mlir::ModuleOp module,
                             std::vector<std::vector<float>> &arrays) {
  auto program = EmulatorProgram::compile(module, /*arch=*/"");
  if (!program)
    return program.takeError();
  const runtime::KernelMetadata &kernel = (*program)->getMetadata().kernels[0];

  // The plan has the entry point and the grid, as for a launch on a GPU.
  std::vector<runtime::KernelArgument> arguments;
  for (std::vector<float> &array : arrays)
    arguments.push_back(viewArray(array));
  runtime::Result<runtime::LaunchPlan> plan =
      runtime::planLaunch(kernel, arguments, /*grid=*/std::nullopt);
  if (!plan)
    return llvm::createStringError(plan.error().message);
  runtime::ParameterList parameters(kernel, arguments, /*hidden=*/{});

  EmulatorRun run;
  run.entry = kernel.entries[plan->entry].symbol;
  run.parameters = parameters.data();
  run.grid = plan->grid;
  for (std::vector<float> &array : arrays)
    run.arrays.push_back(describeArray(array));
  return (*program)->run(run).takeError();
}
