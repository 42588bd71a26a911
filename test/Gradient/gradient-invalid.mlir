// RUN: tile-opt %s -tile-gradient -verify-diagnostics -split-input-file

// An operation on an active path without a derivative.
tile.kernel @factored(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  // expected-error @below {{expected an operation with a derivative, got 'tile.householder', on which a gradient depends}}
  %q, %s = tile.householder %v : !tile.tile<8x8xf32>, !tile.tile<8xf32>
  tile.store %q, %y[%c0, %c0] : !tile.tile<8x8xf32>, memref<8x8xf32>
  tile.return
}

// -----

// A tile.householder that no output depends on needs no derivative.
tile.kernel @unused(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0, %c0] : memref<8x8xf32> -> !tile.tile<8x8xf32>
  %q, %s = tile.householder %v : !tile.tile<8x8xf32>, !tile.tile<8xf32>
  tile.print "factored", %q : !tile.tile<8x8xf32>
  tile.store %v, %y[%c0, %c0] : !tile.tile<8x8xf32>, memref<8x8xf32>
  tile.return
}

// -----

tile.kernel @scalar_in_a_region(%x: memref<64xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %e = tile.extract %v[%c0] : !tile.tile<64xf32>
  // expected-error @below {{expected a region that uses no scalar from outside that a gradient depends on, got a use of a 'f32'; apply it before or after the operation}}
  %s = tile.reduce %v identity [0.0 : f32] axis 0 keep : !tile.tile<64xf32> to !tile.tile<1xf32> {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.mulf %p, %e : f32
    %r = arith.addf %a, %b : f32
    %c = arith.addf %r, %q : f32
    tile.yield %c : f32
  }
  tile.store %s, %y[%c0] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}

// -----

// An operation without a derivative in a region.
tile.kernel @region(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %s = tile.scan %v identity [0.0 : f32] axis 0 : !tile.tile<64xf32> {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    // expected-error @below {{expected a cast with a derivative, got one that saturates, to 'f8E4M3FN'}}
    %t = arith.truncf %r : f32 to f8E4M3FN
    %c = arith.extf %t : f8E4M3FN to f32
    tile.yield %c : f32
  }
  tile.store %s, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// The values of complex matrices have derivatives, the vectors have none.
tile.kernel @vectors(%x: memref<8x8xcomplex<f32>>, %y: memref<8x8xcomplex<f32>>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tile.load %x[%c0, %c0] : memref<8x8xcomplex<f32>> -> !tile.tile<8x8xcomplex<f32>>
  // expected-error @below {{expected real vectors, or complex ones that no gradient depends on: they are determined up to factors, whose derivatives are not known}}
  %u, %s, %v = tile.svd %a : !tile.tile<8x8xcomplex<f32>> to !tile.tile<8x8xcomplex<f32>>, !tile.tile<8xf32>, !tile.tile<8x8xcomplex<f32>>
  tile.store %u, %y[%c0, %c0] : !tile.tile<8x8xcomplex<f32>>, memref<8x8xcomplex<f32>>
  tile.store %s, %z[%c0] : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}

// -----

// expected-error @below {{expected an array of which programs that differ along an axis of the grid load different elements, got '0', for which this is not proved; their gradients are added up if 'atomics' are allowed}}
tile.kernel @gathers(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %i = tile.iota axis 0 : !tile.tile<64xi32>
  // expected-note @below {{a load of the array}}
  %v = tile.gather %x[%c0] at %i axis 0 : memref<64xf32>, !tile.tile<64xi32> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @bits(%x: memref<64xf16>, %y: memref<64xbf16>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf16> -> !tile.tile<64xf16>
  // expected-error @below {{expected a cast with a derivative, got one of bits}}
  %s = tile.cast %v bitcast : !tile.tile<64xf16> to !tile.tile<64xbf16>
  tile.store %s, %y[%c0] : !tile.tile<64xbf16>, memref<64xbf16>
  tile.return
}

// -----

tile.kernel @saturates(%x: memref<64xf32>, %y: memref<64xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected a cast with a derivative, got one that saturates, to 'f8E4M3FN'}}
  %s = tile.cast %v : !tile.tile<64xf32> to !tile.tile<64xf8E4M3FN>
  tile.store %s, %y[%c0] : !tile.tile<64xf8E4M3FN>, memref<64xf8E4M3FN>
  tile.return
}

