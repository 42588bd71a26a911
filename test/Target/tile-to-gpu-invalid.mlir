// RUN: tile-opt %s -tile-to-gpu=arch=sm_80 -verify-diagnostics -split-input-file

// expected-error @below {{expected a module with a kernel, of its own or in a gpu.module, got one without}}
module {
}

// -----

// expected-error @below {{expected no other symbol 'tile_kernels', which is the name of the module of kernels}}
gpu.module @tile_kernels {
}
tile.kernel @k(%a: memref<64xf32>) {
  tile.return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @mine {
    tile.kernel @k(%a: memref<64xf32>) attributes {gpu.kernel} {
      tile.return
    }
  }
  func.func @number(%n: index) {
    // expected-error @below {{'gpu.launch_func' op expected 1 arguments of @mine::@k, got 0}}
    gpu.launch_func @mine::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @mine {
    tile.kernel @k(%a: memref<64xf32>) attributes {gpu.kernel} {
      tile.return
    }
  }
  func.func @type(%n: index, %a: memref<?xf32>) {
    // expected-error @below {{'gpu.launch_func' op expected argument 0 of @mine::@k to be 'memref<64xf32>', got 'memref<?xf32>'}}
    gpu.launch_func @mine::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<?xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @mine {
    tile.kernel @k() attributes {gpu.kernel} {
      tile.return
    }
  }
  func.func @clusters(%n: index) {
    // expected-error @below {{'gpu.launch_func' op expected no clusters, which the kernel has not}}
    gpu.launch_func @mine::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

// An error of a phase is reported at the operation's line.
module attributes {gpu.container_module} {
  gpu.module @mine {
    tile.kernel @k(%a: memref<64xf32>) attributes {gpu.kernel} {
      %c0 = arith.constant 0 : index
      %x = arith.constant 1.0 : f32
      // expected-error @below {{expected}}
      memref.store %x, %a[%c0] : memref<64xf32>
      tile.return
    }
  }
}
