#include "explain/hints.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "explain/lane_picture.h"
#include "explain/line_costs.h"
#include "explain/words.h"
#include "grade/figures.h"
#include "grade/toml_reader.h"
#include "words/render.h"

namespace labkit::explain {

namespace {

using words::Id;

constexpr const char* kRemedy = "grader/explain/hints.h explains every key and every {name}";

/// What stands for a {name} where the defect has nothing to put there.
struct TierName {
  std::string_view name;
  Id otherwise;
};
constexpr TierName kNames[] = {{"kernel", Id::hint_kernel},
                               {"launch", Id::hint_launch},
                               {"line", Id::hint_line},
                               {"other_line", Id::hint_other_line},
                               {"lines", Id::hint_lines},
                               {"write_line", Id::hint_write_line},
                               {"read_line", Id::hint_read_line},
                               {"thread", Id::hint_thread},
                               {"other_thread", Id::hint_other_thread},
                               {"block", Id::hint_block},
                               {"other_block", Id::hint_other_block},
                               {"element", Id::hint_element},
                               {"expected", Id::hint_expected},
                               {"got", Id::hint_got},
                               {"owner", Id::hint_owner},
                               {"stored", Id::hint_stored},
                               {"before", Id::none},
                               {"wrong", Id::hint_wrong},
                               {"total", Id::hint_total},
                               {"right_where", Id::hint_right_where},
                               {"inputs", Id::hint_inputs},
                               {"value", Id::hint_value},
                               {"limit", Id::hint_limit},
                               {"worst", Id::hint_worst},
                               {"distance", Id::hint_distance},
                               {"instruction", Id::hint_instruction},
                               {"reset", Id::hint_reset}};

const TierName* find_name(std::string_view name) {
  const auto* const known = std::ranges::find(kNames, name, &TierName::name);
  return known == std::end(kNames) ? nullptr : known;
}

std::string_view otherwise(std::string_view name) {
  const TierName* const known = find_name(name);
  if (known == nullptr) return {};
  return known->otherwise == Id::none ? " " : words::row_of(known->otherwise);
}

/// Calls `put` with each literal piece and each {name} of a tier, in order. False if a brace is not closed.
template <typename Put>
bool walk(std::string_view tier, Put&& put) {
  while (!tier.empty()) {
    const std::size_t open = tier.find('{');
    put(tier.substr(0, open), false);
    if (open == std::string_view::npos) return true;
    const std::size_t close = tier.find('}', open);
    if (close == std::string_view::npos) return false;
    put(tier.substr(open + 1, close - open - 1), true);
    tier.remove_prefix(close + 1);
  }
  return true;
}

std::string kind_of(std::string_view id) { return std::string(id.substr(0, id.find('.'))); }

/// A lab's own hint about elements that nobody wrote knows more than one that holds everywhere, whichever they are.
std::string coarser_of(std::string_view id) {
  return id == "wrong_result.row_ends" || id == "wrong_result.last_rows"
             ? "wrong_result.never_written"
             : "";
}

std::string spelled(std::uint32_t line) {
  return line ? words::text(Id::one_line, {{"line", std::to_string(line)}}) : std::string{};
}
std::string spelled(const launch::SourceLine& where) { return spelled(where.line); }
std::string thread_text(const launch::Dim3& thread) {
  return words::text(Id::one_thread, {{"thread", triple(thread)}});
}
std::string block_text(const launch::Dim3& block) {
  return words::text(Id::one_block, {{"block", triple(block)}});
}

std::string value_of_finding(std::string_view name, const launch::Finding& f) {
  const bool writes_last = f.other_access == launch::Access::read;
  if (name == "line") return spelled(f.where);
  if (name == "other_line") return spelled(f.other);
  if (name == "lines" && f.where.line != 0)
    return f.other.line == 0 || f.other.line == f.where.line
               ? spelled(f.where)
               : words::text(
                     Id::line_and_line,
                     {{"line", std::to_string(std::min(f.where.line, f.other.line))},
                      {"other_line", std::to_string(std::max(f.where.line, f.other.line))}});
  if (name == "write_line") return spelled(writes_last ? f.where : f.other);
  if (name == "read_line") return spelled(writes_last ? f.other : f.where);
  if (name == "thread") return thread_text(f.thread);
  if (name == "other_thread") return thread_text(f.other_thread);
  if (name == "block") return block_text(f.block);
  if (name == "other_block") return block_text(f.other_block);
  return {};
}

std::string value_of_mismatch(std::string_view name, const grade::Mismatch& m) {
  if (name == "element") return element_text(m);
  if (name == "expected") return m.expected;
  if (name == "got") return m.never_written ? words::text(Id::nobody_wrote_it) : m.got;
  if (name == "owner") return m.belongs_to;
  if (name == "inputs") return tell_inputs(m);
  if (name == "stored" && !m.never_written) return tell_who_stored(m);
  if (name == "before") {
    const std::string before = tell_element_before(m), who = tell_who_stored(m);
    if (!who.empty() && !before.empty())
      return words::text(Id::one_before_stored_by, {{"element", before}, {"who", who}});
  }
  if (m.stored && m.stored->stores != 0 && !m.never_written) {
    if (name == "line") return spelled(m.stored->where);
    if (name == "thread") return thread_text(m.stored->thread);
    if (name == "block") return block_text(m.stored->block);
  }
  if (name == "wrong") return number(static_cast<double>(m.wrong));
  if (name == "total") return number(static_cast<double>(m.total));
  return {};
}

std::string value_of_gate(std::string_view name, const grade::GateResult& gate) {
  if (name == "value") return number(gate.value);
  if (name == "limit") return number(gate.threshold);
  if (name == "worst" && gate.culprit.where.line) return number(gate.culprit.value);
  if (name == "line") return spelled(gate.culprit.where);
  if (name == "distance" && gate.culprit.lane_stride_bytes != 0) {
    const std::int64_t bytes = std::abs(gate.culprit.lane_stride_bytes);
    return words::text(Id::bytes_count, {{"count", number(static_cast<double>(bytes))}});
  }
  if (name == "instruction" && gate.culprit.where.line) return gate.culprit.instruction;
  return {};
}

std::string value_of(std::string_view name, const Defect& defect, const grade::LabResult& result) {
  if (defect.test) {
    const grade::TestResult& test = *defect.test;
    if (name == "kernel") return test.kernel;
    if (name == "launch" && !test.launch.empty()) return tell_launch(test.launch.front());
    if (name == "right_where") return right_sizes_text(test);
  }
  if (defect.idle && name == "line") return spelled(defect.idle->line);
  if (name == "reset") return fmt::format("{} reset {}", command_name(), result.lab);
  std::string value;
  if (defect.gate)
    value = value_of_gate(name, *defect.gate);
  else if (defect.finding)
    value = value_of_finding(name, *defect.finding);
  if (value.empty() && defect.mismatch) value = value_of_mismatch(name, *defect.mismatch);
  if (value.empty() && name == "line") value = spelled(result.where);
  return value;
}

Hint parse_hint(const toml::table& table, const std::string& file) {
  grade::TomlReader reader(table, file, "[[hint]]", kRemedy);
  Hint hint;
  hint.defect = reader.text("defect");
  hint.kernel = reader.optional<std::string>("kernel", "a string", "");
  hint.space = reader.optional<std::string>("space", "a string", "");
  hint.tiers = reader.texts("tiers");
  reader.no_other_keys();
  if (!is_defect_id(hint.defect))
    reader.fail(
        fmt::format("there is no defect `{}`; grader/explain/defect.h names them", hint.defect));
  if (hint.tiers.size() < kLeastTiers || hint.tiers.size() > kMostTiers)
    reader.fail(fmt::format("{} has {} tiers; {} to {} are wanted", hint.defect, hint.tiers.size(),
                            kLeastTiers, kMostTiers));
  for (const std::string& tier : hint.tiers) {
    const bool closed = walk(tier, [&](std::string_view piece, bool is_name) {
      if (is_name && find_name(piece) == nullptr)
        reader.fail(fmt::format("{} speaks of an unknown {{{}}}", hint.defect, piece));
    });
    if (!closed) reader.fail(fmt::format("{} has a brace that is not closed", hint.defect));
  }
  return hint;
}

ExtentsOf parse_extents(const toml::table& table, const std::string& file) {
  ExtentsOf extents;
  for (const auto& [kernel, node] : table) {
    const std::string name(kernel.str());
    if (!node.is_table())
      throw Error(fmt::format("{}:{}: [extents]: `{}` must be a table like {{ x = \"cols\", y = "
                              "\"rows\" }}",
                              file, node.source().begin.line, name),
                  kRemedy);
    grade::TomlReader reader(*node.as_table(), file, "[extents]", kRemedy);
    extents[name] = {reader.optional<std::string>("x", "a string", ""),
                     reader.optional<std::string>("y", "a string", "")};
    reader.no_other_keys();
  }
  return extents;
}

void require_names(const grade::Manifest& lab, const Hints& hints, const std::string& file) {
  const auto known_kernel = [&](const std::string& name) {
    const grade::Kernel* known = lab.find_kernel(name);
    if (!known) throw Error(fmt::format("{}: {} has no kernel `{}`", file, lab.id, name), kRemedy);
    return known;
  };
  for (const auto& [kernel, extents] : hints.extents) {
    const auto& parameters = known_kernel(kernel)->parameters;
    for (const std::string& name : {extents.x, extents.y})
      if (!name.empty() && !std::ranges::count(parameters, name, &grade::Parameter::name))
        throw Error(fmt::format("{}: `{}` has no parameter `{}`", file, kernel, name), kRemedy);
  }
  for (const Hint& hint : hints.own) {
    constexpr std::string_view kGate = "gate.";
    const std::string gate = hint.defect.starts_with(kGate) ? hint.defect.substr(kGate.size()) : "";
    const auto has_gate = [&](const grade::Test& test) {
      return std::ranges::count(test.gates, gate, &grade::Gate::name) != 0;
    };
    if (!gate.empty() && !grade::is_figure(gate) && std::ranges::none_of(lab.tests, has_gate))
      throw Error(fmt::format("{}: {} has no gate `{}`", file, lab.id, gate), kRemedy);
    if (!hint.kernel.empty()) known_kernel(hint.kernel);
  }
}

}  // namespace

const Hint* Hints::find(const Defect& defect) const {
  const std::string kernel = defect.test ? defect.test->kernel : "";
  const auto is_of_space = [&](const Hint& hint) {
    return hint.space.empty() || (defect.finding && defect.finding->space == hint.space);
  };
  for (const std::vector<Hint>* from : {&own, &common})
    for (const std::string& id :
         {defect.id, coarser_of(defect.id), defect.figure_id, kind_of(defect.id)})
      for (const bool of_kernel : {true, false})
        for (const Hint& hint : *from)
          if (!id.empty() && hint.defect == id && is_of_space(hint) &&
              (of_kernel ? !kernel.empty() && hint.kernel == kernel : hint.kernel.empty()))
            return &hint;
  return nullptr;
}

std::vector<Hint> parse_hints(std::string_view text, const std::string& name, ExtentsOf* extents) {
  const toml::table table = grade::parse_toml(text, name, kRemedy);
  grade::TomlReader reader(table, name, "the file", kRemedy);
  std::vector<Hint> hints;
  for (const toml::table* one : reader.tables("hint")) {
    Hint hint = parse_hint(*one, name);
    for (const Hint& have : hints)
      if (have.defect == hint.defect && have.kernel == hint.kernel && have.space == hint.space)
        throw Error(
            fmt::format("{}:{}: two hints for {}", name, one->source().begin.line, hint.defect),
            kRemedy);
    hints.push_back(std::move(hint));
  }
  if (const toml::node* node = extents ? reader.find("extents") : nullptr) {
    if (!node->is_table()) reader.fail("`extents` must be a table", node);
    *extents = parse_extents(*node->as_table(), name);
  }
  reader.no_other_keys();
  return hints;
}

Hints load_hints(const grade::Manifest& lab) {
  Hints hints;
  const auto common = lab.directory.parent_path() / "hints.toml";
  hints.common = parse_hints(read_file(common), common.string());
  const auto own = lab.directory / "hints.toml";
  if (!std::filesystem::exists(own)) return hints;
  hints.own = parse_hints(read_file(own), own.string(), &hints.extents);
  require_names(lab, hints, own.string());
  return hints;
}

std::string fill_in(std::string_view tier, const Defect& defect, const grade::LabResult& result) {
  std::string text;
  walk(words::translated(tier), [&](std::string_view piece, bool is_name) {
    if (!is_name) {
      text += piece;
      return;
    }
    const std::string value = value_of(piece, defect, result);
    text += value.empty() ? otherwise(piece) : value;
  });
  // names of the program keep their spelling at the beginning of a sentence, words do not
  for (const char* word : {"line ", "lines ", "thread ", "block ", "the ", "that "})
    if (tier.starts_with('{') && text.starts_with(word))
      text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

void add_lane_strides(grade::LabResult& result) {
  for (grade::TestResult& test : result.tests) {
    if (!test.detail || !test.detail->samples) continue;
    const grade::LaunchDetail& detail = *test.detail;
    for (grade::GateResult& gate : test.gates) {
      grade::Culprit& culprit = gate.culprit;
      if (gate.passed || culprit.where.line == 0) continue;
      if (const auto* worst = worst_of_line(detail.counters, *detail.samples, culprit.where))
        culprit.lane_stride_bytes = picture_of(*worst, worst->worst, detail.samples->ranges,
                                               detail.counters.info.at(worst->instruction).spelling)
                                        .stride_bytes;
    }
  }
}

}  // namespace labkit::explain
