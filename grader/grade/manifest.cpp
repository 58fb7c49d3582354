#include "grade/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "grade/figures.h"
#include "grade/toml_reader.h"

namespace labkit::grade {
namespace {

constexpr struct {
  std::string_view type;
  std::uint32_t size_bytes;
} kScalarTypes[] = {
    {"int", 4},    {"unsigned", 4},     {"float", 4}, {"double", 8}, {"long long", 8},
    {"size_t", 8}, {"unsigned int", 4}, {"bool", 1},  {"char", 1},   {"unsigned long long", 8}};

Parameter parse_parameter(const TomlReader& reader, const std::string& text) {
  Parameter made{.text = text, .name = {}, .size_bytes = 0};
  const std::size_t cut = text.find_last_of(" *");
  if (cut == std::string::npos || cut + 1 == text.size())
    reader.fail(fmt::format("parameter `{}` wants a type and a name", text));
  made.name = text.substr(cut + 1);
  const std::string type{trim(std::string_view(text).substr(0, cut + 1))};
  if (type.find('*') != std::string::npos) {
    made.size_bytes = 8;
    return made;
  }
  for (const auto& [name, size] : kScalarTypes)
    if (type == name) made.size_bytes = size;
  if (made.size_bytes == 0)
    reader.fail(fmt::format("parameter `{}`: `{}` is neither a pointer nor a known scalar type",
                            text, type));
  return made;
}

Kernel parse_kernel(const toml::table& table, const std::string& file) {
  TomlReader reader(table, file, "[[kernel]]");
  Kernel kernel;
  kernel.expressions = reader.texts("expressions");
  kernel.name = kernel.expressions.front().substr(0, kernel.expressions.front().find('<'));
  for (const std::string& expression : kernel.expressions)
    if (expression.substr(0, expression.find('<')) != kernel.name)
      reader.fail(fmt::format("`{}` and `{}` are two kernels; give each its own [[kernel]]",
                              kernel.expressions.front(), expression));
  for (const std::string& parameter : reader.texts("parameters"))
    kernel.parameters.push_back(parse_parameter(reader, parameter));
  kernel.optional = reader.optional<bool>("optional", "true or false", false);
  kernel.dynamic_shared = reader.optional<bool>("dynamic_shared", "true or false", false);
  kernel.shared_memory = reader.optional<bool>("shared_memory", "true or false", true);
  reader.no_other_keys();
  return kernel;
}

double points_of(TomlReader& reader) {
  const auto points = reader.required<double>("points", "a number");
  if (!(points > 0) || points > 1e6) reader.fail("`points` must be over 0 and at most 1e6");
  return points;
}

Gate parse_gate(const toml::table& table, const std::string& file) {
  TomlReader reader(table, file, "[[test.gate]]");
  Gate gate;
  gate.name = reader.text("name");
  gate.figure = reader.text("figure");
  gate.reason = reader.text("reason");
  gate.next = reader.text("next");
  gate.points = points_of(reader);
  const bool has_min = reader.find("min") != nullptr, has_max = reader.find("max") != nullptr;
  if (has_min == has_max) reader.fail("wants exactly one of `min` and `max`");
  gate.is_minimum = has_min;
  gate.threshold = reader.required<double>(has_min ? "min" : "max", "a number");
  if (!(gate.threshold >= 0)) reader.fail("a gate's limit cannot be negative");
  if (has_min && gate.threshold == 0) reader.fail("a minimum of 0 holds nothing back");
  if (gate.name.find_first_of(" \t\n:") != std::string::npos)
    reader.fail(fmt::format("gate name `{}` has blanks or a colon in it", gate.name));
  if (!is_figure(gate.figure))
    reader.fail(fmt::format("unknown figure `{}`; grader/grade/figures.h lists them", gate.figure));
  reader.no_other_keys();
  return gate;
}

void parse_graded(TomlReader& reader, Test& test) {
  if (const toml::node* node = reader.find("block")) {
    const auto block = launch::parse_dim3(node->value_exact<std::string>().value_or(""));
    if (!block || block->count() > 1024)
      reader.fail("`block` must be like \"256\" or \"32x8\", with at most 1024 threads", node);
    test.block = *block;
    test.is_graded = true;
  }
  test.elements_a_thread =
      static_cast<std::uint32_t>(reader.whole("elements_a_thread", 1, 1, 64, "must be 1 to 64"));
  const auto element = reader.optional<std::string>("element", "\"f32\" or \"f64\"", "f32");
  if (element != "f32" && element != "f64") reader.fail("`element` must be \"f32\" or \"f64\"");
  test.element = *launch::element_from_name(element);
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 32;
  test.copy_bytes = reader.whole("copy_bytes", 0, 0, kMostBytes, "must be at most 2^32");
  test.gpu_copy_bytes =
      reader.whole("gpu_copy_bytes", test.copy_bytes, 0, kMostBytes, "must be at most 2^32");
  test.size = reader.sizes("size");
  test.gpu_size = reader.sizes("gpu_size");
  if (test.gpu_size.empty()) test.gpu_size = test.size;
  for (const auto& [name, value] : test.gpu_size)
    if (!test.size.contains(name) || value < test.size.at(name))
      reader.fail(fmt::format("`gpu_size` `{}` must be in `size` too, and no smaller there", name));
  if (test.gpu_size.size() != test.size.size())
    reader.fail("`gpu_size` must name all that `size` names");
  for (const toml::table* gate : reader.tables("gate"))
    test.gates.push_back(parse_gate(*gate, test.file));
  if (!std::ranges::is_sorted(test.gates, {}, &Gate::is_ratio))
    reader.fail("gates of a ratio come after those of counters");
  if (!test.is_graded && !test.gates.empty()) reader.fail("a test with gates needs `block`");
}

Test parse_test(const toml::table& table, const std::string& file,
                const std::vector<Kernel>& kernels) {
  TomlReader reader(table, file, "[[test]]");
  Test test;
  test.file = file;
  test.name = reader.text("name");
  if (std::ranges::count(test.name, '.') != 1)
    reader.fail(
        fmt::format("test name `{}` must be Suite.Name, as in TEST(Suite, Name)", test.name));
  test.about = reader.text("about");
  test.next = reader.optional<std::string>("next", "a string", "");
  test.answer = reader.optional<std::string>("answer", "a string", "");
  test.bonus = reader.optional<bool>("bonus", "true or false", false);
  test.budget =
      reader.whole("budget", 0, 0, std::numeric_limits<std::int64_t>::max(), "cannot be negative");
  if (kernels.size() == 1)
    test.kernel = reader.optional<std::string>("kernel", "a string", kernels.front().name);
  else
    test.kernel = reader.text("kernel");
  const auto kernel = std::ranges::find(kernels, test.kernel, &Kernel::name);
  if (kernel == kernels.end())
    reader.fail(fmt::format("no [[kernel]] is called `{}`", test.kernel));
  if (kernel->optional && !test.bonus)
    reader.fail(fmt::format("`{}` is optional, so its tests must say bonus = true", test.kernel));
  parse_graded(reader, test);
  if (test.gates.empty()) {
    test.points = points_of(reader);
  } else if (reader.find("points") != nullptr) {
    reader.fail("a test with gates has no `points` of its own: give them to its gates");
  }
  for (const Gate& gate : test.gates) test.points += gate.points;
  reader.no_other_keys();
  return test;
}

Prediction parse_prediction(const toml::table& table, const std::string& file,
                            const std::vector<Test>& tests) {
  TomlReader reader(table, file, "[[predict]]");
  Prediction prediction;
  prediction.constant = reader.text("constant");
  prediction.test = reader.text("test");
  prediction.figure = reader.text("figure");
  prediction.why = reader.text("why");
  const auto test = std::ranges::find(tests, prediction.test, &Test::name);
  if (test == tests.end() || !test->is_graded)
    reader.fail("`" + prediction.test + "` is no graded test");
  if (!is_counted(prediction.figure))
    reader.fail("`" + prediction.figure + "` is no figure that is counted");
  reader.no_other_keys();
  return prediction;
}

void require_unique(const Manifest& manifest, const std::string& file) {
  std::set<std::string> names;
  const auto once = [&](const std::string& kind, const std::string& name) {
    if (!names.insert(kind + " " + name).second)
      throw Error(fmt::format("{}: two {}s are called `{}`", file, kind, name),
                  "rename one of them");
  };
  for (const Kernel& kernel : manifest.kernels) once("kernel", kernel.name);
  for (const Test& test : manifest.tests) {
    once("test", test.name);
    for (const Gate& gate : test.gates) once("gate", gate.name);
  }
}

}  // namespace

const Kernel* Manifest::find_kernel(std::string_view name) const {
  const auto at = std::ranges::find(kernels, name, &Kernel::name);
  return at == kernels.end() ? nullptr : &*at;
}
const Test* Manifest::find_test(std::string_view name) const {
  const auto at = std::ranges::find(tests, name, &Test::name);
  return at == tests.end() ? nullptr : &*at;
}
const Kernel* Manifest::kernel_of(std::string_view expression) const {
  for (const Kernel& kernel : kernels)
    if (std::ranges::count(kernel.expressions, expression)) return &kernel;
  return nullptr;
}
double Manifest::max_points() const {
  double sum = 0;
  for (const Test& test : tests) sum += test.bonus ? 0 : test.points;
  return sum;
}
double Manifest::bonus_points() const {
  double sum = 0;
  for (const Test& test : tests) sum += test.bonus ? test.points : 0;
  return sum;
}

Manifest parse_manifest(std::string_view text, const std::filesystem::path& directory,
                        const std::string& name) {
  const toml::table table = parse_toml(text, name, "correct that line");
  TomlReader reader(table, name, "lab.toml");
  Manifest manifest;
  manifest.directory = directory;
  manifest.folder = directory.filename().string();
  manifest.id = manifest.folder.substr(0, manifest.folder.find('_'));
  manifest.title = reader.text("title");
  manifest.idea = reader.text("idea");
  manifest.edits = reader.optional<bool>("edits", "true or false", true);
  manifest.reference = reader.text("reference");
  for (const toml::table* kernel : reader.tables("kernel"))
    manifest.kernels.push_back(parse_kernel(*kernel, name));
  if (manifest.kernels.empty()) reader.fail("there is no [[kernel]]");
  for (const toml::table* test : reader.tables("test"))
    manifest.tests.push_back(parse_test(*test, name, manifest.kernels));
  if (manifest.tests.empty()) reader.fail("there is no [[test]]");
  for (const toml::table* prediction : reader.tables("predict"))
    manifest.predictions.push_back(parse_prediction(*prediction, name, manifest.tests));
  reader.no_other_keys();
  require_unique(manifest, name);
  return manifest;
}

Manifest load_manifest(const std::filesystem::path& directory) {
  const std::filesystem::path file = directory / "lab.toml";
  const std::string text = read_file(file, 1 << 20);
  // "/a/b/labs/lab3_x/" has an empty file name; the folder's name is wanted.
  const auto clean = std::filesystem::absolute(directory).lexically_normal();
  return parse_manifest(text, clean.has_filename() ? clean : clean.parent_path(), file.string());
}

std::vector<Manifest> find_labs(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> directories;
  std::error_code ignored;  // an unreadable folder reads as "no labs"
  for (const auto& entry : std::filesystem::directory_iterator(root / "labs", ignored))
    if (std::filesystem::exists(entry.path() / "lab.toml")) directories.push_back(entry.path());
  if (directories.empty())
    throw Error(
        fmt::format("no labs: {} holds no folder with a lab.toml", (root / "labs").string()),
        "run from the project's root, or name it with --root");
  std::vector<Manifest> labs;
  labs.reserve(directories.size());
  for (const auto& directory : directories) labs.push_back(load_manifest(directory));
  // "lab10" comes after "lab9", and before all of them what has no number.
  std::ranges::sort(labs, {}, [](const Manifest& lab) {
    const bool has_number = lab.id.find_first_of("0123456789") != std::string::npos;
    return std::tuple(has_number, lab.id.size(), lab.id);
  });
  if (const auto same = std::ranges::adjacent_find(labs, {}, &Manifest::id); same != labs.end())
    throw Error(
        fmt::format("two labs are called {}: {} and {}", same->id, same->folder,
                    std::next(same)->folder),
        "the part of a folder's name before the first _ is the lab's id and must be unique");
  return labs;
}

}  // namespace labkit::grade
