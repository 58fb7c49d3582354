labkit_find_package(GTest)
labkit_find_package(fmt)
labkit_find_package(nlohmann_json)
labkit_find_package(tomlplusplus)
# The copy kernels are a .cu file, so that a GPU can be handed the very same text; the library carries it as a string.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/grade/copies.cu)
file(READ ${CMAKE_CURRENT_SOURCE_DIR}/grade/copies.cu copies_cu)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/grade/copies_cu.h CONTENT "#pragma once
namespace labkit::grade {
inline constexpr char kCopiesCu[] = R\"labkit(@copies_cu@)labkit\";
}
" @ONLY)
target_include_directories(labkit_grade PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_link_libraries(labkit_grade PUBLIC GTest::gtest fmt::fmt PRIVATE nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus)
