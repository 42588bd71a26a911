// Requests.h - the memory accesses of a warp's lanes, put together again
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes are fibers and come to an access one after the other, but bank
// conflicts and sectors are of the request that a warp makes. The n-th
// execution of a site by one lane belongs to the n-th of the others, counted
// since the lanes last met.

#ifndef TILE_EMULATOR_REQUESTS_H
#define TILE_EMULATOR_REQUESTS_H

#include "tile/Emulator/Machine.h"

#include <deque>
#include <map>
#include <tuple>

namespace tile::emulator {

/// One request: an address a lane.
struct Request {
  uint32_t lanes = 0;
  uint32_t bytes = 0;
  std::array<uint64_t, 32> addresses;
};

/// Adds to `counters` what a request to shared memory costs: wavefronts.
void countShared(Counters &counters, const Request &request);
/// Adds what one to global memory costs: sectors.
void countGlobal(Counters &counters, const Request &request);

/// The open requests of a warp.
class Requests {
public:
  /// Which requests of a site belong together.
  struct Key {
    uint32_t site;
    bool isShared;
    /// The global side of an asynchronous copy, whose shared side counts as
    /// the execution.
    bool isCopySource;

    bool operator<(const Key &other) const {
      return std::tie(site, isShared, isCopySource) <
             std::tie(other.site, other.isShared, other.isCopySource);
    }
  };

  /// Lane `lane`, of the warp's lanes `all`, accesses `bytes` bytes at
  /// `address`. Adds to counters[key.site] when all lanes have. 0 bytes: it
  /// executes an instruction without an address.
  void add(std::vector<Counters> &counters, const Key &key, uint32_t all,
           uint32_t lane, uint64_t address, uint64_t bytes);

  /// The lanes meet: what is open is of those that came.
  void flush(std::vector<Counters> &counters);

private:
  struct Queue {
    std::array<uint32_t, 32> executions = {};
    /// Executions whose requests have left.
    uint32_t done = 0;
    std::deque<Request> open;
  };
  void addPiece(std::vector<Counters> &counters, const Key &key, uint32_t all,
                uint32_t lane, uint64_t address, uint32_t bytes);

  std::map<Key, Queue> queues;
  bool isEmpty = true;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_REQUESTS_H
