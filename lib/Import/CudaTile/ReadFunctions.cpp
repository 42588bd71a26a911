// ReadFunctions.cpp - the functions of a bytecode file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadFunctions.h"

using namespace tile::cudatile;
using llvm::Twine;

namespace {
/// Reads the operations of one function.
class BodyReader {
public:
  BodyReader(ByteReader reader, FileTables &tables, Program &program,
             size_t function)
      : reader(reader), tables(tables), program(program), function(function) {}

  void readBody(SourceRegion &body, const SourceType &type);

private:
  SourceRegion readRegion();
  SourceOp readOperation();
  void readResults(SourceOp &op);
  void readFlags(SourceOp &op);
  void readAttributes(SourceOp &op);
  SourceAttribute readAttribute(AttributeEncoding encoding);
  void readOperands(SourceOp &op);
  void readRegions(SourceOp &op);
  SourceValue *readOperand();
  SourceValue *define(const SourceType *type);

  ByteReader reader;
  FileTables &tables;
  Program &program;
  size_t function;
  /// The values that operations may use, by their indices in the file.
  std::vector<SourceValue *> visible;
  /// The operations so far. The first location is the function's.
  size_t count = 0;
  unsigned depth = 0;
};
} // namespace

SourceValue *BodyReader::define(const SourceType *type) {
  SourceValue *value = &program.values.emplace_back(SourceValue{type});
  visible.push_back(value);
  return value;
}

SourceValue *BodyReader::readOperand() {
  uint64_t index = reader.readVarint();
  if (index < visible.size())
    return visible[index];
  reader.fail("expected the index of one of " + Twine(visible.size()) +
              " values, got " + Twine(index));
  return nullptr;
}

void BodyReader::readBody(SourceRegion &body, const SourceType &type) {
  for (const SourceType *parameter : type.parameters)
    body.arguments.push_back(define(parameter));
  while (!reader.isAtEnd())
    body.operations.push_back(readOperation());
}

/// Reads a region, which has one block. Its values are not visible after it.
SourceRegion BodyReader::readRegion() {
  SourceRegion region;
  size_t before = visible.size();
  if (uint8_t blocks = reader.readByte(); blocks != 1)
    reader.fail("expected a region with one block, got " + Twine(blocks));
  for (const SourceType *type : tables.readTypes(reader))
    region.arguments.push_back(define(type));
  uint64_t operations = reader.readCount(1);
  for (uint64_t i = 0; i < operations && !reader.isAtEnd(); ++i)
    region.operations.push_back(readOperation());
  visible.resize(before);
  return region;
}

SourceOp BodyReader::readOperation() {
  uint64_t opcode = reader.readVarint();
  SourceOp op(findOperation(opcode), tables.getLocation(function, ++count));
  if (!op.format) {
    reader.fail("expected the opcode of an operation, got " + Twine(opcode));
    return op;
  }
  if (op.format->since > program.minor)
    reader.fail("expected an operation of version 13." + Twine(program.minor) +
                ", got " + op.getName());
  readResults(op);
  readFlags(op);
  readAttributes(op);
  readOperands(op);
  if (op.format->hasRegions)
    readRegions(op);
  for (SourceValue *result : op.results)
    visible.push_back(result);
  return op;
}

void BodyReader::readResults(SourceOp &op) {
  llvm::SmallVector<const SourceType *> types;
  std::optional<unsigned> count = op.format->results;
  if (op.format->hasResultCount)
    types = tables.readTypes(reader);
  else
    for (unsigned i = 0; i < *count; ++i)
      types.push_back(tables.readType(reader));
  if (count && types.size() != *count)
    reader.fail("expected " + Twine(*count) + " results of " + op.getName() +
                ", got " + Twine(types.size()));
  for (const SourceType *type : types)
    op.results.push_back(&program.values.emplace_back(SourceValue{type}));
}

void BodyReader::readFlags(SourceOp &op) {
  const OperationFormat &format = *op.format;
  if (format.flags.empty() || program.minor < format.flagsSince)
    return;
  op.flags = reader.readVarint();
  if (op.flags >> format.flags.size())
    reader.fail("expected " + Twine(format.flags.size()) + " flags of " +
                op.getName() + ", got " + Twine(op.flags));
}

void BodyReader::readAttributes(SourceOp &op) {
  for (const AttributeFormat &format : op.format->attributes) {
    bool isThere = program.minor >= format.since &&
                   (!format.isOptional || op.hasFlag(format.name));
    op.attributes.push_back(isThere ? readAttribute(format.encoding)
                                    : SourceAttribute());
  }
}

