// HTML that cannot be broken out of. A page is put together from Markup, and Markup comes only from
// the functions below, which escape every text: there is no way to make it from a plain string.
//
// The one exception is html_page.h, which puts the kit's own style and script around it.
//
// Tags and attribute names are literals checked when the kit is compiled: no scripts, no styles, no
// handlers, nothing that loads. Where a link leads is made by link_to() and fragment(), never from a
// student's text as it is.
//
// What a reader could not see is shown: control characters, those that turn the direction of writing
// or hide between letters appear as what they are ("U+202E").
#pragma once
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace labkit::report::html {

/// A piece of a page, safe to stand anywhere between two tags.
class Markup {
 public:
  Markup() = default;
  const std::string& str() const { return html_; }
  bool empty() const { return html_.empty(); }
  Markup& operator+=(const Markup& other) {
    html_ += other.html_;
    return *this;
  }
  friend Markup operator+(Markup a, const Markup& b) { return std::move(a += b); }

 private:
  friend class MarkupWriter;
  std::string html_;
};

/// A tag's or an attribute's name. A literal only; those that could run or load something do not
/// compile.
class Word {
 public:
  template <std::size_t n>
  consteval Word(const char (&literal)[n]) : text_(literal, n - 1) {  // NOLINT: meant to convert
    if (text_.empty() || text_.starts_with("on")) throw "an attribute that runs a script";
    for (const char c : text_)
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'))
        throw "no name of HTML";
    for (const std::string_view banned :
         {"script", "style", "iframe", "object", "embed", "base", "meta", "link", "form",
          "template", "srcdoc", "action", "formaction", "data", "src", "ping", "srcset",
          "foreignObject"})
      if (text_ == banned) throw "it could run or load something";
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// Where a link leads: a place in this page or a file beside it, percent-encoded.
class Link {
 public:
  const std::string& str() const { return href_; }
  bool empty() const { return href_.empty(); }

 private:
  friend Link fragment(std::string_view id);
  friend Link link_to(const std::vector<std::string>& parts, std::string_view id);
  std::string href_;
};
/// "#id"
Link fragment(std::string_view id);
/// Parts of a relative path, ".." among them, and perhaps a place in that file.
Link link_to(const std::vector<std::string>& parts, std::string_view id = {});

class Attribute {
 public:
  Attribute(Word name, std::string_view value);
  Attribute(Word name, const char* value) : Attribute(name, std::string_view(value)) {}
  Attribute(Word name, const std::string& value) : Attribute(name, std::string_view(value)) {}
  Attribute(Word name, const Link& link);  ///< the only one for "href"
  /// There or not: <input disabled>.
  Attribute(Word name, std::same_as<bool> auto is_there)
      : name_(name.text()), there_(is_there), bare_(true) {}
  /// In an SVG: at most two decimals.
  Attribute(Word name, std::floating_point auto value)
      : name_(name.text()), value_(decimal(value)) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Attribute(Word name, T value)
      : name_(name.text()), value_(std::to_string(value)) {}

 private:
  friend class MarkupWriter;
  static std::string decimal(double value);
  std::string_view name_;
  std::string value_;  ///< escaped when written
  bool there_ = true, bare_ = false;
};

/// The escaped text; what is not UTF-8 becomes U+FFFD, what cannot be seen is shown.
Markup text(std::string_view text);
/// A name of a person or file, in any script: it does not turn what stands beside it.
Markup name(std::string_view text);

/// Writes tags; used by element().
class MarkupWriter {
 public:
  MarkupWriter(Word tag, std::initializer_list<Attribute> attributes);
  void add(const Markup& inside) { markup_.html_ += inside.html_; }
  void add(std::string_view inside) { add(text(inside)); }
  void add(const char* inside) { add(text(inside)); }
  Markup finish();

 private:
  friend Markup text(std::string_view text);
  static Markup escaped(std::string html);
  std::string_view tag_;
  bool is_void_ = false;
  Markup markup_;
};

/// <tag attributes>inside</tag>. Plain strings among `inside` are text and get escaped.
template <typename... Inside>
Markup element(Word tag, std::initializer_list<Attribute> attributes, const Inside&... inside) {
  MarkupWriter writer(tag, attributes);
  (writer.add(inside), ...);
  return writer.finish();
}

/// An element of a class, and with no other attribute.
template <typename... Inside>
Markup tag(Word name, std::string_view kind, const Inside&... inside) {
  return element(name, {{"class", kind}}, inside...);
}

/// An id for element and fragment made of any text: letters, digits and '-' only, other bytes as
/// hexadecimal numbers, so that different texts get different ids.
std::string id_of(std::string_view text);

}  // namespace labkit::report::html
