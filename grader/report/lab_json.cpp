// A lab's result as JSON, and back: `labkit grade` reads what the checks of the labs wrote.
#include <fmt/format.h>

#include "base/error.h"
#include "explain/defect.h"
#include "explain/words.h"
#include "report/json.h"
#include "report/json_values.h"

namespace labkit::report {
namespace {

constexpr int kFormat = 1;

Json interval_json(const grade::Interval& interval) {
  return Json::array({json_number(interval.low), json_number(interval.high)});
}

Json sizes_json(const grade::Sizes& sizes) {
  Json json = Json::object();
  for (const auto& [name, value] : sizes) json[name] = value;
  return json;
}

/// A GPU's figures; each ratio with its 95% interval.
Json measured_json(const grade::Measurement& m) {
  Json json;
  json["gpu"] = text(m.gpu);
  json["size"] = sizes_json(m.size);
  json["figures"] = numbers(m.figures);
  const auto ratio = [&](const char* name, const std::optional<grade::Interval>& interval) {
    if (!interval) return;
    json[name] = json_number(interval->value);
    json[std::string(name) + "_interval"] = interval_json(*interval);
  };
  ratio("ratio", m.ratio);
  ratio("best_ratio", m.best_ratio);
  json["samples"] = m.samples;
  json["conditions"] = {{"settled", m.conditions.settled},
                        {"waited_seconds", json_number(m.conditions.waited_seconds)},
                        {"disturbed_rounds", m.conditions.disturbed},
                        {"trouble", text(m.conditions.trouble)},
                        {"sm_clock_mhz", m.conditions.sm_clock_mhz},
                        {"memory_clock_mhz", m.conditions.memory_clock_mhz},
                        {"gpu_uuid", text(m.conditions.gpu_uuid)},
                        {"watched", m.conditions.watched}};
  if (m.undecided) json["undecided"] = message(m.undecided);
  if (m.information) json["information"] = message(m.information);
  return json;
}

Json gate_json(const grade::GateResult& gate) {
  Json json;
  json["name"] = gate.name;
  json["figure"] = gate.figure;
  json[gate.is_minimum ? "min" : "max"] = json_number(gate.threshold);
  json["value"] = json_number(gate.value);
  json["margin"] = json_number(gate.margin());
  json["passed"] = gate.passed;
  json["points"] = json_number(gate.points);
  json["max_points"] = json_number(gate.max_points);
  json["reason"] = text(gate.reason);
  json["next"] = text(gate.next);
  if (gate.missing) json["missing"] = message(gate.missing);
  json["measured"] = gate.measured;
  if (gate.measured) json["interval"] = interval_json(gate.interval);
  if (gate.undecided) json["undecided"] = message(gate.undecided);
  if (gate.note) json["note"] = message(gate.note);
  if (gate.culprit.where.line)
    json["culprit"] = {{"file", text(gate.culprit.where.file)},
                       {"line", gate.culprit.where.line},
                       {"instruction", text(gate.culprit.instruction)},
                       {"value", json_number(gate.culprit.value)}};
  if (gate.culprit.lane_stride_bytes != 0)
    json["culprit"]["lane_stride_bytes"] = gate.culprit.lane_stride_bytes;
  return json;
}

/// null stands for a number that was not finite; such a gate never passed.
double read_number(const Json& json) { return json.is_null() ? std::nan("") : json.get<double>(); }

/// Id::none if it is not there.
words::Message read_optional(const Json& json, const char* key) {
  return json.contains(key) ? read_message(json.at(key)) : words::Message{};
}

grade::Interval read_interval(const Json& value, const Json& bounds) {
  return {read_number(value), read_number(bounds.at(0)), read_number(bounds.at(1))};
}

grade::Measurement read_measured(const Json& json) {
  grade::Measurement m;
  m.gpu = json.at("gpu");
  for (const auto& [name, value] : json.at("size").items()) m.size[name] = value;
  for (const auto& [name, value] : json.at("figures").items()) m.figures[name] = read_number(value);
  if (json.contains("ratio")) m.ratio = read_interval(json.at("ratio"), json.at("ratio_interval"));
  if (json.contains("best_ratio"))
    m.best_ratio = read_interval(json.at("best_ratio"), json.at("best_ratio_interval"));
  m.samples = json.at("samples");
  const Json& conditions = json.at("conditions");
  m.conditions.settled = conditions.at("settled");
  m.conditions.waited_seconds = read_number(conditions.at("waited_seconds"));
  m.conditions.disturbed = conditions.at("disturbed_rounds");
  // Not in results of earlier kits, which gradebooks hold.
  m.conditions.gpu_uuid = conditions.value("gpu_uuid", "");
  m.conditions.watched = conditions.value("watched", false);
  m.conditions.trouble = conditions.at("trouble");
  m.conditions.sm_clock_mhz = conditions.at("sm_clock_mhz");
  m.conditions.memory_clock_mhz = conditions.at("memory_clock_mhz");
  m.undecided = read_optional(json, "undecided");
  m.information = read_optional(json, "information");
  return m;
}

grade::GateResult read_gate(const Json& json) {
  grade::GateResult gate;
  gate.name = json.at("name");
  gate.figure = json.at("figure");
  gate.is_minimum = json.contains("min");
  gate.threshold = json.at(gate.is_minimum ? "min" : "max");
  gate.value = read_number(json.at("value"));
  gate.points = json.at("points");
  gate.max_points = json.at("max_points");
  gate.passed = json.at("passed");
  gate.reason = json.at("reason");
  gate.next = json.at("next");
  gate.missing = read_optional(json, "missing");
  gate.measured = json.at("measured");
  if (gate.measured) gate.interval = read_interval(json.at("value"), json.at("interval"));
  gate.undecided = read_optional(json, "undecided");
  gate.note = read_optional(json, "note");
  if (json.contains("culprit")) {
    const Json& culprit = json.at("culprit");
    gate.culprit = {.where = {culprit.at("file"), culprit.at("line")},
                    .instruction = culprit.at("instruction"),
                    .value = read_number(culprit.at("value")),
                    .lane_stride_bytes = culprit.value("lane_stride_bytes", std::int64_t{0})};
  }
  return gate;
}

Json stored_json(const observe::StoredBy& stored) {
  Json json = {{"stores", stored.stores}};
  if (stored.stores == 0) return json;
  json["several_threads"] = stored.several_threads;
  json["where"] = place(stored.where);
  if (stored.where_inside.line != 0) json["inside"] = place(stored.where_inside);
  json["thread"] = dim(stored.thread);
  json["block"] = dim(stored.block);
  return json;
}

observe::StoredBy read_stored(const Json& json) {
  observe::StoredBy stored;
  stored.stores = json.at("stores");
  if (stored.stores == 0) return stored;
  stored.several_threads = json.at("several_threads");
  stored.where = read_place(json.at("where"));
  if (json.contains("inside")) stored.where_inside = read_place(json.at("inside"));
  stored.thread = read_dim(json.at("thread"));
  stored.block = read_dim(json.at("block"));
  return stored;
}

Json mismatch_json(const grade::Mismatch& m) {
  Json json;
  json["array"] = m.array;
  json["shape"] = m.is_vector ? Json::array({m.cols}) : Json::array({m.rows, m.cols});
  json["first"] = m.is_vector ? Json::array({m.col}) : Json::array({m.row, m.col});
  json["expected"] = m.expected;
  json["got"] = m.got;
  if (!m.bound.empty()) json["bound"] = m.bound;
  json["never_written"] = m.never_written;
  json["wrong_count"] = m.wrong;
  json["total_count"] = m.total;
  json["never_written_count"] = m.never_written_count;
  if (m.constant) json["constant"] = true;
  if (!m.belongs_to.empty()) json["belongs_to"] = m.belongs_to;
  for (const auto& [name, value] : m.inputs) json["inputs"][name] = value;
  if (m.stored) json["stored"] = stored_json(*m.stored);
  return json;
}

grade::Mismatch read_mismatch(const Json& json) {
  grade::Mismatch m;
  m.array = json.at("array");
  const Json &shape = json.at("shape"), &first = json.at("first");
  m.is_vector = shape.size() == 1;
  m.rows = m.is_vector ? 1 : shape.at(0).get<std::uint64_t>();
  m.cols = shape.at(m.is_vector ? 0 : 1);
  m.row = m.is_vector ? 0 : first.at(0).get<std::uint64_t>();
  m.col = first.at(m.is_vector ? 0 : 1);
  m.expected = json.at("expected");
  m.got = json.at("got");
  m.bound = json.value("bound", "");
  m.never_written = json.at("never_written");
  m.wrong = json.at("wrong_count");
  m.total = json.at("total_count");
  m.never_written_count = json.at("never_written_count");
  m.constant = json.value("constant", false);
  m.belongs_to = json.value("belongs_to", "");
  if (json.contains("inputs"))
    for (const auto& [name, value] : json.at("inputs").items()) m.inputs.emplace_back(name, value);
  if (json.contains("stored")) m.stored = read_stored(json.at("stored"));
  return m;
}

Json launch_json(const grade::LaunchText& launch) {
  Json scalars = Json::object();
  for (const auto& [name, value] : launch.scalars) scalars[name] = value;
  return {{"kernel", launch.kernel},
          {"grid", launch.grid},
          {"block", launch.block},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"scalars", scalars}};
}

grade::LaunchText read_launch(const Json& json) {
  grade::LaunchText launch;
  launch.kernel = json.at("kernel");
  launch.grid = json.at("grid");
  launch.block = json.at("block");
  launch.dynamic_shared_bytes = json.at("dynamic_shared_bytes");
  for (const auto& [name, value] : json.at("scalars").items())
    launch.scalars.emplace_back(name, value);
  return launch;
}

Json test_json(const grade::TestResult& test) {
  Json json;
  json["name"] = test.name;
  json["about"] = text(test.about);
  json["kernel"] = test.kernel;
  json["verdict"] = test.verdict.text();
  // What is not decided is no zero.
  json["points"] = test.decided() ? json_number(test.points) : Json(nullptr);
  json["max_points"] = json_number(test.max_points);
  json["bonus"] = test.bonus;
  json["message"] = messages(test.message);
  if (const std::string cause = explain::cause_id(test); !cause.empty()) json["cause"] = cause;
  json["mismatches"] = Json::array();
  for (const grade::Mismatch& mismatch : test.mismatches)
    json["mismatches"].push_back(mismatch_json(mismatch));
  json["findings"] = Json::array();
  for (const launch::Finding& f : test.findings) json["findings"].push_back(finding(f));
  if (!test.idle.empty()) json["idle_statements"] = idle_statements(test.idle);
  if (test.repair) {
    json["repair"] = {{"launches", test.repair->launches}, {"lines", Json::array()}};
    for (const grade::ChangedLine& changed : test.repair->lines)
      json["repair"]["lines"].push_back({{"line", changed.line},
                                         {"before", text(changed.before)},
                                         {"after", text(changed.after)}});
  }
  if (!test.launch.empty()) json["launch"] = launch_json(test.launch.front());
  json["gates"] = Json::array();
  for (const grade::GateResult& gate : test.gates) json["gates"].push_back(gate_json(gate));
  json["figures"] = numbers(test.figures);
  json["time_is_predicted"] = test.time_is_predicted;
  json["time_bound"] = test.time_bound;
  if (test.time_bound_part != 0) json["time_bound_part"] = json_number(test.time_bound_part);
  if (test.slow) {
    json["slow"] = {{"cause", launch::id_of(test.slow->cause)},
                    {"where", place(test.slow->where)},
                    {"evidence", messages(test.slow->evidence)},
                    {"fix", message(test.slow->fix)}};
  }
  if (test.time_unlike)
    json["time_unlike"] = {{"work", test.time_unlike->work},
                           {"distance", json_number(test.time_unlike->distance)}};
  if (test.registers) json["registers"] = registers(*test.registers);
  if (test.measured) json["measured"] = measured_json(*test.measured);
  if (test.detail) json["detail"] = detail_json(*test.detail);
  if (!test.known.empty()) {
    json["known"] = Json::array();
    for (const grade::KnownAnswer& answer : test.known)
      json["known"].push_back({{"name", text(answer.name)},
                               {"file", text(answer.file)},
                               {"counted", numbers(answer.counted)},
                               {"predicted", numbers(answer.predicted)}});
  }
  json["on_gpu"] = text(test.on_gpu);
  json["launches"] = test.launches;
  json["budget_share"] = test.budget_share;
  if (!test.input_written.empty()) json["input_written"] = text(test.input_written);
  if (!test.right_where.empty()) json["right_where"] = test.right_where;
  json["printed"] = text(test.printed);
  return json;
}

grade::TestResult read_test(const Json& json) {
  grade::TestResult test;
  test.name = json.at("name");
  test.about = json.at("about");
  test.kernel = json.at("kernel");
  test.verdict = grade::verdict_from_text(json.at("verdict").get<std::string>());
  test.points = json.at("points").is_null() ? 0 : json.at("points").get<double>();
  test.max_points = json.at("max_points");
  test.bonus = json.at("bonus");
  test.message = read_messages(json.at("message"));
  for (const Json& mismatch : json.at("mismatches"))
    test.mismatches.push_back(read_mismatch(mismatch));
  for (const Json& f : json.at("findings")) test.findings.push_back(read_finding(f));
  if (json.contains("repair")) {
    test.repair = {.lines = {}, .launches = json["repair"].at("launches")};
    for (const Json& line : json["repair"].at("lines"))
      test.repair->lines.push_back({line.at("line"), line.at("before"), line.at("after")});
  }
  if (json.contains("launch")) test.launch = {read_launch(json.at("launch"))};
  for (const Json& gate : json.at("gates")) test.gates.push_back(read_gate(gate));
  for (const auto& [name, value] : json.at("figures").items())
    test.figures[name] = read_number(value);
  test.time_is_predicted = json.at("time_is_predicted");
  test.time_bound = json.at("time_bound");
  test.time_bound_part = json.value("time_bound_part", 0.0);
  if (json.contains("slow")) {
    const Json& slow = json.at("slow");
    launch::Diagnosis made{
        .where = read_place(slow.at("where")), .evidence = {}, .fix = read_message(slow.at("fix"))};
    made.cause = read_cause(slow.at("cause"));
    made.evidence = read_messages(slow.at("evidence"));
    test.slow = std::move(made);
  }
  if (json.contains("time_unlike"))
    test.time_unlike =
        timing::Unlike{json["time_unlike"].at("work"), json["time_unlike"].at("distance")};
  if (json.contains("idle_statements"))
    test.idle = read_idle_statements(json.at("idle_statements"));
  if (json.contains("registers")) test.registers = read_registers(json.at("registers"));
  if (json.contains("measured")) test.measured = read_measured(json.at("measured"));
  if (json.contains("detail"))
    test.detail = std::make_shared<const grade::LaunchDetail>(read_detail(json.at("detail")));
  if (json.contains("known"))
    for (const Json& known : json.at("known")) {
      grade::KnownAnswer& answer = test.known.emplace_back();
      answer.name = known.at("name");
      answer.file = known.at("file");
      for (const auto& [name, value] : known.at("counted").items())
        answer.counted[name] = read_number(value);
      for (const auto& [name, value] : known.at("predicted").items())
        answer.predicted[name] = read_number(value);
    }
  test.on_gpu = json.at("on_gpu");
  test.launches = json.at("launches");
  test.budget_share = json.value("budget_share", 0.0);  // not in results of older kits
  test.input_written = json.value("input_written", "");
  test.right_where = json.value("right_where", "");
  test.printed = json.at("printed");
  return test;
}

Json to_json(const grade::LabResult& result) {
  Json json;
  json["format"] = kFormat;
  json["lab"] = result.lab;
  json["folder"] = result.folder;
  json["title"] = text(result.title);
  json["file"] = text(result.file);
  json["device"] = result.device;
  json["gpu"] = result.gpu;
  json["measured_on"] = text(result.measured_on);
  json["gpu_driver"] = text(result.gpu_driver);
  json["device_note"] = text(result.device_note);
  json["compiler"] = result.compiler;
  json["jail"] = result.jail;
  json["ptx_sha256"] = result.ptx_sha256;
  json["seed"] = result.seed;
  json["verdict"] = result.verdict.text();
  json["points"] = json_number(result.points);
  json["max_points"] = json_number(result.max_points);
  json["bonus"] = json_number(result.bonus);
  json["max_bonus"] = json_number(result.max_bonus);
  json["undecided_points"] = json_number(result.undecided);
  json["undecided_bonus"] = json_number(result.undecided_bonus);
  json["message"] = messages(result.message);
  json["where"] = {{"file", text(result.where.file)}, {"line", result.where.line}};
  json["compile_log"] = text(result.compile_log);
  if (!result.lost_parameter.empty()) json["lost_parameter"] = text(result.lost_parameter);
  json["notes"] = messages(result.notes);
  json["tests"] = Json::array();
  for (const grade::TestResult& test : result.tests) json["tests"].push_back(test_json(test));
  return json;
}

}  // namespace

