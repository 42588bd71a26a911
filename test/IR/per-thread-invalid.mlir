// RUN: tile-opt %s -verify-diagnostics -split-input-file

tile.kernel @per_thread_c1(%x: f32) {
  %t = tile.fill %x : !tile.tile<64xf32>
  // expected-error @below {{'tile.per_thread' op expected a kernel with a 'block' (the number of threads is part of what it computes)}}
  %r = tile.per_thread %t : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %y: f32):
    tile.yield %y : f32
  }
  tile.return
}

// -----

tile.kernel @per_thread_c2_input(%x: f32) attributes {block = 64 : i64} {
  %t = tile.fill %x : !tile.tile<32xf32>
  // expected-error @below {{'tile.per_thread' op expected a tile of 64 elements along its first dimension (one a thread of the block), got '!tile.tile<32xf32>'}}
  %r = tile.per_thread %t : !tile.tile<32xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %y: f32):
    tile.yield %y : f32
  }
  tile.return
}

// -----

tile.kernel @per_thread_c2_result(%x: f32) attributes {block = 64 : i64} {
  %t = tile.fill %x : !tile.tile<64xf32>
  // expected-error @below {{'tile.per_thread' op expected a tile of 64 elements along its first dimension (one a thread of the block), got '!tile.tile<1x64xf32>'}}
  %r = tile.per_thread %t : !tile.tile<64xf32> to !tile.tile<1x64xf32> {
  ^bb0(%thread: index, %y: f32):
    tile.yield %y : f32
  }
  tile.return
}

// -----

tile.kernel @per_thread_c2_rank_0(%x: f32) attributes {block = 64 : i64} {
  %t = tile.fill %x : !tile.tile<64xf32>
  // expected-error @below {{'tile.per_thread' op expected a tile of at least one dimension, got '!tile.tile<f32>'}}
  %r = tile.per_thread %t : !tile.tile<64xf32> to !tile.tile<f32> {
  ^bb0(%thread: index, %y: f32):
    tile.yield %y : f32
  }
  tile.return
}

// -----

// A tile of rank 0 is also refused in a function, which is in no kernel yet.
func.func @per_thread_c2_rank_0_function(%t0: !tile.tile<f32>) {
  // expected-error @below {{'tile.per_thread' op expected a tile of at least one dimension, got '!tile.tile<f32>'}}
  tile.per_thread %t0 : !tile.tile<f32> {
  ^bb0(%thread: index, %x: f32):
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c2_complex(%t0: !tile.tile<64x2xcomplex<f32>>) {
  // expected-error @below {{'tile.per_thread' op expected elements of which a vector can be made, got '!tile.tile<64x2xcomplex<f32>>'}}
  tile.per_thread %t0 : !tile.tile<64x2xcomplex<f32>> {
  ^bb0(%thread: index, %x: complex<f32>):
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c3_no_index(%t0: !tile.tile<64xf32>) {
  // expected-error @below {{'tile.per_thread' op expected a region with arguments of ('index', 'f32'), got ('f32')}}
  %r = tile.per_thread %t0 : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%x: f32):
    tile.yield %x : f32
  }
  return
}

// -----

func.func @per_thread_c3_argument(%t0: !tile.tile<64x2xf32>) {
  // expected-error @below {{'tile.per_thread' op expected a region with arguments of ('index', 'vector<2xf32>'), got ('index', 'f32')}}
  tile.per_thread %t0 : !tile.tile<64x2xf32> {
  ^bb0(%thread: index, %x: f32):
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c3_yielded_type(%t0: !tile.tile<64xf32>) {
  %r = tile.per_thread %t0 : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %x: f32):
    // expected-error @below {{'tile.yield' op expected values of ('f32'), got ('index')}}
    tile.yield %thread : index
  }
  return
}

// -----

func.func @per_thread_c3_yielded_number(%t0: !tile.tile<64xf32>) {
  %r = tile.per_thread %t0 : !tile.tile<64xf32> to !tile.tile<64xf32> {
  ^bb0(%thread: index, %x: f32):
    // expected-error @below {{'tile.yield' op expected values of ('f32'), got ()}}
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c3_end(%t0: !tile.tile<64xf32>) {
  // expected-error @below {{'tile.per_thread' op expected a region that ends with 'tile.yield'}}
  tile.per_thread %t0 : !tile.tile<64xf32> {
  ^bb0(%thread: index, %x: f32):
    llvm.unreachable
  }
  return
}

// -----

func.func @per_thread_c4_tile_operation() {
  tile.per_thread {
  ^bb0(%thread: index):
    // expected-error @below {{expected an operation on scalars, vectors or arrays, neither a call nor an allocation, in the region of 'tile.per_thread', got 'tile.program_id'}}
    %x = tile.program_id x
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c4_arithmetic_on_tiles(%t: !tile.tile<64xf32>) {
  tile.per_thread {
  ^bb0(%thread: index):
    // expected-error @below {{expected an operation on scalars, vectors or arrays, neither a call nor an allocation, in the region of 'tile.per_thread', got 'arith.addf'}}
    %y = arith.addf %t, %t : !tile.tile<64xf32>
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c4_memory() {
  tile.per_thread {
  ^bb0(%thread: index):
    // expected-error @below {{expected an operation on scalars, vectors or arrays, neither a call nor an allocation, in the region of 'tile.per_thread', got 'memref.alloca'}}
    %m = memref.alloca() : memref<4xf32>
    tile.yield
  }
  return
}

// -----

func.func private @g(f32)

func.func @per_thread_c4_call(%t0: !tile.tile<64xf32>) {
  tile.per_thread %t0 : !tile.tile<64xf32> {
  ^bb0(%thread: index, %x: f32):
    // expected-error @below {{expected an operation on scalars, vectors or arrays, neither a call nor an allocation, in the region of 'tile.per_thread', got 'func.call'}}
    func.call @g(%x) : (f32) -> ()
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c4_nested(%c: i1) {
  tile.per_thread {
  ^bb0(%thread: index):
    scf.if %c {
    // expected-error @below {{expected an operation on scalars, vectors or arrays, neither a call nor an allocation, in the region of 'tile.per_thread', got 'tile.fence'}}
      tile.fence
    }
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c4_barrier() {
  tile.per_thread {
  ^bb0(%thread: index):
    // expected-error @below {{expected an operation on scalars, vectors or arrays, neither a call nor an allocation, in the region of 'tile.per_thread', got 'gpu.barrier'}}
    gpu.barrier
    tile.yield
  }
  return
}

// -----

func.func @per_thread_c4_shuffle() {
  tile.per_thread {
  ^bb0(%thread: index):
    // expected-error @below {{expected an operation on scalars, vectors or arrays, neither a call nor an allocation, in the region of 'tile.per_thread', got 'nvvm.read.ptx.sreg.tid.x'}}
    %id = nvvm.read.ptx.sreg.tid.x : i32
    tile.yield
  }
  return
}

// -----

func.func @per_thread_two_blocks() {
  // expected-error @below {{'tile.per_thread' op expects region #0 to have 0 or 1 blocks}}
  tile.per_thread {
  ^bb0(%thread: index):
    cf.br ^bb1
    ^bb1:
    tile.yield
  }
  return
}

// -----

func.func @per_thread_empty() {
  // expected-error @below {{'tile.per_thread' op expects a non-empty block}}
  tile.per_thread {
  ^bb0(%thread: index):
  }
  return
}
