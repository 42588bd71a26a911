// RUN: tile-opt %s -canonicalize | FileCheck %s

// A cast to the same type is removed.
// CHECK-LABEL: func.func @cast_to_same_type
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @cast_to_same_type(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = tile.cast %t : !tile.tile<4xf32> to !tile.tile<4xf32>
  return %0 : !tile.tile<4xf32>
}

// A constant is rounded as the operation rounds: 1 + 2^-11 is a tie of f16 and
// goes to even, 1 + 3 * 2^-11 goes up.
// CHECK-LABEL: func.func @cast_of_constant_rounds_to_even
// CHECK-DAG:     %[[DOWN:.*]] = arith.constant dense<1.000000e+00> : !tile.tile<4xf16>
// CHECK-DAG:     %[[UP:.*]] = arith.constant dense<1.001950e+00> : !tile.tile<4xf16>
// CHECK:         return %[[DOWN]], %[[UP]]
func.func @cast_of_constant_rounds_to_even() -> (!tile.tile<4xf16>, !tile.tile<4xf16>) {
  %a = arith.constant dense<1.00048828125> : !tile.tile<4xf32>
  %b = arith.constant dense<1.00146484375> : !tile.tile<4xf32>
  %0 = tile.cast %a : !tile.tile<4xf32> to !tile.tile<4xf16>
  %1 = tile.cast %b : !tile.tile<4xf32> to !tile.tile<4xf16>
  return %0, %1 : !tile.tile<4xf16>, !tile.tile<4xf16>
}

// A constant that is cast to a wider type keeps its value, infinities and the zero's
// sign.
// CHECK-LABEL: func.func @cast_of_constant_widens
// CHECK-DAG:     arith.constant dense<-0.000000e+00> : !tile.tile<2xf64>
// CHECK-DAG:     arith.constant dense<0x7F800000> : !tile.tile<2xf32>
// CHECK-NOT:     tile.cast
// CHECK:         return
func.func @cast_of_constant_widens() -> (!tile.tile<2xf64>, !tile.tile<2xf32>) {
  %a = arith.constant dense<-0.0> : !tile.tile<2xbf16>
  %b = arith.constant dense<0x7C00> : !tile.tile<2xf16>
  %0 = tile.cast %a : !tile.tile<2xbf16> to !tile.tile<2xf64>
  %1 = tile.cast %b : !tile.tile<2xf16> to !tile.tile<2xf32>
  return %0, %1 : !tile.tile<2xf64>, !tile.tile<2xf32>
}

// A cast to f8 saturates at run time, so it is not folded. A bitcast keeps bits, not
// values, and casts of integers are not folded.
// CHECK-LABEL: func.func @cast_of_constant_is_kept
// CHECK-COUNT-3: tile.cast
// CHECK:         return
func.func @cast_of_constant_is_kept() -> (!tile.tile<2xf8E4M3FN>, !tile.tile<2xf32>, !tile.tile<2xi8>) {
  %a = arith.constant dense<1000.0> : !tile.tile<2xf32>
  %b = arith.constant dense<1> : !tile.tile<2xi32>
  %0 = tile.cast %a : !tile.tile<2xf32> to !tile.tile<2xf8E4M3FN>
  %1 = tile.cast %b bitcast : !tile.tile<2xi32> to !tile.tile<2xf32>
  %2 = tile.cast %a saturate : !tile.tile<2xf32> to !tile.tile<2xi8>
  return %0, %1, %2 : !tile.tile<2xf8E4M3FN>, !tile.tile<2xf32>, !tile.tile<2xi8>
}

// A constant with different elements is not folded.
// CHECK-LABEL: func.func @cast_of_several_values_is_kept
// CHECK:         tile.cast
func.func @cast_of_several_values_is_kept() -> !tile.tile<2xf16> {
  %a = arith.constant dense<[1.0, 2.0]> : !tile.tile<2xf32>
  %0 = tile.cast %a : !tile.tile<2xf32> to !tile.tile<2xf16>
  return %0 : !tile.tile<2xf16>
}

