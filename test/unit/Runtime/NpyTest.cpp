// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/Npy.h"

#include "Fakes/TemporaryFolder.h"

#include <cstring>

using namespace tile::runtime;

/// Returns a .npy file of version `major` with this dictionary and these data.
static std::string makeFile(int major, const std::string &dictionary,
                            const std::string &data) {
  std::string text = dictionary + "\n";
  std::string file("\x93NUMPY", 6);
  file += char(major);
  file += '\0';
  file += char(text.size() & 0xff);
  file += char(text.size() >> 8);
  if (major > 1)
    file += std::string(2, '\0');
  return file + text + data;
}

/// Returns a version 1 file of this type and shape.
static std::string makeFile(const std::string &descr, const std::string &shape,
                            const std::string &data) {
  return makeFile(1,
                  "{'descr': '" + descr +
                      "', 'fortran_order': False, 'shape': " + shape + ", }",
                  data);
}

/// Returns the message about a file with these bytes, without its name.
static std::string refusal(const std::string &bytes) {
  TemporaryFolder folder;
  std::string path = folder.write("a.npy", bytes);
  Result<Npy> array = readNpy(path);
  if (array)
    return "accepted";
  std::string start = "cannot read '" + path + "': ";
  EXPECT_EQ(array.error().message.substr(0, start.size()), start);
  return array.error().message.substr(start.size());
}

TEST(Npy, ReadsEveryVersion) {
  TemporaryFolder folder;
  for (int major : {1, 2, 3}) {
    std::string path = folder.write(
        "a.npy",
        makeFile(major,
                 "{\"shape\": (2L, 3), 'fortran_order':True,'descr': '<i2'}",
                 "abcdefghijkl"));
    Result<Npy> array = readNpy(path);
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->header.shape, (std::vector<int64_t>{2, 3}));
    EXPECT_TRUE(array->header.fortranOrder);
    EXPECT_EQ(array->header.descr, "<i2");
    EXPECT_EQ(array->data.size(), 12);
    EXPECT_EQ(std::memcmp(array->data.data(), "abcdefghijkl", 12), 0);
  }
}

TEST(Npy, ReadsScalarsAndEmptyArrays) {
  TemporaryFolder folder;
  Result<Npy> scalar =
      readNpy(folder.write("a.npy", makeFile("<f4", "()", "abcd")));
  ASSERT_TRUE(scalar) << scalar.error().message;
  EXPECT_TRUE(scalar->header.shape.empty());
  Result<Npy> empty = readNpy(
      folder.write("b.npy", makeFile("<f4", "(1152921504606846976, 0)", "")));
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_EQ(empty->data.size(), 0);
}

// A written file equals NumPy's byte for byte.
TEST(Npy, WritesAsNumPyDoes) {
  TemporaryFolder folder;
  NpyHeader header = {"<f4", false, {2, 1}};
  ASSERT_TRUE(writeNpy(folder / "a.npy", header, "abcdefgh", 8));
  std::string expected("\x93NUMPY\1\0v\0", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }";
  expected.resize(127, ' ');
  EXPECT_EQ(folder.read("a.npy"), expected + "\nabcdefgh");
  EXPECT_EQ(folder.list(), std::vector<std::string>{"a.npy"});
}

TEST(Npy, ReadsWhatItWrites) {
  TemporaryFolder folder;
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{}, {0}, {3}, {2, 3}, {1, 2, 3, 4}}) {
    NpyHeader header = {"<c16", true, shape};
    int64_t size = *getDenseBytes(shape, 16);
    std::string data(static_cast<size_t>(size), 'z');
    ASSERT_TRUE(writeNpy(folder / "a.npy", header, data.data(), size));
    Result<Npy> array = readNpy(folder / "a.npy");
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->header.shape, shape);
    EXPECT_TRUE(array->header.fortranOrder);
    EXPECT_EQ(array->data.size(), size);
  }
}

