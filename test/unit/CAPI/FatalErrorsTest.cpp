// FatalErrorsTest.cpp - errors that LLVM calls fatal end only one call
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiler/Compiler.h"

#include "tile/IR/Tile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Threading.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"

#include <thread>

using namespace tile::capi;

/// Suppresses leaks of calls that a fatal error ends, which release nothing.
extern "C" const char *__lsan_default_suppressions() {
  return "leak:GuardedCall\nleak:tile_compile\n";
}

static const char kProgram[] = "tile.kernel @k() {\n  tile.return\n}\n";

/// Returns the status of a compilation to PTX.
static tile_status compile(tile_compiler *compiler) {
  tile_compile_options options = {};
  options.struct_size = sizeof options;
  options.outputs = TILE_OUTPUT_PTX;
  tile_result *result;
  tile_status status =
      tile_compile(compiler, kProgram, sizeof kProgram - 1, &options, &result);
  EXPECT_EQ(result != nullptr, status == TILE_STATUS_OK);
  EXPECT_EQ(tile_result_destroy(result), TILE_STATUS_OK);
  return status;
}

static tile_compiler *create() {
  tile_compiler *compiler;
  EXPECT_EQ(tile_compiler_create(TILE_API_VERSION, nullptr, &compiler),
            TILE_STATUS_OK);
  return compiler;
}

/// Makes LLVM report a fatal error as soon as a program is parsed.
static void spoil(tile_compiler *compiler) {
  std::shared_ptr<Compiler> found;
  ASSERT_EQ(findHandle(compiler, found), TILE_STATUS_OK);
  found->dialects.addExtension(+[](mlir::MLIRContext *, tile::TileDialect *) {
    llvm::report_fatal_error("no more tea");
  });
}

TEST(FatalErrors, EndTheCall) {
  tile_compiler *compiler = create();
  EXPECT_EQ(compile(compiler), TILE_STATUS_OK);
  spoil(compiler);
  EXPECT_EQ(compile(compiler), TILE_STATUS_INTERNAL_ERROR);
  EXPECT_STREQ(tile_compiler_last_error(),
               "internal error of LLVM: no more tea");
  // The handle refuses all calls except to be destroyed.
  EXPECT_EQ(compile(compiler), TILE_STATUS_POISONED_HANDLE);
  EXPECT_STREQ(tile_compiler_last_error(),
               "expected a compiler that serves, found one of a call that "
               "ended with an internal error of LLVM");
  EXPECT_EQ(tile_compiler_destroy(compiler), TILE_STATUS_OK);
  EXPECT_EQ(compile(compiler), TILE_STATUS_DESTROYED_HANDLE);
  // Other handles are unaffected.
  compiler = create();
  EXPECT_EQ(compile(compiler), TILE_STATUS_OK);
  EXPECT_EQ(tile_compiler_destroy(compiler), TILE_STATUS_OK);
}

TEST(FatalErrors, EndTheCallOnItsThread) {
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  std::vector<tile_status> statuses(kThreads);
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([i, &statuses] {
      tile_compiler *compiler = create();
      if (i % 2)
        spoil(compiler);
      statuses[i] = compile(compiler);
      EXPECT_EQ(tile_compiler_destroy(compiler), TILE_STATUS_OK);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < kThreads; ++i)
    EXPECT_EQ(statuses[i], i % 2 ? TILE_STATUS_INTERNAL_ERROR : TILE_STATUS_OK);
}

TEST(FatalErrors, OfTasksEndTheCallThatWaits) {
  GuardedThreadPool pool(4);
  std::atomic<int> ended = 0;
  bool wentOn = false;
  GuardedCall call;
  bool isGood = call.run([&] {
    auto *context = new mlir::MLIRContext(
        mlir::MLIRContext::Threading::DISABLED); // Leaked, as in a failed call.
    context->setThreadPool(pool);
    mlir::parallelFor(context, 0, 100, [&](size_t i) {
      if (i == 42)
        llvm::report_fatal_error("of task 42");
      ++ended;
    });
    wentOn = true;
  });
  EXPECT_FALSE(isGood);
  EXPECT_EQ(call.getMessage(), "of task 42");
  EXPECT_FALSE(wentOn);
  EXPECT_LT(ended, 100);

  // The pool's threads can execute other calls.
  GuardedCall next;
  ended = 0;
  EXPECT_TRUE(next.run([&] {
    llvm::ThreadPoolTaskGroup group(pool);
    for (int i = 0; i < 100; ++i)
      group.async([&] { ++ended; });
    group.wait();
  }));
  EXPECT_EQ(ended, 100);
}

TEST(FatalErrors, OfCallsInEachOtherEndTheInner) {
  GuardedCall outer, inner;
  bool isInnerGood = true;
  EXPECT_TRUE(outer.run([&] {
    isInnerGood = inner.run([] { llvm::report_fatal_error("inside"); });
  }));
  EXPECT_FALSE(isInnerGood);
}
