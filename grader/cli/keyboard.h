// Single keys of a terminal, unechoed, while a Keyboard lives. The terminal gets its own mode back however the program ends or
// stops: at the end of the object's life (so also when an exception leaves), on SIGINT, SIGTERM and SIGHUP, which set
// stop_flag(), on Ctrl-Z until the program is in the foreground again, and on the signals of a crash.
#pragma once
#include <chrono>

#include "cli/stop.h"

namespace labkit::cli {

class Keyboard {
 public:
  /// Without a terminal as stdin there are no keys. One at a time.
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  bool has_keys() const { return has_keys_; }
  /// The next key; 0 if none comes in this time.
  char wait(std::chrono::milliseconds time);
  /// Since it was last asked, something else may have written to the terminal (Ctrl-Z, then fg).
  bool came_back();

 private:
  bool has_keys_;
  bool came_back_ = false;
  SignalAction interrupt_, terminate_, hang_up_, suspend_, continue_, quit_, abort_, fault_, bus_;
};

}  // namespace labkit::cli
