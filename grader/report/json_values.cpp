#include "report/json_values.h"

#include <algorithm>
#include <stdexcept>

#include "words/render.h"

namespace labkit::report {
namespace {

launch::FindingKind kind_from_name(const std::string& name) {
  using Kind = launch::FindingKind;
  for (const Kind kind :
       {Kind::race, Kind::out_of_bounds, Kind::misaligned, Kind::uninitialized, Kind::barrier,
        Kind::assertion, Kind::budget, Kind::trap, Kind::unsupported, Kind::launch})
    if (launch::name_of(kind) == name) return kind;
  throw std::invalid_argument("no finding is called " + name);
}

}  // namespace

launch::Dim3 read_dim(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(),
          json.at(2).get<std::uint32_t>()};
}

Json place(const launch::SourceLine& where) {
  return {{"file", text(where.file)}, {"line", where.line}};
}
launch::SourceLine read_place(const Json& json) {
  return {json.at("file").get<std::string>(), json.at("line").get<std::uint32_t>()};
}

namespace {

Json declaration(const launch::Declaration& declared) {
  Json json = {{"extents", declared.extents}, {"element_bytes", declared.element_bytes}};
  for (const std::string& member : declared.members) json["members"].push_back(text(member));
  if (declared.member_extent != 0) json["member_extent"] = declared.member_extent;
  return json;
}

launch::Declaration read_declaration(const Json& json) {
  launch::Declaration declared;
  declared.extents = json.at("extents").get<std::vector<std::uint64_t>>();
  declared.element_bytes = json.at("element_bytes").get<std::uint32_t>();
  declared.members = json.value("members", std::vector<std::string>{});
  declared.member_extent = json.value("member_extent", std::uint64_t{0});
  // What element() divides by: a result is a file that anybody may have changed.
  const auto& extents = declared.extents;
  const bool whole = !extents.empty() &&
                     std::find(extents.begin() + 1, extents.end(), 0) == extents.end() &&
                     (declared.member_extent == 0 || declared.members.size() == 1);
  return whole ? declared : launch::Declaration{};
}

}  // namespace

Json message(const words::Message& m) {
  Json json = Json::object();
  json["id"] = words::name_of(m.id);
  for (const words::Parameter& p : m.parameters)
    std::visit(
        [&](const auto& value) {
          using Held = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Held, words::SourceLine>)
            json[p.name] = place(value);
          else if constexpr (std::is_same_v<Held, std::string>)
            json[p.name] = text(value);
          else if constexpr (std::is_same_v<Held, double>)
            json[p.name] = json_number(value);
          else
            json[p.name] = value;
        },
        p.value);
  return json;
}

words::Message read_message(const Json& json) {
  words::Message m;
  const std::string name = json.at("id");
  const auto id = words::id_from_name(name);
  if (!id) throw std::invalid_argument("no message is called " + name);
  m.id = *id;
  for (const auto& [key, value] : json.items()) {
    if (key == "id") continue;
    if (value.is_object())
      m.parameters.push_back({key, read_place(value)});
    else if (value.is_string())
      m.parameters.push_back({key, value.get<std::string>()});
    else if (value.is_number_float())
      m.parameters.push_back({key, value.get<double>()});
    else
      m.parameters.push_back({key, value.get<std::int64_t>()});
  }
  // A result is a file that anybody may have changed: what a sentence needs must be there.
  try {
    words::render(m);
  } catch (const std::logic_error& lacking) {
    throw std::invalid_argument(lacking.what());
  }
  return m;
}

Json messages(const std::vector<words::Message>& all) {
  Json array = Json::array();
  for (const words::Message& one : all) array.push_back(message(one));
  return array;
}

std::vector<words::Message> read_messages(const Json& json) {
  std::vector<words::Message> all;
  for (const Json& one : json) all.push_back(read_message(one));
  return all;
}

Json idle_statements(const std::vector<device::IdleStatement>& all) {
  Json array = Json::array();
  for (const device::IdleStatement& idle : all)
    array.push_back(
        {{"line", idle.line}, {"what", message(idle.what)}, {"fix", message(idle.fix)}});
  return array;
}

std::vector<device::IdleStatement> read_idle_statements(const Json& json) {
  std::vector<device::IdleStatement> all;
  for (const Json& idle : json)
    all.push_back({idle.at("line"), read_message(idle.at("what")), read_message(idle.at("fix"))});
  return all;
}

namespace {

launch::Access access_from_name(const std::string& name) {
  for (const auto access :
       {launch::Access::none, launch::Access::read, launch::Access::write, launch::Access::atomic})
    if (launch::name_of(access) == name) return access;
  throw std::invalid_argument("no access is called " + name);
}

}  // namespace

