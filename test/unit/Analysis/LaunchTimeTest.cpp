// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/python/estimates.test compares the model with measured times.

#include "tile/Analysis/LaunchTime.h"

#include <gtest/gtest.h>

using namespace tile;

/// Returns a launch whose blocks run a loop of 100 steps.
static LaunchResources makeLaunch(double mmaCycles, double copiedBytes) {
  Section loop;
  loop.executions = loop.most = 100;
  loop.stages = 4;
  loop.each.mmaCycles = mmaCycles;
  loop.each.copiedBytes = copiedBytes;
  Section once;
  once.executions = once.most = 1;
  once.each.storedBytes = 65536;
  LaunchResources launch;
  launch.block.sections = {once, loop};
  launch.block.threads = 256;
  launch.blocks = 132;
  return launch;
}

// An estimate grows with each resource, and shrinks if a multiprocessor runs
// more blocks at a time.
TEST(LaunchTime, GrowsWithResources) {
  const Machine *machine = findMachine(*findArchitecture("sm_90a"));
  ASSERT_TRUE(machine);
  LaunchResources launch = makeLaunch(1000, 49152);
  double least = estimateCycles(*machine, launch);
  auto grows = [&](auto change) {
    LaunchResources more = launch;
    change(more, more.block.sections[0], more.block.sections[1]);
    return estimateCycles(*machine, more) > least;
  };
  EXPECT_TRUE(grows(
      [](auto &, auto &, auto &loop) { loop.executions = loop.most = 101; }));
  EXPECT_TRUE(
      grows([](auto &, auto &, auto &loop) { loop.each.mmaCycles = 2000; }));
  EXPECT_TRUE(
      grows([](auto &, auto &, auto &loop) { loop.each.copiedBytes = 98304; }));
  EXPECT_TRUE(grows([](auto &, auto &, auto &loop) { loop.stages = 2; }));
  EXPECT_TRUE(grows(
      [](auto &, auto &once, auto &) { once.each.storedBytes = 131072; }));
  EXPECT_TRUE(grows([](auto &more, auto &, auto &) { more.blocks = 133; }));
  EXPECT_TRUE(
      grows([](auto &more, auto &, auto &) { more.memoryBytes = 1e9; }));
  launch = makeLaunch(100, 16384);
  launch.blocks = 264;
  double alone = estimateCycles(*machine, launch);
  launch.blocksPerProcessor = 2;
  EXPECT_LT(estimateCycles(*machine, launch), alone);
}
