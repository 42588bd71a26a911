// Requests.h - groups the accesses of lanes into the requests of warps
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes are fibers and execute an access one after the other, but bank
// conflicts and sectors are counted for the request of a whole warp. The n-th
// execution of a site by a lane, counted since the lanes last met, belongs to
// the same request as the n-th execution by each other lane.

#ifndef TILE_EMULATOR_REQUESTS_H
#define TILE_EMULATOR_REQUESTS_H

#include "tile/Emulator/Machine.h"
#include "tile/Layout/BankConflicts.h"

#include <deque>
#include <map>
#include <tuple>

namespace tile::emulator {

/// Kind of a warp's request, which determines its counters.
enum class RequestKind : uint8_t {
  Alone, ///< does not access memory
  SharedRead,
  SharedWrite,
  Global,
  Copy ///< cp.async, from global to shared memory
};

/// The part of a warp's request that belongs to one lane.
struct LaneRequest {
  uint64_t address = 0, bytes = 0;
  /// Source of the first bytes of a copy to `address`; the remaining bytes are
  /// zeros.
  uint64_t source = 0, sourceBytes = 0;
};

/// Request of a warp: `of[lane]` is the part of a lane, for the lanes whose
/// bits are set in `lanes`.
struct Request {
  uint32_t lanes = 0;
  std::array<LaneRequest, 32> of;
};

/// Adds the wavefronts of an access to shared memory, of `bytes` per lane.
void countShared(Counters &counters, const LaneAddresses &addresses,
                 unsigned bytes, AccessDirection direction);

/// The open requests of a warp.
class Requests {
public:
  /// Key of the requests of a site that belong together.
  struct Key {
    uint32_t site;
    RequestKind kind;

    bool operator<(const Key &other) const {
      return std::tie(site, kind) < std::tie(other.site, other.kind);
    }
  };

  /// Adds the part of a request that belongs to lane `lane`. When the parts of
  /// all lanes of the warp (the mask `all`) have been added, counts the request
  /// in counters[key.site]. An access of more than 16 bytes counts as several
  /// requests.
  void add(std::vector<Counters> &counters, const Key &key, uint32_t all,
           uint32_t lane, LaneRequest request);

  /// Counts the open requests, with the parts that have been added. Called when
  /// the lanes meet.
  void flush(std::vector<Counters> &counters);

private:
  struct Queue {
    std::array<uint32_t, 32> executions = {};
    /// Number of executions whose requests are complete.
    uint32_t done = 0;
    std::deque<Request> open;
  };
  void addPiece(std::vector<Counters> &counters, const Key &key, uint32_t all,
                uint32_t lane, const LaneRequest &piece);

  std::map<Key, Queue> queues;
  bool isEmpty = true;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_REQUESTS_H
