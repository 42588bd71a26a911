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
    `!tile.tile<64x48xf16>`: static shape, rank 0 to 4, any positive extents,
    value semantics. An optional second parameter is the storage,
    `#tile.register` or `#tile.shared`, declared by the program or resolved by
    the compiler.

    Element types: f64 f32 f16 bf16 f8E4M3FN f8E5M2, i1 i8 i16 i32 i64 index,
    complex<f32> complex<f64>.

    Constraints:
    - (C1) rank at most 4.
    - (C2) every extent is positive, and the tile has fewer than 2^31 elements.
    - (C3) the element type is one of those above.
    - (C4) the storage, if any, is `#tile.register` or `#tile.shared`; its box,
      if resolved, has the tile's rank and contains the tile.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "the extents">:$shape,
    "::mlir::Type":$elementType,
    OptionalParameter<"::mlir::Attribute", "where the elements live">:$storage);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType,
                   ::mlir::Attribute());
    }]>];
  let extraClassDeclaration = [{
    /// Returns this tile in another storage.
    TileType withStorage(::mlir::Attribute storage) const;
    /// Returns a tile of the parts of complex elements; this tile if they are real.
    TileType ofParts() const;
    /// The register storage, null when the tile has another or none.
    RegisterAttr getRegister() const;
    /// The shared storage, null when the tile has another or none.
    SharedAttr getShared() const;
  }];
}

def Tile_MmaTokenType : TypeDef<Tile_Dialect, "MmaToken"> {
  let mnemonic = "mma_token";
  let summary = "a matmul that may be in flight";
  let description = [{
    `!tile.mma_token`: names the MMA that one run of a `tile.mma_async` has issued,
    for `tile.mma_wait` to wait for.
  }];
}

def Tile_MmaToken : Type<
    CPred<"::llvm::isa<::tile::MmaTokenType>($_self)">, "product in flight",
    "::tile::MmaTokenType">,
    BuildableType<"$_builder.getType<::tile::MmaTokenType>()">;

/// Whether a tile may have elements of this type.
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

def Tile_Scalar : Type<CPred<"::tile::isTileElementType($_self)">,
                       "element of a tile">;

/// The elements of a tile that a thread holds in `tile.per_thread`.
def Tile_ThreadValue : Type<
    Or<[CPred<"::tile::isTileElementType($_self)">,
        CPred<"::llvm::isa<::mlir::VectorType>($_self)">]>,
    "element of a tile, or vector of them">;

/// The values that a region yields: elements, or the tensors of a `tile.group`.
def Tile_YieldedValue : Type<
    Or<[Tile_ThreadValue.predicate,
        CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">]>,
    "element of a tile, or vector of them, or tensor of a group">;

#endif // TILE_IR_TILETYPES
