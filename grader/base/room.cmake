labkit_find_package(OpenSSL COMPONENTS Crypto)
labkit_find_package(nlohmann_json)
target_link_libraries(labkit_base PRIVATE OpenSSL::Crypto nlohmann_json::nlohmann_json)
