// The parser of PTX and every pass over a module, on modules that have many of one thing: of functions that call one
// another, of registers, labels, branches, arrays.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "counted_steps.h"
#include "observe/thread_values.h"
#include "ptx/dependent.h"
#include "ptx/passes.h"
#include "ptx/values.h"
#include "simt/machine.h"

namespace labkit::scan {
namespace {

/// Of the larger module of a pair. The label `long` asks for more.
std::size_t count_of_pairs() {
  const char* asked = std::getenv("LABKIT_SCAN_COUNT");
  return asked ? std::stoul(asked) : 2000;
}

std::string module_of(const std::string& body, const std::string& before = {}) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"kernel.cu\"\n.file 2 "
         "\"lib.h\"\n" +
         before +
         ".visible .entry k(.param .u64 a)\n{\n.reg .pred %p<9>; .reg .b32 %r<40000>; "
         ".reg .b64 %rd<40000>;\n.loc 1 1 1\nld.param.u64 %rd1, [a];\nmov.u32 %r1, %tid.x;\n"
         "setp.ne.s32 %p1, %r1, 0;\n" +
         body + "ret;\n}\n";
}

/// One line for each number below `count`, from the first on or from the last.
template <typename Line>
std::string lines(std::size_t count, const Line& line, bool backwards = false) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += line(backwards ? count - 1 - i : i) + "\n";
  return text;
}

/// Functions, each calling those that `callees` says.
template <typename Callees>
std::string functions(std::size_t count, const Callees& callees) {
  std::string text = lines(count, [](std::size_t i) { return fmt::format(".func f{};", i); });
  return text + lines(count, [&](std::size_t i) {
           std::string body;
           for (const std::size_t to : callees(i)) body += fmt::format("call f{};", to);
           return fmt::format(".func f{} {{ .loc 2 {} 1\n{} ret; }}", i, i + 1, body);
         });
}

struct Kind {
  const char* name;
  std::function<std::string(std::size_t)> text;
};

