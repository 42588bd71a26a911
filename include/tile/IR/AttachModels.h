// AttachModels.h - attaches a model to several operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_ATTACHMODELS_H
#define TILE_IR_ATTACHMODELS_H

#include "mlir/IR/MLIRContext.h"

namespace tile {

/// Attaches Model<Op> to each operation of `Ops`.
template <template <typename> typename Model, typename... Ops>
void attachModels(mlir::MLIRContext &context) {
  (Ops::template attachInterface<Model<Ops>>(context), ...);
}

} // namespace tile

#endif // TILE_IR_ATTACHMODELS_H
