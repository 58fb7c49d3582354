# The copy kernels are a .cu file, so that a GPU can be handed the very same text; the library carries it as a string.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/measure/copies.cu)
file(READ ${CMAKE_CURRENT_SOURCE_DIR}/measure/copies.cu LABKIT_COPIES_CU)
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/measure/copies_cu.h.in ${CMAKE_BINARY_DIR}/generated/measure/copies_cu.h @ONLY)
target_include_directories(labkit_measure PRIVATE ${CMAKE_BINARY_DIR}/generated)
labkit_find_package(fmt)
target_link_libraries(labkit_measure PRIVATE fmt::fmt)
