# SPDX-License-Identifier: MIT
#
# PLAFOND_LIBRARY_ONLY needs a C compiler and no more, and installs the libraries alone.
#   cmake -DSOURCE= -DWORK= -DCC= -P library_only.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${out}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DPLAFOND_LIBRARY_ONLY=ON -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=none -DCMAKE_DISABLE_FIND_PACKAGE_cmocka=ON
    -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${CMAKE_COMMAND} --install ${WORK}/build --prefix ${WORK}/prefix)
file(GLOB_RECURSE files RELATIVE ${WORK}/prefix ${WORK}/prefix/*)
list(JOIN files "\n" files)
foreach(name lib.*/libplafond.so lib.*/libplafond.a include/plafond.h
             include/plafond.hpp lib.*/pkgconfig/plafond.pc
             lib.*/cmake/plafond/plafondConfig.cmake)
  if(NOT files MATCHES "${name}")
    message(FATAL_ERROR "not installed: ${name} is not in\n${files}")
  endif()
endforeach()
if(files MATCHES "bin/|share/|test")
  message(FATAL_ERROR "more than the libraries is installed:\n${files}")
endif()
