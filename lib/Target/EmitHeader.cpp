// EmitHeader.cpp - a C header that launches compiled kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the header do the work of the runtime's launcher, with all
// known values as literals: an argument `a` of type `memref<?x64xf16>` becomes
// the parameters `const uint16_t *a, int64_t a_size0`, and 64 a literal.

#include "tile/Target/EmitHeader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;
using namespace tile::runtime;

//===----------------------------------------------------------------------===//
// Names and types of C
//===----------------------------------------------------------------------===//

/// Whether a name is reserved: a keyword of C11 or C++17, or NULL, the only
/// macro of the included headers that is likely as a name.
static bool isReserved(llvm::StringRef name) {
  static const llvm::StringSet<> words = {
      "NULL",          "alignas",     "alignof",
      "and",           "and_eq",      "asm",
      "auto",          "bitand",      "bitor",
      "bool",          "break",       "case",
      "catch",         "char",        "char16_t",
      "char32_t",      "class",       "compl",
      "const",         "const_cast",  "constexpr",
      "continue",      "decltype",    "default",
      "delete",        "do",          "double",
      "dynamic_cast",  "else",        "enum",
      "explicit",      "export",      "extern",
      "false",         "float",       "for",
      "friend",        "goto",        "if",
      "inline",        "int",         "long",
      "mutable",       "namespace",   "new",
      "noexcept",      "not",         "not_eq",
      "nullptr",       "operator",    "or",
      "or_eq",         "private",     "protected",
      "public",        "register",    "reinterpret_cast",
      "restrict",      "return",      "short",
      "signed",        "sizeof",      "static",
      "static_assert", "static_cast", "struct",
      "switch",        "template",    "this",
      "thread_local",  "throw",       "true",
      "try",           "typedef",     "typeid",
      "typename",      "union",       "unsigned",
      "using",         "virtual",     "void",
      "volatile",      "wchar_t",     "while",
      "xor",           "xor_eq"};
  return words.contains(name) || name.starts_with("tile_") ||
         name.starts_with("_");
}

static bool isIdentifier(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// Replaces every character that C does not allow in an identifier by an
/// underscore.
static std::string makeIdentifier(llvm::StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  return isIdentifier(result) ? result : "_" + result;
}

/// Returns the C type of an element; if C has none, the unsigned integer with
/// as many bits.
static const char *getElementName(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::ComplexF64:
    return "double";
  case ElementType::F32:
  case ElementType::ComplexF32:
    return "float";
  case ElementType::F16:
  case ElementType::BF16:
    return "uint16_t";
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
  case ElementType::I1:
    return "uint8_t";
  case ElementType::I8:
    return "int8_t";
  case ElementType::I16:
    return "int16_t";
  case ElementType::I32:
    return "int32_t";
  case ElementType::I64:
  case ElementType::Index:
    return "int64_t";
  }
  return "void";
}

