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
    A CuTe layout, `shape:stride`: nested integer tuples of the same profile.
    It maps the coordinates of its shape, leftmost mode fastest, to an integer,
    the inner product with the strides. See docs/Layout.md.

    Constraints:
    - (C1) shape and stride have the same profile.
    - (C2) every extent is positive.

    Example: `#tile.layout<(2,(4,8)):(1,(2,16))>`
  }];
  let parameters = (ins AttrParameter<"::tile::Layout",
                                      "the layout as a value of the library">:$value);
  let hasCustomAssemblyFormat = 1;
}

def Tile_SwizzleAttr : Tile_Attr<"Swizzle", "swizzle"> {
  let summary = "exclusive-or swizzle of byte addresses";
  let description = [{
    `#tile.swizzle<bits, base, shift>` xors the bits
    `[base+shift, base+shift+bits)` of a byte offset into the bits
    `[base, base+bits)`. The 32, 64 and 128-byte modes of TMA and wgmma are
    `<1,4,3>`, `<2,4,3>` and `<3,4,3>` (PTX ISA, "Swizzling modes").

    Constraints:
    - (C1) bits, base and shift are not negative, shift >= bits, and their sum
      is below 32.
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
    The tile's elements live in the registers of the block's threads. A layout
    specifies the registers: it has three modes, (lane, warp, value), and
    maps them to the row-major linear index of `box`, a shape that contains the
    tile's. Elements of the box outside the tile are padding. A mode of stride
    zero replicates; the thread with coordinate zero in every such mode is the
    owner, and stores and reductions use the owner only.

    Without parameters the storage is declared, its layout left to the
    compiler: `#tile.register`.

    Constraints:
    - (C1) layout and box are both given or both absent.
    - (C2) the layout has rank 3 and its first mode has size 32.
    - (C3) each mode steps inside one dimension of the box, and the modes of a
      dimension cover it exactly.

    Example, the accumulator of one mma.m16n8k16:
    `#tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>`
  }];
  let parameters = (ins
    OptionalParameter<"LayoutAttr", "(lane, warp, value) to box index">:$layout,
    OptionalParameter<"::mlir::DenseI64ArrayAttr", "the padded shape">:$box);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether the layout is decided.
    bool isResolved() const { return static_cast<bool>(getLayout()); }
    /// The layout as a distribution over threads. @pre isResolved().
    RegisterLayout getRegisterLayout() const;
    static RegisterAttr get(::mlir::MLIRContext *context,
                            const RegisterLayout &layout);
  }];
}

