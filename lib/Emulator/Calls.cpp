// Calls.cpp - functions that generated code calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Emulator/Calls.h"

#include "Block.h"
#include "Collectives.h"
#include "Mma.h"
#include "Print.h"

using namespace tile::emulator;

static uint64_t toAddress(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

//===----------------------------------------------------------------------===//
// Indices of a thread
//===----------------------------------------------------------------------===//

uint32_t tile_emulator_thread_index(tile_emulator_thread *thread,
                                    uint32_t dimension) {
  return thread->position[dimension];
}
uint32_t tile_emulator_block_size(tile_emulator_thread *thread,
                                  uint32_t dimension) {
  return thread->block->getGrid().kernel.block[dimension];
}
uint32_t tile_emulator_block_index(tile_emulator_thread *thread,
                                   uint32_t dimension) {
  return thread->block->getIndex()[dimension];
}
uint32_t tile_emulator_grid_size(tile_emulator_thread *thread,
                                 uint32_t dimension) {
  return thread->block->getGrid().launch.grid[dimension];
}
uint32_t tile_emulator_lane(tile_emulator_thread *thread) {
  return thread->lane;
}
uint32_t tile_emulator_warp(tile_emulator_thread *thread) {
  return thread->warp->index;
}
uint32_t tile_emulator_shared_base(tile_emulator_thread *thread) {
  return uint32_t(thread->block->getShared().getBase());
}
uint32_t tile_emulator_shared_bytes(tile_emulator_thread *thread) {
  return thread->block->getShared().getBytes();
}
uint64_t tile_emulator_clock(tile_emulator_thread *thread) {
  return thread->block->nextClock();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void tile_emulator_access(tile_emulator_thread *thread, uint32_t site,
                          const void *address) {
  Block &block = *thread->block;
  block.access(*thread, site, toAddress(address),
               block.getSite(site).memory.bytes);
}
void tile_emulator_access_if_used(tile_emulator_thread *thread, uint32_t site,
                                  const void *address, uint32_t is_used) {
  Block &block = *thread->block;
  block.access(*thread, site, toAddress(address),
               block.getSite(site).memory.bytes, /*isDropped=*/!is_used);
}
void tile_emulator_access_range(tile_emulator_thread *thread, uint32_t site,
                                const void *address, uint64_t bytes) {
  thread->block->access(*thread, site, toAddress(address), bytes);
}
void tile_emulator_access_done(tile_emulator_thread *thread, uint32_t site,
                               const void *address) {
  thread->block->finishAccess(*thread, site, toAddress(address));
}
void tile_emulator_scatter_iteration(tile_emulator_thread *thread,
                                     uint32_t scatter) {
  thread->countScatterIteration(scatter);
}
void tile_emulator_fence(tile_emulator_thread *thread, uint32_t site) {
  thread->block->fence(*thread, site);
}
void tile_emulator_prefetch(tile_emulator_thread *thread, uint32_t site,
                            const void *) {
  thread->block->countAlone(*thread, site);
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void tile_emulator_copy_async(tile_emulator_thread *thread, uint32_t site,
                              void *target, const void *source, uint32_t bytes,
                              uint32_t source_bytes) {
  thread->block->copyAsync(*thread, site,
                           {target, source, bytes, source_bytes});
}
void tile_emulator_copy_commit(tile_emulator_thread *thread, uint32_t site) {
  thread->block->commitCopies(*thread, site);
}
void tile_emulator_copy_wait(tile_emulator_thread *thread, uint32_t site,
                             uint32_t pending) {
  thread->block->waitForCopies(*thread, site, pending);
}
void tile_emulator_copy_wait_all(tile_emulator_thread *thread, uint32_t site) {
  thread->block->waitForAllCopies(*thread, site);
}

//===----------------------------------------------------------------------===//
// Barriers and collective instructions
//===----------------------------------------------------------------------===//

void tile_emulator_barrier(tile_emulator_thread *thread, uint32_t site,
                           uint32_t id, uint32_t count) {
  thread->block->waitAtBarrier(*thread, site, id, count);
}
void tile_emulator_barrier_arrive(tile_emulator_thread *thread, uint32_t site,
                                  uint32_t id, uint32_t count) {
  thread->block->arriveAtBarrier(*thread, site, id, count);
}
void tile_emulator_warp_sync(tile_emulator_thread *thread, uint32_t site,
                             uint32_t mask) {
  thread->block->syncWarp(*thread, site, mask);
}
uint32_t tile_emulator_active_mask(tile_emulator_thread *thread) {
  return thread->warp->lanes & ~thread->warp->returned;
}
void tile_emulator_yield(tile_emulator_thread *thread) {
  thread->block->yield(*thread);
}
void tile_emulator_poll(tile_emulator_thread *thread, uint32_t site) {
  thread->block->poll(*thread, site);
}

using Collective = void (*)(const Site &, uint32_t, const LaneValues &);

static void meet(tile_emulator_thread *thread, uint32_t site, uint32_t mask,
                 LaneValue &value, Collective collective) {
  Block &block = *thread->block;
  block.meet(*thread, site, mask, &value, [&](Warp &warp) {
    LaneValues lanes = {};
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane)
      if (mask >> lane & 1)
        lanes[lane] = static_cast<LaneValue *>(warp.operands[lane]);
    collective(block.getSite(site), mask, lanes);
  });
}

uint32_t tile_emulator_shuffle(tile_emulator_thread *thread, uint32_t site,
                               uint32_t mask, uint32_t value,
                               uint32_t lane_operand, uint32_t clamp,
                               uint32_t *predicate) {
  LaneValue lane;
  lane.value = value;
  lane.laneOperand = lane_operand;
  lane.clamp = clamp;
  meet(thread, site, mask, lane, shuffle);
  if (predicate)
    *predicate = lane.predicate;
  return lane.result;
}
uint32_t tile_emulator_vote(tile_emulator_thread *thread, uint32_t site,
                            uint32_t mask, uint32_t predicate,
                            uint32_t *elected) {
  LaneValue lane;
  lane.value = predicate;
  meet(thread, site, mask, lane, vote);
  if (elected)
    *elected = lane.predicate;
  return lane.result;
}
uint32_t tile_emulator_match(tile_emulator_thread *thread, uint32_t site,
                             uint32_t mask, uint64_t value,
                             uint32_t *predicate) {
  LaneValue lane;
  lane.value = value;
  meet(thread, site, mask, lane, match);
  if (predicate)
    *predicate = lane.predicate;
  return lane.result;
}
uint32_t tile_emulator_redux(tile_emulator_thread *thread, uint32_t site,
                             uint32_t mask, uint32_t value) {
  LaneValue lane;
  lane.value = value;
  meet(thread, site, mask, lane, redux);
  return lane.result;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

void tile_emulator_load_matrix(tile_emulator_thread *thread, uint32_t site,
                               const void *row, uint32_t *registers) {
  thread->block->loadMatrix(*thread, site, toAddress(row), registers);
}
void tile_emulator_store_matrix(tile_emulator_thread *thread, uint32_t site,
                                void *row, const uint32_t *registers) {
  thread->block->storeMatrix(*thread, site, toAddress(row), registers);
}
void tile_emulator_mma(tile_emulator_thread *thread, uint32_t site, void *d,
                       const void *a, const void *b, const void *c) {
  Block &block = *thread->block;
  MmaOperands operands = {d, a, b, c};
  block.meet(*thread, site, ~0u, &operands, [&](Warp &warp) {
    std::array<MmaOperands, kWarpLanes> lanes;
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane)
      lanes[lane] = *static_cast<MmaOperands *>(warp.operands[lane]);
    multiply(block.getSite(site).mma, lanes);
  });
}

void tile_emulator_warpgroup_mma(tile_emulator_thread *thread, uint32_t site,
                                 float *d, uint64_t a, uint64_t b) {
  thread->block->multiplyWarpgroup(*thread, site, {d, nullptr, a, b});
}
void tile_emulator_warpgroup_mma_registers(tile_emulator_thread *thread,
                                           uint32_t site, float *d,
                                           const uint32_t *a, uint64_t b) {
  thread->block->multiplyWarpgroup(*thread, site, {d, a, 0, b});
}
void tile_emulator_warpgroup_read(tile_emulator_thread *thread, uint32_t site,
                                  uint32_t mmaSite) {
  thread->block->readAccumulators(*thread, site, mmaSite);
}
void tile_emulator_proxy_fence(tile_emulator_thread *thread, uint32_t site) {
  thread->block->fenceProxy(*thread, site);
}
void tile_emulator_warpgroup_fence(tile_emulator_thread *thread,
                                   uint32_t site) {
  thread->block->fenceMmas(*thread, site);
}
void tile_emulator_warpgroup_commit(tile_emulator_thread *thread,
                                    uint32_t site) {
  thread->block->commitMmas(*thread, site);
}
void tile_emulator_warpgroup_wait(tile_emulator_thread *thread, uint32_t site,
                                  uint32_t pending) {
  thread->block->waitForMmas(*thread, site, pending);
}

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

void tile_emulator_assert_fail(tile_emulator_thread *thread, uint32_t site,
                               const char *message, const char *file,
                               uint32_t line, const char *function) {
  std::string text = message ? message : "";
  if (file)
    text += std::string(" (") + file + ":" + std::to_string(line) +
            (function ? std::string(", ") + function : "") + ")";
  thread->block->fail(FindingKind::Assertion, *thread, site, std::move(text));
}
int32_t tile_emulator_print(tile_emulator_thread *thread, uint32_t site,
                            const char *format, const void *arguments) {
  Block &block = *thread->block;
  block.countAlone(*thread, site);
  if (!format)
    return -1;
  int count = 0;
  block.print(formatPrint(format, arguments, count));
  return count;
}
void tile_emulator_use_quotient(tile_emulator_thread *thread, uint32_t site,
                                uint32_t division) {
  if (division != 0)
    thread->block->useQuotient(*thread, site, division - 1);
}
void tile_emulator_trap(tile_emulator_thread *thread, uint32_t site) {
  thread->block->fail(FindingKind::Trap, *thread, site,
                      "the kernel stopped itself");
}
