// RUN: tile-opt %s -convert-nvvm-to-emulator -split-input-file | FileCheck %s

// A kernel gets its parameters by pointers; each access is announced with its
// site, in the pieces that NVPTX emits. The host's access needs no alignment.
// CHECK: tile.sites = ["ld.global.b128 at {{.*}}memory.mlir:[[#@LINE+14]]:8", "st.shared.b32 at
// CHECK-LABEL: llvm.func @_tile_program_load_store(
// CHECK-SAME: %[[THREAD:[a-z0-9]+]]: !llvm.ptr, %[[PARAMS:[a-z0-9]+]]: !llvm.ptr) {
// CHECK: %[[P0:[a-z0-9]+]] = llvm.load %[[PARAMS]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[A:[a-z0-9]+]] = llvm.load %[[P0]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[PLACE:[a-z0-9]+]] = llvm.getelementptr %[[PARAMS]][8]
// CHECK: %[[P1:[a-z0-9]+]] = llvm.load %[[PLACE]]
// CHECK: llvm.load %[[P1]] : !llvm.ptr -> i64
llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
llvm.func @load_store(%a: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.readonly}, %n: i64)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  // CHECK: %[[SITE:[a-z0-9]+]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.call @tile_emulator_access(%[[THREAD]], %[[SITE]], %[[A]])
  // CHECK: %[[V:[a-z0-9]+]] = llvm.load %[[A]] {alignment = 1 : i64} : !llvm.ptr -> vector<4xf32>
  %v = llvm.load %a {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %zero = llvm.mlir.constant(0 : i64) : i64
  %x = llvm.extractelement %v[%zero : i64] : vector<4xf32>
  // CHECK: %[[BASE:[a-z0-9]+]] = llvm.call @tile_emulator_shared_base(%[[THREAD]])
  // CHECK: %[[WIDE:[a-z0-9]+]] = llvm.zext %[[BASE]] : i32 to i64
  // CHECK: %[[S:[a-z0-9]+]] = llvm.inttoptr %[[WIDE]] : i64 to !llvm.ptr
  %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
  // CHECK: llvm.call @tile_emulator_access(%[[THREAD]], %{{.*}}, %[[S]])
  // CHECK: llvm.store %{{.*}}, %[[S]] {alignment = 1 : i64} : f32, !llvm.ptr
  llvm.store %x, %s : f32, !llvm.ptr<3>
  llvm.return
}
// Calls of the emulator are neither merged nor duplicated, except for queries without
// effects.
// CHECK: llvm.func @tile_emulator_access(!llvm.ptr, i32, !llvm.ptr) attributes {convergent, no_unwind, passthrough = ["nomerge", "noduplicate"]}
// CHECK: llvm.func @tile_emulator_shared_base(!llvm.ptr) -> i32 attributes {memory_effects = #llvm.memory_effects<other = none,
// CHECK-NOT: llvm.mlir.global

// -----

// Vectors of lower alignment, and structs, are accessed in smaller pieces.
// CHECK: tile.sites = ["ld.global.b32 at {{[^"]*}}", "ld.global.b32 at {{[^"]*}}", "st.global.b64 at {{[^"]*}}", "st.global.b64 at
// CHECK-LABEL: llvm.func @_tile_program_pieces(
llvm.func @pieces(%a: !llvm.ptr<1>, %c: !llvm.ptr<1>) attributes {nvvm.kernel} {
  // CHECK: llvm.call @tile_emulator_access(%{{.*}}, %{{.*}}, %[[A:[a-z0-9]+]])
  // CHECK: %[[SECOND:[a-z0-9]+]] = llvm.getelementptr %[[A]][4]
  // CHECK: llvm.call @tile_emulator_access(%{{.*}}, %{{.*}}, %[[SECOND]])
  %v = llvm.load %a {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf32>
  %z = llvm.mlir.zero : !llvm.struct<(f64, f64)>
  llvm.store %z, %c : !llvm.struct<(f64, f64)>, !llvm.ptr<1>
  llvm.return
}

// -----

// A masked store is a branch around each element.
// CHECK-LABEL: llvm.func @_tile_program_masked(
llvm.func @masked(%a: !llvm.ptr<1>, %mask: vector<2xi1>, %v: vector<2xf32>) attributes {nvvm.kernel} {
  // CHECK: %[[M0:[a-z0-9]+]] = llvm.extractelement %{{.*}}[%{{.*}} : i32] : vector<2xi1>
  // CHECK: llvm.cond_br %[[M0]], ^[[IN0:[a-z0-9]+]], ^[[OUT0:[a-z0-9]+]]
  // CHECK: ^[[IN0]]:
  // CHECK: llvm.call @tile_emulator_access
  // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr
  // CHECK: ^[[OUT0]]:
  // CHECK: llvm.cond_br
  // CHECK: llvm.call @tile_emulator_access
  // CHECK-NOT: masked.store
  llvm.intr.masked.store %v, %a, %mask {alignment = 4 : i32} : vector<2xf32>, vector<2xi1> into !llvm.ptr<1>
  llvm.return
}

// -----

// An atomic is announced before and after it; on the host it is atomic too.
// CHECK-LABEL: llvm.func @_tile_program_atomic(
llvm.func @atomic(%a: !llvm.ptr<1>, %v: f32) attributes {nvvm.kernel} {
  // CHECK: llvm.call @tile_emulator_access(%[[T:[a-z0-9]+]], %[[S:[a-z0-9]+]], %[[A:[a-z0-9]+]])
  // CHECK: llvm.atomicrmw fadd %[[A]], %{{.*}} acq_rel : !llvm.ptr, f32
  // CHECK: llvm.call @tile_emulator_access_done(%[[T]], %[[S]], %[[A]])
  %old = llvm.atomicrmw fadd %a, %v syncscope("device") acq_rel : !llvm.ptr<1>, f32
  // CHECK: llvm.call @tile_emulator_fence
  // CHECK-NOT: llvm.fence
  llvm.fence syncscope("block") release
  llvm.return
}

// -----

// Accesses to a thread's own memory are not announced; of a copy from it, only the write is.
// CHECK: tile.sites = ["st.global at
// CHECK-LABEL: llvm.func @_tile_program_private(
llvm.func @private(%a: !llvm.ptr<1>, %n: i64, %v: f32) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %mine = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr
  %second = llvm.getelementptr %mine[1] : (!llvm.ptr) -> !llvm.ptr, f32
  // CHECK-NOT: tile_emulator_access(
  llvm.store %v, %second : f32, !llvm.ptr
  // CHECK: llvm.call @tile_emulator_access_range(
  // CHECK: "llvm.intr.memcpy"
  "llvm.intr.memcpy"(%a, %mine, %n) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr, i64) -> ()
  llvm.return
}