// Both branches have the same value.
// CHECK-LABEL: func.func @select_of_equal_values
// CHECK-SAME:    %{{.*}}: !tile.tile<4xi1>, %[[VALUE:.*]]: !tile
// CHECK-NEXT:    return %[[VALUE]]
func.func @select_of_equal_values(%c: !tile.tile<4xi1>, %t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = tile.select %c, %t, %t : !tile.tile<4xi1>, !tile.tile<4xf32>
  return %0 : !tile.tile<4xf32>
}

// CHECK-LABEL: func.func @select_by_constant
// CHECK-SAME:    %[[TRUE:.*]]: !tile.tile<4xf32>, %[[FALSE:.*]]: !tile
// CHECK-NEXT:    return %[[TRUE]], %[[FALSE]]
func.func @select_by_constant(%a: !tile.tile<4xf32>, %b: !tile.tile<4xf32>) -> (!tile.tile<4xf32>, !tile.tile<4xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = tile.select %true, %a, %b : i1, !tile.tile<4xf32>
  %1 = tile.select %false, %a, %b : i1, !tile.tile<4xf32>
  return %0, %1 : !tile.tile<4xf32>, !tile.tile<4xf32>
}

// CHECK-LABEL: func.func @select_by_constant_tile
// CHECK-SAME:    %[[TRUE:.*]]: !tile.tile<4xf32>, %[[FALSE:.*]]: !tile
// CHECK-NEXT:    return %[[TRUE]], %[[FALSE]]
func.func @select_by_constant_tile(%a: !tile.tile<4xf32>, %b: !tile.tile<4xf32>) -> (!tile.tile<4xf32>, !tile.tile<4xf32>) {
  %true = arith.constant dense<true> : !tile.tile<4xi1>
  %false = arith.constant dense<false> : !tile.tile<4xi1>
  %0 = tile.select %true, %a, %b : !tile.tile<4xi1>, !tile.tile<4xf32>
  %1 = tile.select %false, %a, %b : !tile.tile<4xi1>, !tile.tile<4xf32>
  return %0, %1 : !tile.tile<4xf32>, !tile.tile<4xf32>
}

// CHECK-LABEL: func.func @select_by_several_values_is_kept
// CHECK:         tile.select
func.func @select_by_several_values_is_kept(%a: !tile.tile<2xf32>, %b: !tile.tile<2xf32>) -> !tile.tile<2xf32> {
  %c = arith.constant dense<[true, false]> : !tile.tile<2xi1>
  %0 = tile.select %c, %a, %b : !tile.tile<2xi1>, !tile.tile<2xf32>
  return %0 : !tile.tile<2xf32>
}

// A sum of a tile of rank 0 is the tile.
// CHECK-LABEL: func.func @reduce_of_rank_0
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @reduce_of_rank_0(%t: !tile.tile<f32>) -> !tile.tile<f32> {
  %0 = tile.reduce add %t : !tile.tile<f32> to !tile.tile<f32>
  return %0 : !tile.tile<f32>
}

// CHECK-LABEL: func.func @reduce_is_kept
// CHECK:         tile.reduce add
func.func @reduce_is_kept(%t: !tile.tile<1xf32>) -> !tile.tile<f32> {
  %0 = tile.reduce add %t axis 0 : !tile.tile<1xf32> to !tile.tile<f32>
  return %0 : !tile.tile<f32>
}

// A view with the source's shape is the source.
// CHECK-LABEL: func.func @view_of_all
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @view_of_all(%t: !tile.tile<4x8xf32>, %i: index) -> !tile.tile<4x8xf32> {
  %0 = tile.view %t[%i, %i] : !tile.tile<4x8xf32> to !tile.tile<4x8xf32>
  return %0 : !tile.tile<4x8xf32>
}

// Steps of one are omitted.
// CHECK-LABEL: func.func @view_of_all_by_steps
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @view_of_all_by_steps(%t: !tile.tile<4x8xf32>, %i: index) -> !tile.tile<4x8xf32> {
  %0 = tile.view %t[%i, %i] steps [1, 1] : !tile.tile<4x8xf32> to !tile.tile<4x8xf32>
  return %0 : !tile.tile<4x8xf32>
}

// A view in reverse order is not the source.
// CHECK-LABEL: func.func @view_reversed
// CHECK:         %[[VIEW:.*]] = tile.view %{{.*}} steps [1, -1]
// CHECK:         return %[[VIEW]]
func.func @view_reversed(%t: !tile.tile<4x8xf32>, %i: index) -> !tile.tile<4x8xf32> {
  %0 = tile.view %t[%i, %i] steps [1, -1] : !tile.tile<4x8xf32> to !tile.tile<4x8xf32>
  return %0 : !tile.tile<4x8xf32>
}

