// TileTypes.cpp - !tile.tile: syntax, constraints, the shaped interface
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

#define GET_TYPEDEF_CLASSES
#include "tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/IR/TileTypes.cpp.inc"
      >();
}

bool tile::isTileElementType(Type type) {
  if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType,
          Float8E5M2Type, IndexType>(type))
    return true;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  if (auto complex = dyn_cast<ComplexType>(type))
    return isa<Float32Type, Float64Type>(complex.getElementType());
  return false;
}

int64_t tile::getElementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complex.getElementType());
  if (isa<IndexType>(type))
    return 8;
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u);
}

int64_t tile::getElementRegisters(Type type) {
  return llvm::divideCeil(getElementBytes(type), 4);
}

FloatType tile::getRealType(TileType type) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return cast<FloatType>(element);
}

bool tile::isGlobalArray(Type type) {
  auto array = dyn_cast<MemRefType>(type);
  if (!array || array.getRank() < 1 || array.getRank() > 8 ||
      !isTileElementType(array.getElementType()) || !array.isStrided())
    return false;
  Attribute space = array.getMemorySpace();
  auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  return !space ||
         (gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Global);
}

std::optional<int64_t> tile::getContiguousDimension(MemRefType array) {
  auto [strides, offset] = array.getStridesAndOffset();
  // The last contiguous dimension is returned: with extents of one there may be
  // several.
  for (int64_t dim = array.getRank() - 1; dim >= 0; --dim)
    if (strides[dim] == 1)
      return dim;
  return std::nullopt;
}

std::optional<int64_t> tile::getContiguousDimension(MemRefType array,
                                                    int64_t rank) {
  std::optional<int64_t> dim = getContiguousDimension(array);
  int64_t leading = array.getRank() - rank;
  if (!dim || *dim < leading)
    return std::nullopt;
  return *dim - leading;
}

int64_t tile::getContiguousDimension(SharedAttr shared) {
  const Layout &layout = shared.getLayout().getValue();
  if (layout.shape().isLeaf())
    return 0;
  int64_t rank = layout.rank();
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    auto modes = layout.mode(dim).coalescedModes();
    if (!modes.empty() && modes.front().second == 1)
      return dim;
  }
  return rank - 1;
}

bool tile::isSharedBuffer(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || !buffer.hasStaticShape())
    return false;
  auto shared = dyn_cast_or_null<SharedAttr>(buffer.getMemorySpace());
  return shared && shared.isResolved();
}

ArrayRef<int64_t> tile::getTileShape(Type tileOrBuffer) {
  return cast<ShapedType>(tileOrBuffer).getShape();
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType,
                               Attribute storage) {
  // C1
  if (shape.size() > kMaxRank)
    return emitError() << "expected a tile of rank 0 to " << kMaxRank
                       << ", got rank " << shape.size();
  // C2
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent <= 0)
      return emitError() << "expected positive static extents, got "
                         << (ShapedType::isDynamic(extent)
                                 ? std::string("?")
                                 : std::to_string(extent));
    if (extent >= (int64_t(1) << 31) || (count *= extent) >= (int64_t(1) << 31))
      return emitError() << "expected a tile of fewer than 2^31 elements";
  }
  // C3
  if (!isTileElementType(elementType))
    return emitError() << "expected element type f64, f32, f16, bf16, "
                          "f8E4M3FN, f8E5M2, i1, i8, i16, i32, i64, index, "
                          "complex<f32> or complex<f64>, got "
                       << elementType;
  // C4
  if (!storage)
    return success();
  SmallVector<int64_t> box;
  if (auto registers = dyn_cast<RegisterAttr>(storage)) {
    if (!registers.isResolved())
      return success();
    box.assign(registers.getBox().asArrayRef().begin(),
               registers.getBox().asArrayRef().end());
  } else if (auto shared = dyn_cast<SharedAttr>(storage)) {
    if (!shared.isResolved())
      return success();
    box = shared.getBox();
  } else {
    return emitError()
           << "expected storage #tile.register or #tile.shared, got "
           << storage;
  }
  if (box.size() != shape.size())
    return emitError() << "expected a box of the tile's rank " << shape.size()
                       << ", got rank " << box.size();
  for (size_t dim = 0; dim < box.size(); ++dim)
    if (box[dim] < shape[dim])
      return emitError() << "expected the box to contain the tile, got extent "
                         << box[dim] << " for " << shape[dim]
                         << " of dimension " << dim;
  return success();
}

/// `<` (extent `x`)* element-type (`,` storage)? `>`
Type TileType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  Attribute storage;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(storage))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape,
                                     elementType, storage);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape())
    printer << extent << "x";
  printer << getElementType();
  if (getStorage())
    printer << ", " << getStorage();
  printer << ">";
}

bool TileType::hasRank() const { return true; }

ShapedType TileType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                               Type elementType) const {
  // Another shape invalidates the storage's box; another element type does
  // not.
  return TileType::get(getContext(), shape.value_or(getShape()), elementType,
                       shape && *shape != getShape() ? Attribute()
                                                     : getStorage());
}

TileType TileType::withStorage(Attribute storage) const {
  return TileType::get(getContext(), getShape(), getElementType(), storage);
}

TileType TileType::ofParts() const {
  auto complex = dyn_cast<ComplexType>(getElementType());
  return complex ? TileType::get(getContext(), getShape(),
                                 complex.getElementType(), getStorage())
                 : *this;
}

RegisterAttr TileType::getRegister() const {
  return dyn_cast_or_null<RegisterAttr>(getStorage());
}

SharedAttr TileType::getShared() const {
  return dyn_cast_or_null<SharedAttr>(getStorage());
}
