// What a shell completes, read off the commands themselves.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <ranges>

#include "base/text.h"
#include "cli/check_process.h"
#include "cli/commands.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

/// A command: its place ("/class/grade"), and what may follow there.
struct Place {
  std::string at;
  std::vector<std::string> words;
};
/// An option that takes a value.
struct Value {
  std::string at, option;
  std::vector<std::string> words;  ///< empty: a file
};
struct Tree {
  std::vector<Place> places;
  std::vector<Value> values;
};

/// "TEXT:{auto,cuda,sim}": CLI11 tells what is allowed in the type's name alone.
std::vector<std::string> allowed_values(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{'), end = type.find('}', begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::vector<std::string> values;
  for (const auto part : std::views::split(type.substr(begin + 1, end - begin - 1), ','))
    values.emplace_back(part.begin(), part.end());
  return values;
}

void walk(const CLI::App& app, const std::string& at, const std::vector<std::string>& labs,
          Tree& tree) {
  Place place{at, {}};
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : commands) place.words.push_back(command->get_name());
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      if (option->get_name(true) == "LAB")
        place.words.insert(place.words.end(), labs.begin(), labs.end());
      continue;
    }
    for (const std::string& name : option->get_lnames()) {
      place.words.push_back("--" + name);
      if (option->get_items_expected_max() > 0)
        tree.values.push_back({at, "--" + name, allowed_values(*option)});
    }
  }
  tree.places.push_back(place);
  for (const CLI::App* command : commands)
    walk(*command, at + "/" + command->get_name(), labs, tree);
}

/// '/a'|'/a/b': every place below the root.
std::string below_root(const Tree& tree, const char* between) {
  std::vector<std::string> quoted;
  for (const Place& place : tree.places)
    if (!place.at.empty()) quoted.push_back("'" + place.at + "'");
  return joined(quoted, between);
}

std::string bash_script(const Tree& tree) {
  std::string text =
      "# bash completion of labkit and ./kit: eval \"$(./kit completion bash)\"\n"
      "_labkit() {\n"
      "  local at='' word words='' previous=${COMP_WORDS[COMP_CWORD-1]} i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    word=${COMP_WORDS[i]}\n"
      "    case $at/$word in " +
      below_root(tree, "|") +
      ") at=$at/$word ;; esac\n"
      "  done\n"
      "  COMPREPLY=()\n"
      "  case $at:$previous in\n";
  for (const Value& value : tree.values)
    text += fmt::format("    '{}:{}') words='{}' ;;\n", value.at, value.option,
                        value.words.empty() ? "/" : joined(value.words, " "));
  text += "    *) case $at in\n";
  for (const Place& place : tree.places)
    text += fmt::format("      '{}') words='{}' ;;\n", place.at, joined(place.words, " "));
  return text +
         "    esac ;;\n"
         "  esac\n"
         "  # No word fits: bash completes a file's name.\n"
         "  [[ $words == / ]] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
         "\"${COMP_WORDS[COMP_CWORD]}\")\n"
         "}\n"
         "complete -o default -F _labkit labkit kit\n";
}

std::string zsh_script(const Tree& tree) {
  std::string text =
      "#compdef labkit kit\n"
      "# zsh completion of labkit and ./kit: source <(./kit completion zsh)\n"
      "_labkit() {\n"
      "  local at='' word previous=${words[CURRENT-1]}\n"
      "  local -a found\n"
      "  for word in \"${(@)words[2,CURRENT-1]}\"; do\n"
      "    case $at/$word in (" +
      below_root(tree, "|") +
      ") at=$at/$word ;; esac\n"
      "  done\n"
      "  case $at:$previous in\n";
  for (const Value& value : tree.values)
    if (value.words.empty())
      text += fmt::format("    ('{}:{}') _files; return ;;\n", value.at, value.option);
    else
      text += fmt::format("    ('{}:{}') found=({}) ;;\n", value.at, value.option,
                          joined(value.words, " "));
  text += "    (*) case $at in\n";
  for (const Place& place : tree.places)
    text += fmt::format("      ('{}') found=({}) ;;\n", place.at, joined(place.words, " "));
  return text +
         "    esac ;;\n"
         "  esac\n"
         "  compadd -a found || _files\n"
         "}\n"
         "if [[ $funcstack[1] == _kit || $funcstack[1] == _labkit ]]; then _labkit \"$@\"; "
         "else compdef _labkit labkit kit; fi\n";
}

std::string fish_script(const Tree& tree) {
  std::string text =
      "# fish completion of labkit and ./kit: ./kit completion fish | source\n"
      "function __labkit_words\n"
      "  set -l typed (commandline -opc)\n"
      "  set -l at ''\n"
      "  for word in $typed[2..-1]\n"
      "    switch \"$at/$word\"\n"
      "      case " +
      below_root(tree, " ") +
      "\n"
      "        set at \"$at/$word\"\n"
      "    end\n"
      "  end\n"
      "  switch \"$at:$typed[-1]\"\n";
  for (const Value& value : tree.values)
    text += fmt::format("    case '{}:{}'\n      {}\n      return\n", value.at, value.option,
                        value.words.empty() ? "__fish_complete_path (commandline -ct)"
                                            : "printf '%s\\n' " + joined(value.words, " "));
  text += "  end\n  switch \"$at\"\n";
  for (const Place& place : tree.places)
    text +=
        fmt::format("    case '{}'\n      printf '%s\\n' {}\n", place.at, joined(place.words, " "));
  return text +
         "  end\n"
         "end\n"
         "complete -c labkit -f -a '(__labkit_words)'\n"
         "complete -c kit -f -a '(__labkit_words)'\n";
}

}  // namespace

void add_completion(Command labkit) {
  const auto shell = std::make_shared<std::string>();
  Command command = labkit.subcommand("completion", "what bash, zsh or fish needs to complete");
  command.option("SHELL", *shell, "bash, zsh or fish").required().one_of({"bash", "zsh", "fish"});
  command.footer(
      "bash: eval \"$(./kit completion bash)\"    in ~/.bashrc, with the kit's whole path\n"
      "zsh:  source <(./kit completion zsh)      fish: ./kit completion fish | source");
  const CLI::App& root = labkit;
  command.run([shell, &root] {
    std::vector<std::string> labs;
    for (const grade::Manifest& lab : select_labs({})) labs.push_back(lab.id);
    Tree tree;
    walk(root, "", labs, tree);
    report::print(*shell == "bash"  ? bash_script(tree)
                  : *shell == "zsh" ? zsh_script(tree)
                                    : fish_script(tree));
    return 0;
  });
}

}  // namespace labkit::cli
