target_sources(observe_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/kernel_rows.cpp)
target_compile_definitions(observe_tests PRIVATE LABKIT_OBSERVE_DATA="${CMAKE_CURRENT_LIST_DIR}/data")
