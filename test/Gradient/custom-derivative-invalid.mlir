// RUN: tile-opt %s -tile-gradient=kernel=k -verify-diagnostics -split-input-file

// A kernel y = x * x, n is its number of elements, and wrong custom adjoints of it.

// expected-error @below {{expected 'tile.custom_adjoint' to name another kernel of the module, got @adjoint, which the module does not have}}
tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{expected 'tile.custom_adjoint' to name another kernel of the module, got @adjoint, a 'func.func'}}
tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
func.func private @adjoint()

// -----

// expected-error @below {{expected 'tile.custom_adjoint' to name another kernel of the module, got @k, the kernel itself}}
tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @k} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{expected 'tile.custom_adjoint' of 'k', whose derivative in the other mode is stated by 'tile.custom_tangent', got none}}
tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_tangent = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{expected 'tile.custom_adjoint' to be the symbol of a kernel or a function (@name), got "adjoint"}}
tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = "adjoint"} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{expected 'tile.custom_adjoint' of a 'tile.kernel' or a 'func.func', got 'builtin.module'}}
module attributes {tile.custom_adjoint = @adjoint} {}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected the name ('tile.name') of argument 1 of 'adjoint' to be that of an argument of 'k', alone or followed by '__cotangent' or '__gradient', got 'dy'}}
tile.kernel @adjoint(%x: memref<64xf32> {tile.name = "x"},
                    %dy: memref<64xf32> {tile.name = "dy"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %dy[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected the name ('tile.name') of argument 0 of 'adjoint' to be that of an argument of 'k', alone or followed by '__cotangent' or '__gradient', got none}}
tile.kernel @adjoint(%a0: memref<64xf32>,
                    %y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected the name ('tile.name') of argument 0 of 'adjoint' to be that of an argument of 'k', alone or followed by '__cotangent' or '__gradient', got 'y__tangent'}}
tile.kernel @adjoint(%y__tangent: memref<64xf32> {tile.name = "y__tangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__tangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected arguments that 'k' does not write, got 'y', whose elements a derivative is not given: it computes again what it needs of them}}
tile.kernel @adjoint(%y: memref<64xf32> {tile.name = "y"},
                    %y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected 'x__cotangent' to belong to an array of floating-point or complex elements that 'k' writes, got 'x' of type 'memref<64xf32>', which it reads}}
tile.kernel @adjoint(%x__cotangent: memref<64xf32> {tile.name = "x__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %x__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected 'y__gradient' to belong to an array of floating-point or complex elements that 'k' reads and does not write, got 'y' of type 'memref<64xf32>', which it writes}}
tile.kernel @adjoint(%y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %y__gradient: memref<64xf32> {tile.name = "y__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %y__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected 'n__gradient' to belong to an array of floating-point or complex elements that 'k' reads and does not write, got 'n' of type 'i32'}}
tile.kernel @adjoint(%y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"},
                    %n__gradient: i32 {tile.name = "n__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected 'x__gradient' to have the type of 'x' of 'k', 'memref<64xf32>', got 'memref<64xf64>'}}
tile.kernel @adjoint(%y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf64> {tile.name = "x__gradient"}) {
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected 'n' to have the type of 'n' of 'k', 'i32', got 'i64'}}
tile.kernel @adjoint(%n: i64 {tile.name = "n"},
                    %y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected a kernel that writes 'x__gradient', got one that does not}}
tile.kernel @adjoint(%y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected a kernel that does not write 'y__cotangent', got one that does}}
tile.kernel @adjoint(%y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.store %g, %y__cotangent[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected a kernel that does not write 'x', got one that does}}
tile.kernel @adjoint(%x: memref<64xf32> {tile.name = "x"},
                    %y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.store %g, %x[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected the arguments of 'k', then the arrays '__cotangent', then '__gradient', each once and in the order of the kernel's, got 'y__cotangent' after 'x__gradient'}}
tile.kernel @adjoint(%x__gradient: memref<64xf32> {tile.name = "x__gradient"},
                    %y__cotangent: memref<64xf32> {tile.name = "y__cotangent"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected the arguments of 'k', then the arrays '__cotangent', then '__gradient', each once and in the order of the kernel's, got 'x' after 'n'}}
tile.kernel @adjoint(%n: i32 {tile.name = "n"},
                    %x: memref<64xf32> {tile.name = "x"},
                    %y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected an argument of the custom derivative of 'k' whose name ends in '__gradient' and that it writes, got none}}
tile.kernel @adjoint(%x: memref<64xf32> {tile.name = "x"},
                    %y__cotangent: memref<64xf32> {tile.name = "y__cotangent"}) {
  tile.return
}

// -----

tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
// expected-error @below {{expected an argument of the custom derivative of 'k' whose name ends in '__cotangent' and that it reads, got none}}
tile.kernel @adjoint(%x: memref<64xf32> {tile.name = "x"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{expected no kernel 'k__adjoint', which is the name of the new one}}
tile.kernel @k(%x: memref<64xf32> {tile.name = "x"}, %n: i32 {tile.name = "n"},
               %y: memref<64xf32> {tile.name = "y"})
    attributes {tile.custom_adjoint = @k__adjoint} {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %r = arith.mulf %t, %t : !tile.tile<64xf32>
  tile.store %r, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
tile.kernel @k__adjoint(%y__cotangent: memref<64xf32> {tile.name = "y__cotangent"},
                    %x__gradient: memref<64xf32> {tile.name = "x__gradient"}) {
  %c0 = arith.constant 0 : index
  %g = tile.load %y__cotangent[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %g, %x__gradient[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
