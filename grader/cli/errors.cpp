#include "cli/errors.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "base/error_json.h"
#include "base/usage_error.h"
#include "report/style.h"

namespace labkit::cli {
namespace {

struct Ended {
  Error error;
  int exit_code = kExitOurError;
};

/// Of the exception that is being handled.
Ended describe_exception() {
  try {
    throw;
  } catch (const UsageError& error) {
    return {error, kExitUsage};
  } catch (const Error& error) {
    return {error};
  } catch (const std::invalid_argument& error) {
    // by convention of the layers below: what the command line said
    return {Error(error.what(), {}, error_id::kUsage), kExitUsage};
  } catch (const std::bad_alloc&) {
    return {Error("out of memory", "use smaller buffers, or a machine with more memory",
                  error_id::kOutOfMemory)};
  } catch (const std::exception& error) {
    return {Error(std::string("the kit failed: ") + error.what(),
                  "report this with the command that shows it: it is a fault of the kit",
                  error_id::kBug)};
  }
}

/// What cannot be written is missed by the parent, which then says how this program ended.
void write_error(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t put = ::write(fd, text.data() + at, text.size() - at);
    if (put <= 0) return;
    at += static_cast<std::size_t>(put);
  }
}

}  // namespace

int guarded(CLI::App& app, int argc, char** argv, const std::function<int()>& body,
            const int* error_fd) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? kExitOk : kExitUsage;
  }
  try {
    const int code = body();
    // What nobody could read was not said: a full disk must not look like a pass.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("stdout cannot be written", "free some disk space, or send it elsewhere",
                  error_id::kCannotWrite);
    return code;
  } catch (...) {
    const Ended ended = describe_exception();
    std::fprintf(stderr, "Error: %s\n", report::printable(ended.error.what()).c_str());
    if (!ended.error.remedy().empty())
      std::fprintf(stderr, "Fix: %s\n", report::printable(ended.error.remedy()).c_str());
    if (error_fd != nullptr && *error_fd >= 0) write_error(*error_fd, error_json(ended.error));
    return ended.exit_code;
  }
}

}  // namespace labkit::cli
