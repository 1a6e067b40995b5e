# SPDX-License-Identifier: MIT
# plf_cmocka: what tests in C link to. Debian has no cmocka for another processor beside the host's:
# there a header of ours has as much of it as the tests use.
add_library(plf_cmocka INTERFACE)
if(CMAKE_CROSSCOMPILING)
  target_include_directories(plf_cmocka INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/linux/lib/test/cross)
else()
  find_package(cmocka REQUIRED)
  target_link_libraries(plf_cmocka INTERFACE cmocka)
endif()
