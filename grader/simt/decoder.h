// From ptx::Module to Program. Internal to the room; decode() in machine.h is the way in.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "simt/affine.h"
#include "simt/control.h"
#include "simt/instruction_table.h"
#include "simt/program.h"
#include "simt/registers.h"

namespace labkit::simt {

class Decoder {
 public:
  Decoder(const ptx::Module& module, const ptx::Function& entry, const DecodeOptions& options);
  DecodeResult decode();

 private:
  /// Thrown inside the decoder only: why an instruction cannot be run.
  struct Refusal {
    words::Message why;
  };
  /// What decoding of one function needs.
  struct FunctionState {
    const ptx::Function* ptx = nullptr;
    Flow flow;
    RegisterSlots registers;
    std::int32_t first_block = 0;  ///< of the program
    std::uint32_t first_instruction = 0;
    Slot words = 0, doubles = 0, predicates = 0;  ///< where its registers begin
    UsedOnce once;                                ///< settled.cpp
    AffineUse affine;                             ///< of the entry; else empty
    std::vector<Slot> elsewhere;  ///< per register: the slot that has its value; kNoSlot: its own
    std::vector<std::int64_t> variable_offset;  ///< shared window, local frame or parameter memory
    std::vector<ParameterArea> parameters, returns;  ///< parameter memory (not for the entry)
  };

  // layout, once
  void find_functions();
  void find_recursion();
  void lay_out_shared();
  void measure_variables();
  void lay_out_function(FunctionState& f);
  void lay_out_registers();
  void note_merges(const FunctionState& f);
  void note_arrays(const FunctionState& f);
  void note_unset(FunctionState& f);
  void note_callers();
  void decode_function(std::size_t number);
  void decode_instruction(const ptx::Instruction& in);
  void decode_row(const InstructionRow& row, const ptx::Instruction& in, Op& op);
  void finish_program();
  // settled.cpp
  bool is_known(Slot slot) const;
  bool is_settled(Slot slot) const;
  bool settle(const ptx::Instruction& in, Op& op);
  bool join_product(const ptx::Instruction& in, const Op& op);
  // affine.cpp
  void note_affine(const ptx::Instruction& in, Op& op, bool one_op);
  void finish_affine();
  launch::Finding refusal() const;
  void refuse(const ptx::Instruction& in, words::Message why);
  launch::Finding& refuse_function(const ptx::Function& function, words::Message why);
  void refuse_bytes(const ptx::Function& function, words::Id which, std::uint64_t bytes,
                    std::uint64_t most);

  // operands
  [[noreturn]] static void fail(words::Id why) { throw Refusal{{why}}; }
  /// About an operand, a variable or a function.
  [[noreturn]] static void fail(words::Id why, std::string_view name) {
    throw Refusal{{why, {{"name", std::string(name)}}}};
  }
  const ptx::Operand& operand(const ptx::Instruction& in, std::size_t n) const;
  ptx::Type register_type(const ptx::Operand& operand) const;
  Slot register_slot(std::int32_t id) const;
  Slot destination(const ptx::Operand& operand, char letter);
  /// Of one operand, or of two written `d|p`, the second a predicate; kNoSlot: a predicate that is not wanted.
  void destinations(const ptx::Operand& to, char letter, Op& op);
  Slot source(const ptx::Operand& operand, char letter, ptx::Type type = ptx::Type::none);
  /// Predicate source; sets the negation bit of source number `n`.
  Slot predicate(const ptx::Operand& operand, Op& op, int n);
  Slot constant(std::uint64_t value, bool is_64_bit);
  Slot fixed(FixedSlot wanted);  ///< whose slot is not known yet
  Slot special(const ptx::Operand& operand, bool is_64_bit);
  Slot symbol_address(const ptx::Operand& operand, bool is_64_bit);
  std::int64_t shared_offset(const ptx::Operand& operand) const;
  const ptx::Variable* variable_of(const ptx::Operand& operand) const;
  static ptx::Type type_of(const ptx::Instruction& in);
  static bool is_signed(ptx::Type type);
  static bool is_integer(ptx::Type type);
  /// Which of the words the instruction has; their number if none.
  static std::uint8_t word_of(const ptx::Instruction& in,
                              std::initializer_list<std::string_view> words);
  static ptx::Space space_named(const ptx::Instruction& in);
  /// Type of the `n`th word, counted from the end; none if that is no type.
  static ptx::Type type_from_end(const ptx::Instruction& in, std::size_t n);
  static char letter_of(std::size_t bytes) { return bytes == 8 ? 'l' : bytes == 4 ? 'w' : 'h'; }

