// ReportText.cpp - the report as lines and as JSON
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static void printProducts(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.products.empty())
    return;
  os << "  products:\n";
  for (const ProductReport &product : body.products) {
    os << "    " << product.instruction << " at " << product.location;
    if (!product.why.empty())
      os << " (" << product.why << ")";
    os << "\n";
  }
}

static void printBuffers(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.buffers.empty())
    return;
  os << "  buffers:\n";
  for (const BufferReport &buffer : body.buffers)
    os << llvm::formatv("    {0,7} + {1,-7} {2} at {3}\n", buffer.offset,
                        buffer.bytes, buffer.type, buffer.location);
}

static std::string describeAssumption(const AccessReport &access) {
  return access.assumes.empty() ? "" : " (assumes " + access.assumes + ")";
}

static void printAccesses(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.accesses.empty())
    return;
  os << "  shared accesses, in wavefronts of all warps:\n";
  for (const AccessReport &access : body.accesses)
    if (access.wavefronts < 0)
      os << llvm::formatv("          ? (not counted) {0} at {1}\n",
                          access.operation, access.location);
    else
      os << llvm::formatv("    {0,7} ({1} by bank conflicts) {2} at {3}{4}\n",
                          access.wavefronts, access.conflicts(),
                          access.operation, access.location,
                          describeAssumption(access));
}

static void printInstructions(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.instructions.empty())
    return;
  os << "  instructions in the PTX:\n";
  for (const auto &[kind, count] : body.instructions)
    os << llvm::formatv("    {0,7} {1}\n", count, kind);
}

static void printBody(const BodyReport &body, llvm::raw_ostream &os) {
  os << "kernel " << body.symbol;
  if (!body.generalOf.empty())
    os << ", the generic variant of " << body.generalOf;
  if (!body.location.empty())
    os << " at " << body.location;
  os << "\n";
  if (body.block)
    os << "  block: " << body.block << " threads"
       << (body.threads
               ? llvm::formatv(", the program's are {0}", *body.threads).str()
               : "")
       << "\n"
       << "  grid: " << (body.grid.empty() ? "the caller's" : body.grid) << "\n"
       << "  shared memory: " << body.sharedBytes << " bytes\n";
  if (body.blocksPerProcessor)
    os << "  blocks a multiprocessor: " << *body.blocksPerProcessor
       << " or more\n";
  if (body.assembly)
    os << "  registers: " << body.assembly->registers << " a thread, "
       << body.assembly->spillStoreBytes << " bytes of spill stores, "
       << body.assembly->spillLoadBytes << " of spill loads, "
       << body.assembly->stackBytes << " of stack\n";
  if (body.occupancy)
    os << "  occupancy: " << body.occupancy->blocks
       << " blocks a multiprocessor (" << body.occupancy->warps
       << " warps), limited by " << body.occupancy->limiter << "\n";
  if (!body.tiles.empty())
    os << "  tiles:\n";
  for (const std::string &tile : body.tiles)
    os << "    " << tile << "\n";
  printProducts(body, os);
  printBuffers(body, os);
  printAccesses(body, os);
  printInstructions(body, os);
}

std::string tile::toText(const ModuleReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "architecture " << report.architecture << "\n";
  for (const BodyReport &body : report.bodies) {
    os << "\n";
    printBody(body, os);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Value toJson(const BufferReport &buffer) {
  return llvm::json::Object{{"location", buffer.location},
                            {"type", buffer.type},
                            {"offset", buffer.offset},
                            {"bytes", buffer.bytes}};
}

static llvm::json::Value toJson(const ProductReport &product) {
  return llvm::json::Object{{"location", product.location},
                            {"instruction", product.instruction},
                            {"why", product.why}};
}

/// Null for wavefronts that are not counted.
static llvm::json::Value toJson(const AccessReport &access) {
  auto number = [&](int64_t wavefronts) -> llvm::json::Value {
    if (access.wavefronts < 0)
      return nullptr;
    return wavefronts;
  };
  return llvm::json::Object{
      {"location", access.location},
      {"operation", access.operation},
      {"buffer", access.buffer},
      {"wavefronts", number(access.wavefronts)},
      {"minimalWavefronts", number(access.minimalWavefronts)},
      {"conflicts", number(access.conflicts())},
      {"assumes", access.assumes}};
}

static llvm::json::Value toJson(const AssemblyFacts &facts) {
  return llvm::json::Object{{"registers", facts.registers},
                            {"spillStoreBytes", facts.spillStoreBytes},
                            {"spillLoadBytes", facts.spillLoadBytes},
                            {"stackBytes", facts.stackBytes}};
}

static llvm::json::Value toJson(const Occupancy &occupancy) {
  return llvm::json::Object{{"blocks", occupancy.blocks},
                            {"warps", occupancy.warps},
                            {"limiter", occupancy.limiter}};
}

/// Null for what is not known.
template <typename T>
static llvm::json::Value toJsonOrNull(const std::optional<T> &value) {
  return value ? ::toJson(*value) : llvm::json::Value(nullptr);
}

static llvm::json::Value toJson(const BodyReport &body) {
  llvm::json::Object object{
      {"symbol", body.symbol},
      {"generalOf", body.generalOf},
      {"location", body.location},
      {"block", body.block},
      {"grid", body.grid},
      {"blocksPerProcessor", llvm::json::toJSON(body.blocksPerProcessor)},
      {"sharedBytes", body.sharedBytes},
      {"tiles", llvm::json::Array(body.tiles)}};
  if (body.threads)
    object["threads"] = *body.threads;
  llvm::json::Array products, buffers, accesses;
  for (const ProductReport &product : body.products)
    products.push_back(::toJson(product));
  for (const BufferReport &buffer : body.buffers)
    buffers.push_back(::toJson(buffer));
  for (const AccessReport &access : body.accesses)
    accesses.push_back(::toJson(access));
  llvm::json::Object instructions;
  for (const auto &[kind, count] : body.instructions)
    instructions[kind] = count;
  object["products"] = std::move(products);
  object["buffers"] = std::move(buffers);
  object["accesses"] = std::move(accesses);
  object["instructions"] = std::move(instructions);
  object["assembly"] = toJsonOrNull(body.assembly);
  object["occupancy"] = toJsonOrNull(body.occupancy);
  return object;
}

llvm::json::Value tile::toJson(const ModuleReport &report) {
  llvm::json::Array bodies;
  for (const BodyReport &body : report.bodies)
    bodies.push_back(::toJson(body));
  return llvm::json::Object{{"architecture", report.architecture},
                            {"kernels", std::move(bodies)}};
}
