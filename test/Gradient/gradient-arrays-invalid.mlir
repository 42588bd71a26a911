// RUN: tile-opt %s -tile-gradient -verify-diagnostics -split-input-file

// Arrays that are no inputs or outputs, and accesses to them that have no derivative.

// expected-error @below {{to differentiate, got none}}
// expected-note @below {{the kernel reads and writes '1'}}
tile.kernel @exchanged(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %old = tile.atomic_rmw exchange %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{to differentiate, got none; '1' has elements of 'i32'}}
tile.kernel @output_of_integers(%x: memref<64xf32>, %y: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %i = tile.cast %v : !tile.tile<64xf32> to !tile.tile<64xi32>
  tile.store %i, %y[%c0] : !tile.tile<64xi32>, memref<64xi32>
  tile.return
}

// -----

// expected-error @below {{to differentiate, got none; '1' has elements of 'index'}}
tile.kernel @output_of_indices(%x: memref<64xf32>, %y: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %m, %i = tile.arg_reduce max %v axis 0 keep : !tile.tile<64xf32> to !tile.tile<1xf32>, !tile.tile<1xindex>
  tile.store %i, %y[%c0] : !tile.tile<1xindex>, memref<1xindex>
  tile.return
}

// -----

// expected-error @below {{to differentiate, got none}}
tile.kernel @prints(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.print "x", %v : !tile.tile<64xf32>
  tile.return
}

// -----

// expected-error @below {{to differentiate by, got none}}
tile.kernel @constant_output(%y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : !tile.tile<64xf32>
  tile.store %one, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{to differentiate by, got none}}
tile.kernel @scalar_input(%x: f32, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.fill %x : !tile.tile<64xf32>
  tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{to differentiate by, got none; '0' has no influence on an output}}
tile.kernel @only_a_choice(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64xf32>
  %one = arith.constant dense<1.0> : !tile.tile<64xf32>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-note @below {{'arith.cmpf' has integers or conditions as results, on which no derivative depends}}
  %c = arith.cmpf olt, %v, %zero : !tile.tile<64xf32>
  %s = tile.select %c, %one, %zero : !tile.tile<64xi1>, !tile.tile<64xf32>
  tile.store %s, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{to differentiate by, got none; '0' has no influence on an output}}
tile.kernel @index_of_the_largest(%x: memref<64xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-note @below {{'tile.arg_reduce' has integers or conditions as results, on which no derivative depends}}
  %m, %i = tile.arg_reduce max %v axis 0 keep : !tile.tile<64xf32> to !tile.tile<1xf32>, !tile.tile<1xi32>
  %f = tile.cast %i : !tile.tile<1xi32> to !tile.tile<1xf32>
  tile.store %f, %y[%c0] : !tile.tile<1xf32>, memref<1xf32>
  tile.return
}

// -----

// expected-error @below {{expected arrays that are either read or written, got '1', which the kernel reads and writes: elements before a write are lost when derivatives need them}}
tile.kernel @updated_in_a_loop(%x: memref<64xf32>, %w: memref<64xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  scf.for %k = %c0 to %n step %c1 {
    %u = tile.load %w[%c0] : memref<64xf32> -> !tile.tile<64xf32>
    %b = arith.mulf %v, %u : !tile.tile<64xf32>
    tile.store %b, %w[%c0] : !tile.tile<64xf32>, memref<64xf32>
  }
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// A view of an array that is written.
// expected-error @below {{expected arrays that are either read or written, got '1', which the kernel reads and writes}}
tile.kernel @through_a_view(%x: memref<64xf32>, %w: memref<128xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %w[%c0] : !tile.tile<64xf32>, memref<128xf32>
  %sub = memref.subview %w[0] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1]>>
  %u = tile.load %sub[%c0] : memref<64xf32, strided<[1]>> -> !tile.tile<64xf32>
  tile.store %u, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// Accumulation in memory: only the last store of an element counts.
tile.kernel @stored_twice(%x: memref<?xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : !tile.tile<64xf32>
  %v = scf.for %i = %c0 to %n step %c64 iter_args(%s = %zero) -> (!tile.tile<64xf32>) {
    %u = tile.load %x[%i] : memref<?xf32> -> !tile.tile<64xf32>
    %t = arith.addf %s, %u : !tile.tile<64xf32>
    // expected-error @below {{expected a store to elements of the output that the program stores once, which is not proved from its offsets: their cotangents belong to the last store}}
    tile.store %t, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
    scf.yield %t : !tile.tile<64xf32>
  }
  tile.return
}

// -----

// Boxes of one store that overlap from iteration to iteration.
tile.kernel @overlapping_stores(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %n step %c32 {
    %v = tile.load %x[%i] : memref<?xf32> -> !tile.tile<33xf32>
    // expected-error @below {{expected a store to elements of the output that the program stores once, which is not proved}}
    tile.store %v, %y[%i] : !tile.tile<33xf32>, memref<?xf32>
  }
  tile.return
}

// -----

// The offset is known only when the program runs.
tile.kernel @stored_where_an_array_tells(%x: memref<?xf32>, %at: memref<?xindex>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %o = memref.load %at[%i] : memref<?xindex>
    %v = tile.load %x[%o] : memref<?xf32> -> !tile.tile<1xf32>
    // expected-error @below {{expected a store to elements of the output that the program stores once, which is not proved}}
    tile.store %v, %y[%o] : !tile.tile<1xf32>, memref<?xf32>
  }
  tile.return
}

