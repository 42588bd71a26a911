// MetadataJson.h - parts of the metadata's JSON
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_RUNTIME_METADATAJSON_H
#define TILE_RUNTIME_METADATAJSON_H

#include "ObjectReader.h"

namespace tile::runtime {

using OrderedJson = nlohmann::ordered_json;

OrderedJson toJsonValue(const Expression &expression);
OrderedJson toJsonValue(const StaticOrRunTime &value);
OrderedJson toJsonValue(const Argument &argument);
OrderedJson toJsonValue(const Predicate &predicate);
OrderedJson toJsonValue(const EntryPoint &entry);
OrderedJson toJsonValue(const HiddenArgument &hidden);
OrderedJson toJsonValue(const KernelMetadata &kernel);
OrderedJson toJsonValue(const Temporary &temporary);
OrderedJson toJsonValue(const LaunchArgument &argument);
OrderedJson toJsonValue(const Launch &launch);
OrderedJson toJsonValue(const Requirement &requirement);
OrderedJson toJsonValue(const HostFunction &function);

/// Returns a JSON list of the elements, each converted by toJsonValue.
template <typename T>
OrderedJson toJsonList(const T &elements) {
  OrderedJson list = OrderedJson::array();
  for (const auto &element : elements)
    list.push_back(toJsonValue(element));
  return list;
}

/// Reads an expression, or the three expressions of a grid. Errors are reported
/// to `reader` and name `key`.
Expression readExpression(ObjectReader &reader, const char *key,
                          const nlohmann::json &value, int depth = 0);
std::array<Expression, 3> readGrid(ObjectReader &reader,
                                   const nlohmann::json &grid);

/// These functions read an object. Errors in `status` start with `where`, such
/// as "gemm.json: argument 0: ".
Argument readArgument(const nlohmann::json &value, const std::string &where,
                      Status &status);
HostFunction readHostFunction(const nlohmann::json &value,
                              const std::string &where, Status &status);

} // namespace tile::runtime

#endif // TILE_RUNTIME_METADATAJSON_H
