// The memory of the SM that is replayed (replay.cpp): the pipe, L1, the ways to L2 and back, DRAM.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "timing/replay_sm.h"
#include "timing/traffic.h"

namespace labkit::timing {

void Sm::come_back(const Due& back) {
  if (!serving_ && l1_server_.free <= now_) return pass_data(back);
  arrived_.push_back(back);
  if (!serving_) serve_at(l1_server_.free);
}

void Sm::pass_data(const Due& back) {
  const auto [w, passes, path, copy] = back.item;
  Warp& warp = warps_[w];
  const double over =
      l1_server_.take(back.time, passes * rates_.wavefront, Cause::l1, paths_[path]);
  paths_.give_back(path);
  if (copy != 0) {
    warp.copies[copy - 1].there = over;
    warp.copy_path = l1_server_.path;
    if (warp.waits_for_copy && copy - 1 == warp.awaited) {
      warp.waits_for_copy = false;
      stall(Stall::long_scoreboard, over - warp.stopped);
      due(over, w);
    }
    return;
  }
  hold(warp, over, l1_server_.path);
  if (--warp.under_way == 0 && warp.parked) {
    warp.parked = false;
    warp.path = warp.outstanding_path;
    stall(Stall::long_scoreboard, warp.outstanding - warp.stopped);
    due(warp.outstanding, w);
  }
}

double Sm::tail(std::uint64_t line) {
  std::uint32_t& place = tail_places_[line >> kRowLines];
  if (!place) {
    // The golden ratio's multiples spread evenly over (0, 1).
    draw_ += 0.6180339887498949;
    draw_ -= std::floor(draw_);
    tails_.push_back(-std::log(1 - draw_ * 0.999));
    place = static_cast<std::uint32_t>(tails_.size());
  }
  return tails_[place - 1];
}

void Sm::want_pipe(std::uint32_t w) {
  warps_[w].arrived = now_;
  warps_[w].behind = static_cast<std::uint32_t>(waiting_.size());
  if (!serving_ && l1_server_.free <= now_) return use_pipe(w);
  waiting_.push(w);
  if (!serving_) serve_at(l1_server_.free);
}

void Sm::serve_at(double when) {
  serving_ = true;
  queue_.push(when, {0, kServe});
}

void Sm::serve_next() {
  if (l1_server_.free > now_) return serve_at(l1_server_.free);
  serving_ = false;
  data_next_ = !arrived_.empty() && (data_next_ || waiting_.empty());
  if (data_next_) {
    const Due back = arrived_.front();
    arrived_.pop_front();
    pass_data(back);
  } else {
    const std::uint32_t w = waiting_.top();
    waiting_.pop();
    use_pipe(w);
  }
  data_next_ = !data_next_;
  if (!waiting_.empty() || !arrived_.empty()) serve_at(l1_server_.free);
}

void Sm::use_pipe(std::uint32_t w) {
  Warp& warp = warps_[w];
  const Step& step = (*warp.steps)[warp.at];
  if (warp.phase < 3) {
    mio_cycles_ += warp.wavefronts;
    const double over =
        l1_server_.take(warp.arrived, warp.wavefronts, Cause::shared, warp.before) + warp.dependent;
    double ready = warp.ready;
    if (over >= ready) {
      queue_for_pipe(warp, Stall::short_scoreboard, over - ready, warp.behind);
      ready = over;
      warp.path = l1_server_.path;
      warp.path.add(Cause::instructions, warp.dependent);
    }
    return due(ready, w);
  }
  if (step.action == Step::Action::load || step.action == Step::Action::copy)
    load(w, step);
  else
    store(w, step);
}

void Sm::load(std::uint32_t w, const Step& step) {
  Warp& warp = warps_[w];
  const Block& block = blocks_[warp.block];
  const int tag_passes = (step.lines + 3) / 4;
  const double tags = tag_passes * rates_.wavefront;
  const double looked_up = tags_server_.take(now_, tags, Cause::l1, pipe_path(warp));
  const Path looked_up_path = tags_server_.path;
  Path path = looked_up_path;  // to `ready`
  double ready = 0, slowest = 0;
  int packets = 0, atoms = 0;
  double slots = 0;
  const std::uint64_t of_block = std::uint64_t{warp.block + 1} * 0x9E3779B97F4A7C15u;
  for (std::uint32_t i = 0; i < step.lines; ++i) {
    const LineTouch touch = (*block.script->touches)[step.first_touch + i];
    std::uint64_t line = touch >> 7;
    if (block.era && !is_shared(block, step.first_touch + i)) line ^= block.era << 48;
    L1::Way& way = l1_.find(line);
    const std::uint32_t want = touch & 15, missing = want & ~way.sectors;
    loads_ += std::popcount(want);
    if (want & way.sectors) ready = std::max(ready, way.ready);
    if (!missing) continue;
    misses_ += std::popcount(missing);
    way.sectors |= missing;
    ++packets;
    slots += l2_slots(1, std::popcount(missing));
    int from_dram = 0;
    bool others_wait = false;
    for (int atom = 0; atom < 2; ++atom) {
      if (!(missing >> (2 * atom) & 3)) continue;
      const bool first =
          !std::exchange(loaded_[(line << 1 | static_cast<unsigned>(atom)) ^ of_block], 1u);
      dram_due_ += first ? plan_.load_dram_part : plan_.reload_dram_part;
      if (dram_due_ >= 1) {
        dram_due_ -= 1;
        ++from_dram;
      } else if (first) {
        under_way_due_ += plan_.under_way_part;
        if (under_way_due_ >= 1) {
          under_way_due_ -= 1;
          others_wait = true;
        }
      }
    }
    atoms += from_dram;
    double wait = rates_.l2_latency;
    if (from_dram || others_wait) {
      const double whole = rates_.dram_latency + rates_.straggler * (tail(line) - 1);
      wait = std::max(wait, from_dram ? whole : whole - plan_.under_way);
    }
    slowest = std::max(slowest, wait);
    filling_.push_back({&way, line, wait});
  }
  // A hit waits for what another warp has under way.
  path.add(Cause::latency, std::max(0.0, ready - looked_up));
  if (packets) {
    const double request = packets * rates_.store_slot;
    const double asked =
        requests_server_.take(looked_up, request, Cause::l2, looked_up_path) - request;
    const double l2 = l2_server_.take(asked, slots * rates_.l2_slot, Cause::l2,
                                      asked > looked_up ? requests_server_.path : looked_up_path);
    double sent = l2;  // and a latency later they are there
    if (l2 + slowest > ready) {
      ready = l2 + slowest;
      path = l2_server_.path;
      path.add(Cause::latency, slowest);
    }
    if (atoms) {
      const double load = dram_load(looked_up, atoms * 64 * rates_.dram_byte);
      const double crowd = rates_.dram_queue * load * load;
      drain(looked_up, looked_up_path);
      const double read =
          dram_server_.take(looked_up, atoms * 64 * rates_.dram_byte, Cause::dram, looked_up_path);
      sent = std::max(l2, read + crowd);
      if (read + slowest + crowd > ready) {
        ready = read + slowest + crowd;
        path = dram_server_.path;
        path.add(Cause::dram, crowd);
        path.add(Cause::latency, slowest);
      }
    }
    for (const Filling& each : filling_)
      if (each.way->line == each.line)
        each.way->ready = std::max(each.way->ready, sent + each.wait);
    filling_.clear();
  }
  // If it misses it goes through the pipe once to find out, or half a pass for what another warp has under way
  // (tests/h200/timing_warps.csv: rounds, under_way), and again with its data. Else its data pass at once, and the next load's
  // after them.
  const bool misses = ready > looked_up, copies = step.action == Step::Action::copy;
  const double accepted =
      l1_server_.take(now_, (misses ? packets ? 1 : kUnderWayPass : step.passes) * rates_.wavefront,
                      Cause::l1, pipe_path(warp));
  const double alone = warp.alone + std::max(slowest, rates_.l1_latency) + step.passes;
  if (copies)
    warp.copies.push_back({.alone = alone});
  else
    warp.alone_outstanding = std::max(warp.alone_outstanding, alone);
  if (misses) {
    if (!copies) ++warp.under_way;
    const auto copy = static_cast<std::uint32_t>(copies ? warp.copies.size() : 0);
    queue_.push(ready, {w, step.passes, paths_.put(path), copy});
  } else {
    path = l1_server_.path;
    path.add(Cause::latency, rates_.l1_latency);
    if (copies) {
      warp.copies.back().there = accepted + rates_.l1_latency;
      warp.copy_path = path;
    } else {
      hold(warp, accepted + rates_.l1_latency, path);
    }
  }
  if (accepted - kLsuQueue > now_) warp.path = l1_server_.path.up_to(accepted - kLsuQueue);
  lg_cycles_ += step.passes * rates_.wavefront;
  queue_for_pipe(warp, Stall::long_scoreboard, now_ - warp.arrived, warp.behind);
  queue_for_pipe(warp, Stall::long_scoreboard, accepted - kLsuQueue - now_,
                 (accepted - now_) / (step.passes * rates_.wavefront));
  next(w, std::max(now_, accepted - kLsuQueue));
}

double Sm::dram_load(double when, double service) {
  if (when > load_since_) {
    recent_ *= std::exp((load_since_ - when) / kLoadWindow);
    load_since_ = when;
  }
  recent_ += service;
  return std::min(1.0, recent_ / kLoadWindow);
}

void Sm::drain(double when, const Path& from) {
  if (when > dram_server_.free) {
    const double idle = when - dram_server_.free, spent = std::min(idle, to_write_);
    to_write_ -= spent;
    dram_server_.free += spent;
    dram_server_.path.add(Cause::dram, spent);
  }
  if (to_write_ > kWriteQueue) {
    dram_server_.take(when, to_write_ - kWriteQueue, Cause::dram, from);
    to_write_ = kWriteQueue;
  }
}

void Sm::store(std::uint32_t w, const Step& step) {
  const Block& block = blocks_[warps_[w].block];
  int sectors = 0;
  for (std::uint32_t i = 0; i < step.lines; ++i)
    sectors += std::popcount((*block.script->touches)[step.first_touch + i] & 15);
  Warp& warp = warps_[w];
  const double passed =
      l1_server_.take(warp.arrived, step.passes * rates_.wavefront, Cause::l1, warp.path);
  requests_server_.take(passed, (step.lines + sectors) * step.packet * rates_.store_slot,
                        Cause::stores, l1_server_.path);
  dram_load(passed, sectors * plan_.store_dram_bytes * rates_.dram_byte);
  to_write_ += sectors * plan_.store_dram_bytes * rates_.dram_byte;
  drain(passed, l1_server_.path);
  double go_on = now_;
  for (const auto& [server, ahead] : {std::pair{&l1_server_, kLsuQueue},
                                      {&requests_server_, kStoreQueue},
                                      {&dram_server_, kWriteQueue}}) {
    if (server->free - ahead <= go_on) continue;
    go_on = server->free - ahead;
    warp.path = server->path.up_to(go_on);
  }
  const bool is_last = (*warp.steps)[warp.at + 1].action == Step::Action::end;
  stall(is_last ? Stall::drain : Stall::lg_throttle, go_on - warp.arrived);
  lg_cycles_ += step.passes * rates_.wavefront;
  next(w, go_on);
}

}  // namespace labkit::timing
