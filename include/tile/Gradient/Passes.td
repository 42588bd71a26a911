// The passes that make programs of derivatives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_PASSES
#define TILE_GRADIENT_PASSES

include "mlir/Pass/PassBase.td"

def GradientPass : Pass<"tile-gradient", "::mlir::ModuleOp"> {
  let summary = "create kernels that compute derivatives";
  let description = [{
    Creates for each kernel, or for the one that `kernel` names, a kernel of its
    derivatives: an ordinary program at level `source`, which all other passes
    take. The original kernel does not change.

    In reverse mode the new kernel is `NAME__adjoint`. It has the arguments of the
    kernel that it uses, then for each output an array of cotangents, which it
    reads, and for each input an array, to which it writes the gradient: for each
    element of the input the derivative of the sum of all outputs, each multiplied
    by its cotangent. In forward mode the kernel is `NAME__tangent`, and the arrays
    are the tangents of the inputs, which it reads, and of the outputs.

    A derivative that needs values that a loop carries in each of its iterations keeps
    them in an array, or, with `segments`, keeps those of about sqrt(N) of its N
    iterations and computes the others again from them. A loop without a count, an
    `scf.while`, must have the attribute `tile.max_trips`, the most iterations that it
    runs; the derivative counts them, and an assertion fails if there are more. The
    gradients of an array whose elements several programs load
    are added up by owners, programs of other kernels. Gradients that the programs may
    not write whole are filled with zeros first. In these cases `NAME__adjoint` is a
    function of the host that allocates arrays and launches the kernels. If the
    kernel has no `grid`, the last arguments of the function are the extents of its
    grid, `grid_x`, `grid_y` and `grid_z`. docs/Differentiation.md describes owners.

    The kernel recomputes the values of the original kernel that derivatives depend
    on, except those that it loads from the outputs that `saved` names: the arrays
    must have what the kernel has stored. With `values` it also stores the outputs, so
    that the kernel itself need not run. It is derived in two steps: each operation
    gets the tangents of its results, which are linear in those of its operands
    (`TangentOpInterface`); then the linear operations are transposed, from the last to
    the first (`LinearOpInterface`).

    ```mlir
    // before
    tile.kernel @square(%x: memref<?xf32>, %y: memref<?xf32>) {
      ...
      %v = tile.load %x[%i] : memref<?xf32> -> !tile.tile<64xf32>
      %w = arith.mulf %v, %v : !tile.tile<64xf32>
      tile.store %w, %y[%i] : !tile.tile<64xf32>, memref<?xf32>
      tile.return
    }

    // after, next to the kernel
    tile.kernel @square__adjoint(%x: memref<?xf32>, %y__cotangent: memref<?xf32>,
                                 %x__gradient: memref<?xf32>) {
      ...
      %v = tile.load %x[%i] : memref<?xf32> -> !tile.tile<64xf32>
      %g = tile.load %y__cotangent[%i] : memref<?xf32> -> !tile.tile<64xf32>
      %a = arith.mulf %g, %v : !tile.tile<64xf32>
      %b = arith.addf %a, %a : !tile.tile<64xf32>
      tile.store %b, %x__gradient[%i] : !tile.tile<64xf32>, memref<?xf32>
      tile.return
    }
    ```

    If a kernel has the attribute `tile.custom_adjoint`, or in forward mode
    `tile.custom_tangent`, the derivative is a copy of the kernel that it names, which
    has the arguments of a derived one. Without `kernel` such kernels are not
    differentiated themselves.

    A function on tiles and scalars may have these attributes, too, which then name
    functions that compute the derivatives of each call.

    Preconditions: kernels at level `source`, without calls but of such functions
    (`-tile-canonical-form=keep-custom`).

    The pass rejects, at the operation: an operation that an input reaches on the way
    to an output and that has no derivative; an input on which no output depends; an
    array that the kernel reads and writes; a store to elements of an output that the
    program may store several times; an array of which the loaded boxes depend on the
    program, but are not moved by their extents by an axis of the grid, and one that the
    kernel gathers, unless `atomics` allows gradients to be added up in any order; a loop whose
    derivative needs values that it carries, if its number of iterations has no bound
    that is known from the arguments and the grid; a module that has a kernel of the new
    one's name.
  }];
  let options = [
    Option<"kernel", "kernel", "std::string", "",
           "the name of the kernel; all kernels if empty">,
    ListOption<"inputs", "wrt", "std::string",
               "names or indices of the arguments to differentiate by; if empty, all "
               "arrays that are only read and that an output depends on">,
    ListOption<"outputs", "outputs", "std::string",
               "names or indices of the arguments to differentiate; if empty, all "
               "arrays that are only written">,
    ListOption<"saved", "saved", "std::string",
               "names or indices of outputs whose arrays have what the kernel has "
               "stored, for derivatives that need it">,
    Option<"mode", "mode", "::tile::DerivativeMode",
           "::tile::DerivativeMode::reverse", "which derivatives",
           [{::llvm::cl::values(
             clEnumValN(::tile::DerivativeMode::reverse, "reverse",
                        "from cotangents of outputs to gradients of inputs"),
             clEnumValN(::tile::DerivativeMode::forward, "forward",
                        "from tangents of inputs to tangents of outputs"))}]>,
    Option<"atomics", "atomics", "bool", "false",
           "allow gradients to be added by atomic operations">,
    Option<"segments", "segments", "bool", "false",
           "keep the values that a loop carries once for each of about sqrt(N) "
           "segments of its N iterations, and compute the others again">,
    Option<"accumulate", "accumulate", "bool", "false",
           "add gradients to the elements that their arrays have, instead of "
           "overwriting these">,
    Option<"values", "values", "bool", "false",
           "also store the outputs of the kernel">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::complex::ComplexDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"];
}

#endif // TILE_GRADIENT_PASSES
