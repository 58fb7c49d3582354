#include "measured_kernels.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "base/files.h"
#include "ptx/module.h"
#include "simt/machine.h"
#include "timed_run.h"
#include "words/render.h"

namespace labkit::timing {
namespace {

using launch::Dim3;

std::uint32_t up(std::uint64_t count, std::uint64_t step) {
  return static_cast<std::uint32_t>((count + step - 1) / step);
}

/// "transpose_8191x8193" -> 8191, 8193; "copy_n4194304" -> 4194304.
std::vector<std::uint64_t> numbers(const std::string& text) {
  std::vector<std::uint64_t> all;
  bool digit = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      if (!digit) all.push_back(0);
      all.back() = all.back() * 10 + static_cast<std::uint64_t>(c - '0');
    }
    digit = c >= '0' && c <= '9';
  }
  return all;
}

void linear(MeasuredKernel& k, const char* entry, std::uint64_t elements, std::uint64_t per_block,
            std::uint64_t element_bytes, int buffers) {
  k.entry = entry;
  k.grid = {up(elements, per_block), 1, 1};
  k.block = {256, 1, 1};
  k.buffers_bytes.assign(static_cast<std::size_t>(buffers), elements * element_bytes);
  k.integers = {static_cast<std::int32_t>(elements)};
}

void transpose(MeasuredKernel& k, std::uint64_t rows, std::uint64_t cols, bool is_double) {
  struct Row {
    const char *name, *entry, *entry_double;
    Dim3 block;
    std::uint32_t tile_x, tile_y;  // elements of `in` a block covers
  };
  static const Row table[] = {
      {"copy_tile_32x32", "_Z9copy_tilePKfPfii", nullptr, {32, 32, 1}, 32, 32},
      {"copy_tile_32x8", "_Z9copy_tilePKfPfii", nullptr, {32, 8, 1}, 32, 32},
      {"naive_read_32x32",
       "_Z13tr_naive_readIfEvPKT_PS0_ii",
       "_Z13tr_naive_readIdEvPKT_PS0_ii",
       {32, 32, 1},
       32,
       32},
      {"naive_read_16x16", "_Z13tr_naive_readIfEvPKT_PS0_ii", nullptr, {16, 16, 1}, 16, 16},
      {"naive_read_32x8", "_Z13tr_naive_readIfEvPKT_PS0_ii", nullptr, {32, 8, 1}, 32, 8},
      {"naive_write_32x32", "_Z14tr_naive_writeIfEvPKT_PS0_ii", nullptr, {32, 32, 1}, 32, 32},
      {"naive_write_16x16", "_Z14tr_naive_writeIfEvPKT_PS0_ii", nullptr, {16, 16, 1}, 16, 16},
      {"tile32_nopad",
       "_Z7tr_tileIfLi32ELi0EEvPKT_PS0_ii",
       "_Z7tr_tileIdLi32ELi0EEvPKT_PS0_ii",
       {32, 32, 1},
       32,
       32},
      {"tile32_pad",
       "_Z7tr_tileIfLi32ELi1EEvPKT_PS0_ii",
       "_Z7tr_tileIdLi32ELi1EEvPKT_PS0_ii",
       {32, 32, 1},
       32,
       32},
      {"tile16_nopad", "_Z7tr_tileIfLi16ELi0EEvPKT_PS0_ii", nullptr, {16, 16, 1}, 16, 16},
      {"tile16_pad", "_Z7tr_tileIfLi16ELi1EEvPKT_PS0_ii", nullptr, {16, 16, 1}, 16, 16},
      {"rows32x8_nopad", "_Z7tr_rowsIfLi32ELi8ELi0EEvPKT_PS0_ii", nullptr, {32, 8, 1}, 32, 32},
      {"rows32x8_pad",
       "_Z7tr_rowsIfLi32ELi8ELi1EEvPKT_PS0_ii",
       "_Z7tr_rowsIdLi32ELi8ELi1EEvPKT_PS0_ii",
       {32, 8, 1},
       32,
       32},
      {"rows64x16_pad", "_Z7tr_rowsIfLi64ELi8ELi1EEvPKT_PS0_ii", nullptr, {64, 8, 1}, 64, 64},
      {"swizzle32x8", "_Z10tr_swizzlePKfPfii", nullptr, {32, 8, 1}, 32, 32},
      {"dyn32_pad", "_Z6tr_dynIfEvPKT_PS0_ii", nullptr, {32, 32, 1}, 32, 32},
      {"dyn16_pad", "_Z6tr_dynIfEvPKT_PS0_ii", nullptr, {16, 16, 1}, 16, 16},
  };
  const std::uint64_t bytes = is_double ? 8 : 4;
  if (k.kernel == "memcpyD2D") return;
  if (k.kernel == "copy_linear256")
    return linear(k, is_double ? "_Z11copy_linearIdEvPKT_PS0_i" : "_Z11copy_linearIfEvPKT_PS0_i",
                  rows * cols, 256, bytes, 2);
  if (k.kernel == "copy_float4")
    return linear(k, "_Z11copy_linearI6float4EvPKT_PS1_i", rows * cols / 4, 256, 16, 2);
  for (const Row& row : table) {
    if (k.kernel != row.name) continue;
    k.entry = is_double ? row.entry_double : row.entry;
    k.block = row.block;
    k.grid = {up(cols, row.tile_x), up(rows, row.tile_y), 1};
    if (k.kernel.starts_with("naive_write"))
      k.grid = {up(rows, row.tile_x), up(cols, row.tile_y), 1};
    if (k.kernel == "dyn32_pad") k.dynamic_shared_bytes = 32 * 33 * 4;
    if (k.kernel == "dyn16_pad") k.dynamic_shared_bytes = 16 * 17 * 4;
    k.buffers_bytes = {rows * cols * bytes, rows * cols * bytes};
    k.integers = {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(cols)};
    if (k.kernel.starts_with("copy_tile")) std::swap(k.integers[0], k.integers[1]);  // (w, h)
  }
}