// A view of lower rank is not the source, even if it has all of the elements.
// CHECK-LABEL: func.func @view_of_lower_rank
// CHECK:         %[[VIEW:.*]] = tile.view
// CHECK:         return %[[VIEW]]
func.func @view_of_lower_rank(%t: !tile.tile<1x8xf32>, %i: index) -> !tile.tile<8xf32> {
  %0 = tile.view %t[%i, %i] : !tile.tile<1x8xf32> to !tile.tile<8xf32>
  return %0 : !tile.tile<8xf32>
}

// CHECK-LABEL: func.func @view_of_constant
// CHECK-DAG:     %[[ROW:.*]] = arith.constant dense<2.000000e+00> : !tile.tile<8xf32>
// CHECK-DAG:     %[[REVERSED:.*]] = arith.constant dense<2.000000e+00> : !tile.tile<4x4xf32>
// CHECK:         return %[[ROW]], %[[REVERSED]]
func.func @view_of_constant(%i: index) -> (!tile.tile<8xf32>, !tile.tile<4x4xf32>) {
  %t = arith.constant dense<2.0> : !tile.tile<4x8xf32>
  %0 = tile.view %t[%i, %i] : !tile.tile<4x8xf32> to !tile.tile<8xf32>
  %1 = tile.view %t[%i, %i] steps [-1, 2] : !tile.tile<4x8xf32> to !tile.tile<4x4xf32>
  return %0, %1 : !tile.tile<8xf32>, !tile.tile<4x4xf32>
}

// Rearranging a constant of one repeated value changes only its shape.
// CHECK-LABEL: func.func @rearranged_constant
// CHECK-DAG:     %[[VIEW:.*]] = arith.constant dense<2.000000e+00> : !tile.tile<2x3xf32>
// CHECK-DAG:     %[[TRANSPOSE:.*]] = arith.constant dense<2.000000e+00> : !tile.tile<8x4xf32>
// CHECK-DAG:     %[[BROADCAST:.*]] = arith.constant dense<2.000000e+00> : !tile.tile<5x4x8xf32>
// CHECK-DAG:     %[[RESHAPE:.*]] = arith.constant dense<2.000000e+00> : !tile.tile<32xf32>
// CHECK:         return %[[VIEW]], %[[TRANSPOSE]], %[[BROADCAST]], %[[RESHAPE]]
func.func @rearranged_constant(%i: index) -> (!tile.tile<2x3xf32>, !tile.tile<8x4xf32>, !tile.tile<5x4x8xf32>, !tile.tile<32xf32>) {
  %t = arith.constant dense<2.0> : !tile.tile<4x8xf32>
  %0 = tile.view %t[%i, %i] : !tile.tile<4x8xf32> to !tile.tile<2x3xf32>
  %1 = tile.transpose %t [1, 0] : !tile.tile<4x8xf32> to !tile.tile<8x4xf32>
  %2 = tile.broadcast %t : !tile.tile<4x8xf32> to !tile.tile<5x4x8xf32>
  %3 = tile.reshape %t : !tile.tile<4x8xf32> to !tile.tile<32xf32>
  return %0, %1, %2, %3 : !tile.tile<2x3xf32>, !tile.tile<8x4xf32>, !tile.tile<5x4x8xf32>, !tile.tile<32xf32>
}

// CHECK-LABEL: func.func @transpose_by_identity
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @transpose_by_identity(%t: !tile.tile<4x8xf32>) -> !tile.tile<4x8xf32> {
  %0 = tile.transpose %t [0, 1] : !tile.tile<4x8xf32> to !tile.tile<4x8xf32>
  return %0 : !tile.tile<4x8xf32>
}

// CHECK-LABEL: func.func @transposes_that_undo_each_other
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @transposes_that_undo_each_other(%t: !tile.tile<2x3x4xf32>) -> !tile.tile<2x3x4xf32> {
  %0 = tile.transpose %t [1, 2, 0] : !tile.tile<2x3x4xf32> to !tile.tile<3x4x2xf32>
  %1 = tile.transpose %0 [2, 0, 1] : !tile.tile<3x4x2xf32> to !tile.tile<2x3x4xf32>
  return %1 : !tile.tile<2x3x4xf32>
}

