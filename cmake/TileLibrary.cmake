# TileLibrary.cmake - helpers: a library, a dialect, a pass table, a tool and a unit test are one line each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Debian's MLIR archives name the 150 MB libLLVM.so; the components they really need make small, self-contained tools.
llvm_map_components_to_libnames(TILE_LLVM_LIBS support supportlsp core remarks targetparser bitwriter bitreader)
get_directory_property(imported IMPORTED_TARGETS)
foreach(target IN LISTS imported)
  if(target MATCHES "^MLIR")
    get_target_property(deps ${target} INTERFACE_LINK_LIBRARIES)
    if("LLVM" IN_LIST deps)
      list(REMOVE_ITEM deps LLVM)
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${deps};${TILE_LLVM_LIBS}")
    endif()
  endif()
endforeach()

# Adds every direct child of `dir` that has a CMakeLists.txt.
function(tile_add_children dir)
  file(GLOB children CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${dir}/*/CMakeLists.txt)
  foreach(child IN LISTS children)
    get_filename_component(folder ${child} DIRECTORY)
    add_subdirectory(${folder})
  endforeach()
endfunction()

# tile_add_library(Name [LIBS …] [DEPENDS …]): a static library of all .cpp files of the folder.
function(tile_add_library name)
  cmake_parse_arguments(ARG "" "" "LIBS;DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ${ARG_LIBS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# tile_generate(Target td-file output action…): runs mlir-tblgen; pairs of output file and flag.
function(tile_generate target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs output flag)
    mlir_tablegen(${output} ${flag} EXTRA_INCLUDES ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/include)
  endwhile()
  add_public_tablegen_target(${target})
endfunction()

# tile_add_tool(name [LIBS …]): an executable of all .cpp files of the folder.
function(tile_add_tool name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endfunction()

# tile_add_unit_test(Name [LIBS …]): a GoogleTest executable of all .cpp files of the folder, known to ctest.
function(tile_add_unit_test name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} gtest gtest_main pthread)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
endfunction()
