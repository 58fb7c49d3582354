#include "report/json_values.h"
#include "report/program.h"

namespace labkit::report {
namespace {

Json row_json(const program::LaunchRow& row) {
  Json json;
  json["first"] = row.first;
  json["count"] = row.count;
  json["kernel"] = json_of(row.kernel);
  json["entry"] = json_of(row.entry);
  json["grid"] = json_of(row.grid);
  json["block"] = json_of(row.block);
  json["dynamic_shared_bytes"] = row.dynamic_shared_bytes;
  json["completed"] = row.completed;
  json["observed"] = row.observed;
  json["uses_textures"] = row.uses_images;
  json["predicted_us"] = json_number(row.time_us);
  Json metrics = Json::object();
  for (const auto& [name, value] : row.metrics) metrics[name] = json_number(value);
  json["metrics"] = metrics;
  json["findings"] = json_of(row.findings);
  if (row.slow)
    json["slow"] = {{"cause", json_of(row.slow->cause)},
                    {"where", json_of(row.slow->where)},
                    {"evidence", json_of(row.slow->evidence)},
                    {"fix", json_of(row.slow->fix)}};
  return json;
}

}  // namespace

std::string program_json(const program::Report& report) {
  Json json;
  json["format"] = 1;
  json["program"] = json_of(report.program);
  json["compiler"] = json_of(report.compiler);
  json["device"] = "sim";
  json["gpu"] = report.gpu;
  json["exit_code"] = report.exit_code;
  json["signal"] = report.signal;
  json["stopped"] = report.stopped;
  json["launch_count"] = report.launch_count;
  json["kernels_predicted_us"] = json_number(report.kernel_time_us);
  json["launches"] = Json::array();
  for (const program::LaunchRow& row : report.launches) json["launches"].push_back(row_json(row));
  Json copies = Json::object();
  for (const auto& [kind, total] : report.copies)
    copies[std::string(kind)] = {{"count", total.count},
                                 {"bytes", total.bytes},
                                 {"predicted_us", json_number(total.time_us)}};
  json["copies"] = copies;
  json["incidents"] = Json::array();
  for (const program::Incident& one : report.incidents)
    json["incidents"].push_back({{"kind", one.kind},
                                 {"is_error", one.is_error},
                                 {"count", one.count},
                                 {"where", json_of(one.where)},
                                 {"what", json_of(one.what)},
                                 {"fix", json_of(one.fix)}});
  return json.dump(2) + "\n";
}

}  // namespace labkit::report
