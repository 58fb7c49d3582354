labkit_find_package(nlohmann_json)
target_link_libraries(cli_tests PRIVATE nlohmann_json::nlohmann_json)
add_dependencies(cli_tests labkit lab1_check lab3_check)  # the tests run them
