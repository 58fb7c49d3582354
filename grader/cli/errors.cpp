#include "cli/errors.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <new>
#include <stdexcept>

#include "base/error.h"
#include "base/usage_error.h"
#include "report/style.h"

namespace labkit::cli {

int guarded(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? kExitOk : kExitUsage;
  }
  try {
    const int code = body();
    // What nobody could read was not said: a full disk must not look like a pass.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("stdout cannot be written", "free some disk space, or send it elsewhere");
    return code;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(),
                 report::printable(error.what()).c_str());
    if (!error.mend().empty())
      std::fprintf(stderr, "  Mend: %s\n", report::printable(error.mend()).c_str());
    return kExitUsage;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: the kit could not do that: %s\n", app.get_name().c_str(),
                 report::printable(error.what()).c_str());
    if (!error.mend().empty())
      std::fprintf(stderr, "  Mend: %s\n", report::printable(error.mend()).c_str());
    return kExitOurError;
  } catch (const std::invalid_argument&
               error) {  // by convention of the rooms below: what the command line said
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(),
                 report::printable(error.what()).c_str());
    return kExitUsage;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr,
                 "%s: out of memory\n  Mend: smaller buffers, or a machine with more memory\n",
                 app.get_name().c_str());
    return kExitOurError;
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "%s: a fault of the kit: %s\n  Mend: report it with the command that shows it\n",
                 app.get_name().c_str(), report::printable(error.what()).c_str());
    return kExitOurError;
  }
}

}  // namespace labkit::cli
