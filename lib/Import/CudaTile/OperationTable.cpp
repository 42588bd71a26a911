// OperationTable.cpp - the operations of CUDA Tile IR and their encoding
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperationTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <vector>

using namespace tile::cudatile;
using llvm::StringRef;

namespace {
/// A row of the table. Words of a column are separated by blanks. After `@` is
/// the minor version that introduced the word, or the flags.
struct Row {
  unsigned opcode;
  const char *name;
  unsigned since;
  /// Their count, after `#` if the file has it, too; `*` for any count.
  const char *results;
  const char *flags;
  const char *attributes; ///< `name:encoding`, with `?` if optional
  /// `name`, with `?` if optional and `*` if variadic; `#` first if all
  /// operands have one count
  const char *operands;
  bool hasRegions = false;
};
} // namespace

static constexpr Row kRows[] = {
    {0, "absf", 1, "1", "", "", "source"},
    {1, "absi", 1, "1", "", "", "source"},
    {2, "addf", 1, "1", "flush_to_zero", "rounding:byte", "lhs rhs"},
    {3, "addi", 1, "1", "", "overflow:byte", "lhs rhs"},
    {113, "alloca", 3, "1", "global", "count:integer alignment:integer", ""},
    {4, "andi", 1, "1", "", "", "lhs rhs"},
    {5, "assert", 1, "0", "", "message:string", "condition"},
    {6, "assume", 1, "1", "", "predicate:tagged", "value"},
    {110, "atan2", 2, "1", "", "", "x y"},
    {7, "atomic_cas_tko", 1, "2", "mask token", "ordering:byte scope:byte",
     "pointers cmp value mask? token?"},
    {117, "atomic_red_view_tko", 3, "#1", "token",
     "ordering:byte scope:byte mode:byte in_bounds:booleans@5",
     "view index* value token?"},
    {8, "atomic_rmw_tko", 1, "2", "mask token",
     "ordering:byte scope:byte mode:byte", "pointers value mask? token?"},
    {9, "bitcast", 1, "1", "", "", "source"},
    {10, "break", 1, "#0", "", "", "# values*"},
    {11, "broadcast", 1, "1", "", "", "source"},
    {12, "cat", 1, "1", "", "dim:integer", "lhs rhs"},
    {13, "ceil", 1, "1", "", "", "source"},
    {14, "cmpf", 1, "1", "", "predicate:byte ordering:byte", "lhs rhs"},
    {15, "cmpi", 1, "1", "", "predicate:byte signedness:byte", "lhs rhs"},
    {16, "constant", 1, "1", "", "value:constant", ""},
    {17, "continue", 1, "#0", "", "", "# values*"},
    {18, "cos", 1, "1", "", "", "source"},
    {19, "cosh", 1, "1", "", "", "source"},
    {20, "divf", 1, "1", "flush_to_zero", "rounding:byte", "lhs rhs"},
    {21, "divi", 1, "1", "", "signedness:byte rounding:byte", "lhs rhs"},
    {23, "exp", 1, "1", "", "rounding:byte@3", "source"},
    {24, "exp2", 1, "1", "flush_to_zero", "", "source"},
    {38, "extract", 1, "#1", "", "", "# source indices*"},
    {37, "exti", 1, "1", "", "signedness:byte", "source"},
    {39, "floor", 1, "1", "", "", "source"},
    {40, "fma", 1, "1", "flush_to_zero", "rounding:byte", "lhs rhs acc"},
    {41, "for", 1, "*", "unsigned@2", "", "# lower upper step init*", true},
    {84, "fpowf", 1, "1", "", "", "source exponent"},
    {121, "fpowi", 4, "1", "", "", "source exponent"},
    {42, "ftof", 1, "1", "", "rounding:byte", "source"},
    {43, "ftoi", 1, "1", "saturating@4", "signedness:byte rounding:byte",
     "source"},
    {119, "gdc_launch_dependents_tko", 4, "1", "", "", "# token*"},
    {120, "gdc_wait_tko", 4, "1", "", "", "# token*"},
    {44, "get_global", 1, "1", "", "name:string", ""},
    {45, "get_index_space_shape", 1, "*", "", "", "source"},
    {46, "get_num_tile_blocks", 1, "3", "", "", ""},
    {47, "get_tensor_shape", 1, "*", "", "", "source"},
    {48, "get_tile_block_id", 1, "3", "", "", ""},
    {50, "if", 1, "*", "", "", "condition", true},
    {118, "insert", 4, "#1", "", "", "# source dest indices*"},
    {51, "int_to_ptr", 1, "1", "", "", "source"},
    {58, "iota", 1, "1", "", "", ""},
    {59, "itof", 1, "1", "", "signedness:byte rounding:byte", "source"},
    {60, "join_tokens", 1, "#1", "", "", "# tokens*"},
    {61, "load_ptr_tko", 1, "2", "scope hints mask pad token",
     "ordering:byte scope:byte? hints:hints?", "source mask? pad? token?"},
    {62, "load_view_tko", 1, "#2", "scope hints token",
     "ordering:byte scope:byte? hints:hints? in_bounds:booleans@4",
     "view index* token?"},
    {63, "log", 1, "1", "", "", "source"},
    {64, "log2", 1, "1", "", "", "source"},
    {65, "loop", 1, "*", "", "", "# init*", true},
    {115, "make_gather_scatter_view", 3, "1", "", "", "source"},
    {66, "make_partition_view", 1, "1", "", "", "source"},
    {116, "make_strided_view", 3, "1", "", "", "source"},
    {67, "make_tensor_view", 1, "#1", "", "", "base shape* strides*"},
    {68, "make_token", 1, "1", "", "", ""},
    {69, "maxf", 1, "1", "propagate_nan flush_to_zero", "", "lhs rhs"},
    {70, "maxi", 1, "1", "", "signedness:byte", "lhs rhs"},
    {122, "memory_fence_alias_tko", 4, "1", "", "", "token"},
    {71, "minf", 1, "1", "propagate_nan flush_to_zero", "", "lhs rhs"},
    {72, "mini", 1, "1", "", "signedness:byte", "lhs rhs"},
    {73, "mmaf", 1, "1", "fast_acc@3", "", "lhs rhs acc"},
    {114, "mmaf_scaled", 3, "1", "", "", "lhs rhs acc lhs_scale rhs_scale"},
    {74, "mmai", 1, "1", "", "signedness_lhs:byte signedness_rhs:byte",
     "lhs rhs acc"},
    {76, "mulf", 1, "1", "flush_to_zero", "rounding:byte", "lhs rhs"},
    {77, "mulhii", 1, "1", "", "", "lhs rhs"},
    {78, "muli", 1, "1", "", "overflow:byte", "lhs rhs"},
    {123, "multimem_load_reduce_view_tko", 5, "#2", "scope token",
     "ordering:byte scope:byte? reduction:byte in_bounds:booleans",
     "view index* token?"},
    {124, "multimem_reduce_view_tko", 5, "#1", "token",
     "ordering:byte scope:byte reduction:byte in_bounds:booleans",
     "view value index* token?"},
    {125, "multimem_store_view_tko", 5, "#1", "scope token",
     "ordering:byte scope:byte? in_bounds:booleans",
     "view value index* token?"},
    {79, "negf", 1, "1", "", "", "source"},
    {80, "negi", 1, "1", "", "overflow:byte@2", "source"},
    {81, "offset", 1, "1", "", "", "source offset"},
    {82, "ori", 1, "1", "", "", "lhs rhs"},
    {111, "pack", 3, "1", "", "", "source"},
    {83, "permute", 1, "1", "", "permutation:integers", "source"},
    {85, "print_tko", 1, "*", "token@2", "format:string", "values* token?"},
    {86, "ptr_to_int", 1, "1", "", "", "source"},
    {87, "ptr_to_ptr", 1, "1", "", "", "source"},
    {88, "reduce", 1, "*", "", "dim:integer identities:array", "# values*",
     true},
    {89, "remf", 1, "1", "", "", "lhs rhs"},
    {90, "remi", 1, "1", "", "signedness:byte", "lhs rhs"},
    {91, "reshape", 1, "1", "", "", "source"},
    {92, "return", 1, "#0", "", "", "# values*"},
    {93, "rsqrt", 1, "1", "flush_to_zero", "", "source"},
    {94, "scan", 1, "*", "", "dim:integer reverse:byte identities:array",
     "# values*", true},
    {95, "select", 1, "1", "", "", "condition on_true on_false"},
    {96, "shli", 1, "1", "", "overflow:byte", "lhs rhs"},
    {97, "shri", 1, "1", "", "signedness:byte", "lhs rhs"},
    {98, "sin", 1, "1", "", "", "source"},
    {99, "sinh", 1, "1", "", "", "source"},
    {100, "sqrt", 1, "1", "flush_to_zero", "rounding:byte", "source"},
    {101, "store_ptr_tko", 1, "1", "scope hints mask token",
     "ordering:byte scope:byte? hints:hints?", "dest value mask? token?"},
    {102, "store_view_tko", 1, "#1", "scope hints token",
     "ordering:byte scope:byte? hints:hints? in_bounds:booleans@4",
     "value view index* token?"},
    {103, "subf", 1, "1", "flush_to_zero", "rounding:byte", "lhs rhs"},
    {104, "subi", 1, "1", "", "overflow:byte", "lhs rhs"},
    {105, "tan", 1, "1", "", "", "source"},
    {106, "tanh", 1, "1", "", "rounding:byte@2", "source"},
    {107, "trunci", 1, "1", "", "overflow:byte", "source"},
    {112, "unpack", 3, "1", "", "", "source"},
    {108, "xori", 1, "1", "", "", "lhs rhs"},
    {109, "yield", 1, "#0", "", "", "# values*"},
};

