// Interfaces of differentiable operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_DERIVATIVEINTERFACES
#define TILE_GRADIENT_DERIVATIVEINTERFACES

include "mlir/IR/OpBase.td"

def Tile_TangentOpInterface : OpInterface<"TangentOpInterface"> {
  let description = [{
    An operation with a derivative. The tangents of its results are the derivatives
    of the results in the direction of the tangents of its operands. An operation
    that an active value depends on and that does not implement the interface is
    refused by `-tile-gradient`.

    An array has a tangent, too: another array of its type, which holds the tangents
    of its elements.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<[{
      Creates the tangents of the results at the insertion point of the builder,
      which is after the operation. `tangents` has a value for each operand, null
      where the tangent is zero; at least one is not null. Returns a value for each
      result, null where the tangent is zero. In the operations that it creates,
      tangents are operands only of operations with LinearOpInterface, which are
      linear in them. Fails, with an error at the operation that says why, if the
      operation has no derivative in the form that it has.
    }],
                    "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>",
                    "buildTangents",
                    (ins "::tile::TangentBuilder &":$builder,
                         "::llvm::ArrayRef<::mlir::Value>":$tangents)>,
  ];
}

def Tile_LinearOpInterface : OpInterface<"LinearOpInterface"> {
  let description = [{
    An operation that is linear in some of its operands and can create its
    transpose, which maps cotangents of the results to cotangents of these operands.
    A complex value counts as two real ones: the parts of its cotangent are the
    cotangents of its real and its imaginary part. The transpose of a multiplication
    by z therefore multiplies by the conjugate of z.
  }];
  let cppNamespace = "::tile";
  let methods = [
    InterfaceMethod<[{
      Creates the cotangents of operands at the insertion point of the builder.
      `cotangents` has a value for each result, null where the cotangent is zero; it
      is empty for an operation without results. The operands in which the operation
      is linear are those that `builder.isTangent` holds for; the others are
      constants. Returns a value for each operand, null where it is zero, and where
      the operand is a constant or an array. Fails, with an error at the operation
      that says why, if there is no transpose.
    }],
                    "::mlir::FailureOr<::llvm::SmallVector<::mlir::Value>>",
                    "buildTranspose",
                    (ins "::tile::TransposeBuilder &":$builder,
                         "::llvm::ArrayRef<::mlir::Value>":$cotangents)>,
  ];
}

#endif // TILE_GRADIENT_DERIVATIVEINTERFACES
