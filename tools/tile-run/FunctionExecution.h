// FunctionExecution.h - runs a host function, which launches kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions correspond to those of Execution.h. Temporaries in host
// memory initially consist of bytes 0xFF (NaN for floats).

#ifndef TILE_TOOLS_TILERUN_FUNCTIONEXECUTION_H
#define TILE_TOOLS_TILERUN_FUNCTIONEXECUTION_H

#include "Execution.h"
#include "tile/Runtime/Function.h"

namespace tile::runtime {

Result<std::vector<double>> runOnCuda(const Function &function,
                                      const CudaDevice &device,
                                      std::vector<Operand> &operands,
                                      const ExecutionOptions &options);
/// Returns the counters of all launches: concatenated as text, and as a JSON
/// list of objects with "kernel" and "profile".
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