TEST(Npy, RefusesOtherFiles) {
  EXPECT_EQ(refusal(""), "expected a .npy file, found 0 bytes");
  EXPECT_EQ(refusal("PK\3\4 a zip archive"),
            "expected a .npy file, found another magic string");
  EXPECT_EQ(refusal(makeFile(4, "{}", "")),
            "expected .npy format version 1.0, 2.0 or 3.0, found 4.0");
  std::string minor = makeFile(1, "{}", "");
  minor[7] = 1;
  EXPECT_EQ(refusal(minor),
            "expected .npy format version 1.0, 2.0 or 3.0, found 1.1");
}

TEST(Npy, RefusesTruncation) {
  std::string file = makeFile("<f4", "(2,)", "abcdefgh");
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_NE(refusal(file.substr(0, length)), "accepted");
  EXPECT_EQ(refusal(file.substr(0, file.size() - 1)),
            "expected 8 bytes of data for shape 2 of dtype '<f4', found 7");
  EXPECT_EQ(refusal(file + "x"),
            "expected 8 bytes of data for shape 2 of dtype '<f4', found 9");
  EXPECT_EQ(refusal(file.substr(0, 20)),
            "expected a header of 58 bytes, found 10");
}

TEST(Npy, RefusesMalformedHeaders) {
  auto header = [](const std::string &text) {
    return refusal(makeFile(1, text, ""));
  };
  EXPECT_EQ(header("[]"), "expected a dictionary in the header, found \"[]\"");
  EXPECT_EQ(header("{}"), "expected key 'descr' in the header, found none");
  EXPECT_EQ(header("{'descr': '<f4', 'fortran_order': False}"),
            "expected key 'shape' in the header, found none");
  EXPECT_EQ(header("{'descr': '<f4', 'descr': '<f4'}"),
            "expected the keys descr, fortran_order and shape once each in the "
            "header, found 'descr'");
  EXPECT_EQ(header("{'colour': 3}"),
            "expected the keys descr, fortran_order and shape once each in the "
            "header, found 'colour'");
  EXPECT_EQ(header("{'fortran_order': 1}"),
            "expected True or False in the header, found \"1}\"");
  EXPECT_EQ(header("{'shape': (3)}"),
            "expected a tuple of at most 64 sizes in the header, found "
            "\")}\"");
  EXPECT_EQ(header("{'shape': (-3,)}"),
            "expected a tuple of at most 64 sizes in the header, found "
            "\"-3,)}\"");
  EXPECT_EQ(header("{'shape': (99999999999999999999,)}").substr(0, 30),
            "expected a tuple of at most 64");
  std::string many = "{'shape': (";
  for (int i = 0; i < 65; ++i)
    many += "1,";
  EXPECT_EQ(header(many + ")}").substr(0, 30),
            "expected a tuple of at most 64");
  EXPECT_EQ(header("{'descr': '<f4' 'fortran_order'"),
            "expected ',' or '}' in the header, found \"'fortran_order'\"");
  EXPECT_EQ(header("{'descr': '<f4"),
            "expected the type in the header, found \"'<f4\"");
  std::string good = "{'descr': '|u1', 'fortran_order': False, 'shape': (0,)}";
  EXPECT_EQ(header(good), "accepted");
  EXPECT_EQ(header(good + "x"),
            "expected nothing after the dictionary in the header, found "
            "\"x\"");
  std::string large = makeFile(2, "{}", "");
  large[11] = 0x7f;
  EXPECT_EQ(refusal(large).substr(0, 42),
            "expected a header of at most 1048576 bytes");
}

