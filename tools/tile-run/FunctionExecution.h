// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- FunctionExecution.h - run a function of the host ---------*- C++ -*-===//
//
// As Execution.h runs kernels. Temporaries begin as bytes 0xFF (NaN for
// floats), where they are in memory of the host.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_TOOLS_TILERUN_FUNCTIONEXECUTION_H
#define TILE_TOOLS_TILERUN_FUNCTIONEXECUTION_H

#include "Execution.h"
#include "tile/Runtime/Function.h"

namespace tile::runtime {

Result<std::vector<double>> runOnCuda(const Function &function,
                                      const CudaDevice &device,
                                      std::vector<Operand> &operands,
                                      const ExecutionOptions &options);
/// What it counted of each launch, one below the other; as JSON a list of
/// objects with "kernel" and "profile".
Result<EmulationProfile> runOnEmulator(const CompiledProgram &program,
                                       const HostFunction &function,
                                       std::vector<Operand> &operands,
                                       const ExecutionOptions &options);
Result<std::vector<double>> runOnCpu(const CompiledProgram &program,
                                     const HostFunction &function,
                                     std::vector<Operand> &operands,
                                     const ExecutionOptions &options);

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_FUNCTIONEXECUTION_H
