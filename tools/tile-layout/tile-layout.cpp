// tile-layout - evaluates and draws layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tile-layout 'zipped_divide((4,8):(1,4), <2:1,4:1>)' --draw
//
// The language is that of Expression.h; --help lists its functions.

#include "../CommandLine.h"
#include "tile/LayoutLanguage/Expression.h"
#include "tile/LayoutLanguage/Functions.h"
#include "tile/LayoutLanguage/Picture.h"

#include "tile/Layout/Print.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::layoutlanguage;
namespace cl = llvm::cl;

static const char *const kOverview =
    "Evaluates an expression of layouts, and draws it.\n"
    "\n"
    "  (4,8):(8,1)                 a layout, shape:stride\n"
    "  A o B                       A after B\n"
    "  S<3,4,3> o 128 o A          a swizzle after an offset after a layout\n"
    "  (A, B)                      layouts side by side, as modes of one\n"
    "  <2:1, (2,4):(1,8)>  (2,8)   tilers: a list; a shape, <2:1,8:1>\n"
    "  #tile.register<A, box = [16, 8]>   (lane, warp, value) to elements\n"
    "  #tile.shared<A, swizzle = <3,4,3>> elements to shared memory\n"
    "\n";

namespace {
/// The command line.
struct Options {
  cl::OptionCategory category{"tile-layout options"};
  cl::opt<std::string> expression{cl::Positional, cl::desc("EXPRESSION"),
                                  cl::cat(category)};
  cl::opt<bool> draw{
      "draw", cl::desc("print a table: mode 0 down, mode 1 to the right"),
      cl::cat(category)};
  cl::opt<std::string> svg{"svg",
                           cl::desc("write the table as SVG, - is standard "
                                    "output"),
                           cl::value_desc("FILE"), cl::cat(category)};
  cl::opt<std::string> at{
      "at",
      cl::desc("print the value at a coordinate, a number or a tuple: (1,3)"),
      cl::value_desc("COORD"), cl::cat(category)};
  cl::opt<std::string> tile{
      "tile",
      cl::desc("the layout takes (thread, value) to the elements of a tile of "
               "this shape, leftmost mode fastest: draw who holds what"),
      cl::value_desc("SHAPE"), cl::cat(category)};
  cl::opt<unsigned> elementBytes{
      "element-bytes",
      cl::desc("the values are offsets of elements of N bytes in shared "
               "memory: draw banks"),
      cl::value_desc("N"), cl::cat(category)};
  cl::opt<unsigned> accessBytes{
      "access-bytes",
      cl::desc("bytes that a lane reads at once (those of an element)"),
      cl::value_desc("N"), cl::cat(category)};
};
} // namespace
/// Prints the error, and returns the exit code.
static int refuse(const std::string &message) {
  llvm::WithColor::error(llvm::errs(), "tile-layout") << message << '\n';
  return 1;
}

/// Prints the error and its position in the expression, shown as one line.
static int refuseAt(llvm::StringRef expression, const ExpressionError &error) {
  refuse("column " + std::to_string(error.position + 1) + ": " + error.message);
  std::string line = expression.str();
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; },
      ' ');
  llvm::errs() << "  " << line << '\n';
  llvm::errs().indent(2 + error.position) << "^\n";
  return 1;
}

/// Reads the options of a picture; an error if they are invalid.
static Result<PictureOptions> getPictureOptions(const Options &options) {
  using Failure = Result<PictureOptions>;
  PictureOptions result;
  auto getBytes = [](const cl::opt<unsigned> &option,
                     std::optional<unsigned> &bytes) {
    if (option.getNumOccurrences() == 0)
      return true;
    bytes = option;
    return *bytes == 1 || *bytes == 2 || *bytes == 4 || *bytes == 8 ||
           *bytes == 16;
  };
  if (!getBytes(options.elementBytes, result.elementBytes))
    return Failure::failure("expected --element-bytes of 1, 2, 4, 8 or 16, "
                            "got " +
                            std::to_string(options.elementBytes));
  if (!getBytes(options.accessBytes, result.accessBytes))
    return Failure::failure(
        "expected --access-bytes of 1, 2, 4, 8 or 16, got " +
        std::to_string(options.accessBytes));
  if (result.accessBytes && !result.elementBytes)
    return Failure::failure("expected --element-bytes with --access-bytes");
  if (!options.tile.empty()) {
    Result<IntTuple> tile = parseIntTuple(options.tile.getValue());
    if (!tile)
      return Failure::failure("--tile: " + tile.error());
    result.tile = *tile;
  }
  return result;
}

static int printAt(const Value &value, const std::string &coordinate) {
  Result<IntTuple> at = parseIntTuple(coordinate);
  if (!at)
    return refuse("--at: " + at.error());
  Result<std::string> text = evaluateAt(value, *at);
  if (!text)
    return refuse("--at: " + text.error());
  llvm::outs() << *text << '\n';
  return 0;
}

static int writeSvg(const Picture &picture, const std::string &file) {
  std::error_code code;
  llvm::ToolOutputFile output(file, code, llvm::sys::fs::OF_Text);
  if (code)
    return refuse("cannot write " + file + ": " + code.message());
  printSvg(picture, output.os());
  output.keep();
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  nameTool("tile-layout");
  Options options;
  cl::HideUnrelatedOptions({&options.category, &llvm::getColorCategory()});
  std::string overview = kOverview + describeFunctions();
  cl::ParseCommandLineOptions(argc, argv, overview);
  if (!options.expression.getNumOccurrences())
    return refuseCommand("tile-layout", "expected EXPRESSION, a layout or what "
                                        "gives one, found none");

  ExpressionError error;
  std::optional<Value> value = evaluateExpression(options.expression, error);
  if (!value)
    return refuseAt(options.expression, error);
  if (!options.at.empty())
    return printAt(*value, options.at);
  if (options.svg != "-")
    llvm::outs() << toText(*value) << '\n';
  // Options that specify a drawing imply --draw, unless --svg is given.
  bool isDrawn =
      options.draw ||
      (options.svg.empty() &&
       (!options.tile.empty() || options.elementBytes.getNumOccurrences()));
  if (!isDrawn && options.svg.empty())
    return 0;

  Result<PictureOptions> pictureOptions = getPictureOptions(options);
  if (!pictureOptions)
    return refuse(pictureOptions.error());
  Result<Picture> picture = drawValue(*value, *pictureOptions);
  if (!picture)
    return refuse(picture.error());
  if (isDrawn)
    printText(*picture,
              llvm::WithColor::defaultAutoDetectFunction()(llvm::outs()),
              llvm::outs());
  return options.svg.empty() ? 0 : writeSvg(*picture, options.svg);
}
