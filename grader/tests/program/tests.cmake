target_link_libraries(program_tests PRIVATE ${LABKIT_LZ4} ${LABKIT_ZSTD})
add_dependencies(program_tests labkit)

# Each program prints what its last comment says, in a GPU's place on the simulator: as nvcc builds it where nvcc is, and as clang does
# without any of NVIDIA's software.
file(GLOB programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/programs/*.cu)
foreach(program ${programs})
  get_filename_component(name ${program} NAME_WE)
  foreach(compiler nvcc clang)
    add_test(NAME program.${compiler}.${name}
             COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_program $<TARGET_FILE:labkit> ${compiler} ${program})
    set_tests_properties(program.${compiler}.${name} PROPERTIES LABELS kit TIMEOUT 120 SKIP_RETURN_CODE 77)
  endforeach()
endforeach()
