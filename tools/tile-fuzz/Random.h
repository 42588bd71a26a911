// Random.h - random values from a seed, the same on every machine
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_RANDOM_H
#define TILE_TOOLS_TILEFUZZ_RANDOM_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace tile::fuzz {

/// A generator of random values. The standard specifies the values of
/// mt19937_64, but not those of its distributions, so these are implemented
/// here.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}

  /// Returns a value from 0 to `bound` - 1. @pre bound > 0
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(engine() % static_cast<uint64_t>(bound));
  }
  /// Returns a value from `low` to `high`, inclusive.
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  uint64_t bits() { return engine(); }

  template <typename Value>
  Value pick(std::initializer_list<Value> values) {
    return values.begin()[below(static_cast<int64_t>(values.size()))];
  }
  template <typename Value>
  const Value &pick(const std::vector<Value> &values) {
    return values[static_cast<size_t>(below(values.size()))];
  }

  /// Returns a normally distributed value of mean 0 and deviation 1 (Box and
  /// Muller).
  double normal() {
    double u = (static_cast<double>(engine() >> 11) + 1) * 0x1p-53;
    double v = static_cast<double>(engine() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
  }

private:
  std::mt19937_64 engine;
};

/// Derives a seed for one purpose from another seed (splitmix64's finaliser).
inline uint64_t mixSeed(uint64_t seed, uint64_t purpose) {
  uint64_t x = seed + 0x9e3779b97f4a7c15u * (purpose + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_RANDOM_H
