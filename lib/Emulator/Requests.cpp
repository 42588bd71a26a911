// Requests.cpp - groups the accesses of lanes into the requests of warps
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Requests.h"

#include <algorithm>

using namespace tile;
using namespace tile::emulator;

/// Bytes of a sector, the unit of requests of L1 to L2 (CUDA C++ Programming
/// Guide, global memory of compute capability 5.x: 32-byte transactions).
constexpr uint64_t kSectorBytes = 32;

/// Calls `visit(lane, part)` for each lane that has a part in a request.
template <typename Visit>
static void forEachLane(const Request &request, Visit visit) {
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (request.lanes >> lane & 1)
      visit(lane, request.of[lane]);
}

/// Returns the number of bytes that a lane accesses. This is the maximum over
/// the lanes, since a lane at the end of a range may access fewer bytes.
static unsigned getWidth(const Request &request) {
  uint64_t bytes = 0;
  forEachLane(request, [&](uint32_t, const LaneRequest &part) {
    bytes = std::max(bytes, part.bytes);
  });
  return unsigned(bytes);
}

//===----------------------------------------------------------------------===//
// Cost of a request
//===----------------------------------------------------------------------===//

void tile::emulator::countShared(Counters &counters,
                                 const LaneAddresses &addresses, unsigned bytes,
                                 AccessDirection direction) {
  counters.wavefronts += uint64_t(countWavefronts(addresses, bytes, direction));
  counters.minimalWavefronts +=
      uint64_t(minimalWavefronts(addresses, bytes, direction));
}

static LaneAddresses getAddresses(const Request &request) {
  LaneAddresses addresses(32);
  forEachLane(request, [&](uint32_t lane, const LaneRequest &part) {
    addresses[lane] = uint32_t(part.address);
  });
  return addresses;
}

static void countShared(Counters &counters, const Request &request,
                        AccessDirection direction) {
  countShared(counters, getAddresses(request), getWidth(request), direction);
}

/// Counts the sectors that the lanes' bytes touch: `getRange(part)` returns the
/// {address, bytes} of a lane's part, at most 16 bytes.
template <typename GetRange>
static void countSectors(Counters &counters, const Request &request,
                         GetRange getRange) {
  // A lane's bytes may straddle two sectors.
  std::array<uint64_t, 64> sectors;
  size_t count = 0;
  forEachLane(request, [&](uint32_t, const LaneRequest &part) {
    auto [address, bytes] = getRange(part);
    if (!bytes)
      return;
    uint64_t first = address / kSectorBytes;
    uint64_t last = (address + bytes - 1) / kSectorBytes;
    sectors[count++] = first;
    if (last != first)
      sectors[count++] = last;
  });
  std::sort(sectors.begin(), sectors.begin() + count);
  counters.sectors += uint64_t(
      std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin());
}

static void countCopy(Counters &counters, const Request &request) {
  LaneLines lines(32);
  forEachLane(request, [&](uint32_t lane, const LaneRequest &part) {
    if (part.sourceBytes)
      lines[lane] = part.source / kLineBytes;
  });
  for (const LaneAddresses &part : splitByLine(getAddresses(request), lines))
    countShared(counters, part, getWidth(request), AccessDirection::kWrite);
  countSectors(counters, request, [](const LaneRequest &part) {
    return std::make_pair(part.source, part.sourceBytes);
  });
}

static void finish(Counters &counters, RequestKind kind,
                   const Request &request) {
  ++counters.warps;
  switch (kind) {
  case RequestKind::Alone:
    return;
  case RequestKind::SharedRead:
    return countShared(counters, request, AccessDirection::kRead);
  case RequestKind::SharedWrite:
    return countShared(counters, request, AccessDirection::kWrite);
  case RequestKind::Global:
    return countSectors(counters, request, [](const LaneRequest &part) {
      return std::make_pair(part.address, part.bytes);
    });
  case RequestKind::Copy:
    return countCopy(counters, request);
  }
}

//===----------------------------------------------------------------------===//
// Grouping of the lanes' parts
//===----------------------------------------------------------------------===//

void Requests::add(std::vector<Counters> &counters, const Key &key,
                   uint32_t all, uint32_t lane, LaneRequest request) {
  do {
    LaneRequest piece = request;
    piece.bytes = request.bytes ? 16 : 0;
    while (piece.bytes > request.bytes)
      piece.bytes /= 2;
    addPiece(counters, key, all, lane, piece);
    request.address += piece.bytes;
    request.bytes -= piece.bytes;
  } while (request.bytes);
}

void Requests::addPiece(std::vector<Counters> &counters, const Key &key,
                        uint32_t all, uint32_t lane, const LaneRequest &piece) {
  isEmpty = false;
  Queue &queue = queues[key];
  uint32_t execution = queue.executions[lane]++ - queue.done;
  if (execution >= queue.open.size())
    queue.open.resize(execution + 1);
  Request &request = queue.open[execution];
  request.lanes |= 1u << lane;
  request.of[lane] = piece;
  while (!queue.open.empty() && queue.open.front().lanes == all) {
    finish(counters[key.site], key.kind, queue.open.front());
    queue.open.pop_front();
    ++queue.done;
  }
}

void Requests::flush(std::vector<Counters> &counters) {
  if (isEmpty)
    return;
  isEmpty = true;
  for (auto &[key, queue] : queues) {
    for (const Request &request : queue.open)
      finish(counters[key.site], key.kind, request);
    queue = Queue();
  }
}
