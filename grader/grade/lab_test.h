// The API that a lab's check.cpp is written with. Such a file holds GoogleTest tests, one for each
// [[test]] of lab.toml:
//
//   TEST(CornerTurning, AnyShape) {
//     std::vector<Case> cases;
//     for (auto [rows, cols] : odd_shapes()) cases.push_back(turn(rows, cols));
//     check(cases);                             // right, element by element, for every shape
//   }
//   TEST(CornerTurning, Bandwidth) {
//     // right, and through the gates of lab.toml
//     grade([] { return turn(graded_size("rows"), graded_size("cols")); });
//   }
//
// where turn() builds a Case: what is launched, on what, and what must come out. The reference
// result is computed on the host while the Case is built, so before anything is launched. check()
// and grade() do the rest: they find the student's file, compile it, skip or fail tests of kernels
// that are still empty, poison outputs (0xFF in every byte), launch, turn the simulator's findings
// into verdicts, compare every element (NaN never equals; an element still poisoned is reported as
// "never written") and see that the inputs came back unchanged. What failed is reported by the
// program, not by GoogleTest; a check.cpp never prints.
//
// With a GPU, what the simulator finds right runs there too and is held against the same
// expectations; grade() calls its function a second time, with the GPU's larger sizes behind
// graded_size(). Where that is much work on the host, in_rows() spreads it over the cores.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>

#include "base/parallel.h"
#include "grade/cases.h"

/// GoogleTest's TEST, of one lab: a program holds the check.cpp of all labs, and only the tests of the lab that is graded run.
/// The build names the lab.
#undef TEST
#define TEST(suite, name)                                                                        \
  static void suite##_##name();                                                                  \
  [[maybe_unused]] static const bool suite##_##name##_is_added =                                 \
      labkit::grade::add_test({LABKIT_LAB, #suite, #name, __FILE__, __LINE__, &suite##_##name}); \
  static void suite##_##name()

namespace labkit::grade {

struct LabTest {
  const char *lab, *suite, *name;
  const char* file;
  int line;
  void (*body)();
};
/// What TEST does.
bool add_test(const LabTest& test);

/// From the current test's entry in lab.toml: `size`, or on a GPU `gpu_size`. An unknown name is our
/// error and ends the program with kExitOurError.
int graded_size(std::string_view name);
Dim3 graded_block();
std::uint32_t graded_elements_a_thread();

/// Calls work(row) for each row below `rows`, from several threads at a time where rows * `cost`,
/// the elements that a row touches, is worth it.
template <typename Work>
void in_rows(int rows, std::int64_t cost, const Work& work) {
  in_parallel(static_cast<std::uint64_t>(std::max(0, rows)),
              kParallelGrain / static_cast<std::uint64_t>(std::max<std::int64_t>(1, cost)),
              [&](std::uint64_t begin, std::uint64_t end) {
                for (std::uint64_t row = begin; row < end; ++row) work(static_cast<int>(row));
              });
}

/// Launches each from fresh memory and fails the current test at the first that is not right.
void check(const std::vector<Case>& cases);
void check(const Case& one);
/// As check(), then measures the same launch and holds it against the gates that lab.toml gives the
/// current test. `make` builds the Case with the sizes that graded_size() then gives.
void grade(const std::function<Case()>& make);

/// A launch shape that is data in kernel.cu: `__constant__ int NAME[] = {32, 8, ...};` (or
/// `__device__ const int`). Reads the compiled module, never runs anything. Each number must lie
/// in its limits.
/// nullopt: the kernel `kernel` (lab.toml's name for it) is not attempted, or the array is missing,
/// of another type or length, or out of its limits; then the test has been skipped or failed
/// already, and simply returns.
std::optional<std::vector<int>> shape_from_kernel(std::string_view kernel, std::string_view name,
                                                  std::initializer_list<Limit> limits);

}  // namespace labkit::grade
