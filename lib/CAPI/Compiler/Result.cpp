// Result.cpp - the compiler as a C library: results of a compilation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiler.h"

using namespace tile;
using namespace tile::capi;
using runtime::concat;

static const char *getName(tile_output output) {
  switch (output) {
  case TILE_OUTPUT_METADATA:
    return "metadata";
  case TILE_OUTPUT_PTX:
    return "PTX";
  case TILE_OUTPUT_CUBIN:
    return "a cubin";
  case TILE_OUTPUT_LLVM_IR:
    return "LLVM IR";
  case TILE_OUTPUT_REPORT:
    return "a report";
  case TILE_OUTPUT_REPORT_JSON:
    return "a report as JSON";
  case TILE_OUTPUT_IR:
    return "IR";
  case TILE_OUTPUT_ESTIMATE:
    return "an estimate";
  default:
    return nullptr;
  }
}

TILE_C_EXPORT tile_status tile_result_destroy(tile_result *result) {
  return removeHandle(result, capi::Result::kKind);
}

TILE_C_EXPORT tile_status tile_result_get_output(const tile_result *result,
                                                 tile_output output,
                                                 const char **data,
                                                 size_t *size) {
  if (tile_status status = resetOutput(data, "data"))
    return status;
  if (size)
    *size = 0;
  std::shared_ptr<capi::Result> found;
  if (tile_status status = findHandle(result, found))
    return status;
  const char *name = getName(output);
  if (!name)
    return fail(TILE_STATUS_OUT_OF_RANGE,
                concat("expected one of the outputs, found ", output));
  auto entry = found->outputs.find(output);
  if (entry == found->outputs.end())
    return fail(TILE_STATUS_NOT_AVAILABLE,
                concat("expected a result with ", name,
                       ", found one that was compiled without"));
  *data = entry->second.c_str();
  if (size)
    *size = entry->second.size();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_result_get_diagnostics(
    const tile_result *result, const tile_diagnostic *const **diagnostics,
    size_t *count) {
  if (tile_status status = resetOutput(diagnostics, "diagnostics"))
    return status;
  if (tile_status status = resetOutput(count, "count"))
    return status;
  std::shared_ptr<capi::Result> found;
  if (tile_status status = findHandle(result, found))
    return status;
  *diagnostics = found->diagnostics.get().data();
  *count = found->diagnostics.get().size();
  return TILE_STATUS_OK;
}
