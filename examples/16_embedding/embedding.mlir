// The first kernel copies the rows of a table that labels select; the second adds
// gradients to these rows. A block takes 16 labels and 128 columns, so that contiguous
// elements of a row are read and written together, wherever the rows are.

#grid = #tile.grid<affine_map<(labels, columns) ->
                              (columns ceildiv 128, labels ceildiv 16)>
                   of [[1, 0], [0, 1]]>

// A label outside of the table reads zeros.
tile.kernel @embedding(%table: memref<?x?xf32>, %labels: memref<?xi32>,
                       %rows: memref<?x?xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %height = arith.constant 16 : index
  %width = arith.constant 128 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %n = arith.muli %x, %width : index
  %m = arith.muli %y, %height : index
  %label = tile.load %labels[%m] : memref<?xi32> -> !tile.tile<16xi32>
  %places = tile.reshape %label : !tile.tile<16xi32> to !tile.tile<16x1xi32>
  %r = tile.gather %table[%c0, %n] at %places axis 0
      : memref<?x?xf32>, !tile.tile<16x1xi32> -> !tile.tile<16x128xf32>
  tile.store %r, %rows[%m, %n] : !tile.tile<16x128xf32>, memref<?x?xf32>
  tile.return
}

// A label may occur several times, so the additions are atomic. The order of the
// blocks varies, so the last bits differ from run to run. Labels after the last one
// are loaded as row -1, which is not written.
tile.kernel @embedding_gradient(%gradients: memref<?x?xf32>,
                                %labels: memref<?xi32>,
                                %table: memref<?x?xf32>)
    attributes {block = 128 : i64, grid = #grid} {
  %c0 = arith.constant 0 : index
  %height = arith.constant 16 : index
  %width = arith.constant 128 : index
  %none = arith.constant -1 : i32
  %x = tile.program_id x
  %y = tile.program_id y
  %n = arith.muli %x, %width : index
  %m = arith.muli %y, %height : index
  %label = tile.load %labels[%m] pad %none
      : memref<?xi32> -> !tile.tile<16xi32>
  %places = tile.reshape %label : !tile.tile<16xi32> to !tile.tile<16x1xi32>
  %g = tile.load %gradients[%m, %n]
      : memref<?x?xf32> -> !tile.tile<16x128xf32>
  tile.scatter %g, %table[%c0, %n] at %places axis 0 atomic add
      : !tile.tile<16x128xf32>, memref<?x?xf32>, !tile.tile<16x1xi32>
  tile.return
}
