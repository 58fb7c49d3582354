// The rows of data/kernel_counters.csv as launches: kernel, grid, block and arguments. Shared by tests and benchmarks.
#pragma once
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "launch/launch.h"
#include "ptx/module.h"
#include "simt/machine.h"

namespace labkit::observe::test {

/// Rows of a CSV file by column name. Quoted fields may contain commas.
std::vector<std::map<std::string, std::string>> read_csv(const std::string& path);
std::string read_text(const std::string& path);
/// Parses data/<name>; throws std::runtime_error if it does not parse.
ptx::Module read_module(const std::string& name);

struct KernelRow {
  std::string family, kernel, kernel_name;
  launch::Dim3 grid, block;
  std::map<std::string, std::string> columns;
  std::string label() const { return family + "_" + kernel; }
};
inline std::ostream& operator<<(std::ostream& out, const KernelRow& row) {
  return out << row.label();
}
std::vector<KernelRow> kernel_rows();
/// The same kernel at a size as the labs' correctness tests have: 20 to 50 thousand elements, an odd number where the
/// kernel has bounds checks, else an odd number of its tiles.
KernelRow small(KernelRow row);

/// One row made ready: buffers allocated, parameters laid out.
struct PreparedRow {
  launch::Launch launch;
  std::vector<std::byte> parameters;
  simt::Memory memory;
  std::uint64_t output = 0;  ///< address of the buffer the kernel writes
};
/// `module` has the row's kernel. Throws std::runtime_error if it has not.
PreparedRow prepare(const KernelRow& row, const ptx::Module& module);

}  // namespace labkit::observe::test
