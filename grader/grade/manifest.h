// lab.toml as data. A lab is what stands in its folder; nothing about one lab is compiled into the
// grader.
//
//   title     = "Corner turning"                   # required
//   idea      = "One sentence: what is learnt."    # required
//   edits     = false                              # of puzzles, which an edit would solve: none is told
//   reference = "correct/padded.cu"                # required: the answer that stands for the lab,
//                                                  # below solutions/<lab folder>/
//
//   [[kernel]]                                     # at least one
//   expressions = ["turn<float>", "turn<double>"]  # instances as check.cpp launches them, all of
//                                                  # one kernel
//   parameters  = ["const T* in", "int rows"]      # in order, the last word is the name. T* and
//                                                  # const T* are 8 bytes; scalars are int,
//                                                  # unsigned, float, double, long long, size_t
//   optional    = false                            # true: leaving it empty costs nothing (bonus)
//   dynamic_shared = false                         # true: its shared memory must be dynamic, all
//                                                  # of it; a static array is a verdict
//   shared_memory = true                           # false: the lab is about doing without; no advice
//                                                  # speaks of it
//
//   [[predict]]                                    # any number: a count that kernel.cu asks for before the first run;
//                                                  # it costs no points
//   constant = "kLoadSectors"                      # required: of kernel.cu, 0 where nobody has answered
//   test     = "CornerTurning.Bandwidth"           # required: a graded test, whose launch is counted
//   figure   = "load_sectors_per_request"          # required: a counted one, see figures.h
//   why      = "32 neighbouring floats are ..."    # required: told with a wrong answer
//
//   [[test]]                                       # one for each TEST(Suite, Name) of check.cpp,
//                                                  # in the order of the report
//   name   = "CornerTurning.AnyShape"              # required
//   kernel = "turn"                                # what it is about; default: the only one
//   points = 40                                    # required, > 0; a test with gates has the points
//                                                  # of its gates instead
//   about  = "Right for any rows and columns."     # required: what passing means, one sentence
//   next   = "Step by the number of threads."      # optional: what to do where it fails and no edit is known, in
//                                                  # place of the advice that holds anywhere
//   answer = "int i = threadIdx.x;"                # optional, beside `next`: a line of the kernel as it must be. Of the
//                                                  # student's line that is most like it, both values are told for a
//                                                  # thread where they differ; the answer itself is not
//   bonus  = false                                 # true: points on top; not attempting an
//                                                  # optional kernel costs nothing
//   budget = 200000000                             # optional: what a launch may take before it counts
//                                                  # as endless: 32 for each plain warp
//                                                  # instruction, more for what costs the simulator
//                                                  # more (simt/limits.h)
//
//   Graded tests (those that call grade()) say besides:
//   block = "32x32"                                # launch shape graded; check.cpp reads it with
//                                                  # graded_block()
//   elements_a_thread = 1                          # of the kernel and of the copy beside it
//   element = "f32"                                # element type of that copy: f32 (default), f64
//   size  = { rows = 2048, cols = 2048 }           # sizes graded; check.cpp reads them with
//                                                  # graded_size("rows")
//   gpu_size = { rows = 4096, cols = 4096 }        # sizes on a GPU: what moves leaves its caches. Less
//                                                  # on a GPU of little memory, but never below
//                                                  # `size`; default: `size`
//   copy_bytes = 33554432                          # optional: useful bytes of the copy; default:
//                                                  # those of the graded launch. Larger ones
//                                                  # saturate the memory (for a small product)
//   gpu_copy_bytes = 536870912                     # optional: the same on a GPU; default: copy_bytes
//
//     [[test.gate]]                                # any number, in this order: a gate's points are
//                                                  # earned where it and all before it hold, so that
//                                                  # speed counts only once the counters are right.
//                                                  # Gates of ratios come last
//     name   = "sectors"                           # required, unique in the lab; the verdict of a
//                                                  # miss is `gate sectors`
//     figure = "excess_global_sectors"             # required: see figures.h
//     points = 20                                  # required, > 0
//     max    = 0                                   # exactly one of min and max
//     reason = "Every sector fetched is used."     # required: why this gate, one sentence
//     next   = "Swap the roles of ... "            # required: what a student who misses it should
//                                                  # look at
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launch.h"

namespace labkit::grade {

struct Parameter {
  std::string text;              ///< as in lab.toml: "const T* in"
  std::string name;              ///< "in"
  std::uint32_t size_bytes = 0;  ///< in the kernel's parameter block
};

struct Kernel {
  std::string name;  ///< "turn": the expressions without template arguments
  std::vector<std::string> expressions;
  std::vector<Parameter> parameters;
  bool optional = false;
  bool dynamic_shared = false;
  bool shared_memory = true;
};

struct Gate {
  std::string name, figure, reason, next;
  bool is_minimum = true;
  double threshold = 0;
  double points = 0;
  /// Held against time, so that a GPU may have a limit of its own for it.
  bool is_ratio() const { return figure == "ratio" || figure == "best_ratio"; }
};

using Sizes = std::map<std::string, int>;

struct Test {
  std::string name, kernel, about;
  std::string next = {};    ///< "": none of its own
  std::string answer = {};  ///< the same
  double points = 0;        ///< of a test with gates: their sum
  bool bonus = false;
  std::uint64_t budget = 0;  ///< of one launch (simt/limits.h); 0: by the launch's size
  std::string file;          ///< lab.toml as messages call it
  // graded tests
  bool is_graded = false;  ///< lab.toml gives it a block
  launch::Dim3 block;
  std::uint32_t elements_a_thread = 1;
  launch::Element element = launch::Element::f32;
  Sizes size, gpu_size;              ///< the same names in both
  std::uint64_t copy_bytes = 0;      ///< 0: the useful bytes of the graded launch
  std::uint64_t gpu_copy_bytes = 0;  ///< the same on a GPU
  std::vector<Gate> gates;
};

struct Prediction {
  std::string constant, test, figure, why;
};

struct Manifest {
  std::string id;      ///< "lab3", the folder's name up to the first underscore
  std::string folder;  ///< "lab3_corner_turning"
  std::filesystem::path directory;
  std::string title, idea, reference;
  bool edits = true;  ///< false: what would make a kernel right is not told
  std::vector<Kernel> kernels;
  std::vector<Test> tests;
  std::vector<Prediction> predictions;

  const Kernel* find_kernel(std::string_view name) const;
  const Test* find_test(std::string_view name) const;
  /// The kernel that `expression` is an instance of; null if lab.toml has none.
  const Kernel* kernel_of(std::string_view expression) const;
  double max_points() const;    ///< without bonus
  double bonus_points() const;  ///< of all bonus tests
};

/// Reads <directory>/lab.toml. Throws labkit::Error naming the file, the line where there is one,
/// and the mend: missing or misspelt keys, wrong types, a gate with no reason, two gates of a name.
/// An unknown key is an error too.
Manifest load_manifest(const std::filesystem::path& directory);
/// The same from text, `name` standing for the file in messages.
Manifest parse_manifest(std::string_view text, const std::filesystem::path& directory,
                        const std::string& name);

/// Every folder below <root>/labs with a lab.toml, in the order of their ids. Throws labkit::Error
/// if there are none or two share an id.
std::vector<Manifest> find_labs(const std::filesystem::path& root);

}  // namespace labkit::grade
