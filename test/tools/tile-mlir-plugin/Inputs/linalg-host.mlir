// Two matmuls with a temporary between them, weights of the module, and views.

memref.global "private" constant @weights : memref<6x4xf32> = dense<[
  [1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 1.0, 2.0, 3.0],
  [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0, 2.0], [3.0, 4.0, 5.0, 6.0]]>

func.func @net(%x: memref<?x2x3xf32>, %w: memref<4x5xf32>, %out: memref<?x5xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x2x3xf32>
  %rows = memref.collapse_shape %x [[0], [1, 2]] : memref<?x2x3xf32> into memref<?x6xf32>
  %first = memref.get_global @weights : memref<6x4xf32>
  %hidden = memref.alloc(%n) : memref<?x4xf32>
  linalg.fill ins(%zero : f32) outs(%hidden : memref<?x4xf32>)
  linalg.matmul ins(%rows, %first : memref<?x6xf32>, memref<6x4xf32>) outs(%hidden : memref<?x4xf32>)
  linalg.fill ins(%zero : f32) outs(%out : memref<?x5xf32>)
  linalg.matmul ins(%hidden, %w : memref<?x4xf32>, memref<4x5xf32>) outs(%out : memref<?x5xf32>)
  memref.dealloc %hidden : memref<?x4xf32>
  return
}

func.func @main() {
  %n = arith.constant 9 : index
  %x = memref.alloc(%n) : memref<?x2x3xf32>
  %w = memref.alloc() : memref<4x5xf32>
  %out = memref.alloc(%n) : memref<?x5xf32>
  call @net(%x, %w, %out) : (memref<?x2x3xf32>, memref<4x5xf32>, memref<?x5xf32>) -> ()
  return
}
