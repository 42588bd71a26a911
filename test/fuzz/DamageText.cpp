// DamageText.cpp - changes words, lines and attributes of a tile program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lexer already refuses text with wrong bytes. So most damage is done to
// words and lines: another type, a value that is not defined yet, a duplicated
// line, and the compiler's own attributes, which only the compiler should
// write.

#include "DamageText.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <random>
#include <vector>

using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Kind of a word. Words of one kind are exchanged for each other.
enum class Kind { kNumber, kValue, kSymbol, kType, kName, kOther };

namespace {
struct Word {
  size_t begin, end;
  Kind kind;
};
} // namespace

static bool isOfName(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

static Kind getKind(StringRef word) {
  switch (word.front()) {
  case '%':
    return Kind::kValue;
  case '@':
    return Kind::kSymbol;
  case '!':
  case '#':
    return Kind::kType;
  default:
    break;
  }
  if (llvm::isDigit(word.front()))
    return Kind::kNumber;
  static const StringRef types[] = {"f64", "f32",   "f16", "bf16",
                                    "i1",  "i8",    "i16", "i32",
                                    "i64", "index", "f8",  "memref"};
  return llvm::is_contained(types, word) ? Kind::kType
         : llvm::isAlpha(word.front())   ? Kind::kName
                                         : Kind::kOther;
}

/// Returns names with their sigils, numbers, and other characters one by one.
/// Digits and letters are split, so that "16x32xf16" is five words.
static std::vector<Word> splitWords(StringRef text) {
  std::vector<Word> words;
  for (size_t at = 0; at < text.size();) {
    if (llvm::isSpace(text[at])) {
      ++at;
      continue;
    }
    size_t end = at + 1;
    if (llvm::isDigit(text[at]))
      while (end < text.size() && llvm::isDigit(text[end]))
        ++end;
    else if (text[at] == 'x' && at > 0 &&
             (llvm::isDigit(text[at - 1]) || text[at - 1] == '?'))
      ; // after an extent
    else if (isOfName(text[at]) || StringRef("%@!#").contains(text[at]))
      while (end < text.size() && isOfName(text[end]))
        ++end;
    words.push_back({at, end, getKind(text.slice(at, end))});
    at = end;
  }
  return words;
}

//===----------------------------------------------------------------------===//
// Rare words, lines and attributes
//===----------------------------------------------------------------------===//

// clang-format off
static const StringRef kRareWords[] = {
    "0", "-1", "1", "9223372036854775807", "2147483648", "65536", "?", "f64",
    "f32", "f16", "bf16", "i1", "i8", "i16", "i32", "i64", "index",
    "f8E4M3FN", "f8E5M2", "complex<f32>", "i128", "tensor", "vector", "none",
    "unit", "dense", "true", "inf", "0x7F800000", "tile.view", "tile.reduce",
    "tile.reshape", "tile.matmul", "tile.cast", "tile.broadcast",
    "tile.transpose", "tile.select", "tile.iota", "#tile.shared",
    "#tile.register", "scf.while", "scf.parallel", "cf.br", "func.call",
    "arith.divsi", "arith.addf", "memref.load", "gpu.barrier"};

static const StringRef kRareLines[] = {
    "module {}", "module {", "}", "func.func private @callee()",
    "memref.global @array : memref<8xf32>", "%wild = arith.constant 0 : index",
    "%buffer = memref.alloc() : memref<8x8xf16, #tile.shared<(8,8):(8,1)>>",
    "gpu.barrier", "tile.return", "\"test.unknown\"() : () -> ()"};

/// Attributes that the compiler writes for its own later phases.
static const StringRef kOwnAttributes[] = {
    "tile.alignment", "tile.copy", "tile.exact_accesses", "tile.general_of", "tile.level",
    "tile.name", "tile.num_stages", "tile.shared_bytes", "tile.shared_offset",
    "tile.storage", "tile.stride_alignment", "tile.target",
    "tile.threads", "tile.workspace", "block", "grid", "sym_name", "tiling"};

static const StringRef kValues[] = {
    "0 : i64", "16 : i64", "16 : index", "-16 : index", "1024 : i64", "1 : i32",
    "3 : index", "-1 : i64", "9223372036854775807 : i64", "1 : i1", "1.5 : f32",
    "\"kernel\"", "\"\"", "\"sm_90a\"", "\"buffered\"", "unit", "true", "[]",
    "[0, 1]", "[\"a tile\"]", "@kernel", "f32", "array<i64: 1, 2>", "{}",
    "dense<0> : tensor<1xi64>", "#tile.register", "#tile.shared",
    "#tile.tiling<warps = [2, 2]>", "#tile.tiling<stages = 64>",
    "#tile.tiling<thread = [65536, 1], stages = 64>",
    "#tile.tiling<atom = \"fma\", sub = [1, 1], thread = [3, 5]>",
    "#tile.grid<affine_map<(n) -> (n floordiv 0)> of [[0, 0]]>"};

static const StringRef kStorages[] = {
    "#tile.register", "#tile.shared", "#tile.shared<(8,8):(8,1)>",
    "#tile.shared<(32):(1)>", "#tile.shared<(8,64):(64,1), align = 16>",
    "#tile.shared<(8,64):(64,1), swizzle = <3, 4, 3>, align = 1024>",
    "#tile.register<(32,1,1):(1,0,0), box = [32]>",
    "#tile.register<(32,4,8):(8,256,1), box = [1024]>",
    "#tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>",
    "#tile.register<((4,8),1,1):((1,8),0,0), box = [8, 4]>"};
// clang-format on

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

namespace {
class Damage {
public:
  Damage(StringRef text, unsigned seed) : text(text), random(seed) {}

  std::string run() {
    for (size_t count = 1 + below(3); count > 0; --count)
      damageOnce();
    return text;
  }

private:
  size_t below(size_t bound) { return random() % bound; }
  template <size_t n>
  StringRef pick(const StringRef (&choices)[n]) {
    return choices[below(n)];
  }
  void damageOnce();
  void damageByte();
  void damageWord();
  void damageLine();
  void addAttribute();
  void addStorage();
  std::string pickWord(const std::vector<Word> &words, const Word &word);
  size_t pickPlace(StringRef before);

  std::string text;
  std::minstd_rand random;
};
} // namespace

void Damage::damageOnce() {
  switch (below(16)) {
  case 0:
    return damageByte();
  case 1:
  case 2:
    return addAttribute();
  case 3:
    return addStorage();
  case 4:
  case 5:
  case 6:
  case 7:
    return damageLine();
  default:
    return damageWord();
  }
}

void Damage::damageByte() {
  if (text.empty())
    return;
  size_t at = below(text.size());
  switch (below(3)) {
  case 0:
    text.erase(at, 1);
    break;
  case 1:
    text.insert(at, 1, text[below(text.size())]);
    break;
  default:
    text[at] = char(below(256));
  }
}

std::string Damage::pickWord(const std::vector<Word> &words, const Word &word) {
  if (below(4) == 0)
    return pick(kRareWords).str();
  std::vector<Word> fitting;
  for (const Word &other : words)
    if (other.kind == word.kind)
      fitting.push_back(other);
  const Word &other = fitting[below(fitting.size())];
  return text.substr(other.begin, other.end - other.begin);
}

void Damage::damageWord() {
  std::vector<Word> words = splitWords(text);
  if (words.empty())
    return;
  Word word = words[below(words.size())];
  std::string other = pickWord(words, word);
  switch (below(8)) {
  case 0:
    text.erase(word.begin, word.end - word.begin);
    return;
  case 1:
    text.insert(word.begin, other + " ");
    return;
  default:
    text.replace(word.begin, word.end - word.begin, other);
  }
}

void Damage::damageLine() {
  llvm::SmallVector<StringRef> split;
  StringRef(text).split(split, '\n');
  std::vector<std::string> lines(split.begin(), split.end());
  auto line = lines.begin() + below(lines.size());
  switch (below(4)) {
  case 0:
    lines.erase(line);
    break;
  case 1: {
    std::string copy = *line;
    lines.insert(lines.begin() + below(lines.size()), copy);
    break;
  }
  case 2:
    lines.insert(line, pick(kRareLines).str());
    break;
  default:
    std::swap(*line, lines[below(lines.size())]);
  }
  text = llvm::join(lines, "\n");
}

/// Returns a position after some occurrence of `before`, or the text's length.
size_t Damage::pickPlace(StringRef before) {
  std::vector<size_t> places;
  for (size_t at = text.find(before); at != std::string::npos;
       at = text.find(before, at + 1))
    places.push_back(at + before.size());
  return places.empty() ? text.size() : places[below(places.size())];
}

/// Returns the end of the type that the `<` before `at` opens.
static size_t findEndOfType(StringRef text, size_t at) {
  for (int depth = 1; at < text.size(); ++at) {
    depth += text[at] == '<';
    depth -= text[at] == '>' && text[at - 1] != '-';
    if (depth == 0)
      break;
  }
  return at;
}

void Damage::addAttribute() {
  std::string attribute = (pick(kOwnAttributes) + " = " + pick(kValues)).str();
  switch (below(4)) {
  case 0: // of a kernel, or of the module
    text.insert(pickPlace("attributes {"), attribute + ", ");
    return;
  case 1: { // of an array
    size_t end = findEndOfType(text, pickPlace(": memref<"));
    text.insert(std::min(end + 1, text.size()), " {" + attribute + "}");
    return;
  }
  case 2: // of a kernel that has none
    if (size_t at = pickPlace(") {"); at < text.size())
      text.insert(at - 1, "attributes {" + attribute + "} ");
    return;
  default: // of an operation
    if (size_t at = pickPlace(" : "); at < text.size())
      text.insert(at - 3, " {" + attribute + "}");
  }
}

void Damage::addStorage() {
  size_t begin = pickPlace(below(3) == 0 ? "memref<" : "!tile.tile<");
  text.insert(findEndOfType(text, begin), (", " + pick(kStorages)).str());
}

std::string tile::fuzz::damageText(StringRef text, unsigned seed) {
  return Damage(text, seed).run();
}
