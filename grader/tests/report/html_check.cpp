#include "html_check.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace labkit::report {
namespace {

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

class Parser {
 public:
  explicit Parser(const std::string& html) : html_(html) {}

  std::vector<HtmlElement> run() {
    constexpr std::string_view kType = "<!doctype html>";
    if (html_.rfind(kType, 0) == 0) at_ = kType.size();
    while (at_ < html_.size()) {
      if (html_[at_] == '<')
        tag();
      else
        text();
    }
    if (!open_.empty()) fail("<" + elements_[open_.back()].tag + "> is not closed");
    return elements_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::size_t from = at_ > 80 ? at_ - 80 : 0;
    throw std::runtime_error(what + " at byte " + std::to_string(at_) + ": ..." +
                             html_.substr(from, 160));
  }
  std::string name() {
    const std::size_t begin = at_;
    while (at_ < html_.size() && is_name(html_[at_])) ++at_;
    if (at_ == begin) fail("a name is missing");
    return html_.substr(begin, at_ - begin);
  }
  std::string entity() {
    static const std::map<std::string, std::string> entities = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
    for (const auto& [entity, meaning] : entities)
      if (html_.compare(at_, entity.size(), entity) == 0) {
        at_ += entity.size();
        return meaning;
      }
    fail("a bare &");
  }
  std::string character() {
    const char c = html_[at_];
    if (c == '&') return entity();
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
      fail("a control character");
    ++at_;
    return std::string(1, c);
  }
  void add(const std::string& text) {
    for (const std::size_t i : open_) elements_[i].text += text;
  }
  void text() {
    if (html_[at_] == '>') fail("a bare >");
    add(character());
  }
  void tag() {
    ++at_;
    if (html_[at_] == '/') {
      ++at_;
      const std::string closed = name();
      if (open_.empty() || elements_[open_.back()].tag != closed)
        fail("</" + closed + "> too much");
      open_.pop_back();
      if (html_[at_++] != '>') fail("> is missing");
      return;
    }
    HtmlElement element;
    element.tag = name();
    while (html_[at_] != '>') {
      if (html_[at_++] != ' ') fail("a blank is missing");
      const std::string attribute = name();
      if (element.attributes.contains(attribute)) fail(attribute + " is there twice");
      std::string value;
      if (html_[at_] == '=') {
        ++at_;
        if (html_[at_++] != '"') fail("a quote is missing");
        while (html_[at_] != '"') {
          if (html_[at_] == '<' || html_[at_] == '>') fail("a bare bracket");
          value += character();
        }
        ++at_;
      }
      element.attributes[attribute] = value;
    }
    ++at_;
    elements_.push_back(element);
    static const std::set<std::string> void_tags = {"meta", "input", "br", "wbr", "hr", "col"};
    if (void_tags.contains(element.tag)) return;
    if (element.tag == "style" || element.tag == "script") {  // the rest is not HTML
      const std::size_t end = html_.find("</", at_);
      if (end == std::string::npos) fail("no end of it");
      elements_.back().text = html_.substr(at_, end - at_);
      at_ = end;
    }
    open_.push_back(elements_.size() - 1);
  }

  const std::string& html_;
  std::size_t at_ = 0;
  std::vector<HtmlElement> elements_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::vector<HtmlElement> take_apart(const std::string& html) { return Parser(html).run(); }

std::vector<std::string> dangers(const std::vector<HtmlElement>& elements) {
  static const std::set<std::string> tags = {
      "html",    "head",     "meta",   "title",   "style",   "script", "body",     "header",
      "main",    "nav",      "footer", "section", "article", "div",    "span",     "p",
      "h1",      "h2",       "h3",     "h4",      "ul",      "li",     "dl",       "dt",
      "dd",      "a",        "b",      "abbr",    "bdi",     "code",   "pre",      "table",
      "caption", "thead",    "tbody",  "tr",      "th",      "td",     "figure",   "figcaption",
      "details", "summary",  "label",  "input",   "select",  "option", "optgroup", "button",
      "output",  "progress", "svg",    "symbol",  "use",     "path",   "line",     "rect",
      "g",       "text"};
  std::vector<std::string> found;
  std::map<std::string, int> count;
  for (const HtmlElement& element : elements) {
    ++count[element.tag];
    if (!tags.contains(element.tag)) found.push_back("<" + element.tag + ">");
    for (const auto& [name, value] : element.attributes) {
      if (name.rfind("on", 0) == 0 || name == "style" || name == "src" || name == "srcdoc")
        found.push_back(element.tag + " " + name);
      if (name == "href" && (value.find(':') != std::string::npos || value.starts_with('/')))
        found.push_back("href " + value);
    }
  }
  for (const char* once : {"html", "head", "body", "style", "main"})
    if (count[once] != 1) found.push_back(std::to_string(count[once]) + " of " + once);
  if (count["script"] > 1) found.emplace_back("more than one script");
  return found;
}

}  // namespace labkit::report