// -----

// Two stores of one branch, of which the second one may write the same elements.
tile.kernel @stored_twice_in_a_branch(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1, %o: index) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  scf.if %c {
    tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
    // expected-error @below {{expected a store to elements of the output that the program stores once, which is not proved}}
    tile.store %v, %y[%o] : !tile.tile<64xf32>, memref<64xf32>
  }
  tile.return
}

// -----

// The offset of a load depends on an array: any program may load any element.
// expected-error @below {{expected an array of which programs that differ along an axis of the grid load different elements, got '0'}}
tile.kernel @loaded_where_an_array_tells(%x: memref<?xf32>, %at: memref<?xindex>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %o = memref.load %at[%p] : memref<?xindex>
  // expected-note @below {{a load of the array}}
  %v = tile.load %x[%o] : memref<?xf32> -> !tile.tile<1xf32>
  // expected-note @below {{a load of the array}}
  %u = tile.load %x[%c0] : memref<?xf32> -> !tile.tile<1xf32>
  %s = arith.mulf %v, %u : !tile.tile<1xf32>
  tile.store %s, %y[%p] : !tile.tile<1xf32>, memref<?xf32>
  tile.return
}

// -----

// Neighbours that two loads share have no owner.
// expected-error @below {{expected an array of which programs that differ along an axis of the grid load different elements, got '0'}}
tile.kernel @neighbours(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %p = tile.program_id x
  %o = arith.muli %p, %c32 : index
  %r = arith.addi %o, %c1 : index
  // expected-note @below {{a load of the array}}
  %a = tile.load %x[%o] : memref<?xf32> -> !tile.tile<32xf32>
  // expected-note @below {{a load of the array}}
  %b = tile.load %x[%r] : memref<?xf32> -> !tile.tile<32xf32>
  %d = arith.subf %b, %a : !tile.tile<32xf32>
  tile.store %d, %y[%o] : !tile.tile<32xf32>, memref<?xf32>
  tile.return
}

// -----

tile.kernel @stored_after_additions(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %i = tile.iota axis 0 : !tile.tile<64xi32>
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  // expected-error @below {{expected an output that is either stored or added to, got both}}
  tile.scatter %v, %y[%c0] at %i axis 0 atomic add : !tile.tile<64xf32>, memref<64xf32>, !tile.tile<64xi32>
  // expected-note @below {{a store}}
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// The value before an addition depends on the order of the programs.
// expected-error @below {{to differentiate, got none}}
// expected-note @below {{the kernel reads and writes '1'}}
tile.kernel @value_before_an_addition(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  %old = tile.atomic_rmw add %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.print "before", %old : !tile.tile<64xf32>
  tile.return
}

// -----

// Other programs write what an atomic load reads.
// expected-error @below {{to differentiate by, got none}}
// expected-note @below {{the kernel reads and writes '0'}}
tile.kernel @atomic_load(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.atomic_load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// expected-error @below {{to differentiate, got none}}
// expected-note @below {{the kernel reads and writes '1'}}
tile.kernel @atomic_store(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %v = tile.load %x[%c0] : memref<64xf32> -> !tile.tile<64xf32>
  tile.atomic_store %v, %y[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}

// -----

// An array at an address may be one of the arguments.
tile.kernel @address(%table: memref<?xi64>, %x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %table[%c0] : memref<?xi64> -> !tile.tile<1xi64>
  %a = tile.extract %t[%c0] : !tile.tile<1xi64>
  // expected-error @below {{expected arrays that are arguments of the kernel, to differentiate, got 'tile.array_at'}}
  %z = tile.array_at %a : memref<8xf32>
  %u = tile.load %z[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  %v = tile.load %x[%c0] : memref<8xf32> -> !tile.tile<8xf32>
  %w = arith.mulf %u, %v : !tile.tile<8xf32>
  tile.store %w, %y[%c0] : !tile.tile<8xf32>, memref<8xf32>
  tile.return
}
