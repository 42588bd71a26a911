// PrintTest.cpp - tests printing and parsing of tuples, layouts and swizzles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Print.h"

#include "AllLayouts.h"

using namespace tile;
using namespace tile::test;

template <class T>
static std::string errorOf(const Result<T> &result) {
  return result ? "accepted" : result.error();
}

TEST(Print, WritesTheNotationOfCuTe) {
  EXPECT_EQ(toString(IntTuple(-3)), "-3");
  EXPECT_EQ(toString(makeTuple(makeTuple(2, 2), 6)), "((2,2),6)");
  EXPECT_EQ(toString(makeTuple(4)), "(4)");
  EXPECT_EQ(toString(*Layout::get(makeTuple(4, 8), makeTuple(1, 4))),
            "(4,8):(1,4)");
  EXPECT_EQ(toString(*Layout::get(makeTuple(makeTuple(2, 2), 3),
                                  makeTuple(makeTuple(24, 2), 8))),
            "((2,2),3):((24,2),8)");
  EXPECT_EQ(toString(Swizzle{3, 4, 3}), "S<3,4,3>");
}

TEST(Print, LayoutsComeBack) {
  for (const Layout &layout : manyLayouts()) {
    Result<Layout> again = parseLayout(toString(layout));
    ASSERT_TRUE(again) << toString(layout);
    ASSERT_EQ(*again, layout);
    ASSERT_EQ(*parseIntTuple(toString(layout.shape())), layout.shape());
  }
}

TEST(Print, SwizzlesComeBack) {
  for (unsigned bits = 0; bits < 64; ++bits)
    for (unsigned base = 0; base < 64; ++base)
      for (unsigned shift = 0; shift < 64; ++shift) {
        Swizzle swizzle{bits, base, shift};
        Result<Swizzle> again = parseSwizzle(toString(swizzle));
        ASSERT_EQ(bool(again), swizzle.isValid()) << toString(swizzle);
        if (again) {
          ASSERT_EQ(*again, swizzle);
        }
      }
}

TEST(Print, BlanksMayStandBetweenTokens) {
  EXPECT_EQ(*parseLayout(" ( 4 ,\t8 ) :\n( 1 , 4 ) "), layout("(4,8):(1,4)"));
  EXPECT_EQ(*parseSwizzle(" S < 3 , 4 , 3 > "), (Swizzle{3, 4, 3}));
  EXPECT_EQ(errorOf(parseIntTuple("1 2")),
            "expected the end of the text at character 2");
  EXPECT_EQ(errorOf(parseIntTuple("- 2")),
            "expected an integer at character 0");
}

TEST(Print, ErrorsOfTuplesNameThePosition) {
  EXPECT_EQ(errorOf(parseIntTuple("")),
            "expected an integer or '(' at character 0");
  EXPECT_EQ(errorOf(parseIntTuple("()")),
            "expected an integer or '(' at character 1");
  EXPECT_EQ(errorOf(parseIntTuple("(4,)")),
            "expected an integer or '(' at character 3");
  EXPECT_EQ(errorOf(parseIntTuple("(4,8")),
            "expected ',' or ')' at character 4");
  EXPECT_EQ(errorOf(parseIntTuple("(4 8)")),
            "expected ',' or ')' at character 3");
  EXPECT_EQ(errorOf(parseIntTuple("(4,8))")),
            "expected the end of the text at character 5");
  EXPECT_EQ(errorOf(parseIntTuple("(4,-)")),
            "expected an integer at character 3");
  EXPECT_EQ(errorOf(parseIntTuple("+4")),
            "expected an integer or '(' at character 0");
  EXPECT_EQ(errorOf(parseIntTuple("4.5")),
            "expected the end of the text at character 1");
  EXPECT_EQ(errorOf(parseIntTuple(std::string_view("4\0", 2))),
            "expected the end of the text at character 1");
}

TEST(Print, ErrorsOfLayoutsNameThePosition) {
  EXPECT_EQ(errorOf(parseLayout("(4,8)")), "expected ':' at character 5");
  EXPECT_EQ(errorOf(parseLayout("4:")),
            "expected an integer or '(' at character 2");
  EXPECT_EQ(errorOf(parseLayout("4:1:2")),
            "expected the end of the text at character 3");
  EXPECT_EQ(errorOf(parseLayout("(4,8):1")),
            "expected shape and stride of the same profile, got (4,8):1 at "
            "character 0");
  EXPECT_EQ(errorOf(parseLayout("0:1")),
            "expected positive extents, got 0 in the shape 0 at character 0");
}

