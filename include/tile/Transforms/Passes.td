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

    Postconditions: the module has a `tile.target` that is a known architecture, or
    none.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "",
           "the architecture to compile for, such as sm_90a">];
}

def CanonicalForm : Tile_ModulePass<"canonical-form"> {
  let summary = "inline functions, fold, remove common subexpressions";
  let description = [{
    Phase 1. Inlines every call in a kernel, canonicalizes, and eliminates common
    subexpressions. Then it removes functions without callers that work on tiles or are
    private; a public function without tiles belongs to the host and is kept. Composite
    operations are kept, too: the kernel is still at level `source`.

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

    Postconditions: kernels have no calls. The pass rejects, with an error at the
    operation: a kernel at a level other than `source`; a call that cannot be inlined (a
    recursive one, or one of a declaration without a body); calls that would expand to
    more than 65,536 operations; an allocation in a kernel; and side effects that every
    thread of a block would repeat (a write to an array by an operation of another
    dialect outside `tile.per_thread`, and `cf.assert`).
  }];
  let options = [
    Option<"keepsCustom", "keep-custom", "bool", "false",
           "keep calls of functions with tile.custom_adjoint or tile.custom_tangent, for "
           "-tile-gradient">,
  ];
}

def Decompose : Tile_KernelPass<"decompose"> {
  let summary = "replace composite operations by simpler ones";
  let description = [{
    Phase 1. Replaces each composite operation with simpler operations that compute the
    same results, as its `DecomposeOpInterface` specifies, until no composite operation
    is left:

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

    In the [dialect's reference](Dialect.md), an operation that is composite, in every
    form or in some forms that its description names, has the trait
    `Promises<::tile::DecomposeOpInterface>`. A composite operation without a
    decomposition is an error at its line.

    Postconditions: the kernel has no composite operation, and is at level `decomposed`;
    it was at level `source` before.
  }];
  let dependentDialects = ["::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def OrientMatmuls : Tile_KernelPass<"orient-matmuls"> {
  let summary = "compute the transpose of a matmul if only that is used";
  let description = [{
    End of phase 1. If a program uses a matmul, and elementwise operations on it, only
    transposed, the matmul of the transposed operands replaces it, and the
    transposes of results become transposes of operands. An lhs that is computed from a
    matmul can then stay in registers.

    ```mlir
    // before
    %s = tile.matmul %q, transpose(%k), zeros
    %p = math.exp2 %s
    %v = tile.matmul transpose(%p), %o, %w

    // after
    %s = tile.matmul %k, transpose(%q), zeros
    %p = math.exp2 %s
    %v = tile.matmul %p, %o, %w
    ```

    A matmul is kept as it is if it has a tiling or an accumulator other than a constant,
    if none of its operands is a transpose, if a transpose of its result is the rhs of a
    matmul, if the transposed matmul has fewer rows, and fewer than the 64 of a warpgroup
    MMA, or if the accumulators of the transposed matmuls and of those that multiply their
    results have more than 256 columns, 128 registers a thread.
  }];
}

def SpecializeAlignment : Tile_ModulePass<"specialize-alignment"> {
  let summary = "make a specialized and a generic variant of a kernel";
  let description = [{
    End of phase 1. If nothing is known of the alignment of an array's base address and
    run-time strides, no load or store of it is wider than one element. A kernel that
    could access an array by wider accesses if it were aligned gets two variants. The
    *specialized* variant keeps the kernel's name, and assumes that base addresses and
    run-time strides are multiples of 16 bytes. The *generic* variant, `NAME__general`,
    is a clone that assumes nothing. The launcher chooses between them by predicates in
    the metadata.

    ```mlir
    // before
    tile.kernel @k(%a: memref<?x?xf16>) { ... }

    // after
    tile.kernel @k(%a: memref<?x?xf16> {tile.assumed_alignment = 16 : i64,
                                        tile.assumed_stride_alignment = 16 : i64}) { ... }
    tile.kernel @k__general(%a: memref<?x?xf16>)
        attributes {tile.general_of = "k"} { ... }
    ```

    Only arrays with an access that becomes wider get these assumptions. The promises of
    the program's author, `tile.alignment` and `tile.stride_alignment`, hold for both
    variants.

    Postconditions: these arrays of the specialized variant have
    `tile.assumed_alignment` (bytes of the base address) and, if they have run-time
    strides, `tile.assumed_stride_alignment` (bytes of each run-time stride). The
    generic variant has `tile.general_of`.
  }];
}

def WarpTiling : Tile_KernelPass<"warp-tiling"> {
  let summary = "distribute each matmul over warps, lanes and instructions";
  let description = [{
    Phase 2. Chooses the kernel's `block`, if it has none, and writes a complete
    `#tile.tiling` on each `tile.matmul`: the instruction, from the instruction table
    (docs/Instructions.md); the warps along M and N; a warp's sub-tiles (WMITER,
    WNITER); and for FMA the thread tile (TM, TN). Parameters that the program specifies
    are verified. The options specify parameters that the program leaves out, and a cost
    model chooses the rest (docs/WarpTiling.md). The matmuls themselves are not split.

    ```mlir
    // before, in a block of 64
    %d = tile.matmul %a, %b, %c : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>

    // after
    %d = tile.matmul %a, %b, %c tiling <warps = [1, 2], sub = [2, 2], atom = #tile.mma<16x8x16, f16, f32>>
        : !tile.tile<32x32xf16>, !tile.tile<32x32xf16> -> !tile.tile<32x32xf32>
    ```

    The options, as in `-tile-warp-tiling="warps=2,4 thread=8,8 stages=3"`, apply to
    every matmul whose own tiling does not specify the parameter.

    Postconditions: the kernel has a `block`, and every matmul a complete tiling. A
    kernel with a matmul whose tiling or the options specify `vector` has
    `tile.exact_accesses`.
  }];
  let options = [
    ListOption<"warps", "warps", "int64_t", "warps along M and N">,
    ListOption<"sub", "sub", "int64_t",
               "sub-tiles of a warp along M and N (WMITER, WNITER)">,
    ListOption<"thread", "thread", "int64_t",
               "elements of a thread along M and N (TM, TN), for fma">,
    Option<"atom", "atom", "std::string", "",
           "the name of the instruction (docs/Instructions.md)">,
    Option<"operands", "operands", "::tile::OperandSource",
           "::tile::OperandSource::shared", "the memory from which A and B are read",
           [{::llvm::cl::values(
             clEnumValN(::tile::OperandSource::shared, "shared",
                        "a copy in shared memory"),
             clEnumValN(::tile::OperandSource::global, "global",
                        "the arrays, by each thread"))}]>,
    Option<"vector", "vector", "int64_t", "0",
           "maximum number of elements of an access to A and B; 0 is any">,
    Option<"stages", "stages", "int64_t", "0",
           "number of stages; 0 is the compiler's choice">];
}

def SplitAccumulators : Tile_KernelPass<"split-accumulators"> {
  let summary = "compute accumulators that a block cannot hold part by part";
  let description = [{
    The start of phase 2. If the accumulator of a matmul has more than 192 KiB, the
    registers of a block do not hold it, and it would spill. The kernel then runs in a
    loop over equal parts of the accumulator's larger dimension, or of the other one.
    Loads, stores and arithmetic are on tiles of a part; other tiles are loaded and
    computed again for each part. Nothing changes if an operation combines elements along
    the dimension, if the kernel reads an array that it writes, or if it has other
    effects.

    ```mlir
    // before
    %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> !tile.tile<256x256xf32> {
      %a = tile.load %A[%i, %k] : memref<?x?xf16> -> !tile.tile<256x64xf16>
      %b = tile.load %B[%k, %j] : memref<?x?xf16> -> !tile.tile<64x256xf16>
      ...
    }
    tile.store %s, %C[%i, %j] : !tile.tile<256x256xf32>, memref<?x?xf32>

    // after
    scf.for %part = %c0 to %c2 step %c1 {
      %start = arith.muli %part, %c128 : index
      %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> !tile.tile<256x128xf32> {
        %a = tile.load %A[%i, %k] : memref<?x?xf16> -> !tile.tile<256x64xf16>
        %own = arith.addi %j, %start : index
        %b = tile.load %B[%k, %own] : memref<?x?xf16> -> !tile.tile<64x128xf16>
        ...
      }
      %own = arith.addi %j, %start : index
      tile.store %s, %C[%i, %own] : !tile.tile<256x128xf32>, memref<?x?xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def RereadTiles : Tile_KernelPass<"reread-tiles"> {
  let summary = "read long rows again from shared memory instead of holding them";
  let description = [{
    The end of phase 2. A kernel that reduces a loaded tile and then uses it again holds
    it in registers. If registers then allow a multiprocessor one block only, or fewer
    than the kernel requests, such tiles are copied to shared memory. They are read from
    there in each section of the kernel that uses them, with the arithmetic on them; a
    section ends with an operation that combines elements, as a reduction does. The kernel
    then requests two blocks, or as many as it did. Nothing changes if registers are still
    estimated not to suffice, or if shared memory does not.

    `tile.reread`, the index of the section, keeps reads of one tile apart.

    ```mlir
    // before
    %x = tile.load %a[%i, %c0] : memref<?x?xf16> -> !tile.tile<1x16384xf16>
    %y = tile.cast %x : !tile.tile<1x16384xf16> to !tile.tile<1x16384xf32>
    %sum = tile.reduce add %y axis 1 : !tile.tile<1x16384xf32> to !tile.tile<1xf32>
    // uses of %y

    // after
    %x = tile.load %a[%i, %c0] : memref<?x?xf16> -> !tile.tile<1x16384xf16, #tile.shared>
    %x0 = tile.convert_layout %x {tile.reread = 0 : i64} : ...
    %y0 = tile.cast %x0 : ...
    %sum = tile.reduce add %y0 axis 1 : ...
    %x1 = tile.convert_layout %x {tile.reread = 1 : i64} : ...
    %y1 = tile.cast %x1 : ...
    // uses of %y1
    ```
  }];
  let dependentDialects = ["::tile::TileDialect"];
}

def AssignStorage : Tile_KernelPass<"assign-storage"> {
  let summary = "give every tile registers or shared memory, with the reason";
  let description = [{
    Phase 3. A tile is in registers, with two exceptions. It is in shared memory if
    threads need elements that other threads hold, at coordinates that are known only at
    run time or belong to different registers in different threads (sources and results
    of `tile.view`, sources of `tile.take`). It is also in shared memory if it is an
    operand of a `tile.matmul` whose tiling reads its operands there.

    A computed operand, which elementwise operations compute from loaded tiles for one
    matmul by matrix instructions, is in registers if nothing else uses it. The loaded
    tiles are then in shared memory, so that they can be copied iterations ahead.
    Operands whose low bits an instruction would ignore are rounded by
    `tile.round_tf32`. A storage that the program declares is kept. Each change of
    storage becomes a `tile.convert_layout`.

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

    Postconditions: every tile has `#tile.register` or `#tile.shared`; tiles of
    elementwise operations, and tiles that are passed into or out of a region, are in
    registers; `tile.storage` of the kernel lists each tile with its storage and the
    reason.
  }];
}

def AssignLayouts : Tile_KernelPass<"assign-layouts"> {
  let summary = "give every tile a layout, and convert tiles whose layouts differ";
  let description = [{
    Phase 4. Register layouts come first from matmuls, whose operands in registers have
    the layout of the instruction's fragments, and then from memory accesses, with 16
    bytes for each thread. Values that elementwise operations and loops connect share a
    layout. Operands in registers that take too many registers of a thread are copied to
    shared memory, which a remark reports. Shared layouts and swizzles are chosen by
    counting the bank conflicts of their readers and writers.

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

    A `tile.convert_layout` is inserted if an operation needs a tile in another layout.
    It is also inserted before a store whose warps would write runs of less than 32
    bytes, although rows allow 16 bytes for each thread. A reduction across warps is
    split into a `tile.partial_reduce`, a conversion, and a reduction within threads; a
    scan across warps or chunks into a `tile.partial_reduce`, a conversion, and a
    `tile.partial_scan`. A tile that a non-commutative region reduces has its elements
    along the axis in order: those of a thread, then those of the next lane, then those
    of the next warp. A tile that is scanned consists of up to four chunks that are each
    in this order. A `tile.sort` and a Fourier transform are expanded to their steps and
    passes.

    Postconditions: every tile has a layout; the tiles of an elementwise operation have
    one layout; no `tile.reduce`, `tile.scan` or `tile.partial_sort` crosses warps;
    there is no `tile.sort`, and no Fourier transform except its passes.
  }];
  let dependentDialects = [
    "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def AdvanceCopies : Tile_KernelPass<"advance-copies"> {
  let summary = "load operands that are copied to shared memory before earlier matmuls";
  let description = [{
    Phase 5. A load that is copied to shared memory outside of loops moves up to before
    the first of the matmuls above it, with the computation of its operands, so that the
    matmuls do not wait for global memory one after the other. It does not move over a
    store to its array, nor over operations that order accesses or have regions, nor do
    loads move that its operands need. Nothing moves if all tiles of the kernel in shared
    memory, live at the same time, would let a multiprocessor hold fewer blocks than
    registers do, with 128 of them a thread, or than the program requests.

    ```mlir
    // before
    %c = tile.matmul %x, %v, %zero ...
    %w = tile.load %a[%c0, %c0] : ... -> !tile.tile<32x32xf16, #tile.shared<...>>
    %d = tile.matmul %t, %w, %zero ...

    // after
    %w = tile.load %a[%c0, %c0] : ... -> !tile.tile<32x32xf16, #tile.shared<...>>
    %c = tile.matmul %x, %v, %zero ...
    %d = tile.matmul %t, %w, %zero ...
    ```
  }];
}

def AssignStages : Tile_KernelPass<"assign-stages"> {
  let summary = "choose the loops to pipeline and their stages";
  let description = [{
    Phase 5, first half. Marks a loop whose body loads tiles to shared memory for a
    matmul, or for elementwise operations that compute its operand: the loop with
    `tile.num_stages`, and these loads with `tile.copy`, the mechanism that copies
    their tiles to shared memory in an earlier iteration. The program may specify the
    number of stages (`stages` of `#tile.tiling`). Otherwise it is as large as
    leaves room for a second block on the multiprocessor, up to four (FMA: three), but
    at least three (FMA: two) if the shared memory of one block can hold these. A block
    that is the only one on its multiprocessor, since the kernel requests it or the grid
    has no more blocks than the GPU has multiprocessors, gets up to eight (not for FMA).

    With four or more stages, a `wgmma` matmul is marked with `tile.in_flight` if it is
    the only matmul of the loop, nothing else in the loop reads its accumulator, and
    only asynchronous copies without further buffers load its operands ahead.

    ```mlir
    // before
    scf.for %k = %c0 to %n step %c32 {
      %a = tile.load %x[%i, %k] : memref<128x256xf16> -> !tile.tile<32x32xf16, ...>
      ...
    }

    // after
    scf.for %k = %c0 to %n step %c32 {
      %a = tile.load %x[%i, %k] {tile.copy = #tile_gpu.cp_async} : memref<128x256xf16> -> !tile.tile<32x32xf16, ...>
      ...
    } {tile.num_stages = 4 : i64}
    ```

    Postconditions: the marks; nothing else is changed.
  }];
  let dependentDialects = ["::tile_gpu::TileGpuDialect"];
}

def ExpandPipeline : Tile_KernelPass<"expand-pipeline"> {
  let summary = "turn marked loops into prologue and steady state";
  let description = [{
    Phase 5, second half. The loads of a marked loop become asynchronous copies to
    circular buffers. The copies of an iteration write one stage of each buffer, and are
    issued `stages - 1` iterations ahead, or `stages - 2` if a matmul stays in flight.
    The matmuls read the buffers. The expansion is upstream's `scf::pipelineForLoop`.

    ```mlir
    // before
    scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) {
      %a = tile.load %x[%i, %k] {tile.copy = #tile_gpu.cp_async} : ...
      %d = tile.matmul %a, %b, %acc tiling <...> : ...
      scf.yield %d
    } {tile.num_stages = 4 : i64}

    // after
    %buffer = memref.alloc() : memref<4x32x32xf16, #tile.shared<...>>
    %channel = tile_gpu.channel %buffer : ... -> !tile_gpu.channel<4>
    %first = tile_gpu.counter 0 : !tile_gpu.counter<4>
    %fourth = tile_gpu.counter 3 : !tile_gpu.counter<4>
    ... // copies of the first three iterations, one fill for each
    scf.for %k = %c0 to %n step %c32
        iter_args(%acc = %zero, %put = %fourth, %get = %first) {
      tile_gpu.wait %channel[%get] : ...
      %stage = tile_gpu.stage %buffer[%get] : ...
      %a = tile_gpu.from_buffer %stage : ...
      %d = tile.matmul %a, %b, %acc tiling <...> : ...
      %next = tile_gpu.stage %buffer[%put] : ...
      tile_gpu.copy_async %x[%i, %k_plus_96] to %next if %more : ...
      tile_gpu.commit %channel[%put] : ...
      scf.yield %d, %put_plus_1, %get_plus_1
    }
    tile_gpu.drain %channel : ...
    ```

    If the loop is the only one inside an `scf.for`, whose iterations do not change its
    bounds, the copies run ahead over the iterations of both loops, and the outer loop
    carries the counters. This requires that the outer loop writes none of the copied
    arrays, that offsets are computed from its index without memory, and that shared
    memory has room for the buffers during the whole outer loop. A remark states which
    condition does not hold.

    Copies beyond the last iteration are skipped, and their fills are committed empty.
    (If rows continue in the box of the next iteration, the copy of one more box is
    made.) Unaligned rows of 8-bit and 16-bit elements are copied by covering copies,
    and `tile_gpu.align_rows` shifts them into position; with enough stages, it does so an
    iteration ahead of the matmul.

    Postconditions: no marks except `tile.in_flight`; circular buffers are memrefs in
    shared memory.
  }];
  let dependentDialects = [
    "::tile_gpu::TileGpuDialect",
    "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

def Bufferize : Tile_KernelPass<"bufferize"> {
  let summary = "turn tiles in shared memory into buffers";
  let description = [{
    Phase 6. A tile in shared memory becomes a memref whose memory space is the tile's
    `#tile.shared`: the definition of the tile writes this buffer, and its uses read it.
    Views and transposes become views of the memref. A conversion between register
    layouts that moves elements between warps, or needs too many shuffles, becomes a
    write to a new buffer and a read from it.

    ```mlir
    // before
    %a = tile.load %x[%i, %j] : memref<128x256xf16> -> !tile.tile<32x32xf16, #tile.shared<...>>
    %d = tile.matmul %a, %b, %c tiling <...> : ...

    // after
    %buffer = memref.alloc() : memref<32x32xf16, #tile.shared<...>>
    %channel = tile_gpu.channel %buffer : ... -> !tile_gpu.channel<1>
    tile_gpu.copy_async %x[%i, %j] to %buffer : ...
    tile_gpu.commit %channel[%n] : ...
    tile_gpu.wait %channel[%n] : ...
    %d = tile.matmul %buffer, %b, %c tiling <...> : ...
    ```

    Postconditions: no value is a tile in shared memory; every `tile.convert_layout`
    moves elements within threads, or by shuffles within warps.
  }];
  let dependentDialects = [
    "::tile_gpu::TileGpuDialect",
    "::mlir::memref::MemRefDialect"];
}

def CarryFragments : Tile_KernelPass<"carry-fragments"> {
  let summary = "prefetch fragments: multiply the last step along K after the next barrier";
  let description = [{
    Phase 6, after `-tile-bufferize`: fragment prefetch, or double buffering in
    registers. It applies to matmuls by `mma.sync` in loops that copy ahead, if the loop
    carries the accumulator and has no other use of it. Each iteration reads the
    fragments of the last step along K (`tile_gpu.load_shared`) without multiplying them.
    The next iteration multiplies them while it reads its first fragments, then issues
    its copies, and then multiplies its own steps. The terms are added in the same order
    as before, except that the first iteration first adds a matmul of zeros.

    ```mlir
    // before
    scf.for ... iter_args(%acc = %zero) {
      tile_gpu.wait %channel[%get] : ...
      %d = tile.matmul %a, %b, %acc tiling <...> : ...
      tile_gpu.copy_async ...
      scf.yield %d
    }

    // after
    %d = scf.for ... iter_args(%acc = %zero, %la = %zeros_a, %lb = %zeros_b) {
      tile_gpu.wait %channel[%get] : ...
      %a0 = tile_gpu.load_shared %a_of_step_0 : ...
      %b0 = tile_gpu.load_shared %b_of_step_0 : ...
      %d0 = tile.matmul %la, %lb, %acc tiling <...> : ...   // last step of the iteration before
      tile_gpu.copy_async ...
      %d1 = tile.matmul %a0, %b0, %d0 tiling <...> : ...    // step 0, then 1 to n - 2
      %an = tile_gpu.load_shared %a_of_step_n_minus_1 : ...
      %bn = tile_gpu.load_shared %b_of_step_n_minus_1 : ...
      scf.yield %d1, %an, %bn
    }
    %e = tile.matmul %d#1, %d#2, %d#0 tiling <...> : ...
    ```

    The pass does not change matmuls whose K is a single step or no multiple of a step,
    whose operands are padded, whose 8-bit operands are not contiguous along K, or whose
    fragments would not fit the registers; nor loops that shift unaligned rows, unless
    only one block fits on a multiprocessor.

    Postconditions: those of `-tile-bufferize`.
  }];
  let dependentDialects = ["::tile_gpu::TileGpuDialect"];
}

def IssueMatmuls : Tile_KernelPass<"issue-matmuls"> {
  let summary = "issue asynchronous MMAs, and wait for them";
  let description = [{
    End of phase 6. A `tile.matmul` by a warpgroup MMA (`wgmma`) becomes a
    `tile_gpu.mma_async` and a `tile_gpu.mma_wait`. The wait comes directly after the
    `tile_gpu.mma_async`, or at the end of the iteration if the loop carries the next lhs in
    registers. A matmul with `tile.in_flight` (from `-tile-assign-stages`) stays in
    flight longer: the wait for it is at the end of the next iteration, whose own MMA is
    then in flight, and after the loop for the last MMA.

    Postconditions: no `tile.matmul` by a warpgroup MMA.
  }];
  let dependentDialects = ["::tile_gpu::TileGpuDialect"];
}

def GroupExchanges : Tile_KernelPass<"group-exchanges"> {
  let summary = "let exchanges between warps share a barrier";
  let description = [{
    End of phase 6. Warps exchange a few values, such as the partial sums of a
    `tile.reduce`, through a buffer of at most 256 bytes. The write of an exchange that
    does not depend on an earlier one moves before the read of that one, with the
    operations from which its values are computed if these have no side effects. Phase 8
    then inserts one barrier, between the writes and the reads.

    ```mlir
    // before
    tile_gpu.store_shared %a, %A
    %x = tile_gpu.load_shared %A
    tile_gpu.store_shared %b, %B
    %y = tile_gpu.load_shared %B

    // after
    tile_gpu.store_shared %a, %A
    tile_gpu.store_shared %b, %B
    %x = tile_gpu.load_shared %A
    %y = tile_gpu.load_shared %B
    ```
  }];
}

def AllocateShared : Tile_KernelPass<"allocate-shared"> {
  let summary = "allocate every buffer in shared memory, by live range";
  let description = [{
    Phase 7. Gives each buffer an offset in the kernel's shared memory. Buffers whose
    live ranges do not overlap may share bytes. A buffer is live from its first access
    to its last. An access inside a loop that does not contain the allocation keeps it
    live for the whole loop. The buffers of a channel are live until the last wait on the
    channel; a buffer that a matmul in flight reads, until the waits for the matmul's
    token. Buffers of at most 256 bytes, of exchanges between warps, are
    reserved for longer, if no fewer blocks fit on a multiprocessor: until the last access
    of the next such buffer, and in a loop in all of its body. Exchanges that follow each
    other then need one barrier each. A kernel that needs more shared memory than the architecture has is
    an error, which lists the buffers that are live where most memory is needed.

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

    Postconditions: each `memref.alloc` has `tile.shared_offset`, and the kernel has
    `tile.shared_bytes`.
  }];
}

def InsertBarriers : Tile_KernelPass<"insert-barriers"> {
  let summary = "insert barriers between conflicting accesses to shared memory";
  let description = [{
    Phase 8, after `-tile-verify-channels`. Walks the kernel with the set of accesses to shared memory since the last
    barrier. If an operation's access conflicts with one of them (by another thread, to
    the same bytes, and one of the two writes), a `gpu.barrier` is inserted before the
    operation, or an `nvvm.bar.warp.sync` if both threads always belong to one warp.
    Loops are walked until the set no longer changes. Stages of a circular buffer are
    distinguished by the positions of their counters
    (`tile/Analysis/ChannelPositions.h`). A `tile_gpu.mma_async` gets a proxy fence, after
    its barrier. A release gets a barrier before it, and an acquire one after it.

    ```mlir
    // before
    tile_gpu.wait %channel[%n] : ...
    %t = tile_gpu.load_shared %stage : ...   // reads what the copies of all threads wrote

    // after
    tile_gpu.wait %channel[%n] : ...
    gpu.barrier
    %t = tile_gpu.load_shared %stage : ...
    ```

    Postconditions: every two conflicting accesses are separated by a barrier.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::NVVM::NVVMDialect"];
}

def OrderFills : Tile_KernelPass<"order-fills"> {
  let summary = "add acquires and releases of fills";
  let description = [{
    Phase 8, before `-tile-verify-channels`. Adds a `tile_gpu.acquire` before the first
    copy of each fill. In a loop whose iterations each read a fill for the last time, adds
    a `tile_gpu.release` of this fill at the end of the body. If an asynchronous MMA that
    reads the fill stays in flight until the next iteration, the fill before is released.

    ```mlir
    // before
    scf.for ... iter_args(%put = %three, %get = %zero) {
      tile_gpu.wait %channel[%get] : !tile_gpu.channel<4>
      tile_gpu.copy_async %array[%i] to %stage : ...
      tile_gpu.commit %channel[%put] : !tile_gpu.channel<4>
      ... read fill %get
      scf.yield %next_put, %next_get
    }

    // after
    scf.for ... iter_args(%put = %three, %get = %zero) {
      tile_gpu.wait %channel[%get] : !tile_gpu.channel<4>
      tile_gpu.acquire %channel[%put] : !tile_gpu.channel<4>
      tile_gpu.copy_async %array[%i] to %stage : ...
      tile_gpu.commit %channel[%put] : !tile_gpu.channel<4>
      ... read fill %get
      tile_gpu.release %channel[%get] : !tile_gpu.channel<4>
      scf.yield %next_put, %next_get
    }
    ```
  }];
}

def VerifyChannels : Tile_KernelPass<"verify-channels"> {
  let summary = "verify that channels are filled and read in order";
  let description = [{
    Phase 8, after `-tile-order-fills`. Verifies on all paths that a fill is acquired
    only after the fill before in its stage was released, that copies are to an acquired
    fill, that a commit follows copies to each buffer of the channel, that a wait is for a
    fill that was committed, that a stage is read only after a wait for the fill that the
    counter identifies, and that a fill is released only when the asynchronous MMAs that
    read it are complete (`tile/Analysis/ChannelFills.h`). The positions of a channel's
    counters relative to each other must be known (`tile/Analysis/ChannelPositions.h`).

    ```mlir
    tile_gpu.commit %channel[%n] : ...
    %stage = tile_gpu.stage %buffer[%n] : ...
    %t = tile_gpu.load_shared %stage : ...
    // error: expected a read of a fill that is full, got one that may be in flight
    ```

    Postconditions: the kernel is unchanged.
  }];
}

def CountGroups : Tile_KernelPass<"count-groups"> {
  let summary = "replace commits and waits of channels by those of cp.async groups";
  let description = [{
    Phase 8, after `-tile-insert-barriers`. Removes acquires and releases, whose order
    the barriers keep. A group consists of the copies that a thread has issued since its
    previous commit, and a wait gives the count of newest groups that may stay in
    flight. The pass counts, on all paths, the groups that are committed after a fill
    and before a wait for it, and takes the minimum.

    ```mlir
    // before
    tile_gpu.commit %a[%n] : !tile_gpu.channel<4>
    tile_gpu.commit %b[%m] : !tile_gpu.channel<1>
    tile_gpu.wait %a[%n] : !tile_gpu.channel<4>

    // after
    nvvm.cp.async.commit.group
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    ```

    If the positions of a channel's counters relative to each other are not known
    (`tile/Analysis/ChannelPositions.h`), a wait is for all fills of the channel.

    Errors: a wait for a fill that no path to it commits.

    Postconditions: the kernel has no channel.
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def SinkWaits : Tile_KernelPass<"sink-waits"> {
  let summary = "move waits after the copies that follow";
  let description = [{
    Phase 8, after `-tile-count-groups`. Moves each `tile_gpu.mma_wait` and each
    `nvvm.cp.async.wait.group` down in its block, past copies, their commits, and
    operations without effects that do not use its results. These copies are then issued
    while the MMA, or an earlier copy, is in flight. They write nothing that the MMA
    reads, since otherwise there would be a barrier between them and the wait. A wait
    for copies is removed if, after only such operations, another wait follows that
    waits for the same copies. If a loop follows instead, its body must start with such
    a wait, and another one must come after the loop.

    Postconditions: every two conflicting accesses are ordered.
  }];
}

def PlanAccesses : Tile_KernelPass<"plan-accesses"> {
  let summary = "plan the memory accesses of each operation";
  let description = [{
    Phase 8, after `-tile-sink-waits`. Writes on each operation that accesses global or
    shared memory an access plan, `#tile.access`: the width of its accesses, their
    instruction, and their bounds tests. The report counts these accesses, and phase 9
    makes them.

    ```mlir
    // before
    %t = tile.load %x[%c0] : memref<1024xf32> -> !tile.tile<256xf32, #tile.register<...>>
    tile_gpu.copy_async %a[%m, %k] to %buffer : ...
    %d = tile.matmul %buffer, %other, %c {tiling = ...} : ...

    // after
    %t = tile.load %x[%c0]
        {tile.access = #tile.access<vector = 4, kind = vector, guard = none>} : ...
    tile_gpu.copy_async %a[%m, %k] to %buffer
        {tile.access = #tile.access<vector = 8, kind = copy_async, guard = box>} : ...
    %d = tile.matmul %buffer, %other, %c {tiling = ...,
        tile.lhs_access = #tile.access<vector = 8, kind = matrix, guard = none>,
        tile.rhs_access = #tile.access<vector = 8, kind = matrix_transposed, guard = none>} : ...
    ```

    An access is as wide as the layout of its tile, the alignment of the array and the
    layout of the buffer allow. It has no bounds test if the box is known to be inside
    the array.

    Postconditions: each operation that accesses memory has `tile.access`, and a
    `tile.matmul` has `tile.lhs_access` and `tile.rhs_access` for operands that threads
    read from buffers.
  }];
}

def VerifySynchronization : Tile_KernelPass<"verify-synchronization"> {
  let summary = "prove that conflicting accesses are ordered, or emit an error";
  let description = [{
    Proves that every two conflicting accesses (by different threads, to the same bytes,
    one of them a write) are ordered on every path: there is a barrier of these threads
    between them, and a wait for an asynchronous copy comes before that barrier. Loops,
    circular buffers and reused bytes are included. If the proof fails for two accesses,
    there is an error at the later one, with notes at the earlier one and at each step
    of a path between them. At the end of phase 8, `-tile-verify-level` makes the same
    proof. The proof shares no code with `-tile-insert-barriers`, except the query
    whether two accesses conflict only within warps. docs/Synchronization.md describes
    the model and its limits.

    ```mlir
    tile_gpu.store_shared %t, %a : ...
    %u = tile_gpu.load_shared %a : ...
    // error: expected a barrier between the write of shared bytes [0, 128) and this read
    //        of shared bytes [0, 128), got a path without one
    ```

    Postconditions: the kernel is unchanged.
  }];
}

def VerifyLevel : Tile_KernelPass<"verify-level"> {
  let summary = "verify that a kernel is at a level, and record it";
  let description = [{
    Runs after the last phase before a level. Verifies the conditions of the level
    (docs/Pipeline.md). For `buffered` these are the postconditions of phases 1 to 8,
    including the proof of `-tile-verify-synchronization`; code is generated only for
    kernels that satisfy them. There is an error at the first operation that violates a
    condition.

    ```mlir
    // before
    tile.kernel @k(...) { ... }

    // after
    tile.kernel @k(...) attributes {tile.level = #tile<level buffered>} { ... }
    ```

    Postconditions: the kernel has the attribute `tile.level`, except at `source`.
  }];
  let options = [
    Option<"level", "level", "::tile::Level", "::tile::Level::source",
           "the level to verify",
           [{::llvm::cl::values(
             clEnumValN(::tile::Level::source, "source", "as its author wrote it"),
             clEnumValN(::tile::Level::decomposed, "decomposed",
                        "without calls and composite operations"),
             clEnumValN(::tile::Level::distributed, "distributed",
                        "whole tiles with storage and layouts"),
             clEnumValN(::tile::Level::buffered, "buffered",
                        "buffers with offsets, and barriers"))}]>];
}

def CheckBounds : Tile_KernelPass<"check-bounds"> {
  let summary = "assert that run-time coordinates are inside tiles and arrays";
  let description = [{
    Not a phase: it runs for the emulator, after phase 8, and for the CPU path, after
    canonical form. Run-time coordinates outside of a tile are undefined behaviour. In a
    checked run, each `tile.view`, `tile.extract`, `tile.insert` and `tile.take`, and
    each view of a buffer in shared memory, gets a `tile.assert` before it, with the
    operation's line, that its coordinates are inside. An access to an array with
    `in_bounds` gets a `tile.assert` that this promise holds. Code for a GPU has no such
    assertions.

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
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def FindPaddedReductions : Tile_KernelPass<"find-padded-reductions"> {
  let summary = "warn of reductions that include zeros read outside of an array";
  let description = [{
    Not a phase: it runs at level `source`, for the author of a program. A load without
    `pad` reads zeros outside of its array. The pass warns at each reduction whose
    result these zeros change, if the array's size is not a multiple of the tile's: a
    maximum, a minimum, a multiplication (`mul`), an average, an index of an extreme
    element, a sort, and a sum of elements that are computed from the zeros. It does not
    consider a load with `pad` or `in_bounds`, or elements that the program selects by a
    mask. Nothing is changed.

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
    Runs after phase 8. Operations on tiles are unrolled: each becomes instructions for
    every element that a thread holds. A kernel that is estimated at more than 80,000
    PTX instructions is refused, where 64-bit instructions and those of sorts count more
    than once. The error is at the operation with the most instructions, and states a
    larger block size that would be accepted, the smallest one, if there is any. On one
    core, an accepted kernel takes up to 10 s to compile to PTX, and up to a minute to
    compile to a cubin.

    Postconditions: the kernels are unchanged.
  }];
}

#endif // TILE_TRANSFORMS_PASSES
