// A launch of a kernel that does not exist.
module attributes {gpu.container_module} {
gpu.module @mine {
  tile.kernel @k(%a: memref<64xf32>) attributes {gpu.kernel} {
    tile.return
  }
}
func.func @main(%n: index, %a: memref<32xf32>) {
  gpu.launch_func @mine::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<32xf32>)
  return
}
}
