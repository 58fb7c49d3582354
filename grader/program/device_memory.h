// Device memory that lives as long as the program: one file in memory, of which the program maps the same pieces.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "program/protocol.h"
#include "simt/machine.h"

namespace labkit::program {

class DeviceMemory {
 public:
  /// `capacity_bytes`: more cannot be allocated at a time. `follow_undefined`: remembers which bytes nobody has written. Throws
  /// labkit::Error if there can be no such file.
  DeviceMemory(std::uint64_t capacity_bytes, bool follow_undefined);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory();

  int file() const { return file_.get(); }
  std::uint64_t capacity_bytes() const { return capacity_; }
  std::uint64_t used_bytes() const { return used_; }

  /// nullopt: there is no room. Callers are as in IncidentRequest.
  std::optional<AllocateReply> allocate(std::uint64_t bytes, Kind kind, std::uint64_t caller = 0);
  /// For the next cooperative launch (simt::DecodeOptions::grid_workspace).
  std::uint64_t grid_workspace();
  /// Of malloc() in kernels (simt::Memory::Placed::is_heap): its size, unless it is there already; and now it is there.
  bool set_heap_bytes(std::uint64_t bytes);
  void make_heap();
  static constexpr std::uint64_t kMostOfOne = 1ull << 33;  ///< simt::Memory: half of a place
  /// Addresses stay below 2^47, so that the host can map managed memory at them. Before that freed ones are used again.
  static constexpr std::size_t kMostPieces = 8000;
  /// Of the next allocation; nullopt: there are as many as can be.
  std::optional<std::size_t> free_number() const;
  /// False: no allocation begins there. `launches`: how many there were before.
  bool release(std::uint64_t address, std::uint64_t launches = 0, std::uint64_t caller = 0);
  /// How many bytes the allocation or variable has that holds the address; 0: there is none.
  std::uint64_t bytes_at(std::uint64_t address) const;
  /// What the program did with an allocation of its own.
  struct Allocation {
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t allocated_by = 0, freed_by = 0;  ///< the callers
    std::uint64_t freed_after = 0;                 ///< so many launches
    bool is_live = false;
    /// The last copy from the host, or memset, and how far it reached.
    std::uint64_t written_by = 0, written_end = 0;
    int fill = -1;            ///< of a memset: each byte, until something else is written; -1: none
    std::string kernel = {};  ///< that changed it last
    std::uint64_t launched_by = 0;
  };
  /// The one that holds the address, or did before it was freed.
  std::optional<Allocation> allocation_at(std::uint64_t address) const;
  /// The bytes of [address, address + bytes) have values from now on: `fill`, or -1.
  void mark_written(std::uint64_t address, std::uint64_t bytes, std::uint64_t caller = 0,
                    int fill = -1);
  /// Of [address, address + bytes): which nobody has written.
  struct Unwritten {
    std::uint64_t bytes = 0, first = 0;  ///< how many, and the address of the first
    std::uint64_t longest = 0;           ///< bytes in a row
  };
  Unwritten unwritten(std::uint64_t address, std::uint64_t bytes) const;
  /// From there on lie structures, of which these bytes belong to no member: nobody writes them.
  void mark_padding(std::uint64_t address, const std::vector<bool>& padding);
  /// After a copy from one allocation into another: what was not written of one is not of the other.
  void copy_written(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
  /// After a launch at which nobody looked.
  void mark_all_written();
  /// After a launch that computed with what nobody had written: what it stored of that is no matter of its own.
  void mark_stored_written();

  /// A texture or surface object that kernels may use from now on: its handle.
  std::uint64_t add_image(const simt::Image& image);
  /// False: there is none.
  bool remove_image(std::uint64_t handle);

  /// The module's variables, with their first values, once. They must be asked for before a launch of a kernel of the module.
  struct Variable {
    std::string name;  ///< as in the PTX
    AllocateReply place;
  };
  const std::vector<Variable>& variables_of(const ptx::Module& module);

  /// What a launch is run in: the file itself, or a copy of it which costs nothing until it is written to.
  class View;
  class Changed;
  std::unique_ptr<View> view(const ptx::Module& module, bool is_copy);
  /// The kernel has changed the allocation.
  void set_writer(std::uint64_t address, const std::string& kernel, std::uint64_t caller);
  struct Committed {
    bool has_changes = false;  ///< of bytes, or of what is known to be written
    std::vector<Stretch> changed =
        {};  ///< of each allocation, from its first changed byte to its last
  };
  /// Takes over what was changed in `memory`, which is that of one of the copies.
  Committed commit(std::span<const std::unique_ptr<View>> copies, simt::Memory& memory);
  /// Of allocations that begin there, the name that findings give them until the next launch.
  void set_name(std::uint64_t address, std::string name);
  void forget_names();
  /// Of what memory holds that the host may write without a word, and so may have changed.
  std::uint64_t checksum_of_shared() const;

  std::vector<Allocation> live() const;  ///< allocations that are not freed, in their order

 private:
  struct Piece {
    std::string name = {};
    std::uint64_t offset = 0, bytes = 0, file_bytes = 0;
    Kind kind = Kind::device;
    Allocation history = {};  ///< of one of the program's
    bool is_live = false, is_variable = false, is_constant = false, is_heap = false;
    bool has_padding = false;     ///< mark_padding() was here
    std::uint64_t undefined = 0;  ///< so many of its bytes, by their flags; 0: they have none
  };
  Piece* piece_at(std::uint64_t address);            ///< the live one that holds it
  const Piece* holder(std::uint64_t address) const;  ///< live or freed
  std::uint64_t address_of(const Piece& piece) const {
    return simt::Memory::address_of(static_cast<std::size_t>(&piece - pieces_.data()));
  }
  Allocation history_of(const Piece& piece) const;
  void free_in_file(std::uint64_t offset, std::uint64_t bytes);
  /// Its number; nullopt: there is no room.
  std::optional<std::size_t> add(Piece piece);
  std::span<std::byte> bytes_of(const Piece& piece) const {
    return {shared_ + piece.offset, piece.bytes};
  }
  std::span<std::byte> flags_of(const Piece& piece) const {
    return {flags_ + piece.offset, piece.bytes};
  }
  void forget_flags(Piece& piece);

  std::uint64_t capacity_ = 0, used_ = 0, file_end_ = 0;
  Descriptor file_;
  std::byte* shared_ = nullptr;
  /// Of each byte of the other file simt::Memory::defined(), for pieces of which something is undefined.
  Descriptor flags_file_;
  std::byte* flags_ = nullptr;  ///< null: what nobody has written is not followed
  std::optional<std::size_t> workspace_, heap_;
  std::uint64_t heap_bytes_ = 8 << 20;  ///< CUDA C++ programming guide, heap memory allocation
  std::vector<Piece> pieces_;           ///< number n lies at simt::Memory::address_of(n)
  std::map<std::uint64_t, std::uint64_t> holes_;  ///< of the file below file_end_: offset, bytes
  std::shared_ptr<const simt::Memory::Images> images_ =
      std::make_shared<simt::Memory::Images>();  ///< launches keep those that they began with
  std::uint64_t last_image_ = 0;
  std::map<const ptx::Module*, std::vector<Variable>> variables_;
  std::map<const ptx::Module*, std::vector<std::uint64_t>> variable_addresses_;
};

class DeviceMemory::View {
 public:
  ~View();
  simt::Memory& memory() { return memory_; }
  bool holds(const std::byte* at) const { return at >= copy_ && at < copy_ + bytes_; }

 private:
  friend class DeviceMemory;
  simt::Memory memory_;
  std::byte *copy_ = nullptr, *flags_ = nullptr;  ///< null: the file itself
  std::uint64_t bytes_ = 0;
};

}  // namespace labkit::program
