// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @fence_c1() {
  // expected-error @below {{'tile.fence' op expected order 'acquire', 'release' or 'acq_rel', got 'relaxed'}}
  tile.fence relaxed
  return
}

// -----

func.func @fence_c1_generic() {
  // expected-error @below {{'tile.fence' op expected order 'acquire', 'release' or 'acq_rel', got 'relaxed'}}
  "tile.fence"() <{order = #tile<atomic_order relaxed>}> : () -> ()
  return
}

// -----

func.func @fence_scope_unknown() {
  // expected-error @below {{expected scope of an atomic access block, gpu or system, got 'cluster'}}
  tile.fence release scope cluster
  return
}

// -----

func.func @fence_order_unknown() {
  // expected-error @below {{custom op 'seq_cst' is unknown (tried 'func.seq_cst' as well)}}
  tile.fence seq_cst
  return
}
