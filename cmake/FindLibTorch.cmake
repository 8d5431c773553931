# SPDX-License-Identifier: GPL-3.0-or-later
# Finds LibTorch and defines LibTorch::LibTorch (headers, torch_cpu and c10; torch_cuda and
# c10_cuda where they and their CUDA libraries are there). LibTorch_CUDA says whether they are; then
# there is LibTorch::CUDA too, CUDA's runtime and headers.
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

find_path(LibTorch_INCLUDE_DIR ATen/ATen.h HINTS ${_candidates} PATH_SUFFIXES include
  NO_DEFAULT_PATH)
find_path(LibTorch_API_INCLUDE_DIR torch/torch.h HINTS ${_candidates}
  PATH_SUFFIXES include/torch/csrc/api/include NO_DEFAULT_PATH)
find_library(LibTorch_CPU_LIBRARY torch_cpu HINTS ${_candidates} PATH_SUFFIXES lib NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 HINTS ${_candidates} PATH_SUFFIXES lib NO_DEFAULT_PATH)

set(LibTorch_VERSION)
if(LibTorch_INCLUDE_DIR AND EXISTS ${LibTorch_INCLUDE_DIR}/torch/headeronly/version.h)
  file(STRINGS ${LibTorch_INCLUDE_DIR}/torch/headeronly/version.h _lines
    REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
  string(REGEX MATCHALL "[0-9]+" _numbers "${_lines}")
  list(JOIN _numbers "." LibTorch_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR
    LibTorch_API_INCLUDE_DIR
  VERSION_VAR LibTorch_VERSION
  REASON_FAILURE_MESSAGE "Run ./run.sh or ./test.sh, which install it, or set LIBTORCH_DIR.")

if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  get_filename_component(_lib ${LibTorch_CPU_LIBRARY} DIRECTORY)
  get_filename_component(_site ${_lib}/../.. ABSOLUTE)
  add_library(LibTorch::c10 SHARED IMPORTED)
  set_target_properties(LibTorch::c10 PROPERTIES IMPORTED_LOCATION ${LibTorch_C10_LIBRARY})
  add_library(LibTorch::LibTorch SHARED IMPORTED)
  set_target_properties(LibTorch::LibTorch PROPERTIES
    IMPORTED_LOCATION ${LibTorch_CPU_LIBRARY}
    INTERFACE_LINK_LIBRARIES LibTorch::c10)
  # LibTorch's folder also holds another version of fmt and of further libraries. Searched after
  # the system's folders, it cannot shadow the headers that fit the libraries we link.
  foreach(_dir ${LibTorch_API_INCLUDE_DIR} ${LibTorch_INCLUDE_DIR})
    target_compile_options(LibTorch::LibTorch INTERFACE
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-idirafter \"${_dir}\">")
  endforeach()
  # libtorch_cpu.so names CUDA's runtime even on a machine without a GPU. It finds it by its own
  # RPATH when the program runs; the linker needs the folder spelled out. On ARM it names
  # libraries in torch.libs likewise.
  file(GLOB _needed_dirs ${_site}/nvidia/*/lib ${_site}/torch.libs)
  foreach(_dir ${_lib} ${_needed_dirs})
    target_link_options(LibTorch::LibTorch INTERFACE -Wl,-rpath-link,${_dir})
  endforeach()

  # Nothing in our objects refers to libtorch_cuda.so, whose loading is what registers CUDA, so
  # the linker has to be told to keep it. cuDNN stands for the CUDA libraries: a copy made for the
  # CPU may have libtorch_cuda.so and would not start with it.
  set(LibTorch_CUDA OFF)
  if(EXISTS ${_lib}/libtorch_cuda.so AND EXISTS ${_lib}/libc10_cuda.so
     AND EXISTS ${_site}/nvidia/cudnn/lib)
    set(LibTorch_CUDA ON)
    set_property(TARGET LibTorch::LibTorch APPEND PROPERTY INTERFACE_LINK_LIBRARIES
      "-Wl,--push-state,--no-as-needed" ${_lib}/libtorch_cuda.so ${_lib}/libc10_cuda.so
      "-Wl,--pop-state")
    # For what calls CUDA itself: the runtime and the headers that came with this LibTorch.
    file(GLOB _cudart ${_site}/nvidia/*/lib/libcudart.so.*)
    file(GLOB _cuda_include ${_site}/nvidia/cu[0-9]*/include)
    add_library(LibTorch::CUDA INTERFACE IMPORTED)
    set_target_properties(LibTorch::CUDA PROPERTIES
      INTERFACE_LINK_LIBRARIES "${_cudart}"
      INTERFACE_INCLUDE_DIRECTORIES "${_cuda_include}")
  endif()
endif()
mark_as_advanced(LibTorch_INCLUDE_DIR LibTorch_API_INCLUDE_DIR LibTorch_CPU_LIBRARY
  LibTorch_C10_LIBRARY)
