// Collectives.cpp - shuffles, votes and other collective instructions of lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collectives.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace tile::emulator;

/// The value read from a lane that the mask does not name, which is undefined
/// on a GPU.
constexpr uint32_t kUndefined = ~0u;

/// Calls `function(lane, value)` for each lane of `mask`.
template <typename Function>
static void forEachLane(uint32_t mask, const LaneValues &lanes,
                        Function function) {
  for (; mask; mask &= mask - 1) {
    auto lane = uint32_t(__builtin_ctz(mask));
    function(lane, *lanes[lane]);
  }
}

/// Executes shfl.sync (PTX ISA, "shfl.sync").
void tile::emulator::shuffle(const Site &site, uint32_t mask,
                             const LaneValues &lanes) {
  forEachLane(mask, lanes, [&](uint32_t lane, LaneValue &value) {
    uint32_t offset = value.laneOperand & 31;
    uint32_t segment = value.clamp >> 8 & 31, bound = value.clamp & 31;
    uint32_t least = lane & segment;
    uint32_t most = least | (bound & ~segment);
    uint32_t source = 0;
    bool isInRange = true;
    switch (site.shuffle) {
    case ShuffleMode::Up: // `most` is the lowest lane here
      source = lane - offset;
      isInRange = int32_t(source) >= int32_t(most);
      break;
    case ShuffleMode::Down:
      source = lane + offset;
      isInRange = source <= most;
      break;
    case ShuffleMode::Butterfly:
      source = lane ^ offset;
      isInRange = source <= most;
      break;
    case ShuffleMode::Index:
      source = least | (offset & ~segment);
      isInRange = source <= most;
      break;
    }
    if (!isInRange)
      source = lane;
    value.predicate = isInRange;
    value.result =
        mask >> source & 1 ? uint32_t(lanes[source]->value) : kUndefined;
  });
}

/// Executes vote.sync or elect.sync (PTX ISA, "vote.sync", "elect.sync").
void tile::emulator::vote(const Site &site, uint32_t mask,
                          const LaneValues &lanes) {
  uint32_t ballot = 0;
  forEachLane(mask, lanes, [&](uint32_t lane, LaneValue &value) {
    if (value.value)
      ballot |= 1u << lane;
  });
  auto elected = uint32_t(__builtin_ctz(mask));
  forEachLane(mask, lanes, [&](uint32_t lane, LaneValue &value) {
    switch (site.vote) {
    case VoteMode::All:
      value.result = ballot == mask;
      break;
    case VoteMode::Any:
      value.result = ballot != 0;
      break;
    case VoteMode::Uniform:
      value.result = ballot == mask || ballot == 0;
      break;
    case VoteMode::Ballot:
      value.result = ballot;
      break;
    case VoteMode::Elect:
      value.result = elected;
      value.predicate = lane == elected;
      break;
    }
  });
}

/// Executes match.sync (PTX ISA, "match.sync").
void tile::emulator::match(const Site &site, uint32_t mask,
                           const LaneValues &lanes) {
  forEachLane(mask, lanes, [&](uint32_t, LaneValue &value) {
    uint32_t same = 0;
    forEachLane(mask, lanes, [&](uint32_t lane, LaneValue &other) {
      if (other.value == value.value)
        same |= 1u << lane;
    });
    value.predicate = same == mask;
    value.result =
        site.match == MatchMode::All ? (value.predicate ? mask : 0) : same;
  });
}

static float toFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Returns the lesser value if `isLeast`, else the greater one. -0 is less than
/// +0; of a NaN and another value, the other value is returned.
static uint32_t pickFloat(uint32_t a, uint32_t b, bool isLeast) {
  float x = toFloat(a), y = toFloat(b);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) ? b : a;
  bool isLess = x == y ? std::signbit(x) && !std::signbit(y) : x < y;
  return isLess == isLeast ? a : b;
}

static uint32_t combine(ReduxMode mode, uint32_t a, uint32_t b) {
  switch (mode) {
  case ReduxMode::Add:
    return a + b;
  case ReduxMode::And:
    return a & b;
  case ReduxMode::Or:
    return a | b;
  case ReduxMode::Xor:
    return a ^ b;
  case ReduxMode::SignedMin:
    return uint32_t(std::min(int32_t(a), int32_t(b)));
  case ReduxMode::SignedMax:
    return uint32_t(std::max(int32_t(a), int32_t(b)));
  case ReduxMode::UnsignedMin:
    return std::min(a, b);
  case ReduxMode::UnsignedMax:
    return std::max(a, b);
  case ReduxMode::FloatMin:
    return pickFloat(a, b, /*isLeast=*/true);
  case ReduxMode::FloatMax:
    return pickFloat(a, b, /*isLeast=*/false);
  }
  return 0;
}

/// Executes redux.sync (PTX ISA, "redux.sync").
void tile::emulator::redux(const Site &site, uint32_t mask,
                           const LaneValues &lanes) {
  auto first = uint32_t(__builtin_ctz(mask));
  auto all = uint32_t(lanes[first]->value);
  forEachLane(mask & (mask - 1), lanes, [&](uint32_t, LaneValue &value) {
    all = combine(site.redux, all, uint32_t(value.value));
  });
  forEachLane(mask, lanes,
              [&](uint32_t, LaneValue &value) { value.result = all; });
}
