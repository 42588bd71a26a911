// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// The attributes have each kind and each guard.
// CHECK: func.func private @kinds() attributes {test = [#tile.access<vector = 1, kind = elements, guard = none>, #tile.access<vector = 16, kind = vector, guard = box>, #tile.access<vector = 1, kind = copy_async, guard = element>, #tile.access<vector = 8, kind = matrix, guard = none>, #tile.access<vector = 8, kind = matrix_transposed, guard = none>, #tile.access<vector = 8, kind = copy_async, guard = box, cached = true>]}
func.func private @kinds() attributes {test = [#tile.access<vector = 1, kind = elements, guard = none>, #tile.access<vector = 16, kind = vector, guard = box>, #tile.access<vector = 1, kind = copy_async, guard = element>, #tile.access<vector = 8, kind = matrix, guard = none>, #tile.access<vector = 8, kind = matrix_transposed, guard = none>, #tile.access<vector = 8, kind = copy_async, guard = box, cached = true>]}
