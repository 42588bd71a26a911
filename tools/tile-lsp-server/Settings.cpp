// Settings.cpp - options that an editor may set
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Settings.h"

#include "tile/Analysis/Architecture.h"

#include "llvm/Support/Regex.h"

using namespace tile;
using namespace tile::lspserver;
namespace json = llvm::json;

std::string Settings::verify() const {
  if (!arch.empty() && !findArchitecture(arch))
    return "expected an architecture (" + listArchitectures() + "), got '" +
           arch + "'";
  std::string error;
  if (!remarks.empty() && !llvm::Regex(remarks).isValid(error))
    return "expected a regular expression of passes, got '" + remarks +
           "': " + error;
  if (delay < 0)
    return "expected a delay in milliseconds, got " + std::to_string(delay);
  return "";
}

std::string lspserver::readSettings(const json::Value &options,
                                    Settings &settings) {
  Settings read = settings;
  json::Path::Root root("initializationOptions");
  json::ObjectMapper map(options, root);
  if (!map || !map.mapOptional("arch", read.arch) ||
      !map.mapOptional("remarks", read.remarks) ||
      !map.mapOptional("phases", read.phases) ||
      !map.mapOptional("delay", read.delay))
    return llvm::toString(root.getError());
  std::string error = read.verify();
  if (!error.empty())
    return error + " in initializationOptions";
  settings = read;
  return "";
}
