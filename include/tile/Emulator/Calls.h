// Calls.h - the functions that generated code calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is compiled for the host with calls of these functions in place of
// all instructions that need other threads or the machine (the emulator,
// Machine.h). The first argument of a call is always the thread, which a kernel
// gets as its own first argument. The second, if there is one, is the index of
// the instruction's site (Site.h), a constant.
//
// Contract of generated code:
// - Before it loads, stores or changes global or shared memory itself, it calls
//   `tile_emulator_access`. After an atomic that reads (MemoryOrder above
//   Plain) it also calls `tile_emulator_access_done`. Accesses to a thread's
//   own memory (alloca) are not announced.
// - Shared memory starts at `tile_emulator_shared_base`, aligned to 1024 bytes
//   and below 4 GiB, so that 32 bits can hold its addresses. The kernel defines
//   the offsets in it. At first all bytes are 0xff, a NaN in every float type.
// - A call may switch to other threads before it returns. So no call may be
//   merged with another, duplicated, or moved over another call or an access,
//   and no value that was read from memory may be kept over a call.
// - A call does not return if the machine ends the block. Nothing on the stack
//   needs to be destroyed then.
// - In a collective call, a lane waits until the other lanes that its mask
//   names make a call for the same site. Collective calls without a mask are
//   for all 32 lanes of a warp.

#ifndef TILE_EMULATOR_CALLS_H
#define TILE_EMULATOR_CALLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A GPU thread; opaque.
typedef struct tile_emulator_thread tile_emulator_thread;

//===----------------------------------------------------------------------===//
// The indices of a thread, its block and its grid. `dimension` is 0 for x, 1
// for y and 2 for z. These functions are pure.
//===----------------------------------------------------------------------===//

uint32_t tile_emulator_thread_index(tile_emulator_thread *, uint32_t dimension);
uint32_t tile_emulator_block_size(tile_emulator_thread *, uint32_t dimension);
uint32_t tile_emulator_block_index(tile_emulator_thread *, uint32_t dimension);
uint32_t tile_emulator_grid_size(tile_emulator_thread *, uint32_t dimension);
/// Returns the lane, from 0 to 31.
uint32_t tile_emulator_lane(tile_emulator_thread *);
/// Returns the index of the warp in its block.
uint32_t tile_emulator_warp(tile_emulator_thread *);
/// Returns the address of the first byte of the block's shared memory.
uint32_t tile_emulator_shared_base(tile_emulator_thread *);
/// Returns the size of the block's shared memory in bytes, as launched.
uint32_t tile_emulator_shared_bytes(tile_emulator_thread *);
/// Returns %clock, %clock64 or %globaltimer, which grows with every call. Not
/// pure.
uint64_t tile_emulator_clock(tile_emulator_thread *);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Announces that the thread is about to do the access of `site`
/// (SiteKind::Access) at `address`. Ends the block if the access would touch
/// memory that is not the kernel's.
void tile_emulator_access(tile_emulator_thread *, uint32_t site,
                          const void *address);
/// Announces a load as `tile_emulator_access` does. If `is_used` is 0, the
/// kernel drops the loaded value: the load must still be in bounds, but it
/// takes part in no race.
void tile_emulator_access_if_used(tile_emulator_thread *, uint32_t site,
                                  const void *address, uint32_t is_used);
/// Announces an access as `tile_emulator_access` does, but of `bytes` bytes
/// instead of the size that the site specifies. Used for memcpy and memset; a
/// memcpy has one site for each side. Does nothing for 0 bytes.
void tile_emulator_access_range(tile_emulator_thread *, uint32_t site,
                                const void *address, uint64_t bytes);
/// Announces that the atomic that was announced before with the same site and
/// address has been executed. If it is an acquire, it takes effect now.
void tile_emulator_access_done(tile_emulator_thread *, uint32_t site,
                               const void *address);
/// Announces that an iteration of the innermost loop around the stores of a
/// scatter (MemoryFacts::scatter) starts: the stores of the iteration belong to
/// another execution of the scatter.
void tile_emulator_scatter_iteration(tile_emulator_thread *, uint32_t scatter);
/// Executes a fence or a membar.
void tile_emulator_fence(tile_emulator_thread *, uint32_t site);
/// Counts a prefetch; any address is valid.
void tile_emulator_prefetch(tile_emulator_thread *, uint32_t site,
                            const void *address);

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// cp.async: `bytes` = 4, 8 or 16 bytes to `target` in shared memory, of which
/// the first `source_bytes` (0 to bytes) come from `source` in global memory
/// and the rest is zero. Both sides are aligned to `bytes`. The copy is done
/// at any time until the thread waits for its group.
void tile_emulator_copy_async(tile_emulator_thread *, uint32_t site,
                              void *target, const void *source, uint32_t bytes,
                              uint32_t source_bytes);
/// cp.async.commit_group.
void tile_emulator_copy_commit(tile_emulator_thread *, uint32_t site);
/// cp.async.wait_group: waits until all groups are done, except at most the
/// `pending` groups that were committed last.
void tile_emulator_copy_wait(tile_emulator_thread *, uint32_t site,
                             uint32_t pending);
/// cp.async.wait_all: commits, and waits for all groups.
void tile_emulator_copy_wait_all(tile_emulator_thread *, uint32_t site);

//===----------------------------------------------------------------------===//
// Barriers and collective instructions
//===----------------------------------------------------------------------===//

/// barrier.sync.aligned: waits at barrier `id` (0 to 15) until `count` threads
/// have arrived; 0 is all threads of the block. Orders memory among them.
void tile_emulator_barrier(tile_emulator_thread *, uint32_t site, uint32_t id,
                           uint32_t count);
