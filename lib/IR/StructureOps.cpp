// StructureOps.cpp - tile.kernel, tile.return, tile.program_id
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  SMLoc loc = parser.getCurrentLocation();
  if (function_interface_impl::parseFunctionOp(
          parser, result, /*allowVariadic=*/false,
          getFunctionTypeAttrName(result.name), buildType,
          getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name)))
    return failure();
  // An attribute of the wrong kind would be dropped silently, so it is verified
  // here.
  return verifyInherentAttrs(result.name, result.attributes,
                             [&] { return parser.emitError(loc); });
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

/// Whether an attribute is a signless integer of 64 bits, which getInt() can
/// read.
static bool isI64(Attribute attr) {
  auto integer = dyn_cast<IntegerAttr>(attr);
  return integer && integer.getType().isSignlessInteger(64);
}

/// C3: a source is [argument, dimension] of an array or [argument] of an
/// integer.
static LogicalResult verifyGridSource(KernelOp kernel, Attribute source) {
  auto error = [&]() {
    return kernel.emitOpError()
           << "expected a source of the grid to be [argument, dimension] of an "
              "array or [argument] of an integer scalar, got "
           << source;
  };
  auto values = dyn_cast<ArrayAttr>(source);
  if (!values || values.empty() || values.size() > 2 ||
      !llvm::all_of(values, isI64))
    return error();
  int64_t argument = cast<IntegerAttr>(values[0]).getInt();
  if (argument < 0 || argument >= kernel.getNumArguments())
    return error();
  Type type = kernel.getArgumentTypes()[argument];
  auto array = dyn_cast<MemRefType>(type);
  if (!array)
    return values.size() == 1 && type.isIntOrIndex() ? success() : error();
  if (values.size() != 2)
    return error();
  int64_t dim = cast<IntegerAttr>(values[1]).getInt();
  return dim >= 0 && dim < array.getRank() ? success() : error();
}

/// Verifies (C1) for an argument.
static LogicalResult verifyArgument(KernelOp kernel, unsigned index,
                                    Type type) {
  if (!isGlobalArray(type) && !isTileElementType(type))
    return kernel.emitOpError() << "expected argument " << index
                                << " to be an array in global memory (memref "
                                   "of rank 1 to 8) or a scalar, got "
                                << type;
  auto array = dyn_cast<MemRefType>(type);
  if (!array)
    return success();
  int64_t offset = array.getStridesAndOffset().second;
  if (offset == 0 || ShapedType::isDynamic(offset))
    return success();
  return kernel.emitOpError()
         << "expected argument " << index
         << " to be an array of offset 0 or ? (a launch gives the address of "
            "the first element), got "
         << type;
}

int64_t KernelOp::getNumWarps() {
  return llvm::divideCeil(*getBlock(), kWarpSize);
}

LogicalResult KernelOp::verify() {
  // C1
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (failed(verifyArgument(*this, index, type)))
      return failure();
  // C2
  if (std::optional<int64_t> block = getBlock())
    if (*block < 1 || *block > 1024)
      return emitOpError() << "expected 'block' to be from 1 to 1024, got "
                           << *block;
  // C3
  if (std::optional<GridAttr> grid = getGrid())
    for (Attribute source : grid->getSources())
      if (failed(verifyGridSource(*this, source)))
        return failure();
  // C4
  if (!getResultTypes().empty())
    return emitOpError() << "expected no results, got "
                         << getResultTypes().size();
  if (getBody().empty() || getBody().front().empty() ||
      !isa<ReturnOp>(getBody().front().back()))
    return emitOpError() << "expected a body that ends with 'tile.return'";
  // C6
  if (getSymName().empty())
    return emitOpError() << "expected a kernel with a name, got \"\"";
  // C5
  if (!isPublic())
    return emitOpError() << "expected a public kernel, got a "
                         << *getSymVisibility() << " one";
  return success();
}
