#include "observations.h"

#include <fstream>
#include <map>
#include <stdexcept>
#include <type_traits>

namespace labkit::timing {
namespace {

/// Writes and reads the same fields in the same order.
class Archive {
 public:
  Archive(std::fstream& stream, bool writes) : stream_(stream), writes_(writes) {}

  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) { raw(&value, sizeof value); }
  void operator()(std::string& text) { sequence(text); }
  template <typename T>
  void operator()(std::vector<T>& values) {
    sequence(values);
  }
  void operator()(std::vector<bool>& values) {
    std::vector<char> plain(values.begin(), values.end());
    sequence(plain);
    values.assign(plain.begin(), plain.end());
  }
  void operator()(observe::InstructionInfo& info) {
    (*this)(info.spelling);
    (*this)(info.access);
    (*this)(info.serial_loads);
    (*this)(info.serial_shared_loads);
    (*this)(info.turns_in_flight);
    (*this)(info.links);
    (*this)(info.cost);
    (*this)(info.issued_with);
    (*this)(info.loop_first);
    (*this)(info.loop_last);
  }
  void operator()(BlockTrace& trace) {
    (*this)(trace.block);
    (*this)(trace.warps);
    (*this)(trace.events_seen);
    (*this)(trace.events_kept);
    (*this)(trace.requests_seen);
    (*this)(trace.path);
    (*this)(trace.executions);
    (*this)(trace.sectors);
    (*this)(trace.seen);
    (*this)(trace.kept);
    (*this)(trace.events);
    (*this)(trace.touches);
  }
  void operator()(Locality& l) {
    for (const auto field : {&Locality::close_blocks,          &Locality::load_requests,
                             &Locality::load_wavefronts,       &Locality::load_sectors,
                             &Locality::load_block_sectors,    &Locality::load_packets,
                             &Locality::load_reuse_lines,      &Locality::load_atoms,
                             &Locality::store_requests,        &Locality::store_wavefronts,
                             &Locality::store_lines,           &Locality::store_blocks,
                             &Locality::store_block_lines,     &Locality::store_sectors,
                             &Locality::store_partial_sectors, &Locality::store_chunks,
                             &Locality::store_block_requests,  &Locality::window_atoms,
                             &Locality::window_chunks,         &Locality::window_regions,
                             &Locality::most_chunk_atomics,    &Locality::most_word_floats,
                             &Locality::most_block_requests,   &Locality::most_block_bytes})
      (*this)(l.*field);
    (*this)(l.loads_what_it_stores);
    (*this)(l.window_again);
    (*this)(l.torn);
    (*this)(l.traces);
  }
  void operator()(Simulated& s) {
    (*this)(s.counters.info);
    (*this)(s.counters.instructions);
    (*this)(s.counters.barriers_executed);
    (*this)(s.counters.thread_instructions);
    (*this)(s.counters.warp_instructions);
    (*this)(s.locality);
    (*this)(s.bare);
    (*this)(s.counted_registers);
    (*this)(s.estimated_registers);
  }

 private:
  template <typename Sequence>
  void sequence(Sequence& values) {
    std::uint64_t size = values.size();
    raw(&size, sizeof size);
    if (!writes_) values.resize(size);
    if constexpr (std::is_trivially_copyable_v<typename Sequence::value_type>) {
      raw(values.data(), size * sizeof values[0]);
    } else {
      for (auto& each : values) (*this)(each);
    }
  }
  void raw(void* data, std::size_t bytes) {
    if (writes_)
      stream_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    else
      stream_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
    if (!stream_) throw std::runtime_error("the observations' file is short");
  }
  std::fstream& stream_;
  bool writes_;
};

std::string key_of(const MeasuredKernel& k) { return k.family + "/" + k.kernel; }

}  // namespace

std::vector<Simulated> simulate_or_read(const std::vector<MeasuredKernel>& kernels,
                                        const std::string& file, std::uint64_t seed) {
  if (file.empty()) return simulate_all(kernels, 0, seed);
  std::map<std::string, Simulated> known;
  if (std::ifstream(file).good()) {
    std::fstream stream(file, std::ios::in | std::ios::binary);
    Archive archive(stream, false);
    for (std::uint64_t n = 0; stream.peek() != EOF; ++n) {
      std::string key;
      archive(key);
      archive(known[key]);
    }
  }
  std::vector<MeasuredKernel> missing;
  for (const MeasuredKernel& k : kernels)
    if (!k.entry.empty() && !known.contains(key_of(k))) missing.push_back(k);
  std::fstream stream(file, std::ios::out | std::ios::app | std::ios::binary);
  Archive archive(stream, true);
  simulate_each(
      missing,
      [&](Simulated s) {
        std::string key = key_of(s.of);
        archive(key);
        archive(s);
        known[key] = std::move(s);
      },
      0, seed);
  std::vector<Simulated> all;
  for (const MeasuredKernel& k : kernels)
    if (!k.entry.empty()) {
      all.push_back(known.at(key_of(k)));
      all.back().of = k;
    }
  return all;
}

}  // namespace labkit::timing
