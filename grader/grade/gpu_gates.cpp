#include "grade/gpu_gates.h"

#include <algorithm>
#include <ranges>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "grade/toml_reader.h"

namespace labkit::grade {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1 << 20;

std::vector<double> numbers(TomlReader& reader, const char* key, std::size_t count) {
  const toml::node* node = reader.find(key);
  const auto fail = [&] {
    reader.fail(fmt::format("`{}` must be an array of {} numbers", key, count), node);
  };
  if (!node || !node->is_array() || node->as_array()->size() != count) fail();
  std::vector<double> values;
  for (const toml::node& entry : *node->as_array()) {
    const auto value = entry.value<double>();
    if (!value || !entry.is_number()) fail();
    values.push_back(*value);
  }
  return values;
}

std::optional<GateWitness> witness(TomlReader& reader, const char* key, const std::string& file) {
  const toml::table* table = reader.table(key, "a table");
  if (!table) return std::nullopt;
  TomlReader inner(*table, file, key);
  GateWitness made;
  made.file = inner.text("file");
  const std::vector<double> ratio = numbers(inner, "ratio", 3);
  made.ratio = {ratio[0], ratio[1], ratio[2]};
  inner.no_other_keys();
  return made;
}

GpuGate parse_gate(const toml::table& table, const Manifest& lab, const std::string& file) {
  TomlReader reader(table, file, "[[gate]]");
  GpuGate gate;
  gate.name = reader.text("name");
  const Gate* known = nullptr;
  for (const Test& test : lab.tests)
    for (const Gate& each : test.gates)
      if (each.name == gate.name) known = &each;
  if (!known) reader.fail(fmt::format("lab.toml has no gate `{}`", gate.name));
  if (!known->is_ratio() || !known->is_minimum)
    reader.fail(fmt::format("gate `{}` is no minimum of a ratio", gate.name));
  gate.size = reader.sizes("size");
  if (gate.size.empty()) reader.fail("`size` must be a table like { rows = 4096 }");
  if (reader.find("min")) {
    gate.min = reader.required<double>("min", "a number");
    if (!(*gate.min > 0)) reader.fail("`min` must be over 0");
  }
  const std::vector<double> window = numbers(reader, "window", 2);
  gate.window_low = window[0];
  gate.window_high = window[1];
  if (gate.min && !(window[0] <= *gate.min && *gate.min <= window[1]))
    reader.fail("`min` lies outside `window`");
  const auto slowest = witness(reader, "slowest_right", file);
  if (!slowest) reader.fail("`slowest_right` is missing");
  gate.slowest_right = *slowest;
  gate.fastest_wrong = witness(reader, "fastest_wrong", file);
  if (reader.find("told_by_counters")) gate.told_by_counters = reader.texts("told_by_counters");
  gate.note = reader.optional<std::string>("note", "a string", "");
  reader.no_other_keys();
  return gate;
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string witness_toml(const GateWitness& witness) {
  return fmt::format("{{ file = {}, ratio = [{:.4f}, {:.4f}, {:.4f}] }}", toml_string(witness.file),
                     witness.ratio.value, witness.ratio.low, witness.ratio.high);
}

}  // namespace

const GpuGate* GpuGates::find(std::string_view gate) const {
  const auto found = std::ranges::find(gates, gate, &GpuGate::name);
  return found == gates.end() ? nullptr : &*found;
}

std::string gpu_slug(std::string_view gpu) {
  std::string slug;
  for (const char c : to_lower(gpu)) {
    if (is_letter(c) || is_digit(c))
      slug += c;
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  if (slug.ends_with('-')) slug.pop_back();
  return slug;
}

std::filesystem::path gpu_gates_file(const Manifest& lab, std::string_view gpu) {
  return lab.directory / "gpu_gates" / (gpu_slug(gpu) + ".toml");
}

GpuGates parse_gpu_gates(std::string_view text, const Manifest& lab, const std::string& name) {
  const toml::table table =
      parse_toml(text, name, command_name() + " lab calibrate writes it anew");
  TomlReader reader(table, name, "GPU gates");
  GpuGates made;
  made.gpu = reader.text("gpu");
  made.date = reader.text("date");
  made.command = reader.text("command");
  made.driver = reader.text("driver");
  made.runs = static_cast<int>(reader.required<std::int64_t>("runs", "a whole number"));
  for (const toml::table* gate : reader.tables("gate"))
    made.gates.push_back(parse_gate(*gate, lab, name));
  reader.no_other_keys();
  return made;
}

std::optional<GpuGates> load_gpu_gates(const Manifest& lab, std::string_view gpu) {
  const std::filesystem::path file = gpu_gates_file(lab, gpu);
  if (!std::filesystem::exists(file)) return std::nullopt;
  GpuGates gates = parse_gpu_gates(read_file(file, kMaxFileBytes), lab, file.string());
  if (gates.gpu != gpu)
    throw Error(fmt::format("{} is for {}, not for {}", file.string(), gates.gpu, gpu),
                command_name() + " lab calibrate writes it anew");
  return gates;
}

std::string to_toml(const GpuGates& gates) {
  std::string text = fmt::format(
      "# Written by `labkit lab calibrate`; grader/grade/gpu_gates.h explains the keys.\n"
      "gpu = {}\ndate = {}\ncommand = {}\ndriver = {}\nruns = {}\n",
      toml_string(gates.gpu), toml_string(gates.date), toml_string(gates.command),
      toml_string(gates.driver), gates.runs);
  for (const GpuGate& gate : gates.gates) {
    text += fmt::format("\n[[gate]]\nname = {}\n", toml_string(gate.name));
    text += fmt::format("size = {}\n", inline_table(gate.size));
    if (gate.min) text += fmt::format("min = {}\n", *gate.min);
    text += fmt::format("window = [{:.4f}, {:.4f}]\n", gate.window_low, gate.window_high);
    text += fmt::format("slowest_right = {}\n", witness_toml(gate.slowest_right));
    if (gate.fastest_wrong)
      text += fmt::format("fastest_wrong = {}\n", witness_toml(*gate.fastest_wrong));
    if (!gate.told_by_counters.empty())
      text += fmt::format("told_by_counters = [{}]\n",
                          joined(gate.told_by_counters | std::views::transform(toml_string)));
    if (!gate.note.empty()) text += fmt::format("note = {}\n", toml_string(gate.note));
  }
  return text;
}

}  // namespace labkit::grade
