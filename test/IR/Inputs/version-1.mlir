// The program that version-1.mlirbc was written from, with -emit-bytecode. It
// has every operation, type and attribute of version 1 that a program may write.
tile.kernel @everything(%a: memref<?x?xf16, strided<[?, 1]>> {tile.alignment = 16 : i64},
                        %b: memref<?x?xf16>, %c: memref<?x?xf32>, %n: i32)
    attributes {block = 128 : i64,
                grid = #tile.grid<affine_map<(m, n) -> (n ceildiv 128, m ceildiv 64)> of [[0, 0], [1, 1]]>} {
  %x = tile.program_id x
  %y = tile.num_programs y
  %pad = arith.constant 1.0 : f16
  %lhs = tile.load %a[%x, %y] pad %pad : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<64x32xf16>
  %rhs = tile.load %b[%x, %y] in_bounds : memref<?x?xf16> -> !tile.tile<32x128xf16, #tile.shared<(32,128):(128,1), swizzle = <3, 4, 3>, align = 1024>>
  %rhs2 = tile.convert_layout %rhs : !tile.tile<32x128xf16, #tile.shared<(32,128):(128,1), swizzle = <3, 4, 3>, align = 1024>> to !tile.tile<32x128xf16>
  %zero = arith.constant dense<0.0> : !tile.tile<64x128xf32>
  %product = tile.matmul %lhs, %rhs2, %zero tiling <warps = [2, 2], sub = [2, 8], atom = "m16n8k16", stages = 3> : !tile.tile<64x32xf16>, !tile.tile<32x128xf16> -> !tile.tile<64x128xf32>
  %rows = tile.reduce max %product axis 1 : !tile.tile<64x128xf32> to !tile.tile<64xf32>
  %column = tile.reshape %rows : !tile.tile<64xf32> to !tile.tile<64x1xf32>
  %wide = tile.broadcast %column : !tile.tile<64x1xf32> to !tile.tile<64x128xf32>
  %difference = arith.subf %product, %wide fastmath<contract> : !tile.tile<64x128xf32>
  %number = tile.iota axis 0 : !tile.tile<64x128xi32>
  %limit = tile.fill %n : !tile.tile<64x128xi32>
  %inside = arith.cmpi slt, %number, %limit : !tile.tile<64x128xi32>
  %kept = tile.select %inside, %difference, %zero : !tile.tile<64x128xi1>, !tile.tile<64x128xf32>
  %exponential = math.exp %kept : !tile.tile<64x128xf32>
  %half = tile.cast %exponential saturate : !tile.tile<64x128xf32> to !tile.tile<64x128xf16>
  %back = tile.cast %half : !tile.tile<64x128xf16> to !tile.tile<64x128xf32>
  %turned = tile.transpose %back [1, 0] : !tile.tile<64x128xf32> to !tile.tile<128x64xf32>
  %part = tile.view %turned[%x, %y] : !tile.tile<128x64xf32> to !tile.tile<32x32xf32>
  %resolved = tile.convert_layout %part : !tile.tile<32x32xf32> to !tile.tile<32x32xf32, #tile.register<(32,4,(4,2)):(1,32,(128,512)), box = [32, 32]>>
  tile.store %resolved, %c[%x, %y] : !tile.tile<32x32xf32, #tile.register<(32,4,(4,2)):(1,32,(128,512)), box = [32, 32]>>, memref<?x?xf32>
  tile.return
}
