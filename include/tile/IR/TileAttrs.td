// Attributes of the tile dialect: layouts, storage, tiling, enumerations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEATTRS
#define TILE_IR_TILEATTRS

include "tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Tile_Attr<string name, string attrMnemonic>
    : AttrDef<Tile_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout"> {
  let summary = "layout: nested shape and stride";
  let description = [{
    A CuTe layout, written `shape:stride`, of two nested tuples of integers. It maps
    each coordinate of its shape to an integer, the inner product of coordinate and
    strides. An index counts the coordinates, the leftmost mode fastest.
    docs/Layout.md describes layouts.

    Constraints:
    - (C1) shape and stride have the same profile, that is, the same nesting.
    - (C2) every extent is positive.

    Example: `#tile.layout<(2,(4,8)):(1,(2,16))>`
  }];
  let parameters = (ins AttrParameter<"::tile::Layout",
                                      "the layout, of the C++ class Layout">:$value);
  let hasCustomAssemblyFormat = 1;
}

def Tile_SwizzleAttr : Tile_Attr<"Swizzle", "swizzle"> {
  let summary = "exclusive-or swizzle of byte addresses";
  let description = [{
    `#tile.swizzle<bits, base, shift>` replaces the bits `[base, base+bits)` of a
    byte offset by their exclusive-or with its bits `[base+shift, base+shift+bits)`.
    The 32-byte, 64-byte and 128-byte swizzling modes of TMA and wgmma are `<1,4,3>`,
    `<2,4,3>` and `<3,4,3>` (PTX ISA, "Swizzling modes").

    Constraints:
    - (C1) bits, base and shift are not negative, shift >= bits, and
      bits + base + shift < 32.
  }];
  let parameters = (ins "unsigned":$bits, "unsigned":$base, "unsigned":$shift);
  let assemblyFormat = "`<` $bits `,` $base `,` $shift `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    Swizzle getSwizzle() const;
  }];
}

def Tile_RegisterAttr : Tile_Attr<"Register", "register"> {
  let summary = "storage in registers";
  let description = [{
    The tile's elements are in registers of the block's threads. The layout specifies
    which thread holds which element: it has three modes, (lane, warp, value), and
    maps them to the row-major index of an element in `box`, a shape whose extents
    are at least the tile's. Elements of the box outside the tile are padding.

    Each of the three modes may be nested. The innermost modes are called flat modes;
    those of extent one are ignored. A flat mode of stride zero replicates elements:
    of the threads that hold the same element, the owner is the one whose coordinate
    is zero in each flat mode of stride zero. Only the owner stores the element or
    updates it atomically.

    `#tile.register` without parameters declares the storage and leaves the layout
    to the compiler.

    Constraints:
    - (C1) layout and box are both given or both absent.
    - (C2) the layout has rank 3; its first mode has size 32, its second mode at most
      32; no flat mode of its third mode has stride zero.
    - (C3) each flat mode with a nonzero stride steps inside one dimension of the box,
      and the flat modes of each dimension together cover its extent exactly once. The
      box has positive extents and fewer than 2^31 elements.

    Example, the accumulator of one mma.m16n8k16:
    `#tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>`
  }];
  let parameters = (ins
    OptionalParameter<"LayoutAttr", "(lane, warp, value) to box index">:$layout,
    OptionalParameter<"::mlir::DenseI64ArrayAttr", "the padded shape">:$box);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether the attribute has a layout.
    bool isResolved() const { return static_cast<bool>(getLayout()); }
    /// Returns layout and box as a RegisterLayout. @pre isResolved().
    RegisterLayout getRegisterLayout() const;
    static RegisterAttr get(::mlir::MLIRContext *context,
                            const RegisterLayout &layout);
  }];
}

