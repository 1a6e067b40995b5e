# SPDX-License-Identifier: MIT
# Of the condition variable functions glibc has two versions here.
set(plf_processor_sources ${CMAKE_CURRENT_LIST_DIR}/cond_old.c)
set(plf_processor_map ${CMAKE_CURRENT_LIST_DIR}/exports.map)
set(plf_processor_link -Wl,--version-script=${plf_processor_map})
