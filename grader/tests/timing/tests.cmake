target_sources(timing_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/measured_kernels.cpp ${CMAKE_CURRENT_LIST_DIR}/timed_run.cpp)
target_include_directories(timing_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR})

add_executable(timing_fidelity ${CMAKE_CURRENT_LIST_DIR}/timing_fidelity.cpp ${CMAKE_CURRENT_LIST_DIR}/measured_kernels.cpp
               ${CMAKE_CURRENT_LIST_DIR}/timed_run.cpp ${CMAKE_CURRENT_LIST_DIR}/observations.cpp)
target_link_libraries(timing_fidelity PRIVATE labkit_timing)
target_compile_definitions(timing_fidelity PRIVATE LABKIT_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/timing/data")

add_executable(timing_published ${CMAKE_CURRENT_LIST_DIR}/timing_published.cpp ${CMAKE_CURRENT_LIST_DIR}/measured_kernels.cpp
               ${CMAKE_CURRENT_LIST_DIR}/timed_run.cpp)
target_link_libraries(timing_published PRIVATE labkit_timing)
target_compile_definitions(timing_published PRIVATE LABKIT_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/timing/data")
