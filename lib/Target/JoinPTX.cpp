// JoinPTX.cpp - one PTX module from those of its kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinPTX.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

/// Whether a line opens or closes bodies: the change of depth.
static int depthChange(StringRef line) {
  if (line.trim().starts_with("//"))
    return 0;
  return static_cast<int>(line.count('{')) - static_cast<int>(line.count('}'));
}

std::optional<std::string> tile::joinPTX(ArrayRef<std::string> parts) {
  std::string joined;
  StringSet<> declared;
  StringMap<std::string> files;
  for (const std::string &part : parts) {
    int depth = 0;
    std::string signature; // of a function, until its body or its end
    for (StringRef rest = part; !rest.empty();) {
      StringRef line;
      std::tie(line, rest) = rest.split('\n');
      StringRef text = line.trim();
      bool isOutside = depth == 0;
      depth += depthChange(line);
      if (isOutside && (!signature.empty() || text.contains(".entry") ||
                        text.contains(".func"))) {
        signature += line.str() + "\n";
        bool isDeclaration = depth == 0 && text.ends_with(";");
        if (depth == 0 && !isDeclaration)
          continue;
        if (!isDeclaration || declared.insert(signature).second)
          joined += signature;
        signature.clear();
        continue;
      }
      if (text.consume_front(".file")) {
        auto [number, path] = text.trim().split(' ');
        auto [it, isNew] = files.try_emplace(number, path.str());
        if (it->second != path)
          return std::nullopt;
      }
      // Outside of functions a line is a declaration of its own.
      if (isOutside && !text.empty() && !declared.insert(line).second)
        continue;
      joined.append(line.begin(), line.end());
      joined.push_back('\n');
    }
  }
  return joined;
}
