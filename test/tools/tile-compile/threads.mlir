// A block of 40 threads is launched as two warps. All descriptions of a launch
// contain both counts; only one if the threads fill their warps.
//
// RUN: tile-compile %s -o - --emit=ptx --arch=sm_80 --kernel=part | FileCheck %s --check-prefix=PTX
// RUN: tile-compile %s -o - --emit=metadata --arch=sm_80 | FileCheck %s --check-prefix=METADATA
// RUN: tile-compile %s -o - --emit=header --arch=sm_80 | FileCheck %s --check-prefix=HEADER
// RUN: tile-compile %s -o - --emit=report --arch=sm_80 | FileCheck %s --check-prefix=REPORT
// RUN: tile-compile %s -o - --emit=report --arch=sm_80 --json | FileCheck %s --check-prefix=JSON
// REQUIRES: nvptx, ptxas

// PTX: .entry part(
// PTX: .reqntid 64, 1, 1
// PTX: mov.u32 [[THREAD:%r[0-9]+]], %tid.x;
// PTX: setp.gt.u32 [[IDLE:%p[0-9]+]], [[THREAD]], 39;
// PTX: @[[IDLE]] bra
// PTX: st.global
// PTX: ret;

// METADATA: "name": "part"
// METADATA: "block": [64, 1, 1],
// METADATA-NEXT: "threads": 40,
// METADATA-NEXT: "cluster"
// METADATA: "name": "whole"
// METADATA: "block": [64, 1, 1],
// METADATA-NEXT: "cluster"

// HEADER: part_block_x = 64,
// HEADER: part_threads = 40,
// HEADER: tile_block[0] = 64;
// HEADER-NOT: whole_threads

// REPORT: kernel part at
// REPORT-NEXT: block: 64 threads, the program's are 40{{$}}
// REPORT: kernel whole at
// REPORT-NEXT: block: 64 threads{{$}}

// JSON: "block": 64
// JSON: "symbol": "part"
// JSON: "threads": 40
// JSON: "symbol": "whole"
// JSON-NOT: "threads"

tile.kernel @part(%y: memref<64xindex>) attributes {block = 40 : i64} {
  tile.per_thread {
  ^bb0(%thread: index):
    memref.store %thread, %y[%thread] : memref<64xindex>
    tile.yield
  }
  tile.return
}

tile.kernel @whole(%y: memref<64xindex>) attributes {block = 64 : i64} {
  tile.per_thread {
  ^bb0(%thread: index):
    memref.store %thread, %y[%thread] : memref<64xindex>
    tile.yield
  }
  tile.return
}
