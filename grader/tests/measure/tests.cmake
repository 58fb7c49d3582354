# The fake driver of the device's tests, which come first.
add_dependencies(measure_tests fake_cuda)
target_compile_definitions(measure_tests PRIVATE LABKIT_FAKE_CUDA="$<TARGET_FILE:fake_cuda>")
