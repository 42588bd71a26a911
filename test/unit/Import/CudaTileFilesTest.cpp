// CudaTileFilesTest.cpp - the operations and types of the stored bytecode files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelTranslator.h"
#include "ReadBytecode.h"
#include "Translate.h"

#include "tile/Registration.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>
#include <set>

using namespace mlir;
using namespace tile::cudatile;

namespace {

/// The operations and the types of elements that files have.
struct Contents {
  std::set<std::string> operations;
  std::set<TypeTag> elements;
  int files = 0;
};

void add(const SourceRegion &region, Contents &contents) {
  for (const SourceOp &op : region.operations) {
    contents.operations.insert(op.getName().str());
    for (const SourceRegion &inner : op.regions)
      add(inner, contents);
  }
}

/// Adds the files that have a translation.
Contents readFiles() {
  MLIRContext context;
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  Contents contents;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator
           it(TILE_CUDA_TILE_FILES, error),
       end;
       it != end && !error; it.increment(error)) {
    if (!StringRef(it->path()).ends_with(".tileirbc"))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    if (!buffer)
      continue;
    llvm::MemoryBufferRef file = **buffer;
    std::unique_ptr<Program> program = readBytecode(file, &context);
    if (!program || !translate(*program, UnknownLoc::get(&context)))
      continue;
    ++contents.files;
    for (const SourceFunction &function : program->functions)
      add(function.body, contents);
    for (const SourceType &type : program->types)
      contents.elements.insert(type.tag);
  }
  return contents;
}

TEST(CudaTileFiles, HaveAllOperationsAndTypes) {
  Contents contents = readFiles();
  EXPECT_GE(contents.files, 60);
  std::string missing;
  for (const OperationFormat &op : getOperations())
    if (getHandlers().contains(op.name) &&
        contents.operations.count(op.name.str()) == 0)
      missing += " " + op.name.str();
  EXPECT_EQ(missing, "");
  for (uint64_t tag = 0; tag <= static_cast<uint64_t>(TypeTag::i4); ++tag)
    EXPECT_EQ(contents.elements.count(TypeTag(tag)), 1u) << "type tag " << tag;
}

} // namespace
