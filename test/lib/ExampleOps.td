// Operations on tiles, of a dialect that no phase of the compiler knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/AddingAnOperation.md explains mean and butterfly.

#ifndef TILE_TEST_EXAMPLEOPS
#define TILE_TEST_EXAMPLEOPS

include "tile/IR/TileOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Example_Dialect : Dialect {
  let name = "example";
  let cppNamespace = "::example";
  let dependentDialects = ["::tile::TileDialect"];
}

def Example_MeanOp : Op<Example_Dialect, "mean", [
    Pure, Elementwise, SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Tile_ElementOpInterface>]> {
  let summary = "half the sum of two tiles, by element";
  let arguments = (ins Tile_Tile:$lhs, Tile_Tile:$rhs);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Example_ButterflyOp : Op<Example_Dialect, "butterfly", [
    Pure, SameOperandsAndResultShape, SameOperandsAndResultElementType,
    Tile_StorageOpInterface,
    DeclareOpInterfaceMethods<Tile_LayoutOpInterface, ["getRequiredLayout"]>,
    Tile_CostOpInterface,
    DeclareOpInterfaceMethods<Tile_ThreadOpInterface>]> {
  let summary = "each element that whose index differs in some bits";
  let description = [{
    The element of index i along the last dimension is the source's of index
    `i xor mask`.
  }];
  let arguments = (ins Tile_Tile:$source, I32Attr:$mask);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `mask` $mask attr-dict
    `:` qualified(type($source)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getInstructionsPerElement() { return 1; }
  }];
}

/// Operation whose semantics no phase knows.
def Example_UnansweredOp : Op<Example_Dialect, "unanswered", [
    Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "an elementwise operation without an ElementOpInterface";
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($result))";
}

#endif // TILE_TEST_EXAMPLEOPS
