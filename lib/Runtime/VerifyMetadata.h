// VerifyMetadata.h - checks of parts of the schema
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_RUNTIME_VERIFYMETADATA_H
#define TILE_RUNTIME_VERIFYMETADATA_H

#include "tile/Runtime/KernelMetadata.h"

namespace tile::runtime {

/// Checks for a name, an access that a scalar may have, as many strides as
/// sizes.
Status verifyArgument(const Argument &argument);

/// Checks that every reference is to an argument of `arguments`, and a
/// dimension, that exist.
Status verifyExpression(const std::vector<Argument> &arguments,
                        const Expression &expression);

/// The spelling of an arithmetic kind of expression in JSON, "floordiv"; empty
/// of the other kinds.
const char *getOperatorName(Expression::Kind kind);

} // namespace tile::runtime

#endif // TILE_RUNTIME_VERIFYMETADATA_H
