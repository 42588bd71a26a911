// MemoryOrder.cpp - how a memory access of CUDA Tile orders others
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryOrder.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

FailureOr<MemoryOrder> tile::cudatile::getMemoryOrder(KernelTranslator &t,
                                                      const SourceOp &op) {
  // Case 0 is the weak order.
  constexpr AtomicOrder kOrders[] = {AtomicOrder::relaxed, AtomicOrder::relaxed,
                                     AtomicOrder::acquire, AtomicOrder::release,
                                     AtomicOrder::acq_rel};
  constexpr AtomicScope kScopes[] = {AtomicScope::block, AtomicScope::gpu,
                                     AtomicScope::system};
  constexpr uint64_t kGpu = 1;
  uint64_t order = op.getAttribute("ordering").number;
  const SourceAttribute &given = op.getAttribute("scope");
  uint64_t scope = given.tag == AttributeTag::none ? kGpu : given.number;
  if (order >= std::size(kOrders) || scope >= std::size(kScopes))
    return t.refuse(op, "expected an order of 0 to 4 and a scope of 0 to 2");
  return MemoryOrder{order == 0, kOrders[order], kScopes[scope]};
}
