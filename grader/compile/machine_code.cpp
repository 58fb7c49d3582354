#include "compile/machine_code.h"

#include <elf.h>

#include <cstring>
#include <optional>

namespace labkit::compile {
namespace {

// A cubin is an ELF file. Its section .nv.info is a list of attributes: a byte for the format, one for the attribute, two
// for a value or for the size of what follows. Not documented by NVIDIA beyond their names in `cuobjdump -elf`; numbers as
// the cubins of ptxas 13.0 have them, and held against `ptxas -v` in tests.
constexpr std::uint8_t kSized = 4;          // EIFMT_SVAL
constexpr std::uint8_t kFrameSize = 0x11;   // EIATTR_FRAME_SIZE: symbol, bytes
constexpr std::uint8_t kRegisters = 0x2f;   // EIATTR_REGCOUNT: symbol, registers
constexpr std::uint32_t kNoMore = 0x10000;  // registers; more is no count

template <typename T>
std::optional<T> read(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string_view part(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
  if (at > bytes.size() || bytes.size() - at < size) return {};
  return bytes.substr(at, size);
}

std::string text_at(std::string_view strings, std::uint64_t at) {
  if (at >= strings.size()) return {};
  return std::string(strings.substr(at, strings.find('\0', at) - at));
}

class Cubin {
 public:
  explicit Cubin(std::string_view bytes) : bytes_(bytes) {
    const auto header = read<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_CUDA)
      return;
    header_ = *header;
    names_ = contents(section(header_.e_shstrndx));
    for (std::uint32_t i = 0; i < header_.e_shnum; ++i) {
      const auto here = section(i);
      if (!here) continue;
      const std::string name = text_at(names_, here->sh_name);
      if (name == ".nv.info") info_ = contents(here);
      if (here->sh_type != SHT_SYMTAB) continue;
      symbols_ = contents(here);
      symbol_names_ = contents(section(here->sh_link));
    }
  }
  std::string_view info() const { return info_; }
  std::string symbol(std::uint32_t index) const {
    const auto found = read<Elf64_Sym>(symbols_, std::uint64_t{index} * sizeof(Elf64_Sym));
    return found ? text_at(symbol_names_, found->st_name) : std::string{};
  }

 private:
  std::optional<Elf64_Shdr> section(std::uint32_t index) const {
    return read<Elf64_Shdr>(bytes_, header_.e_shoff + std::uint64_t{index} * sizeof(Elf64_Shdr));
  }
  std::string_view contents(const std::optional<Elf64_Shdr>& section) const {
    return section ? part(bytes_, section->sh_offset, section->sh_size) : std::string_view{};
  }

  std::string_view bytes_, names_, info_, symbols_, symbol_names_;
  Elf64_Ehdr header_{};
};

}  // namespace

std::map<std::string, Assembled::Kernel> kernels_of_cubin(std::string_view bytes) {
  const Cubin cubin(bytes);
  std::map<std::string, Assembled::Kernel> kernels;
  std::map<std::string, std::uint32_t> frames;
  const std::string_view info = cubin.info();
  for (std::uint64_t at = 0; at + 4 <= info.size();) {
    const auto format = *read<std::uint8_t>(info, at);
    const auto attribute = *read<std::uint8_t>(info, at + 1);
    const std::uint64_t size = format == kSized ? *read<std::uint16_t>(info, at + 2) : 0;
    const std::string_view value = part(info, at + 4, size);
    at += 4 + size;
    const auto symbol = read<std::uint32_t>(value, 0), count = read<std::uint32_t>(value, 4);
    if (!symbol || !count) continue;
    if (attribute == kRegisters && *count > 0 && *count < kNoMore)
      kernels[cubin.symbol(*symbol)].registers = *count;
    if (attribute == kFrameSize) frames[cubin.symbol(*symbol)] = *count;
  }
  for (auto& [name, kernel] : kernels)
    if (const auto frame = frames.find(name); frame != frames.end())
      kernel.stack_bytes = frame->second;
  kernels.erase("");
  return kernels;
}

}  // namespace labkit::compile
