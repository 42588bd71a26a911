// Structure: kernels, the grid of their blocks, the ends of regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_STRUCTUREOPS
#define TILE_IR_STRUCTUREOPS

include "tile/IR/TileOpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Tile_StructureGroup : OpDocGroup {
  let summary = "Structure";
  let description = "Kernels, the grid of their blocks, and the ends of regions.";
}

let opDocGroup = Tile_StructureGroup in {

def Tile_KernelOp : Tile_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope,
    OpAsmOpInterface, SingleBlock]> {
  let summary = "program that one thread block runs";
  let description = [{
    A function without results that each block of a grid runs. Its arguments are
    arrays in global memory (memrefs) and scalars. The kernel becomes one entry point
    of the compiled module, or two if the compiler specializes it for aligned arrays
    (see `-tile-specialize-alignment`).

    `block` is the number of threads of a block; without it the compiler chooses the
    block size. The block runs as whole warps, all threads of which execute the
    operations on tiles together. In the region of `tile.per_thread`, which each
    thread runs by itself, threads of the last warp with an index of `block` or more
    are idle. `grid` is the number of blocks as an expression over the arguments, so
    that a launch need not specify it.

    `tile.blocks_per_processor = n : i64` requests code of which a multiprocessor can
    run n blocks at a time. For this, ptxas limits the registers of a thread, and
    spills if necessary, and loops get only as many stages as fit a block's share of
    the shared memory. With n = 1 the stages of one block may take all shared memory.
    `-tile-warp-tiling` refuses more blocks or threads than a multiprocessor of the
    architecture can hold (32 blocks and 2048 threads on sm_80).

    The arrays may be read by `memref.load` and viewed by operations such as
    `memref.subview`. Only operations on tiles, and single threads in
    `tile.per_thread`, may write them; `-tile-canonical-form` refuses other writes.

    Constraints:
    - (C1) each argument is an array or a scalar of a tile's element type. An array is
      a memref of rank 1 to 8 whose elements have a tile's element type, without a
      memory space or in `#gpu.address_space<global>`, and with the offset 0 or `?`,
      since a launch passes the address of the first element.
    - (C2) `block` is from 1 to 1024 (PTX ISA, ".maxntid").
    - (C3) each source of `grid` is `[argument, dimension]` for a dimension of an
      array, or `[argument]` for an integer or index.
    - (C4) the kernel has no results, and its body ends with `tile.return`.
    - (C5) the kernel is public, since nothing in its module can call it.
    - (C6) the name of the kernel is not empty.

    Example:

    ```mlir
    tile.kernel @zero(%out: memref<64xf32>) attributes {block = 64 : i64} {
      %zero = arith.constant dense<0.0> : !tile.tile<64xf32>
      %c0 = arith.constant 0 : index
      tile.store %zero, %out[%c0] : !tile.tile<64xf32>, memref<64xf32>
      tile.return
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<I64Attr>:$block,
    OptionalAttr<Tile_GridAttr>:$grid,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }

    /// Returns the number of warps that run the threads of `block`.
    /// @pre there is a `block`.
    int64_t getNumWarps();
    /// Returns the number of threads of these warps, which a launch starts. Those
    /// beyond `block` are idle in regions that each thread runs by itself.
    /// @pre there is a `block`.
    int64_t getLaunchedThreads() { return getNumWarps() * kWarpSize; }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [
    Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let description = [{
    Ends the kernel. It is the last operation of each kernel, and occurs only there.

    Example: `tile.return`
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_YieldOp : Tile_Op<"yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["MapOp", "ReduceOp", "PartialReduceOp", "ScanOp",
                 "PartialScanOp", "PerThreadOp", "GroupOp"]>]> {
  let summary = "end of a region, with its results";
  let description = [{
    Ends a region and passes on its results. The region of a `tile.map`, or of a
    `tile.reduce`, `tile.scan` or one of their partial forms, yields one element for
    each result. The region of a `tile.per_thread` yields the thread's part of each
    result, an element or a vector. The region of a `tile.group` yields one tensor for
    each result.

    Example: `tile.yield %x, %i : f32, i32`
  }];
  let arguments = (ins Variadic<Tile_YieldedValue>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "index of the block in the program grid";
  let description = [{
    Returns the block's coordinate along `$axis`, from 0 to the extent of the grid
    less one. The GPU starts blocks in the order of their hardware index, from which
    coordinates count down, so that the blocks at the ends of arrays start first.

    Cost: two instructions.

    Example: `%row = tile.program_id x`
  }];
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "`` $axis attr-dict";
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "extent of the program grid";
  let description = [{
    Returns the number of blocks along `$axis`.

    Cost: none, since it is a special register.

    Example: `%rows = tile.num_programs x`
  }];
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "`` $axis attr-dict";
}

} // opDocGroup

#endif // TILE_IR_STRUCTUREOPS
