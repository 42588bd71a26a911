// InlinedSize.cpp - size of a program after its calls are inlined
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InlinedSize.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace tile;

namespace {
/// Computes the size of each function after inlining, callees before callers. A
/// recursive call is not inlined and counts as one operation.
class InlinedSizes {
public:
  explicit InlinedSizes(ModuleOp module) : graph(module) {}

  LogicalResult verify() {
    for (auto component = llvm::scc_begin(std::as_const(graphPointer));
         !component.isAtEnd(); ++component)
      for (CallGraphNode *node : *component)
        if (!node->isExternal() && failed(verify(node)))
          return failure();
    return success();
  }

private:
  LogicalResult verify(CallGraphNode *node) {
    int64_t size = 0, most = 0;
    Operation *largest = nullptr;
    node->getCallableRegion()->walk([&](Operation *op) {
      int64_t added = 1;
      if (auto call = dyn_cast<CallOpInterface>(op))
        added = std::max<int64_t>(
            added, sizes.lookup(graph.resolveCallable(call, symbols)));
      size += added;
      if (added > most) {
        most = added;
        largest = op;
      }
    });
    sizes[node] = size;
    if (size <= kMaxInlinedOperations || most == 1)
      return success();
    return largest->emitError("expected at most ")
           << kMaxInlinedOperations
           << " operations once calls are inlined, got " << size << ", " << most
           << " of them by this call";
  }

  CallGraph graph;
  const CallGraph *graphPointer = &graph;
  SymbolTableCollection symbols;
  llvm::DenseMap<CallGraphNode *, int64_t> sizes;
};
} // namespace

LogicalResult tile::verifyInlinedSize(ModuleOp module) {
  return InlinedSizes(module).verify();
}
