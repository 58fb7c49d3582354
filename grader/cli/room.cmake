labkit_find_package(fmt)
labkit_find_package(CLI11)
labkit_find_package(nlohmann_json)
target_link_libraries(labkit_cli PRIVATE fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json)
target_compile_definitions(labkit_cli PRIVATE LABKIT_VERSION="${PROJECT_VERSION}")
# For one file, so that the others are compiled the same wherever the checkout lies.
set_source_files_properties(${dir}/paths.cpp PROPERTIES
  COMPILE_DEFINITIONS "LABKIT_ROOT=\"${PROJECT_SOURCE_DIR}\";LABKIT_CACHE=\"${CMAKE_BINARY_DIR}/cache\"")
add_executable(labkit ${CMAKE_CURRENT_SOURCE_DIR}/cli/programs/labkit.cpp)
target_link_libraries(labkit PRIVATE labkit_cli)
if(TARGET labkit_course)
  target_compile_definitions(labkit_cli PRIVATE LABKIT_WITH_CLASS)
endif()
