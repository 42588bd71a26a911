// Site.h - static description of one instruction of a kernel
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
  Other,      ///< counted; the machine does nothing else
  Division    ///< a division, or a use of its quotient: `division`
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
  /// Bytes of a lane, contiguous. The counters distinguish accesses of 1, 2, 4,
  /// 8 and 16 bytes; larger ones are split into accesses of 16 bytes. 0 only if
  /// the call passes the number of bytes.
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

/// d = a b + c, with a of m x k elements, stored by rows, and b of k x n
/// elements, stored by columns (PTX ISA, "Warp-level matrix instructions:
/// mma"). The machine supports
///
///   a, b          c, d        shapes
///   f16           f32, f16    m16n8k8, m16n8k16
///   bf16          f32         m16n8k8, m16n8k16
///   tf32          f32         m16n8k4, m16n8k8
///   f64           f64         m8n8k4, m16n8k4, m16n8k8, m16n8k16
///   s8, u8        s32         m8n8k16, m16n8k16, m16n8k32
///   e4m3, e5m2    f32, f16    m16n8k16, m16n8k32
///
/// In a line with two 8-bit types, a and b may have different types of the
/// line. isSupported() decides whether a Site is supported.
struct MmaFacts {
  int32_t m = 0, n = 0, k = 0;
  ElementType a = ElementType::F16, b = ElementType::F16;
  /// Element type of c and d.
  ElementType accumulator = ElementType::F32;
  /// `.satfinite` of integers: results are clamped to s32; otherwise they are
  /// modulo 2^32.
  bool saturate = false;
  /// Whether the elements of a along M, or of b along N, are contiguous in
  /// shared memory; only for wgmma of 16-bit types.
  bool isTransposedA = false, isTransposedB = false;
};

/// Whether the machine has the instruction.
bool isSupported(const MmaFacts &mma);

/// Whether the machine supports wgmma of this shape and these types. It
/// supports 64 rows, 8 to 256 columns and a k of 32 bytes, with operands of
/// f16, bf16, tf32, e4m3 and e5m2 and accumulators of f32, or operands of s8
/// and u8 and accumulators of s32.
bool isWarpgroupSupported(const MmaFacts &mma);

/// Number of 32-bit words (or doubles, for F64) in a lane's fragments.
struct MmaRegisters {
  int a, b, c;
};
/// @pre isSupported(mma)
MmaRegisters countRegisters(const MmaFacts &mma);

/// ldmatrix and stmatrix: `count` matrices of 8 rows of 16 bytes (8x8 of 16
/// bits). If `isTransposed`, they are transposed as matrices of elements of
/// `elementBits`: 16, or 8 for m16n16 (`count` 1 or 2; 16 rows of 16 bytes
/// each).
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
  /// redux.sync.{min,max}.f32. If one value is a NaN, the other is the result.
  FloatMin,
  FloatMax
};

/// Facts of a division or of a use of a quotient. For a division, `isUniform`
/// is whether all threads of the block divide the same integers, which are not
/// elements of a tile. For a use, it is whether the use reports only divisions
/// for which `isUniform` is set.
struct DivisionFacts {
  bool isUniform = false;
};

/// Static facts of one instruction of the kernel.
struct Site {
  SiteKind kind = SiteKind::Other;
  /// Name of the operation of the tile program that the instruction comes from,
  /// such as "tile.matmul"; may be empty.
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
