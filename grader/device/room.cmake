labkit_find_package(nlohmann_json)
target_link_libraries(labkit_device PRIVATE nlohmann_json::nlohmann_json)

# The worker that talks to the GPU stands alone: CUDA's driver and AddressSanitizer both want to say where memory lies, and
# a student's machine runs one binary with and without a driver.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${dir}/worker/helpers.ptx)
file(READ ${dir}/worker/helpers.ptx LABKIT_HELPERS_PTX)
configure_file(${dir}/worker/helpers_ptx.h.in ${CMAKE_BINARY_DIR}/generated/device/worker/helpers_ptx.h @ONLY)
file(GLOB worker_sources CONFIGURE_DEPENDS ${dir}/worker/*.cpp)
add_executable(labkit-cuda ${worker_sources} ${dir}/cuda_protocol.cpp ${CMAKE_CURRENT_SOURCE_DIR}/base/error.cpp ${CMAKE_CURRENT_SOURCE_DIR}/base/median.cpp)
labkit_compile_together(labkit-cuda)
target_compile_options(labkit-cuda PRIVATE -Wall -Wextra -Werror)
target_include_directories(labkit-cuda PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_link_libraries(labkit-cuda PRIVATE nlohmann_json::nlohmann_json Threads::Threads ${CMAKE_DL_LIBS})
# Whatever links CudaDevice needs the worker beside it at run time.
add_dependencies(labkit_device labkit-cuda)
