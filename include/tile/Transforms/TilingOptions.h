// TilingOptions.h - the options of -tile-warp-tiling as a value, and as text
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes.td declares WarpTilingOptions and its text. This file makes them
// usable as an option of a pipeline or a command:
//
//   tiling={warps=2,4 stages=3}

#ifndef TILE_TRANSFORMS_TILINGOPTIONS_H
#define TILE_TRANSFORMS_TILINGOPTIONS_H

#include "tile/Transforms/Passes.h"

#include "llvm/Support/CommandLine.h"

namespace tile {

/// Parses a text such as "warps=2,4 stages=3". On failure `error` states the
/// expected text, and `options` is unchanged.
mlir::LogicalResult parseTilingOptions(llvm::StringRef text,
                                       WarpTilingOptions &options,
                                       std::string &error);

/// Returns a text with every option that parseTilingOptions can read.
std::string printTilingOptions(const WarpTilingOptions &options);

/// Whether an option differs from its default.
bool isTilingGiven(const WarpTilingOptions &options);

} // namespace tile

namespace llvm::cl {

template <>
class parser<tile::WarpTilingOptions>
    : public basic_parser<tile::WarpTilingOptions> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text,
             tile::WarpTilingOptions &value) {
    std::string error;
    return failed(tile::parseTilingOptions(text, value, error)) &&
           option.error(error, name);
  }

  static void print(raw_ostream &os, const tile::WarpTilingOptions &value) {
    os << '{' << tile::printTilingOptions(value) << '}';
  }

  StringRef getValueName() const override { return "options"; }

  void printOptionDiff(const Option &option,
                       const tile::WarpTilingOptions &value,
                       const OptionValue<tile::WarpTilingOptions> &,
                       size_t width) const {
    printOptionName(option, width);
    outs() << "= " << tile::printTilingOptions(value) << "\n";
  }
};

} // namespace llvm::cl

#endif // TILE_TRANSFORMS_TILINGOPTIONS_H
