// Operations.cpp - the compiler as a C library: operations of the dialects
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiler.h"

#include "tile/Algorithms/RegisterAlgorithms.h"
#include "tile/Documentation/Documentation.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/StringSaver.h"

using namespace mlir;
using namespace tile;
using namespace tile::capi;

namespace {
/// The operations of tile and tile_gpu, by name.
struct OperationList {
  OperationList();

  llvm::BumpPtrAllocator texts;
  std::vector<tile_operation> operations;
  std::vector<const tile_operation *> records;
};
} // namespace

OperationList::OperationList() {
  DialectRegistry registry;
  registry.insert<TileDialect, tile_gpu::TileGpuDialect>();
  registerAlgorithms(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto registered = llvm::to_vector(llvm::make_filter_range(
      context.getRegisteredOperations(), [&](RegisteredOperationName name) {
        return isTileDialect(&name.getDialect()) && !isOldSpelling(name);
      }));
  llvm::sort(registered,
             [](RegisteredOperationName left, RegisteredOperationName right) {
               return left.getStringRef() < right.getStringRef();
             });
  const Documentation documentation;
  llvm::StringSaver saver(texts);
  for (RegisteredOperationName name : registered) {
    tile_operation record = {};
    record.struct_size = sizeof record;
    record.name = saver.save(name.getStringRef()).data();
    record.is_composite = name.hasInterface<DecomposeOpInterface>();
    record.summary =
        saver.save(documentation.findSummary(name.getStringRef())).data();
    operations.push_back(record);
  }
  for (const tile_operation &operation : operations)
    records.push_back(&operation);
}

TILE_C_EXPORT tile_status
tile_list_operations(const tile_operation *const **operations, size_t *count) {
  if (tile_status status = expectPointer(operations, "operations"))
    return status;
  if (tile_status status = expectPointer(count, "count"))
    return status;
  static const OperationList &list = *new OperationList;
  *operations = list.records.data();
  *count = list.records.size();
  return TILE_STATUS_OK;
}
