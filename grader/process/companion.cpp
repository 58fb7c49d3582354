#include "process/companion.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

#include "process/spawn.h"

namespace labkit::process {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostErr = 1u << 16;
/// A child that has ended may have left a process that holds its stdout: look now and then.
constexpr double kLookMs = 50;

Clock::time_point deadline_after(double wall_seconds) {
  if (wall_seconds <= 0) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(wall_seconds));
}

/// For poll(): until the deadline, or the next look.
int wait_ms(Clock::time_point deadline) {
  if (deadline == Clock::time_point::max()) return static_cast<int>(kLookMs);
  const double left = 1e3 * std::chrono::duration<double>(deadline - Clock::now()).count();
  return static_cast<int>(std::ceil(std::clamp(left, 0.0, kLookMs)));
}

}  // namespace

Companion::Companion(const Command& command) : limits_(command.limits), begin_(Clock::now()) {
  // A socket and no pipe: writing to one whose reader is gone raises no signal if told so.
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fail("cannot make a socket", errno);
  in_ = Descriptor(ends[0]);
  started_ = std::make_unique<Started>(start(command, Descriptor(ends[1])));
  ::fcntl(in_.get(), F_SETFL, O_NONBLOCK);
}

Companion::~Companion() = default;

bool Companion::ask(std::string_view question, std::string& answer,
                    const std::function<bool(std::string_view)>& is_whole, double wall_seconds) {
  answer.clear();
  if (has_ended()) return false;
  const Clock::time_point deadline = deadline_after(wall_seconds);
  return say(question, deadline) && hear(answer, is_whole, deadline);
}

bool Companion::say(std::string_view question, Clock::time_point deadline) {
  while (!question.empty()) {
    const ssize_t put = ::send(in_.get(), question.data(), question.size(), MSG_NOSIGNAL);
    if (put >= 0) {
      question.remove_prefix(static_cast<std::size_t>(put));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return true;  // it has ended, or is about to: what it says is heard
    if (Clock::now() >= deadline) {
      collect(End::timed_out);
      return false;
    }
    struct pollfd watched = {in_.get(), POLLOUT, 0};
    ::poll(&watched, 1, wait_ms(deadline));
  }
  return true;
}

bool Companion::hear(std::string& answer, const std::function<bool(std::string_view)>& is_whole,
                     Clock::time_point deadline) {
  bool ended = false;
  while (true) {
    std::array<struct pollfd, 2> watched = {
        {{started_->out.get(), POLLIN, 0}, {started_->err.get(), POLLIN, 0}}};
    const int ready = ::poll(watched.data(), watched.size(), ended ? 0 : wait_ms(deadline));
    if (ready < 0 && errno != EINTR) fail("cannot wait for a child", errno);
    if (ready > 0 && watched[1].revents != 0) keep_err();
    if (ready > 0 && watched[0].revents != 0) {
      const std::size_t before = answer.size();
      read_some(started_->out, answer);
      if (answer.size() > before && is_whole(answer)) return true;
      if (started_->out.get() >= 0) continue;  // else it is about to end
    }
    if (ended && ready <= 0) break;
    if (!ended && Clock::now() >= deadline) {
      collect(End::timed_out);
      return false;
    }
    ended = ended || started_->child.has_ended();
  }
  collect(End::exited);
  return false;
}

void Companion::keep_err() {
  read_some(started_->err, result_.err);
  if (result_.err.size() > kMostErr) result_.err.erase(0, result_.err.size() - kMostErr);
}

void Companion::finish(double wall_seconds) {
  if (has_ended()) return;
  in_.close();
  std::string ignored;
  hear(
      ignored, [](std::string_view) { return false; }, deadline_after(wall_seconds));
}

void Companion::collect(End end) {
  result_.end = end;
  started_->child.kill_group();
  const int status = started_->child.collect();
  result_.wall_seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  fill_in(result_, status, started_->child.usage(), limits_);
  started_.reset();
}

}  // namespace labkit::process