void copy(MeasuredKernel& k, std::uint64_t n) {
  if (k.kernel == "memcpyD2D") return;
  linear(k, "_Z11copy_linearIfEvPKT_PS0_i", n, 256, 4, 2);
  const auto number = numbers(k.kernel);
  if (k.kernel == "float4") linear(k, "_Z11copy_linearI6float4EvPKT_PS1_i", n / 4, 256, 16, 2);
  if (k.kernel.starts_with("grid_stride")) {
    k.entry = "_Z9copy_gridIfEvPKT_PS0_i";
    k.grid = {1056, 1, 1};
    k.sample_blocks = 128;
  }
  if (k.kernel.starts_with("offset")) {
    k.entry = "_Z11copy_offsetPKfPfii";
    k.integers.push_back(static_cast<std::int32_t>(number[0]));
  }
  if (k.kernel.starts_with("stride")) {
    k.entry = "_Z11copy_stridePKfPfii";
    k.grid.x = up(n, 256 * number[0]);
    k.integers.push_back(static_cast<std::int32_t>(number[0]));
  }
}

void vecadd(MeasuredKernel& k, std::uint64_t n, bool is_double) {
  if (k.kernel == "vec4") return linear(k, "_Z8add_vec4PK6float4S1_PS_i", n / 4, 256, 16, 3);
  std::string entry = "_Z14add_coalesced0IfEvPKT_S2_PS0_i";
  if (k.kernel.starts_with("coalesced1")) entry = "_Z14add_coalesced1IfEvPKT_S2_PS0_i";
  if (k.kernel.starts_with("uncoalesced")) entry = "_Z15add_uncoalescedIfEvPKT_S2_PS0_i";
  if (is_double) entry[entry.find("If") + 1] = 'd';
  const auto per = k.kernel == "coalesced0" ? 1 : numbers(k.kernel).back();
  linear(k, "", n, 256 * per, is_double ? 8 : 4, 3);
  k.entry = entry;
}

