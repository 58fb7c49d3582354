#include "grade/parameter_types.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "base/text.h"
#include "launch/arguments.h"

namespace labkit::grade {

std::string parameter_type(std::string_view entry, std::size_t parameter) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(std::string(entry).c_str(), nullptr, nullptr, &status), std::free);
  const std::string_view text = name ? name.get() : "";
  const std::size_t last = text.rfind(')');
  if (status != 0 || last == std::string_view::npos) return "";
  std::size_t first = last;
  for (int depth = 1; depth > 0 && first > 0;) {
    --first;
    depth += text[first] == ')' ? 1 : text[first] == '(' ? -1 : 0;
  }
  const auto types = launch::split_at_commas(text.substr(first + 1, last - first - 1));
  return parameter < types.size() ? std::string(trim(types[parameter])) : "";
}

}  // namespace labkit::grade
