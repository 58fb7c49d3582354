// Takes a page of the kit apart and complains of what must not be there.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

namespace labkit::report {

struct HtmlElement {
  std::string tag;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< all inside it, without tags and with entities decoded
};

/// Every element in the order of its start. Throws std::runtime_error saying where: tags that do not
/// match, attributes that are not quoted or twice there, a bare '<', '&' or control character.
std::vector<HtmlElement> take_apart(const std::string& html);

/// What could run, load or restyle something beyond the shell's own style and script; empty if all is
/// well.
std::vector<std::string> dangers(const std::vector<HtmlElement>& elements);

}  // namespace labkit::report
