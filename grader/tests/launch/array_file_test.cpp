#include "launch/array_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <stdexcept>

#include "../base/temporary_folder.h"
#include "base/files.h"
#include "base/text.h"

namespace labkit::launch {
namespace {

class ArrayFile : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) { return folder_.path() / name; }
  TemporaryFolder folder_;
};

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// As numpy.save() of NumPy 1.26 wrote `numpy.arange(3, dtype="<i4").reshape(1, 3)`.
std::string saved_by_numpy(const std::string& descr = "<i4", const std::string& order = "False") {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': (1, 3), }";
  header.resize(117, ' ');
  header += '\n';
  return std::string("\x93NUMPY\1\0\x76\0", 10) + header +
         std::string("\0\0\0\0\1\0\0\0\2\0\0\0", 12);
}

TEST_F(ArrayFile, ReadsWhatNumpySaved) {
  write_file_atomically(file("a.npy"), saved_by_numpy());
  EXPECT_EQ(read_array(file("a.npy"), Element::i32), bytes_of<std::int32_t>({0, 1, 2}));
}

TEST_F(ArrayFile, RefusesAnotherTypeOrOrderAndBrokenFiles) {
  write_file_atomically(file("float.npy"), saved_by_numpy("<f4"));
  write_file_atomically(file("big.npy"), saved_by_numpy(">i4"));
  write_file_atomically(file("fortran.npy"), saved_by_numpy("<i4", "True"));
  write_file_atomically(file("short.npy"), saved_by_numpy().substr(0, 60));
  write_file_atomically(file("cut.npy"), saved_by_numpy().substr(0, 136));
  write_file_atomically(file("more.npy"), saved_by_numpy() + "abcd");
  write_file_atomically(file("negative.npy"), replace_all(saved_by_numpy(), "(1, 3)", "(-1,3)"));
  write_file_atomically(file("huge.npy"), replace_all(saved_by_numpy(), "(1, 3), }            ",
                                                      "(8589934592, 8589934593)}"));
  write_file_atomically(file("text.npy"), "1 2 3 4 ");
  write_file_atomically(file("odd.bin"), "12345");
  for (const char* name :
       {"float.npy", "big.npy", "fortran.npy", "short.npy", "cut.npy", "more.npy", "negative.npy",
        "huge.npy", "text.npy", "odd.bin", "none.npy"})
    EXPECT_THROW(read_array(file(name), Element::i32), std::invalid_argument) << name;
}

TEST_F(ArrayFile, ComesBackAsItWasWritten) {
  const auto bytes = bytes_of<double>({1.5, -2});
  for (const char* name : {"x.npy", "x.bin"}) {
    write_array(file(name), Element::f64, bytes);
    EXPECT_EQ(read_array(file(name), Element::f64), bytes) << name;
  }
  EXPECT_EQ((read_file(file("x.npy")).size() - bytes.size()) % 64, 0u);
  EXPECT_EQ(read_file(file("x.bin")).size(), bytes.size());
}

}  // namespace
}  // namespace labkit::launch
