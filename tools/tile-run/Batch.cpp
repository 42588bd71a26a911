// Batch.cpp - executes many command lines in one process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Batch.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <optional>

using namespace tile::runtime;
using nlohmann::json;

/// Parses `line`; nothing if it is not a JSON array of strings.
static std::optional<std::vector<std::string>>
parseWords(const std::string &line) {
  json value = json::parse(line, /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (!value.is_array())
    return std::nullopt;
  std::vector<std::string> words;
  for (const json &word : value) {
    if (!word.is_string())
      return std::nullopt;
    words.push_back(word.get<std::string>());
  }
  return words;
}

Status tile::runtime::runBatch(
    const std::function<int(std::vector<std::string>)> &run) {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::optional<std::vector<std::string>> words = parseWords(line);
    if (!words)
      return inputError("expected a JSON array of words in each line, found '",
                        line, "'");
    int exitCode = run(std::move(*words));
    std::cout << '\0' << exitCode << std::endl;
  }
  return success();
}
