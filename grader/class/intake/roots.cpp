// Where the submissions begin, and in which LMS's naming. A download is one assignment's; a teacher
// has one, or one for each lab side by side, and often a folder around it all.
//
// A folder counts as an LMS's only if most of its entries are named so. Side by side they count only
// if all are, or are called after labs: otherwise one student, whose folder is full of such names, would
// be taken for an LMS. A download that is broken says nothing of what it is, and does not hide what the
// others are.
#include <algorithm>
#include <set>

#include "class/intake/archive.h"
#include "class/intake/owners.h"

namespace labkit::course {
namespace {

struct Node {
  std::map<std::string, Node> children;
  bool is_container = false;  ///< a folder or an archive
  bool is_metadata = false;
  bool is_unread = false;  ///< all of it, or what came after a place where it is broken
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
      node->is_unread |= item.is_whole && item.parts.size() == item.outer_parts;
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
    Root plain = make(prefix, label, forced_.value_or(Format::plain));
    if (!forced_)
      for (const std::string& name : containers)
        if (speaks_for_several(node.children.at(name))) plain.downloads.insert(name);
    return {plain};
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

  /// Named as an LMS would name what several students submitted.
  bool speaks_for_several(const Node& node) const {
    const std::optional<Format> format = lms_of(node);
    std::set<std::string> owners;
    for (const auto& [name, child] : node.children) {
      const auto canvas = parse_canvas_name(name);
      const auto moodle = parse_moodle_name(name);
      if (format == Format::canvas && canvas)
        owners.insert(canvas->user_id + canvas->anonymous_id);
      else if (format == Format::moodle && moodle)
        owners.insert(moodle->name + moodle->id);
      else if (format == Format::gradescope && name.starts_with("submission_") &&
               child.is_container)
        owners.insert(name);
    }
    return owners.size() > 1;
  }

  /// A root for each container that can be read, if all are an LMS's or all are called after labs; else none.
  std::vector<Root> all_below(const Node& node, const std::vector<std::string>& containers,
                              const std::vector<std::string>& prefix) {
    std::vector<Root> lms, of_labs;
    std::size_t downloads = 0, unread = 0, labs = 0;
    for (const std::string& name : containers) {
      const Node& child = node.children.at(name);
      const std::vector<std::string> below = joined(prefix, name);
      const auto roots = prefix.size() < kLevels ? find(child, below, name) : std::vector<Root>{};
      const bool all_lms =
          !roots.empty() && std::all_of(roots.begin(), roots.end(),
                                        [](const Root& r) { return r.format != Format::plain; });
      const bool nothing_read = !all_lms && child.is_unread && child.children.empty();
      downloads += all_lms;
      unread += nothing_read;
      labs += is_lab(name);
      if (all_lms) lms.insert(lms.end(), roots.begin(), roots.end());
      if (all_lms)
        of_labs.insert(of_labs.end(), roots.begin(), roots.end());
      else
        of_labs.push_back(make(below, name, Format::plain));
      if (!all_lms && !nothing_read && !is_lab(name)) return {};
    }
    if (downloads > 0 && downloads + unread == containers.size() && unread <= downloads) return lms;
    const bool plain = !forced_ || *forced_ == Format::plain;
    return labs > 0 && labs == containers.size() && plain ? of_labs : std::vector<Root>{};
  }

  /// "lab3" and "Lab 3 - corner turning", but not "alice_lab3".
  bool is_lab(const std::string& name) const {
    const std::string bare = without_archive_ending(name);
    return !labs_.lab_of(bare).empty() && labs_.without_lab(bare).empty();
  }

  /// A copy of the kit, which is one student's: "labs/lab3_corner_turning".
  bool is_kit(const Node& node) const {
    const auto labs = node.children.find("labs");
    if (labs == node.children.end()) return false;
    return std::any_of(labs->second.children.begin(), labs->second.children.end(),
                       [&](const auto& child) { return !labs_.lab_of(child.first).empty(); });
  }

  /// A folder around the students' folders, rather than a student's own.
  bool is_wrapper(const Node& node) const {
    if (lms_of(node)) return true;
    if (is_kit(node)) return false;
    for (const auto& [name, child] : node.children)
      if (child.is_container && name.find("memory-labs") != std::string::npos) return false;
    bool any = false;
    for (const auto& [name, child] : node.children) {
      if (!labs_.lab_of(name).empty()) return false;
      any |= child.is_container;
    }
    return any;
  }

  Root make(const std::vector<std::string>& prefix, const std::string& label, Format format) const {
    return {prefix, format, label, labs_.labs_of(without_archive_ending(label)), {}, {}};
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
