// Edits say `total` where they would write `gridDim.x * blockDim.x`, and a variable holds that.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "compile/commuted.h"
#include "compile/edit_maker.h"

namespace labkit::compile {
namespace {

/// A value as it may be computed, and as edits write it.
constexpr std::pair<std::string_view, std::string_view> kValues[] = {
    {"gridDim.x * blockDim.x", "gridDim.x * blockDim.x"},
    {"gridDim.y * blockDim.y", "gridDim.y * blockDim.y"},
    {"blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x"},
    {"blockIdx.y * blockDim.y + threadIdx.y", "blockIdx.y * blockDim.y + threadIdx.y"},
    {"threadIdx.x / 32", "threadIdx.x / 32"},
    {"threadIdx.x / warpSize", "threadIdx.x / 32"},
    {"threadIdx.x >> 5", "threadIdx.x / 32"},
    {"threadIdx.x % 32", "threadIdx.x % 32"},
    {"threadIdx.x % warpSize", "threadIdx.x % 32"},
    {"threadIdx.x & 31", "threadIdx.x % 32"},
};

class HeldValues {
 public:
  HeldValues(const Tokens& tokens, const EditScope& scope) : tokens_(tokens) {
    for (std::size_t i = 0; i + 4 < tokens.size(); ++i)
      if (tokens.is(i, "const") || tokens.is(i, "constexpr"))
        if (tokens.is(i + 3, "=") && tokens[i + 4].kind == Token::Kind::number)
          constants_[tokens[i + 2].spelling] = tokens[i + 4].spelling;
    for (const auto& [begin, end] : scope.bodies())
      for (std::size_t i = begin + 1; i < end; ++i)
        if (tokens.is(i, "=") && scope.is_integer(i - 1) && scope.is_declaration(i) &&
            keeps_its_value(i, begin, end))
          hold(i, scope);
  }

  void name_in(Edit& edit) const {
    for (Replacement& part : edit)
      for (const Held& one : all_) {
        if (part.begin < one.begin || part.end > one.end) continue;
        if (part.text == "(" + one.value + ")") part.text = one.name;
        part.text = replace_all(part.text, one.value, one.name);
      }
  }

 private:
  /// In bytes [begin, end).
  struct Held {
    std::string name, value;
    std::size_t begin = 0, end = 0;
  };

  bool keeps_its_value(std::size_t equals, std::size_t begin, std::size_t end) const {
    const auto changes = [&](std::size_t i) {
      const std::string_view sign = tokens_[i].spelling;
      return sign == "++" || sign == "--" ||
             (sign.ends_with('=') && sign != "==" && sign != "<=" && sign != ">=" && sign != "!=");
    };
    for (std::size_t i = begin; i < end; ++i)
      if (tokens_.is(i, tokens_[equals - 1].spelling) && i + 1 != equals &&
          (changes(i + 1) || (i > begin && changes(i - 1) && !tokens_.is(i - 1, "="))))
        return false;
    return true;
  }

  void hold(std::size_t equals, const EditScope& scope) {
    std::size_t first = equals + 1, last = scope.end_of_value(first, tokens_.size());
    if (tokens_.is(first, "(") && tokens_.close_of(first) + 1 < last &&
        tokens_.is_word(tokens_.close_of(first) + 1))
      first = tokens_.close_of(first) + 1;  // a cast
    std::string value;
    for (std::size_t i = first; i < last; ++i) {
      const auto constant = constants_.find(tokens_[i].spelling);
      value += constant == constants_.end() ? tokens_[i].spelling : constant->second;
    }
    for (const auto& [computed, written] : kValues)
      if (in_one_order(value) == in_one_order(computed)) {
        const std::size_t end = scope.block_end(equals);
        all_.push_back({.name = std::string(tokens_[equals - 1].spelling),
                        .value = std::string(written),
                        .begin = tokens_[last].begin,
                        .end = end < tokens_.size() ? tokens_[end].begin : tokens_[last].begin});
      }
  }

  const Tokens& tokens_;
  std::map<std::string_view, std::string_view> constants_;
  std::vector<Held> all_;
};

}  // namespace

void name_held_values(const Tokens& tokens, const EditScope& scope, std::vector<Ranked>& found) {
  const HeldValues held(tokens, scope);
  for (Ranked& one : found) held.name_in(one.edit);
}

}  // namespace labkit::compile
