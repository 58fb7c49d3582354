#include "cli/keyboard.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <thread>
#include <utility>

namespace labkit::cli {
namespace {

// What the handlers below need, which are given nothing but a signal.
termios g_before, g_keys;
volatile std::sig_atomic_t g_has_keys = 0;  ///< the two above are set
volatile std::sig_atomic_t g_is_set = 0;    ///< the terminal is in the mode of g_keys

bool is_in_foreground() { return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

/// tcgetpgrp, getpgrp and tcsetattr may be called by handlers of signals (POSIX 2017, 2.4.3). In the background, where
/// the terminal is the shell's, nothing is set.
void set_mode(bool keys) {
  if (!g_has_keys || !is_in_foreground()) return;
  ::tcsetattr(STDIN_FILENO, TCSANOW, keys ? &g_keys : &g_before);
  g_is_set = keys;
}

void stop_cleanly(int /*signal*/) {
  set_mode(false);
  stop_flag() = true;
}
void suspend(int /*signal*/) {
  set_mode(false);
  g_is_set = 0;
  ::raise(SIGSTOP);
}
/// Whoever stopped us, Ctrl-Z or not: the mode is set anew once we have the terminal (Keyboard::wait()).
void note_continue(int /*signal*/) { g_is_set = 0; }
/// With SA_RESETHAND: what the signal does without us.
void die(int signal) {
  set_mode(false);
  ::raise(signal);
}

constexpr int kOnce = static_cast<int>(SA_RESTART | SA_RESETHAND);
constexpr int kFatal = static_cast<int>(SA_RESETHAND | SA_NODEFER);

}  // namespace

Keyboard::Keyboard()
    : has_keys_(::tcgetattr(STDIN_FILENO, &g_before) == 0),
      interrupt_(SIGINT, stop_cleanly, kOnce),
      terminate_(SIGTERM, stop_cleanly, kOnce),
      hang_up_(SIGHUP, stop_cleanly, kOnce),
      suspend_(SIGTSTP, suspend, SA_RESTART),
      continue_(SIGCONT, note_continue, SA_RESTART),
      quit_(SIGQUIT, die, kFatal),
      abort_(SIGABRT, die, kFatal),
      fault_(SIGSEGV, die, kFatal),
      bus_(SIGBUS, die, kFatal) {
  if (!has_keys_) return;
  g_keys = g_before;
  g_keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  g_keys.c_cc[VMIN] = 1;
  g_keys.c_cc[VTIME] = 0;
  g_has_keys = 1;
  set_mode(true);
}

Keyboard::~Keyboard() {
  set_mode(false);
  g_has_keys = 0;
}

char Keyboard::wait(std::chrono::milliseconds time) {
  if (!has_keys_ || !is_in_foreground()) {
    std::this_thread::sleep_for(time);
    return 0;
  }
  if (!g_is_set && !stop_asked()) {
    set_mode(true);
    came_back_ = true;
  }
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, static_cast<int>(time.count())) <= 0) return 0;
  char key = 0;
  if (::read(STDIN_FILENO, &key, 1) == 1) return key;
  has_keys_ = false;  // the terminal is gone
  return 0;
}

bool Keyboard::came_back() { return std::exchange(came_back_, false); }

}  // namespace labkit::cli
