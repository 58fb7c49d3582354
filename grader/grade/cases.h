// A case of a lab's test: one launch, what goes in, and what must come out. lab_test.h says how a check.cpp uses it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "launch/launch.h"

namespace labkit::grade {

using launch::Dim3;

struct Shape {
  int rows = 0, cols = 0;
};

/// Lengths that find mistakes: 0, 1, 31, 32, 33, primes, around powers of two; the largest is below
/// 5000. Two of them depend on the seed. Always in the same order for a seed.
std::vector<int> odd_lengths();
/// Shapes that find mistakes: empty, 1 x 1, around 32, primes, long thin, long wide; at most 70000
/// elements each. Two depend on the seed.
std::vector<Shape> odd_shapes();
/// Blocks a launch needs for n elements, `per_block` each: ceil(n / per_block), but at least 1.
/// CUDA refuses an empty grid, so a kernel with nothing to do is still launched, with one block,
/// and must then touch nothing.
std::uint32_t blocks_for(std::int64_t n, std::int64_t per_block);

/// An array of a Case. Handles share their storage, so copies are cheap. T: float, double, int,
/// long long, unsigned char.
struct ArrayData {
  std::string name;  ///< the parameter's name, for messages
  std::uint64_t rows = 1, cols = 0;
  bool is_vector = false;  ///< reported as c[17] rather than out[3][17]
  bool is_output = false;
  bool is_zeroed = false;  ///< output: holds zeros before the launch, instead of poison
  launch::Element element = launch::Element::f32;
  std::vector<std::byte> bytes = {};  ///< input: contents; exact output: what must come out
  /// Output within bounds: what must come out, and how far off it may be.
  std::vector<double> expected = {}, bound = {};
};

template <typename T>
constexpr launch::Element element_of() {
  using enum launch::Element;
  if constexpr (std::is_same_v<T, float>) return f32;
  if constexpr (std::is_same_v<T, double>) return f64;
  if constexpr (std::is_same_v<T, int>) return i32;
  if constexpr (std::is_same_v<T, long long>) return i64;
  if constexpr (std::is_same_v<T, unsigned char>) return u8;
}

/// Read-only for the kernel: it must come back as it went.
template <typename T>
class Input {
 public:
  explicit Input(std::shared_ptr<ArrayData> data)
      : data_(std::move(data)), values_(reinterpret_cast<T*>(data_->bytes.data())) {}
  T operator[](std::int64_t i) const { return values_[i]; }
  T operator()(std::int64_t row, std::int64_t col) const {
    return values_[row * static_cast<std::int64_t>(data_->cols) + col];
  }
  const std::shared_ptr<ArrayData>& data() const { return data_; }

 private:
  std::shared_ptr<ArrayData> data_;
  const T* values_;
};

/// What the kernel must write: every element, exactly, or within a bound of its own.
template <typename T>
class Output {
 public:
  explicit Output(std::shared_ptr<ArrayData> data)
      : data_(std::move(data)), values_(reinterpret_cast<T*>(data_->bytes.data())) {}
  /// The element that must come out, bit for bit but for the sign of zero: `out(r, c) = in(c, r);`
  T& operator[](std::int64_t i) { return values_[i]; }
  T& operator()(std::int64_t row, std::int64_t col) {
    return values_[row * static_cast<std::int64_t>(data_->cols) + col];
  }
  /// From here on, each element has a bound of its own, and one that expect() is not called for
  /// fails. The first expect() does it too; call it before several threads call expect().
  void within_bounds() {
    const std::size_t n = data_->rows * data_->cols;
    data_->expected.assign(n, 0);
    data_->bound.assign(n, -1);
  }
  /// |got - expected| <= bound for element i (row * cols + col).
  void expect(std::int64_t i, double expected, double bound) {
    if (data_->bound.empty()) within_bounds();
    data_->expected[i] = expected;
    data_->bound[i] = bound;
  }
  const std::shared_ptr<ArrayData>& data() const { return data_; }

