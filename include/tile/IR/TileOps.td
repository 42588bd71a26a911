// All operations of the tile dialect, by chapter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEOPS
#define TILE_IR_TILEOPS

include "tile/IR/InstructionAttrs.td"
include "tile/IR/StructureOps.td"
include "tile/IR/ConstructionOps.td"
include "tile/IR/MemoryOps.td"
include "tile/IR/ShapeOps.td"
include "tile/IR/ComputeOps.td"
include "tile/IR/LinearAlgebraOps.td"
include "tile/IR/FourierOps.td"
include "tile/IR/ThreadOps.td"
include "tile/IR/DebugOps.td"
include "tile/IR/HostOps.td"
include "tile/IR/GroupOps.td"
include "tile/IR/StorageOps.td"

#endif // TILE_IR_TILEOPS
