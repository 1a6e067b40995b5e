# SPDX-License-Identifier: MIT
# Each test leaves its processor time in costs/, which .ci/costs prints. Of a target, which is the first
# word of a command only, the launcher gets the file and, for another processor, its emulator.
function(add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;WORKING_DIRECTORY" COMMAND)
  list(POP_FRONT test_COMMAND program)
  if(TARGET ${program})
    set(program ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${program}>)
  endif()
  set(folder)
  if(test_WORKING_DIRECTORY)
    set(folder WORKING_DIRECTORY ${test_WORKING_DIRECTORY})
  endif()
  _add_test(NAME ${test_NAME}
            COMMAND ${PROJECT_SOURCE_DIR}/.ci/noted ${PROJECT_BINARY_DIR}/costs/${test_NAME} ${program}
                    ${test_COMMAND}
            ${folder})
endfunction()
