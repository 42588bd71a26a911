// Structure: the kernel, its grid, its end.
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
  let description = "The kernel, its index in the grid, its end.";
}

let opDocGroup = Tile_StructureGroup in {

def Tile_KernelOp : Tile_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, AutomaticAllocationScope,
    OpAsmOpInterface, SingleBlock]> {
  let summary = "what one thread block runs";
  let description = [{
    A function without results that the blocks of a grid run. Arguments are
    arrays in global memory (memrefs) and scalars. The kernel becomes one entry
    point of the module that comes out, or two, when run-time alignment of its
    arrays matters (see `-tile-specialize-alignment`).

    `block` fixes the number of threads of a block; without it the compiler
    chooses. Whole warps run them, and execute the operations on tiles together. In
    the region of `tile.per_thread`, which each thread runs by itself, the threads of
    the last warp beyond the block are idle. `grid` states the number of blocks as
    an expression over the arguments, so that a launcher need not be told.

    `tile.blocks_per_processor = n : i64` requests code of which a
    multiprocessor can run n blocks at a time: ptxas gives a thread as few
    registers, spilling if need be, and stages of loops as little shared memory.
    With n = 1 stages may take all of it.
    `-tile-warp-tiling` refuses more than 32 blocks or 2048 threads.

    Constraints:
    - (C1) an argument is an array (memref of rank 1 to 8 without memory space
      or in `#gpu.address_space<global>`, of a tile's element type and of offset
      0 or `?`: a launch gives the address of its first element) or a scalar of a
      tile's element type.
    - (C2) `block` is from 1 to 1024 (PTX ISA, ".maxntid").
    - (C3) the sources of `grid` name arguments that have such a size.
    - (C4) the body ends with `tile.return`, the kernel has no results.
    - (C5) a kernel is public: nothing in its module can call it.
    - (C6) it has a name that is not empty.

    Its arrays may be read by `memref.load`, and viewed by `memref.subview` and
    its like. They are written by operations on tiles, or by single threads in
    `tile.per_thread`; `-tile-canonical-form` refuses another write.

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

    /// The warps that run the threads of `block`. @pre there is a `block`.
    int64_t getNumWarps();
    /// The threads of those warps, which is what a launch starts: as many as
    /// `block` has, or more, of which the last ones are idle where a thread does
    /// something by itself. @pre there is a `block`.
    int64_t getLaunchedThreads() { return getNumWarps() * kWarpSize; }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [
    Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let description = [{
    Ends the kernel. Only the last operation of a kernel.

    Example: `tile.return`
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_YieldOp : Tile_Op<"yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["MapOp", "ReduceOp", "PartialReduceOp", "ScanOp",
                 "PartialScanOp", "PerThreadOp", "GroupOp"]>]> {
  let summary = "what a region on elements computes";
  let description = [{
    Ends the region of a `tile.map`, `tile.reduce`, `tile.scan` or
    `tile.per_thread`, with one element for each result, or of a `tile.group`,
    with one tensor for each result.

    Example: `tile.yield %x, %i : f32, i32`
  }];
  let arguments = (ins Variadic<Tile_YieldedValue>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "index of the block in the program grid";
  let description = [{
    The block's coordinate along `$axis`, from 0 to the extent less one. The GPU
    starts blocks in the order of their hardware index, and coordinates count
    from the end: the last ones, with the ends of arrays, are started first.
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
    The number of blocks along `$axis`. Cost: none, a special register.

    Example: `%rows = tile.num_programs x`
  }];
  let arguments = (ins Tile_AxisAttr:$axis);
  let results = (outs Index:$result);
  let assemblyFormat = "`` $axis attr-dict";
}

} // opDocGroup

#endif // TILE_IR_STRUCTUREOPS