def Tile_SharedAttr : Tile_Attr<"Shared", "shared"> {
  let summary = "storage in shared memory";
  let description = [{
    The tile's elements are in the block's shared memory. The layout has one mode for
    each dimension; the sizes of its modes are the box, whose extents are at least
    the tile's. The layout maps a coordinate in the box to an offset in elements; the
    swizzle, if given, permutes the offset in bytes. Elements of the box outside the
    tile are padding, which is filled with zeros if a reader needs them.
    `#tile.shared` without parameters declares the storage and leaves the layout to
    the compiler.

    The attribute is also the memory space of the memref that a tile in shared memory
    becomes.

    Constraints:
    - (C1) the alignment is a power of two, at most 65536 bytes.
    - (C2) the layout is a tuple with one mode for each dimension, or `1:0` for a
      tile of rank 0; its strides are not negative.
    - (C3) the layout spans fewer than 2^31 elements, from offset 0 to the largest.

    Example, rows of 128 bytes with the 128-byte swizzle:
    `#tile.shared<(128,64):(64,1), swizzle = <3, 4, 3>, align = 1024>`
  }];
  let parameters = (ins
    OptionalParameter<"LayoutAttr", "box coordinate to element offset">:$layout,
    OptionalParameter<"SwizzleAttr", "xor on the byte offset">:$swizzle,
    DefaultValuedParameter<"unsigned", "16", "alignment in bytes">:$alignment);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether the attribute has a layout.
    bool isResolved() const { return static_cast<bool>(getLayout()); }
    /// Returns the padded shape: the size of each mode. @pre isResolved().
    ::llvm::SmallVector<int64_t> getBox() const;
  }];
}

