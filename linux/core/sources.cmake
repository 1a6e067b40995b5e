# SPDX-License-Identifier: MIT
# What both libraries are built on. Each compiles it with its own flags.
set(plf_core ${CMAKE_CURRENT_LIST_DIR})
# What the drop-in needs of a processor.
set(plf_core_processor ${plf_core}/processors/${CMAKE_SYSTEM_PROCESSOR})
set(plf_core_sources arena.c cpu.c device.c gate.c registry.c robust_list.c)
list(TRANSFORM plf_core_sources PREPEND ${plf_core}/)
# The keepers, which libplafond alone has.
set(plf_keeper_sources admission.c budget.c claims.c eager.c effective.c frames.c global.c
                       recursive.c server.c server_manager.c)
list(TRANSFORM plf_keeper_sources PREPEND ${plf_core}/)
