// RUN: tile-opt %s -tile-order-fills | FileCheck %s
// RUN: tile-opt %s -tile-order-fills -tile-verify-channels -o /dev/null

#row = #tile.shared<(32):(1)>
!b = memref<32xf32, #row>
!b3 = memref<3x32xf32, #row>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
!n = !tile_gpu.counter<3>

#lhs = #tile.shared<(64,32):(32,1), swizzle = <2, 4, 3>, align = 512>
#rhs = #tile.shared<(32,64):(1,32), swizzle = <2, 4, 3>, align = 512>
#sum = #tile.register<((4,8),4,(2,2,8)):((2,64),1024,(1,512,8)), box = [64, 64]>
!lhs = memref<64x32xf16, #lhs>
!rhs4 = memref<4x32x64xf16, #rhs>
!rhs = memref<32x64xf16, strided<[64, 1], offset: ?>, #rhs>
!sum = !tile.tile<64x64xf32, #sum>
!n4 = !tile_gpu.counter<4>

// A single fill, of two buffers, is acquired before its first copy.
// CHECK-LABEL: @one_fill
// CHECK: %[[CHANNEL:.*]] = tile_gpu.channel
// CHECK-NEXT: tile_gpu.acquire %[[CHANNEL]][%[[N:.*]]] :
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: tile_gpu.commit %[[CHANNEL]][%[[N]]]
// CHECK-NOT: tile_gpu.acquire
// CHECK-NOT: tile_gpu.release
tile.kernel @one_fill(%x: memref<32xf32>) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %n = tile_gpu.counter 0 : !tile_gpu.counter<1>
  %a = memref.alloc() : !b
  %b = memref.alloc() : !b
  %channel = tile_gpu.channel %a, %b : !b, !b -> !tile_gpu.channel<1>
  tile_gpu.copy_async %x[%c0] to %a : memref<32xf32> to !b
  tile_gpu.copy_async %x[%c0] to %b : memref<32xf32> to !b
  tile_gpu.commit %channel[%n] : !tile_gpu.channel<1>
  tile_gpu.wait %channel[%n] : !tile_gpu.channel<1>
  %u = tile_gpu.load_shared %a : !b -> !t
  tile.return
}

// A loop releases the fill that it has read; copies of two channels take turns.
// CHECK-LABEL: @loop
// CHECK: scf.for {{.*}} iter_args(%[[PUT:.*]] = %{{.*}}, %[[GET:.*]] = %{{[^)]*}})
// CHECK: tile_gpu.acquire %[[A:.*]][%[[PUT]]]
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: tile_gpu.commit %[[A]]
// CHECK: tile_gpu.acquire %[[B:.*]][%[[PUT]]]
// CHECK-NEXT: tile_gpu.copy_async
// CHECK-NEXT: tile_gpu.commit %[[B]]
// CHECK: tile_gpu.release %[[A]][%[[GET]]] :
// CHECK-NEXT: tile_gpu.release %[[B]][%[[GET]]] :
// CHECK-NEXT: scf.yield
// CHECK-NOT: tile_gpu.release
tile.kernel @loop(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %a = memref.alloc() : !b3
  %b = memref.alloc() : !b3
  %ofA = tile_gpu.channel %a : !b3 -> !tile_gpu.channel<3>
  %ofB = tile_gpu.channel %b : !b3 -> !tile_gpu.channel<3>
  %firstA = tile_gpu.stage %a[%n0] : !b3
  %firstB = tile_gpu.stage %b[%n0] : !b3
  tile_gpu.copy_async %x[%c0] to %firstA : memref<?xf32> to !stage
  tile_gpu.commit %ofA[%n0] : !tile_gpu.channel<3>
  tile_gpu.copy_async %x[%c0] to %firstB : memref<?xf32> to !stage
  tile_gpu.commit %ofB[%n0] : !tile_gpu.channel<3>
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n1, %get = %n0) -> (!n, !n) {
    tile_gpu.wait %ofA[%get] : !tile_gpu.channel<3>
    tile_gpu.wait %ofB[%get] : !tile_gpu.channel<3>
    %toA = tile_gpu.stage %a[%put] : !b3
    tile_gpu.copy_async %x[%i] to %toA : memref<?xf32> to !stage
    tile_gpu.commit %ofA[%put] : !tile_gpu.channel<3>
    %toB = tile_gpu.stage %b[%put] : !b3
    tile_gpu.copy_async %x[%i] to %toB : memref<?xf32> to !stage
    tile_gpu.commit %ofB[%put] : !tile_gpu.channel<3>
    %fromA = tile_gpu.stage %a[%get] : !b3
    %fromB = tile_gpu.stage %b[%get] : !b3
    %u = tile_gpu.load_shared %fromA : !stage -> !t
    %v = tile_gpu.load_shared %fromB : !stage -> !t
    %nextPut = tile_gpu.next %put : !n
    %nextGet = tile_gpu.next %get : !n
    scf.yield %nextPut, %nextGet : !n, !n
  }
  tile_gpu.drain %ofA : !tile_gpu.channel<3>
  tile_gpu.drain %ofB : !tile_gpu.channel<3>
  tile.return
}

