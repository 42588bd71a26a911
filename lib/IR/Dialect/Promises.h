// Promises.h - interfaces that operations implement by external models
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_DIALECT_PROMISES_H
#define TILE_LIB_IR_DIALECT_PROMISES_H

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

namespace tile {

/// The operations of a dialect.
template <typename... Ops>
struct OperationList {};

/// Visits the interfaces that operations implement by external models, each as
/// a null operation of the interface's class.
template <typename Visitor>
void visitPromisedInterfaces(Visitor visit) {
  visit(DecomposeOpInterface());
  visit(LayoutOpInterface());
  visit(BufferizeOpInterface());
  visit(CostOpInterface());
  visit(CooperativeOpInterface());
}

/// Calls `visit` with a null interface and a null operation for each operation
/// that has the trait `Promises` for the interface.
template <typename Visitor, typename... Ops>
void visitPromises(OperationList<Ops...>, Visitor visit) {
  visitPromisedInterfaces([&](auto interface) {
    auto visitOne = [&](auto op) {
      using Trait = Promises<decltype(interface)>;
      if constexpr (decltype(op)::template hasTrait<Trait::template Impl>())
        visit(interface, op);
    };
    (visitOne(Ops()), ...);
  });
}

} // namespace tile

#endif // TILE_LIB_IR_DIALECT_PROMISES_H
