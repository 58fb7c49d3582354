// A lab's result as JSON, and back: `labkit grade` reads what the checks of the labs wrote.
#include <fmt/format.h>

#include "base/error.h"
#include "explain/defect.h"
#include "report/json.h"
#include "report/json_values.h"

namespace labkit::report {
namespace {

constexpr int kFormat = 1;

void ratio_fields(auto& io, const std::string& name, auto& ratio) {
  if (!io.has(name, ratio.has_value())) return;
  auto& interval = io.made(ratio);
  io.or_null(name, interval.value);
  io(name + "_interval", interval);
}

}  // namespace

void fields(auto& io, Is<device::Conditions> auto& conditions) {
  io("settled", conditions.settled);
  io.or_null("waited_seconds", conditions.waited_seconds);
  io("disturbed_rounds", conditions.disturbed);
  io("trouble", conditions.trouble);
  io("sm_clock_mhz", conditions.sm_clock_mhz);
  io("memory_clock_mhz", conditions.memory_clock_mhz);
  io.lately("gpu_uuid", conditions.gpu_uuid);
  io.lately("watched", conditions.watched);
}

/// A GPU's figures.
void fields(auto& io, Is<grade::Measurement> auto& m) {
  io("gpu", m.gpu);
  io("size", m.size);
  io("figures", m.figures);
  ratio_fields(io, "ratio", m.ratio);
  ratio_fields(io, "best_ratio", m.best_ratio);
  io("samples", m.samples);
  io("conditions", m.conditions);
  io.maybe("undecided", m.undecided);
  io.maybe("information", m.information);
}

void fields(auto& io, Is<grade::Culprit> auto& culprit) {
  io("file", culprit.where.file);
  io("line", culprit.where.line);
  io("instruction", culprit.instruction);
  io.or_null("value", culprit.value);
  io.maybe("lane_stride_bytes", culprit.lane_stride_bytes);
}

void fields(auto& io, Is<grade::GateResult> auto& gate) {
  io("name", gate.name);
  io("figure", gate.figure);
  io.note_has("min", gate.is_minimum);
  io(gate.is_minimum ? "min" : "max", gate.threshold);
  io.or_null("value", gate.value);
  io.written("margin", [&] { return gate.margin(); });
  io("passed", gate.passed);
  io("points", gate.points);
  io("max_points", gate.max_points);
  io("reason", gate.reason);
  io("next", gate.next);
  io.maybe("missing", gate.missing);
  io("measured", gate.measured);
  if (gate.measured) {
    io("interval", gate.interval);
    io.set(gate.interval.value, gate.value);
  }
  io.maybe("undecided", gate.undecided);
  io.maybe("note", gate.note);
  if (io.has("culprit", gate.culprit.where.line != 0)) io("culprit", gate.culprit);
}

void fields(auto& io, Is<observe::StoredBy> auto& stored) {
  io("stores", stored.stores);
  if (stored.stores == 0) return;
  io("several_threads", stored.several_threads);
  io("where", stored.where);
  io.maybe("inside", stored.where_inside);
  io("thread", stored.thread);
  io("block", stored.block);
}

/// An element's or an array's place: of a vector one number.
struct Shape {
  std::uint64_t row = 0, column = 0;
  bool is_vector = false;
};
Json json_of(const Shape& shape) {
  return shape.is_vector ? Json::array({shape.column}) : Json::array({shape.row, shape.column});
}
void read(const Json& json, Shape& shape) {
  shape.is_vector = json.size() == 1;
  if (!shape.is_vector) shape.row = json.at(0);
  shape.column = json.at(shape.is_vector ? 0 : 1);
}

void fields(auto& io, Is<grade::Mismatch> auto& m) {
  io("array", m.array);
  Shape shape{m.rows, m.cols, m.is_vector}, first{m.row, m.col, m.is_vector};
  io("shape", shape);
  io("first", first);
  io.set(m.is_vector, shape.is_vector);
  io.set(m.rows, shape.is_vector ? 1 : shape.row);
  io.set(m.cols, shape.column);
  io.set(m.row, shape.is_vector ? 0 : first.row);
  io.set(m.col, first.column);
  io("expected", m.expected);
  io("got", m.got);
  io.maybe("bound", m.bound);
  io("never_written", m.never_written);
  io("wrong_count", m.wrong);
  io("total_count", m.total);
  io("never_written_count", m.never_written_count);
  io.maybe("constant", m.constant);
  io.maybe("belongs_to", m.belongs_to);
  io.maybe("inputs", m.inputs);
  io.maybe("stored", m.stored);
  io.maybe("unreached", m.unreached);
  io.maybe("places", m.places);
  io.maybe("unread", m.unread);
}

void fields(auto& io, Is<grade::LaunchText> auto& launch) {
  io("kernel", launch.kernel);
  io("grid", launch.grid);
  io("block", launch.block);
  io("dynamic_shared_bytes", launch.dynamic_shared_bytes);
  io("scalars", launch.scalars);
}

void fields(auto& io, Is<launch::Diagnosis> auto& diagnosis) {
  io("cause", diagnosis.cause);
  io("where", diagnosis.where);
  io("evidence", diagnosis.evidence);
  io("fix", diagnosis.fix);
}

void fields(auto& io, Is<timing::Unlike> auto& unlike) {
  io("work", unlike.work);
  io("distance", unlike.distance);
}

void fields(auto& io, Is<grade::KnownAnswer> auto& answer) {
  io("name", answer.name);
  io("file", answer.file);
  io("counted", answer.counted);
  io("predicted", answer.predicted);
}

void fields(auto& io, Is<grade::ChangedLine> auto& changed) {
  io("line", changed.line);
  io("before", changed.before);
  io("after", changed.after);
}

void fields(auto& io, Is<grade::Repair> auto& repair) {
  io("launches", repair.launches);
  io("why", repair.why);
  io("lines", repair.lines);
}

void fields(auto& io, Is<grade::TestResult> auto& test) {
  io("name", test.name);
  io("about", test.about);
  io.maybe("next", test.next);
  io.maybe("example", test.example);
  io("kernel", test.kernel);
  io("verdict", test.verdict);
  io.or_zero("points", test.points, test.decided());  // what is not decided is no zero
  io("max_points", test.max_points);
  io("bonus", test.bonus);
  io("message", test.message);
  io.written("cause", [&] { return explain::cause_id(test); });
  io("mismatches", test.mismatches);
  io("findings", test.findings);
  io.maybe("idle_statements", test.idle);
  io.maybe("repair", test.repair);
  io.first("launch", test.launch);
  io("gates", test.gates);
  io("figures", test.figures);
  io("time_is_predicted", test.time_is_predicted);
  io("time_bound", test.time_bound);
  io.maybe("time_bound_part", test.time_bound_part);
  io.maybe("slow", test.slow);
  io.maybe("time_unlike", test.time_unlike);
  io.maybe("registers", test.registers);
  io.maybe("measured", test.measured);
  io.maybe("detail", test.detail);
  io.maybe("known", test.known);
  io("on_gpu", test.on_gpu);
  io("launches", test.launches);
  io.exactly("budget_share", test.budget_share);
  io.maybe("input_written", test.input_written);
  io.maybe("right_where", test.right_where);
  io("printed", test.printed);
}

void fields(auto& io, Is<grade::PredictionResult> auto& prediction) {
  io("constant", prediction.constant);
  io("figure", prediction.figure);
  io("why", prediction.why);
  io("guess", prediction.guess);
  io.maybe("counted", prediction.counted);
}

void fields(auto& io, Is<grade::LabResult> auto& result) {
  io("lab", result.lab);
  io("folder", result.folder);
  io("title", result.title);
  io("file", result.file);
  io("device", result.device);
  io("gpu", result.gpu);
  io("measured_on", result.measured_on);
  io("gpu_driver", result.gpu_driver);
  io("device_note", result.device_note);
  io("compiler", result.compiler);
  io("jail", result.jail);
  io("ptx_sha256", result.ptx_sha256);
  io.maybe("values", result.values);
  io.maybe("solution_values", result.solution_values);
  io("seed", result.seed);
  io("verdict", result.verdict);
  io("points", result.points);
  io("max_points", result.max_points);
  io("bonus", result.bonus);
  io("max_bonus", result.max_bonus);
  io("undecided_points", result.undecided);
  io("undecided_bonus", result.undecided_bonus);
  io("message", result.message);
  io("where", result.where);
  io("compile_log", result.compile_log);
  io.maybe("lost_parameter", result.lost_parameter);
  io("notes", result.notes);
  io("tests", result.tests);
  io.maybe("predictions", result.predictions);
}

namespace {

Json to_json(const grade::LabResult& result) {
  Json json;
  json["format"] = kFormat;
  Writer writer(json);
  fields(writer, result);
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
    for (const auto& [test, registers] : json.items()) read(registers, all[test]);
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
    read_object(json, result);
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