def Tile_TilingAttr : Tile_Attr<"Tiling", "tiling"> {
  let summary = "distribution of a matmul over warps, lanes and instructions";
  let description = [{
    The warp tiling of a matmul, written by `-tile-warp-tiling` or by the program's
    author, who may leave out any parameters. docs/WarpTiling.md describes each
    parameter, and the choice of the compiler if it is left out.

    - `warps`: the numbers of warps along M and N; for a batched matmul, along the
      batch, M and N.
    - `sub`: the numbers of sub-tiles that a warp computes along M and N (WMITER,
      WNITER); for a batched matmul, the number of matmuls that a warp computes, for
      `fma` that a lane computes, comes first.
    - `thread`: for `fma`, the extents of a thread's part of a sub-tile (TM, TN).
    - `atom`: the instruction, `#tile.fma`, `#tile.mma` or `#tile.wgmma`. A program may
      give its name instead, such as `"m16n8k16"` or `"fma"`: the types are those of the
      matmul. docs/Instructions.md lists the instructions.
    - `operands`: the memory from which each step along K reads A and B. With
      `shared` the block copies their tiles to shared memory. With `global`, which
      requires `fma`, each thread loads the elements that it multiplies.
    - `vector`: the maximum number of elements of an operand in one access of a
      thread; 0 leaves it to the compiler.
    - `stages`: the number of stages of the loop over K; 0 leaves it to the compiler.

    A sub-tile has WSUBM x WSUBN elements. For `fma` these are parts of TM x TN elements,
    one for each lane: `(WSUBM / TM) * (WSUBN / TN) = 32`, or 32 / B with B lanes along a
    batch of small matrices. For an MMA the instruction table has the extents.

    Constraints:
    - (C1) `warps` and `sub` have two or three values, `thread` has two; each value is
      from 1 to 65536.
    - (C2) `stages` is from 0 to 64.
    - (C3) `vector` is 0, 1, 2, 4, 8 or 16.
    - (C4) `atom` is an attribute with `MatrixInstructionAttrInterface`, or a string.

    Example: `#tile.tiling<warps = [2, 4], sub = [4, 4],
    atom = #tile.mma<16x8x16, f16, f32>>`
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::DenseI64ArrayAttr",
                      "warps along the batch (if batched), M and N">:$warps,
    OptionalParameter<"::mlir::DenseI64ArrayAttr",
                      "sub-tiles of a warp along the batch (if batched), M and N">:$sub,
    OptionalParameter<"::mlir::DenseI64ArrayAttr",
                      "elements of a thread's part "
                      "of a sub-tile along M and N">:$thread,
    OptionalParameter<"::mlir::Attribute", "the instruction, or its name">:$atom,
    DefaultValuedParameter<"::tile::OperandSource", "::tile::OperandSource::shared",
                           "the memory from which A and B are read">:$operands,
    DefaultValuedParameter<"int64_t", "0",
                           "maximum number of elements of an access; "
                           "0 is the compiler's choice">:$vector,
    DefaultValuedParameter<"int64_t", "0",
                           "number of stages; 0 is the compiler's choice">:$stages);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_FftPlanAttr : Tile_Attr<"FftPlan", "fft_plan"> {
  let summary = "radices and threads of a Fourier transform";
  let description = [{
    - `radices`: the radices of the passes, in order.
    - `threads`: the number of threads that transform one row; 0 is the compiler's
      choice. If it is less than 32, each warp transforms several rows at a time.

    Constraints:
    - (C1) each radix is from 2 to 16, or a prime up to 31.
    - (C2) `threads` is 0 or a power of two up to 1024.

    Example: `#tile.fft_plan<radices = [16, 8, 8], threads = 64>`
  }];
  let parameters = (ins
    "::mlir::DenseI64ArrayAttr":$radices,
    DefaultValuedParameter<"int64_t", "0",
                           "number of threads of a row; "
                           "0 is the compiler's choice">:$threads);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_GpuTargetAttr : Tile_Attr<"GpuTarget", "gpu_target"> {
  let summary = "target of a gpu.module of tile kernels";
  let description = [{
    `-tile-to-gpu` gives `#tile.gpu_target<"sm_90a">` as target to the `gpu.module`s
    that it creates or compiles. Upstream's `gpu-module-to-binary` then compiles their
    kernels for this architecture to PTX (`format=isa`), a cubin (`format=bin`) or a
    fat binary (`format=fatbin`). Its option `toolkit` names the folder of the CUDA
    toolkit, for libdevice, ptxas and fatbinary.

    Example: `gpu.module @kernels [#tile.gpu_target<"sm_80">] { ... }`
  }];
  let parameters = (ins StringRefParameter<"an architecture">:$arch);
  let assemblyFormat = "`<` $arch `>`";
}

def Tile_GridAttr : Tile_Attr<"Grid", "grid"> {
  let summary = "the program grid as an expression over the arguments";
  let description = [{
    `#tile.grid<MAP of SOURCES>` computes the extents of the grid, one to three, from
    the arguments of a launch. `MAP` is an affine map without symbols, and `SOURCES`
    are the values of its dimensions: a source `[argument, dimension]` is the size of
    an array along a dimension, a source `[argument]` is an integer scalar. Without
    `factors`, the map's results are the extents. With `factors [a, b, c]`, the map's
    first `a` results multiplied are the first extent, the next `b` results the
    second, and the last `c` the third, since an affine expression cannot multiply
    two sizes, such as batch and heads.

    Constraints:
    - (C1) the map has no symbols, one dimension for each source, and 1 to 3 results,
      or as many results as the factors add up to.
    - (C2) each source names an argument of the kernel, and a dimension if the
      argument is an array; a scalar is an integer. The kernel verifies this.
    - (C3) all divisors of `floordiv`, `ceildiv` and `mod` are positive constants.
    - (C4) there are at most 3 factors, each positive.

    Examples: `#tile.grid<affine_map<(m, n) -> (n ceildiv 128, m ceildiv 128)>
    of [[0, 0], [1, 1]]>`, and for an array of batch, heads and rows
    `#tile.grid<affine_map<(b, h, m) -> (m ceildiv 128, b, h)> of
    [[0, 0], [0, 1], [0, 2]] factors [1, 2]>`
  }];
  let parameters = (ins "::mlir::AffineMapAttr":$map,
                        "::mlir::ArrayAttr":$sources,
                        OptionalArrayRefParameter<"int64_t">:$factors);
  let assemblyFormat =
      "`<` $map `of` $sources (`factors` `[` $factors^ `]`)? `>`";
  let extraClassDeclaration = [{
    /// Returns, for each extent, the results of the map that are multiplied.
    ::llvm::SmallVector<::llvm::ArrayRef<::mlir::AffineExpr>> getExtents();
  }];
  let genVerifyDecl = 1;
}

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

/// A word of an enumeration, written `#tile<axis x>`, or `x` in an operation's syntax.
class Tile_EnumAttr<EnumInfo info, string attrMnemonic>
    : EnumAttr<Tile_Dialect, info, attrMnemonic> {
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1;
}

def Tile_AccessInstruction : Tile_Enum<"AccessInstruction",
                                       "instruction of an access", [
    I32EnumAttrCase<"elements", 0>, I32EnumAttrCase<"vector", 1>,
    I32EnumAttrCase<"copy_async", 2>, I32EnumAttrCase<"matrix", 3>,
    I32EnumAttrCase<"matrix_transposed", 4>]>;

/// The bounds tests of an access, from the fewest to the most.
def Tile_AccessGuard : Tile_Enum<"AccessGuard", "bounds tests of an access", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"box", 1>,
    I32EnumAttrCase<"element", 2>]>;

def Tile_AccessAttr : Tile_Attr<"Access", "access"> {
  let summary = "access plan: instruction, width and bounds tests";
  let description = [{
    The instructions with which a thread accesses its elements of an array or of a
    buffer in shared memory, chosen by `-tile-plan-accesses`. The tile's register
    layout specifies which elements each thread accesses.

    - `vector`: the number of adjacent elements in one access.
    - `kind`: the instruction. `elements`: each access loads, stores or updates one
      element. `vector`: each access loads or stores several elements. `copy_async`:
      each access is a `cp.async`. `matrix`, `matrix_transposed`: each access is a row
      of an `ldmatrix`, without or with transposition.
    - `guard`: the bounds tests. `none`: no test, since all elements are inside.
      `box`: one test for the block whether the whole box is inside, or whether its
      part inside consists of whole accesses, of which each is then tested; otherwise
      each element is tested. `element`: a test for each element, or for each chunk of
      a `copy_async`.
    - `cached`: whether a `copy_async` of 16 bytes goes through the L1 cache
      (`cp.async.ca`), or past it (`cp.async.cg`). Copies of fewer bytes always go
      through it.

    Constraints:
    - (C1) `vector` is 1, 2, 4, 8 or 16.
    - (C2) `vector` is 1 for `elements`, and more than 1 for `vector`, `matrix` and
      `matrix_transposed`.
    - (C3) `cached` is false for all kinds but `copy_async`.

    Example: `#tile.access<vector = 8, kind = copy_async, guard = box>`
  }];
  let parameters = (ins
    "int64_t":$vector,
    EnumParameter<Tile_AccessInstruction>:$kind,
    EnumParameter<Tile_AccessGuard>:$guard,
    DefaultValuedParameter<"bool", "false">:$cached);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether the instruction is ldmatrix.
    bool isMatrix() const {
      return getKind() == AccessInstruction::matrix ||
             getKind() == AccessInstruction::matrix_transposed;
    }
  }];
}

