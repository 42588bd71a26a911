// Requests.cpp - the memory accesses of a warp's lanes, put together again
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Requests.h"

#include "tile/Layout/BankConflicts.h"

#include <algorithm>

using namespace tile::emulator;

/// Bytes of a sector, the unit that L1 asks L2 for (CUDA C++ Programming Guide,
/// global memory of compute capability 5.x: 32-byte transactions).
constexpr uint64_t kSectorBytes = 32;

void tile::emulator::countShared(Counters &counters, const Request &request) {
  tile::LaneAddresses addresses(32);
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (request.lanes >> lane & 1)
      addresses[lane] = uint32_t(request.addresses[lane]);
  counters.wavefronts +=
      uint64_t(tile::countWavefronts(addresses, request.bytes));
  counters.minimalWavefronts +=
      uint64_t(tile::minimalWavefronts(addresses, request.bytes));
}

void tile::emulator::countGlobal(Counters &counters, const Request &request) {
  // A lane's bytes are at most 16 and may straddle two sectors.
  std::array<uint64_t, 64> sectors;
  size_t count = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!(request.lanes >> lane & 1))
      continue;
    uint64_t first = request.addresses[lane] / kSectorBytes;
    uint64_t last =
        (request.addresses[lane] + request.bytes - 1) / kSectorBytes;
    sectors[count++] = first;
    if (last != first)
      sectors[count++] = last;
  }
  std::sort(sectors.begin(), sectors.begin() + count);
  counters.sectors += uint64_t(
      std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin());
}

static void finish(std::vector<Counters> &all, const Requests::Key &key,
                   const Request &request) {
  Counters &counters = all[key.site];
  counters.warps += !key.isCopySource;
  if (!request.bytes)
    return;
  key.isShared ? countShared(counters, request)
               : countGlobal(counters, request);
}

void Requests::add(std::vector<Counters> &counters, const Key &key,
                   uint32_t all, uint32_t lane, uint64_t address,
                   uint64_t bytes) {
  if (!bytes)
    addPiece(counters, key, all, lane, address, 0);
  while (bytes) {
    uint32_t piece = 16;
    while (piece > bytes)
      piece /= 2;
    addPiece(counters, key, all, lane, address, piece);
    address += piece;
    bytes -= piece;
  }
}

void Requests::addPiece(std::vector<Counters> &counters, const Key &key,
                        uint32_t all, uint32_t lane, uint64_t address,
                        uint32_t bytes) {
  isEmpty = false;
  Queue &queue = queues[key];
  uint32_t execution = queue.executions[lane]++ - queue.done;
  if (execution >= queue.open.size())
    queue.open.resize(execution + 1);
  Request &request = queue.open[execution];
  request.lanes |= 1u << lane;
  request.bytes = bytes;
  request.addresses[lane] = address;
  while (!queue.open.empty() && queue.open.front().lanes == all) {
    finish(counters, key, queue.open.front());
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
      finish(counters, key, request);
    queue = Queue();
  }
}