// -----

// If all uses of a load are selects, its announcement has a flag: whether a select takes the value.
// Without a flag: a select with the value as both operands, or a condition computed after the load.
// CHECK-LABEL: llvm.func @_tile_program_dropped(
llvm.func @dropped(%a: !llvm.ptr<1>, %c: i1, %d: i1, %v: f32) attributes {nvvm.kernel} {
  // CHECK: %[[C:[a-z0-9]+]] = llvm.load %{{.*}} : !llvm.ptr -> i1
  // CHECK: %[[D:[a-z0-9]+]] = llvm.load %{{.*}} : !llvm.ptr -> i1
  // CHECK: %[[IS:[a-z0-9]+]] = llvm.zext %[[C]] : i1 to i32
  // CHECK: llvm.call @tile_emulator_access_if_used(%{{.*}}, %{{.*}}, %{{.*}}, %[[IS]])
  // CHECK-NEXT: llvm.load
  %0 = llvm.load %a : !llvm.ptr<1> -> f32
  %1 = llvm.select %c, %0, %v : i1, f32
  // CHECK: %[[TRUE:[a-z0-9]+]] = llvm.mlir.constant(true)
  // CHECK: %[[NOT:[a-z0-9]+]] = llvm.xor %[[D]], %[[TRUE]]
  // CHECK: %[[EITHER:[a-z0-9]+]] = llvm.or %{{.*}}, %{{.*}} : i1
  // CHECK: llvm.call @tile_emulator_access_if_used(
  %2 = llvm.load %a : !llvm.ptr<1> -> f32
  %3 = llvm.select %c, %2, %v : i1, f32
  %4 = llvm.select %d, %v, %2 : i1, f32
  // CHECK: llvm.call @tile_emulator_access(
  %5 = llvm.load %a : !llvm.ptr<1> -> f32
  %6 = llvm.select %c, %5, %5 : i1, f32
  // CHECK: llvm.call @tile_emulator_access(
  %7 = llvm.load %a : !llvm.ptr<1> -> f32
  %late = llvm.fcmp "oeq" %7, %v : f32
  %8 = llvm.select %late, %7, %v : i1, f32
  // An atomic load may synchronize even if its value is dropped, so it has no flag.
  // CHECK: llvm.call @tile_emulator_access(
  %9 = llvm.load %a atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  %10 = llvm.select %c, %9, %v : i1, f32
  llvm.return
}

// -----

// Stores of one scatter have its id, whichever elements they store; the loop
// around them reports where the next execution starts.
#one = loc("scatter.mlir":1:1)
// CHECK-LABEL: llvm.func @_tile_program_scatter(
llvm.func @scatter(%a: !llvm.ptr<1>, %n: i32, %c: i1, %v: f32) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %step = llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.br ^[[HEADER:bb[0-9]+]]
  llvm.br ^header(%zero : i32)
// CHECK: ^[[HEADER]](
// CHECK-NEXT: %[[NUMBER:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT: llvm.call @tile_emulator_scatter_iteration(%{{.*}}, %[[NUMBER]])
// CHECK-NOT: scatter_iteration
^header(%i: i32):
  %more = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %more, ^body, ^end
^body:
  llvm.cond_br %c, ^store, ^latch
^store:
  llvm.store %v, %a : f32, !llvm.ptr<1> loc(fused<distinct[0]<"tile.scatter">>[#one])
  llvm.store %v, %a : f32, !llvm.ptr<1> loc(fused<distinct[0]<"tile.scatter">>[#one])
  llvm.br ^latch
^latch:
  %next = llvm.add %i, %step : i32
  llvm.br ^header(%next : i32)
^end:
  llvm.store %v, %a : f32, !llvm.ptr<1> loc(fused<distinct[1]<"tile.scatter">>[#one])
  llvm.store %v, %a : f32, !llvm.ptr<1>
  // CHECK: llvm.return
  llvm.return
}
