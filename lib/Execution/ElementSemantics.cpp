// ElementSemantics.cpp - storage of elements of kernels' arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Execution/ElementSemantics.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using tile::runtime::ElementType;

const llvm::fltSemantics *tile::getSemantics(runtime::ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::ComplexF64:
    return &APFloat::IEEEdouble();
  case ElementType::F32:
  case ElementType::ComplexF32:
    return &APFloat::IEEEsingle();
  case ElementType::F16:
    return &APFloat::IEEEhalf();
  case ElementType::BF16:
    return &APFloat::BFloat();
  case ElementType::F8E4M3FN:
    return &APFloat::Float8E4M3FN();
  case ElementType::F8E5M2:
    return &APFloat::Float8E5M2();
  case ElementType::I1:
  case ElementType::I8:
  case ElementType::I16:
  case ElementType::I32:
  case ElementType::I64:
  case ElementType::Index:
    return nullptr;
  }
  llvm_unreachable("element type");
}
