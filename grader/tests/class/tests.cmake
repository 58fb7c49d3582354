labkit_find_package(fmt)
labkit_find_package(LibArchive)
labkit_find_package(nlohmann_json)
labkit_find_package(SQLiteCpp)
labkit_find_package(tomlplusplus)

# The sample class of docker/, packed as classes come, and a large class made up: for the tests, and as programs for trying by
# hand.
add_library(labkit_sample_class STATIC ${CMAKE_CURRENT_LIST_DIR}/sample_class.cpp
                                       ${CMAKE_CURRENT_LIST_DIR}/class_files.cpp
                                       ${CMAKE_CURRENT_LIST_DIR}/large_class.cpp)
labkit_compile_as_tests(labkit_sample_class)
target_link_libraries(labkit_sample_class PUBLIC nlohmann_json::nlohmann_json labkit_class fmt::fmt LibArchive::LibArchive
                                                 tomlplusplus::tomlplusplus)
target_compile_definitions(labkit_sample_class PUBLIC LABKIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
add_executable(pack_sample_class ${CMAKE_CURRENT_LIST_DIR}/pack_sample_class.cpp)
target_link_libraries(pack_sample_class PRIVATE labkit_sample_class)
labkit_compile_as_tests(pack_sample_class)
add_executable(make_class_pages ${CMAKE_CURRENT_LIST_DIR}/make_class_pages.cpp)
target_link_libraries(make_class_pages PRIVATE labkit_sample_class)
labkit_compile_as_tests(make_class_pages)

target_sources(class_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/made_class.cpp)
target_link_libraries(class_tests PRIVATE labkit_sample_class nlohmann_json::nlohmann_json SQLiteCpp)

# To look at pages.
target_sources(class_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../cli/browser.cpp
                                   ${CMAKE_CURRENT_LIST_DIR}/../report/html_check.cpp)
target_include_directories(class_tests PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../cli)
add_dependencies(class_tests labkit lab_check fake_cuda)  # the tests run them
target_compile_definitions(class_tests PRIVATE LABKIT_FAKE_CUDA="$<TARGET_FILE:fake_cuda>")

# Pages of each kind, of classes and of labs, in axe-core.
find_program(LABKIT_PYTHON3 python3)
if(LABKIT_PYTHON3)
  add_test(NAME long.pages.accessible
           COMMAND ${LABKIT_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/accessible_pages.py
                   $<TARGET_FILE:labkit> $<TARGET_FILE:make_class_pages> ${PROJECT_SOURCE_DIR}
                   ${CMAKE_BINARY_DIR}/handouts/students)
  set_tests_properties(long.pages.accessible PROPERTIES LABELS long TIMEOUT 900 SKIP_RETURN_CODE 77)
endif()

add_test(NAME long.slurm
         COMMAND class_tests --gtest_also_run_disabled_tests --gtest_filter=Slurm.DISABLED_*)
set_tests_properties(long.slurm PROPERTIES LABELS long TIMEOUT 7200)

# All sets of planted copies; those of two labs run with the other tests.
add_test(NAME long.planted
         COMMAND class_tests --gtest_also_run_disabled_tests --gtest_filter=PlantedCopies.DISABLED_*)
set_tests_properties(long.planted PROPERTIES LABELS long TIMEOUT 900)