TEST(Npy, RefusesOtherTypes) {
  auto type = [](const std::string &descr) {
    return refusal(makeFile(descr, "(0,)", ""));
  };
  EXPECT_EQ(type("|O"),
            "expected plain numbers, found pickled objects (dtype '|O')");
  EXPECT_EQ(type("<U3"), "expected plain numbers, found text (dtype '<U3')");
  EXPECT_EQ(type("|S3"), "expected plain numbers, found text (dtype '|S3')");
  EXPECT_EQ(type("<M8[ns]"),
            "expected plain numbers, found an unknown type (dtype '<M8[ns]')");
  EXPECT_EQ(type(">f4"),
            "expected plain numbers, found big-endian data (dtype '>f4')");
  for (const char *descr : {"", "<", "<f", "f4", "<f0", "<f-4", "<f99999"})
    EXPECT_EQ(type(descr),
              "expected plain numbers, found an unknown type (dtype '" +
                  std::string(descr) + "')");
  EXPECT_EQ(type(">u1"), "accepted");
  EXPECT_EQ(refusal(makeFile(1,
                             "{'descr': [('a', '<f4')], 'fortran_order': "
                             "False, 'shape': (1,)}",
                             "abcd")),
            "expected plain numbers, found a structured type");
}

// A shape that is larger than the file allocates nothing.
TEST(Npy, RefusesAbsurdShapes) {
  EXPECT_EQ(refusal(makeFile("<f8", "(1000000000000, 1000)", "")),
            "expected 8000000000000000 bytes of data for shape "
            "1000000000000x1000 of dtype '<f8', found 0");
  EXPECT_EQ(refusal(makeFile("<f8", "(4294967296, 4294967296)", "")),
            "expected a shape of fewer than 2^63 bytes, found "
            "4294967296x4294967296 of dtype '<f8'");
  EXPECT_EQ(
      refusal(makeFile("<f8", "(0, 4294967296, 4294967296)", "")).substr(0, 30),
      "expected a shape of fewer than");
}

TEST(Npy, MapsTypes) {
  struct Row {
    ElementType type;
    const char *written;
    const char *alternative;
  };
  for (Row row : {Row{ElementType::F64, "<f8", nullptr},
                  {ElementType::F32, "<f4", nullptr},
                  {ElementType::F16, "<f2", nullptr},
                  {ElementType::BF16, "<u2", "|V2"},
                  {ElementType::F8E4M3FN, "|u1", "|V1"},
                  {ElementType::F8E5M2, "|u1", "|V1"},
                  {ElementType::I1, "|b1", nullptr},
                  {ElementType::I8, "|i1", "|u1"},
                  {ElementType::I16, "<i2", "<u2"},
                  {ElementType::I32, "<i4", "<u4"},
                  {ElementType::I64, "<i8", "<u8"},
                  {ElementType::Index, "<i8", "<u8"},
                  {ElementType::ComplexF32, "<c8", nullptr},
                  {ElementType::ComplexF64, "<c16", nullptr}}) {
    EXPECT_STREQ(getNpyDescr(row.type), row.written);
    EXPECT_TRUE(checkNpyType(row.written, row.type, "a"));
    if (row.alternative) {
      EXPECT_TRUE(checkNpyType(row.alternative, row.type, "a"));
    }
    EXPECT_FALSE(checkNpyType("<f3", row.type, "a"));
  }
  EXPECT_EQ(checkNpyType("<f4", ElementType::I32, "'a.npy'").error().message,
            "'a.npy': expected dtype '<i4' or '<u4' for i32, found '<f4'");
  EXPECT_EQ(checkNpyType("|u1", ElementType::I1, "'a.npy'").error().message,
            "'a.npy': expected dtype '|b1' for i1, found '|u1'");
}

TEST(Npy, ComputesDenseStrides) {
  using Sizes = std::vector<int64_t>;
  EXPECT_EQ(getDenseStrides({2, 3, 4}, false), (Sizes{12, 4, 1}));
  EXPECT_EQ(getDenseStrides({2, 3, 4}, true), (Sizes{1, 2, 6}));
  EXPECT_EQ(getDenseStrides({}, false), Sizes{});
  EXPECT_EQ(getDenseStrides({5, 0}, false), (Sizes{1, 1}));
}

TEST(HostBuffer, RefusesWhatDoesNotFit) {
  EXPECT_FALSE(HostBuffer::allocate(int64_t(1) << 62));
  Result<HostBuffer> buffer = HostBuffer::allocate(0, 0xff);
  ASSERT_TRUE(buffer);
  EXPECT_NE(buffer->data(), nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % kHostAlignment, 0u);
}