// -----

// An integer has no derivative: the output does not depend on the input.
// expected-error @below {{expected an array of floating-point or complex elements that the kernel only reads and that an output depends on, to differentiate by, got none}}
tile.kernel @rounded(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %i = tile.cast %v : !tile.tile<64xf32> to !tile.tile<64xi32>
  %f = tile.cast %i : !tile.tile<64xi32> to !tile.tile<64xf32>
  tile.store %f, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{expected an array of floating-point or complex elements that the kernel only reads and that an output depends on, to differentiate by, got none}}
tile.kernel @integers(%x: memref<64xi32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xi32> -> !tile.tile<64xi32>
  %f = tile.cast %v : !tile.tile<64xi32> to !tile.tile<64xf32>
  tile.store %f, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// An array that carries a value from an input to an output.
// expected-error @below {{expected arrays that are either read or written, got '1', which the kernel reads and writes}}
tile.kernel @through_memory(%x: memref<64xf32>, %w: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %w[%c0] : !tile.tile<64xf32>, memref<64xf32>
  %u = tile.load %w[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %u, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// Overlapping boxes of neighbouring programs.
// expected-error @below {{expected an array of which programs that differ along an axis of the grid load different elements, got '0', for which this is not proved; their gradients are added up if 'atomics' are allowed}}
tile.kernel @overlapping(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c32 = arith.constant 32 : index
  %i = tile.program_id x
  %o = arith.muli %i, %c32 : index
  // expected-note @below {{a load of the array}}
  %v = tile.load %x[%o] : memref<?xf32> -> !tile.tile<33xf32>
  tile.store %v, %y[%o] : !tile.tile<33xf32>, memref<?xf32>
  tile.return
}

// -----

// Two programs load the same elements.
// expected-error @below {{expected an array of which programs that differ along an axis of the grid load different elements, got '0', for which this is not proved; their gradients are added up if 'atomics' are allowed}}
tile.kernel @halves(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i = tile.program_id x
  %half = arith.floordivsi %i, %c2 : index
  %row = arith.addi %i, %half : index
  // expected-note @below {{a load of the array}}
  %v = tile.load %x[%half, %c0] : memref<?x64xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%row, %c0] : !tile.tile<64xf32>, memref<?x64xf32>
  tile.return
}

// -----

// The rows i - i / 2 of different programs i are the same, though the index moves them.
// expected-error @below {{expected an array of which programs that differ along an axis of the grid load different elements, got '0', for which this is not proved; their gradients are added up if 'atomics' are allowed}}
tile.kernel @index_and_its_half(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i = tile.program_id x
  %half = arith.floordivsi %i, %c2 : index
  %row = arith.subi %i, %half : index
  // expected-note @below {{a load of the array}}
  %v = tile.load %x[%row, %c0] : memref<?x64xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%i, %c0] : !tile.tile<64xf32>, memref<?x64xf32>
  tile.return
}

// -----

// A loop of a loop starts at an element that depends on the outer iteration.
tile.kernel @starts_in_a_loop(%x: memref<?xf32>, %starts: memref<8xindex>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %s = %c0 to %c8 step %c1 {
    %start = memref.load %starts[%s] : memref<8xindex>
    scf.for %i = %start to %n step %c32 {
      %v = tile.load %x[%i] : memref<?xf32> -> !tile.tile<32xf32>
      // expected-error @below {{expected a store to elements of the output that the program stores once, which is not proved}}
      tile.store %v, %y[%i] : !tile.tile<32xf32>, memref<?xf32>
    }
  }
  tile.return
}

// -----

// The values that the loop carries are kept in an array, whose size is not known before
// the launch.
tile.kernel @powers(%x: memref<64xf32>, %count: memref<1xindex>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.load %count[%c0] : memref<1xindex>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected a loop whose number of iterations is bounded by the arguments and the grid of the kernel, since its derivative needs the values that it carries in each iteration (a '!tile.tile<64xf32>')}}
  %p = scf.for %k = %c0 to %n step %c1 iter_args(%q = %v) -> (!tile.tile<64xf32>) {
    %r = arith.mulf %q, %q : !tile.tile<64xf32>
    scf.yield %r : !tile.tile<64xf32>
  }
  tile.store %p, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @while(%x: memref<64xf32>, %y: memref<64xf32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected an operation with a derivative, got 'scf.while', on which a gradient depends}}
  %m, %p = scf.while (%i = %n, %q = %v) : (i32, !tile.tile<64xf32>) -> (i32, !tile.tile<64xf32>) {
    %go = arith.cmpi sgt, %i, %one : i32
    scf.condition(%go) %i, %q : i32, !tile.tile<64xf32>
  } do {
  ^bb0(%i: i32, %q: !tile.tile<64xf32>):
    %j = arith.subi %i, %one : i32
    %r = arith.negf %q : !tile.tile<64xf32>
    scf.yield %j, %r : i32, !tile.tile<64xf32>
  }
  tile.store %p, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// A counter would be updated again by the gradient.
