// Channels: circular buffers, and the order of their fills and reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_CHANNELOPS
#define TILE_IR_GPU_CHANNELOPS

include "tile/IR/Gpu/TileGpuTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def TileGpu_ChannelGroup : OpDocGroup {
  let summary = "Channels";
  let description = [{
    A channel consists of buffers in shared memory with the same number of stages, which
    asynchronous copies fill together. Counters identify the fills:

    ```
    %a = memref.alloc() : memref<4x64xf16, #shared>
    %channel = tile_gpu.channel %a : memref<4x64xf16, #shared> -> !tile_gpu.channel<4>
    %n = tile_gpu.counter 0 : !tile_gpu.counter<4>
    %to = tile_gpu.stage %a[%n] : memref<4x64xf16, #shared>
    tile_gpu.acquire %channel[%n] : !tile_gpu.channel<4>     // the stage is empty
    tile_gpu.copy_async %array[%i] to %to : ...
    tile_gpu.commit %channel[%n] : !tile_gpu.channel<4>      // fill 0 is complete with
    ...                                                      // the copies before it
    tile_gpu.wait %channel[%n] : !tile_gpu.channel<4>
    ... read %to
    tile_gpu.release %channel[%n] : !tile_gpu.channel<4>     // the stage is empty again
    ```

    A circular buffer is a memref with one dimension more than its layout, the stages.
    `-tile-order-fills` adds acquires and releases, and `-tile-verify-channels` checks the
    order of all operations on fills. `-tile-count-groups` replaces commits and waits by
    those of `cp.async` groups, and `-convert-tile-to-nvgpu` replaces counters by indices
    of stages.
  }];
}

