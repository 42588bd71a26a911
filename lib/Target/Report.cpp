// Report.cpp - what the compiler decided, read off a kernel after phase 8
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/Report.h"

#include "SharedAccessReport.h"
#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/InstructionTable.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Target/BuildMetadata.h"

using namespace mlir;
using namespace tile;

/// The three extents, in JSON.
static std::string describeGrid(const runtime::KernelMetadata &metadata) {
  if (!metadata.grid)
    return {};
  std::string text;
  for (const runtime::Expression &extent : *metadata.grid)
    text += (text.empty() ? "" : ", ") + runtime::toString(extent);
  return "[" + text + "]";
}

/// The buffers, those at the lowest offset first.
static std::vector<BufferReport> reportBuffers(KernelOp kernel) {
  std::vector<BufferReport> buffers;
  kernel.walk([&](memref::AllocOp allocation) {
    if (!isSharedBuffer(allocation.getType()))
      return;
    BufferReport buffer;
    buffer.location = describeLocation(allocation.getLoc());
    llvm::raw_string_ostream(buffer.type) << allocation.getType();
    if (auto offset = allocation->getAttrOfType<IntegerAttr>(kSharedOffsetAttr))
      buffer.offset = offset.getInt();
    buffer.bytes = getAllocationBytes(allocation);
    buffers.push_back(std::move(buffer));
  });
  llvm::stable_sort(buffers, [](const BufferReport &a, const BufferReport &b) {
    return a.offset < b.offset;
  });
  return buffers;
}

static std::vector<ProductReport>
reportProducts(KernelOp kernel, const Architecture &architecture) {
  std::vector<ProductReport> products;
  kernel.walk([&](ProductOpInterface op) {
    auto matmul = dyn_cast<MatmulOp>(*op);
    products.push_back({describeLocation(op->getLoc()),
                        op.getTilingAttr().getAtom().getValue().str(),
                        matmul ? explainFma(matmul, architecture) : ""});
  });
  return products;
}

BodyReport tile::reportKernel(KernelOp kernel,
                              const Architecture &architecture) {
  BodyReport report;
  report.symbol = kernel.getSymName().str();
  if (auto generalOf = kernel->getAttrOfType<StringAttr>(kGeneralOfAttr))
    report.generalOf = generalOf.str();
  report.location = describeLocation(kernel.getLoc());
  runtime::KernelMetadata metadata = describeKernel(kernel, architecture.name);
  report.block = kernel.getBlock() ? metadata.block[0] : 0;
  report.threads = metadata.threads;
  report.blocksPerProcessor = getBlocksPerProcessor(kernel);
  report.grid = describeGrid(metadata);
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr))
    report.sharedBytes = bytes.getInt();
  if (auto tiles = kernel->getAttrOfType<ArrayAttr>(kStorageAttr))
    for (auto tile : tiles.getAsRange<StringAttr>())
      report.tiles.push_back(tile.str());
  report.products = reportProducts(kernel, architecture);
  report.buffers = reportBuffers(kernel);
  report.accesses = reportAccesses(kernel, architecture);
  return report;
}
