//! `compile --keep-going`: the kernels that can be compiled, without the others.

use crate::common::Scratch;

/// Four kernels; `second` has a queue, `last` an opaque type.
const KERNELS: &str = r#"
capability Kernel
capability Addresses
capability DeviceEnqueue
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %first, "first"
entry_point Kernel, %second, "second"
entry_point Kernel, %third, "third"
entry_point Kernel, %last, "last"
%void = type_void
%u32 = type_int 32, 0
%pointer = type_pointer CrossWorkgroup, %u32
%queue = type_queue
%opaque = type_opaque "vendor.handle"
%handles = type_pointer CrossWorkgroup, %opaque
%three: %u32 = constant 3

func %first: %void (%out: %pointer) {
block ^entry:
  store %out, %three, 2, 4
  return
}

func %second: %void (%q: %queue) {
block ^entry:
  return
}

func %third: %void (%out: %pointer) {
block ^entry:
  store %out, %three, 2, 4
  return
}

func %last: %void (%handle: %handles) {
block ^entry:
  return
}
"#;

#[test]
fn the_others_are_written() {
    let scratch = Scratch::new();
    scratch.file("k.ir", KERNELS);
    scratch.run(&["compile", "k.ir", "-o", "o.spv"]).ended(3);
    assert_eq!(scratch.names(), ["k.ir"]);
    let ran = scratch.run(&["compile", "k.ir", "-o", "o.spv", "--keep-going"]).ended(3);
    let said = ran.stderr();
    assert!(said.contains("2 of 4 kernels cannot be compiled: second, last"), "{said}");
    assert_eq!(said.matches("error[kernel-unsupported]").count(), 2, "{said}");
    let text = scratch.run(&["compile", "o.spv", "-O0", "--to", "text", "-o", "-"]).ended(0).stdout();
    assert!(text.contains("\"first\"") && text.contains("\"third\"") && !text.contains("\"second\""), "{text}");
}

#[test]
fn a_module_without_any_is_refused_once() {
    let scratch = Scratch::new();
    scratch.file("k.ir", KERNELS);
    let arguments = ["compile", "k.ir", "-o", "o.spv", "--keep-going", "--kernel", "second"];
    let said = scratch.run(&arguments).ended(3).stderr();
    assert_eq!(said.matches("error[kernel-unsupported]").count(), 1, "{said}");
    assert_eq!(scratch.names(), ["k.ir"]);
    // A kernel whose name is wrong is an error of the command line.
    scratch.run(&["compile", "k.ir", "-o", "o.spv", "--keep-going", "--kernel", "other"]).ended(2);
}
