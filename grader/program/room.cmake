find_library(LABKIT_LZ4 lz4)
find_library(LABKIT_ZSTD zstd)
foreach(library LZ4 ZSTD)
  if(NOT LABKIT_${library})
    string(TOLOWER lib${library}-dev package)
    message(FATAL_ERROR "lib${library} is missing (packed device code in programs). Install it with\n"
                        "    sudo apt-get install ${package}\n"
                        "or let `./kit test` install all that the kit needs.")
  endif()
endforeach()
target_link_libraries(labkit_program PRIVATE ${LABKIT_LZ4} ${LABKIT_ZSTD})

# CUDA's runtime for programs that nobody here has built: with nothing of C++'s library to be found, under the names of CUDA 12's
# and 13's, and with the versions that they ask for. Built without sanitizers.
file(GLOB runtime_sources CONFIGURE_DEPENDS ${dir}/runtime/*.cpp)
foreach(version 12 13)
  add_library(labkit-cudart-${version} SHARED ${runtime_sources})
  set_target_properties(labkit-cudart-${version} PROPERTIES OUTPUT_NAME cudart SOVERSION ${version} UNITY_BUILD OFF
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/cudart/${version} POSITION_INDEPENDENT_CODE ON)
  target_compile_options(labkit-cudart-${version} PRIVATE -Wall -Wextra -Werror -O2)
  target_compile_definitions(labkit-cudart-${version} PRIVATE LABKIT_CUDA=${version})
  target_include_directories(labkit-cudart-${version} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_options(labkit-cudart-${version} PRIVATE -static-libstdc++ -static-libgcc -s -Wl,--gc-sections
    -Wl,--version-script=${dir}/runtime/cudart.${version}.map)
  add_custom_command(TARGET labkit-cudart-${version} POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy
    $<TARGET_FILE:labkit-cudart-${version}> ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/cudart/libcudart.so.${version})
  add_dependencies(labkit_program labkit-cudart-${version})
endforeach()

# What a program runs with under --check: it knows the blocks of malloc().
add_library(labkit-heap SHARED ${dir}/heap/heap.cpp)
set_target_properties(labkit-heap PROPERTIES PREFIX "" UNITY_BUILD OFF
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/cudart)
target_compile_options(labkit-heap PRIVATE -Wall -Wextra -Werror -O2 -fno-builtin)
target_link_options(labkit-heap PRIVATE -static-libstdc++ -static-libgcc -s -Wl,--gc-sections
  -Wl,--version-script=${dir}/heap/heap.map)
add_dependencies(labkit_program labkit-heap)

# What clang reads in place of CUDA's headers, host code and device code.
file(GLOB_RECURSE program_headers CONFIGURE_DEPENDS ${dir}/include/*)
set(stamp ${CMAKE_BINARY_DIR}/generated/program/headers.stamp)
file(GLOB device_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/compile/clang/include/*.h)
add_custom_command(OUTPUT ${stamp} DEPENDS ${program_headers} ${device_headers}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${dir}/include ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/cudart/include
  COMMAND ${CMAKE_COMMAND} -E copy ${device_headers} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/cudart/include
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/generated/program
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp})
add_custom_target(labkit-program-headers DEPENDS ${stamp})
add_dependencies(labkit_program labkit-program-headers)
