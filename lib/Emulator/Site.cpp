// Site.cpp - the MMA instructions that the emulator supports
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Emulator/Site.h"

#include "Mma.h"

using namespace tile::emulator;

static bool isOneOf(ElementType type, ElementType a, ElementType b) {
  return type == a || type == b;
}

static bool isShape(const MmaFacts &mma, int m, int n, int k) {
  return mma.m == m && mma.n == n && mma.k == k;
}

bool tile::emulator::isSupported(const MmaFacts &mma) {
  using T = ElementType;
  auto accumulates = [&](T a, T b) { return isOneOf(mma.accumulator, a, b); };
  if (mma.a == T::F16 && mma.b == T::F16)
    return accumulates(T::F32, T::F16) &&
           (isShape(mma, 16, 8, 8) || isShape(mma, 16, 8, 16));
  if (mma.a == T::BF16 && mma.b == T::BF16)
    return accumulates(T::F32, T::F32) &&
           (isShape(mma, 16, 8, 8) || isShape(mma, 16, 8, 16));
  if (mma.a == T::TF32 && mma.b == T::TF32)
    return accumulates(T::F32, T::F32) &&
           (isShape(mma, 16, 8, 4) || isShape(mma, 16, 8, 8));
  if (mma.a == T::F64 && mma.b == T::F64)
    return accumulates(T::F64, T::F64) &&
           (isShape(mma, 8, 8, 4) || isShape(mma, 16, 8, 4) ||
            isShape(mma, 16, 8, 8) || isShape(mma, 16, 8, 16));
  if (isOneOf(mma.a, T::S8, T::U8) && isOneOf(mma.b, T::S8, T::U8))
    return accumulates(T::S32, T::S32) &&
           (isShape(mma, 8, 8, 16) || isShape(mma, 16, 8, 16) ||
            isShape(mma, 16, 8, 32));
  if (isOneOf(mma.a, T::F8E4M3, T::F8E5M2) &&
      isOneOf(mma.b, T::F8E4M3, T::F8E5M2))
    return accumulates(T::F32, T::F16) &&
           (isShape(mma, 16, 8, 16) || isShape(mma, 16, 8, 32));
  return false;
}

MmaRegisters tile::emulator::countRegisters(const MmaFacts &mma) {
  int packing = getPacking(mma.a);
  return {mma.m * mma.k / 32 / packing, mma.n * mma.k / 32 / packing,
          mma.m * mma.n / 32 / getPacking(mma.accumulator)};
}

bool tile::emulator::isWarpgroupSupported(const MmaFacts &mma) {
  return mma.m == kGroupRows && mma.n >= 8 && mma.n <= 256 && mma.n % 8 == 0 &&
         !mma.saturate && isSupported(getWarpPart(mma)) &&
         (mma.accumulator == ElementType::F32 ||
          mma.accumulator == ElementType::S32) &&
         countRegisters(getWarpPart(mma)).a == 4 &&
         ((!mma.isTransposedA && !mma.isTransposedB) ||
          mma.a == ElementType::F16 || mma.a == ElementType::BF16);
}
