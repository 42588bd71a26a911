// MemoryTest.cpp - tests that repeated compilations do not accumulate memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Execution/CpuJit.h"
#include "tile/Execution/EmulatorJit.h"
#include "tile/Registration.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cstdio>

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

using namespace mlir;
using namespace tile;

namespace {

constexpr const char *kProgram = R"(
tile.kernel @twice(%in: memref<64xf32>, %out: memref<64xf32>) {
  %zero = arith.constant 0 : index
  %t = tile.load %in[%zero] : memref<64xf32> -> !tile.tile<64xf32>
  %sum = arith.addf %t, %t : !tile.tile<64xf32>
  tile.store %sum, %out[%zero] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
})";

/// Memory of this process, in bytes.
struct Memory {
  int64_t inUse;  ///< allocated by malloc
  int64_t mapped; ///< all mapped memory, including compiled code

  static Memory now() {
    struct mallinfo2 info = mallinfo2();
    long pages = 0;
    if (FILE *file = std::fopen("/proc/self/statm", "r")) {
      EXPECT_EQ(std::fscanf(file, "%ld", &pages), 1);
      std::fclose(file);
    }
    return {static_cast<int64_t>(info.uordblks + info.hblkhd),
            pages * sysconf(_SC_PAGESIZE)};
  }
};

/// Compiles and runs the program once, in its own context.
void compileAndRun(const DialectRegistry &registry, bool isEmulated) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(kProgram, &context);
  ASSERT_TRUE(module);
  std::vector<float> in(64, 1.5f), out(64);
  void *pointers[] = {in.data(), out.data()};
  void *parameters[] = {&pointers[0], &pointers[1]};
  if (isEmulated) {
    auto program = llvm::cantFail(EmulatorProgram::compile(*module, "sm_80"));
    EmulatorRun run;
    run.entry = program->getMetadata().kernels[0].entries.back().symbol;
    run.parameters = parameters;
    run.arrays = {{in.data(), 256, {64}, {4}, 4},
                  {out.data(), 256, {64}, {4}, 4}};
    run.threads = 1;
    llvm::cantFail(program->run(run));
  } else {
    auto program = llvm::cantFail(CpuProgram::compile(*module));
    llvm::cantFail(program->run("twice", parameters, {1, 1, 1}, 1));
  }
  EXPECT_EQ(out[63], 3.0f);
}

/// Expects that repeated compilations and runs keep no memory. The bounds are
/// far below a tenth of the memory of one program.
void expectNothingKept(bool isEmulated) {
  if (mallinfo2().uordblks == 0)
    GTEST_SKIP() << "this malloc does not count";
  DialectRegistry registry;
  registerAllDialects(registry);
  for (int n = 0; n < 3; ++n)
    compileAndRun(registry, isEmulated);
  Memory before = Memory::now();
  constexpr int kCount = 15;
  for (int n = 0; n < kCount; ++n)
    compileAndRun(registry, isEmulated);
  Memory after = Memory::now();
  EXPECT_LT((after.inUse - before.inUse) / kCount, 16 << 10);
  EXPECT_LT((after.mapped - before.mapped) / kCount, 616 << 10);
}

TEST(Memory, CpuProgramsLeaveNothing) { expectNothingKept(false); }
TEST(Memory, EmulatorProgramsLeaveNothing) { expectNothingKept(true); }

} // namespace
