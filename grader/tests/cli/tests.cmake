labkit_find_package(nlohmann_json)
target_link_libraries(cli_tests PRIVATE nlohmann_json::nlohmann_json)
add_dependencies(cli_tests labkit lab_check)  # the tests run them
target_sources(cli_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/browser.cpp)

target_compile_definitions(cli_tests PRIVATE LABKIT_CTEST="${CMAKE_CTEST_COMMAND}")

add_test(NAME long.repaired.Others
         COMMAND cli_tests --gtest_also_run_disabled_tests --gtest_filter=DISABLED_Others/*)
set_tests_properties(long.repaired.Others PROPERTIES LABELS long TIMEOUT 1200)

foreach(shell bash zsh fish)
  add_test(NAME completion.${shell} COMMAND ${CMAKE_CURRENT_LIST_DIR}/check_completion $<TARGET_FILE:labkit> ${shell})
  set_tests_properties(completion.${shell} PROPERTIES LABELS kit TIMEOUT 60 SKIP_RETURN_CODE 77)
endforeach()
find_program(LABKIT_PYTHON3 python3)
mark_as_advanced(LABKIT_PYTHON3)
if(LABKIT_PYTHON3 AND EXISTS ${PROJECT_SOURCE_DIR}/handouts/notebook)
  foreach(mode stub nbclient)
    add_test(NAME magic.${mode}
             COMMAND ${LABKIT_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/magic_check.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:labkit> ${mode})
    set_tests_properties(magic.${mode} PROPERTIES LABELS kit TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
endif()
