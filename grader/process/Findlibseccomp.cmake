# libseccomp brings no CMake package of its own. Gives the target libseccomp::libseccomp and libseccomp_VERSION.
find_path(LIBSECCOMP_INCLUDE_DIR seccomp.h)
find_library(LIBSECCOMP_LIBRARY seccomp)
if(LIBSECCOMP_INCLUDE_DIR)
  file(STRINGS ${LIBSECCOMP_INCLUDE_DIR}/seccomp.h numbers REGEX "^#define[ \t]+SCMP_VER_(MAJOR|MINOR|MICRO)[ \t]+[0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" numbers "${numbers}")
  string(REPLACE ";" "." libseccomp_VERSION "${numbers}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(libseccomp REQUIRED_VARS LIBSECCOMP_LIBRARY LIBSECCOMP_INCLUDE_DIR
                                  VERSION_VAR libseccomp_VERSION)
mark_as_advanced(LIBSECCOMP_INCLUDE_DIR LIBSECCOMP_LIBRARY)
if(libseccomp_FOUND AND NOT TARGET libseccomp::libseccomp)
  add_library(libseccomp::libseccomp UNKNOWN IMPORTED)
  set_target_properties(libseccomp::libseccomp PROPERTIES IMPORTED_LOCATION ${LIBSECCOMP_LIBRARY}
                                                          INTERFACE_INCLUDE_DIRECTORIES ${LIBSECCOMP_INCLUDE_DIR})
endif()