def Tile_SharedAttr : Tile_Attr<"Shared", "shared"> {
  let summary = "storage in shared memory";
  let description = [{
    The tile's elements live in the block's shared memory. A layout specifies
    their addresses: it maps the coordinates of a box (one mode a dimension,
    its shape contains the tile's) to an element offset, and the swizzle, if
    any, permutes the byte offset. Elements of the box outside the tile are
    padding and hold zero. Without parameters the storage is declared, its
    layout left to the compiler: `#tile.shared`.

    The attribute is also the memory space of the memrefs that buffers become.

    Constraints:
    - (C1) the alignment is a power of two, at most 65536.
    - (C2) the layout is a tuple of one mode a dimension with strides that are
      not negative; the integer layout `1:0` is a tile of rank 0.
    - (C3) the layout spans fewer than 2^31 elements.

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
    /// Whether the layout is decided.
    bool isResolved() const { return static_cast<bool>(getLayout()); }
    /// The padded shape, one extent a dimension. @pre isResolved().
    ::llvm::SmallVector<int64_t> getBox() const;
  }];
}

def Tile_TilingAttr : Tile_Attr<"Tiling", "tiling"> {
  let summary = "how a cooperative operation is spread over the block";
  let description = [{
    The warp tiling of a matmul, written by `-tile-warp-tiling` or by
    the program's author, who may leave parameters out. docs/WarpTiling.md describes
    each parameter, and its value if it is left out.

    - `warps`: warps along M and N; with a batch of matmuls along the batch, M
      and N.
    - `sub`: how many sub-tiles a warp computes along M and N (WMITER, WNITER);
      with a batch first how many of its matmuls.
    - `thread`: the extents of a thread's part of a sub-tile (TM, TN), for `fma`.
    - `atom`: a row of the instruction table: `fma`, or an mma's shape such as
      `m16n8k16`.
    - `operands`: where each step along K reads A and B. `shared`: the block
      copies their tiles to shared memory. `global`: each thread loads the elements
      that it multiplies itself, for `fma`.
    - `vector`: the most elements of an operand in one access of a thread.
    - `stages`: how many stages of the loop over K are in flight.

    Constraints:
    - (C1) warps and sub are two or three values each, thread two, from 1 to
      65536.
    - (C2) stages is from 0 to 64.
    - (C3) vector is 0, 1, 2, 4, 8 or 16.

    The warp's sub-tile is `32 = (WSUBM / TM) * (WSUBN / TN)` threads for
    `fma`, one atom for an mma.

    Example: `#tile.tiling<warps = [2, 4], sub = [4, 4], atom = "m16n8k16">`
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::DenseI64ArrayAttr", "warps along the batch, if there is one, M and N">:$warps,
    OptionalParameter<"::mlir::DenseI64ArrayAttr", "sub-tiles of a warp along the batch, if there is one, M and N">:$sub,
    OptionalParameter<"::mlir::DenseI64ArrayAttr", "elements of a thread along M and N">:$thread,
    OptionalParameter<"::mlir::StringAttr", "the instruction">:$atom,
    DefaultValuedParameter<"::tile::OperandSource", "::tile::OperandSource::shared", "where A and B are read">:$operands,
    DefaultValuedParameter<"int64_t", "0", "elements of an access; 0 is the compiler's choice">:$vector,
    DefaultValuedParameter<"int64_t", "0", "stages in flight; 0 is the compiler's choice">:$stages);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_FftPlanAttr : Tile_Attr<"FftPlan", "fft_plan"> {
  let summary = "how a Fourier transform is computed";
  let description = [{
    - `radices`: those of the passes, in order.
    - `threads`: how many threads have a row; zero is the compiler's choice. With
      fewer than 32 a warp has several rows.

    Constraints:
    - (C1) each radix is from 2 to 16, or a prime up to 31.
    - (C2) the threads are a power of two, at most 1024.

    Example: `#tile.fft_plan<radices = [16, 8, 8], threads = 64>`
  }];
  let parameters = (ins
    "::mlir::DenseI64ArrayAttr":$radices,
    DefaultValuedParameter<"int64_t", "0", "threads of a row; 0 is the compiler's choice">:$threads);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_GpuTargetAttr : Tile_Attr<"GpuTarget", "gpu_target"> {
  let summary = "how a gpu.module of tile kernels becomes a binary";
  let description = [{
    `#tile.gpu_target<"sm_90a">` as a target of a `gpu.module` that
    `-tile-to-gpu` has made: upstream's `gpu-module-to-binary` compiles the
    module's kernels for that architecture, to PTX (`format=isa`), a cubin
    (`bin`) or a fat binary (`fatbin`). Its option `toolkit` is the folder of
    the CUDA toolkit.

    Example: `gpu.module @kernels [#tile.gpu_target<"sm_80">] { ... }`
  }];
  let parameters = (ins StringRefParameter<"an architecture">:$arch);
  let assemblyFormat = "`<` $arch `>`";
}

def Tile_GridAttr : Tile_Attr<"Grid", "grid"> {
  let summary = "the program grid as an expression over the arguments";
  let description = [{
    `#tile.grid<MAP of SOURCES>`: an affine map without symbols from the
    sources to one, two or three extents. A source is `[argument, dimension]`,
    the size of an array, or `[argument]`, an integer scalar. With
    `factors [a, b, c]` the first extent is the product of the first `a`
    results, and so on: one size times another, as of batch and heads, is no affine
    expression.

    Constraints, verified at the kernel:
    - (C1) the map has 1 to 3 results, or as many as the factors add up to, no
      symbols, and a dimension a source.
    - (C2) a source names an argument, and a dimension of it if it is an array.
    - (C3) `floordiv`, `ceildiv` and `mod` are by positive constants.
    - (C4) there are 1 to 3 factors, each positive.

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
    /// Returns, for each extent, the map's results whose product it is.
    ::llvm::SmallVector<::llvm::ArrayRef<::mlir::AffineExpr>> getExtents();
  }];
  let genVerifyDecl = 1;
}

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

/// A word of an enumeration, `#tile<axis x>`, or only `x` in an operation.
class Tile_EnumAttr<EnumInfo info, string attrMnemonic>
    : EnumAttr<Tile_Dialect, info, attrMnemonic> {
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1;
}

def Tile_AccessInstruction : Tile_Enum<"AccessInstruction", "the instructions of an access", [
    I32EnumAttrCase<"elements", 0>, I32EnumAttrCase<"vector", 1>,
    I32EnumAttrCase<"copy_async", 2>, I32EnumAttrCase<"matrix", 3>,
    I32EnumAttrCase<"matrix_transposed", 4>]>;

/// The tests of an access, from the fewest to the most.
def Tile_AccessGuard : Tile_Enum<"AccessGuard", "what an access tests", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"box", 1>,
    I32EnumAttrCase<"element", 2>]>;

def Tile_AccessAttr : Tile_Attr<"Access", "access"> {
  let summary = "how an operation accesses memory";
  let description = [{
    The instructions by which a thread accesses its elements of an array or of a buffer
    in shared memory, written by `-tile-plan-accesses`. The register layout specifies
    the elements of each thread.

    - `vector`: the elements of one access, adjacent ones.
    - `kind`: what an access is. `elements`: a load, store or update of one element, each
      at an address of its own. `vector`: a load or store of several. `copy_async`: a
      `cp.async`. `matrix`, `matrix_transposed`: a row of an `ldmatrix`.
    - `guard`: the tests. `none`: all is inside. `box`: whether the whole box is inside,
      once for the block; where it is not, each element. `element`: each element, or each
      chunk of a `copy_async`.

    Constraints:
    - (C1) vector is 1, 2, 4, 8 or 16.
    - (C2) vector is 1 for `elements`, and more for `vector`, `matrix` and
      `matrix_transposed`.

    Example: `#tile.access<vector = 8, kind = copy_async, guard = box>`
  }];
  let parameters = (ins
    "int64_t":$vector,
    EnumParameter<Tile_AccessInstruction>:$kind,
    EnumParameter<Tile_AccessGuard>:$guard);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether it is by ldmatrix.
    bool isMatrix() const {
      return getKind() == AccessInstruction::matrix ||
             getKind() == AccessInstruction::matrix_transposed;
    }
  }];
}

def Tile_OperandSource : Tile_Enum<"OperandSource", "where a matrix product reads A and B", [
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

def Tile_Distribution : Tile_Enum<"Distribution", "distribution of random numbers", [
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

def Tile_AtomicOrder : Tile_Enum<"AtomicOrder", "what an atomic access orders", [
    I32EnumAttrCase<"relaxed", 0>, I32EnumAttrCase<"acquire", 1>,
    I32EnumAttrCase<"release", 2>, I32EnumAttrCase<"acq_rel", 3>]>;
def Tile_AtomicOrderAttr : Tile_EnumAttr<Tile_AtomicOrder, "atomic_order">;

def Tile_AtomicScope : Tile_Enum<"AtomicScope", "threads for which an access is atomic", [
    I32EnumAttrCase<"block", 0>, I32EnumAttrCase<"gpu", 1>,
    I32EnumAttrCase<"system", 2>]>;
def Tile_AtomicScopeAttr : Tile_EnumAttr<Tile_AtomicScope, "atomic_scope">;

def Tile_Precision : Tile_Enum<"Precision", "arithmetic of a matrix product", [
    I32EnumAttrCase<"ieee", 0>, I32EnumAttrCase<"tf32", 1>,
    I32EnumAttrCase<"fast_accumulation", 2>]>;
def Tile_PrecisionAttr : Tile_EnumAttr<Tile_Precision, "precision">;

def Tile_FftNorm : Tile_Enum<"FftNorm", "factor of a Fourier transform", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"by_n", 1>,
    I32EnumAttrCase<"ortho", 2>]>;
def Tile_FftNormAttr : Tile_EnumAttr<Tile_FftNorm, "fft_norm">;

def Tile_Level : Tile_Enum<"Level", "how far down a kernel is", [
    I32EnumAttrCase<"source", 0>, I32EnumAttrCase<"decomposed", 1>,
    I32EnumAttrCase<"distributed", 2>, I32EnumAttrCase<"buffered", 3>,
    I32EnumAttrCase<"thread", 4>]>;
def Tile_LevelAttr : Tile_EnumAttr<Tile_Level, "level">;

#endif // TILE_IR_TILEATTRS
