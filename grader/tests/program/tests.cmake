target_link_libraries(program_tests PRIVATE ${LABKIT_LZ4} ${LABKIT_ZSTD})
add_dependencies(program_tests labkit)

# Each program prints what its last comment says, in a GPU's place on the simulator: as nvcc builds it where nvcc is, and as clang does
# without any of NVIDIA's software. All with both is the long proof; in the kit's tests each sixth with each.
file(GLOB programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/programs/*.cu)
set(number 0)
foreach(program ${programs})
  get_filename_component(name ${program} NAME_WE)
  math(EXPR turn "${number} % 6")
  math(EXPR number "${number} + 1")
  foreach(compiler nvcc clang)
    set(label long)
    if((compiler STREQUAL nvcc AND turn EQUAL 0) OR (compiler STREQUAL clang AND turn EQUAL 3))
      set(label kit)
    endif()
    add_test(NAME program.${compiler}.${name}
             COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_program $<TARGET_FILE:labkit> ${compiler} ${program})
    set_tests_properties(program.${compiler}.${name} PROPERTIES LABELS ${label} TIMEOUT 120 SKIP_RETURN_CODE 77)
  endforeach()
endforeach()

add_test(NAME program.stop COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_stop $<TARGET_FILE:labkit>)
set_tests_properties(program.stop PROPERTIES LABELS kit TIMEOUT 120 SKIP_RETURN_CODE 77)

# Those of the handouts. Exit code 3: neither nvcc nor clang is here.
foreach(example saxpy host_side streams)
  if(EXISTS ${PROJECT_SOURCE_DIR}/handouts/examples/${example}.cu)
    add_test(NAME program.example.${example}
             COMMAND labkit run --check ${PROJECT_SOURCE_DIR}/handouts/examples/${example}.cu)
    set_tests_properties(program.example.${example} PROPERTIES LABELS kit TIMEOUT 120 SKIP_RETURN_CODE 3)
  endif()
endforeach()
set_tests_properties(program.example.saxpy PROPERTIES PASS_REGULAR_EXPRESSION "0 of 1048576 wrong")
set_tests_properties(program.example.streams PROPERTIES PASS_REGULAR_EXPRESSION "0 of 1048576 wrong")
set_tests_properties(program.example.host_side PROPERTIES PASS_REGULAR_EXPRESSION "999 squares are wrong")