void matmul(MeasuredKernel& k, std::uint64_t n) {
  if (k.kernel == "copy_linear256")
    return linear(k, "_Z11copy_linearIfEvPKT_PS0_i", n * n, 256, 4, 2);
  static const std::map<std::string, std::pair<const char*, std::uint32_t>> table = {
      {"naive_32x32", {"_Z8mm_naivePKfS0_Pfi", 32}},
      {"naive_uncoal_32x32", {"_Z15mm_naive_uncoalPKfS0_Pfi", 32}},
      {"tiled16", {"_Z8mm_tiledILi16EEvPKfS1_Pfi", 16}},
      {"tiled32", {"_Z8mm_tiledILi32EEvPKfS1_Pfi", 32}},
      {"reg4x4", {"_Z7mm_reg4PKfS0_Pfi", 16}}};
  const auto& [entry, side] = table.at(k.kernel);
  k.entry = entry;
  k.block = {side, side, 1};
  const std::uint32_t tile = k.kernel == "reg4x4" ? 64 : side;
  k.grid = {up(n, tile), up(n, tile), 1};
  k.buffers_bytes = {n * n * 4, n * n * 4, n * n * 4};
  k.integers = {static_cast<std::int32_t>(n)};
  k.sample_blocks = n > 2048 ? k.grid.x + k.grid.x / 8 : 24;
}

void powers(MeasuredKernel& k, std::uint64_t n) {
  if (k.kernel == "copy_linear256")
    return linear(k, "_Z11copy_linearIfEvPKT_PS0_i", n * 32, 256, 4, 2);
  static const std::map<std::string, const char*> table = {
      {"direct", "_Z9pw_directPKfPfi"},
      {"interleaved", "_Z14pw_interleavedPKfPfi"},
      {"smem_conflict", "_Z7pw_smemILi32EEvPKfPfi"},
      {"smem_padded", "_Z7pw_smemILi33EEvPKfPfi"}};
  linear(k, table.at(k.kernel), n, 128, 4, 1);
  k.block = {128, 1, 1};
  k.buffers_bytes = {n * 4, n * 32 * 4};
}

void layout(MeasuredKernel& k, std::uint64_t n) {
  if (k.kernel == "copy_linear256")
    return linear(k, "_Z11copy_linearIfEvPKT_PS0_i", n * 16, 256, 4, 2);
  linear(k, k.kernel == "aos" ? "_Z7lay_aosPK3cqdPS_i" : "_Z7lay_soaPKdPdi", n, 256, 64, 2);
}

/// Fills in how `k.kernel` of `k.family` is launched; leaves `entry` empty if that is not known.
void launch_of(MeasuredKernel& k) {
  const auto size = numbers(k.family);
  if (k.family == "transpose_double_8192")
    transpose(k, size[0], size[0], true);
  else if (k.family.starts_with("transpose"))
    transpose(k, size[0], size[1], false);
  else if (k.family.starts_with("copy"))
    copy(k, size[0]);
  else if (k.family.starts_with("vecadd"))
    vecadd(k, size[0], k.family.starts_with("vecadd_double"));
  else if (k.family.starts_with("matmul"))
    matmul(k, size[0]);
  else if (k.family.starts_with("powers"))
    powers(k, size[0]);
  else if (k.family.starts_with("layout"))
    layout(k, size[0]);
}

}  // namespace

MeasuredKernel unmeasured_kernel(const std::string& family, const std::string& kernel) {
  MeasuredKernel k;
  k.family = family;
  k.kernel = kernel;
  launch_of(k);
  if (k.entry.empty()) throw std::runtime_error("no launch for " + family + ", " + kernel);
  return k;
}

/// kernel_times.csv was timed with a program of its own, in which an empty launch took 4.1 and 4.5 us (h200/timing_parameters.txt);
/// between the kit's events a launch takes 2.85 us (h200/spin.txt).
constexpr double kMoreThanTheKitUs = 4.3 - 2.85;

std::vector<MeasuredKernel> measured_kernels() {
  std::vector<MeasuredKernel> all;
  std::istringstream lines(read_file(std::string(LABKIT_TEST_DATA) + "/kernel_times.csv"));
  std::string line, useful_bytes, median;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    MeasuredKernel k;
    std::istringstream cells(line);
    std::getline(cells, k.family, ',');
    std::getline(cells, k.kernel, ',');
    std::getline(cells, useful_bytes, ',');
    std::getline(cells, median, ',');
    k.measured_us = std::stod(median) - kMoreThanTheKitUs;
    launch_of(k);
    if (k.entry.empty() && k.kernel != "memcpyD2D")
      throw std::runtime_error("no launch for " + line);
    all.push_back(k);
  }
  return all;
}

