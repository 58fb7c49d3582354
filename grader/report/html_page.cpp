#include "report/html_page.h"

#include <stdexcept>

#include "base/sha256.h"
#include "base/text.h"
#include "report/html_assets.h"
#include "words/language.h"

namespace labkit::report::html {
namespace {

std::string base64_of_hex(const std::string& hex) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, held = 0;
  for (const char c : hex) {
    held = held << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
    bits += 4;
    if (bits >= 6) {
      bits -= 6;
      out += kDigits[held >> bits & 63];
      held &= (1u << bits) - 1;
    }
  }
  if (bits > 0) out += kDigits[held << (6 - bits) & 63];
  while (out.size() % 4) out += '=';
  return out;
}

std::string one_of(const std::vector<std::string_view>& parts) {
  std::string all = joined(parts, "");
  if (all.find("</") != std::string::npos || all.find("<!--") != std::string::npos)
    throw std::logic_error("a style or script of the kit holds a tag");
  return all;
}

std::string hash_of(const std::string& contents) {
  return "'sha256-" + base64_of_hex(sha256_hex(contents)) + "'";
}

}  // namespace

std::string page_text(const Page& page) {
  const std::string style = one_of(page.styles), script = one_of(page.scripts);
  const bool is_english = words::language() == words::Language::english;
  std::string out = "<!doctype html>\n<html lang=\"";
  out += is_english ? "en" : "zh-Hans";
  out +=
      "\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
      "form-action 'none'; style-src " +
      hash_of(style) + (script.empty() ? "" : "; script-src " + hash_of(script)) +
      "\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n";
  out += element("title", {}, page.title).str();
  out += "\n<style>" + style + "</style>\n</head>\n<body>\n" + page.body.str();
  if (!script.empty()) out += "\n<script>" + script + "</script>";
  return out + "\n</body>\n</html>\n";
}

const Assets& assets() {
  static constexpr Assets kAssets = {
      .base_css = kBaseCss,
      .class_css = kClassCss,
      .student_css = kStudentCss,
      .explain_css = kExplainCss,
      .film_css = kFilmCss,
      .base_js = kBaseJs,
      .class_js = kClassJs,
      .pictures_js = kPicturesJs,
      .film_js = kFilmJs,
      .explain_js = kExplainJs,
  };
  return kAssets;
}

}  // namespace labkit::report::html
