#include "report/html.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "base/text.h"

namespace labkit::report::html {
namespace {

/// "␛" for what has a picture, else "U+202E".
std::string picture(char32_t c) {
  if (c < 0x20) {
    const char bytes[] = {'\xe2', '\x90', static_cast<char>(0x80 + c), '\0'};  // U+2400 + c
    return bytes;
  }
  if (c == 0x7f) return "\xe2\x90\xa1";
  return fmt::format("U+{:04X}", static_cast<std::uint32_t>(c));
}

std::string_view entity(char32_t c) {
  return c == '&'    ? "&amp;"
         : c == '<'  ? "&lt;"
         : c == '>'  ? "&gt;"
         : c == '"'  ? "&quot;"
         : c == '\'' ? "&#39;"
                     : "";
}

/// The one place where text becomes HTML. `in_tag`: as an attribute's value, where no tags may
/// stand around what is made visible.
std::string escape(std::string_view raw, bool in_tag) {
  const std::string valid = to_valid_utf8(raw);
  std::string out;
  out.reserve(valid.size() + valid.size() / 8);
  for (std::size_t i = 0; i < valid.size();) {
    const auto [c, length] = first_code_point(std::string_view(valid).substr(i));
    if (const std::string_view written = entity(c); !written.empty())
      out += written;
    else if (is_unseen(c))
      out += in_tag ? "[" + picture(c) + "]"
                    : fmt::format("<span class=\"unseen\">{}</span>", picture(c));
    else
      out.append(valid, i, length);
    i += length;
  }
  return out;
}

/// Left as it is in addresses and ids.
bool is_plain(char c) { return is_letter(c) || is_digit(c) || c == '-'; }

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = is_plain(c) || c == '_' || c == '.' || c == '~';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

bool is_void(std::string_view tag) {
  return tag == "input" || tag == "br" || tag == "wbr" || tag == "hr" || tag == "col";
}

}  // namespace

Link fragment(std::string_view id) {
  Link link;
  link.href_ = "#" + percent_encoded(id);
  return link;
}

Link link_to(const std::vector<std::string>& parts, std::string_view id) {
  Link link;
  for (const std::string& part : parts)
    link.href_ += (link.href_.empty() ? "" : "/") + percent_encoded(part);
  if (!id.empty()) link.href_ += "#" + percent_encoded(id);
  return link;
}

Attribute::Attribute(Word name, std::string_view value) : name_(name.text()), value_(value) {
  if (name_ == "href") throw std::logic_error("a link is made by link_to() or fragment()");
}
Attribute::Attribute(Word name, const Link& link) : name_(name.text()), value_(link.str()) {}

std::string Attribute::decimal(double value) {
  std::string text = fmt::format("{:.2f}", std::isfinite(value) ? value : 0.0);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

Markup text(std::string_view text) { return MarkupWriter::escaped(escape(text, false)); }
Markup name(std::string_view text) { return element("bdi", {}, text); }

MarkupWriter::MarkupWriter(Word tag, std::initializer_list<Attribute> attributes)
    : tag_(tag.text()), is_void_(is_void(tag_)) {
  std::string& html = markup_.html_;
  html += '<';
  html += tag_;
  for (const Attribute& attribute : attributes) {
    if (!attribute.there_) continue;
    html += ' ';
    html += attribute.name_;
    if (attribute.bare_) continue;
    html += "=\"";
    html += escape(attribute.value_, true);
    html += '"';
  }
  html += '>';
}

Markup MarkupWriter::finish() {
  if (!is_void_) {
    markup_.html_ += "</";
    markup_.html_ += tag_;
    markup_.html_ += '>';
  }
  return std::move(markup_);
}

Markup MarkupWriter::escaped(std::string html) {
  Markup markup;
  markup.html_ = std::move(html);
  return markup;
}

std::string id_of(std::string_view text) {
  std::string id;
  for (const char c : text) {
    id += is_plain(c) ? std::string(1, c) : fmt::format("_{:02x}", static_cast<unsigned char>(c));
  }
  return id;
}

}  // namespace labkit::report::html