/// barrier.arrive.aligned: arrives and does not wait; `count` is not 0.
void tile_emulator_barrier_arrive(tile_emulator_thread *, uint32_t site,
                                  uint32_t id, uint32_t count);
/// bar.warp.sync: orders memory among the lanes of `mask`.
void tile_emulator_warp_sync(tile_emulator_thread *, uint32_t site,
                             uint32_t mask);
/// activemask: returns the lanes of the warp that have not returned.
uint32_t tile_emulator_active_mask(tile_emulator_thread *);
/// nanosleep, and other instructions at which a thread lets others run.
void tile_emulator_yield(tile_emulator_thread *);
/// Announces that an iteration of a loop has ended. Ends the block if the run
/// is to end.
void tile_emulator_poll(tile_emulator_thread *, uint32_t site);

/// shfl.sync. `lane_operand` and `clamp` are the operands b and c of the PTX
/// instruction. Stores 1 at `predicate` if the source lane is in range, else 0;
/// it may be null.
uint32_t tile_emulator_shuffle(tile_emulator_thread *, uint32_t site,
                               uint32_t mask, uint32_t value,
                               uint32_t lane_operand, uint32_t clamp,
                               uint32_t *predicate);
/// vote.sync: returns 0 or 1 or, for Ballot, the lanes of `mask` whose
/// `predicate` is not 0. VoteMode::Elect is elect.sync: it returns the elected
/// lane, and stores 1 at `elected` in that lane and 0 in the other lanes. For
/// other modes `elected` may be null.
uint32_t tile_emulator_vote(tile_emulator_thread *, uint32_t site,
                            uint32_t mask, uint32_t predicate,
                            uint32_t *elected);
/// match.sync of a b32 (zero-extended) or b64 value: returns the lanes of
/// `mask` that have the same value as this lane. MatchMode::All returns `mask`
/// if all lanes have the same value, else 0, and stores at `predicate` whether
/// they have; for other modes `predicate` is null.
uint32_t tile_emulator_match(tile_emulator_thread *, uint32_t site,
                             uint32_t mask, uint64_t value,
                             uint32_t *predicate);
/// redux.sync.
uint32_t tile_emulator_redux(tile_emulator_thread *, uint32_t site,
                             uint32_t mask, uint32_t value);

//===----------------------------------------------------------------------===//
// Matrices, for the 32 lanes of a warp. Registers are 32-bit words in the order
// of the PTX instruction; 64-bit registers of f64 are doubles.
//===----------------------------------------------------------------------===//

/// ldmatrix: `row` is the row address that this lane supplies. Stores the
/// lane's `count` registers at `registers`, or two registers for each matrix if
/// the shape is m16n16.
void tile_emulator_load_matrix(tile_emulator_thread *, uint32_t site,
                               const void *row, uint32_t *registers);
/// stmatrix.
void tile_emulator_store_matrix(tile_emulator_thread *, uint32_t site,
                                void *row, const uint32_t *registers);
/// mma.sync. countRegisters(Site::mma) (Site.h) gives the number of words of
/// each operand. `d` may be equal to `c`.
void tile_emulator_mma(tile_emulator_thread *, uint32_t site, void *d,
                       const void *a, const void *b, const void *c);

/// wgmma.mma_async, for the four warps of a group: d += a b. `d` points to the
/// n / 2 accumulators of this lane, f32 or s32 words; `a` and `b` are
/// descriptors. The operands may be read until the thread waits.
void tile_emulator_warpgroup_mma(tile_emulator_thread *, uint32_t site,
                                 float *d, uint64_t a, uint64_t b);
/// wgmma.mma_async with operand a in registers: `a` points to the four
/// registers of this lane (PTX ISA, "Register Fragments for
/// wgmma.mma_async.m64nNk16", and "... m64nNk32" for 8 bits).
void tile_emulator_warpgroup_mma_registers(tile_emulator_thread *,
                                           uint32_t site, float *d,
                                           const uint32_t *a, uint64_t b);
/// Announces a use of the accumulators of the MMAs that the site `mma` has
/// issued, other than as accumulators of the next MMA.
void tile_emulator_warpgroup_read(tile_emulator_thread *, uint32_t site,
                                  uint32_t mma);
/// fence.proxy.async of shared memory.
void tile_emulator_proxy_fence(tile_emulator_thread *, uint32_t site);
/// wgmma.fence, wgmma.commit_group, wgmma.wait_group.
void tile_emulator_warpgroup_fence(tile_emulator_thread *, uint32_t site);
void tile_emulator_warpgroup_commit(tile_emulator_thread *, uint32_t site);
void tile_emulator_warpgroup_wait(tile_emulator_thread *, uint32_t site,
                                  uint32_t pending);

//===----------------------------------------------------------------------===//
// Debugging
//===----------------------------------------------------------------------===//

/// __assertfail: reports the message and ends the block; does not return. The
/// texts may be null.
void tile_emulator_assert_fail(tile_emulator_thread *, uint32_t site,
                               const char *message, const char *file,
                               uint32_t line, const char *function);
/// vprintf of CUDA: `arguments` holds the values one after the other, each at
/// its natural alignment, floats as f64, strings as pointers. Returns the
/// number of arguments, or -1 for a null format.
int32_t tile_emulator_print(tile_emulator_thread *, uint32_t site,
                            const char *format, const void *arguments);
/// Announces that the instruction of `site` uses the result of a division by
/// zero, whose site is `division` - 1. Does nothing if `division` is 0.
void tile_emulator_use_quotient(tile_emulator_thread *, uint32_t site,
                                uint32_t division);
/// trap: ends the block with a finding.
void tile_emulator_trap(tile_emulator_thread *, uint32_t site);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // TILE_EMULATOR_CALLS_H
