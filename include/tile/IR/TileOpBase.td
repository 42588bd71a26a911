// The base of every tile operation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEOPBASE
#define TILE_IR_TILEOPBASE

include "tile/IR/TileTypes.td"
include "tile/IR/TileInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

/// The trait of an operation that is composite in every form.
def Tile_Composite
    : DeclareOpInterfaceMethods<Tile_DecomposeOpInterface, ["decompose"]>;
/// The trait of an operation that is composite in some of its forms.
def Tile_CompositeInSomeForms
    : DeclareOpInterfaceMethods<Tile_DecomposeOpInterface,
                                ["isComposite", "decompose"]>;

#endif // TILE_IR_TILEOPBASE
