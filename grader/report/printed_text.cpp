#include "report/printed_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "explain/words.h"
#include "report/style.h"

namespace labkit::report {
namespace {

constexpr std::size_t kMostOfALine = 200;       ///< characters
constexpr std::size_t kMostPrinted = 1u << 20;  ///< bytes that the simulator keeps of a launch

}  // namespace

std::string printed_lines(std::string_view printed, std::size_t most, std::string_view rest) {
  const auto lines = split_lines(printed);
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < most; ++i)
    text += fmt::format("  | {}\n", printable(lines[i].substr(0, kMostOfALine)));
  if (lines.size() <= most) return text;
  const std::size_t more = lines.size() - most;
  return text + fmt::format("  | ... and {}{} more line{}{}\n",
                            printed.size() >= kMostPrinted ? "at least " : "",
                            explain::number(static_cast<double>(more)), more == 1 ? "" : "s",
                            rest.empty() ? "" : fmt::format("; {} has them", rest));
}

}  // namespace labkit::report
