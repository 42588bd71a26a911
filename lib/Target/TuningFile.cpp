// TuningFile.cpp - measured choices for the compilation of kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/TuningFile.h"

#include "tile/IR/DiscardableAttrs.h"
#include "tile/IR/Tile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
namespace json = llvm::json;

static constexpr StringLiteral kFormat = "tile-tuning";
static constexpr int64_t kVersion = 1;
static constexpr int kMaxDepth = 100;
static constexpr StringLiteral kMembers[] = {"kernel", "arch",        "gpu",
                                             "types",  "constants",   "key",
                                             "choice", "microseconds"};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Returns a value as JSON, shortened if it is long.
static std::string describe(const json::Value *value) {
  if (!value)
    return "none";
  std::string text = llvm::formatv("{0}", *value);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

/// Parses a value of JSON. The parser recurses for each open bracket, so a text
/// that is nested deeper than kMaxDepth is refused before.
static llvm::Expected<json::Value> parseJson(StringRef text) {
  int depth = 0;
  for (char c : text) {
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (depth > kMaxDepth)
      return llvm::createStringError("expected at most " + Twine(kMaxDepth) +
                                     " brackets open at a time");
  }
  return json::parse(text);
}

namespace {
/// Reads one line, and keeps the first error.
struct LineReader {
  StringRef file;
  unsigned line;
  std::string error = "";

  std::nullopt_t fail(const Twine &message) {
    if (error.empty())
      error = (file + ":" + Twine(line) + ": " + message).str();
    return std::nullopt;
  }

  std::optional<json::Object> parse(StringRef text) {
    llvm::Expected<json::Value> value = parseJson(text);
    if (!value)
      return fail("expected an object of JSON, got what is none: " +
                  llvm::toString(value.takeError()));
    if (json::Object *object = value->getAsObject())
      return std::move(*object);
    return fail("expected an object of JSON, got " + describe(&*value));
  }

  std::string takeText(const json::Object &object, StringRef name) {
    std::optional<StringRef> text = object.getString(name);
    if (!text)
      fail("expected a text as '" + name + "', got " +
           describe(object.get(name)));
    return text.value_or("").str();
  }

  std::vector<std::string> takeTexts(const json::Object &object,
                                     StringRef name) {
    std::vector<std::string> texts;
    const json::Array *list = object.getArray(name);
    bool areTexts = list && llvm::all_of(*list, [](const json::Value &value) {
                      return value.getAsString().has_value();
                    });
    if (!areTexts) {
      fail("expected a list of texts as '" + name + "', got " +
           describe(object.get(name)));
      return texts;
    }
    for (const json::Value &value : *list)
      texts.push_back(value.getAsString()->str());
    return texts;
  }

  /// Reads a count of a choice. Returns nothing if it is absent, null or not
  /// valid.
  std::optional<int64_t> takeCount(const json::Object &choice, StringRef name) {
    const json::Value *value = choice.get(name);
    if (!value || value->kind() == json::Value::Null)
      return std::nullopt;
    std::optional<int64_t> count = value->getAsInteger();
    if (!count || *count < 1)
      return fail("expected a number from 1 on as '" + name + "', got " +
                  describe(value));
    return count;
  }

  void checkHead(const json::Object &head) {
    if (head.getString("format") != kFormat)
      fail("expected a file of the format '" + kFormat + "', got " +
           describe(head.get("format")));
    else if (head.getInteger("version") != kVersion)
      fail("expected version " + Twine(kVersion) + ", got " +
           describe(head.get("version")) +
           ", of another version of the compiler");
  }

  void checkMembers(const json::Object &object) {
    for (StringRef name : kMembers)
      if (!object.get(name))
        fail("expected a member '" + name + "', got none");
    for (const auto &[name, value] : object)
      if (!llvm::is_contained(kMembers, StringRef(name)))
        fail("expected members " + llvm::join(ArrayRef(kMembers), ", ") +
             ", got '" + StringRef(name) + "'");
  }

  TuningEntry readEntry(const json::Object &object) {
    TuningEntry entry;
    entry.line = line;
    checkMembers(object);
    entry.kernel = takeText(object, "kernel");
    entry.arch = takeText(object, "arch");
    entry.types = takeTexts(object, "types");
    if (const json::Array *key = object.getArray("key"))
      entry.key = json::Array(*key);
    else
      fail("expected a list as 'key', got " + describe(object.get("key")));
    const json::Object *choice = object.getObject("choice");
    if (!choice) {
      fail("expected an object as 'choice', got " +
           describe(object.get("choice")));
      return entry;
    }
    const json::Value *tiling = choice->get("tiling");
    if (tiling && tiling->kind() != json::Value::Null)
      entry.tiling = takeText(*choice, "tiling");
    entry.block = takeCount(*choice, "block");
    entry.blocksPerProcessor = takeCount(*choice, "blocks_per_processor");
    return entry;
  }
};
} // namespace

llvm::Expected<TuningFile> tile::parseTuningFile(llvm::MemoryBufferRef file) {
  TuningFile result{file.getBufferIdentifier().str(), {}};
  SmallVector<StringRef> lines;
  file.getBuffer().split(lines, '\n');
  for (auto [index, line] : llvm::enumerate(lines)) {
    LineReader reader{result.name, static_cast<unsigned>(index + 1)};
    if (index != 0 && line.trim().empty())
      continue;
    if (std::optional<json::Object> object = reader.parse(line)) {
      if (index == 0)
        reader.checkHead(*object);
      else
        result.entries.push_back(reader.readEntry(*object));
    }
    if (!reader.error.empty())
      return llvm::createStringError(reader.error);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Applying
//===----------------------------------------------------------------------===//

/// Whether the types of an entry are those of a kernel's arguments. In an
/// entry, " (unsigned)" follows the type of an unsigned integer, which is
/// signless in a kernel.
static bool hasTypes(const TuningEntry &entry, KernelOp kernel) {
  TypeRange types = kernel.getFunctionType().getInputs();
  if (types.size() != entry.types.size())
    return false;
  return llvm::all_of(llvm::zip_equal(types, entry.types), [](auto pair) {
    auto [type, text] = pair;
    StringRef expected(text);
    expected.consume_back(" (unsigned)");
    return llvm::formatv("{0}", type).str() == expected;
  });
}

static bool chooseTheSame(const TuningEntry *a, const TuningEntry *b) {
  return a->tiling == b->tiling && a->block == b->block &&
         a->blocksPerProcessor == b->blocksPerProcessor;
}

static std::string listLines(ArrayRef<const TuningEntry *> entries) {
  return llvm::join(llvm::map_range(entries,
                                    [](const TuningEntry *entry) {
                                      return llvm::formatv("{0} (key {1})",
                                                           entry->line,
                                                           entry->key)
                                          .str();
                                    }),
                    ", ");
}

/// Returns the entry of a kernel; null, after a warning, if there is none.
static FailureOr<const TuningEntry *>
findEntry(KernelOp kernel, const TuningFile &file, StringRef arch,
          const std::optional<json::Value> &key) {
  SmallVector<const TuningEntry *> found;
  for (const TuningEntry &entry : file.entries)
    if (entry.kernel == kernel.getSymName() && entry.arch == arch &&
        hasTypes(entry, kernel) && (!key || entry.key == *key))
      found.push_back(&entry);
  if (found.empty()) {
    kernel->emitWarning("expected an entry of '")
        << file.name << "' for kernel '" << kernel.getSymName() << "' on "
        << arch << " with arguments of these types"
        << (key ? " and the key" : "")
        << ", got none: it is compiled as if there were no file";
    return nullptr;
  }
  for (const TuningEntry *entry : found)
    if (!chooseTheSame(entry, found.front()))
      return kernel->emitError("expected one choice of '")
             << file.name << "' for kernel '" << kernel.getSymName() << "' on "
             << arch << ", got those of lines " << listLines(found)
             << "; --tuning-key=KEY says which";
  return found.front();
}

static void applyToKernel(KernelOp kernel, const TuningEntry &entry) {
  if (entry.block && !kernel.getBlock())
    kernel.setBlock(*entry.block);
  if (entry.blocksPerProcessor && !kernel->hasAttr(kBlocksPerProcessorAttr))
    kernel->setAttr(kBlocksPerProcessorAttr, Builder(kernel).getI64IntegerAttr(
                                                 *entry.blocksPerProcessor));
}

static FailureOr<WarpTilingOptions> parseTiling(MLIRContext *context,
                                                const TuningFile &file,
                                                const TuningEntry &entry) {
  WarpTilingOptions options;
  std::string error;
  if (failed(parseTilingOptions(entry.tiling, options, error)))
    return emitError(UnknownLoc::get(context))
           << file.name << ":" << entry.line << ": " << error;
  return options;
}

FailureOr<WarpTilingOptions> tile::applyTuning(ModuleOp module,
                                               const TuningFile &file,
                                               StringRef arch,
                                               StringRef keyText) {
  std::optional<json::Value> key;
  if (!keyText.empty()) {
    llvm::Expected<json::Value> parsed = parseJson(keyText);
    if (!parsed)
      return emitError(UnknownLoc::get(module.getContext()))
             << "expected a key as JSON, got '" << keyText
             << "': " << llvm::toString(parsed.takeError());
    key = std::move(*parsed);
  }
  // The tiling option of a compilation applies to all its kernels.
  std::optional<TuningEntry> common;
  const TuningEntry none;
  for (auto kernel : module.getOps<KernelOp>()) {
    FailureOr<const TuningEntry *> entry = findEntry(kernel, file, arch, key);
    if (failed(entry))
      return failure();
    if (*entry)
      applyToKernel(kernel, **entry);
    const TuningEntry &taken = *entry ? **entry : none;
    if (common && common->tiling != taken.tiling)
      return kernel->emitError("expected one tiling for all kernels, got '")
             << common->tiling << "' and for kernel '" << kernel.getSymName()
             << "' '" << taken.tiling << "'; --kernel=NAME compiles one alone";
    common = taken;
  }
  return parseTiling(module.getContext(), file, common.value_or(none));
}