std::string lab_json(const grade::LabResult& result) { return to_json(result).dump(2) + "\n"; }

std::string labs_json(const std::vector<grade::LabResult>& results) {
  Json json;
  json["format"] = kFormat;
  json["labs"] = Json::array();
  for (const grade::LabResult& result : results) json["labs"].push_back(to_json(result));
  return json.dump(2) + "\n";
}

std::map<std::string, device::Registers> read_registers_json(const std::string& text,
                                                             const std::string& name) {
  try {
    std::map<std::string, device::Registers> all;
    const Json json = Json::parse(text);
    for (const auto& [test, registers] : json.items()) all[test] = read_registers(registers);
    return all;
  } catch (const nlohmann::json::exception& error) {
    throw Error(name + " has no registers: " + error.what());
  }
}

grade::LabResult read_lab_json(const std::string& text, const std::string& name) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kFormat)
      throw Error(name + " is of another format",
                  "rebuild the kit: its programs are of two versions");
    grade::LabResult result;
    result.lab = json.at("lab");
    result.folder = json.at("folder");
    result.title = json.at("title");
    result.file = json.at("file");
    result.device = json.at("device");
    result.gpu = json.at("gpu");
    result.measured_on = json.at("measured_on");
    result.gpu_driver = json.at("gpu_driver");
    result.device_note = json.at("device_note");
    result.compiler = json.at("compiler");
    result.jail = json.at("jail");
    result.ptx_sha256 = json.at("ptx_sha256");
    result.seed = json.at("seed");
    result.verdict = grade::verdict_from_text(json.at("verdict").get<std::string>());
    result.points = json.at("points");
    result.max_points = json.at("max_points");
    result.bonus = json.at("bonus");
    result.max_bonus = json.at("max_bonus");
    result.undecided = json.at("undecided_points");
    result.undecided_bonus = json.at("undecided_bonus");
    result.message = read_messages(json.at("message"));
    result.where = {json.at("where").at("file"), json.at("where").at("line")};
    result.compile_log = json.at("compile_log");
    result.lost_parameter = json.value("lost_parameter", "");
    result.notes = read_messages(json.at("notes"));
    for (const Json& test : json.at("tests")) result.tests.push_back(read_test(test));
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{} is no lab result: {}", name, error.what()),
                "rebuild the kit and grade again");
  } catch (const std::invalid_argument& error) {
    throw Error(fmt::format("{} is no lab result: {}", name, error.what()),
                "rebuild the kit and grade again");
  }
}

}  // namespace labkit::report
