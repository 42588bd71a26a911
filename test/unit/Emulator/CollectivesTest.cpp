// CollectivesTest.cpp - tests shuffles, votes, matches and reductions of a warp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

#include <cmath>
#include <random>

using namespace tile::emulator;

namespace {
/// Operands and results of the lanes of one warp.
struct Lanes {
  uint32_t mask = ~0u;
  uint32_t clamp = 31;
  std::array<uint32_t, 32> values, offsets, results, predicates;
};
} // namespace

/// Runs `entry`, which takes Lanes as its parameter, under some schedules;
/// `change` sets the facts of the kernel's sites.
template <typename Change>
static Lanes runLanes(Lanes lanes, KernelEntry entry, Change change) {
  Kernel kernel = makeKernel(entry, 32, 0);
  change(kernel);
  Launch launch;
  void *pointer = &lanes;
  launch.params = {&pointer};
  Lanes first;
  for (uint64_t seed = 0; seed < kNumSeeds; ++seed) {
    Options options;
    options.seed = seed;
    EXPECT_EQ(summarize(run(kernel, launch, options)), "");
    if (seed == 0)
      first = lanes;
    EXPECT_EQ(first.results, lanes.results);
    EXPECT_EQ(first.predicates, lanes.predicates);
  }
  return lanes;
}

static Lanes makeLanes() {
  Lanes lanes;
  std::mt19937 random(11);
  for (uint32_t i = 0; i < 32; ++i) {
    lanes.values[i] = uint32_t(random());
    lanes.offsets[i] = 0;
    lanes.results[i] = lanes.predicates[i] = 77;
  }
  return lanes;
}

static void shuffleLanes(Thread *t, void **params) {
  auto &x = *getParam<Lanes>(params, 0);
  uint32_t lane = tile_emulator_lane(t);
  if (x.mask >> lane & 1)
    x.results[lane] =
        tile_emulator_shuffle(t, kShuffle, x.mask, x.values[lane],
                              x.offsets[lane], x.clamp, &x.predicates[lane]);
}

static Lanes runShuffle(ShuffleMode mode, uint32_t offset, uint32_t clamp) {
  Lanes lanes = makeLanes();
  lanes.offsets.fill(offset);
  lanes.clamp = clamp;
  return runLanes(lanes, shuffleLanes, [&](Kernel &kernel) {
    kernel.sites[kShuffle].shuffle = mode;
  });
}

// Shuffles with widths below 32, as CUDA's __shfl_*_sync encode them: c is
// (32 - width) << 8, plus 31 except for the mode up.

TEST(Shuffle, Butterfly) {
  for (uint32_t offset : {1u, 2u, 16u, 21u}) {
    Lanes lanes = runShuffle(ShuffleMode::Butterfly, offset, 31);
    for (uint32_t i = 0; i < 32; ++i) {
      EXPECT_EQ(lanes.results[i], lanes.values[i ^ offset]);
      EXPECT_EQ(lanes.predicates[i], 1u);
    }
  }
}
TEST(Shuffle, Down) {
  for (uint32_t width : {8u, 32u}) {
    Lanes lanes = runShuffle(ShuffleMode::Down, 3, (32 - width) << 8 | 31);
    for (uint32_t i = 0; i < 32; ++i) {
      bool isInRange = i % width + 3 < width;
      EXPECT_EQ(lanes.results[i], lanes.values[isInRange ? i + 3 : i]);
      EXPECT_EQ(lanes.predicates[i], isInRange);
    }
  }
}
TEST(Shuffle, Up) {
  for (uint32_t width : {8u, 32u}) {
    Lanes lanes = runShuffle(ShuffleMode::Up, 3, (32 - width) << 8);
    for (uint32_t i = 0; i < 32; ++i) {
      bool isInRange = i % width >= 3;
      EXPECT_EQ(lanes.results[i], lanes.values[isInRange ? i - 3 : i]);
      EXPECT_EQ(lanes.predicates[i], isInRange);
    }
  }
}
TEST(Shuffle, Index) {
  for (uint32_t width : {4u, 32u}) {
    Lanes lanes = runShuffle(ShuffleMode::Index, 30, (32 - width) << 8 | 31);
    for (uint32_t i = 0; i < 32; ++i)
      EXPECT_EQ(lanes.results[i], lanes.values[i / width * width + 30 % width]);
  }
}

/// The halves of a warp synchronize separately at the same site.
TEST(Shuffle, HalvesForThemselves) {
  Lanes lanes = makeLanes();
  lanes.offsets.fill(1);
  Lanes done = runLanes(
      lanes,
      [](Thread *t, void **params) {
        auto &x = *getParam<Lanes>(params, 0);
        uint32_t lane = tile_emulator_lane(t);
        uint32_t mask = lane < 16 ? 0xffff : 0xffff0000;
        x.results[lane] = tile_emulator_shuffle(t, kShuffle, mask,
                                                x.values[lane], 1, 31, nullptr);
      },
      [](Kernel &) {});
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(done.results[i], lanes.values[i ^ 1]);
}