/// Returns the version after `@`, which it removes from the word.
static unsigned takeVersion(StringRef &word) {
  auto [rest, version] = word.split('@');
  word = rest;
  unsigned minor = 1;
  (void)version.getAsInteger(10, minor);
  return minor;
}

static AttributeEncoding parseEncoding(StringRef name) {
  return llvm::StringSwitch<AttributeEncoding>(name)
      .Case("integer", AttributeEncoding::integer)
      .Case("byte", AttributeEncoding::byte)
      .Case("string", AttributeEncoding::string)
      .Case("constant", AttributeEncoding::constant)
      .Case("integers", AttributeEncoding::integers)
      .Case("booleans", AttributeEncoding::booleans)
      .Case("hints", AttributeEncoding::hints)
      .Case("tagged", AttributeEncoding::tagged)
      .Case("array", AttributeEncoding::array);
}

static AttributeFormat parseAttribute(StringRef word) {
  AttributeFormat format;
  format.since = takeVersion(word);
  format.isOptional = word.consume_back("?");
  auto [name, encoding] = word.split(':');
  format.name = name;
  format.encoding = parseEncoding(encoding);
  return format;
}

static OperandFormat parseOperand(StringRef word) {
  if (word.consume_back("?"))
    return {word, OperandCount::optional};
  if (word.consume_back("*"))
    return {word, OperandCount::variadic};
  return {word, OperandCount::one};
}

