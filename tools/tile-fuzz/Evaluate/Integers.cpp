// Integers.cpp - arithmetic of one integer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

uint64_t tile::fuzz::getLowBits(int64_t value, Type type) {
  unsigned bits = getIntegerBits(type);
  return bits == 64
             ? static_cast<uint64_t>(value)
             : static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1);
}

int64_t tile::fuzz::getSigned(int64_t value, Type type) {
  return getIntegerBits(type) == 1 ? -value : value;
}

namespace {
/// Computes quotients and remainders of integers. Both are zero if the divisor
/// is zero. The only signed quotient that overflows, -2^(n-1) / -1, is taken
/// modulo 2^n.
struct Division {
  int64_t a, b;
  uint64_t ua, ub;

  int64_t truncate() const {
    if (b == 0)
      return 0;
    return b == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(a)) : a / b;
  }
  int64_t remainder() const { return b == 0 || b == -1 ? 0 : a % b; }
  int64_t floor() const {
    return truncate() - (remainder() != 0 && (a < 0) != (b < 0));
  }
  int64_t ceil() const {
    return truncate() + (remainder() != 0 && (a < 0) == (b < 0));
  }
  uint64_t truncateUnsigned() const { return ub == 0 ? 0 : ua / ub; }
  uint64_t remainderUnsigned() const { return ub == 0 ? 0 : ua % ub; }
  uint64_t ceilUnsigned() const {
    return truncateUnsigned() + (remainderUnsigned() != 0);
  }
};
} // namespace

std::optional<int64_t> tile::fuzz::applyInteger(Operation *op, int64_t a,
                                                int64_t b, Type type) {
  uint64_t ua = getLowBits(a, type), ub = getLowBits(b, type);
  int64_t sa = getSigned(a, type), sb = getSigned(b, type);
  unsigned bits = getIntegerBits(type);
  using Result = std::optional<int64_t>;
  Division division{sa, sb, ua, ub};
  bool isFar = ub >= bits; // the shift exceeds the width
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([&](auto) { return Result(ua + ub); })
      .Case<arith::SubIOp>([&](auto) { return Result(ua - ub); })
      .Case<arith::MulIOp>([&](auto) { return Result(ua * ub); })
      .Case<arith::AndIOp>([&](auto) { return Result(ua & ub); })
      .Case<arith::OrIOp>([&](auto) { return Result(ua | ub); })
      .Case<arith::XOrIOp>([&](auto) { return Result(ua ^ ub); })
      .Case<arith::MaxSIOp>([&](auto) { return Result(std::max(sa, sb)); })
      .Case<arith::MinSIOp>([&](auto) { return Result(std::min(sa, sb)); })
      .Case<arith::MaxUIOp>([&](auto) { return Result(std::max(ua, ub)); })
      .Case<arith::MinUIOp>([&](auto) { return Result(std::min(ua, ub)); })
      .Case<arith::DivSIOp>([&](auto) { return Result(division.truncate()); })
      .Case<arith::RemSIOp>([&](auto) { return Result(division.remainder()); })
      .Case<arith::FloorDivSIOp>([&](auto) { return Result(division.floor()); })
      .Case<arith::CeilDivSIOp>([&](auto) { return Result(division.ceil()); })
      .Case<arith::DivUIOp>(
          [&](auto) { return Result(division.truncateUnsigned()); })
      .Case<arith::CeilDivUIOp>(
          [&](auto) { return Result(division.ceilUnsigned()); })
      .Case<arith::RemUIOp>(
          [&](auto) { return Result(division.remainderUnsigned()); })
      .Case<arith::ShLIOp>([&](auto) { return Result(isFar ? 0 : ua << ub); })
      .Case<arith::ShRSIOp>(
          [&](auto) { return Result(isFar ? -(sa < 0) : sa >> ub); })
      .Case<arith::ShRUIOp>([&](auto) { return Result(isFar ? 0 : ua >> ub); })
      .Default([](Operation *) { return Result(); });
}

std::optional<int64_t> tile::fuzz::applyInteger(Operation *op, int64_t a,
                                                Type type) {
  APInt bits(getIntegerBits(type), getLowBits(a, type));
  using Result = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<math::AbsIOp>([&](auto) { return bits.abs().getSExtValue(); })
      .Case<math::CtPopOp>([&](auto) { return bits.popcount(); })
      .Case<math::CountLeadingZerosOp>([&](auto) { return bits.countl_zero(); })
      .Case<math::CountTrailingZerosOp>(
          [&](auto) { return bits.countr_zero(); })
      .Default([](Operation *) { return Result(); });
}
