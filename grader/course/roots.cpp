// Where the submissions begin, and in which LMS's naming. A download is one assignment's; a teacher
// has one, or one for each lab side by side, and often a folder around it all.
//
// A folder counts as an LMS's only if most of its entries are named so. Side by side they count only
// if all are: otherwise one student, whose folder is full of such names, would be taken for an LMS.
#include <algorithm>

#include "course/archive.h"
#include "course/owners.h"

namespace labkit::course {
namespace {

struct Node {
  std::map<std::string, Node> children;
  bool is_container = false;  ///< a folder or an archive
  bool is_metadata = false;
};

constexpr std::size_t kLevels = 5;  // below which no root is looked for

Node tree_of(const std::vector<Found>& found) {
  Node root;
  for (const Found& item : found) {
    Node* node = &root;
    for (std::size_t i = 0; i < std::min(item.outer_parts, kLevels); ++i) {
      node->is_container = true;
      node = &node->children[item.parts[i]];
    }
    if (item.outer_parts <= kLevels) {
      node->is_metadata |= item.kind == Found::Kind::metadata;
      node->is_container |= item.kind == Found::Kind::folder ||
                            item.parts.size() > item.outer_parts ||
                            names_archive(item.parts.back());
    }
  }
  return root;
}

class Finder {
 public:
  Finder(std::optional<Format> forced, const LabNames& labs) : forced_(forced), labs_(labs) {}

  std::vector<Root> find(const Node& node, const std::vector<std::string>& prefix,
                         const std::string& label) {
    const std::optional<Format> format = lms_of(node);
    if (format) return {make(prefix, label, *format)};
    std::vector<std::string> containers;
    std::size_t loose = 0;
    for (const auto& [name, child] : node.children) {
      if (child.is_container)
        containers.push_back(name);
      else
        ++loose;
    }
    std::vector<Root> below = all_below(node, containers, prefix);
    if (!below.empty()) return below;
    if (containers.size() == 1 && loose == 0 && is_wrapper(node.children.at(containers.front())))
      return find(node.children.at(containers.front()), joined(prefix, containers.front()),
                  containers.front());
    return {make(prefix, label, forced_.value_or(Format::plain))};
  }

 private:
  std::optional<Format> lms_of(const Node& node) const {
    std::size_t canvas = 0, moodle = 0, gradescope = 0;
    bool metadata = false;
    for (const auto& [name, child] : node.children) {
      metadata |= child.is_metadata;
      canvas += parse_canvas_name(name).has_value();
      moodle += parse_moodle_name(name).has_value();
      gradescope += name.starts_with("submission_") && child.is_container;
    }
    const std::size_t half = (node.children.size() + 1) / 2;
    std::optional<Format> format;
    if (metadata && gradescope)
      format = Format::gradescope;
    else if (moodle && moodle >= half)
      format = Format::moodle;
    else if (canvas && canvas >= half)
      format = Format::canvas;
    return forced_ && format != forced_ ? std::nullopt : format;
  }

  /// A root for each container, if all are an LMS's or all are called after labs; else none.
  std::vector<Root> all_below(const Node& node, const std::vector<std::string>& containers,
                              const std::vector<std::string>& prefix) {
    std::vector<Root> lms, labs;
    for (const std::string& name : containers) {
      const Node& child = node.children.at(name);
      const std::vector<std::string> below = joined(prefix, name);
      const auto roots = prefix.size() < kLevels ? find(child, below, name) : std::vector<Root>{};
      const bool all_lms =
          !roots.empty() && std::all_of(roots.begin(), roots.end(),
                                        [](const Root& r) { return r.format != Format::plain; });
      if (all_lms) lms.insert(lms.end(), roots.begin(), roots.end());
      if (is_lab(name)) labs.push_back(make(below, name, Format::plain));
      if (lms.empty() && labs.empty()) return {};
    }
    if (containers.empty()) return {};
    const auto complete = [&](const std::vector<Root>& roots) {
      return roots.size() >= containers.size();
    };
    if (complete(lms)) return lms;
    return complete(labs) && (!forced_ || *forced_ == Format::plain) ? labs : std::vector<Root>{};
  }

  /// "lab3" and "Lab 3 - corner turning", but not "alice_lab3".
  bool is_lab(const std::string& name) const {
    const std::string bare = without_archive_ending(name);
    return !labs_.lab_of(bare).empty() && labs_.without_lab(bare).empty();
  }

  /// A folder around the students' folders, rather than a student's own.
  bool is_wrapper(const Node& node) const {
    if (lms_of(node)) return true;
    bool any = false;
    for (const auto& [name, child] : node.children) {
      if (!labs_.lab_of(name).empty()) return false;
      any |= child.is_container;
    }
    return any;
  }

  Root make(const std::vector<std::string>& prefix, const std::string& label, Format format) const {
    return {prefix, format, label, labs_.lab_of(without_archive_ending(label))};
  }

  static std::vector<std::string> joined(std::vector<std::string> prefix, const std::string& name) {
    prefix.push_back(name);
    return prefix;
  }

  std::optional<Format> forced_;
  const LabNames& labs_;
};

}  // namespace

std::vector<Root> find_roots(const std::vector<Found>& found, const std::string& input_name,
                             std::optional<Format> forced, const LabNames& labs) {
  return Finder(forced, labs).find(tree_of(found), {}, input_name);
}

}  // namespace labkit::course