const Kind kKinds[] = {
    {"FunctionsThatCallOneAnother",
     [](std::size_t n) {
       return module_of("call f0;\n", functions(n, [&](std::size_t i) {
                          return std::vector{(i + 1) % n, (7 * i + 3) % n, (i * i + 1) % n, i};
                        }));
     }},
    {"FunctionsInARow",
     [](std::size_t n) {
       return module_of(fmt::format("call f{};\n", n - 1), functions(n, [](std::size_t i) {
                          return i == 0 ? std::vector<std::size_t>{} : std::vector{i - 1};
                        }));
     }},
    {"FunctionsOfTheKernel",
     [](std::size_t n) {
       return module_of(lines(n, [](std::size_t i) { return fmt::format("call f{};", i); }),
                        functions(n, [](std::size_t) { return std::vector<std::size_t>{}; }));
     }},
    {"Registers",
     [](std::size_t n) {
       return module_of(lines(n, [](std::size_t i) {
         return fmt::format("add.s32 %r{}, %r{}, {};", i + 2, i + 1, i);
       }));
     }},
    {"RegistersBackwards",  // a loop, in which each value comes from one further down
     [](std::size_t n) {
       return module_of(
           "top:\n" +
           lines(
               n,
               [](std::size_t i) { return fmt::format("add.s64 %rd{}, %rd{}, 4;", i + 2, i + 1); },
               true) +
           "@%p1 bra top;\nld.shared.u32 %r2, [%rd9];\n");
     }},
    {"CopiesBackwards",
     [](std::size_t n) {
       return module_of(
           "top:\n" +
           lines(
               n, [](std::size_t i) { return fmt::format("mov.u32 %r{}, %r{};", i + 2, i + 1); },
               true) +
           "@%p1 bra top;\n");
     }},
    {"CopiesAtTheEndOfALoop",  // of registers that are needed until then
     [](std::size_t n) {
       return module_of(
           lines(n, [](std::size_t i) { return fmt::format("mov.u32 %r{}, 0;", i + 2); }) +
           "top:\n" +
           lines(n,
                 [n](std::size_t i) {
                   return fmt::format("add.s32 %r{}, %r{}, 1;", n + i + 2, i + 2);
                 }) +
           lines(n,
                 [n](std::size_t i) {
                   return fmt::format("mov.u32 %r{}, %r{};", i + 2, n + i + 2);
                 }) +
           "@%p1 bra top;\n");
     }},
    {"LoadedPointersBackwards",  // each is the same in all lanes until the one further down is known to come from memory
     [](std::size_t n) {
       return module_of(
           "ld.global.u64 %rd1, [%rd1];\n" +
           lines(n, [](std::size_t i) { return fmt::format("mov.u64 %rd{}, 0;", i + 2); }) +
           "top:\n" +
           lines(
               n,
               [](std::size_t i) { return fmt::format("add.s64 %rd{}, %rd{}, 4;", i + 2, i + 1); },
               true) +
           "@%p1 bra top;\n");
     }},
    {"FunctionsOfAHeaderBackwards",  // that the last has two callers goes through all, against their order
     [](std::size_t n) {
       const std::string all = lines(n, [](std::size_t i) { return fmt::format("call f{};", i); });
       return module_of(fmt::format("call g;\n.loc 1 9 1\ncall f{};\n", n - 1),
                        functions(n,
                                  [](std::size_t i) {
                                    return i == 0 ? std::vector<std::size_t>{} : std::vector{i - 1};
                                  }) +
                            ".func g { .loc 2 1 1\n" + all + "ret; }\n");
     }},
    {"Labels",
     [](std::size_t n) {
       return module_of(
           lines(n, [](std::size_t i) { return fmt::format("l{}: bra l{};", i, i + 1); }) +
           fmt::format("l{}:\n", n));
     }},
    {"LabelsBackwards",  // each jumps to the one that stands before it
     [](std::size_t n) {
       return module_of(fmt::format("bra l{};\n", n - 1) + "end: ret;\n" +
                        lines(n, [](std::size_t i) {
                          return fmt::format("l{}: add.s32 %r1, %r1, 1; bra {};", i,
                                             i == 0 ? "end" : fmt::format("l{}", i - 1));
                        }));
     }},
    {"BranchesToTheNext",
     [](std::size_t n) {
       return module_of(lines(n, [](std::size_t i) {
         return fmt::format("@%p1 bra l{};\nadd.s32 %r{}, %r1, 1;\nl{}:", i, i + 2, i);
       }));
     }},
    {"BranchesToTheEnd",
     [](std::size_t n) {
       return module_of(lines(n,
                              [](std::size_t i) {
                                return fmt::format("@%p1 bra end;\nadd.s32 %r{}, %r1, 1;", i + 2);
                              }) +
                        "end: add.s32 %r2, %r2, 1;\n");
     }},
    {"BranchesToALadder",  // deep chains of dominators, and branches that lead to both of their ends
     [](std::size_t n) {
       return module_of(
           lines(n / 2,
                 [](std::size_t i) {
                   return fmt::format("@%p1 bra l{};\n@%p1 bra end;", i == 0 ? 0 : i - 1);
                 }) +
           lines(n / 2,
                 [](std::size_t i) {
                   return fmt::format(
                       "l{}: add.s32 %r{}, %r1, 1;\n@%p1 bra m{};\nadd.s32 %r1, %r1, 1;\nm{}:", i,
                       i + 2, i, i);
                 }) +
           "end: add.s32 %r2, %r2, 1;\n");
     }},
    {"LoopsInLoops",
     [](std::size_t n) {
       return module_of(
           lines(n, [](std::size_t i) { return fmt::format("l{}: add.s32 %r1, %r1, 1;", i); }) +
           lines(
               n, [](std::size_t i) { return fmt::format("@%p1 bra l{};", i); }, true));
     }},
    {"LoopsWithOneHead",
     [](std::size_t n) {
       return module_of("top:\n" + lines(n, [](std::size_t i) {
                          return fmt::format("add.s32 %r{}, %r1, 1;\n@%p1 bra top;", i + 2);
                        }));
     }},
    {"Returns",
     [](std::size_t n) {
       return module_of(lines(n, [](std::size_t i) {
         return fmt::format("@%p1 bra l{};\nadd.s32 %r1, %r1, 1;\nret;\nl{}:", i, i);
       }));
     }},
    {"OneTableOfBranches",
     [](std::size_t n) {
       return module_of(
           "ts: .branchtargets " +
           lines(n, [](std::size_t i) { return fmt::format("{}l{}", i == 0 ? "" : ",", i); }) +
           ";\nbrx.idx %r1, ts;\n" +
           lines(n, [](std::size_t i) { return fmt::format("l{}: add.s32 %r1, %r1, 1;", i); }));
     }},
    {"TablesOfBranches",
     [](std::size_t n) {
       return module_of(lines(n, [](std::size_t i) {
         return fmt::format("t{}: .branchtargets l{};\nbrx.idx %r1, t{};\nl{}:", i, i, i, i);
       }));
     }},
    {"SharedArrays",
     [](std::size_t n) {
       return module_of(
           lines(n, [](std::size_t i) { return fmt::format(".shared .align 4 .b8 s{}[64];", i); }) +
           lines(n, [](std::size_t i) {
             return fmt::format(
                 "mov.u64 %rd{}, s{};\nld.shared.u32 %r2, [%rd{}];\n"
                 "st.shared.u32 [s{}+4], %r2;",
                 i + 2, i, i + 2, i);
           }));
     }},
    {"SharedLoads",
     [](std::size_t n) {
       return module_of(".shared .align 16 .b8 s[64];\nmov.u64 %rd2, s;\n" +
                        lines(n, [](std::size_t i) {
                          return fmt::format("ld.shared.u32 %r{}, [%rd2+{}];", i + 2, i % 16 * 4);
                        }));
     }},
    {"PointersThatMove",  // many registers with several values, through many blocks
     [](std::size_t n) {
       constexpr std::size_t kPointers = 60;
       return module_of(
           lines(kPointers,
                 [](std::size_t i) { return fmt::format("mov.u64 %rd{}, %rd1;", i + 2); }) +
           lines(n, [&](std::size_t i) {
             return fmt::format(
                 "add.s64 %rd{}, %rd{}, 4;\n@%p1 bra l{};\nld.shared.u32 %r2, [%rd{}];\nl{}:",
                 i % kPointers + 2, i % kPointers + 2, i, (i + 5) % kPointers + 2, i);
           }));
     }},
    {"InstructionsThatAreNone",
     [](std::size_t n) {
       return module_of(lines(
           n, [](std::size_t i) { return fmt::format(".loc 1 {} 1\nwmma.none.f32 %r1;", i + 1); }));
     }},
    {"Constants",
     [](std::size_t n) {
       return module_of(lines(n, [](std::size_t i) { return fmt::format("mov.u32 %r2, {};", i); }));
     }},
    {"LocalVariables",
     [](std::size_t n) {
       return module_of(
           lines(n, [](std::size_t i) { return fmt::format(".local .b32 v{};", i); }) +
           lines(n, [](std::size_t i) { return fmt::format("st.local.u32 [v{}], %r1;", i); }));
     }},
};

