# SPDX-License-Identifier: GPL-3.0-or-later
# Finds LibTorch and defines LibTorch::LibTorch (headers, torch_cpu and c10; torch_cuda and
# c10_cuda where they and their CUDA libraries are there).
#
# The package that LibTorch brings itself demands a CUDA toolkit at configure time even for a
# program that only uses the CPU, so this module looks for the files alone.
#
# Where it looks: LIBTORCH_DIR (variable or environment), a folder that holds include/ and lib/;
# else the folder that tools/setup.sh fills.
set(LIBTORCH_DIR "$ENV{LIBTORCH_DIR}" CACHE PATH "Folder of LibTorch (with include/ and lib/)")
set(_cache "$ENV{XDG_CACHE_HOME}")
if(NOT _cache)
  set(_cache "$ENV{HOME}/.cache")
endif()
set(_candidates ${LIBTORCH_DIR} ${_cache}/farstate/libtorch-2.11.0/torch)

find_path(LibTorch_INCLUDE_DIR torch/types.h HINTS ${_candidates} PATH_SUFFIXES include
  NO_DEFAULT_PATH)
find_path(LibTorch_API_INCLUDE_DIR torch/torch.h HINTS ${_candidates}
  PATH_SUFFIXES include/torch/csrc/api/include NO_DEFAULT_PATH)
find_library(LibTorch_CPU_LIBRARY torch_cpu HINTS ${_candidates} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 HINTS ${_candidates} PATH_SUFFIXES lib NO_DEFAULT_PATH)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR
    LibTorch_API_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Run ./run.sh or ./test.sh, which install it, or set LIBTORCH_DIR.")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  get_filename_component(_lib ${LibTorch_CPU_LIBRARY} DIRECTORY)
  add_library(LibTorch::c10 SHARED IMPORTED)
  set_target_properties(LibTorch::c10 PROPERTIES IMPORTED_LOCATION ${LibTorch_C10_LIBRARY})
  add_library(LibTorch::LibTorch SHARED IMPORTED)
  set_target_properties(LibTorch::LibTorch PROPERTIES
    IMPORTED_LOCATION ${LibTorch_CPU_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${LibTorch_API_INCLUDE_DIR};${LibTorch_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES LibTorch::c10)
  # libtorch_cpu.so names CUDA's runtime even on a machine without a GPU. It finds it by its own
  # RPATH when the program runs; the linker needs the folder spelled out.
  file(GLOB _cuda_dirs ${_lib}/../../nvidia/cu13/lib ${_lib}/../../nvidia/*/lib)
  list(REMOVE_DUPLICATES _cuda_dirs)
  foreach(_dir ${_lib} ${_cuda_dirs})
    get_filename_component(_dir ${_dir} ABSOLUTE)
    target_link_options(LibTorch::LibTorch INTERFACE -Wl,-rpath-link,${_dir})
  endforeach()
endif()
mark_as_advanced(LibTorch_INCLUDE_DIR LibTorch_API_INCLUDE_DIR LibTorch_CPU_LIBRARY
  LibTorch_C10_LIBRARY)
