//! What describes modules, locations, debug information and interfaces.

use crate::common::{TYPES, errors, linked};

#[test]
fn descriptions_are_merged() {
    let one = "spirv_header 66560, 7, 0
capability Kernel
capability Addresses
capability Linkage
extension \"SPV_KHR_a\"
memory_model Physical64, OpenCL
entry_point Kernel, %main, \"main\"
source OpenCL_C, 200000
module_processed \"one\"
%void = type_void
func %main: %void () {
block ^entry:
  %x: %void = function_call %f
  return
}
func %f: %void () {decorate LinkageAttributes \"f\" 1}";
    let two = "spirv_header 66816, 8, 0
capability Kernel
capability Int64
capability Linkage
extension \"SPV_KHR_b\"
memory_model Physical64, OpenCL
source OpenCL_C, 200000
module_processed \"two\"
%void = type_void
func %f: %void () {decorate LinkageAttributes \"f\" 0} {
block ^entry:
  return
}";
    let text = linked(&[one, two]);
    let head: Vec<&str> = text.lines().take_while(|line| !line.starts_with('%')).collect();
    assert_eq!(
        head,
        [
            "spirv_header 66816, 0, 0",
            "capability Kernel",
            "capability Addresses",
            "capability Int64",
            "extension \"SPV_KHR_a\"",
            "extension \"SPV_KHR_b\"",
            "memory_model Physical64, OpenCL",
            "entry_point Kernel, %main, \"main\"",
            "source OpenCL_C, 200000",
            "module_processed \"one\"",
            "module_processed \"two\"",
        ]
    );
    let other = two.replace("Physical64", "Physical32");
    assert_eq!(
        errors(&[one, &other]),
        "two inputs have different addressing or memory models [link-memory-model]
  the first in 0.ir: memory_model Physical64, OpenCL
  the second in 1.ir: memory_model Physical32, OpenCL
"
    );
    let again = errors(&[one, two, one]);
    assert!(
        again.starts_with("two inputs have an entry point main [link-entry-point]\n  the first in 0.ir"),
        "{again}"
    );
}

#[test]
fn an_entry_point_lists_the_variables_of_functions_that_were_linked() {
    let kernel = |version: u32| {
        format!(
            "spirv_header {version}, 0, 0
capability Kernel
memory_model Physical64, OpenCL
entry_point Kernel, %main, \"main\"
{TYPES}
func %main: %void () {{
block ^entry:
  %x: %u32 = function_call %f
  return
}}
func %f: %u32 () {{decorate LinkageAttributes \"f\" 1}}"
        )
    };
    let library = |version: u32| {
        format!(
            "spirv_header {version}, 0, 0
capability Kernel
memory_model Physical64, OpenCL
{TYPES}%pointer = type_pointer CrossWorkgroup, %u32
%zero: %u32 = constant 0
%inputs = type_pointer Input, %u32
%table: %pointer = variable CrossWorkgroup, %zero
%size: %inputs = variable Input {{decorate BuiltIn 30, decorate LinkageAttributes \"size\" 1}}
func %f: %u32 () {{decorate LinkageAttributes \"f\" 0}} {{
block ^entry:
  %x: %u32 = load %table
  %y: %u32 = load %size
  return_value %x
}}"
        )
    };
    let interface = |version| {
        let text = linked(&[&kernel(version), &library(version)]);
        text.lines().find(|line| line.starts_with("entry_point")).map(str::to_owned)
    };
    assert_eq!(interface(66560).as_deref(), Some("entry_point Kernel, %main, \"main\", %table, %size"));
    assert_eq!(interface(66048).as_deref(), Some("entry_point Kernel, %main, \"main\", %size"));
}

#[test]
fn locations_execution_modes_and_debug_information_survive() {
    let library = "capability Kernel
%debug = ext_inst_import \"OpenCL.DebugInfo.100\"
memory_model Physical64, OpenCL
%file = string \"f.cl\"
%name = string \"f\"
%void = type_void
%function = type_function %void
%none: %void = ext_inst %debug, 0
%source: %void = ext_inst %debug, 35, %file
%unit: %void = ext_inst %debug, 1, 1, 4, %source, 3
func %f: %void () type %function control 0 stage graph {decorate LinkageAttributes \"f\" 0} at %file 1:2 {
block ^entry:
  nop at %file 2:3 debug_scope(%debug, %about)
  return
}
func %g: %void () {
block ^entry:
  return
}
%about: %void = ext_inst %debug, 20, %name, %none, %source, 1, 2, %unit, %name, 0, 1, %f
%other: %void = ext_inst %debug, 20, %name, %none, %source, 1, 2, %unit, %name, 0, 1, %g";
    let kernel = "capability Kernel
memory_model Physical64, OpenCL
entry_point Kernel, %main, \"main\"
execution_mode %main, ContractionOff
%void = type_void
func %main: %void () {
block ^entry:
  %x: %void = function_call %f
  return
}
func %f: %void () {decorate LinkageAttributes \"f\" 1}";
    let text = linked(&[kernel, library]);
    for kept in [
        "execution_mode %main, ContractionOff",
        "at %file 1:2 {",
        "nop at %file 2:3 debug_scope(%debug, %about)",
        "%unit: ",
        "%source: ",
    ] {
        assert!(text.contains(kept), "{kept}\n{text}");
    }
    assert!(!text.contains("%g") && !text.contains("%other"), "{text}");
}
