# Kernels that were measured on a GPU, and how they are timed here.
add_library(labkit_measured STATIC ${CMAKE_CURRENT_LIST_DIR}/measured_kernels.cpp ${CMAKE_CURRENT_LIST_DIR}/timed_run.cpp)
target_link_libraries(labkit_measured PUBLIC labkit_timing)
target_compile_definitions(labkit_measured PRIVATE LABKIT_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/timing/data")
labkit_compile_as_tests(labkit_measured)
target_link_libraries(timing_tests PRIVATE labkit_measured)
target_include_directories(timing_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR})

add_executable(timing_fidelity ${CMAKE_CURRENT_LIST_DIR}/timing_fidelity.cpp ${CMAKE_CURRENT_LIST_DIR}/observations.cpp)
target_link_libraries(timing_fidelity PRIVATE labkit_measured)
labkit_compile_as_tests(timing_fidelity)
target_compile_definitions(timing_fidelity PRIVATE LABKIT_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/timing/data")

add_executable(timing_published ${CMAKE_CURRENT_LIST_DIR}/timing_published.cpp)
target_link_libraries(timing_published PRIVATE labkit_measured)
labkit_compile_as_tests(timing_published)
target_compile_definitions(timing_published PRIVATE LABKIT_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/timing/data")
