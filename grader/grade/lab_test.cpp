// check.cpp's side of a grading, and GoogleTest's: which tests there are, and what their functions ask of the grading that
// runs. GoogleTest learns only that something failed; what failed is in the grading.
#include "grade/lab_test.h"

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "grade/run_tests.h"

namespace labkit::grade {
namespace {

/// GoogleTest calls a test's body without arguments, so that it has no other way to the grading.
Grading* g_grading = nullptr;

Grading& running_grading() {
  if (!g_grading)
    throw Error("a lab's check was used outside its program", "run it with ctest or labkit grade");
  return *g_grading;
}

std::vector<LabTest>& tests_of_all_labs() {
  static std::vector<LabTest> tests;
  return tests;
}

class OneTest : public testing::Test {
 public:
  explicit OneTest(void (*body)()) : body_(body) {}
  void TestBody() override { body_(); }

 private:
  void (*body_)();
};

std::string first_failure(const testing::TestResult& result) {
  for (int i = 0; i < result.total_part_count(); ++i)
    if (result.GetTestPartResult(i).failed()) return result.GetTestPartResult(i).summary();
  return {};
}

/// Tells the grading which test runs.
class Listener : public testing::EmptyTestEventListener {
 public:
  Listener(Grading& grading, std::function<void(const TestResult&)> ended)
      : grading_(grading), ended_(std::move(ended)) {}

  void OnTestStart(const testing::TestInfo& test) override {
    begin_test(grading_, std::string(test.test_suite_name()) + "." + test.name());
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    const TestResult& result = end_test(grading_);
    if (test.result()->Failed() && result.verdict.passed())
      throw Error(result.name + " failed by itself: " + first_failure(*test.result()),
                  "check.cpp of this lab asserts only through check() and grade()");
    ended_(result);
  }

 private:
  Grading& grading_;
  std::function<void(const TestResult&)> ended_;
};

/// What came of it, for GoogleTest.
void pass_on(const Grading& grading) {
  if (grading.asked || grading.runs_again) return;
  const Verdict& verdict = grading.running->result->verdict;
  if (verdict.kind == "not_attempted") GTEST_SKIP();
  if (!verdict.passed()) GTEST_FAIL() << verdict.text();
}

/// What is wrong in one test may show in another, and a repair must hold in all: a test that failed by itself is told as it
/// is where the whole lab runs, so that CTest, which runs each test by itself, says what `labkit grade` says. Not with a GPU: to
/// measure again would give what failed a second chance.
void run_whole_lab(Grading& grading, const std::vector<TestResult>& before) {
  begin_again(grading, before);
  grading.runs_again = true;
  for (const LabTest& test : tests_of_all_labs()) {
    if (test.lab != grading.manifest.id) continue;
    begin_test(grading, std::string(test.suite) + "." + test.name);
    test.body();
    end_test(grading);
  }
  grading.runs_again = false;
}

/// A number in [low, high] that depends on the seed and `which`.
int seeded(std::uint64_t which, int low, int high) {
  return low + static_cast<int>(random_bits(running_grading().options.seed, which) %
                                static_cast<std::uint64_t>(high - low + 1));
}

std::uint64_t hash_of(const std::string& name) {
  std::uint64_t hash = 0;
  for (const char c : name) hash = mix64(hash + static_cast<unsigned char>(c) + 1);
  return hash;
}

template <typename T>
void fill(ArrayData& array, double low, double high, bool whole) {
  const std::uint64_t stream = mix64(running_grading().options.seed) ^ hash_of(array.name);
  T* const values = reinterpret_cast<T*>(array.bytes.data());
  in_parallel(array.rows * array.cols, kParallelGrain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const double drawn = random_uniform(stream, i, low, high);
      // rounding towards zero would make 0 twice as likely
      T value = static_cast<T>(whole || std::is_integral_v<T> ? std::floor(drawn) : drawn);
      if (std::is_floating_point_v<T> && value >= static_cast<T>(high) && high > low)
        value = static_cast<T>(low);  // the conversion rounded up
      values[i] = value;
    }
  });
}

}  // namespace

bool add_test(const LabTest& test) {
  tests_of_all_labs().push_back(test);
  return true;
}

bool register_tests(const std::string& lab) {
  bool any = false;
  for (const LabTest& test : tests_of_all_labs()) {
    if (test.lab != lab) continue;
    testing::RegisterTest(test.suite, test.name, nullptr, nullptr, test.file, test.line,
                          [body = test.body]() -> OneTest* { return new OneTest(body); });
    any = true;
  }
  return any;
}

void set_grading(Grading* grading) { g_grading = grading; }

