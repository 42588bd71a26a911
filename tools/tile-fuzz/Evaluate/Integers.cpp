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

std::optional<int64_t> tile::fuzz::applyInteger(Operation *op, int64_t a,
                                                int64_t b, Type type) {
  uint64_t ua = getLowBits(a, type), ub = getLowBits(b, type);
  int64_t sa = getSigned(a, type), sb = getSigned(b, type);
  unsigned bits = getIntegerBits(type);
  using Result = std::optional<int64_t>;
  bool isDefined = sb != 0 && !(sb == -1 && ua == uint64_t(1) << (bits - 1));
  auto floorDivide = [&] {
    return sa / sb - ((sa % sb != 0) && ((sa < 0) != (sb < 0)));
  };
  auto ceilDivide = [&] {
    return sa / sb + ((sa % sb != 0) && ((sa < 0) == (sb < 0)));
  };
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
      .Case<arith::DivSIOp>(
          [&](auto) { return isDefined ? Result(sa / sb) : Result(); })
      .Case<arith::RemSIOp>(
          [&](auto) { return isDefined ? Result(sa % sb) : Result(); })
      .Case<arith::FloorDivSIOp>(
          [&](auto) { return isDefined ? Result(floorDivide()) : Result(); })
      .Case<arith::CeilDivSIOp>(
          [&](auto) { return isDefined ? Result(ceilDivide()) : Result(); })
      .Case<arith::DivUIOp>(
          [&](auto) { return ub != 0 ? Result(ua / ub) : Result(); })
      .Case<arith::CeilDivUIOp>([&](auto) {
        return ub != 0 ? Result(ua / ub + (ua % ub != 0)) : Result();
      })
      .Case<arith::RemUIOp>(
          [&](auto) { return ub != 0 ? Result(ua % ub) : Result(); })
      .Case<arith::ShLIOp>(
          [&](auto) { return ub < bits ? Result(ua << ub) : Result(); })
      .Case<arith::ShRSIOp>(
          [&](auto) { return ub < bits ? Result(sa >> ub) : Result(); })
      .Case<arith::ShRUIOp>(
          [&](auto) { return ub < bits ? Result(ua >> ub) : Result(); })
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
