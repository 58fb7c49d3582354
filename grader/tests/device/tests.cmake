# A driver that needs no GPU; the tests hand it to the worker by LABKIT_LIBCUDA.
add_library(fake_cuda MODULE ${CMAKE_CURRENT_LIST_DIR}/fake_cuda/fake_cuda.cpp)
target_compile_options(fake_cuda PRIVATE -O2 -Wall -Wextra -Werror -fvisibility=hidden)
add_dependencies(device_tests fake_cuda)
target_compile_definitions(device_tests PRIVATE LABKIT_FAKE_CUDA="$<TARGET_FILE:fake_cuda>")
# What the worker is made of, where its parts are tested by themselves.
target_sources(device_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/../device/worker/rounds.cpp)

# On a real GPU; skipped by name where there is none.
add_executable(device_gpu_tests ${CMAKE_CURRENT_LIST_DIR}/gpu/cuda_gpu_test.cpp)
target_link_libraries(device_gpu_tests PRIVATE labkit_device GTest::gtest_main)
labkit_compile_as_tests(device_gpu_tests)
gtest_discover_tests(device_gpu_tests TEST_PREFIX device. PROPERTIES LABELS "gpu" TIMEOUT 300 DISCOVERY_TIMEOUT 60)
