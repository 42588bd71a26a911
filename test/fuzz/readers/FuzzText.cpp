// FuzzText.cpp - damaged programs in text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text with wrong bytes ends in the lexer. So most damage is done to words and
// lines: a type where another was, a value that is not there yet, a line twice.

#include "CompileDamaged.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <random>
#include <string>
#include <vector>

using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  if (mlir::isBytecode(llvm::MemoryBufferRef(text, "")))
    return -1; // FuzzBytecode's; not kept
  tile::fuzz::compileDamaged(text);
  return 0;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// What a word is: words of one kind may stand in each other's place.
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

/// Names with their sigils, numbers, and other characters one by one. Digits
/// and letters part, so that "16x32xf16" is five words.
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
      ; // behind an extent
    else if (isOfName(text[at]) || StringRef("%@!#").contains(text[at]))
      while (end < text.size() && isOfName(text[end]))
        ++end;
    words.push_back({at, end, getKind(text.slice(at, end))});
    at = end;
  }
  return words;
}

//===----------------------------------------------------------------------===//
// Damage
//===----------------------------------------------------------------------===//

namespace {
class Damage {
public:
  Damage(StringRef text, unsigned seed) : text(text), random(seed) {}

  std::string run() {
    for (size_t count = 1 + below(3); count > 0; --count)
      below(4) == 0 ? damageLine() : damageWord();
    return text;
  }

private:
  size_t below(size_t bound) { return random() % bound; }
  void damageWord();
  void damageLine();
  std::string pickWord(const std::vector<Word> &words, const Word &word);

  std::string text;
  std::minstd_rand random;
};
} // namespace

/// What programs seldom say.
static const StringRef kRareWords[] = {"0",
                                       "-1",
                                       "1",
                                       "9223372036854775807",
                                       "2147483648",
                                       "65536",
                                       "?",
                                       "f64",
                                       "f32",
                                       "f16",
                                       "bf16",
                                       "i1",
                                       "i8",
                                       "i16",
                                       "i32",
                                       "i64",
                                       "index",
                                       "f8E4M3FN",
                                       "f8E5M2",
                                       "complex<f32>",
                                       "i128",
                                       "tensor",
                                       "vector",
                                       "none",
                                       "unit",
                                       "dense",
                                       "true",
                                       "inf",
                                       "0x7F800000",
                                       "tile.view",
                                       "tile.reduce",
                                       "tile.reshape",
                                       "tile.matmul",
                                       "tile.cast",
                                       "tile.broadcast",
                                       "tile.transpose",
                                       "tile.select",
                                       "tile.iota",
                                       "#tile.shared",
                                       "#tile.register",
                                       "scf.while",
                                       "scf.parallel",
                                       "cf.br",
                                       "func.call",
                                       "arith.divsi",
                                       "arith.addf",
                                       "memref.load",
                                       "gpu.barrier"};

std::string Damage::pickWord(const std::vector<Word> &words, const Word &word) {
  if (below(4) == 0)
    return kRareWords[below(std::size(kRareWords))].str();
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
  switch (below(3)) {
  case 0:
    lines.erase(line);
    break;
  case 1: {
    std::string copy = *line;
    lines.insert(lines.begin() + below(lines.size()), copy);
    break;
  }
  default:
    std::swap(*line, lines[below(lines.size())]);
  }
  text = llvm::join(lines, "\n");
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string damaged =
      Damage(StringRef(reinterpret_cast<char *>(data), size), seed).run();
  size_t length = std::min(damaged.size(), maxSize);
  std::copy_n(damaged.begin(), length, data);
  return length;
}
