// Random.h - a random generator for the choices of a schedule
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_RANDOM_H
#define TILE_EMULATOR_RANDOM_H

#include <cstdint>

namespace tile::emulator {

/// Pseudorandom generator splitmix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014), different for each seed and
/// stream.
class Random {
public:
  Random() = default;
  Random(uint64_t seed, uint64_t stream)
      : state(mix(seed) + mix(stream ^ 0x5851f42d4c957f2dull)) {}

  uint64_t next() { return mix(state += 0x9e3779b97f4a7c15ull); }
  /// Returns a random integer less than `bound`, which is not 0.
  uint32_t below(uint32_t bound) {
    return uint32_t(((next() >> 32) * bound) >> 32);
  }

private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  uint64_t state = 0;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_RANDOM_H
