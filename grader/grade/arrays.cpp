// Sizes that find mistakes, and the values that go in.
#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "base/random.h"
#include "grade/lab_test.h"
#include "grade/session.h"

namespace labkit::lab {
namespace {

/// A number in [low, high] that depends on the session's seed and `which`.
int seeded(std::uint64_t which, int low, int high) {
  return low + static_cast<int>(random_bits(session().seed(), which) %
                                static_cast<std::uint64_t>(high - low + 1));
}

std::uint64_t hash_of(const std::string& name) {
  std::uint64_t hash = 0;
  for (const char c : name) hash = mix64(hash + static_cast<unsigned char>(c) + 1);
  return hash;
}

template <typename T>
void fill(ArrayData& array, std::uint64_t stream, double low, double high) {
  T* const values = reinterpret_cast<T*>(array.bytes.data());
  in_parallel(array.rows * array.cols, kParallelGrain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      T value = static_cast<T>(random_uniform(stream, i, low, high));
      if (value >= static_cast<T>(high) && high > low)
        value = static_cast<T>(low);  // the conversion rounded up
      values[i] = value;
    }
  });
}

}  // namespace

// What is easy to picture comes first: the first case that fails is the one a student is told.
std::vector<int> odd_lengths() {
  return {32,
          31,
          33,
          1,
          2,
          63,
          97,
          127,
          255,
          256,
          257,
          509,
          1000,
          1021,
          1024,
          1025,
          2053,
          4099,
          seeded(1, 34, 1020),
          seeded(2, 1026, 4096),
          0};
}

std::vector<Shape> odd_shapes() {
  return {{32, 32},
          {31, 31},
          {33, 33},
          {31, 33},
          {33, 31},
          {32, 64},
          {64, 32},
          {97, 61},
          {1, 1},
          {1, 32},
          {32, 1},
          {1, 1021},
          {1021, 1},
          {3, 509},
          {509, 3},
          {2, 2053},
          {4099, 17},
          {17, 4099},
          {127, 129},
          {seeded(3, 34, 200), seeded(4, 34, 200)},
          {seeded(5, 2, 31), seeded(6, 200, 2000)},
          {0, 0},
          {0, 7},
          {5, 0}};
}

std::uint32_t blocks_for(std::int64_t n, std::int64_t per_block) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, (n + per_block - 1) / per_block));
}

int graded_size(std::string_view name) { return session().graded_size(name); }
Dim3 graded_block() { return session().graded_test().block; }
std::uint32_t graded_elements_a_thread() { return session().graded_test().elements_a_thread; }

std::shared_ptr<ArrayData> make_array(std::string name, std::uint64_t rows, std::uint64_t cols,
                                      bool is_vector, bool is_output, launch::Element element) {
  auto array = std::make_shared<ArrayData>();
  array->name = std::move(name);
  array->rows = rows;
  array->cols = cols;
  array->is_vector = is_vector;
  array->is_output = is_output;
  array->element = element;
  array->bytes.resize(rows * cols * launch::size_bytes(element));
  return array;
}

void fill_values(ArrayData& array, double low, double high) {
  const std::uint64_t stream = mix64(session().seed()) ^ hash_of(array.name);
  switch (array.element) {
    case launch::Element::f32:
      return fill<float>(array, stream, low, high);
    case launch::Element::f64:
      return fill<double>(array, stream, low, high);
    case launch::Element::i32:
      return fill<std::int32_t>(array, stream, low, high);
    case launch::Element::i64:
      return fill<std::int64_t>(array, stream, low, high);
    case launch::Element::u8:
      return fill<std::uint8_t>(array, stream, low, high);
    default:
      break;  // element_of() makes no other
  }
}

}  // namespace labkit::lab
