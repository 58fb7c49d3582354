labkit_find_package(OpenSSL COMPONENTS Crypto)
target_link_libraries(labkit_base PRIVATE OpenSSL::Crypto)
