// The transforms, in the order in which the pipeline runs them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PASSES
#define TILE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

class Tile_ModulePass<string argument>
    : Pass<"tile-" # argument, "::mlir::ModuleOp">;
class Tile_KernelPass<string argument>
    : Pass<"tile-" # argument, "::tile::KernelOp">;

def SetTarget : Tile_ModulePass<"set-target"> {
  let summary = "set the architecture that the module is compiled for";
  let description = [{
    Runs before phase 2, the first one that depends on the architecture. Without `arch`
    the module is not changed: it is compiled for its `tile.target`, or for sm_80 if it
    has none.

    ```mlir
    // after -tile-set-target=arch=sm_90a
    module attributes {tile.target = "sm_90a"} {}
    ```

    Postconditions: a `tile.target` that is known, or none.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "",
           "the architecture to compile for, such as sm_90a">];
}

def CanonicalForm : Tile_ModulePass<"canonical-form"> {
  let summary = "inline functions, fold, remove common subexpressions";
  let description = [{
    Phase 1. Inlines every call in a kernel, canonicalizes and removes common
    subexpressions, then removes functions that nobody calls: those that work on tiles, and
    private ones. A public function without tiles is the host's and stays. Composite
    operations stay: the kernel is still at level `source`.

    ```mlir
    // before
    func.func private @twice(%t: !tile.tile<64xf32>) -> !tile.tile<64xf32> {
      %u = arith.addf %t, %t : !tile.tile<64xf32>
      return %u : !tile.tile<64xf32>
    }
    %u = func.call @twice(%t) : (!tile.tile<64xf32>) -> !tile.tile<64xf32>
    %e = tile.extract %u[%i] : !tile.tile<64xf32>

    // after
    %u = arith.addf %t, %t : !tile.tile<64xf32>
    %e = tile.extract %u[%i] : !tile.tile<64xf32>
    ```

    Postconditions: kernels without calls. The pass rejects, at the operation: a kernel at
    a level other than `source`; a call that cannot be inlined (recursion, a declaration
    without a body); calls that make more than 65,536 operations; an allocation; scalar side
    effects that every thread of a block would repeat (a write to an array by an operation
    of another dialect outside `tile.per_thread`, and `cf.assert`).
  }];
}

def Decompose : Tile_KernelPass<"decompose"> {
  let summary = "replace composite operations by simpler ones";
  let description = [{
    Phase 1. Replaces each composite operation by those that compute the same
    together, as its `DecomposeOpInterface` specifies, until none is left:

    ```mlir
    %u = tile.iota axis 0 from %x step %h : !tile.tile<100xf32>
    ```

    becomes

    ```mlir
    %n = tile.iota axis 0 : !tile.tile<100xf32>
    %s = tile.fill %x : !tile.tile<100xf32>
    %d = tile.fill %h : !tile.tile<100xf32>
    %m = arith.mulf %n, %d : !tile.tile<100xf32>
    %u = arith.addf %s, %m : !tile.tile<100xf32>
    ```

    The [dialect](Dialect.md) lists the interfaces of each operation: one with
    `Tile_Composite` is composite in every form, one with
    `Tile_CompositeInSomeForms` in the forms that its description names. A composite
    operation without a decomposition is an error at its line.

    Postconditions: no composite operation; the kernel, which was at level
    `source`, is at `decomposed`.
  }];
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def SpecializeAlignment : Tile_ModulePass<"specialize-alignment"> {
  let summary = "make a specialized and a generic variant of a kernel";
  let description = [{
    Phase 1, its end. A kernel whose arrays have run-time addresses or strides is fast
    only where they are aligned: without that assumption no access is wider than an
    element. Such a kernel is cloned. The *specialized* variant keeps the name and
    assumes that base addresses and run-time strides are multiples of 16 bytes; the
    *generic* one, `NAME__general`, assumes nothing. The launcher chooses by the
    predicate in the metadata.

    ```mlir
    // before
    tile.kernel @k(%a: memref<?x?xf16>) { ... }

    // after
    tile.kernel @k(%a: memref<?x?xf16> {tile.assumed_alignment = 16 : i64,
                                        tile.assumed_stride_alignment = 16 : i64}) { ... }
    tile.kernel @k__general(%a: memref<?x?xf16>)
        attributes {tile.general_of = "k"} { ... }
    ```

    Only arrays with an access that could be wider get the assumption. The assumptions of
    the program's author, `tile.alignment` and `tile.stride_alignment`, hold for both
    variants.

    Postconditions: `tile.assumed_alignment` (bytes of the base address) and
    `tile.assumed_stride_alignment` (bytes of each run-time stride) on the specialized
    variant's arrays, and `tile.general_of` on the other.
  }];
}

def WarpTiling : Tile_KernelPass<"warp-tiling"> {
  let summary = "distribute each matmul over warps, lanes and instructions";
  let description = [{
    Phase 2. Fixes the kernel's `block` and writes a complete `#tile.tiling` on each
    `tile.matmul`: the instruction by the table (docs/Instructions.md), the warps along
    M and N, a warp's sub-tiles (WMITER, WNITER), and for FMA the thread tile (TM, TN).
    Parameters that the program gives are verified and completed; the options give those
    that it leaves out, and a cost model chooses the rest (docs/WarpTiling.md). The pass
    splits nothing.

    ```mlir
    // before, in a block of 64
    %d = tile.matmul %a, %b, %c : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>

    // after
    %d = tile.matmul %a, %b, %c tiling <warps = [1, 2], sub = [2, 2], atom = "m16n8k16">
        : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>
    ```

    `-tile-warp-tiling="warps=2,4 thread=8,8 stages=3"` applies to every matmul, for the
    parameters that its own tiling does not give.

    Postconditions: a block size, a complete tiling on every matmul, and
    `tile.exact_accesses` on a kernel with a matmul that gives `vector`.
  }];
  let options = [
    ListOption<"warps", "warps", "int64_t", "warps along M and N">,
    ListOption<"sub", "sub", "int64_t",
               "sub-tiles of a warp along M and N (WMITER, WNITER)">,
    ListOption<"thread", "thread", "int64_t",
               "elements of a thread along M and N (TM, TN), for fma">,
    Option<"atom", "atom", "std::string", "",
           "the instruction, a row of the table">,
    Option<"operands", "operands", "::tile::OperandSource",
           "::tile::OperandSource::shared", "where A and B are read",
           [{::llvm::cl::values(
             clEnumValN(::tile::OperandSource::shared, "shared",
                        "from a copy in shared memory"),
             clEnumValN(::tile::OperandSource::global, "global",
                        "by each thread from the arrays"))}]>,
    Option<"vector", "vector", "int64_t", "0",
           "elements of an access to A and B at most; 0 is any">,
    Option<"stages", "stages", "int64_t", "0",
           "stages in flight; 0 is as many as serve">];
}

def AssignStorage : Tile_KernelPass<"assign-storage"> {
  let summary = "give every tile registers or shared memory, with the reason";
  let description = [{
    Phase 3. A tile lives in registers, except where its elements are needed by
    threads that do not hold them at addresses known only at run time (sources and
    results of `tile.view`, sources of `tile.take`), or by an instruction that reads
    shared memory: operands of a `tile.matmul` whose tiling reads them there. An operand
    of a matmul by matrix instructions that elementwise operations compute from loaded
    tiles, for this matmul only, is in registers; its loads are to shared memory, where
    copies can run ahead. A storage declared in the type is kept. Each change of storage
    becomes a `tile.convert_layout`.

    ```mlir
    // before
    %a = tile.load %x[%i, %k] : memref<128x256xf16> -> !tile.tile<32x32xf16>
    %d = tile.matmul %a, %b, %c tiling <...>
        : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>

    // after
    %a = tile.load %x[%i, %k] : memref<128x256xf16> -> !tile.tile<32x32xf16, #tile.shared>
    %d = tile.matmul %a, %b, %c tiling <...>
        : !tile.tile<32x32xf16, #tile.shared>, !tile.tile<32x32xf16, #tile.shared>
        -> !tile.tile<32x32xf32, #tile.register>
    ```

    Postconditions: every tile has `#tile.register` or `#tile.shared`; operands of
    elementwise operations, and values that cross a region's border, are in registers;
    `tile.storage` on the kernel lists each tile, storage and reason.
  }];
}

def AssignLayouts : Tile_KernelPass<"assign-layouts"> {
  let summary = "give every tile a layout, make every mismatch visible";
  let description = [{
    Phase 4. Register layouts come from matmuls, whose operands in registers have the
    layout of the instruction's fragments, then from memory operations at 16 bytes a
    thread; values joined by elementwise operations and loops share one. Operands in
    registers that are too many for a thread are copied to shared memory, and a remark
    reports it. Shared layouts and swizzles are chosen by counting the bank conflicts of
    their readers and writers.

    ```mlir
    // before
    %a = tile.load ... -> !tile.tile<32x32xf16, #tile.shared>
    %d = tile.matmul %a, %b, %c tiling <...> : ... -> !tile.tile<32x32xf32, #tile.register>

    // after
    %a = tile.load ...
        -> !tile.tile<32x32xf16, #tile.shared<(32,32):(32,1), swizzle = <2, 4, 3>, align = 128>>
    %d = tile.matmul %a, %b, %c tiling <...> : ...
        -> !tile.tile<32x32xf32, #tile.register<((4,8),2,(2,2,2,2)):((2,32),16,(1,256,8,512)), box = [32, 32]>>
    ```

    Layouts that disagree are converted by `tile.convert_layout`, and so are tiles that a
    warp would store in runs of less than 32 bytes where rows allow 16 bytes a thread. A
    reduction across warps is split into a `tile.partial_reduce`, a conversion and a
    reduction within threads, a scan into a `tile.partial_reduce`, a conversion and a
    `tile.partial_scan`. A tile that is scanned, or combined by a region that is not
    commutative, has its elements in order: those of a thread, of its lanes, of warps.

    Postconditions: every storage resolved; the operands of an elementwise operation have
    one type; no `tile.reduce` crosses warps.
  }];
}

def AssignStages : Tile_KernelPass<"assign-stages"> {
  let summary = "choose the loops to pipeline and their stages";
  let description = [{
    Phase 5, first half. A loop whose body loads tiles into shared memory for a matmul,
    or for elementwise operations that compute its operand, is marked with
    `tile.num_stages`, its loads with `tile.stage = 0`. The number of stages is
    that of the program (`#tile.tiling<stages>`), or as many as fit in shared memory: at
    most four, or eight if only one block fits on a multiprocessor. With four or more, a matmul by
    the instruction of a warpgroup that only adds to what the loop carries is marked with
    `tile.in_flight`.

    ```mlir
    // before
    scf.for %k = %c0 to %n step %c32 {
      %a = tile.load %x[%i, %k] : memref<128x256xf16> -> !tile.tile<32x32xf16, ...>
      ...
    }

    // after
    scf.for %k = %c0 to %n step %c32 {
      %a = tile.load %x[%i, %k] {tile.stage = 0 : i64} : memref<128x256xf16> -> !tile.tile<32x32xf16, ...>
      ...
    } {tile.num_stages = 4 : i64}
    ```

    Postconditions: marks, no other change.
  }];
}

def ExpandPipeline : Tile_KernelPass<"expand-pipeline"> {
  let summary = "turn marked loops into prologue and steady state";
  let description = [{
    Phase 5, second half. The loads of a marked loop become asynchronous copies into a
    circular buffer, one stage each, issued `stages - 1` iterations ahead, or `stages - 2`
    where a matmul stays in flight; the matmuls read the buffer. The expansion is upstream's `scf::pipelineForLoop`.

    ```mlir
    // before
    scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) {
      %a = tile.load %x[%i, %k] {tile.stage = 0 : i64} : ...
      %d = tile.matmul %a, %b, %acc tiling <...> : ...
      scf.yield %d
    } {tile.num_stages = 4 : i64}

    // after
    %ring = memref.alloc() : memref<4x32x32xf16, #tile.shared<...>>
    ... // copies of the first three iterations, a group each
    scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero, %put = %c3, %get = %c0) {
      nvvm.cp.async.wait.group 2
      %stage = memref.subview %ring[%get, 0, 0] [1, 32, 32] [1, 1, 1] : ...
      %a = tile.from_buffer %stage : ...
      %d = tile.matmul %a, %b, %acc tiling <...> : ...
      %next = memref.subview %ring[%put, 0, 0] [1, 32, 32] [1, 1, 1] : ...
      tile.copy_async %x[%i, %k_plus_96] to %next if %more : ...
      nvvm.cp.async.commit.group
      scf.yield %d, %put_plus_1_mod_4, %get_plus_1_mod_4
    }
    ```

    A copy beyond the last iteration is skipped, and its group committed empty. Unaligned
    rows of 8- and 16-bit elements are copied by the chunks that cover them, and shifted
    to their final position by `tile.align_rows` in a stage of its own, an iteration ahead
    of the matmul.

    Postconditions: no marks but `tile.in_flight`; circular buffers as memrefs in shared memory.
  }];
}

def Bufferize : Tile_KernelPass<"bufferize"> {
  let summary = "turn shared tiles and scratch into buffers";
  let description = [{
    Phase 6. A tile in shared memory becomes a memref whose memory space is its
    `#tile.shared`; its definition writes the buffer, its uses read it. Views and
    transposes become views of the memref. A change of register layout that is not a
    no-op becomes a write to and a read from a scratch buffer.

    ```mlir
    // before
    %a = tile.load %x[%i, %j] : memref<128x256xf16> -> !tile.tile<32x32xf16, #tile.shared<...>>
    %d = tile.matmul %a, %b, %c tiling <...> : ...

    // after
    %buffer = memref.alloc() : memref<32x32xf16, #tile.shared<...>>
    tile.copy_async %x[%i, %j] to %buffer : ...
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    %d = tile.matmul %buffer, %b, %c tiling <...> : ...
    ```

    Postconditions: no value of a shared tile type; every `tile.convert_layout` is a
    no-op.
  }];
}

def CarryFragments : Tile_KernelPass<"carry-fragments"> {
  let summary = "prefetch fragments: multiply the last step along K after the next barrier";
  let description = [{
    Phase 6, its end: fragment prefetch, or double buffering in registers. It applies to
    matmuls with matrix instructions in loops that copy ahead, if the loop carries the
    accumulator and has no other use of it. Each iteration reads the fragments of the last
    step along K (`tile.load_shared`) without multiplying them. The next iteration multiplies
    them while it reads its first fragments, then issues its copies, and then multiplies its
    own steps. The result is the same sum in the same order, except that the first iteration
    adds a matmul of zeros.

    ```mlir
    // before
    scf.for ... iter_args(%acc = %zero) {
      nvvm.cp.async.wait.group 2
      %d = tile.matmul %a, %b, %acc tiling <...> : ...
      tile.copy_async ...
      scf.yield %d
    }

    // after
    %d = scf.for ... iter_args(%acc = %zero, %la = %zeros_a, %lb = %zeros_b) {
      nvvm.cp.async.wait.group 2
      %a0 = tile.load_shared %a_of_step_0 : ...
      %b0 = tile.load_shared %b_of_step_0 : ...
      %d0 = tile.matmul %la, %lb, %acc tiling <...> : ...   // last step of the iteration before
      tile.copy_async ...
      %d1 = tile.matmul %a0, %b0, %d0 tiling <...> : ...    // step 0, then 1 to n - 2
      %an = tile.load_shared %a_of_step_n_minus_1 : ...
      %bn = tile.load_shared %b_of_step_n_minus_1 : ...
      scf.yield %d1, %an, %bn
    }
    %e = tile.matmul %d#1, %d#2, %d#0 tiling <...> : ...
    ```

    Left as they are: matmuls of one step, of operands that are padded, of 8-bit operands
    that are not contiguous along K, and those whose fragments would not fit the registers.

    Postconditions: those of `-tile-bufferize`.
  }];
}

def IssueMatmuls : Tile_KernelPass<"issue-matmuls"> {
  let summary = "issue asynchronous MMAs, and wait for them";
  let description = [{
    Phase 6, after `-tile-bufferize`. A `tile.matmul` by the instruction of a warpgroup
    becomes a `tile.mma_async` and, directly after it, a `tile.mma_wait`. In a loop
    that has a stage for it (`tile.in_flight`, from `-tile-assign-stages`) the MMA
    stays in flight: the wait is at the end of the next iteration, with the MMA of
    that iteration in flight, and after the loop for the last one.

    Postconditions: no `tile.matmul` by the instruction of a warpgroup.
  }];
}

def AllocateShared : Tile_KernelPass<"allocate-shared"> {
  let summary = "allocate every buffer in shared memory, by live range";
  let description = [{
    Phase 7. Gives each buffer an offset in the kernel's shared memory. Buffers whose live
    ranges do not overlap share bytes: a buffer lives from its first access to its last, for
    the whole of a loop that does not contain its allocation, and, if asynchronous copies
    write it, until all groups were waited for. A kernel that needs more than the
    architecture has is refused with the buffers live at the worst point.

    ```mlir
    // before
    tile.kernel @k(...) attributes {block = 64 : i64} {
      %a = memref.alloc() : memref<4x32x32xf16, #tile.shared<...>>
      %b = memref.alloc() : memref<4x32x32xf16, #tile.shared<...>>

    // after
    tile.kernel @k(...) attributes {block = 64 : i64, tile.shared_bytes = 16384 : i64} {
      %a = memref.alloc() {tile.shared_offset = 0 : i64} : memref<4x32x32xf16, #tile.shared<...>>
      %b = memref.alloc() {tile.shared_offset = 8192 : i64} : memref<4x32x32xf16, #tile.shared<...>>
    ```

    Postconditions: `tile.shared_offset` on each `memref.alloc`, `tile.shared_bytes` on the
    kernel.
  }];
}

def InsertBarriers : Tile_KernelPass<"insert-barriers"> {
  let summary = "insert a barrier wherever two threads meet in shared memory";
  let description = [{
    Phase 8. Walks the kernel with the accesses to shared bytes since the last barrier. An
    access that conflicts with one of them, by another thread, gets a `gpu.barrier` before
    it, or an `nvvm.bar.warp.sync` where both threads are of one warp. Loops are walked until
    nothing changes; the stages of a circular buffer are told apart by their distance in
    iterations. A `tile.mma_async` gets a proxy fence, after its barrier.

    ```mlir
    // before
    nvvm.cp.async.wait.group 2
    %t = tile.load_shared %stage : ...   // reads what the copies of all threads wrote

    // after
    nvvm.cp.async.wait.group 2
    gpu.barrier
    %t = tile.load_shared %stage : ...
    ```

    Postconditions: every two conflicting accesses are separated by a barrier.
  }];
}

def SinkWaits : Tile_KernelPass<"sink-waits"> {
  let summary = "move waits after the copies that follow";
  let description = [{
    Phase 8, after `-tile-insert-barriers`. Moves each `tile.mma_wait` and each
    `nvvm.cp.async.wait.group` down in its block, past copies, their commits, and
    operations that have no effect and do not use its results. So these copies are
    issued while the MMA, or an earlier copy, is in flight. They write nothing that
    the MMA reads, or a barrier would be between. A wait for copies is left out if
    another one follows before any other operation and waits for as much, in a loop
    and after it too.

    Postconditions: every two conflicting accesses are ordered.
  }];
}

def PlanAccesses : Tile_KernelPass<"plan-accesses"> {
  let summary = "decide how each operation accesses memory";
  let description = [{
    Phase 8, after `-tile-insert-barriers`, which does not depend on it. Writes on each
    access to global and shared memory its width, its instructions and its tests, as
    `#tile.access`. The report counts these accesses, and phase 9 makes them.

    ```mlir
    // before
    %t = tile.load %x[%c0] : memref<1024xf32> -> !tile.tile<256xf32, #tile.register<...>>
    tile.copy_async %a[%m, %k] to %buffer : ...
    %d = tile.matmul %buffer, %other, %c {tiling = ...} : ...

    // after
    %t = tile.load %x[%c0]
        {tile.access = #tile.access<vector = 4, kind = vector, guard = none>} : ...
    tile.copy_async %a[%m, %k] to %buffer
        {tile.access = #tile.access<vector = 8, kind = copy_async, guard = box>} : ...
    %d = tile.matmul %buffer, %other, %c {tiling = ...,
        tile.lhs_access = #tile.access<vector = 8, kind = matrix, guard = none>,
        tile.rhs_access = #tile.access<vector = 8, kind = matrix_transposed, guard = none>} : ...
    ```

    An access is as wide as the layout of its tile, the alignment of the array and the layout
    of the buffer allow; it tests nothing where the box is known to be inside the array.

    Postconditions: `tile.access` on each access, `tile.lhs_access` and `tile.rhs_access` on a
    `tile.matmul` for operands that threads read from buffers.
  }];
}

def VerifySynchronization : Tile_KernelPass<"verify-synchronization"> {
  let summary = "prove that conflicting accesses are ordered, or refuse";
  let description = [{
    Phase 8, its end. Proves that every two accesses to the same bytes, one of them a write,
    are ordered on every path: all threads meet at a barrier between them, and an asynchronous
    copy was waited for before that barrier. Loops, circular buffers and reused bytes are
    included. If the proof fails for two accesses, this is an error at the later one, with
    notes at the earlier one and at each step of a path between them. Shares no code with
    `-tile-insert-barriers`; the model and its limits are in docs/Synchronization.md.

    ```mlir
    tile.store_shared %t, %a : ...
    %u = tile.load_shared %a : ...
    // error: expected a barrier between the write of shared bytes [0, 128) and this read
    //        of shared bytes [0, 128), got a path without one
    ```

    Postconditions: the kernel as it was.
  }];
}

def VerifyLevel : Tile_KernelPass<"verify-level"> {
  let summary = "verify that a kernel is at a level, and record it";
  let description = [{
    Runs after the phase that leaves a level. Verifies the conditions of the level
    (docs/Pipeline.md); at `buffered` these are the postconditions of phases 1 to 8, the
    proof of `-tile-verify-synchronization` among them, so that code is generated for
    nothing else. The first operation that violates one is an error.

    ```mlir
    // before
    tile.kernel @k(...) { ... }

    // after
    tile.kernel @k(...) attributes {tile.level = #tile<level buffered>} { ... }
    ```

    Postconditions: `tile.level` on the kernel; none at `source`.
  }];
  let options = [
    Option<"level", "level", "::tile::Level", "::tile::Level::source",
           "the level that the kernel is to be at",
           [{::llvm::cl::values(
             clEnumValN(::tile::Level::source, "source", "as people write it"),
             clEnumValN(::tile::Level::decomposed, "decomposed",
                        "without calls and composite operations"),
             clEnumValN(::tile::Level::distributed, "distributed",
                        "whole tiles with storage and layouts"),
             clEnumValN(::tile::Level::buffered, "buffered",
                        "buffers with offsets, and barriers"))}]>];
}

def CheckBounds : Tile_KernelPass<"check-bounds"> {
  let summary = "assert that run-time coordinates in tiles are inside";
  let description = [{
    Not a phase: for the emulator, after phase 8, and for the CPU path, after canonical
    form. Run-time coordinates outside of a tile are undefined behavior. In a checked run
    a `tile.assert` with the operation's line asserts that all coordinates are inside,
    before each `tile.view`, `tile.extract` and `tile.insert`, each view of a buffer in
    shared memory and each `tile.take`; and before each access to an array that promises
    `in_bounds` that it keeps the promise. Code for a GPU has none of these.

    ```mlir
    // before
    %v = tile.view %t[%i] : !tile.tile<64xf32> to !tile.tile<16xf32>

    // after
    %low = arith.cmpi sge, %i, %c0 : index
    %high = arith.cmpi sle, %i, %c48 : index
    %inside = arith.andi %low, %high : i1
    tile.assert %inside, "expected offsets of a box of 16 in a tile of 64"
    %v = tile.view %t[%i] : !tile.tile<64xf32> to !tile.tile<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FindPaddedReductions : Tile_KernelPass<"find-padded-reductions"> {
  let summary = "warn of reductions that include zeros read outside of an array";
  let description = [{
    Not a phase: at level `source`, for the writer of a program. A load reads zero outside
    of its array, unless it gives another pad. Warns at each reduction whose result these
    zeros change where the array's size is not a multiple of the tile's: a maximum, a
    minimum, a product, an average, an index of an extreme, a sort, and a sum of elements
    that were computed from them. A load with `pad` or `in_bounds`, and elements that the
    program selects by a mask, are left out. Nothing is changed.

    ```mlir
    %t = tile.load %x[%i, %c0] : memref<?x?xf32> -> !tile.tile<8x128xf32>
    // warning: the maximum along axis 1 includes the zeros that a load reads beyond the end
    // of 'x', where the size of its dimension 1 is no multiple of 128: give the load a pad
    // that changes nothing
    %m = tile.reduce max %t axis 1 : !tile.tile<8x128xf32> to !tile.tile<8xf32>
    ```
  }];
}

def VerifyInstructions : Tile_ModulePass<"verify-instructions"> {
  let summary = "refuse a kernel that would take minutes to compile";
  let description = [{
    After phase 8. Operations on tiles are unrolled: each becomes instructions for every
    element that a thread holds. A kernel that is estimated at more than 80,000 PTX
    instructions is refused; 64-bit instructions and those of sorts count more than once. The
    error is at the operation with the most instructions, and states the smallest block size
    that would be accepted. On one core, an accepted kernel takes up to 10 s to compile to
    PTX, and up to a minute to compile to a cubin.

    Postconditions: the kernels as they were.
  }];
}

#endif // TILE_TRANSFORMS_PASSES
