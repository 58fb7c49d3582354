#include "cli/hint_state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace labkit::cli {

constexpr int kVersion = 2;

HintState::HintState(std::filesystem::path directory, const std::string& lab_id)
    : path_(std::move(directory) / (lab_id + ".json")) {
  std::error_code unknown;
  if (!std::filesystem::exists(path_, unknown)) return;
  try {
    const auto json = nlohmann::json::parse(read_file(path_));
    if (json.at("version") != kVersion) throw Error("another version");
    for (const auto& one : json.at("shown"))
      shown_.push_back({.file = one.at("file"),
                        .defect = {.id = one.at("defect"),
                                   .line = one.at("line").get<std::uint32_t>(),
                                   .text = one.at("text")},
                        .count = one.at("tiers").get<std::size_t>()});
    key_ = json.at("key");
    result_ = json.at("result");
  } catch (const std::exception&) {
    shown_.clear();
    key_.clear();
    warning =
        fmt::format("{} could not be read; the hints of {} start again.", path_.string(), lab_id);
  }
}

const HintState::Shown* HintState::find(const std::string& file, const HintedDefect& defect) const {
  const Shown* last = nullptr;
  for (const Shown& one : shown_) {
    if (one.file != file) continue;
    if (one.defect.id == defect.id && one.defect.text == defect.text) return &one;
    last = &one;
  }
  const bool is_last =
      last != nullptr && last->defect.id == defect.id && last->defect.line == defect.line;
  return is_last ? last : nullptr;
}

std::size_t HintState::shown(const std::string& file, const HintedDefect& defect) const {
  const Shown* const found = find(file, defect);
  return found == nullptr ? 0 : found->count;
}

void HintState::set_shown(const std::string& file, const HintedDefect& defect, std::size_t count) {
  if (const Shown* const found = find(file, defect))
    shown_.erase(shown_.begin() + (found - shown_.data()));
  shown_.push_back({.file = file, .defect = defect, .count = count});
}

void HintState::write() const {
  nlohmann::json json;
  json["version"] = kVersion;
  json["shown"] = nlohmann::json::array();
  for (const Shown& one : shown_)
    json["shown"].push_back({{"file", one.file},
                             {"defect", one.defect.id},
                             {"line", one.defect.line},
                             {"text", one.defect.text},
                             {"tiers", one.count}});
  json["key"] = key_;
  json["result"] = result_;
  write_file_atomically(path_, json.dump(1) + "\n");
}

}  // namespace labkit::cli