// The loop reads the fill of the next iteration to registers: the one that the iteration
// before has read is released.
// CHECK-LABEL: @read_ahead
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[NEXT:.*]] = %{{[^)]*}})
// CHECK: tile_gpu.release %{{.*}}[%[[NEXT]]] behind 1 :
// CHECK-NEXT: scf.yield
tile.kernel @read_ahead(%x: memref<?xf32>, %k: index) attributes {block = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n
  %n1 = tile_gpu.counter 1 : !n
  %n2 = tile_gpu.counter 2 : !n
  %a = memref.alloc() : !b3
  %channel = tile_gpu.channel %a : !b3 -> !tile_gpu.channel<3>
  %first = tile_gpu.stage %a[%n0] : !b3
  tile_gpu.copy_async %x[%c0] to %first : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<3>
  %second = tile_gpu.stage %a[%n1] : !b3
  tile_gpu.copy_async %x[%c0] to %second : memref<?xf32> to !stage
  tile_gpu.commit %channel[%n1] : !tile_gpu.channel<3>
  tile_gpu.wait %channel[%n0] : !tile_gpu.channel<3>
  %t = tile_gpu.load_shared %first : !stage -> !t
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%put = %n2, %next = %n1) -> (!n, !n) {
    tile_gpu.wait %channel[%next] : !tile_gpu.channel<3>
    %to = tile_gpu.stage %a[%put] : !b3
    tile_gpu.copy_async %x[%i] to %to : memref<?xf32> to !stage
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<3>
    %from = tile_gpu.stage %a[%next] : !b3
    %u = tile_gpu.load_shared %from : !stage -> !t
    %nextPut = tile_gpu.next %put : !n
    %nextNext = tile_gpu.next %next : !n
    scf.yield %nextPut, %nextNext : !n, !n
  }
  tile_gpu.drain %channel : !tile_gpu.channel<3>
  tile.return
}

// An MMA in flight still reads its fill at the end of the iteration.
// CHECK-LABEL: @in_flight
// CHECK: scf.for {{.*}} %[[GET:[a-z0-9]*]] = %{{[^,]*}}, %{{[^,]*}} = %{{[^)]*}})
// CHECK: tile_gpu.mma_wait %{{.*}} in_flight 1
// CHECK-NEXT: tile_gpu.release %{{.*}}[%[[GET]]] behind 1 :
// CHECK-NEXT: scf.yield
tile.kernel @in_flight(%x: memref<?x?xf16>, %v: f32, %k: index) attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tile_gpu.counter 0 : !n4
  %n1 = tile_gpu.counter 1 : !n4
  %n2 = tile_gpu.counter 2 : !n4
  %a = memref.alloc() : !lhs
  %b = memref.alloc() : !rhs4
  %channel = tile_gpu.channel %b : !rhs4 -> !tile_gpu.channel<4>
  %c = tile.fill %v : !sum
  %none = tile_gpu.mma_none
  %first = tile_gpu.stage %b[%n0] : !rhs4
  tile_gpu.copy_async %x[%c0, %c0] to %first : memref<?x?xf16> to !rhs
  tile_gpu.commit %channel[%n0] : !tile_gpu.channel<4>
  %second = tile_gpu.stage %b[%n1] : !rhs4
  tile_gpu.copy_async %x[%c0, %c0] to %second : memref<?x?xf16> to !rhs
  tile_gpu.commit %channel[%n1] : !tile_gpu.channel<4>
  %r:4 = scf.for %i = %c0 to %k step %c1
      iter_args(%acc = %c, %put = %n2, %get = %n0, %before = %none)
      -> (!sum, !n4, !n4, !tile.mma_token) {
    tile_gpu.wait %channel[%get] : !tile_gpu.channel<4>
    %from = tile_gpu.stage %b[%get] : !rhs4
    %d, %token = tile_gpu.mma_async %a, %from, %acc
        tiling <warps = [4, 1], sub = [1, 8], atom = "m64nNk16"> : !lhs, !rhs -> !sum
    %to = tile_gpu.stage %b[%put] : !rhs4
    tile_gpu.copy_async %x[%i, %c0] to %to : memref<?x?xf16> to !rhs
    tile_gpu.commit %channel[%put] : !tile_gpu.channel<4>
    %nextPut = tile_gpu.next %put : !n4
    %nextGet = tile_gpu.next %get : !n4
    tile_gpu.mma_wait %before in_flight 1
    scf.yield %d, %nextPut, %nextGet, %token : !sum, !n4, !n4, !tile.mma_token
  }
  %sum = tile_gpu.mma_wait %r#3 in_flight 0 of %r#0 : !sum
  tile_gpu.drain %channel : !tile_gpu.channel<4>
  tile.return
}