  // meanings of system rows
  template <OpKind kKind>
  void decode_kind(const ptx::Instruction&, Op& op) {
    op.kind = kKind;
  }
  void decode_lanes(const InstructionRow& row, const ptx::Instruction& in, Op& op);
  void decode_compare(const InstructionRow& row, const ptx::Instruction& in, Op& op);
  void decode_comparison(const InstructionRow& row, const ptx::Instruction& in, char letter,
                         ptx::Type type, Op& op);
  void decode_convert(const InstructionRow& row, const ptx::Instruction& in, Op& op);
  bool decode_special_mov(const ptx::Instruction& in, Op& op);
  bool decode_local_address(const ptx::Operand& from, bool is_64_bit, std::uint64_t base, Op& op);
  void decode_load(const ptx::Instruction& in, Op& op);
  void decode_store(const ptx::Instruction& in, Op& op);
  void decode_atomic(const ptx::Instruction& in, Op& op);
  void decode_fetch(const ptx::Instruction& in, Op& op);
  void decode_surface(const ptx::Instruction& in, Op& op);
  void decode_query(const ptx::Instruction& in, Op& op);
  void decode_handle(const ptx::Operand& address, const ImageOp& image, Op& op);
  void decode_image(const ptx::Instruction& in, const ptx::Operand& address, ImageOp image, Op& op);
  void decode_cp_async(const ptx::Instruction& in, Op& op);
  void decode_async_wait(const ptx::Instruction& in, Op& op);
  void check_cache_hint(const ptx::Instruction& in);
  void decode_create_policy(const ptx::Instruction& in, Op& op);
  void decode_fence(const ptx::Instruction& in, Op& op);
  void decode_isspacep(const ptx::Instruction& in, Op& op);
  void decode_cvta(const ptx::Instruction& in, Op& op);
  void decode_set(const ptx::Instruction& in, Op& op);
  void decode_setp_pair(const ptx::Instruction& in, Op& op);
  void decode_carry(const ptx::Instruction& in, Op& op);
  void decode_members(const ptx::Instruction& in, std::size_t at, Op& op);
  void decode_shuffle(const ptx::Instruction& in, Op& op);
  void decode_vote(const ptx::Instruction& in, Op& op);
  void decode_match(const ptx::Instruction& in, Op& op);
  void decode_redux(const ptx::Instruction& in, Op& op);
  void decode_active_mask(const ptx::Instruction& in, Op& op);
  // decode_matrix.cpp
  void decode_mma(const ptx::Instruction& in, Op& op);
  void decode_wmma_access(const ptx::Instruction& in, Op& op);
  void decode_ldmatrix(const ptx::Instruction& in, Op& op);
  void decode_movmatrix(const ptx::Instruction& in, Op& op);
  void matrix_registers(const ptx::Operand& operand, Fragment& fragment, bool is_written,
                        std::size_t repeated_to);
  Slot matrix_scratch(std::size_t number);
  void finish_matrix(MatrixOp matrix, Op& op);
  void decode_elect(const ptx::Instruction& in, Op& op);
  void decode_warp_barrier(const ptx::Instruction& in, Op& op);
  void decode_barrier(const ptx::Instruction& in, Op& op);
  void decode_cluster_barrier(const ptx::Instruction& in, Op& op);
  void decode_mapa(const ptx::Instruction& in, Op& op);
  void decode_get_rank(const ptx::Instruction& in, Op& op);
  // decode_mbarrier.cpp
  void decode_mbarrier(const ptx::Instruction& in, Op& op);
  void decode_bulk_copy(const ptx::Instruction& in, Op& op);
  void barrier_memory(const ptx::Instruction& in, Op& op, MbarrierOp& what);
  void finish_mbarrier(const MbarrierOp& what, Op& op);
  void decode_sleep(const ptx::Instruction& in, Op& op);
  void decode_branch(const ptx::Instruction& in, Op& op);
  void decode_branch_table(const ptx::Instruction& in, Op& op);
  void decode_call(const ptx::Instruction& in, Op& op);
  void decode_trap(const ptx::Instruction& in, Op& op);
  MemoryOp& new_memory_op(const ptx::Instruction& in, Op& op, bool is_store,
                          std::uint32_t element_bytes, std::uint32_t count);
  void decode_address(const ptx::Operand& address, MemoryOp& memory, Op& op);
  MemoryOp& decode_data(const ptx::Instruction& in, std::size_t data, bool is_store, Op& op);
  void decode_access(const ptx::Instruction& in, const ptx::Operand& address, MemoryOp& memory,
                     Op& op);
  void data_registers(const ptx::Operand& data, MemoryOp& memory, ptx::Type type, bool is_store);
  std::optional<ParameterArea> parameter_area(const ptx::Operand& address) const;
  ParameterArea area_of_list_element(const ptx::Operand& element) const;
  std::vector<std::size_t> functions_with_address() const;
  std::int32_t function_number(const ptx::Operand& callee) const;

  const ptx::Module& module_;
  const ptx::Function& entry_;
  DecodeOptions options_;
  std::shared_ptr<Program> program_;
  std::vector<launch::Finding> refused_;
  std::unordered_map<std::string, std::size_t> refused_at_;  ///< by instruction, line and reason
  std::vector<FunctionState> functions_;
  std::vector<std::int32_t> numbers_;  ///< of the module's functions: index of functions_, or -1
  /// Name and offset in shared memory -> ProgramFacts::shared_arrays.
  std::map<std::pair<std::string_view, std::int64_t>, std::int32_t> arrays_;
  /// Per module variable, -1: not shared or not used.
  std::vector<std::int64_t> module_shared_offset_;
  std::map<FixedSlot, Slot> fixed_index_;
  bool has_shuffle_ = false;   ///< anywhere
  bool affine_fails_ = false;  ///< an instruction is decoded otherwise than find_affine() takes it
  std::unordered_set<Slot> settled_;   ///< fixed slots that no block changes, and Program::once
  std::unordered_set<Slot> of_block_;  ///< fixed slots that change with the block
  Slot next_slot_ = 0;  ///< end of the fixed part of the register file, while it grows
  Slot carry_slot_ = 0, scratch_slot_ = 0;
  std::vector<Slot> matrix_scratch_;  ///< of 32 bits
  FunctionState* f_ = nullptr;        ///< the function being decoded
  std::int32_t block_ = 0;            ///< program block being decoded
  std::int32_t body_index_ = 0;
};

}  // namespace labkit::simt
