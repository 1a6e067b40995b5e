# SPDX-License-Identifier: MIT
#
# The lab as `make install` installs it: the command, its page of the manual, and all that it checks,
# builds an image from and compiles its programs from.
#   cmake -DBUILD= -DWORK= -DVERSION= -P installed.cmake
set(prefix ${WORK}/prefix)
set(home ${prefix}/share/plafond)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run(${prefix}/bin/plafond --version)
if(NOT output STREQUAL "plafond ${VERSION}\n")
  message(FATAL_ERROR "found ${output}; expected plafond ${VERSION}")
endif()
run(${CMAKE_COMMAND} -E compare_files ${prefix}/share/man/man1/plafond.1 ${BUILD}/lab/plafond.1)

set(plafond ${CMAKE_COMMAND} -E env PYTHONPATH=${home}/lab PLAFOND_BUILD=${WORK}/build
            ${BUILD}/venv/bin/python -P -m plafond)
run(${plafond} check ${home}/examples/inversion.toml)
run(${plafond} build ${home}/examples/inversion.toml --board sim --out ${WORK}/image)

# -O0, as it is only seen whether all is there.
run(${CMAKE_COMMAND} -G Ninja -S ${home} -B ${WORK}/build -DBUILD_TESTING=OFF -DPLF_BENCH=ON
    -DCMAKE_BUILD_TYPE=Debug)
run(ninja -C ${WORK}/build plafond-record plafond-reserve plafond-run)
