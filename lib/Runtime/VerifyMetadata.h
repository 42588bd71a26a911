// VerifyMetadata.h - parts of what the schema promises
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_RUNTIME_VERIFYMETADATA_H
#define TILE_RUNTIME_VERIFYMETADATA_H

#include "tile/Runtime/KernelMetadata.h"

namespace tile::runtime {

/// A name, an access that a scalar may have, as many strides as sizes.
Status verifyArgument(const Argument &argument);

/// Every reference is to an argument of `arguments`, and a dimension, that
/// there is.
Status verifyExpression(const std::vector<Argument> &arguments,
                        const Expression &expression);

/// The spelling of an arithmetic kind of expression in JSON, "floordiv"; empty
/// of the other kinds.
const char *getOperatorName(Expression::Kind kind);

} // namespace tile::runtime

#endif // TILE_RUNTIME_VERIFYMETADATA_H
