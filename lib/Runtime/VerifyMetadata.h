// VerifyMetadata.h - checks of parts of the schema
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_RUNTIME_VERIFYMETADATA_H
#define TILE_RUNTIME_VERIFYMETADATA_H

#include "tile/Runtime/KernelMetadata.h"

namespace tile::runtime {

/// Checks that an argument has a name, that the access of a scalar is `read`,
/// and that an array has as many strides as sizes, none of which is negative.
Status verifyArgument(const Argument &argument);

/// Checks that `arguments` has every argument and dimension to which
/// `expression` refers.
Status verifyExpression(const std::vector<Argument> &arguments,
                        const Expression &expression);

/// Returns the name in JSON of an arithmetic kind of expression, such as
/// "floordiv"; empty for other kinds.
const char *getOperatorName(Expression::Kind kind);

} // namespace tile::runtime

#endif // TILE_RUNTIME_VERIFYMETADATA_H
