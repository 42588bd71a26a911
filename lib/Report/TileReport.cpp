// TileReport.cpp - decisions of the phases about tiles and matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons are those that phases recorded in the kernel. The layout of a
// tile is that of a value at the same line of the program after phase 8,
// preferably a result of the same operation.

#include "TileReport.h"

#include "ReportLocation.h"

#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/Tiling.h"
#include "tile/IR/Decisions.h"

using namespace mlir;
using namespace tile;

template <typename T>
static std::string print(const T &printable) {
  std::string text;
  llvm::raw_string_ostream(text) << printable;
  return text;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static std::string getString(DictionaryAttr record, StringRef name) {
  auto string = record.getAs<StringAttr>(name);
  return string ? string.str() : "";
}

static int64_t getInteger(DictionaryAttr record, StringRef name) {
  auto integer = record.getAs<IntegerAttr>(name);
  return integer && integer.getValue().isSignedIntN(64)
             ? integer.getValue().getSExtValue()
             : -1;
}

static Place getRecordLocation(DictionaryAttr record) {
  std::string file = getString(record, "file");
  return {file, file.empty() ? 0 : getInteger(record, "line")};
}

std::vector<DecisionReport> tile::reportDecisions(KernelOp kernel) {
  std::vector<DecisionReport> decisions;
  for (DictionaryAttr record : getDecisions(kernel))
    decisions.push_back(
        {getRecordLocation(record), getString(record, "operation"),
         getString(record, "about"), getString(record, "chosen"),
         getString(record, "reason"), getInteger(record, "bytes")});
  return decisions;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// Layouts of a kernel's tiles after phase 8.
class TileLayouts {
public:
  explicit TileLayouts(KernelOp kernel) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value result : op->getResults())
        add(result, op->getName().getStringRef());
      for (Region &region : op->getRegions())
        for (Value argument : region.getArguments())
          add(argument, "");
    });
  }

  /// Returns the layout; empty if there is none.
  std::string find(const Place &location, StringRef operation,
                   StringRef storage, TileType type) const {
    for (StringRef name : {operation, kAny}) {
      auto found =
          layouts.find({location, name.str(), storage.str(), getKey(type)});
      if (found != layouts.end())
        return found->second;
    }
    return "";
  }

private:
  using Key = std::tuple<Place, std::string, std::string, std::string>;
  static constexpr StringRef kAny = "*";

  static std::string getKey(TileType type) {
    return print(type.withStorage(Attribute()));
  }

  void add(Value value, StringRef operation) {
    Place location = getReportLocation(value.getLoc());
    if (auto tile = dyn_cast<TileType>(value.getType()))
      if (RegisterAttr registers = tile.getRegister())
        add(location, operation, "register", tile, print(registers));
    auto buffer = dyn_cast<MemRefType>(value.getType());
    if (!buffer || !value.getDefiningOp<memref::AllocOp>())
      return;
    auto shared = dyn_cast_or_null<SharedAttr>(buffer.getMemorySpace());
    if (!shared || !shared.isResolved())
      return;
    // Stages of a circular buffer precede the dimensions of the tile.
    auto shape = buffer.getShape().take_back(shared.getBox().size());
    add(location, operation, "shared",
        TileType::get(buffer.getContext(), shape, buffer.getElementType(),
                      Attribute()),
        print(shared));
  }

  void add(const Place &location, StringRef operation, StringRef storage,
           TileType type, const std::string &layout) {
    for (StringRef name : {operation, kAny})
      layouts.try_emplace({location, name.str(), storage.str(), getKey(type)},
                          layout);
  }

  std::map<Key, std::string> layouts;
};
} // namespace

std::vector<TileReport> tile::reportTiles(KernelOp kernel) {
  std::vector<TileReport> tiles;
  auto records = kernel->getAttrOfType<ArrayAttr>(kStorageAttr);
  if (!records)
    return tiles;
  TileLayouts layouts(kernel);
  for (auto record : records.getAsRange<DictionaryAttr>()) {
    Type type = record.getAs<TypeAttr>("type").getValue();
    TileReport tile{getRecordLocation(record),
                    getString(record, "operation"),
                    print(type),
                    getString(record, "storage"),
                    getString(record, "reason"),
                    ""};
    if (auto ofTile = dyn_cast<TileType>(type)) {
      tile.layout =
          layouts.find(tile.place, tile.operation, tile.storage, ofTile);
      tile.elementBytes = getElementBytes(ofTile.getElementType());
    }
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

/// Returns the decision about `about` at a line of the program; null if there
/// is none.
static const DecisionReport *findDecision(ArrayRef<DecisionReport> decisions,
                                          StringRef about,
                                          const Place &location) {
  for (const DecisionReport &decision : decisions)
    if (decision.about == about && decision.place == location)
      return &decision;
  return nullptr;
}

std::vector<MatmulReport>
tile::reportMatmuls(KernelOp kernel, ArrayRef<DecisionReport> decisions) {
  std::vector<MatmulReport> matmuls;
  kernel.walk([&](MatmulOpInterface op) {
    MatmulReport matmul;
    matmul.place = getReportLocation(op->getLoc());
    matmul.instruction = getInstructionName(op.getTilingAttr().getAtom());
    Tiling tiling = getTiling(op);
    for (int axis : {0, 1, kBatchAxis}) {
      matmul.warps[axis] = tiling.warps[axis];
      matmul.warpTile[axis] = tiling.extent(axis) / tiling.warps[axis];
    }
    ArrayRef<int64_t> sums = op.getSumType().getShape().take_back(2);
    matmul.extents = {sums[0], sums[1], op.getK()};
    if (auto *choice = findDecision(decisions, "instruction", matmul.place))
      matmul.reason = choice->reason;
    int64_t stages;
    auto *choice = findDecision(decisions, "stages", matmul.place);
    if (choice && !StringRef(choice->chosen).getAsInteger(10, stages))
      matmul.stages = stages;
    matmuls.push_back(std::move(matmul));
  });
  return matmuls;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Sets the lifetime of each buffer from the records of the allocator. A record
/// belongs to the first buffer with the record's line and offset that has no
/// lifetime yet.
static void setLives(KernelOp kernel, std::vector<BufferReport> &buffers) {
  for (DictionaryAttr record : getDecisions(kernel)) {
    if (getString(record, "about") != "buffer")
      continue;
    Place location = getRecordLocation(record);
    auto buffer = llvm::find_if(buffers, [&](const BufferReport &buffer) {
      return buffer.first < 0 && buffer.place == location &&
             buffer.offset == getInteger(record, "offset");
    });
    if (buffer == buffers.end())
      continue;
    buffer->first = getInteger(record, "first");
    buffer->last = getInteger(record, "last");
  }
}

std::vector<BufferReport> tile::reportBuffers(KernelOp kernel) {
  std::vector<BufferReport> buffers;
  kernel.walk([&](memref::AllocOp allocation) {
    MemRefType type = allocation.getType();
    if (!isSharedBuffer(type))
      return;
    BufferReport buffer;
    buffer.place = getReportLocation(allocation.getLoc());
    buffer.type = print(type);
    buffer.layout = print(type.getMemorySpace());
    if (auto offset = allocation->getAttrOfType<IntegerAttr>(kSharedOffsetAttr))
      buffer.offset = offset.getInt();
    buffer.bytes = getAllocationBytes(allocation);
    buffers.push_back(std::move(buffer));
  });
  setLives(kernel, buffers);
  llvm::stable_sort(buffers, [](const BufferReport &a, const BufferReport &b) {
    return a.offset < b.offset;
  });
  return buffers;
}