SourceAttribute BodyReader::readAttribute(AttributeEncoding encoding) {
  SourceAttribute attribute;
  attribute.tag = AttributeTag::integer;
  switch (encoding) {
  case AttributeEncoding::integer:
    attribute.number = reader.readVarint();
    return attribute;
  case AttributeEncoding::byte:
    attribute.number = reader.readByte();
    return attribute;
  case AttributeEncoding::string:
    attribute.tag = AttributeTag::string;
    attribute.text = tables.readString(reader);
    return attribute;
  case AttributeEncoding::constant:
    attribute.tag = AttributeTag::constant;
    attribute.bytes = tables.readConstant(reader);
    return attribute;
  case AttributeEncoding::integers:
    attribute.integers = reader.readIntegers(4);
    return attribute;
  case AttributeEncoding::booleans:
    attribute.integers = reader.readIntegers(1);
    return attribute;
  case AttributeEncoding::hints:
    return tables.readDictionary(reader);
  case AttributeEncoding::tagged:
    return tables.readTagged(reader);
  case AttributeEncoding::array:
    return tables.readArray(reader);
  }
  llvm_unreachable("an encoding");
}

void BodyReader::readOperands(SourceOp &op) {
  const OperationFormat &format = *op.format;
  uint64_t left = format.hasOperandCount ? reader.readCount(1) : 0;
  for (const OperandFormat &operand : format.operands) {
    uint64_t values = 1;
    if (operand.count == OperandCount::optional)
      values = op.hasFlag(operand.name);
    else if (operand.count == OperandCount::variadic)
      values = format.hasOperandCount ? left : reader.readCount(1);
    else if (format.hasOperandCount && left == 0)
      reader.fail("expected operand '" + operand.name + "' of " + op.getName());
    std::vector<SourceValue *> &list = op.operands.emplace_back();
    for (uint64_t i = 0; i < values; ++i)
      list.push_back(readOperand());
    left -= std::min(left, values);
  }
  if (left > 0)
    reader.fail("expected " + Twine(left) + " operands fewer of " +
                op.getName());
}

void BodyReader::readRegions(SourceOp &op) {
  constexpr unsigned kMostDepth = 256;
  unsigned expected = op.getName() == "if" ? 2 : 1;
  uint64_t regions = reader.readVarint();
  if (regions != expected)
    return reader.fail("expected " + Twine(expected) + " regions of " +
                       op.getName() + ", got " + Twine(regions));
  if (depth == kMostDepth)
    return reader.fail("expected regions in at most " + Twine(kMostDepth) +
                       " others");
  ++depth;
  for (uint64_t i = 0; i < regions; ++i)
    op.regions.push_back(readRegion());
  --depth;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Reads a function. `index` is that of its locations, if it has some.
static void readFunction(ByteReader &reader, FileTables &tables,
                         Program &program, FileErrors &errors) {
  constexpr uint8_t kPrivate = 1, kEntry = 2, kHints = 4;
  constexpr unsigned kArgumentsSince = 5;
  llvm::StringRef name = tables.readString(reader);
  const SourceType *type = tables.readType(reader);
  uint8_t flags = reader.readByte();
  if (flags > (kPrivate | kEntry | kHints))
    reader.fail("expected flags of a function, got " + Twine(flags));
  if (type && type->tag != TypeTag::function)
    reader.fail("expected the type of a function");
  // Locations are counted from one; zero is a function without them.
  uint64_t locations = reader.readVarint() - 1;
  bool isEntry = flags & kEntry;
  bool hasHints =
      (flags & kHints) || (isEntry && program.minor >= kArgumentsSince);
  SourceAttribute hints =
      hasHints ? tables.readTagged(reader) : SourceAttribute();
  if (program.minor >= kArgumentsSince)
    tables.readTagged(reader); // attributes of parameters
  size_t size = reader.readCount(1), start = reader.getOffset();
  ByteReader body(reader.readBytes(size), start, errors);
  if (errors.hasFailed())
    return;
  SourceFunction &function = program.functions.emplace_back(
      SourceFunction{name, type, isEntry, bool(flags & kPrivate), hints,
                     tables.getLocation(locations, 0), SourceRegion()});
  BodyReader(body, tables, program, locations).readBody(function.body, *type);
}

void tile::cudatile::readFunctions(ByteReader reader, FileTables &tables,
                                   Program &program, FileErrors &errors) {
  uint64_t count = reader.readCount(1);
  for (uint64_t i = 0; i < count && !errors.hasFailed(); ++i)
    readFunction(reader, tables, program, errors);
}