static bool isComplex(ElementType type) {
  return type == ElementType::ComplexF32 || type == ElementType::ComplexF64;
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

namespace {
/// Writes the declarations and code for one kernel.
class KernelWriter {
public:
  KernelWriter(const KernelMetadata &kernel, llvm::raw_ostream &os)
      : kernel(kernel), os(os) {
    for (size_t index = 0; index < kernel.arguments.size(); ++index)
      names.push_back(chooseName(index));
  }
  void write();

private:
  std::string chooseName(size_t index);
  std::string getExtent(const char *what, int64_t argument, int64_t dimension,
                        const std::vector<StaticOrRunTime> &known) const;
  std::string getSize(int64_t argument, int64_t dimension) const;
  std::string getStride(int64_t argument, int64_t dimension) const;
  std::string express(const Expression &expression) const;
  std::string express(const Predicate &predicate) const;
  void collectParameters();
  void writeConstants();
  void writeWorkspaceSizes();
  void writeSignature();
  void writeEntryChoice();
  void writeGrid();
  void writeLaunch();

  const KernelMetadata &kernel;
  llvm::raw_ostream &os;
  llvm::StringSet<> taken;
  std::vector<std::string> names;
  /// Declarations of the function's parameters, in order.
  std::vector<std::string> declarations;
  /// The variables whose addresses are the kernel's parameters.
  std::vector<std::string> parameters;
  /// Statements that compute the values that several parameters use.
  std::vector<std::string> locals;
};
} // namespace

/// Returns the name of an argument, or `argN` if the name is not a valid C
/// identifier, is reserved, or collides with the names for another argument.
std::string KernelWriter::chooseName(size_t index) {
  std::string name = kernel.arguments[index].name;
  if (!isIdentifier(name) || isReserved(name) ||
      llvm::any_of(taken, [&](const auto &other) {
        return name == other.first() ||
               llvm::StringRef(name).starts_with(other.first().str() + "_") ||
               other.first().starts_with(name + "_");
      }))
    name = "arg" + std::to_string(index) + "x";
  taken.insert(name);
  return name;
}

std::string
KernelWriter::getExtent(const char *what, int64_t argument, int64_t dimension,
                        const std::vector<StaticOrRunTime> &known) const {
  if (known[dimension])
    return "INT64_C(" + std::to_string(*known[dimension]) + ")";
  return names[argument] + "_" + what + std::to_string(dimension);
}

std::string KernelWriter::getSize(int64_t argument, int64_t dimension) const {
  return getExtent("size", argument, dimension,
                   kernel.arguments[argument].shape);
}

std::string KernelWriter::getStride(int64_t argument, int64_t dimension) const {
  return getExtent("stride", argument, dimension,
                   kernel.arguments[argument].strides);
}

std::string KernelWriter::express(const Expression &expression) const {
  auto both = [&](const char *before, const char *between) {
    return before + express(expression.operands[0]) + between +
           express(expression.operands[1]) + ")";
  };
  using Kind = Expression::Kind;
  switch (expression.kind) {
  case Kind::Constant:
    return "INT64_C(" + std::to_string(expression.value) + ")";
  case Kind::Size:
    return getSize(expression.argument, expression.dimension);
  case Kind::Stride:
    return getStride(expression.argument, expression.dimension);
  case Kind::Scalar:
    return "(int64_t)" + names[expression.argument];
  case Kind::Add:
    return both("(", " + ");
  case Kind::Subtract:
    return both("(", " - ");
  case Kind::Multiply:
    return both("(", " * ");
  case Kind::FloorDivide:
    return both("tile_floordiv(", ", ");
  case Kind::CeilDivide:
    return both("tile_ceildiv(", ", ");
  case Kind::Modulo:
    return both("tile_mod(", ", ");
  case Kind::Minimum:
    return both("tile_min(", ", ");
  case Kind::Maximum:
    return both("tile_max(", ", ");
  case Kind::Equal:
    return both("(int64_t)(", " == ");
  case Kind::Less:
    return both("(int64_t)(", " < ");
  case Kind::AtMost:
    return both("(int64_t)(", " <= ");
  }
  return {};
}

std::string KernelWriter::express(const Predicate &predicate) const {
  std::string value;
  switch (predicate.what) {
  case Predicate::What::Pointer:
    value = "(uintptr_t)" + names[predicate.argument];
    break;
  case Predicate::What::Stride:
    value = getStride(predicate.argument, predicate.dimension);
    break;
  case Predicate::What::Size:
    value = getSize(predicate.argument, predicate.dimension);
    break;
  case Predicate::What::Scalar:
    value = names[predicate.argument];
    break;
  }
  return value + " % " + std::to_string(predicate.multipleOf) + " == 0";
}

void KernelWriter::collectParameters() {
  auto add = [&](const std::string &type, const std::string &name) {
    declarations.push_back(type + name);
    parameters.push_back(name);
  };
  for (auto [index, argument] : llvm::enumerate(kernel.arguments)) {
    const std::string &name = names[index];
    std::string element = getElementName(argument.type);
    if (argument.kind == Argument::Kind::Array) {
      add((argument.access == Access::Read ? "const " : "") + element + " *",
          name);
      for (size_t dim = 0; dim < argument.shape.size(); ++dim)
        if (!argument.shape[dim])
          add("int64_t ", getSize(index, dim));
      for (size_t dim = 0; dim < argument.strides.size(); ++dim)
        if (!argument.strides[dim])
          add("int64_t ", getStride(index, dim));
    } else if (isComplex(argument.type)) {
      declarations.push_back(element + " " + name + "_re");
      declarations.push_back(element + " " + name + "_im");
      locals.push_back(element + " " + name + "[2] = {" + name + "_re, " +
                       name + "_im};");
      parameters.push_back(name);
    } else {
      add(element + " ", name);
    }
  }
  for (size_t index = 0; index < kernel.hiddenArguments.size(); ++index)
    add("CUdeviceptr ", "tile_workspace" + std::to_string(index));
  if (!kernel.grid)
    for (const char *axis : {"x", "y", "z"})
      declarations.push_back(std::string("int64_t tile_grid_") + axis);
}

void KernelWriter::writeConstants() {
  os << "enum {\n";
  for (auto [axis, extent] : llvm::zip("xyz", kernel.block))
    os << "  " << kernel.name << "_block_" << axis << " = " << extent << ",\n";
  if (kernel.threads)
    os << "  " << kernel.name << "_threads = " << *kernel.threads
       << ", /* of the block; the others fill its last warp */\n";
  os << "  " << kernel.name << "_shared_bytes = " << kernel.sharedBytes
     << "\n};\n\n";
}

/// Writes, for each hidden argument, a function that returns the size of the
/// workspace that the caller must provide.
void KernelWriter::writeWorkspaceSizes() {
  for (auto [index, hidden] : llvm::enumerate(kernel.hiddenArguments)) {
    os << "/* Bytes of tile_workspace" << index << ", aligned to 256"
       << (hidden.zero ? ", zero before each launch" : "") << ". */\n"
       << "static inline int64_t " << kernel.name << "_workspace" << index
       << "_bytes(" << llvm::join(declarations, ", ") << ") {\n";
    for (const std::string &name : parameters)
      os << "  (void)" << name << ";\n";
    os << "  return " << express(hidden.bytes) << ";\n}\n\n";
  }
}

void KernelWriter::writeSignature() {
  os << "static inline CUresult " << kernel.name
     << "_launch(CUmodule tile_module, CUstream tile_stream";
  for (const std::string &declaration : declarations)
    os << ",\n    " << declaration;
  os << ") {\n";
}

void KernelWriter::writeEntryChoice() {
  os << "  const char *tile_entry = 0;\n"
     << "  unsigned tile_block[3] = {0}, tile_shared = 0;\n";
  for (auto [index, entry] : llvm::enumerate(kernel.entries)) {
    std::vector<std::string> conditions;
    for (const Predicate &predicate : entry.predicates)
      conditions.push_back(express(predicate));
    os << "  if (!tile_entry";
    for (const std::string &condition : conditions)
      os << " && " << condition;
    const std::array<int64_t, 3> &block = getBlock(kernel, index);
    os << ") {\n    tile_entry = \"" << entry.symbol << "\";\n";
    for (auto [axis, extent] : llvm::enumerate(block))
      os << "    tile_block[" << axis << "] = " << extent << ";\n";
    os << "    tile_shared = " << getSharedBytes(kernel, index) << ";\n  }\n";
  }
  os << "  if (!tile_entry)\n    return CUDA_ERROR_INVALID_VALUE;\n";
}

void KernelWriter::writeGrid() {
  if (kernel.grid)
    for (auto [axis, extent] : llvm::zip("xyz", *kernel.grid))
      os << "  int64_t tile_grid_" << axis << " = " << express(extent) << ";\n";
  os << "  if (tile_grid_x <= 0 || tile_grid_y <= 0 || tile_grid_z <= 0)\n"
     << "    return CUDA_SUCCESS; /* No blocks, nothing to do. */\n"
     << "  if (tile_grid_x > INT32_MAX || tile_grid_y > 65535 ||\n"
     << "      tile_grid_z > 65535)\n"
     << "    return CUDA_ERROR_INVALID_VALUE;\n";
}

void KernelWriter::writeLaunch() {
  os << "  CUfunction tile_function;\n"
     << "  CUresult tile_status =\n"
     << "      cuModuleGetFunction(&tile_function, tile_module, tile_entry);\n"
     << "  if (tile_status != CUDA_SUCCESS)\n    return tile_status;\n";
  os << "  if (tile_shared > 0)\n"
     << "    tile_status = cuFuncSetAttribute(\n        tile_function,\n"
     << "        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,\n"
     << "        (int)tile_shared);\n"
     << "  if (tile_status != CUDA_SUCCESS)\n    return tile_status;\n";
  for (const std::string &local : locals)
    os << "  " << local << "\n";
  os << "  void *tile_parameters[] = {";
  for (const std::string &name : parameters)
    os << "(void *)&" << name << ", ";
  os << "0};\n"
     << "  return cuLaunchKernel(tile_function, (unsigned)tile_grid_x,\n"
     << "      (unsigned)tile_grid_y, (unsigned)tile_grid_z, tile_block[0],\n"
     << "      tile_block[1], tile_block[2], tile_shared, tile_stream,\n"
     << "      tile_parameters, 0);\n}\n\n";
}

void KernelWriter::write() {
  collectParameters();
  writeConstants();
  writeWorkspaceSizes();
  os << "/* Launches '" << kernel.name << "' for " << kernel.arch
     << ". Pointers are to device memory; strides are in\n   elements. */\n";
  writeSignature();
  writeEntryChoice();
  writeGrid();
  writeLaunch();
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

static const char *const kArithmetic = R"(#ifndef TILE_LAUNCH_ARITHMETIC
#define TILE_LAUNCH_ARITHMETIC
static inline int64_t tile_floordiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
static inline int64_t tile_ceildiv(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}
static inline int64_t tile_mod(int64_t a, int64_t b) {
  return a - tile_floordiv(a, b) * b;
}
static inline int64_t tile_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tile_max(int64_t a, int64_t b) { return a > b ? a : b; }
#endif

)";

static void writeBinary(llvm::StringRef binary, llvm::StringRef stem,
                        llvm::raw_ostream &os) {
  constexpr size_t kBytesPerLine = 20;
  os << "#ifdef __cplusplus\nalignas(16)\n#else\n_Alignas(16)\n#endif\n"
     << "static const unsigned char " << stem << "_binary["
     << std::max<size_t>(binary.size(), 1) << "] = {";
  for (size_t index = 0; index < binary.size(); ++index)
    os << (index % kBytesPerLine == 0 ? "\n" : "")
       << unsigned(static_cast<unsigned char>(binary[index])) << ",";
  os << (binary.empty() ? "0" : "") << "\n};\n\n"
     << "/* Loads the kernels into the current context. */\n"
     << "static inline CUresult " << stem
     << "_load(CUmodule *tile_module) {\n  return "
        "cuModuleLoadData(tile_module, "
     << stem << "_binary);\n}\n\n";
}

std::string tile::emitHeader(const ModuleMetadata &metadata,
                             llvm::StringRef binary, llvm::StringRef stem) {
  std::string name = makeIdentifier(stem);
  std::string guard = llvm::StringRef(name).upper() + "_TILE_H";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Written by tile-compile. C11 and C++17; link with libcuda. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <cuda.h>\n#include <stdint.h>\n\n"
     << kArithmetic;
  writeBinary(binary, name, os);
  for (const KernelMetadata &kernel : metadata.kernels)
    KernelWriter(kernel, os).write();
  os << "#endif\n";
  return text;
}
