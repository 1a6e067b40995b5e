# SPDX-License-Identifier: MIT
#
# The library as a user meets it: installed to a prefix of its own, found by CMake
# and by pkg-config, linked shared and static, included from C and from C++.
#   cmake -DBUILD= -DSOURCE= -DWORK= -DCC= "-DCXX=COMPILER;COMPILER" -DREADELF= -P installed.cmake
set(prefix ${WORK}/prefix)
set(examples periodic producer_consumer owner_death)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    string(REPLACE ";" " " command "${ARGN}")
    message(FATAL_ERROR "${command}: ${status}\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

function(expect text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern} in\n${text}")
  endif()
endfunction()

function(run_examples directory)
  foreach(example ${examples})
    run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libdir} ${directory}/${example})
    set(${example} "${output}")
  endforeach()
  expect("${periodic}" "sensor: 20 releases.*torn reads: 0")
  expect("${producer_consumer}" "1000 items, sum 500500, as expected: yes")
  expect("${owner_death}" "died inside: 70 \\+ 0 is not 100.*70 \\+ 30 = 100")
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/cmake ${WORK}/shared ${WORK}/static)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE pc ${prefix}/*/plafond.pc)
get_filename_component(libdir ${pc}/../.. ABSOLUTE)

# soname, and each dynamic symbol under our version
run(${READELF} -d ${libdir}/libplafond.so)
expect("${output}" "SONAME.*libplafond\\.so\\.0\\]")
run(${READELF} --dyn-syms -W ${libdir}/libplafond.so)
expect("${output}" "plf_attach@@PLAFOND_0\\.1")
expect("${output}" "TLS +GLOBAL.*plf_self@@PLAFOND_0\\.1")
expect("${output}" "TLS +GLOBAL.*plf_lazy_self@@PLAFOND_0\\.1")
string(REGEX MATCHALL "(GLOBAL|WEAK) +DEFAULT +[0-9]+ [^\n]*" exported "${output}")
foreach(symbol ${exported})
  expect("${symbol}" "plf_[a-z_]+@@PLAFOND_0\\.1")
endforeach()

# The inline functions are there for other languages, too, and programs in C do not call them.
set(here ${SOURCE}/linux/lib/test/package)
run(${BUILD}/venv/bin/python ${here}/other_language.py ${libdir}/libplafond.so)
expect("${output}" "the mutex belongs to another CPU.*\nCannot allocate memory\nunknown error\n")

# dlopen() refuses a larger alignment of thread-local storage
run(${READELF} -lW ${libdir}/libplafond.so)
expect("${output}" "TLS +[^\n]* 0x(8|10|20|40)\n")

# find_package: 0.1 is neither 0.2 nor 1.0
foreach(version 0.1 0.2 1.0)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${here} -B ${WORK}/version/${version} -DVERSION=${version}
            -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_C_COMPILER=${CC}
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE out)
  if(version MATCHES "^0\\.1$")
    expect("${status}" "^0$")
  else()
    expect("${out}" "compatible with requested.*version.*${version}")
  endif()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${WORK}/cmake -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_C_COMPILER=${CC} "-DCMAKE_C_FLAGS=-Wall -Wextra -Wconversion -Wpedantic -Werror")
run(${CMAKE_COMMAND} --build ${WORK}/cmake)
run_examples(${WORK}/cmake)
run(${READELF} --dyn-syms -W ${WORK}/cmake/periodic)
if(output MATCHES "plf_mutex_(lock|unlock)@")
  message(FATAL_ERROR "a program in C calls what it should have inline:\n${output}")
endif()

# pkg-config
set(pkg_config ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${libdir}/pkgconfig pkg-config)
run(${pkg_config} --cflags --libs plafond)
separate_arguments(shared UNIX_COMMAND "${output}")
run(${pkg_config} --static --cflags plafond)
separate_arguments(static UNIX_COMMAND "${output}")
foreach(example ${examples})
  set(source ${SOURCE}/examples/${example}.c)
  run(${CC} -O2 ${source} -o ${WORK}/shared/${example} ${shared} -pthread)
  run(${CC} -O2 ${source} -o ${WORK}/static/${example} ${static} ${libdir}/libplafond.a -pthread)
  run(${READELF} -d ${WORK}/static/${example})
  if(output MATCHES "libplafond")
    message(FATAL_ERROR "the static example needs the shared library")
  endif()
endforeach()
run_examples(${WORK}/shared)
run_examples(${WORK}/static)

# C++ has a header beside the other. That plain mutexes are late is what its example is about.
list(GET CXX -1 compiler)
run(${compiler} -std=c++17 ${SOURCE}/examples/cpp/control_loop.cc -o ${WORK}/shared/control_loop
    ${shared} -pthread)
run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libdir} ${WORK}/shared/control_loop 5)
expect("${output}" "\nstd::mutex [^\n]* [1-9][0-9]* of 20\n.*\nplafond::mutex [^\n]* of 20\n")

# The header alone, with every warning, and not as a system header.
set(warnings -Wall -Wextra -Wconversion -Wsign-conversion -Wpedantic -Wshadow -Wundef -Werror
             -fsyntax-only)
foreach(standard c11 c17 gnu17)
  run(${CC} -std=${standard} -O2 ${warnings} -I${prefix}/include ${here}/user.c)
endforeach()
foreach(compiler ${CXX})
  foreach(standard c++11 c++17 c++20 c++2b)
    run(${compiler} -x c++ -std=${standard} -O2 ${warnings} -I${prefix}/include ${here}/user.c)
  endforeach()
endforeach()
