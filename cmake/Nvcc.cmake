# SPDX-License-Identifier: GPL-3.0-or-later
# Finds nvcc (FARSTATE_NVCC) and says how it compiles our kernels. CMake's own CUDA language is not
# used: it compiles and links a program at every first configuration, and one that can't be built,
# because of an old nvcc in PATH, would stop people who want no CUDA at all.
#
# Where it looks: FARSTATE_NVCC (variable), PATH, the usual folder, and the folder that
# tools/setup.sh fills for the tests.
set(FARSTATE_CUDA AUTO CACHE STRING "Build the CUDA kernels: ON, OFF, or AUTO where there is nvcc")
set_property(CACHE FARSTATE_CUDA PROPERTY STRINGS AUTO ON OFF)

# The first that knows compute capability 12.0.
set(_nvcc_wanted 12.8)

function(_nvcc_is_new_enough result nvcc)
  execute_process(COMMAND ${nvcc} --version OUTPUT_VARIABLE said ERROR_QUIET)
  if(NOT said MATCHES "release ([0-9.]+)" OR CMAKE_MATCH_1 VERSION_LESS _nvcc_wanted)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(FARSTATE_CUDA)
  set(_cache "$ENV{XDG_CACHE_HOME}")
  if(NOT _cache)
    set(_cache "$ENV{HOME}/.cache")
  endif()
  find_program(FARSTATE_NVCC nvcc HINTS ENV CUDA_HOME PATH_SUFFIXES bin
    PATHS /usr/local/cuda/bin ${_cache}/farstate/nvcc-13.0.88/nvidia/cu13/bin
    VALIDATOR _nvcc_is_new_enough)
  if(NOT FARSTATE_NVCC AND NOT FARSTATE_CUDA STREQUAL "AUTO")
    message(FATAL_ERROR "No nvcc of version ${_nvcc_wanted} or newer was found. Put it into PATH, "
      "set FARSTATE_NVCC to it, or FARSTATE_CUDA to OFF.")
  endif()
else()
  set(FARSTATE_NVCC "")
endif()
if(NOT FARSTATE_NVCC)
  message(STATUS "CUDA kernels: not built")
  return()
endif()
message(STATUS "CUDA kernels: ${FARSTATE_NVCC}")

# Every architecture from 8.0 to 12.0 with machine code, and what newer ones translate themselves.
set(_nvcc_flags -std=c++20 -O3 --threads 2 -Xptxas -v -Werror all-warnings
  -Xcompiler -fPIC,-Wall,-Wextra,-Wshadow,-Werror)
foreach(_capability 80 86 89 90 100)
  list(APPEND _nvcc_flags -gencode arch=compute_${_capability},code=sm_${_capability})
endforeach()
list(APPEND _nvcc_flags -gencode "arch=compute_120,code=[sm_120,compute_120]")

set(FARSTATE_CUDA_REPORTS "${CMAKE_CURRENT_BINARY_DIR}/cuda")  # registers and spills, a file each

# farstate_cuda_library(target sources…)
function(farstate_cuda_library target)
  set(objects)
  foreach(source ${ARGN})
    get_filename_component(name ${source} NAME_WE)
    set(object ${FARSTATE_CUDA_REPORTS}/${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND python3 ${CMAKE_SOURCE_DIR}/tools/cuda_resources.py compile ${object}.ptxas
        ${CMAKE_CXX_COMPILER_LAUNCHER} ${FARSTATE_NVCC} -ccbin ${CMAKE_CXX_COMPILER} ${_nvcc_flags}
        -I${CMAKE_SOURCE_DIR} -MD -MF ${object}.d -c ${source} -o ${object}
      BYPRODUCTS ${object}.ptxas
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "Building CUDA object ${name}.o"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  add_library(${target} STATIC ${objects})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