static Lanes runVote(VoteMode mode, Lanes lanes) {
  return runLanes(
      lanes,
      [](Thread *t, void **params) {
        auto &x = *getParam<Lanes>(params, 0);
        uint32_t lane = tile_emulator_lane(t);
        if (x.mask >> lane & 1)
          x.results[lane] = tile_emulator_vote(t, kVote, x.mask, x.values[lane],
                                               &x.predicates[lane]);
      },
      [&](Kernel &kernel) { kernel.sites[kVote].vote = mode; });
}

TEST(Vote, AllModes) {
  Lanes lanes = makeLanes();
  lanes.mask = 0x0ff0f00f;
  uint32_t first = 0;
  for (uint32_t set : {0x00f0a001u, 0u, 0x0ff0f00fu}) {
    for (uint32_t i = 0; i < 32; ++i)
      lanes.values[i] = set >> i & 1;
    EXPECT_EQ(runVote(VoteMode::Ballot, lanes).results[first], set);
    EXPECT_EQ(runVote(VoteMode::Any, lanes).results[first], set != 0);
    EXPECT_EQ(runVote(VoteMode::All, lanes).results[first], set == lanes.mask);
    EXPECT_EQ(runVote(VoteMode::Uniform, lanes).results[first],
              set == lanes.mask || !set);
  }
  lanes.mask = 0xff0;
  Lanes elected = runVote(VoteMode::Elect, lanes);
  for (uint32_t i = 4; i < 12; ++i) {
    EXPECT_EQ(elected.results[i], 4u);
    EXPECT_EQ(elected.predicates[i], i == 4);
  }
}

TEST(Match, AnyAndAll) {
  Lanes lanes = makeLanes();
  for (uint32_t i = 0; i < 32; ++i)
    lanes.values[i] = i % 3;
  auto run = [&](MatchMode mode) {
    return runLanes(
        lanes,
        [](Thread *t, void **params) {
          auto &x = *getParam<Lanes>(params, 0);
          uint32_t lane = tile_emulator_lane(t);
          x.results[lane] = tile_emulator_match(t, kVote, ~0u, x.values[lane],
                                                &x.predicates[lane]);
        },
        [&](Kernel &kernel) { kernel.sites[kVote].match = mode; });
  };
  Lanes any = run(MatchMode::Any);
  for (uint32_t i = 0; i < 32; ++i)
    for (uint32_t j = 0; j < 32; ++j)
      EXPECT_EQ(any.results[i] >> j & 1, i % 3 == j % 3);
  EXPECT_EQ(run(MatchMode::All).results[5], 0u);
  EXPECT_EQ(run(MatchMode::All).predicates[5], 0u);
  lanes.values.fill(9);
  EXPECT_EQ(run(MatchMode::All).results[5], ~0u);
  EXPECT_EQ(run(MatchMode::All).predicates[5], 1u);
}

TEST(Redux, AllModes) {
  Lanes lanes = makeLanes();
  auto run = [&](ReduxMode mode) {
    return runLanes(
               lanes,
               [](Thread *t, void **params) {
                 auto &x = *getParam<Lanes>(params, 0);
                 uint32_t lane = tile_emulator_lane(t);
                 x.results[lane] =
                     tile_emulator_redux(t, kVote, ~0u, x.values[lane]);
               },
               [&](Kernel &kernel) { kernel.sites[kVote].redux = mode; })
        .results[13];
  };
  const auto &values = lanes.values;
  auto fold = [&](auto function) {
    uint32_t all = values[0];
    for (uint32_t i = 1; i < 32; ++i)
      all = uint32_t(function(all, values[i]));
    return all;
  };
  using U = uint32_t;
  using I = int32_t;
  EXPECT_EQ(run(ReduxMode::Add), fold([](U a, U b) { return a + b; }));
  EXPECT_EQ(run(ReduxMode::And), fold([](U a, U b) { return a & b; }));
  EXPECT_EQ(run(ReduxMode::Or), fold([](U a, U b) { return a | b; }));
  EXPECT_EQ(run(ReduxMode::Xor), fold([](U a, U b) { return a ^ b; }));
  EXPECT_EQ(run(ReduxMode::SignedMin),
            fold([](I a, I b) { return std::min(a, b); }));
  EXPECT_EQ(run(ReduxMode::SignedMax),
            fold([](I a, I b) { return std::max(a, b); }));
  EXPECT_EQ(run(ReduxMode::UnsignedMin),
            fold([](U a, U b) { return std::min(a, b); }));
  EXPECT_EQ(run(ReduxMode::UnsignedMax),
            fold([](U a, U b) { return std::max(a, b); }));
  auto toBits = [](float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
  };
  for (uint32_t i = 0; i < 32; ++i)
    lanes.values[i] = toBits(i % 2 ? 0.5f - float(i) : float(i));
  lanes.values[0] = toBits(NAN);
  EXPECT_EQ(run(ReduxMode::FloatMin), toBits(-30.5f));
  EXPECT_EQ(run(ReduxMode::FloatMax), toBits(30));
}
