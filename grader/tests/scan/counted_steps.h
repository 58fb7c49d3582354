// How many steps a piece of work takes: basic blocks of the code that is built for counting (CMakeLists.txt), and of the C
// library's functions on memory one for each byte. The same on every run, unlike time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace labkit::scan {

/// Ends the program where `work` takes more than `at_most`: what is quadratic need not be waited for.
std::uint64_t steps_of(const std::function<void()>& work, std::uint64_t at_most);

using Make = std::function<std::string(std::size_t bytes)>;
/// Steps for an input of `bytes`, divided by those for half of it. 2: linear; 4: quadratic.
double growth(const Make& make, std::size_t bytes,
              const std::function<void(const std::string&)>& work);

/// What growth() may be.
constexpr double kLinear = 2.5;

/// `piece` again and again, up to so many bytes.
std::string repeated(const std::string& piece, std::size_t bytes);

}  // namespace labkit::scan