TEST(Print, ErrorsOfSwizzlesNameThePosition) {
  EXPECT_EQ(errorOf(parseSwizzle("")), "expected 'S' at character 0");
  EXPECT_EQ(errorOf(parseSwizzle("S3,4,3>")), "expected '<' at character 1");
  EXPECT_EQ(errorOf(parseSwizzle("S<3,4>")), "expected ',' at character 5");
  EXPECT_EQ(errorOf(parseSwizzle("S<3,,3>")),
            "expected an integer at character 4");
  EXPECT_EQ(errorOf(parseSwizzle("S<3,4,3")), "expected '>' at character 7");
  EXPECT_EQ(errorOf(parseSwizzle("S<3,4,3>>")),
            "expected the end of the text at character 8");
  EXPECT_EQ(errorOf(parseSwizzle("S<3,4,-3>")),
            "expected an integer from 0 to 63 at character 6");
  EXPECT_EQ(errorOf(parseSwizzle("S<3,4294967300,3>")),
            "expected an integer from 0 to 63 at character 4");
  EXPECT_EQ(errorOf(parseSwizzle("S<3,4,2>")),
            "expected bits <= shift and bits + base + shift < 64, got S<3,4,2> "
            "at character 0");
}

TEST(Print, IntegersThatOverflowAreRefused) {
  EXPECT_EQ(*parseIntTuple("9223372036854775807"), IntTuple(INT64_MAX));
  EXPECT_EQ(*parseIntTuple("-9223372036854775808"), IntTuple(INT64_MIN));
  EXPECT_EQ(toString(IntTuple(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(errorOf(parseIntTuple("9223372036854775808")),
            "expected an integer of 64 bits at character 0");
  EXPECT_EQ(errorOf(parseIntTuple("(1,-9223372036854775809)")),
            "expected an integer of 64 bits at character 3");
  EXPECT_EQ(errorOf(parseIntTuple(std::string(1000, '9'))),
            "expected an integer of 64 bits at character 0");
  EXPECT_EQ(*parseIntTuple(std::string(1000, '0') + "7"), IntTuple(7));
}

TEST(Print, NestingIsLimited) {
  auto nest = [](size_t levels) {
    return std::string(levels, '(') + "1" + std::string(levels, ')');
  };
  ASSERT_TRUE(parseIntTuple(nest(64)));
  EXPECT_EQ(parseIntTuple(nest(64))->depth(), 64u);
  EXPECT_EQ(errorOf(parseIntTuple(nest(65))),
            "expected at most 64 levels of nesting at character 64");
  EXPECT_FALSE(parseIntTuple(nest(1000000)));
  EXPECT_FALSE(parseLayout("1:" + nest(1000000)));
}

// Any text is either refused with a position inside it, or parsed and printed
// as the same value.
TEST(Print, AnyTextIsSafe) {
  Sequence sequence(4);
  const std::string_view alphabet = "()()(),,,:::-0123456789 S<>x\xff";
  const std::vector<std::string> seeds = {"(4,8):(1,4)", "((2,2),3):((24,2),8)",
                                          "S<3,4,3>", "((2,2),6)", "-12"};
  int numAccepted = 0, numRefused = 0;
  auto check = [&](const auto &result, const std::string &text, auto parse) {
    if (result) {
      ++numAccepted;
      auto again = parse(toString(*result));
      ASSERT_TRUE(again) << text;
      ASSERT_EQ(*again, *result) << text;
      return;
    }
    ++numRefused;
    size_t at = result.error().rfind(" at character ");
    ASSERT_NE(at, std::string::npos) << result.error();
    ASSERT_LE(std::stoull(result.error().substr(at + 14)), text.size()) << text;
  };
  for (int trial = 0; trial < 100000; ++trial) {
    std::string text;
    if (trial % 2 == 0) {
      for (uint64_t length = sequence.next(12); text.size() < length;)
        text += alphabet[sequence.next(alphabet.size())];
    } else {
      text = seeds[sequence.next(seeds.size())];
      for (uint64_t edits = 1 + sequence.next(3); edits > 0; --edits) {
        size_t at = sequence.next(text.size() + 1);
        switch (sequence.next(3)) {
        case 0:
          text.insert(at, 1, alphabet[sequence.next(alphabet.size())]);
          break;
        case 1:
          text.erase(at, 1);
          break;
        case 2:
          text.resize(at);
          break;
        }
      }
    }
    check(parseIntTuple(text), text, parseIntTuple);
    check(parseLayout(text), text, parseLayout);
    check(parseSwizzle(text), text, parseSwizzle);
  }
  EXPECT_GT(numAccepted, 1000);
  EXPECT_GT(numRefused, 1000);
}