let opDocGroup = TileGpu_ChannelGroup in {

def TileGpu_ChannelOp : TileGpu_Op<"channel", [
    Tile_MadeBy<"kExpandPipeline">]> {
  let summary = "a channel of buffers that are filled together";
  let description = [{
    Creates a channel whose fills consist of one stage of each buffer. Its first fill is
    fill 0.

    Constraints:
    - (C1) there is at least one buffer.
    - (C2) each buffer has as many stages as the channel; if it has one, the buffer may
      lack the dimension for stages.

    Passes require that the buffers are allocations, which belong to no other channel, and
    that only drains and operations on fills use the channel.

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
  let arguments = (ins Variadic<Tile_SharedBuffer>:$buffers);
  let results = (outs TileGpu_ChannelType:$channel);
  let assemblyFormat = [{
    $buffers attr-dict `:` qualified(type($buffers)) `->` qualified(type($channel))
  }];
  let hasVerifier = 1;
}

def TileGpu_CounterOp : TileGpu_Op<"counter", [
    Pure, ConstantLike, Tile_MadeBy<"kExpandPipeline">]> {
  let summary = "a constant counter";
  let description = [{
    Returns the counter of fill `$value`.

    Constraints:
    - (C1) the value is not negative and less than 2^31.

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [
      IntNonNegative, IntMaxValue<2147483647>]>:$value);
  let results = (outs TileGpu_CounterType:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
}

def TileGpu_NextOp : TileGpu_Op<"next", [
    Pure, SameOperandsAndResultType, Tile_MadeBy<"kExpandPipeline">]> {
  let summary = "the counter of the next fill";
  let description = [{
    Returns the counter of the fill after that of `$source`.

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
  let arguments = (ins TileGpu_CounterType:$source);
  let results = (outs TileGpu_CounterType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let hasFolder = 1;
}

def TileGpu_StageOp : TileGpu_Op<"stage", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>,
    TypesMatchWith<"a counter of as many stages as the buffer has", "source", "counter",
                   "::tile_gpu::getCounterType($_self)">,
    TypesMatchWith<"a stage of the buffer", "source", "result",
                   "::tile_gpu::getStageType($_self)">,
    Tile_MadeBy<"kExpandPipeline">]> {
  let summary = "a stage of a circular buffer";
  let description = [{
    Returns the stage of `$source` in which fill `$counter` is: stage `$counter` modulo
    the number of stages.

    Constraints:
    - (C1) the buffer has a dimension for stages, whose extent is the number of stages of
      the counter. Passes require that it is an allocation.

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
  let arguments = (ins Tile_SharedBuffer:$source, TileGpu_CounterType:$counter);
  let results = (outs Tile_SharedBuffer:$result);
  let assemblyFormat = [{
    $source `[` $counter `]` attr-dict `:` qualified(type($source))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$counter), [{
    build($_builder, $_state, ::tile_gpu::getStageType(source.getType()), source, counter);
  }]>];
  let hasVerifier = 1;
}

/// An operation on the fill `$counter` of a channel.
class TileGpu_FillOp<string mnemonic> : TileGpu_Op<mnemonic, [
    MemoryEffects<[MemRead, MemWrite]>,
    TypesMatchWith<"a counter of as many stages as the channel has", "channel", "counter",
                   "::tile_gpu::getCounterType($_self)">,
    Tile_MadeBy<"kExpandPipeline">]> {
  let arguments = (ins TileGpu_ChannelType:$channel, TileGpu_CounterType:$counter);
  let assemblyFormat = [{
    $channel `[` $counter `]` attr-dict `:` qualified(type($channel))
  }];
}

def TileGpu_AcquireOp : TileGpu_FillOp<"acquire"> {
  let summary = "wait until the stage of a fill is empty";
  let description = [{
    Waits until the fill that was in the stage of fill `$counter` before, if there was
    one, has been released. The copies of fill `$counter` come after it.

    With `cp.async` all threads copy and read, and a barrier of `-tile-insert-barriers`
    orders the reads before the copies: the operation has no code of its own.

    Example: see test/Transforms/order-fills.mlir.
  }];
}

def TileGpu_ReleaseOp : TileGpu_Op<"release", [
    MemoryEffects<[MemRead, MemWrite]>,
    TypesMatchWith<"a counter of as many stages as the channel has", "channel", "counter",
                   "::tile_gpu::getCounterType($_self)">,
    Tile_MadeBy<"kExpandPipeline">]> {
  let summary = "end the reads of a fill";
  let description = [{
    States that the thread has read all that it reads of a fill: of fill `$counter` or, if
    `behind` is given, of that many fills before it. Nothing is released if the channel has
    no such fill. Asynchronous MMAs that read the fill are complete. With `cp.async` the
    operation has no code of its own.

    Constraints:
    - (C1) `behind` is not negative and less than the number of stages.

    Example: see test/Transforms/order-fills.mlir.
  }];
  let arguments = (ins TileGpu_ChannelType:$channel, TileGpu_CounterType:$counter,
      DefaultValuedAttr<I64Attr, "0">:$behind);
  let assemblyFormat = [{
    $channel `[` $counter `]` (`behind` $behind^)? attr-dict
    `:` qualified(type($channel))
  }];
  let hasVerifier = 1;
}

def TileGpu_CommitOp : TileGpu_FillOp<"commit"> {
  let summary = "end the copies of a fill";
  let description = [{
    States that all copies of fill `$counter` have been issued, to each buffer of the
    channel. Copies of other fills and of other channels are issued either before the
    previous commit or after this one.

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
}

def TileGpu_WaitOp : TileGpu_FillOp<"wait"> {
  let summary = "wait for the copies of a fill";
  let description = [{
    Waits until the copies of fill `$counter` that the thread has issued are complete for
    the thread. A barrier after it makes them visible to other threads.

    `-tile-count-groups` verifies that a path to the wait commits the fill.

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
}

def TileGpu_DrainOp : TileGpu_Op<"drain", [
    MemoryEffects<[MemRead, MemWrite]>, Tile_MadeBy<"kExpandPipeline">]> {
  let summary = "wait for all copies of a channel";
  let description = [{
    Waits until the copies of all fills of `$channel` that the thread has issued are
    complete for the thread. After it other buffers may use the bytes of the channel's. It
    does nothing if no copies were issued.

    Example: see test/Transforms/expand-pipeline.mlir.
  }];
  let arguments = (ins TileGpu_ChannelType:$channel);
  let assemblyFormat = "$channel attr-dict `:` qualified(type($channel))";
}

} // opDocGroup

#endif // TILE_IR_GPU_CHANNELOPS
