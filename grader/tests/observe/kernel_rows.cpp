#include "kernel_rows.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace labkit::observe::test {
namespace {

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

/// "void tr_tile<float, 32, 0>(const T1 *, ...)" and "void tr_tile<float, 32, 0>(float const*, ...)" -> the same.
std::string without_parameters(const std::string& name) { return name.substr(0, name.find('(')); }

std::string demangled(std::string_view name) {
  int status = 0;
  char* text = abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 ? text : std::string(name);
  std::free(text);
  return result;
}

std::vector<int> numbers_in(const std::string& text) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
      ++i;
      continue;
    }
    std::size_t used = 0;
    numbers.push_back(std::stoi(text.substr(i), &used));
    i += used;
  }
  return numbers;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Elements of `bytes` each, small positive numbers that differ.
std::vector<std::byte> numbers(std::size_t count, std::size_t bytes) {
  std::vector<std::byte> data(count * bytes);
  for (std::size_t i = 0; i < count; ++i) {
    const double wide = 0.5 + static_cast<double>(i % 1021) / 1024;
    const auto narrow = static_cast<float>(wide);
    if (bytes == 8)
      std::memcpy(data.data() + i * 8, &wide, 8);
    else
      std::memcpy(data.data() + i * 4, &narrow, 4);
  }
  return data;
}

}  // namespace

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::map<std::string, std::string>> read_csv(const std::string& path) {
  std::istringstream in(read_text(path));
  std::string line;
  std::getline(in, line);
  const auto names = split_csv(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    if (line.empty()) continue;
    const auto fields = split_csv(line);
    if (fields.size() != names.size())
      throw std::runtime_error(path + ": a row with another number of fields");
    auto& row = rows.emplace_back();
    for (std::size_t k = 0; k < names.size(); ++k) row[names[k]] = fields[k];
  }
  return rows;
}

ptx::Module read_module(const std::string& name) {
  auto parsed = ptx::parse(read_text(std::string(LABKIT_OBSERVE_DATA) + "/" + name));
  if (!parsed.module)
    throw std::runtime_error(name + ":" + std::to_string(parsed.error.ptx_line) + ": " +
                             parsed.error.message);
  return std::move(*parsed.module);
}

std::vector<KernelRow> kernel_rows() {
  std::vector<KernelRow> rows;
  for (auto& columns : read_csv(std::string(LABKIT_OBSERVE_DATA) + "/kernel_counters.csv")) {
    KernelRow row;
    row.family = columns["family"];
    row.kernel = columns["kernel"];
    row.kernel_name = columns["kernel_name"];
    row.grid = launch::parse_dim3(columns["grid"]).value();
    row.block = launch::parse_dim3(columns["block"]).value();
    row.columns = std::move(columns);
    rows.push_back(std::move(row));
  }
  return rows;
}

KernelRow small(KernelRow row) {
  struct Size {
    const char* family;
    std::vector<std::uint64_t> from, to;
  };
  static const std::vector<Size> kSmall = {{"transpose_1000x1500", {1000, 1500}, {131, 197}},
                                           {"transpose_1024x1024", {1024, 1024}, {163, 163}},
                                           {"transpose_2048x2048", {2048, 2048}, {163, 163}},
                                           {"transpose_double_2048", {2048, 2048}, {163, 163}},
                                           {"copy_n4194304", {4194304}, {32773}},
                                           {"vecadd_double_n2097152", {2097152}, {32773}},
                                           {"vecadd_float_n4194304", {4194304}, {32773}},
                                           {"matmul_256", {256, 256}, {192, 192}},
                                           {"matmul_512", {512, 512}, {192, 192}},
                                           {"powers_n131072", {131072}, {1152}},
                                           {"layout_cqd_n262144", {262144}, {4099}}};
  const auto size = std::find_if(kSmall.begin(), kSmall.end(),
                                 [&](const Size& one) { return row.family == one.family; });
  if (size == kSmall.end()) throw std::runtime_error("no small size is known for " + row.family);
  std::uint64_t from = 1, to = 1;
  for (const auto n : size->from) from *= n;
  for (const auto n : size->to) to *= n;
  auto scaled = [](std::uint64_t count, std::uint64_t by, std::uint64_t over) {
    return static_cast<std::uint32_t>((count * by + over - 1) / over);
  };
  if (row.grid.y == 1) {
    row.grid.x = scaled(row.grid.x, to, from);
  } else {  // a grid over columns, then rows; or the other way round
    const std::size_t x = row.grid.x >= row.grid.y ? 1 : 0;
    row.grid.x = scaled(row.grid.x, size->to[x], size->from[x]);
    row.grid.y = scaled(row.grid.y, size->to[1 - x], size->from[1 - x]);
  }
  row.columns["useful_bytes"] =
      std::to_string(std::stoull(row.columns.at("useful_bytes")) * to / from);
  row.family = row.family.substr(0, row.family.find_first_of("0123456789")) +
               std::to_string(size->to[0]) +
               (size->to.size() > 1 ? "x" + std::to_string(size->to[1]) : "");
  return row;
}