def Tile_OperandSource : Tile_Enum<"OperandSource",
                                   "memory from which a matmul reads A and B", [
    I32EnumAttrCase<"shared", 0>, I32EnumAttrCase<"global", 1>]>;

def Tile_Axis : Tile_Enum<"Axis", "axis of the program grid", [
    I32EnumAttrCase<"x", 0>, I32EnumAttrCase<"y", 1>, I32EnumAttrCase<"z", 2>]>;
def Tile_AxisAttr : Tile_EnumAttr<Tile_Axis, "axis">;

def Tile_ReduceKind : Tile_Enum<"ReduceKind", "kind of reduction", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"mul", 1>,
    I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"max", 3>,
    I32EnumAttrCase<"umin", 4>, I32EnumAttrCase<"umax", 5>,
    I32EnumAttrCase<"bit_and", 6, "and">, I32EnumAttrCase<"bit_or", 7, "or">,
    I32EnumAttrCase<"bit_xor", 8, "xor">]>;
def Tile_ReduceKindAttr : Tile_EnumAttr<Tile_ReduceKind, "reduce_kind">;

def Tile_Distribution : Tile_Enum<"Distribution", "distribution of random elements", [
    I32EnumAttrCase<"bits", 0>, I32EnumAttrCase<"uniform", 1>,
    I32EnumAttrCase<"normal", 2>]>;