namespace {

/// The cells of a line of comma-separated values, quotes taken off.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

std::vector<std::vector<std::string>> rows_of(const char* file) {
  std::istringstream lines(read_file(std::string(LABKIT_TEST_DATA) + "/" + file));
  std::vector<std::vector<std::string>> rows;
  std::string line;
  do std::getline(lines, line);
  while (line.starts_with('#'));
  while (std::getline(lines, line)) rows.push_back(cells_of(line));
  return rows;
}

/// "188x750" -> {188, 750, 1}
Dim3 dim_of(const std::string& text) {
  Dim3 dim{1, 1, 1};
  std::uint32_t* const parts[] = {&dim.x, &dim.y, &dim.z};
  std::istringstream in(text);
  std::string part;
  for (std::uint32_t* to : parts)
    if (std::getline(in, part, 'x')) *to = static_cast<std::uint32_t>(std::stoul(part));
  return dim;
}

}  // namespace

std::vector<MeasuredKernel> other_kernels() {
  std::map<std::string, std::string> entries;
  for (const auto& row : rows_of("other_entries.csv")) entries[row.at(0)] = row.at(1);
  std::map<std::pair<std::string, std::string>, double> times;
  for (const auto& row : rows_of("other_times.csv"))
    times[{row.at(0), row.at(1)}] = std::stod(row.at(2));
  static const std::map<std::string, std::uint64_t> sizes = {
      {"u8", 1}, {"i32", 4}, {"f32", 4}, {"f64", 8}};
  std::vector<MeasuredKernel> all;
  for (const auto& row : rows_of("other_launches.csv")) {
    MeasuredKernel k;
    k.set = Set::test;
    k.family = row.at(0);
    k.kernel = row.at(1);
    k.entry = entries.at(row.at(2));
    k.grid = dim_of(row.at(3));
    // As a lab is run. The first blocks alone are more of an edge than the rest (stencil3d: their first plane is nothing else).
    k.sample_blocks = k.grid.count();
    k.block = dim_of(row.at(4));
    k.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(row.at(5)));
    k.measured_us = times.at({k.family, k.kernel});
    std::istringstream arguments(row.at(7));
    std::string argument;
    while (arguments >> argument) {
      const auto open = argument.find('['), colon = argument.find(':');
      const std::string type = argument.substr(0, std::min(open, colon));
      if (open == std::string::npos) {
        k.integers.push_back(static_cast<std::int32_t>(std::stol(argument.substr(colon + 1))));
      } else {
        k.buffers_bytes.push_back(std::stoull(argument.substr(open + 1)) * sizes.at(type));
        k.random_integers.push_back(type == "i32" && argument.ends_with("random"));
      }
    }
    all.push_back(k);
  }
  return all;
}

Registers registers_of(const MeasuredKernel& kernel) {
  static const std::map<std::pair<std::string, std::string>, Registers> known = [] {
    std::map<std::pair<std::string, std::string>, Registers> all;
    for (const auto& row : rows_of("registers.csv")) {
      const auto counted = static_cast<std::uint32_t>(std::stoul(row.at(2)));
      all[{row.at(0), row.at(1)}] = {
          counted, row.at(3).empty() ? counted : static_cast<std::uint32_t>(std::stoul(row.at(3)))};
    }
    return all;
  }();
  return known.at({kernel.set == Set::fit ? "kernels" : "other_kernels", kernel.entry});
}

std::vector<MeasuredKernel> measured_kernels(const std::string& family) {
  std::vector<MeasuredKernel> all = measured_kernels();
  std::erase_if(all, [&](const MeasuredKernel& k) { return k.family != family; });
  return all;
}

namespace {

/// Buffers of all launches of a family, allocated once for each (position, size): large ones are
/// dear to clear.
class Buffers {
 public:
  std::uint64_t address(std::size_t position, std::uint64_t bytes, bool random) {
    const auto found = at_.find({position, bytes});
    if (found != at_.end()) return found->second;
    launch::Buffer buffer;
    buffer.element = launch::Element::i32;
    buffer.count = bytes / 4;
    buffer.fill = launch::Fill::random;
    buffer.seed = 1 + position;
    const std::uint64_t address =
        memory.allocate("argument " + std::to_string(position),
                        random ? launch::initial_contents(buffer) : std::vector<std::byte>(bytes));
    return at_[{position, bytes}] = address;
  }
  simt::Memory memory;

