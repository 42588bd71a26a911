// JoinPTX.cpp - join the PTX modules of kernels to one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinPTX.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

/// Returns by how much a line changes the depth of open braces.
static int depthChange(StringRef line) {
  if (line.trim().starts_with("//"))
    return 0;
  return static_cast<int>(line.count('{')) - static_cast<int>(line.count('}'));
}

std::optional<std::string> tile::joinPTX(ArrayRef<std::string> parts) {
  std::string joined;
  StringSet<> declared;
  StringMap<std::string> functions; // by the text before the function's body
  StringMap<std::string> files;
  for (const std::string &part : parts) {
    int depth = 0;
    std::string function; // text of the function that is being read
    for (StringRef rest = part; !rest.empty();) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      StringRef text = line.trim();
      bool isOutside = depth == 0 && function.empty();
      depth += depthChange(line);
      if (!function.empty() ||
          (isOutside && (text.contains(".entry") || text.contains(".func")))) {
        function += line.str() + "\n";
        if (depth != 0 || !(text.ends_with(";") || text.ends_with("}")))
          continue;
        StringRef signature = StringRef(function).split('{').first;
        auto [it, isNew] = functions.try_emplace(signature, function);
        if (isNew)
          joined += function;
        else if (it->second != function)
          return std::nullopt;
        function.clear();
        continue;
      }
      if (text.consume_front(".file")) {
        auto [fileIndex, path] = text.trim().split(' ');
        auto [it, isNew] = files.try_emplace(fileIndex, path.str());
        if (it->second != path)
          return std::nullopt;
      }
      // Outside of functions each line is a declaration.
      if (isOutside && !text.empty() && !declared.insert(line).second)
        continue;
      joined.append(line.begin(), line.end());
      joined.push_back('\n');
    }
  }
  return joined;
}
