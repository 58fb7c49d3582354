labkit_find_package(nlohmann_json)
target_link_libraries(cli_tests PRIVATE nlohmann_json::nlohmann_json)
add_dependencies(cli_tests labkit lab_check)  # the tests run them
target_sources(cli_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/browser.cpp)

target_compile_definitions(cli_tests PRIVATE LABKIT_CTEST="${CMAKE_CTEST_COMMAND}")

add_test(NAME long.repaired.Others
         COMMAND cli_tests --gtest_also_run_disabled_tests --gtest_filter=DISABLED_Others/*)
set_tests_properties(long.repaired.Others PROPERTIES LABELS long TIMEOUT 1200)
