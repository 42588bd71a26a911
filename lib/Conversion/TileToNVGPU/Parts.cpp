// Parts.cpp - views, joins and inserts within the values of each thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers view, join and insert if the layouts agree (PartLayouts.cpp). A
// coordinate is the sum of an offset of the thread and an offset of the value.
// The thread's offset is less than the distance between the starts of two parts
// of the tile, so the value's offset determines in which part an element is.

#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/IR/ConvertLayout.h"

#include <map>

using namespace mlir;
using namespace tile;

namespace {
/// A thread's elements of a tile, by the offset of their value: the value's
/// part of the coordinates.
class Elements {
public:
  Elements(OpBuilder &builder, Location loc, Value tile, ValueRange packs) {
    auto type = cast<TileType>(tile.getType());
    SmallVector<Value> elements = unpack(builder, loc, type, packs);
    RegisterLayout layout = type.getRegister().getRegisterLayout();
    for (auto [value, element] : llvm::enumerate(elements))
      at.try_emplace(layout.valueOffset(value), element);
  }
  /// Returns the element at the offset `coordinates`, or null if there is none.
  Value lookup(const std::vector<int64_t> &coordinates) const {
    auto found = at.find(coordinates);
    return found == at.end() ? Value() : found->second;
  }

private:
  std::map<std::vector<int64_t>, Value> at;
};
} // namespace

static std::vector<int64_t> subtract(std::vector<int64_t> coordinates,
                                     ArrayRef<int64_t> offsets) {
  for (auto [index, offset] : llvm::zip_equal(coordinates, offsets))
    index -= offset;
  return coordinates;
}

/// Replaces an operation by a tile. `find` returns the element at a value's
/// offset, or null for padding.
static void
replaceByElements(Operation *op, ConversionPatternRewriter &rewriter,
                  function_ref<Value(const std::vector<int64_t> &)> find) {
  auto type = cast<TileType>(op->getResult(0).getType());
  RegisterLayout layout = type.getRegister().getRegisterLayout();
  SmallVector<Value> elements;
  for (int64_t value = 0; value < layout.getNumValues(); ++value) {
    Value element = find(layout.valueOffset(value));
    elements.push_back(
        element ? element
                : createZero(rewriter, op->getLoc(), type.getElementType()));
  }
  replaceWithPacks(rewriter, op,
                   {pack(rewriter, op->getLoc(), type, elements)});
}

/// Verifies that a tile has the layout `expected`, which follows from the
/// layout of another tile.
static LogicalResult
verifyLayout(Operation *op, Value tile,
             const std::optional<RegisterLayout> &expected) {
  auto type = dyn_cast<TileType>(tile.getType());
  if (!type || !type.getRegister() || !type.getRegister().isResolved())
    return op->emitError("expected a tile in registers with a layout, got ")
           << tile.getType();
  if (expected &&
      type.getRegister().getRegisterLayout().isEquivalent(*expected))
    return success();
  if (!expected)
    return op->emitError("expected a part that has the same value indices in "
                         "every thread, got ")
           << type;
  return op->emitError("expected the layout ")
         << RegisterAttr::get(op->getContext(), *expected)
         << ", in which each part has the same value indices in every thread, "
            "got "
         << type;
}

namespace {
struct ConvertView : OpConversionPattern<ViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ViewOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = op.getSource();
    if (failed(verifyLayout(op, op.getResult(),
                            op.inferResultLayout(getRegisterLayout(source)))))
      return failure();
    Elements elements(rewriter, op.getLoc(), source, adaptor.getSource());
    SmallVector<int64_t> offsets = *op.getConstantOffsets();
    for (int64_t &offset : offsets)
      offset = -offset;
    replaceByElements(op, rewriter,
                      [&](const std::vector<int64_t> &coordinates) {
                        return elements.lookup(subtract(coordinates, offsets));
                      });
    return success();
  }
};

struct ConvertJoin : OpConversionPattern<JoinOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(JoinOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyLayout(
            op, op.getResult(),
            op.inferResultLayout(getRegisterLayout(op.getParts().front())))))
      return failure();
    SmallVector<Elements> parts;
    for (auto [i, part] : llvm::enumerate(op.getParts())) {
      if (failed(verifyLayout(
              op, part,
              op.getPartLayout(getRegisterLayout(op.getResult()), i))))
        return failure();
      parts.emplace_back(rewriter, op.getLoc(), part, adaptor.getParts()[i]);
    }
    SmallVector<int64_t> begins = op.getBegins();
    replaceByElements(op, rewriter, [&](std::vector<int64_t> coordinates) {
      int64_t &index = coordinates[op.getAxis()];
      size_t part = 0;
      while (part + 1 < parts.size() && begins[part + 1] <= index)
        ++part;
      index -= begins[part];
      return parts[part].lookup(coordinates);
    });
    return success();
  }
};

struct ConvertInsert : OpConversionPattern<InsertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(InsertOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value dest = op.getDest();
    if (failed(verifyLayout(op, op.getResult(), getRegisterLayout(dest))) ||
        failed(verifyLayout(op, op.getPart(),
                            op.inferPartLayout(getRegisterLayout(dest)))))
      return failure();
    Elements kept(rewriter, op.getLoc(), dest, adaptor.getDest());
    Elements part(rewriter, op.getLoc(), op.getPart(), adaptor.getPart());
    SmallVector<int64_t> offsets = *op.getConstantOffsets();
    replaceByElements(
        op, rewriter, [&](const std::vector<int64_t> &coordinates) {
          Value inserted = part.lookup(subtract(coordinates, offsets));
          return inserted ? inserted : kept.lookup(coordinates);
        });
    return success();
  }
};
} // namespace

void tile::populatePartPatterns(TypeConverter &types,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertView, ConvertJoin, ConvertInsert>(types,
                                                        patterns.getContext());
}
