// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// Each word of each enumeration.
// CHECK: func.func private @axes() attributes {test = [#tile<axis x>, #tile<axis y>, #tile<axis z>]}
func.func private @axes() attributes {test = [#tile<axis x>, #tile<axis y>, #tile<axis z>]}
// CHECK: func.func private @kinds() attributes {test = [#tile<reduce_kind add>, #tile<reduce_kind mul>, #tile<reduce_kind min>, #tile<reduce_kind max>, #tile<reduce_kind umin>, #tile<reduce_kind umax>]}
func.func private @kinds() attributes {test = [#tile<reduce_kind add>, #tile<reduce_kind mul>, #tile<reduce_kind min>, #tile<reduce_kind max>, #tile<reduce_kind umin>, #tile<reduce_kind umax>]}
// CHECK: func.func private @precisions() attributes {test = [#tile<precision ieee>, #tile<precision tf32>, #tile<precision fast_accumulation>]}
func.func private @precisions() attributes {test = [#tile<precision ieee>, #tile<precision tf32>, #tile<precision fast_accumulation>]}
// CHECK: func.func private @more_kinds() attributes {test = [#tile<reduce_kind and>, #tile<reduce_kind or>, #tile<reduce_kind xor>]}
func.func private @more_kinds() attributes {test = [#tile<reduce_kind and>, #tile<reduce_kind or>, #tile<reduce_kind xor>]}
// CHECK: func.func private @distributions() attributes {test = [#tile<distribution bits>, #tile<distribution uniform>, #tile<distribution normal>]}
func.func private @distributions() attributes {test = [#tile<distribution bits>, #tile<distribution uniform>, #tile<distribution normal>]}
// CHECK: func.func private @atomic_kinds() attributes {test = [#tile<atomic_kind add>, #tile<atomic_kind min>, #tile<atomic_kind max>, #tile<atomic_kind umin>, #tile<atomic_kind umax>, #tile<atomic_kind and>, #tile<atomic_kind or>, #tile<atomic_kind xor>, #tile<atomic_kind exchange>, #tile<atomic_kind compare_exchange>]}
func.func private @atomic_kinds() attributes {test = [#tile<atomic_kind add>, #tile<atomic_kind min>, #tile<atomic_kind max>, #tile<atomic_kind umin>, #tile<atomic_kind umax>, #tile<atomic_kind and>, #tile<atomic_kind or>, #tile<atomic_kind xor>, #tile<atomic_kind exchange>, #tile<atomic_kind compare_exchange>]}
// CHECK: func.func private @atomic_orders() attributes {test = [#tile<atomic_order relaxed>, #tile<atomic_order acquire>, #tile<atomic_order release>, #tile<atomic_order acq_rel>]}
func.func private @atomic_orders() attributes {test = [#tile<atomic_order relaxed>, #tile<atomic_order acquire>, #tile<atomic_order release>, #tile<atomic_order acq_rel>]}
// CHECK: func.func private @atomic_scopes() attributes {test = [#tile<atomic_scope block>, #tile<atomic_scope gpu>, #tile<atomic_scope system>]}
func.func private @atomic_scopes() attributes {test = [#tile<atomic_scope block>, #tile<atomic_scope gpu>, #tile<atomic_scope system>]}