 private:
  std::shared_ptr<ArrayData> data_;
  T* values_;
};

std::shared_ptr<ArrayData> make_array(std::string name, std::uint64_t rows, std::uint64_t cols,
                                      bool is_vector, bool is_output, launch::Element element);
/// Values uniform in [low, high), each a function of the seed, the array's name and the index.
void fill_values(ArrayData& array, double low, double high);
/// The same, of whole numbers.
void fill_whole_values(ArrayData& array, int low, int high);

/// Of inputs whose range is not given. Between -1 and 1 there are no whole numbers to tell elements apart.
template <typename T>
inline constexpr double kHighest = std::is_integral_v<T> ? 100 : 1;
template <typename T>
inline constexpr double kLowest = std::is_unsigned_v<T> ? 0 : -kHighest<T>;

/// A vector of n, or a row-major matrix. Values in [low, high); for integers, whole numbers.
template <typename T>
Input<T> input(std::string name, std::int64_t n, double low = kLowest<T>,
               double high = kHighest<T>) {
  Input<T> made(make_array(std::move(name), 1, n, true, false, element_of<T>()));
  fill_values(*made.data(), low, high);
  return made;
}
template <typename T>
Input<T> input(std::string name, Shape shape, double low = kLowest<T>, double high = kHighest<T>) {
  Input<T> made(make_array(std::move(name), shape.rows, shape.cols, false, false, element_of<T>()));
  fill_values(*made.data(), low, high);
  return made;
}
/// The same, of whole numbers: their sums are exact in every order, while they stay below 2^24 as floats.
template <typename T>
Input<T> whole_input(std::string name, std::int64_t n, int low, int high) {
  Input<T> made(make_array(std::move(name), 1, n, true, false, element_of<T>()));
  fill_whole_values(*made.data(), low, high);
  return made;
}
/// An array to fill in with what must come out.
template <typename T>
Output<T> output(std::string name, std::int64_t n) {
  return Output<T>(make_array(std::move(name), 1, n, true, true, element_of<T>()));
}
template <typename T>
Output<T> output(std::string name, Shape shape) {
  return Output<T>(
      make_array(std::move(name), shape.rows, shape.cols, false, true, element_of<T>()));
}

/// An array that the kernel adds to: it holds zeros before the launch.
template <typename T>
Output<T> zeroed_output(std::string name, std::int64_t n) {
  Output<T> made = output<T>(std::move(name), n);
  made.data()->is_zeroed = true;
  return made;
}

/// Relative error after `roundings` roundings to T: n u / (1 - n u), u = 2^-24 or 2^-53 (Higham,
/// Accuracy and Stability of Numerical Algorithms, 2002, lemma 3.1). For a sum of products, times
/// the sum of the magnitudes.
template <typename T>
double rounding_bound(std::int64_t roundings) {
  const double u = std::is_same_v<T, double> ? 0x1p-53 : 0x1p-24;
  const double nu = static_cast<double>(roundings) * u;
  return nu / (1 - nu);
}

// ---- launches

/// One kernel parameter: an array or a scalar of exactly the parameter's type.
class Argument {
 public:
  template <typename T>
  Argument(const Input<T>& array) : array_(array.data()) {}  // NOLINT: meant to convert
  template <typename T>
  Argument(const Output<T>& array) : array_(array.data()) {}  // NOLINT
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Argument(T value)
      : scalar_(std::get<1>(launch::scalar(value))), text_(std::to_string(value)) {}  // NOLINT
  const std::shared_ptr<ArrayData>& array() const { return array_; }
  const std::vector<std::byte>& scalar() const { return scalar_; }
  const std::string& text() const { return text_; }

 private:
  std::shared_ptr<ArrayData> array_;
  std::vector<std::byte> scalar_;
  std::string text_;
};

/// One launch and what must come out of it.
struct Case {
  std::string kernel;  ///< an expression of lab.toml: "turn<float>"
  Dim3 grid, block;
  std::vector<Argument> arguments;  ///< in the order of the parameters
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t useful_bytes = 0;  ///< 0: each input element once and each output element once

  /// Inputs and outputs, in the order of the arguments: each is buffer i of a plan of its own.
  std::vector<const ArrayData*> arrays() const {
    std::vector<const ArrayData*> all;
    for (const Argument& argument : arguments)
      if (argument.array()) all.push_back(argument.array().get());
    return all;
  }
  std::uint64_t array_bytes() const {
    std::uint64_t bytes = 0;
    for (const ArrayData* array : arrays()) bytes += array->bytes.size();
    return bytes;
  }
};

/// One number of a launch shape that is data in kernel.cu.
struct Limit {
  std::string_view name;  ///< "block x", for messages
  int low = 1, high = 1;
};

}  // namespace labkit::grade
