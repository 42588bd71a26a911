// Site.h - the static facts of one instruction
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated code names the instruction that it executes by the index of a Site
// in Kernel::sites. A site holds all constants of the instruction, so that a
// call passes only the rest: addresses, registers, masks.
//
// One site is one position in the kernel's code: code that calls the machine is
// neither merged nor duplicated, because lanes that meet at a collective
// instruction must meet at one site.

#ifndef TILE_EMULATOR_SITE_H
#define TILE_EMULATOR_SITE_H

#include <cstdint>
#include <string>

namespace tile::emulator {

/// The instruction, which determines the members of a Site that are used.
enum class SiteKind : uint8_t {
  Access,      ///< a load, store or atomic: `memory`
  Barrier,     ///< barrier.sync, barrier.arrive
  WarpSync,    ///< bar.warp.sync
  Shuffle,     ///< shfl.sync: `shuffle`
  Vote,        ///< vote.sync, and elect.sync: `vote`
  Match,       ///< match.sync: `match`
  Redux,       ///< redux.sync: `redux`
  LoadMatrix,  ///< ldmatrix: `matrix`, `memory` of a row
  StoreMatrix, ///< stmatrix: `matrix`, `memory` of a row
  Mma,         ///< mma.sync: `mma`
  /// wgmma.mma_async: `mma`, `memory` of an operand's 16 bytes
  WarpgroupMma,
  /// wgmma.fence, wgmma.commit_group, wgmma.wait_group; fence.proxy.async; and
  /// uses of an MMA's accumulators
  WarpgroupFence,
  CopyAsync,  ///< cp.async: `memory` of the shared side
  CopyCommit, ///< cp.async.commit_group
  CopyWait,   ///< cp.async.wait_group, cp.async.wait_all
  Fence,      ///< fence, membar: `memory.order`, `memory.scope`
  Prefetch,   ///< prefetch
  Assert,     ///< __assertfail
  Print,      ///< vprintf
  Other,      ///< counted, and nothing else
  Division    ///< a division, or what uses a quotient: `division`
};

enum class AddressSpace : uint8_t { Generic, Global, Shared, Constant };

/// The effect of an access. An atomic read-modify-write is ReadWrite.
enum class AccessMode : uint8_t { Read, Write, ReadWrite };

/// Plain is `ld`, `st`; the others make an access atomic, or specify what a
/// fence orders (PTX ISA, "Memory Consistency Model"). `volatile` is Relaxed.
enum class MemoryOrder : uint8_t {
  Plain,
  Relaxed,
  Acquire,
  Release,
  AcquireRelease,
  Sequential
};

/// The threads for which an access is atomic, or which a fence orders.
enum class MemoryScope : uint8_t { Block, Cluster, Device, System };

struct MemoryFacts {
  AddressSpace space = AddressSpace::Generic;
  AccessMode mode = AccessMode::Read;
  MemoryOrder order = MemoryOrder::Plain;
  MemoryScope scope = MemoryScope::Device;
  /// Bytes a lane, contiguous. Counters know 1, 2, 4, 8 and 16; more are split
  /// into accesses of 16. 0 only if the call passes the bytes.
  uint32_t bytes = 0;
  /// The required alignment, a power of two.
  uint32_t alignment = 1;
  /// The scatter that a store belongs to, from 1 to 65535; 0 for none. If
  /// threads of a block write to one address in one execution of a scatter, any
  /// of the values may remain.
  uint32_t scatter = 0;
};

/// Elements of a matrix fragment.
enum class ElementType : uint8_t {
  F16,
  BF16,
  TF32, ///< in 32 bits; the low 13 are ignored
  F32,
  F64,
  F8E4M3,
  F8E5M2,
  S8,
  U8,
  S32
};

/// d = a b + c of m x k by k x n (PTX ISA, "Warp-level matrix instructions:
/// mma"), a by rows and b by columns. The machine takes
///
///   a, b          c, d        shapes
///   f16           f32, f16    m16n8k8, m16n8k16
///   bf16          f32         m16n8k8, m16n8k16
///   tf32          f32         m16n8k4, m16n8k8
///   f64           f64         m8n8k4, m16n8k4, m16n8k8, m16n8k16
///   s8, u8        s32         m8n8k16, m16n8k16, m16n8k32
///   e4m3, e5m2    f32, f16    m16n8k16, m16n8k32
///
/// where a and b may be different of one line where that has two types of 8
/// bits. isSupported() decides this for one Site.
struct MmaFacts {
  int32_t m = 0, n = 0, k = 0;
  ElementType a = ElementType::F16, b = ElementType::F16;
  /// Element type of c and d.
  ElementType accumulator = ElementType::F32;
  /// `.satfinite` of integers: sums are clamped to s32, else modulo 2^32.
  bool saturate = false;
  /// Whether a or b has M or N contiguous in shared memory, for wgmma of 16
  /// bits.
  bool isTransposedA = false, isTransposedB = false;
};

/// Whether the machine has the instruction.
bool isSupported(const MmaFacts &mma);

/// Whether the machine has wgmma of that shape, 64 rows by 8 to 256 columns, k
/// of 32 bytes: operands of f16, bf16, tf32, e4m3, e5m2 with sums in f32, of s8
/// and u8 with sums in s32.
bool isWarpgroupSupported(const MmaFacts &mma);

/// 32-bit words (or doubles, for F64) of a lane's fragments.
struct MmaRegisters {
  int a, b, c;
};
/// @pre isSupported(mma)
MmaRegisters countRegisters(const MmaFacts &mma);

/// ldmatrix and stmatrix: `count` matrices of 8 rows of 16 bytes (8x8 of 16
/// bits). With `isTransposed`, transposed as elements of `elementBits` = 16; or
/// of 8 for m16n16 (`count` 1 or 2; 16 rows of 16 bytes each).
struct MatrixFacts {
  uint8_t count = 1;
  bool isTransposed = false;
  uint8_t elementBits = 16;
};

enum class ShuffleMode : uint8_t { Up, Down, Butterfly, Index };
enum class VoteMode : uint8_t { All, Any, Uniform, Ballot, Elect };
enum class MatchMode : uint8_t { Any, All };
enum class ReduxMode : uint8_t {
  Add, ///< modulo 2^32
  And,
  Or,
  Xor,
  SignedMin,
  SignedMax,
  UnsignedMin,
  UnsignedMax,
  /// redux.sync.{min,max}.f32: of floats; a NaN loses.
  FloatMin,
  FloatMax
};

/// A division: whether all threads of the block divide the same integers, which
/// are not elements of a tile. A use of a quotient: whether only such divisions
/// are reported for it.
struct DivisionFacts {
  bool isUniform = false;
};

/// Static facts of one instruction of the kernel.
struct Site {
  SiteKind kind = SiteKind::Other;
  /// The operation of the tile program it comes from, "tile.matmul"; may be
  /// empty.
  std::string operation;
  /// Source location of that operation, "matmul.mlir:12:5"; may be empty.
  std::string location;
  /// The instruction, for reports and counters: "ldmatrix", "ld.shared.v4".
  std::string instruction;

  MemoryFacts memory;
  MmaFacts mma;
  MatrixFacts matrix;
  ShuffleMode shuffle = ShuffleMode::Index;
  VoteMode vote = VoteMode::Ballot;
  MatchMode match = MatchMode::Any;
  ReduxMode redux = ReduxMode::Add;
  DivisionFacts division;
};

} // namespace tile::emulator

#endif // TILE_EMULATOR_SITE_H
