# lanes/*.cpp are compiled once per SIMD target, each into its own namespace; the target is chosen at run time. rows.cpp is
# compiled once more for each chapter of the instruction table.
# No contraction: a * b + c must round twice unless the PTX says fma. errno and traps are nobody's business here, and
# vectorised code would have to respect them.
set(lanes_flags -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND lanes_flags -Wno-pass-failed)  # a loop asked to be vectorised that is not is no error
endif()
set(simd_targets portable)
set(simd_flags_portable)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(PREPEND simd_targets avx512 avx2)
  set(simd_flags_avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt -mprefer-vector-width=512)
  set(simd_flags_avx2 -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt)
  target_compile_definitions(labkit_simt PRIVATE LABKIT_HAS_X86_TARGETS)
endif()
function(labkit_lanes simd name)
  add_library(labkit_${name}_${simd} OBJECT ${ARGN})
  target_link_libraries(labkit_${name}_${simd} PRIVATE labkit_options)
  target_compile_definitions(labkit_${name}_${simd} PRIVATE LABKIT_SIMD=${simd} LABKIT_CHAPTER=${name}
                             LABKIT_ROWS="simt/instructions_${name}.def")
  target_compile_options(labkit_${name}_${simd} PRIVATE ${lanes_flags} ${simd_flags_${simd}})
  target_sources(labkit_simt PRIVATE $<TARGET_OBJECTS:labkit_${name}_${simd}>)
endfunction()
foreach(simd ${simd_targets})
  labkit_lanes(${simd} lanes ${dir}/lanes/memory.cpp ${dir}/lanes/target.cpp)
  foreach(chapter integer float half compare convert)
    labkit_lanes(${simd} ${chapter} ${dir}/lanes/rows.cpp)
  endforeach()
endforeach()
target_compile_options(labkit_simt PRIVATE -ffp-contract=off)
target_link_libraries(labkit_simt PUBLIC Threads::Threads)
