# SPDX-License-Identifier: MIT
# AArch64 from any Linux machine: Debian's cross compiler, programs run by qemu-user.
#   cmake -B build-aarch64 -DCMAKE_TOOLCHAIN_FILE=.ci/aarch64.cmake
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# The emulator finds the dynamic linker where the compiler finds it.
execute_process(
  COMMAND ${CMAKE_C_COMPILER} -print-file-name=ld-linux-aarch64.so.1
  OUTPUT_VARIABLE loader
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
get_filename_component(target_root ${loader}/../.. ABSOLUTE)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${target_root})
set(CMAKE_FIND_ROOT_PATH ${target_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
