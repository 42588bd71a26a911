// Decisions.cpp - decisions of the phases and their reasons, for the report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Decisions.h"

#include "tile/IR/SourceLine.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

DictionaryAttr tile::makeRecord(NamedAttrList fields, Operation *op,
                                Location loc) {
  Builder builder(loc.getContext());
  if (op)
    fields.set("operation",
               builder.getStringAttr(op->getName().getStringRef()));
  if (std::optional<FileLineColLoc> location = getFileLocation(loc)) {
    fields.set("file", location->getFilename());
    fields.set("line", builder.getI64IntegerAttr(location->getLine()));
  }
  return fields.getDictionary(loc.getContext());
}

/// Whether a dictionary has the fields, `type` a type and the others strings.
static bool isRecord(Attribute attr, ArrayRef<StringRef> fields) {
  auto record = dyn_cast<DictionaryAttr>(attr);
  return record && llvm::all_of(fields, [&](StringRef name) {
           Attribute value = record.get(name);
           return name == "type" ? isa_and_nonnull<TypeAttr>(value)
                                 : isa_and_nonnull<StringAttr>(value);
         });
}

static bool isListOfRecords(Attribute attr, ArrayRef<StringRef> fields) {
  auto list = dyn_cast<ArrayAttr>(attr);
  return list && llvm::all_of(list, [&](Attribute entry) {
           return isRecord(entry, fields);
         });
}

bool tile::isListOfDecisions(Attribute attr) {
  return isListOfRecords(attr, {"about", "chosen", "reason"});
}

bool tile::isListOfStorages(Attribute attr) {
  return isListOfRecords(attr, {"type", "storage", "reason"});
}

void tile::recordDecision(Operation *op, StringRef about, const Twine &chosen,
                          const Twine &reason, NamedAttrList fields) {
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel)
    kernel = op->getParentOfType<KernelOp>();
  Builder builder(op->getContext());
  fields.set("about", builder.getStringAttr(about));
  fields.set("chosen", builder.getStringAttr(chosen));
  fields.set("reason", builder.getStringAttr(reason));
  SmallVector<Attribute> all;
  if (auto before = kernel->getAttrOfType<ArrayAttr>(kDecisionsAttr))
    llvm::append_range(all, before);
  all.push_back(makeRecord(fields, op, op->getLoc()));
  kernel->setAttr(kDecisionsAttr, builder.getArrayAttr(all));
}

void tile::eraseDecisionsOfPhases(KernelOp kernel) {
  SmallVector<Attribute> kept;
  for (DictionaryAttr record : getDecisions(kernel))
    if (record.contains(kOfSourceField))
      kept.push_back(record);
  if (kept.empty())
    kernel->removeAttr(kDecisionsAttr);
  else
    kernel->setAttr(kDecisionsAttr, ArrayAttr::get(kernel.getContext(), kept));
}

SmallVector<DictionaryAttr> tile::getDecisions(KernelOp kernel) {
  auto all = kernel->getAttrOfType<ArrayAttr>(kDecisionsAttr);
  return all ? llvm::to_vector(all.getAsRange<DictionaryAttr>())
             : SmallVector<DictionaryAttr>();
}