Json finding(const launch::Finding& f) {
  Json json;
  json["kind"] = launch::name_of(f.kind);
  json["severity"] = f.severity == launch::Severity::error ? "error" : "warning";
  if (f.cause != launch::Cause::none) json["cause"] = launch::id_of(f.cause);
  if (!f.evidence.empty()) {
    json["evidence"] = Json::array();
    for (const words::Message& m : f.evidence) json["evidence"].push_back(message(m));
  }
  if (f.fix) json["fix"] = message(f.fix);
  if (f.access != launch::Access::none) json["access"] = launch::name_of(f.access);
  if (f.other_access != launch::Access::none)
    json["other_access"] = launch::name_of(f.other_access);
  json["space"] = text(f.space);
  json["kernel"] = text(f.kernel);
  json["where"] = place(f.where);
  if (f.other.line) json["other"] = place(f.other);
  json["thread"] = dim(f.thread);
  json["block"] = dim(f.block);
  if (f.other.line) {
    json["other_thread"] = dim(f.other_thread);
    json["other_block"] = dim(f.other_block);
  }
  json["address"] = f.address;
  if (f.access_bytes != 0) json["access_bytes"] = f.access_bytes;
  if (!f.array.name.empty())
    json["array"] = {
        {"name", text(f.array.name)}, {"begin", f.array.begin}, {"bytes", f.array.bytes}};
  if (f.unwritten_from != 0) json["unwritten_from"] = f.unwritten_from;
  if (f.declared.known()) json["declared"] = declaration(f.declared);
  if (!f.hazard.empty()) json["hazard"] = text(f.hazard);
  if (f.lanes != 0 || f.other_lanes != 0) {
    json["lanes"] = f.lanes;
    json["other_lanes"] = f.other_lanes;
  }
  json["count"] = f.count;
  return json;
}

launch::Cause read_cause(const Json& json) {
  const std::string id = json;
  const auto cause = launch::cause_from_id(id);
  if (!cause) throw std::invalid_argument("no cause is called " + id);
  return *cause;
}

launch::Finding read_finding(const Json& json) {
  launch::Finding f;
  f.kind = kind_from_name(json.at("kind"));
  f.severity = json.at("severity") == "error" ? launch::Severity::error : launch::Severity::warning;
  if (json.contains("cause")) f.cause = read_cause(json.at("cause"));
  if (json.contains("evidence"))
    for (const Json& one : json.at("evidence")) f.evidence.push_back(read_message(one));
  if (json.contains("fix")) f.fix = read_message(json.at("fix"));
  f.access = access_from_name(json.value("access", "none"));
  f.other_access = access_from_name(json.value("other_access", "none"));
  f.space = json.at("space");
  f.kernel = json.at("kernel");
  f.where = read_place(json.at("where"));
  f.thread = read_dim(json.at("thread"));
  f.block = read_dim(json.at("block"));
  if (json.contains("other")) {
    f.other = read_place(json.at("other"));
    f.other_thread = read_dim(json.at("other_thread"));
    f.other_block = read_dim(json.at("other_block"));
  }
  f.address = json.at("address");
  f.count = json.at("count");
  // Not in results of earlier kits, which gradebooks hold.
  f.access_bytes = json.value("access_bytes", 0u);
  if (json.contains("array")) {
    const Json& array = json.at("array");
    f.array = {array.at("name"), array.at("begin"), array.at("bytes")};
  }
  f.unwritten_from = json.value("unwritten_from", 0u);
  if (json.contains("declared")) f.declared = read_declaration(json.at("declared"));
  f.hazard = json.value("hazard", "");
  f.lanes = json.value("lanes", 0u);
  f.other_lanes = json.value("other_lanes", 0u);
  return f;
}

Json registers(const device::Registers& r) {
  return {{"per_thread", r.per_thread},
          {"estimated", r.by.empty()},
          {"by", text(r.by)},
          {"why_estimated", text(r.why_estimated)},
          {"estimate_capped", r.estimate_capped},
          {"stack_bytes_per_thread", r.stack_bytes},
          {"spilled_bytes_per_thread", r.spilled_bytes}};
}

device::Registers read_registers(const Json& json) {
  return {.per_thread = json.at("per_thread").get<std::uint32_t>(),
          .by = json.at("by").get<std::string>(),
          .why_estimated = json.at("why_estimated").get<std::string>(),
          .estimate_capped = json.at("estimate_capped").get<bool>(),
          .stack_bytes = json.at("stack_bytes_per_thread").get<std::uint32_t>(),
          .spilled_bytes = json.at("spilled_bytes_per_thread").get<std::uint32_t>()};
}

}  // namespace labkit::report
