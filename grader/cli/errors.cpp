#include "cli/errors.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <new>
#include <stdexcept>

#include "base/error.h"

namespace labkit::cli {

int guarded(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? kExitOk : kExitUsage;
  }
  try {
    return body();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: the kit could not do that: %s\n", app.get_name().c_str(),
                 error.what());
    if (!error.mend().empty()) std::fprintf(stderr, "  Mend: %s\n", error.mend().c_str());
    return kExitOurError;
  } catch (const std::invalid_argument&
               error) {  // by convention of the rooms below: what the command line said
    std::fprintf(stderr, "%s: %s\n", app.get_name().c_str(), error.what());
    return kExitUsage;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr,
                 "%s: out of memory\n  Mend: smaller buffers, or a machine with more memory\n",
                 app.get_name().c_str());
    return kExitOurError;
  } catch (const std::exception& error) {
    std::fprintf(stderr,
                 "%s: a fault of the kit: %s\n  Mend: report it with the command that shows it\n",
                 app.get_name().c_str(), error.what());
    return kExitOurError;
  }
}

}  // namespace labkit::cli