// expected-error @below {{expected arrays that are either read or written, got '2', which the kernel reads and writes}}
tile.kernel @counts(%x: memref<64xf32>, %y: memref<64xf32>, %n: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1> : !tile.tile<1xi32>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  %old = tile.atomic_rmw add %one, %n[%c0] : !tile.tile<1xi32>, memref<1xi32>
  tile.print "count", %old : !tile.tile<1xi32>
  tile.return
}

// -----

// Any of several elements may remain.
tile.kernel @scattered(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %i = tile.iota axis 0 : !tile.tile<64xi32>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected a tile.scatter with 'atomic add', got one without a kind: if several elements go to one element of the array, any of them may remain}}
  tile.scatter %v, %y[%c0] at %i axis 0 : !tile.tile<64xf32>, memref<64xf32>, !tile.tile<64xi32>
  tile.return
}

// -----

// expected-error @below {{expected arrays that are either read or written, got '1', which the kernel reads and writes}}
tile.kernel @maximum(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %old = tile.atomic_rmw max %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.store %v, %z[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @stored_and_added(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-note @below {{a store}}
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  // expected-error @below {{expected an output that is either stored or added to, got both}}
  %old = tile.atomic_rmw add %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// The second store overwrites elements of the first one, which have no cotangent.
tile.kernel @overwritten(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  %w = arith.mulf %v, %v : !tile.tile<64xf32>
  // expected-error @below {{expected a store to elements of the output that the program stores once, which is not proved}}
  tile.store %w, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

tile.kernel @overwritten_by_iterations(%x: memref<?xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %n step %c64 {
    %v = tile.load %x[%i] : memref<?xf32> -> !tile.tile<64xf32>
    // expected-error @below {{expected a store to elements of the output that the program stores once, which is not proved}}
    tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  }
  tile.return
}

// -----

// expected-error @below {{expected no kernel 'again__adjoint', which is the name of the new one}}
tile.kernel @again(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
tile.kernel @again__adjoint() {
  tile.return
}

// -----

// expected-error @below {{expected an array of floating-point or complex elements that the kernel only writes, to differentiate, got none}}
// expected-note @below {{the kernel reads and writes '0'}}
tile.kernel @in_place(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %w = math.exp %v : !tile.tile<64xf32>
  tile.store %w, %x[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