def Tile_DistributionAttr : Tile_EnumAttr<Tile_Distribution, "distribution">;

def Tile_ComplexKind : Tile_Enum<"ComplexKind", "operation on complex numbers", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"sub", 1>,
    I32EnumAttrCase<"mul", 2>, I32EnumAttrCase<"div", 3>,
    I32EnumAttrCase<"neg", 4>, I32EnumAttrCase<"conj", 5>,
    I32EnumAttrCase<"exp", 6>, I32EnumAttrCase<"abs", 7>,
    I32EnumAttrCase<"re", 8>, I32EnumAttrCase<"im", 9>,
    I32EnumAttrCase<"create", 10>]>;
def Tile_ComplexKindAttr : Tile_EnumAttr<Tile_ComplexKind, "complex_kind">;

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "kind of atomic update", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"min", 1>,
    I32EnumAttrCase<"max", 2>, I32EnumAttrCase<"umin", 3>,
    I32EnumAttrCase<"umax", 4>, I32EnumAttrCase<"bit_and", 5, "and">,
    I32EnumAttrCase<"bit_or", 6, "or">, I32EnumAttrCase<"bit_xor", 7, "xor">,
    I32EnumAttrCase<"exchange", 8>, I32EnumAttrCase<"compare_exchange", 9>]>;
def Tile_AtomicKindAttr : Tile_EnumAttr<Tile_AtomicKind, "atomic_kind">;

def Tile_AtomicOrder : Tile_Enum<"AtomicOrder", "memory order of an atomic access", [
    I32EnumAttrCase<"relaxed", 0>, I32EnumAttrCase<"acquire", 1>,
    I32EnumAttrCase<"release", 2>, I32EnumAttrCase<"acq_rel", 3>]>;
def Tile_AtomicOrderAttr : Tile_EnumAttr<Tile_AtomicOrder, "atomic_order">;

def Tile_AtomicScope : Tile_Enum<"AtomicScope",
                                 "threads for which an access is atomic", [
    I32EnumAttrCase<"block", 0>, I32EnumAttrCase<"gpu", 1>,
    I32EnumAttrCase<"system", 2>]>;
def Tile_AtomicScopeAttr : Tile_EnumAttr<Tile_AtomicScope, "atomic_scope">;

def Tile_Precision : Tile_Enum<"Precision", "arithmetic of a matmul", [
    I32EnumAttrCase<"ieee", 0>, I32EnumAttrCase<"tf32", 1>,
    I32EnumAttrCase<"fast_accumulation", 2>]>;
def Tile_PrecisionAttr : Tile_EnumAttr<Tile_Precision, "precision">;

def Tile_FftNorm : Tile_Enum<"FftNorm", "normalization factor of a Fourier transform", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"by_n", 1>,
    I32EnumAttrCase<"ortho", 2>]>;
def Tile_FftNormAttr : Tile_EnumAttr<Tile_FftNorm, "fft_norm">;

def Tile_Level : Tile_Enum<"Level", "level to which a kernel has been lowered", [
    I32EnumAttrCase<"source", 0>, I32EnumAttrCase<"decomposed", 1>,
    I32EnumAttrCase<"distributed", 2>, I32EnumAttrCase<"buffered", 3>,
    I32EnumAttrCase<"thread", 4>]>;
def Tile_LevelAttr : Tile_EnumAttr<Tile_Level, "level">;

#endif // TILE_IR_TILEATTRS
