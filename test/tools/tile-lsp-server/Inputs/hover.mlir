// The program in which hover.test queries positions.

#lhs = #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>
#rows = #tile.shared<(4,8):(8,1)>
#swizzled = #tile.shared<(8,8):(8,1), swizzle = <1, 4, 3>>
!fragment = !tile.tile<16x8xf32, #lhs>
!large = !tile.tile<128x128xf32, #tile.register<(32,1,(4,128)):(1,0,(32,128)), box = [128, 128]>>

// Queries an operation, at both ends of its name.
// HOVER: tile.load@0
// HOVER: tile.load@9
// Results and arguments, at their definitions and uses, without a layout.
// HOVER: %u = tile@1
// HOVER: %u, %x@0
// HOVER: %n: index@0
// Types and attributes; inside a type.
// HOVER: !tile.tile<4x4xf16>@0
// HOVER: 4x4xf16>@2
// In the generic form.
// HOVER: tile.store"@3
// Operations of other dialects.
// HOVER: arith.constant@0
tile.kernel @first(%n: index, %x: memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %u = tile.load %x[%n, %c0] : memref<?x?xf16> -> !tile.tile<4x4xf16>
  "tile.store"(%u, %x, %c0, %c0) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!tile.tile<4x4xf16>, memref<?x?xf16>, index, index) -> ()
  tile.return
}

// Layouts of values, of aliases and of attributes without an alias.
// HOVER: %f = arith@0
// HOVER: !fragment@1
// HOVER: #rows>@2
// HOVER: #tile.shared<(2,2)@5
// HOVER: (2,2):(2,1)@3
// HOVER: %b = memref@0
// HOVER: %s = memref@0
// HOVER: #swizzled@3
// HOVER: %l = arith@0
// HOVER: %both:2@1
// HOVER: %both#1@2
func.func @layouts() -> (i1, i32) {
  %f = arith.constant dense<0.0> : !fragment
  %a = memref.alloc() : memref<4x8xf32, #rows>
  %b = memref.alloc() : memref<2x2xf32, #tile.shared<(2,2):(2,1)>>
  %s = memref.alloc() : memref<8x8xf16, #swizzled>
  %l = arith.constant dense<0.0> : !large
  %both:2 = func.call @layouts() : () -> (i1, i32)
  return %both#0, %both#1 : i1, i32
}

// -----

// Another program of the document.
// HOVER: tile.iota@0
// HOVER: %i = tile@0
tile.kernel @second() {
  %i = tile.iota axis 0 : !tile.tile<8xi32, #tile.register<((8,4),1,1):((1,0),0,0), box = [8]>>
  tile.return
}
