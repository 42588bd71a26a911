// LayoutClasses.h - classes of tiles in registers that share a layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_LAYOUTCLASSES_H
#define TILE_TRANSFORMS_LAYOUTCLASSES_H

#include "AccessLayouts.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Architecture.h"
#include "tile/IR/ConvertLayout.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace tile {

/// The classes of values that must have the same layout, and the layout of
/// each.
class LayoutClasses {
public:
  LayoutClasses(KernelOp kernel, const Architecture &architecture)
      : kernel(kernel), architecture(architecture), rows{architecture} {}

  /// Chooses the layout of every class. typeOf and layoutOf require it.
  void build();

  /// Returns the type of a value with its class's layout.
  TileType typeOf(mlir::Value value) {
    auto type = llvm::cast<TileType>(value.getType());
    return type.withStorage(
        RegisterAttr::get(type.getContext(), layoutOf(value)));
  }
  const RegisterLayout &layoutOf(mlir::Value value) {
    return layouts.at(classes.getLeaderValue(value.getAsOpaquePointer()));
  }
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }
  /// Whether the program declares the layout of a value's class.
  bool isDeclared(mlir::Value value);

private:
  void collect();
  void join(mlir::Value a, mlir::Value b) {
    if (isInRegisters(a) && isInRegisters(b))
      classes.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  }
  void joinOperation(mlir::Operation *op);
  /// Sets the layout of a value's class, unless the class has one already.
  void seed(mlir::Value value, const RegisterLayout &layout) {
    layouts.try_emplace(classes.getLeaderValue(value.getAsOpaquePointer()),
                        layout);
  }
  using GetTileLayout = llvm::function_ref<std::optional<RegisterLayout>(
      LayoutOpInterface, mlir::Value)>;
  void seedTiles(GetTileLayout getLayout);
  void seedInstructions();
  bool isBetterInRows(mlir::Value tile, const RegisterLayout &layout);
  void seedRequired();
  void seedSources();
  const RegisterLayout *lookup(mlir::Value value) {
    auto it = layouts.find(classes.getLeaderValue(value.getAsOpaquePointer()));
    return it == layouts.end() ? nullptr : &it->second;
  }
  /// Returns the result layout that `op` infers from its source; nothing if the
  /// source has no layout yet.
  std::optional<RegisterLayout> inferResult(LayoutOpInterface op);
  std::optional<RegisterLayout> fromSource(mlir::Value value);
  std::optional<RegisterLayout> fromIndexUse(mlir::Value value);
  std::optional<RegisterLayout> fromBroadcast(mlir::Value value);
  /// Returns the layout that suits the memory accesses of a class; nothing if
  /// it has none.
  std::optional<RegisterLayout> fromMemory(llvm::ArrayRef<mlir::Value> members,
                                           bool isSpread,
                                           llvm::ArrayRef<int64_t> parts);
  std::optional<RegisterLayout> fromHint(mlir::Value value);
  std::optional<RegisterLayout> fromPreference(mlir::Value value);
  RegisterLayout choose(llvm::ArrayRef<mlir::Value> members);
  void decide(mlir::Value value);

  KernelOp kernel;
  const Architecture &architecture;
  AccessLayouts rows;
  llvm::SmallVector<mlir::Value> values; // in program order
  llvm::EquivalenceClasses<void *> classes;
  /// The members of each class; empty from the choice of its layout on.
  llvm::DenseMap<void *, llvm::SmallVector<mlir::Value>> members;
  llvm::DenseMap<void *, RegisterLayout> layouts;
};

} // namespace tile

#endif // TILE_TRANSFORMS_LAYOUTCLASSES_H
