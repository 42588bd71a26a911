// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks the plans of GEMMs that benchmarks/plans.py measured by their estimated
// times: the plan that the estimate ranks first is compared with the fastest.

#include "tile/Analysis/LaunchTime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace tile;
using llvm::StringRef;

namespace {
/// Decisions of the compiler about a plan (docs/performance/plan-facts.csv).
struct PlanFacts {
  int64_t m, n, k;
  bool byWarp;
  int64_t stages, blocksPerProcessor;
};

/// Extents of a GEMM.
using Sizes = std::array<int64_t, 3>;

/// A plan of a workload, and its measured time.
struct Measured {
  std::string plan;
  double microseconds;
};
} // namespace

static constexpr int64_t kElementBytes = 2;

/// Splits a line of a table; a field may be in quotation marks.
static std::vector<std::string> splitFields(StringRef line) {
  std::vector<std::string> fields(1);
  bool isQuoted = false;
  for (char c : line) {
    if (c == '"')
      isQuoted = !isQuoted;
    else if (c == ',' && !isQuoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

/// Returns the rows of a table without its head.
static std::vector<std::vector<std::string>> readTable(StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(std::string(PERFORMANCE_TABLES "/") +
                                          name.str());
  std::vector<std::vector<std::string>> rows;
  if (!file)
    return rows;
  llvm::SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : llvm::drop_begin(lines))
    rows.push_back(splitFields(line));
  return rows;
}

static int64_t readInteger(StringRef text) {
  int64_t value = 0;
  EXPECT_FALSE(text.getAsInteger(10, value)) << text.str();
  return value;
}

static std::map<std::string, PlanFacts> readFacts() {
  std::map<std::string, PlanFacts> facts;
  for (const std::vector<std::string> &row : readTable("plan-facts.csv"))
    facts[row[0]] = {readInteger(row[1]), readInteger(row[2]),
                     readInteger(row[3]), row[5] == "m16n8k16",
                     readInteger(row[6]), readInteger(row[7])};
  return facts;
}

static std::map<std::string, std::vector<Measured>> readGemms() {
  std::map<std::string, std::vector<Measured>> gemms;
  for (const std::vector<std::string> &row : readTable("plans.csv"))
    if (row[0] == "gemm" && row[2] != "peer" && !row[3].empty())
      gemms[row[1]].push_back({row[2], std::stod(row[3])});
  return gemms;
}

static Sizes readSizes(StringRef text) {
  llvm::SmallVector<StringRef> extents;
  text.split(extents, 'x');
  return {readInteger(extents[0]), readInteger(extents[1]),
          readInteger(extents[2])};
}

static double estimate(const Machine &machine, Sizes sizes,
                       const PlanFacts &plan) {
  auto [m, n, k] = sizes;
  auto area = [](int64_t rows, int64_t columns) {
    return static_cast<double>(rows * columns);
  };
  LaunchResources launch;
  launch.loop.steps = llvm::divideCeil(k, plan.k);
  launch.loop.mmaCycles = getMmaCycles(
      machine, "mma f16", area(plan.m, plan.n) * static_cast<double>(plan.k),
      plan.byWarp);
  launch.loop.copiedBytes =
      kElementBytes * (area(plan.m, plan.k) + area(plan.k, plan.n));
  launch.loop.stages = plan.stages;
  launch.loop.storedBytes = kElementBytes * area(plan.m, plan.n);
  launch.blocks = llvm::divideCeil(m, plan.m) * llvm::divideCeil(n, plan.n);
  launch.blocksPerProcessor = plan.blocksPerProcessor;
  launch.memoryBytes = kElementBytes * (area(m, k) + area(k, n) + area(m, n));
  return estimateCycles(machine, launch);
}

/// Returns the time of the plan with the least estimate, divided by the least
/// time.
static double rank(const Machine &machine, Sizes sizes,
                   const std::vector<Measured> &plans,
                   const std::map<std::string, PlanFacts> &facts) {
  auto estimateOf = [&](const Measured &measured) {
    return estimate(machine, sizes, facts.at(measured.plan));
  };
  const Measured *first = &plans.front(), *best = &plans.front();
  for (const Measured &plan : plans) {
    if (estimateOf(plan) < estimateOf(*first))
      first = &plan;
    if (plan.microseconds < best->microseconds)
      best = &plan;
  }
  return first->microseconds / best->microseconds;
}

// The estimate was fitted to earlier times of the same workloads. The aim is 5
// % at the median and 12 % at worst. Two workloads miss it: the best tile of
// 2160x4984x5344 has the blocks, the waves and the bytes of the tile that is
// ranked first, with m and n exchanged (16 %); for 800x6432x6856 tiles of
// 128x128x128 are ranked first, and those of 128x256x64 are faster (13 %).
// Among plans with the same estimate the first in the table counts.
TEST(LaunchTime, RanksGemms) {
  const Machine *machine = findMachine(*findArchitecture("sm_90a"));
  ASSERT_TRUE(machine && machine->loops);
  std::map<std::string, PlanFacts> facts = readFacts();
  std::map<std::string, std::vector<Measured>> gemms = readGemms();
  ASSERT_EQ(gemms.size(), 60U);
  std::vector<double> ratios;
  std::vector<std::string> misses;
  for (const auto &[sizes, plans] : gemms) {
    ASSERT_GE(plans.size(), 8U) << sizes;
    for (const Measured &plan : plans)
      ASSERT_TRUE(facts.count(plan.plan)) << plan.plan;
    double ratio = rank(*machine, readSizes(sizes), plans, facts);
    ratios.push_back(ratio);
    if (ratio > 1.12)
      misses.push_back(sizes);
  }
  llvm::sort(ratios);
  EXPECT_LT(ratios[ratios.size() / 2], 1.05);
  EXPECT_GE(llvm::count(ratios, 1.0), 40);
  EXPECT_LT(std::accumulate(ratios.begin(), ratios.end(), 0.0), 60 * 1.016);
  EXPECT_EQ(misses,
            (std::vector<std::string>{"2160x4984x5344", "800x6432x6856"}));
  EXPECT_LT(ratios.back(), 1.17);
}

// An estimate grows with each resource, and shrinks if a multiprocessor runs
// more blocks at a time.
TEST(LaunchTime, GrowsWithResources) {
  const Machine *machine = findMachine(*findArchitecture("sm_90a"));
  ASSERT_TRUE(machine && machine->loops);
  LaunchResources launch = {{100, 1000, 49152, 4, 65536}, 132, 1, 0};
  double least = estimateCycles(*machine, launch);
  auto grows = [&](auto change) {
    LaunchResources more = launch;
    change(more);
    return estimateCycles(*machine, more) > least;
  };
  EXPECT_TRUE(grows([](LaunchResources &more) { more.loop.steps = 101; }));
  EXPECT_TRUE(grows([](LaunchResources &more) { more.loop.mmaCycles = 2000; }));
  EXPECT_TRUE(
      grows([](LaunchResources &more) { more.loop.copiedBytes = 98304; }));
  EXPECT_TRUE(grows([](LaunchResources &more) { more.loop.stages = 2; }));
  EXPECT_TRUE(
      grows([](LaunchResources &more) { more.loop.storedBytes = 131072; }));
  EXPECT_TRUE(grows([](LaunchResources &more) { more.blocks = 133; }));
  EXPECT_TRUE(grows([](LaunchResources &more) { more.memoryBytes = 1e9; }));
  launch.loop = {100, 100, 16384, 4, 8192};
  launch.blocks = 264;
  double alone = estimateCycles(*machine, launch);
  launch.blocksPerProcessor = 2;
  EXPECT_LT(estimateCycles(*machine, launch), alone);
}
