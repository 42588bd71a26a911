// ReportJson.cpp - the report as JSON
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Report/Report.h"

using namespace tile;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// Creates an object with a file and a line of the program; both are null if
/// they are not known.
static Object makeObject(const Place &location) {
  if (location.file.empty())
    return Object{{"file", nullptr}, {"line", nullptr}};
  return Object{{"file", location.file}, {"line", location.line}};
}

/// Returns a text as JSON; null if it is empty.
static Value textOrNull(const std::string &text) {
  return text.empty() ? Value(nullptr) : Value(text);
}

/// Returns a count as JSON; null if it is negative, that is, not known.
static Value countOrNull(int64_t count) {
  return count < 0 ? Value(nullptr) : Value(count);
}

static Value toJson(const TileReport &tile) {
  Object object = makeObject(tile.place);
  object["operation"] = textOrNull(tile.operation);
  object["type"] = tile.type;
  object["storage"] = tile.storage;
  object["reason"] = tile.reason;
  object["layout"] = textOrNull(tile.layout);
  object["elementBytes"] = tile.elementBytes;
  return object;
}

static Value toJson(const DecisionReport &decision) {
  Object object = makeObject(decision.place);
  object["operation"] = textOrNull(decision.operation);
  object["about"] = decision.about;
  object["chosen"] = decision.chosen;
  object["reason"] = decision.reason;
  object["bytes"] = countOrNull(decision.bytes);
  return object;
}

static Value toJson(const BufferReport &buffer) {
  Object object = makeObject(buffer.place);
  object["type"] = buffer.type;
  object["layout"] = buffer.layout;
  object["offset"] = buffer.offset;
  object["bytes"] = buffer.bytes;
  object["first"] = countOrNull(buffer.first);
  object["last"] = countOrNull(buffer.last);
  return object;
}

static Value toJson(const MatmulReport &matmul) {
  Object object = makeObject(matmul.place);
  object["instruction"] = matmul.instruction;
  object["reason"] = matmul.reason;
  object["warps"] = Array(matmul.warps);
  object["warpTile"] = Array(matmul.warpTile);
  object["extents"] = Array(matmul.extents);
  object["stages"] = llvm::json::toJSON(matmul.stages);
  return object;
}

static Value toJson(const AccessReport &access) {
  Object object = makeObject(access.place);
  bool isCounted = access.wavefronts >= 0;
  object["operation"] = access.operation;
  object["buffer"] = access.buffer;
  object["wavefronts"] = countOrNull(access.wavefronts);
  object["minimalWavefronts"] = countOrNull(access.minimalWavefronts);
  object["conflicts"] = isCounted ? Value(access.conflicts()) : nullptr;
  object["assumes"] = access.assumes;
  return object;
}

static Value toJson(const GlobalAccessReport &access) {
  Object object = makeObject(access.place);
  object["operation"] = access.operation;
  object["argument"] = countOrNull(access.argument);
  object["direction"] = access.direction;
  object["bytes"] = access.bytes;
  object["sectors"] = countOrNull(access.sectors);
  object["minimalSectors"] = countOrNull(access.minimalSectors);
  object["assumes"] = access.assumes;
  object["executions"] = llvm::json::toJSON(access.executions);
  return object;
}

/// Creates an object that has a member for each name, with its count.
template <typename Count>
static Object toObject(const std::map<std::string, Count> &counts) {
  Object object;
  for (const auto &[name, count] : counts)
    object[name] = count;
  return object;
}

static Value toJson(const WorkReport &work) {
  return Object{
      {"blockFlops",
       work.blockFlops ? Value(toObject(*work.blockFlops)) : Value(nullptr)},
      {"blockReadBytes", llvm::json::toJSON(work.blockReadBytes)},
      {"blockWrittenBytes", llvm::json::toJSON(work.blockWrittenBytes)},
      {"blocks", llvm::json::toJSON(work.blocks)},
      {"flops", llvm::json::toJSON(work.flops)},
      {"memoryBytes", llvm::json::toJSON(work.memoryBytes)},
      {"part", textOrNull(work.part)},
      {"microseconds", toObject(work.microseconds)}};
}

static Value toJson(const AssemblyFacts &facts) {
  return Object{{"registers", facts.registers},
                {"spillStoreBytes", facts.spillStoreBytes},
                {"spillLoadBytes", facts.spillLoadBytes},
                {"stackBytes", facts.stackBytes}};
}

static Value toJson(const Occupancy &occupancy) {
  return Object{{"blocks", occupancy.blocks},
                {"warps", occupancy.warps},
                {"limiter", occupancy.limiter}};
}

static Value toJson(const BodyReport &body);

template <typename T>
static Array toArray(const std::vector<T> &items) {
  Array array;
  for (const T &item : items)
    array.push_back(::toJson(item));
  return array;
}

static Array toJson(const std::map<Place, InstructionCounts> &lines) {
  Array array;
  for (const auto &[location, counts] : lines) {
    Object object = makeObject(location);
    object["instructions"] = toObject(counts);
    array.push_back(std::move(object));
  }
  return array;
}

/// Returns the expressions of the grid; null if the caller specifies the grid.
static Value parseGrid(const std::string &grid) {
  llvm::Expected<Value> value = llvm::json::parse(grid);
  if (value)
    return std::move(*value);
  llvm::consumeError(value.takeError());
  return nullptr;
}

static Value toJson(const BodyReport &body) {
  Object object = makeObject(body.place);
  object["symbol"] = body.symbol;
  object["generalOf"] = body.generalOf;
  object["block"] = body.block;
  if (body.threads)
    object["threads"] = *body.threads;
  object["grid"] = parseGrid(body.grid);
  object["blocksPerProcessor"] = llvm::json::toJSON(body.blocksPerProcessor);
  object["sharedBytes"] = body.sharedBytes;
  object["tiles"] = toArray(body.tiles);
  object["decisions"] = toArray(body.decisions);
  object["products"] = toArray(body.products);
  object["buffers"] = toArray(body.buffers);
  object["accesses"] = toArray(body.accesses);
  object["globalAccesses"] = toArray(body.globalAccesses);
  object["work"] = ::toJson(body.work);
  object["instructions"] = toObject(body.instructions);
  object["lineInstructions"] = ::toJson(body.lineInstructions);
  object["assembly"] =
      body.assembly ? ::toJson(*body.assembly) : Value(nullptr);
  object["occupancy"] =
      body.occupancy ? ::toJson(*body.occupancy) : Value(nullptr);
  return object;
}

Value tile::toJson(const ModuleReport &report) {
  return Object{{"architecture", report.architecture},
                {"kernels", toArray(report.bodies)}};
}
