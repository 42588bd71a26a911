// The transforms, in the order in which the pipeline runs them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PASSES
#define TILE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

class Tile_ModulePass<string argument>
    : Pass<"tile-" # argument, "::mlir::ModuleOp">;
class Tile_KernelPass<string argument>
    : Pass<"tile-" # argument, "::tile::KernelOp">;

def CanonicalForm : Tile_ModulePass<"canonical-form"> {
  let summary = "inline functions, fold, remove common subexpressions";
  let description = [{
    Phase 1. Inlines every call in a kernel, canonicalizes and removes common
    subexpressions, then removes functions that nobody calls: those that work on
    tiles, and private ones. A public function without tiles is the host's and
    stays. Operations that are
    others put together are expanded: `tile.arg_reduce`, `tile.extract` of an
    element, `tile.histogram`, `tile.iota` from a start, `tile.push`, `tile.pop`,
    `tile.random`, `tile.top_k`, a `tile.view` of steps or fewer dimensions,
    masked loads and stores, and a `tile.atomic_rmw` that is `ordered`.

    Postconditions: kernels without calls and without those operations. Refused at its
    line is a kernel at another level than `source`, a call that cannot be inlined
    (recursion, a declaration without body), calls that make more than 65,536
    operations, an allocation, and what all threads of a block would do at once where
    one is meant: a write to an array by an operation of another dialect outside
    of `tile.per_thread`, and `cf.assert`.
  }];
}

def SpecializeAlignment : Tile_ModulePass<"specialize-alignment"> {
  let summary = "make a specialized and a generic variant of a kernel";
  let description = [{
    Phase 1, its end. A kernel whose arrays have run-time addresses or strides
    is fast only where they are aligned. Such a kernel is cloned: the *promised*
    body keeps the name and assumes that base addresses are multiples of 16
    bytes and run-time strides multiples of 16 bytes, as argument attributes
    say; the *generic* one, `NAME__general`, assumes nothing. The launcher picks
    by the predicate in the metadata.

    What the program's author says, `tile.alignment` and `tile.stride_alignment`,
    holds for both.

    Postconditions: `tile.assumed_alignment` (bytes of the base address) and
    `tile.assumed_stride_alignment` (bytes of each run-time stride) on the
    specialized variant's arrays, and `tile.general_of` on the other.
  }];
}

def WarpTiling : Tile_KernelPass<"warp-tiling"> {
  let summary = "spread each matrix product over warps, lanes and instructions";
  let description = [{
    Phase 2. Fixes the kernel's `block` and writes a complete `#tile.tiling` on
    each `tile.matmul`: the instruction by the table (docs/Instructions.md), the
    warps along M and N, a warp's sub-tiles (WMITER, WNITER), and for FMA the
    thread tile (TM, TN). What the program gives is verified and completed; what
    it leaves out the options give, and the rest is chosen by the cost model of
    the file's head (docs/WarpTiling.md). It splits nothing.

    `-tile-warp-tiling="warps=2,4 thread=8,8 stages=3"` is said of every product
    whose own tiling does not say otherwise.

    Postconditions: a block size, a complete tiling on every product, and
    `tile.exact_accesses` on a kernel with a product that gives `vector`.
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
    threads that do not hold them at addresses known only at run time, or by an
    instruction that reads shared memory: operands of a `tile.matmul` whose
    tiling reads them there, sources and results of `tile.view`. An operand of a
    product by matrix instructions that elementwise operations compute of loaded
    tiles, for the product alone, is in registers; its loads are to shared
    memory, where copies can run ahead. A storage declared in the type is kept.
    Each change of storage becomes a `tile.convert_layout`.

    Postconditions: every tile has `#tile.register` or `#tile.shared`; operands of
    elementwise operations, and values that cross a region's border, are in
    registers; `tile.storage` on the kernel lists each tile, storage and reason.
  }];
}

def AssignLayouts : Tile_KernelPass<"assign-layouts"> {
  let summary = "give every tile a layout, make every mismatch visible";
  let description = [{
    Phase 4. Register layouts come from matrix products, of which an operand in
    registers has the layout of the instruction's fragments, then from the memory
    operations at 16 bytes a thread; values joined by elementwise operations and
    loops share one. Operands in registers that are too many for a thread are
    copied to shared memory, which a remark says. Shared layouts and swizzles
    are chosen by counting the bank conflicts of their readers and writers. What
    disagrees is converted by `tile.convert_layout`, as is what a warp would
    store in runs of less than 32 bytes where rows allow 16 bytes a thread; a
    reduction that crosses warps is cut into a `tile.partial_reduce`, a
    conversion and a reduction within threads, a scan into a
    `tile.partial_reduce`, a conversion and a `tile.partial_scan`. What is scanned,
    or combined by a region that is not commutative, has its elements in order:
    those of a thread, of its lanes, of warps.

    Postconditions: every storage resolved; the operands of an elementwise operation
    have one type; no `tile.reduce` crosses warps.
  }];
}