// Two transposes with equal types need not undo each other.
// CHECK-LABEL: func.func @transposes_that_do_not_undo_each_other
// CHECK-COUNT-2: tile.transpose
func.func @transposes_that_do_not_undo_each_other(%t: !tile.tile<4x4x4xf32>) -> !tile.tile<4x4x4xf32> {
  %0 = tile.transpose %t [1, 2, 0] : !tile.tile<4x4x4xf32> to !tile.tile<4x4x4xf32>
  %1 = tile.transpose %0 [1, 2, 0] : !tile.tile<4x4x4xf32> to !tile.tile<4x4x4xf32>
  return %1 : !tile.tile<4x4x4xf32>
}

// CHECK-LABEL: func.func @broadcast_to_same_type
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @broadcast_to_same_type(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = tile.broadcast %t : !tile.tile<4xf32> to !tile.tile<4xf32>
  return %0 : !tile.tile<4xf32>
}

// The shape between two reshapes does not matter.
// CHECK-LABEL: func.func @reshape_of_reshape
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    %[[RESULT:.*]] = tile.reshape %[[TILE]] : !tile.tile<24xf32> to !tile.tile<2x3x4xf32>
// CHECK-NEXT:    return %[[RESULT]]
func.func @reshape_of_reshape(%t: !tile.tile<24xf32>) -> !tile.tile<2x3x4xf32> {
  %0 = tile.reshape %t : !tile.tile<24xf32> to !tile.tile<6x4xf32>
  %1 = tile.reshape %0 : !tile.tile<6x4xf32> to !tile.tile<2x3x4xf32>
  return %1 : !tile.tile<2x3x4xf32>
}

// CHECK-LABEL: func.func @reshape_there_and_back
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @reshape_there_and_back(%t: !tile.tile<24xf32>) -> !tile.tile<24xf32> {
  %0 = tile.reshape %t : !tile.tile<24xf32> to !tile.tile<6x4xf32>
  %1 = tile.reshape %0 : !tile.tile<6x4xf32> to !tile.tile<24xf32>
  return %1 : !tile.tile<24xf32>
}

// CHECK-LABEL: func.func @fill_by_constant
// CHECK-DAG:     arith.constant dense<1.500000e+00> : !tile.tile<4x3xf32>
// CHECK-DAG:     arith.constant dense<true> : !tile.tile<2xi1>
// CHECK-DAG:     arith.constant dense<7> : !tile.tile<index>
// CHECK-DAG:     arith.constant dense<2.000000e+00> : !tile.tile<3xf8E5M2, #tile.register>
// CHECK-NOT:     tile.fill
// CHECK:         return
func.func @fill_by_constant() -> (!tile.tile<4x3xf32>, !tile.tile<2xi1>, !tile.tile<index>, !tile.tile<3xf8E5M2, #tile.register>) {
  %a = arith.constant 1.5 : f32
  %b = arith.constant true
  %c = arith.constant 7 : index
  %d = arith.constant 2.0 : f8E5M2
  %0 = tile.fill %a : !tile.tile<4x3xf32>
  %1 = tile.fill %b : !tile.tile<2xi1>
  %2 = tile.fill %c : !tile.tile<index>
  %3 = tile.fill %d : !tile.tile<3xf8E5M2, #tile.register>
  return %0, %1, %2, %3 : !tile.tile<4x3xf32>, !tile.tile<2xi1>, !tile.tile<index>, !tile.tile<3xf8E5M2, #tile.register>
}

// CHECK-LABEL: func.func @convert_layout_to_same_type
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @convert_layout_to_same_type(%t: !tile.tile<4xf32, #tile.shared>) -> !tile.tile<4xf32, #tile.shared> {
  %0 = tile.convert_layout %t : !tile.tile<4xf32, #tile.shared> to !tile.tile<4xf32, #tile.shared>
  return %0 : !tile.tile<4xf32, #tile.shared>
}

