labkit_find_package(fmt)
labkit_find_package(CLI11)
labkit_find_package(nlohmann_json)
target_link_libraries(labkit_cli PRIVATE fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
target_compile_definitions(labkit_cli PRIVATE LABKIT_ROOT="${PROJECT_SOURCE_DIR}" LABKIT_CACHE="${CMAKE_BINARY_DIR}/cache"
                                              LABKIT_VERSION="${PROJECT_VERSION}")
add_executable(labkit ${CMAKE_CURRENT_SOURCE_DIR}/cli/programs/labkit.cpp)
target_link_libraries(labkit PRIVATE labkit_cli)