 private:
  std::map<std::pair<std::size_t, std::uint64_t>, std::uint64_t> at_;
};

Simulated simulate_one(const MeasuredKernel& k, const ptx::Module& module, Buffers& buffers,
                       unsigned threads, std::uint64_t seed) {
  const simt::DecodeResult decoded = simt::decode(module, k.entry);
  if (!decoded.program)
    throw std::runtime_error(
        k.entry + " cannot be decoded: " + words::render(decoded.refused.front().evidence));
  const simt::ProgramFacts& facts = simt::facts(*decoded.program);

  launch::Launch launch;
  launch.kernel = launch.entry = k.entry;
  launch.grid = k.grid;
  launch.block = k.block;
  launch.dynamic_shared_bytes = k.dynamic_shared_bytes;
  std::vector<std::byte> parameters;
  const auto append = [&](const auto& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    parameters.insert(parameters.end(), bytes, bytes + sizeof value);
  };
  Simulated result{.of = k, .counters = {}, .locality = {}, .bare = {}};
  Activity& activity = result.bare;
  for (std::size_t i = 0; i < k.buffers_bytes.size(); ++i) {
    append(buffers.address(i, k.buffers_bytes[i],
                           i < k.random_integers.size() && k.random_integers[i]));
    activity.footprint_bytes += k.buffers_bytes[i];
  }
  for (const std::int32_t value : k.integers) append(value);

  simt::RunOptions options;
  options.threads = threads;
  std::vector<std::uint64_t> sample(std::min<std::uint64_t>(k.sample_blocks, k.grid.count()));
  std::iota(sample.begin(), sample.end(), 0);
  options.blocks = sample;
  LocalityOptions as_whole = suited({.launch_blocks = k.grid.count()});
  as_whole.launch_blocks = sample.size();
  as_whole.seed = seed;
  TimedRun run = run_timed(*decoded.program, launch, parameters, buffers.memory, options, as_whole);
  if (!run.result.completed)
    throw std::runtime_error(
        k.entry + ": " +
        (run.result.findings.empty() ? "" : words::render(run.result.findings[0].evidence)));
  result.counters = std::move(run.counters);
  result.locality = std::move(run.locality);
  activity.scale = static_cast<double>(k.grid.count()) / static_cast<double>(sample.size());
  activity.grid = k.grid;
  activity.block = k.block;
  const Registers registers = registers_of(k);
  activity.registers_per_thread = registers.measured;
  activity.registers_estimated = false;
  result.counted_registers = registers.counted;
  result.estimated_registers = facts.estimated_registers;
  activity.shared_bytes_per_block = facts.static_shared_bytes + k.dynamic_shared_bytes;
  activity.l2_holds_writes = k.set == Set::fit;  // its L2 was flushed by a memset
  return result;
}

}  // namespace

std::vector<Simulated> simulate_all(const std::vector<MeasuredKernel>& kernels, unsigned threads,
                                    std::uint64_t seed) {
  std::vector<Simulated> all;
  simulate_each(
      kernels, [&](Simulated s) { all.push_back(std::move(s)); }, threads, seed);
  return all;
}

void simulate_each(const std::vector<MeasuredKernel>& kernels,
                   const std::function<void(Simulated)>& take, unsigned threads,
                   std::uint64_t seed) {
  std::map<Set, ptx::ParseResult> modules;
  for (const auto& [set, file] :
       {std::pair{Set::fit, "/kernels.ptx"}, std::pair{Set::test, "/other_kernels.ptx"}}) {
    modules[set] = ptx::parse(read_file(LABKIT_TEST_DATA + std::string(file)));
    if (!modules[set].module) throw std::runtime_error(file + (": " + modules[set].error.message));
  }
  std::unique_ptr<Buffers> buffers;
  std::string family;
  for (const MeasuredKernel& k : kernels) {
    if (k.entry.empty()) continue;
    if (k.family != family) buffers = std::make_unique<Buffers>();
    family = k.family;
    take(simulate_one(k, *modules.at(k.set).module, *buffers, threads, seed));
  }
}

Activity Simulated::activity() const {
  Activity activity = bare;
  activity.counters = &counters;
  activity.locality = &locality;
  return activity;
}

std::vector<Predicted> predict_all(const std::vector<MeasuredKernel>& kernels) {
  std::vector<Predicted> all;
  for (const Simulated& each : simulate_all(kernels))
    all.push_back(
        {each.of, predict(each.activity(), find_profile("h200")), each.bare.registers_per_thread});
  return all;
}

}  // namespace labkit::timing