static OperationFormat parseRow(const Row &row) {
  OperationFormat format;
  format.opcode = row.opcode;
  format.name = row.name;
  format.since = row.since;
  StringRef results = row.results;
  format.hasResultCount = results.consume_front("#") || results == "*";
  if (unsigned count; !results.getAsInteger(10, count))
    format.results = count;
  format.flagsSince = 1;
  for (StringRef word : llvm::split(row.flags, ' '))
    if (!word.empty()) {
      format.flagsSince = std::max(format.flagsSince, takeVersion(word));
      format.flags.push_back(word);
    }
  for (StringRef word : llvm::split(row.attributes, ' '))
    if (!word.empty())
      format.attributes.push_back(parseAttribute(word));
  StringRef operands = row.operands;
  format.hasOperandCount = operands.consume_front("# ");
  for (StringRef word : llvm::split(operands, ' '))
    if (!word.empty())
      format.operands.push_back(parseOperand(word));
  format.hasRegions = row.hasRegions;
  return format;
}

unsigned OperationFormat::getFlag(StringRef flag) const {
  return llvm::find(flags, flag) - flags.begin();
}

llvm::ArrayRef<OperationFormat> tile::cudatile::getOperations() {
  static const std::vector<OperationFormat> operations = [] {
    std::vector<OperationFormat> all;
    for (const Row &row : kRows)
      all.push_back(parseRow(row));
    return all;
  }();
  return operations;
}

const OperationFormat *tile::cudatile::findOperation(uint64_t opcode) {
  static const llvm::DenseMap<uint64_t, const OperationFormat *> byOpcode = [] {
    llvm::DenseMap<uint64_t, const OperationFormat *> map;
    for (const OperationFormat &format : getOperations())
      map[format.opcode] = &format;
    return map;
  }();
  return byOpcode.lookup(opcode);
}
