// Where the submissions begin, and in which LMS's naming. A download is one assignment's; a teacher
// has one, or one for each lab side by side, and often a folder around it all.
//
// A folder counts as an LMS's only if most of its entries are named so. Side by side they count only if all are, or are
// called after labs: otherwise one student, whose folder is full of such names, would be taken for an LMS. A download that
// is broken says nothing of what it is, and does not hide what the others are.
#include <algorithm>
#include <set>

#include "base/unicode.h"
#include "class/intake/archive.h"
#include "class/intake/owners.h"

namespace labkit::course {
namespace {

struct Node {
  std::map<std::string, Node> children;
  bool is_container = false;  ///< a folder or an archive
  bool holds_cuda = false;    ///< a .cu file, however deep
  bool is_metadata = false;
  bool is_unread = false;  ///< all of it, or what came after a place where it is broken
};

constexpr std::size_t kLevels = 5;  // below which no root is looked for

Node tree_of(const std::vector<Found>& found) {
  Node root;
  for (const Found& item : found) {
    Node* node = &root;
    const bool is_cuda = !item.parts.empty() && source_likeness(item.parts.back()) == 2;
    for (std::size_t i = 0; i < std::min(item.outer_parts, kLevels); ++i) {
      node->is_container = true;
      node = &node->children[item.parts[i]];
      node->holds_cuda |= is_cuda;
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

/// Whom an LMS means by an entry of its download; "" if it names none so.
std::string owner_named(Format format, const std::string& name, const Node& entry) {
  if (format == Format::canvas)
    if (const auto canvas = parse_canvas_name(name)) return canvas->user_id + canvas->anonymous_id;
  if (format == Format::moodle)
    if (const auto moodle = parse_moodle_name(name)) return moodle->name + moodle->id;
  if (format == Format::gradescope && name.starts_with("submission_") && entry.is_container)
    return name;
  return {};
}

std::vector<std::string> below(std::vector<std::string> prefix, const std::string& name) {
  prefix.push_back(name);
  return prefix;
}

class Finder {
 public:
  Finder(const LabNames& labs, const std::set<std::string>& people)
      : labs_(labs), people_(people) {}

  bool is_one_students(const Node& node, const std::string& name) const {
    if (is_kit(node) || is_known(name)) return true;
    if (node.children.size() != 1) return false;
    const auto& [only, child] = *node.children.begin();
    return is_kit(child) && student_named(only, labs_).empty();
  }

  std::vector<Root> find(const Node& node, const std::vector<std::string>& prefix,
                         const std::string& label) const {
    if (const auto format = lms_of(node)) return {make(prefix, label, *format)};
    std::vector<std::string> containers;
    for (const auto& [name, child] : node.children)
      if (child.is_container) containers.push_back(name);
    std::vector<Root> roots = all_below(node, containers, prefix);
    if (!roots.empty()) return roots;
    if (containers.size() == 1 && node.children.size() == 1)
      if (const auto& [name, child] = *node.children.begin(); is_wrapper(name, child))
        return find(child, below(prefix, name), name);
    return {make(prefix, label, Format::plain)};
  }

 private:
  std::optional<Format> lms_of(const Node& node) const {
    const auto named = [&](Format format) {
      return std::ranges::count_if(node.children, [&](const auto& child) {
        return !owner_named(format, child.first, child.second).empty();
      });
    };
    const bool metadata = std::ranges::any_of(
        node.children, [](const auto& child) { return child.second.is_metadata; });
    const auto half = static_cast<std::ptrdiff_t>((node.children.size() + 1) / 2);
    const auto most = [&](Format format) {
      return named(format) >= std::max<std::ptrdiff_t>(half, 1);
    };
    if (metadata && named(Format::gradescope) > 0) return Format::gradescope;
    for (const Format format : {Format::moodle, Format::canvas})
      if (most(format)) return format;
    return std::nullopt;
  }

  /// A root for each container that can be read, if all are an LMS's or all are called after labs; else none.
  std::vector<Root> all_below(const Node& node, const std::vector<std::string>& containers,
                              const std::vector<std::string>& prefix) const {
    std::vector<Root> all;
    std::size_t downloads = 0, unread = 0, labs = 0;
    const auto is_plain = [](const Root& root) { return root.format == Format::plain; };
    for (const std::string& name : containers) {
      const Node& child = node.children.at(name);
      auto roots = find(child, below(prefix, name), name);
      const bool all_lms = !roots.empty() && std::ranges::none_of(roots, is_plain);
      const bool nothing_read = !all_lms && child.is_unread && child.children.empty();
      const bool is_labs = is_for_lab(name, child);
      if (!all_lms && !nothing_read && !is_labs) return {};
      downloads += all_lms;
      unread += nothing_read;
      labs += is_labs;
      if (!all_lms) roots = {make(below(prefix, name), name, Format::plain)};
      all.insert(all.end(), roots.begin(), roots.end());
    }
    if (downloads > 0 && downloads + unread == containers.size() && unread <= downloads) {
      std::erase_if(all, is_plain);
      return all;
    }
    return labs > 0 && labs == containers.size() ? all : std::vector<Root>{};
  }

  /// "lab3" and "Lab 3 - corner turning", but not "alice_lab3"; also "Lab 3 section A.zip", in which several students have a .cu
  /// file each, in a folder or an archive of their own.
  bool is_for_lab(const std::string& name, const Node& node) const {
    const std::string bare = without_archive_ending(name);
    if (labs_.lab_of(bare).empty()) return false;
    if (labs_.without_lab(bare).empty()) return true;
    return !is_kit(node) && !is_known(student_named(bare, labs_)) &&
           std::ranges::count_if(node.children, [&](const auto& child) {
             return child.second.is_container && child.second.holds_cuda && !is_of_a_lab(child);
           }) > 1;
  }

  bool is_known(const std::string& name) const {
    return people_.contains(fold_name(without_archive_ending(name)));
  }
  bool is_of_a_lab(const std::pair<const std::string, Node>& child) const {
    return !labs_.lab_of(child.first).empty();
  }
  /// "labs/lab3_corner_turning/kernel.cu"
  bool is_kit(const Node& node) const {
    const auto labs = node.children.find("labs");
    return labs != node.children.end() &&
           std::ranges::any_of(labs->second.children, [&](const auto& child) {
             return is_of_a_lab(child) && child.second.children.contains("kernel.cu");
           });
  }
  /// A lone folder is the one around the students' if somebody known is in it, if it is called after nobody, or if it holds
  /// several folders or archives that are not called after labs.
  bool is_wrapper(const std::string& name, const Node& node) const {
    const auto any = [&](const auto& is) { return std::ranges::any_of(node.children, is); };
    if (is_known(name) || is_kit(node)) return false;
    if (any([&](const auto& child) { return is_known(child.first); })) return true;
    const auto containers = std::ranges::count_if(
        node.children, [](const auto& child) { return child.second.is_container; });
    if (student_named(name, labs_).empty()) return containers > 0;
    return containers > 1 && !any([&](const auto& child) { return is_of_a_lab(child); });
  }

  Root make(const std::vector<std::string>& prefix, const std::string& label, Format format) const {
    return {prefix, format, label, labs_.labs_of(without_archive_ending(label))};
  }

  const LabNames& labs_;
  const std::set<std::string>& people_;
};

}  // namespace

std::vector<Root> find_roots(const std::vector<Found>& found, const std::string& input_name,
                             const LabNames& labs, const std::set<std::string>& people) {
  const Finder finder(labs, people);
  const Node root = tree_of(found);
  return finder.is_one_students(root, input_name) ? std::vector<Root>{}
                                                  : finder.find(root, {}, input_name);
}

}  // namespace labkit::course