class ModuleScan : public testing::TestWithParam<Kind> {
 protected:
  /// Once, for all passes.
  static const ptx::Module& parsed(std::size_t count) {
    static std::map<std::pair<std::string, std::size_t>, ptx::Module> modules;
    const auto [at, is_new] = modules.try_emplace({GetParam().name, count});
    if (is_new) {
      ptx::ParseResult result = ptx::parse(GetParam().text(count));
      EXPECT_TRUE(result.module) << result.error.ptx_line << ": " << result.error.message;
      if (result.module) at->second = std::move(*result.module);
    }
    return at->second;
  }

  /// `pass` is given a module and its kernel.
  void grows_evenly(const std::function<void(const ptx::Module&, const ptx::Function&)>& pass) {
    const ptx::Module &small = parsed(count_of_pairs() / 2), &large = parsed(count_of_pairs());
    const ptx::Function *one = small.find_function("k"), *two = large.find_function("k");
    ASSERT_TRUE(one && two);
    pass(small, *one);  // tables that are made at the first call
    const auto half = steps_of([&] { pass(small, *one); }, 40'000'000'000);
    const auto whole = steps_of([&] { pass(large, *two); }, 8 * half + 1'000'000);
    EXPECT_LT(static_cast<double>(whole), kLinear * (static_cast<double>(half) + 1000));
  }
};

TEST_P(ModuleScan, Parse) {
  EXPECT_LT(growth([](std::size_t bytes) { return GetParam().text(bytes); }, count_of_pairs(),
                   [](const std::string& text) { EXPECT_TRUE(ptx::parse(text).module); }),
            kLinear);
}

TEST_P(ModuleScan, ControlFlow) {
  grows_evenly([](const auto&, const auto& kernel) { ptx::control_flow(kernel); });
}

TEST_P(ModuleScan, EstimateRegisters) {
  grows_evenly([](const auto&, const auto& kernel) {
    ptx::estimate_registers(kernel, ptx::control_flow(kernel));
  });
}

TEST_P(ModuleScan, Latency) {
  grows_evenly([](const auto&, const auto& kernel) {
    const ptx::ControlFlow flow = ptx::control_flow(kernel);
    ptx::latency_depth(kernel, flow);
    ptx::dependence_links(kernel, flow);
    ptx::issued_with(kernel, flow);
    ptx::machine_costs(kernel, flow);
    ptx::loops_around(kernel, flow);
  });
}

TEST_P(ModuleScan, MergeShared) {
  grows_evenly([](const auto&, const auto& kernel) {
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i < kernel.variables.size(); ++i)
      offsets.push_back(static_cast<std::int64_t>(64 * i));
    ptx::merge_shared_accesses(kernel, ptx::control_flow(kernel), offsets, {});
  });
}

TEST_P(ModuleScan, SharedOrigins) {
  grows_evenly([](const auto& module, const auto& kernel) { ptx::shared_origins(module, kernel); });
}

TEST_P(ModuleScan, Values) {
  grows_evenly([](const auto& module, const auto& kernel) { ptx::values_of(module, kernel); });
}
TEST_P(ModuleScan, ThreadDependent) {
  grows_evenly([](const auto&, const auto& kernel) { ptx::thread_dependent(kernel); });
}

TEST_P(ModuleScan, Decode) {
  grows_evenly([](const auto& module, const auto&) { simt::decode(module, "k"); });
}

INSTANTIATE_TEST_SUITE_P(Of, ModuleScan, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace labkit::scan
