# SPDX-License-Identifier: MIT
#
# plafond.hpp as compilers meet it: under the standards with every warning, and not as a system
# header; and, with -DREFUSED=ON, what it refuses, in its own words.
#   cmake "-DCXX=COMPILER;COMPILER" "-DSTANDARDS=c++17;c++20" -DREFUSED= -DHEADER=FOLDER
#         "-DINCLUDE=FOLDER;FOLDER" -DWORK= -P header.cmake
set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef
             -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
set(here ${CMAKE_CURRENT_LIST_DIR})
list(GET INCLUDE 0 library)
list(TRANSFORM INCLUDE PREPEND -I)

# Runs a compiler without output; sets `status`, `out`.
function(compile)
  execute_process(COMMAND ${ARGN} -fsyntax-only RESULT_VARIABLE status ERROR_VARIABLE out)
  set(status ${status} PARENT_SCOPE)
  set(out "${out}" PARENT_SCOPE)
  string(REPLACE ";" " " command "${ARGN}")
  set(command "${command}" PARENT_SCOPE)
endfunction()

# So many errors with these words, as the compiler prints the code behind them, too.
function(expect_refused count words)
  compile(${ARGN})
  string(REGEX MATCHALL "error: [^\n]*${words}" found "${out}")
  list(LENGTH found errors)
  if(status EQUAL 0 OR NOT errors EQUAL count)
    message(FATAL_ERROR "${command}: expected ${count} errors \"${words}\"; found ${errors} in\n${out}")
  endif()
endfunction()

# Stops there: what comes behind an #error is of no use.
function(expect_error words)
  expect_refused(1 ${words} ${ARGN} -Wfatal-errors ${here}/header.cc)
endfunction()

foreach(compiler ${CXX})
  foreach(standard ${STANDARDS})
    compile(${compiler} -I${HEADER} ${INCLUDE} -std=${standard} -O2 ${warnings} ${here}/header.cc)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "${command}: ${status}\n${out}")
    endif()
  endforeach()
endforeach()
if(NOT REFUSED)
  return()
endif()

file(REMOVE_RECURSE ${WORK})
file(READ ${library}/plafond.h text)
string(REGEX REPLACE "(PLF_VERSION_MINOR) [0-9]+" "\\1 99" text "${text}")
file(WRITE ${WORK}/plafond.h "${text}")
foreach(compiler ${CXX})
  set(hpp ${compiler} -I${HEADER})
  expect_refused(4 "for several plafond::mutex there is plafond::scoped_lock"
                 ${hpp} ${INCLUDE} -std=c++17 ${here}/refused.cc)
  expect_error("plafond.hpp needs C\\+\\+17" ${hpp} ${INCLUDE} -std=c++14)
  expect_error("found a plafond.h of another version" ${hpp} -I${WORK} ${INCLUDE} -std=c++17)
  expect_error("found no plafond.h" ${hpp} -nostdinc -nostdinc++ -std=c++17)
endforeach()
