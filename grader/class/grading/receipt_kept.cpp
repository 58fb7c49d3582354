#include "class/grading/receipt_kept.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace labkit::course {
namespace {

using Json = nlohmann::json;

/// Worth comparing at all.
bool is_like(const Json& kept, const Receipt& receipt) {
  const auto same = [&](const char* key, const std::string& value) {
    const auto at = kept.find(key);
    return at != kept.end() && *at == value;
  };
  return (same("student", receipt.student) && same("lab", receipt.lab)) ||
         same("source_sha256", receipt.source_sha256) ||
         same("result_sha256", receipt.result_sha256);
}

}  // namespace

Vouched vouch(const Gradebook& book, const Receipt& receipt) {
  std::optional<std::int64_t> nearest;
  Vouched vouched;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  book.each_receipt([&](std::int64_t job, const std::string& text) {
    const Json kept = Json::parse(text, nullptr, false);
    if (!kept.is_object() || !is_like(kept, receipt)) return;
    std::vector<std::string> edits =
        differences(text, receipt.text, std::numeric_limits<std::size_t>::max());
    if (edits.size() >= fewest) return;
    fewest = edits.size();
    nearest = job;
    vouched.edits = std::move(edits);
  });
  if (!nearest) return vouched;
  const std::optional<Outcome> outcome = book.outcome(*nearest);
  if (!outcome) return Vouched{};  // graded again just now
  vouched.kind = vouched.edits.empty() ? Vouched::Kind::kept : Vouched::Kind::edited;
  vouched.receipt = read_receipt(outcome->receipt, "the receipt that the gradebook keeps");
  vouched.result = outcome->json;
  return vouched;
}

}  // namespace labkit::course