// The storage between two conversions does not matter.
// CHECK-LABEL: func.func @convert_layout_chain
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    %[[RESULT:.*]] = tile.convert_layout %[[TILE]] : !tile.tile<4xf32> to !tile.tile<4xf32, #tile.register>
// CHECK-NEXT:    return %[[RESULT]]
func.func @convert_layout_chain(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32, #tile.register> {
  %0 = tile.convert_layout %t : !tile.tile<4xf32> to !tile.tile<4xf32, #tile.shared>
  %1 = tile.convert_layout %0 : !tile.tile<4xf32, #tile.shared> to !tile.tile<4xf32, #tile.register>
  return %1 : !tile.tile<4xf32, #tile.register>
}

// A constant is made in the registers that need it. Shared memory has no constants.
// CHECK-LABEL: func.func @convert_layout_of_constant
// CHECK-DAG:     %[[RESULT:.*]] = arith.constant dense<1.000000e+00> : !tile.tile<4xf32, #tile.register>
// CHECK-DAG:     %[[TILE:.*]] = arith.constant dense<1.000000e+00> : !tile.tile<4xf32>
// CHECK:         %[[SHARED:.*]] = tile.convert_layout %[[TILE]]
// CHECK-NEXT:    return %[[RESULT]], %[[SHARED]]
func.func @convert_layout_of_constant() -> (!tile.tile<4xf32, #tile.register>, !tile.tile<4xf32, #tile.shared>) {
  %cst = arith.constant dense<1.0> : !tile.tile<4xf32>
  %0 = tile.convert_layout %cst : !tile.tile<4xf32> to !tile.tile<4xf32, #tile.register>
  %1 = tile.convert_layout %cst : !tile.tile<4xf32> to !tile.tile<4xf32, #tile.shared>
  return %0, %1 : !tile.tile<4xf32, #tile.register>, !tile.tile<4xf32, #tile.shared>
}

// CHECK-LABEL: func.func @convert_layout_there_and_back
// CHECK-SAME:    %[[TILE:.*]]: !tile
// CHECK-NEXT:    return %[[TILE]]
func.func @convert_layout_there_and_back(%t: !tile.tile<4xf32>) -> !tile.tile<4xf32> {
  %0 = tile.convert_layout %t : !tile.tile<4xf32> to !tile.tile<4xf32, #tile.shared>
  %1 = tile.convert_layout %0 : !tile.tile<4xf32, #tile.shared> to !tile.tile<4xf32>
  return %1 : !tile.tile<4xf32>
}

// Upstream's folds work on tiles as they are.
// CHECK-LABEL: func.func @arith_of_constants
// CHECK-NEXT:    %[[SUM:.*]] = arith.constant dense<5> : !tile.tile<2x2xi32>
// CHECK-NEXT:    return %[[SUM]]
func.func @arith_of_constants() -> !tile.tile<2x2xi32> {
  %a = arith.constant dense<2> : !tile.tile<2x2xi32>
  %b = arith.constant dense<3> : !tile.tile<2x2xi32>
  %0 = arith.addi %a, %b : !tile.tile<2x2xi32>
  return %0 : !tile.tile<2x2xi32>
}

// A matmul without users is erased. An operation that reads buffers may be erased, too,
// but is not moved across writes.
// CHECK-LABEL: func.func @unused_operations
// CHECK-NEXT:    return
func.func @unused_operations(%t: !tile.tile<4x4xf32>, %a: memref<4x4xf32>, %i: index) {
  %0 = tile.matmul %t, %t, %t : !tile.tile<4x4xf32>, !tile.tile<4x4xf32> -> !tile.tile<4x4xf32>
  %1 = tile.load %a[%i, %i] : memref<4x4xf32> -> !tile.tile<4x4xf32>
  %2 = tile.iota axis 0 : !tile.tile<4xi32>
  %3 = tile.program_id x
  return
}

// Upstream's pattern for this would end the process on a tile.
// CHECK-LABEL: @subtract_own_minuend
func.func @subtract_own_minuend(%a: !tile.tile<3x5xi64>, %b: !tile.tile<3x5xi64>) -> !tile.tile<3x5xi64> {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0> : !tile.tile<3x5xi64>
  // CHECK: arith.subi %[[ZERO]], %arg1
  %0 = arith.subi %a, %b : !tile.tile<3x5xi64>
  %1 = arith.subi %0, %a : !tile.tile<3x5xi64>
  return %1 : !tile.tile<3x5xi64>
}