PreparedRow prepare(const KernelRow& row, const ptx::Module& module) {
  PreparedRow ready;
  const auto name = without_parameters(row.kernel_name);
  const ptx::Function* entry = nullptr;
  for (const auto& function : module.functions)
    if (function.is_entry && without_parameters(demangled(function.name)) == name)
      entry = &function;
  if (entry == nullptr) throw std::runtime_error("no kernel " + name);
  ready.launch.kernel = name;
  ready.launch.entry = std::string(entry->name);
  ready.launch.grid = row.grid;
  ready.launch.block = row.block;
  if (has(row.kernel, "dyn32")) ready.launch.dynamic_shared_bytes = 32 * 33 * 4;
  if (has(row.kernel, "dyn16")) ready.launch.dynamic_shared_bytes = 16 * 17 * 4;

  // what the family's name and the comments of kernels.cu say
  const auto sizes = numbers_in(row.family);
  const std::size_t bytes = has(name, "double") || has(name, "lay_") ? 8 : 4;
  const auto useful = std::stoull(row.columns.at("useful_bytes"));
  std::size_t in_count = 0, out_count = 0, in2_count = 0;
  std::vector<int> scalars;
  auto same = [&](std::size_t count) { in_count = out_count = count; };
  if (has(name, "copy_linear")) {
    same(useful / 2 / bytes);
    scalars = {static_cast<int>(in_count / (has(name, "float4") ? 4 : 1))};
  } else if (has(name, "copy_grid")) {
    same(static_cast<std::size_t>(sizes[0]));
    scalars = {sizes[0]};
  } else if (has(name, "copy_offset") || has(name, "copy_stride")) {
    same(static_cast<std::size_t>(sizes[0]));
    scalars = {sizes[0], numbers_in(row.kernel)[0]};
  } else if (has(name, "add_")) {
    same(static_cast<std::size_t>(sizes[0]));
    in2_count = in_count;
    scalars = {has(name, "vec4") ? sizes[0] / 4 : sizes[0]};
  } else if (row.family.starts_with("transpose")) {
    const int rows = sizes[0], cols = sizes.size() > 1 ? sizes[1] : sizes[0];
    same(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
    scalars = has(name, "copy_tile") ? std::vector<int>{cols, rows} : std::vector<int>{rows, cols};
  } else if (has(name, "mm_")) {
    same(static_cast<std::size_t>(sizes[0]) * static_cast<std::size_t>(sizes[0]));
    in2_count = in_count;
    scalars = {sizes[0]};
  } else if (has(name, "pw_")) {
    in_count = static_cast<std::size_t>(sizes[0]);
    out_count = in_count * 32;
    scalars = {sizes[0]};
  } else if (has(name, "lay_")) {
    same(static_cast<std::size_t>(sizes[0]) * 8);
    scalars = {sizes[0]};
  } else {
    throw std::runtime_error("no launch is known for " + name);
  }
  std::vector<std::uint64_t> pointers{ready.memory.allocate("in", numbers(in_count, bytes))};
  if (in2_count != 0) pointers.push_back(ready.memory.allocate("in2", numbers(in2_count, bytes)));
  ready.output = ready.memory.allocate(
      "out", std::vector<std::byte>(out_count * bytes, std::byte{0xFF}), false);
  pointers.push_back(ready.output);
  std::size_t size = 0;
  for (const auto& parameter : entry->parameters)
    size = std::max<std::size_t>(size, parameter.offset_bytes + parameter.size_bytes);
  ready.parameters.resize(size);
  for (std::size_t k = 0; k < entry->parameters.size(); ++k) {
    auto* at = ready.parameters.data() + entry->parameters[k].offset_bytes;
    if (k < pointers.size())
      std::memcpy(at, &pointers[k], 8);
    else
      std::memcpy(at, &scalars.at(k - pointers.size()), 4);
  }
  return ready;
}

}  // namespace labkit::observe::test