bool run_tests(Grading& grading, std::function<void(const TestResult&)> ended,
               const std::function<void()>& judged) {
  testing::UnitTest& all = *testing::UnitTest::GetInstance();
  testing::TestEventListeners& listeners = all.listeners();
  delete listeners.Release(listeners.default_result_printer());
  const bool is_whole = GTEST_FLAG_GET(filter) == "*";
  // From the first that waits for a repair on, each is reported when it has one; of some tests alone, all are reported at the end.
  std::vector<const TestResult*> waiting;
  bool failed = false;
  listeners.Append(new Listener(grading, [&](const TestResult& result) {
    failed |= !result.verdict.passed() && !result.verdict.neutral();
    if (is_whole && waiting.empty() && !waits_for_repairs(grading))
      ended(result);
    else
      waiting.push_back(&result);
  }));
  set_grading(&grading);
  grading.run_function = [lab = grading.manifest.id](const std::string& name) {
    for (const LabTest& test : tests_of_all_labs())
      if (test.lab == lab && std::string(test.suite) + "." + test.name == name) test.body();
  };
  const std::vector<TestResult> before = grading.results;
  const bool passed = RUN_ALL_TESTS() == 0;
  if (all.test_to_run_count() == 0)
    throw Error("no test is called so: " + GTEST_FLAG_GET(filter), "--gtest_list_tests lists them");
  const bool again = !is_whole && failed && grading.options.details && !grading.devices.gpu;
  if (again) run_whole_lab(grading, before);
  if (judged && must_look_for_repairs(grading)) judged();
  find_repairs(grading);
  set_grading(nullptr);
  for (std::size_t i = 0; again && i < before.size(); ++i)
    if (std::ranges::count(waiting, &grading.results[i]) == 0) grading.results[i] = before[i];
  for (const TestResult* result : waiting) ended(*result);
  return passed;
}

void check(const std::vector<Case>& cases) {
  check(running_grading(), cases);
  pass_on(running_grading());
}
void check(const Case& one) { check(std::vector<Case>{one}); }

void grade(const std::function<Case()>& make) {
  grade(running_grading(), make);
  pass_on(running_grading());
}

std::optional<std::vector<int>> shape_from_kernel(std::string_view kernel, std::string_view name,
                                                  std::initializer_list<Limit> limits) {
  auto values = shape_from_kernel(running_grading(), kernel, name, limits);
  if (!values) pass_on(running_grading());
  return values;
}

// What is easy to picture comes first: the first case that fails is the one that is reported.
std::vector<int> odd_lengths() {
  std::vector<int> lengths = {32,  31,  33,  1,    2,    63,   97,   127,  255,
                              256, 257, 509, 1000, 1021, 1024, 1025, 2053, 4099};
  lengths.insert(lengths.end(), {seeded(1, 34, 1020), seeded(2, 1026, 4096), 0});
  return lengths;
}

std::vector<Shape> odd_shapes() {
  std::vector<Shape> shapes = {{32, 32},  {31, 31},   {33, 33},   {31, 33},  {33, 31},
                               {32, 64},  {64, 32},   {97, 61},   {1, 1},    {1, 32},
                               {32, 1},   {1, 1021},  {1021, 1},  {3, 509},  {509, 3},
                               {2, 2053}, {4099, 17}, {17, 4099}, {127, 129}};
  const Shape small{seeded(3, 34, 200), seeded(4, 34, 200)};
  const Shape wide{seeded(5, 2, 31), seeded(6, 200, 2000)};
  shapes.insert(shapes.end(), {small, wide, {0, 0}, {0, 7}, {5, 0}});
  return shapes;
}

std::uint32_t blocks_for(std::int64_t n, std::int64_t per_block) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, (n + per_block - 1) / per_block));
}

int graded_size(std::string_view name) { return graded_size(running_grading(), name); }
Dim3 graded_block() { return graded_test(running_grading()).block; }
std::uint32_t graded_elements_a_thread() {
  return graded_test(running_grading()).elements_a_thread;
}

std::shared_ptr<ArrayData> make_array(std::string name, std::uint64_t rows, std::uint64_t cols,
                                      bool is_vector, bool is_output, launch::Element element) {
  return std::make_shared<ArrayData>(
      ArrayData{.name = std::move(name),
                .rows = rows,
                .cols = cols,
                .is_vector = is_vector,
                .is_output = is_output,
                .element = element,
                .bytes = std::vector<std::byte>(rows * cols * launch::size_bytes(element))});
}

void fill_values(ArrayData& array, double low, double high) {
  with_type_of(array.element, [&]<typename T>(T) { fill<T>(array, low, high, false); });
}

void fill_whole_values(ArrayData& array, int low, int high) {
  with_type_of(array.element, [&]<typename T>(T) { fill<T>(array, low, high, true); });
}

}  // namespace labkit::grade
