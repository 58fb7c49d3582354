labkit_find_package(GTest)
labkit_find_package(fmt)
labkit_find_package(tomlplusplus)
# The copy kernels are a .cu file, so that a GPU can be handed the very same text; the library carries it as a string.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/grade/copies.cu)
file(READ ${CMAKE_CURRENT_SOURCE_DIR}/grade/copies.cu LABKIT_COPIES_CU)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/grade/copies_cu.h.in ${CMAKE_BINARY_DIR}/generated/grade/copies_cu.h @ONLY)
target_include_directories(labkit_grade PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_link_libraries(labkit_grade PUBLIC GTest::gtest fmt::fmt PRIVATE tomlplusplus::tomlplusplus)
