// TileToNVVMOptionsTest.cpp - options of the pipelines as values and as text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Pipelines/TileToNVVM.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tile;

namespace {

std::string print(const TileToNVVMOptions &options) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  options.print(stream);
  return text;
}

TEST(TileToNVVMOptions, AreWhatTheTextSays) {
  auto options = TileToNVVMOptions::createFromString(
      "arch=sm_90a check-bounds tiling={warps=2,4 atom=fma operands=global "
      "stages=3}");
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->arch, "sm_90a");
  EXPECT_TRUE(options->checkBounds);
  EXPECT_EQ(options->tiling.warps, (llvm::SmallVector<int64_t>{2, 4}));
  EXPECT_TRUE(options->tiling.sub.empty());
  EXPECT_EQ(options->tiling.atom, "fma");
  EXPECT_EQ(options->tiling.operands, OperandSource::global);
  EXPECT_EQ(options->tiling.vector, 0);
  EXPECT_EQ(options->tiling.stages, 3);
}

TEST(TileToNVVMOptions, AreReadBackAsPrinted) {
  TileToNVVMOptions options;
  options.arch = "sm_86";
  WarpTilingOptions tiling;
  tiling.thread = {8, 4};
  tiling.atom = "m16n8k16";
  tiling.vector = 2;
  options.tiling = tiling;
  std::string text = print(options);
  auto read = TileToNVVMOptions::createFromString(
      llvm::StringRef(text).trim().drop_front().drop_back());
  ASSERT_NE(read, nullptr) << text;
  EXPECT_EQ(print(*read), text);
  EXPECT_EQ(read->tiling.thread, tiling.thread);
  EXPECT_EQ(read->tiling.atom, tiling.atom);
  EXPECT_EQ(read->tiling.vector, tiling.vector);
}

TEST(TileToNVVMOptions, AreCopied) {
  TileToNVVMOptions first;
  first.arch = "sm_80";
  first.checkBounds = true;
  first.tiling.stages = 4;
  TileToNVVMOptions second(first);
  first.arch = "sm_89";
  EXPECT_EQ(second.arch, "sm_80");
  EXPECT_TRUE(second.checkBounds);
  EXPECT_EQ(second.tiling.stages, 4);
  second = first;
  EXPECT_EQ(second.arch, "sm_89");
}

TEST(TilingOptions, NothingGivenIsTheDefault) {
  EXPECT_FALSE(isTilingGiven({}));
  WarpTilingOptions options;
  std::string error;
  ASSERT_TRUE(succeeded(parseTilingOptions("vector=4", options, error)));
  EXPECT_TRUE(isTilingGiven(options));
  ASSERT_TRUE(succeeded(parseTilingOptions("", options, error)));
  EXPECT_FALSE(isTilingGiven(options));
}

TEST(TilingOptions, AnErrorLeavesThemAsTheyAre) {
  WarpTilingOptions options;
  options.stages = 5;
  std::string error;
  EXPECT_TRUE(failed(parseTilingOptions("stages=2 step=1", options, error)));
  EXPECT_EQ(options.stages, 5);
  EXPECT_EQ(error, "expected options of -tile-warp-tiling, got 'stages=2 "
                   "step=1': <Pass-Options-Parser>: no such option step");
}

} // namespace
