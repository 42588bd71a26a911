// Types of the tile dialect and the constraints that operations use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILETYPES
#define TILE_IR_TILETYPES

include "tile/IR/TileAttrs.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/CommonTypeConstraints.td"

def Tile_TileType : TypeDef<Tile_Dialect, "Tile", [
    DeclareTypeInterfaceMethods<ShapedTypeInterface>, ValueSemantics]> {
  let mnemonic = "tile";
  let summary = "tile: a small array held by one thread block";
  let description = [{
    `!tile.tile<64x48xf16>` is a tile of 64 x 48 elements of f16. A tile has a
    static shape of rank 0 to 8, with any positive extents, and value semantics. An
    optional second parameter is its storage, `#tile.register` or `#tile.shared`,
    which the program declares or the compiler chooses.

    The element types are f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, i16, i32,
    i64, index, complex<f32> and complex<f64>.

    Constraints:
    - (C1) the rank is at most 8.
    - (C2) every extent is positive, and the tile has fewer than 2^31 elements.
    - (C3) the element type is one of those above.
    - (C4) the storage, if given, is `#tile.register` or `#tile.shared`. If it has a
      layout, the layout's box has the tile's rank, and extents at least as large.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "the extents">:$shape,
    "::mlir::Type":$elementType,
    OptionalParameter<"::mlir::Attribute", "the storage of the elements">:$storage);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType,
                   ::mlir::Attribute());
    }]>];
  let extraClassDeclaration = [{
    /// The highest rank (constraint C1).
    static constexpr size_t kMaxRank = 8;
    /// Returns this type with another storage.
    TileType withStorage(::mlir::Attribute storage) const;
    /// Returns this type with the element type T for elements of complex<T>; this
    /// type itself if the elements are not complex.
    TileType ofParts() const;
    /// Returns the register storage; null if the tile has another storage or none.
    RegisterAttr getRegister() const;
    /// Returns the shared storage; null if the tile has another storage or none.
    SharedAttr getShared() const;
  }];
}

def Tile_MmaTokenType : TypeDef<Tile_Dialect, "MmaToken"> {
  let mnemonic = "mma_token";
  let summary = "a matmul that may be in flight";
  let description = [{
    A value of `!tile.mma_token` identifies the MMA that one execution of a
    `tile_gpu.mma_async` has issued, so that a `tile_gpu.mma_wait` can wait for it.
  }];
}

def Tile_MmaToken : Type<
    CPred<"::llvm::isa<::tile::MmaTokenType>($_self)">, "matmul in flight",
    "::tile::MmaTokenType">,
    BuildableType<"$_builder.getType<::tile::MmaTokenType>()">;

/// A tile of any shape, element type and storage.
def Tile_Tile : Type<CPred<"::llvm::isa<::tile::TileType>($_self)">, "tile",
                     "::tile::TileType">;

def Tile_SharedBuffer : Type<
    CPred<"::tile::isSharedBuffer($_self)">, "buffer in shared memory",
    "::mlir::MemRefType">;

def Tile_Operand : AnyTypeOf<[Tile_Tile, Tile_SharedBuffer],
                             "tile, or buffer in shared memory">;

def Tile_Array : Type<CPred<"::tile::isGlobalArray($_self)">,
                      "array in global memory: memref of rank 1 to 8",
                      "::mlir::MemRefType">;

/// A value of a type that the elements of a tile may have.
def Tile_Scalar : Type<CPred<"::tile::isTileElementType($_self)">,
                       "element of a tile">;

/// The part of a tile that a thread gets in `tile.per_thread`: an element or a vector.
def Tile_ThreadValue : Type<
    Or<[CPred<"::tile::isTileElementType($_self)">,
        CPred<"::llvm::isa<::mlir::VectorType>($_self)">]>,
    "element of a tile, or vector of them">;

/// A value that `tile.yield` passes on: an element, a vector, or the tensor of a group.
def Tile_YieldedValue : Type<
    Or<[Tile_ThreadValue.predicate,
        CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">]>,
    "element of a tile, or vector of them, or tensor of a group">;

#endif // TILE_IR_TILETYPES
