// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// An integer layout is not put into parentheses.
// CHECK: func.func private @one_mode() attributes {test = #tile.layout<8:1>}
func.func private @one_mode() attributes {test = #tile.layout<8:1>}

// Elements of a column are contiguous.
// CHECK: func.func private @two_modes() attributes {test = #tile.layout<(4,8):(1,4)>}
func.func private @two_modes() attributes {test = #tile.layout<(4,8):(1,4)>}

// A column is inside a block of columns.
// CHECK: func.func private @nested() attributes {test = #tile.layout<(2,(4,8)):(1,(2,16))>}
func.func private @nested() attributes {test = #tile.layout<(2,(4,8)):(1,(2,16))>}

// A mode of stride 0 repeats elements.
// CHECK: func.func private @broadcast() attributes {test = #tile.layout<(4,8):(0,1)>}
func.func private @broadcast() attributes {test = #tile.layout<(4,8):(0,1)>}

// A negative stride reverses elements.
// CHECK: func.func private @negative_stride() attributes {test = #tile.layout<8:-1>}
func.func private @negative_stride() attributes {test = #tile.layout<8:-1>}

// A tuple of one is not its element.
// CHECK: func.func private @one_mode_in_parentheses() attributes {test = #tile.layout<(8):(1)>}
func.func private @one_mode_in_parentheses() attributes {test = #tile.layout<(8):(1)>}

// The unit of concatenation.
// CHECK: func.func private @unit() attributes {test = #tile.layout<1:0>}
func.func private @unit() attributes {test = #tile.layout<1:0>}

// Blanks are not kept.
// CHECK: func.func private @blanks() attributes {test = #tile.layout<(4,8):(1,4)>}
func.func private @blanks() attributes {test = #tile.layout<(4 , 8) : ( 1 , 4 )>}

// Integers are written as MLIR writes them.
// CHECK: func.func private @hexadecimal() attributes {test = #tile.layout<16:1>}
func.func private @hexadecimal() attributes {test = #tile.layout<0x10:1>}

// The greatest stride of one element.
// CHECK: func.func private @greatest_stride() attributes {test = #tile.layout<1:9223372036854775807>}
func.func private @greatest_stride() attributes {test = #tile.layout<1:9223372036854775807>}

// The least stride of one element.
// CHECK: func.func private @least_stride() attributes {test = #tile.layout<1:-9223372036854775808>}
func.func private @least_stride() attributes {test = #tile.layout<1:-9223372036854775808>}

// A layout may be nested as deeply as the parser permits.
// CHECK: func.func private @deepest() attributes {test = #tile.layout<((((((((((((((((((((((((((((((((4)))))))))))))))))))))))))))))))):((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))>}
func.func private @deepest() attributes {test = #tile.layout<((((((((((((((((((((((((((((((((4)))))))))))))))))))))))))))))))):((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))>}
