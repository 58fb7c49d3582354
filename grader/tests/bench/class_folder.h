// A made-up class as a folder of submissions, for the benchmark of `labkit class grade`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace labkit::bench {

/// Writes FOLDER/s000/lab1.cu and so on, and gives the number of files. Of 100 submissions about 62 are
/// one of the lab's correct solutions, 30 one of its wrong ones, 4 the stub, 1 a file that does not
/// compile, 1 a hostile one of docker/sample_class, 2 are not there. No two files are the same, so that
/// no cache of compiled kernels helps: each begins with a comment of its own. The same for the same
/// numbers.
std::size_t make_class_folder(const std::filesystem::path& folder, std::size_t students,
                              std::uint64_t seed = 1);

}  // namespace labkit::bench
