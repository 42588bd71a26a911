// RecordHints.cpp - optimization hints of CUDA Tile, in the kernel's report
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelTranslator.h"

#include "tile/IR/Decisions.h"

#include <set>

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

namespace {
/// The hints of an entry and its operations, each once: its name, and its value
/// with the architecture that it is for.
class Hints {
public:
  void add(const SourceAttribute &hints, StringRef outer = "");
  void add(const SourceRegion &region);
  std::set<std::pair<StringRef, std::string>> all;
};
} // namespace

static std::string toText(const SourceAttribute &value) {
  switch (value.tag) {
  case AttributeTag::boolean:
    return value.number ? "true" : "false";
  case AttributeTag::integer:
    return std::to_string(value.number);
  case AttributeTag::string:
    return value.text.str();
  default:
    return "no integer, Boolean or string";
  }
}

/// Adds the entries of a dictionary, which `outer` names: the hints of an
/// architecture.
void Hints::add(const SourceAttribute &hints, StringRef outer) {
  for (const auto &[name, value] : hints.entries) {
    if (value.tag == AttributeTag::hints ||
        value.tag == AttributeTag::dictionary)
      add(value, name);
    else
      all.insert({name, toText(value) +
                            (outer.empty() ? "" : (" for " + outer).str())});
  }
}

void Hints::add(const SourceRegion &region) {
  for (const SourceOp &op : region.operations) {
    for (const SourceAttribute &attribute : op.attributes)
      if (attribute.tag == AttributeTag::hints ||
          attribute.tag == AttributeTag::dictionary)
        add(attribute);
    for (const SourceRegion &inner : op.regions)
      add(inner);
  }
}

void tile::cudatile::recordHints(KernelOp kernel,
                                 const SourceFunction &function) {
  Hints hints;
  hints.add(function.hints);
  hints.add(function.body);
  // The list of a kernel's decisions is made anew for each.
  constexpr unsigned kMost = 64;
  Builder builder(kernel.getContext());
  NamedAttrList fields;
  fields.set(kOfSourceField, builder.getUnitAttr());
  unsigned count = 0;
  for (const auto &[name, value] : hints.all) {
    if (++count > kMost)
      break;
    recordDecision(kernel, ("hint " + name).str(), "none",
                   "it is " + value + "; the compiler chooses by itself",
                   fields);
  }
}