def AssignStages : Tile_KernelPass<"assign-stages"> {
  let summary = "choose the loops to pipeline and their stages";
  let description = [{
    Phase 5, first half. A loop whose body loads tiles into shared memory for a
    matrix product, or for elementwise operations that compute its operand, is
    marked with `tile.num_stages`, its loads with `tile.stage = 0`. The number
    is the program's (`#tile.tiling<stages>`) or as many as fit, four at most.

    Postconditions: marks, no other change.
  }];
}

def ExpandPipeline : Tile_KernelPass<"expand-pipeline"> {
  let summary = "turn marked loops into prologue and steady state";
  let description = [{
    Phase 5, second half. The loads of a marked loop become asynchronous copies
    into a ring of buffers, one buffer a stage, begun `stages - 1` iterations
    ahead; the products read the ring. The expansion is upstream's
    `scf::pipelineForLoop`.

    Postconditions: no marks; rings as memrefs in shared memory.
  }];
}

def Bufferize : Tile_KernelPass<"bufferize"> {
  let summary = "turn shared tiles and scratch into buffers";
  let description = [{
    Phase 6. A tile in shared memory becomes a memref whose memory space is its
    `#tile.shared`; its definition writes the buffer, its uses read it. Views
    and transposes become views of the memref. A change of register layout that
    is no renaming becomes a write to and a read from a scratch buffer.

    Postconditions: no value of a shared tile type; every `tile.convert_layout` is a
    renaming.
  }];
}

def CarryFragments : Tile_KernelPass<"carry-fragments"> {
  let summary = "multiply the last step along K behind the next barrier";
  let description = [{
    Phase 6, its end. In a loop that copies ahead, a product by matrix
    instructions that only adds to what the loop carries reads the fragments of
    its last step along K (`tile.load_shared`), and the next iteration multiplies
    them, while it reads its first ones. The copies of the iteration stand
    between these products and the rest. The result is the same sum in the same
    order, after one product of zeros.

    Left as they are: products of one step, of operands that are padded, of
    8-bit operands that are not contiguous along K, and those whose fragments
    would not fit the registers.

    Postconditions: what phase 6 has left.
  }];
}

def AllocateShared : Tile_KernelPass<"allocate-shared"> {
  let summary = "place every buffer in shared memory, by live range";
  let description = [{
    Phase 7. Gives each buffer an offset in the kernel's shared memory; buffers
    whose live ranges do not meet share bytes. A kernel that needs more than the
    architecture has is refused with the buffers live at the worst point.

    Postconditions: `tile.shared_offset` on each `memref.alloc`, `tile.shared_bytes` on
    the kernel.
  }];
}

def InsertBarriers : Tile_KernelPass<"insert-barriers"> {
  let summary = "place a barrier wherever two threads meet in shared memory";
  let description = [{
    Phase 8. Walks the kernel with the accesses to shared bytes since the last
    barrier. An access that conflicts with one of them, by another thread, gets
    a `gpu.barrier` before it. Loops are walked until nothing changes; the slots
    of a ring are told apart by their distance in iterations.

    Postconditions: every two conflicting accesses are separated by a barrier.
  }];
}

def VerifySynchronization : Tile_KernelPass<"verify-synchronization"> {
  let summary = "prove that conflicting accesses are ordered, or refuse";
  let description = [{
    Phase 8, its end. Proves that every two accesses to the same bytes, one of
    them a write, are ordered on every path: all threads meet at a barrier
    between them, and an asynchronous copy was waited for before that barrier.
    Loops, rings of stages and reused bytes are included. What is not proved is
    an error at the later access, with notes at the earlier one and at each step
    of a path between them. Shares no code with `-tile-insert-barriers`; the
    model and its limits are in docs/Synchronization.md.

    Postconditions: the kernel as it was.
  }];
}

def VerifyBuffered : Tile_KernelPass<"verify-buffered"> {
  let summary = "verify that a kernel is at level buffered, and say so";
  let description = [{
    The end of the phases. Holds the kernel to what phases 1 to 8 leave
    (docs/Pipeline.md), the proof of `-tile-verify-synchronization` among it, so
    that code is made of nothing else. The first operation that breaks it is an
    error.

    Postconditions: `tile.level = #tile<level buffered>` on the kernel.
  }];
}

def CheckPlaces : Tile_KernelPass<"check-places"> {
  let summary = "assert that places inside tiles, known at run time, are inside";
  let description = [{
    No phase: for the emulator, behind phase 8, and for the CPU path, behind
    canonical form. A run-time place outside a tile is undefined behaviour. What
    runs a program to check it says so instead: before each `tile.view` and
    `tile.insert`, each view of a buffer in shared memory and each `tile.take`, a
    `tile.assert` with the operation's line says that all places are inside.
    Code for a GPU has none of these.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def VerifyInstructions : Tile_ModulePass<"verify-instructions"> {
  let summary = "refuse a kernel that would take minutes to compile";
  let description = [{
    Behind phase 8. What is done with an element of a tile is code once for each
    element that a thread has. A kernel for which that is estimated at more than
    80,000 instructions of PTX, of which those of 64 bits and of sorts count more
    than once, is refused at the operation that has most, with the least block
    size that serves. Measured on one core, what is not refused takes up to 10 s
    to PTX and a minute to a cubin.

    Postconditions: the kernels as they were.
  }];
}

#endif // TILE_TRANSFORMS_PASSES
