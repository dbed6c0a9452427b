//! Buffers of a descriptor set as addresses.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Module, text};
use reconverge_lanes::{BufferSlot, bind_buffers};

const SHADER: &str = "
capability Shader
memory_model Logical, GLSL450
%void = type_void
%u32 = type_int 32, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%words = type_runtime_array %u32 {decorate ArrayStride 4}
%block = type_struct %u32, %words {decorate Block, member_decorate 0 Offset 0, member_decorate 1 Offset 8}
%pointer = type_pointer StorageBuffer, %block
%word = type_pointer StorageBuffer, %u32
%buffer: %pointer = variable StorageBuffer {decorate DescriptorSet 2, decorate Binding 3}
%type = type_function %void
func %main: %void () type %type {
block ^entry:
  %length: %u32 = array_length %buffer, 1
  %place: %word = access_chain %buffer, %one, %zero
  store %place, %length
  return
}
";

fn bound(slots: &[BufferSlot]) -> Result<String, Diagnostic> {
    let mut module: Module = text::parse(SHADER).unwrap_or_else(|error| panic!("{error}"));
    let function = module.functions().next().expect("there is one");
    bind_buffers(&mut module, function, slots, 32)?;
    Ok(text::print(&module))
}

#[test]
fn an_access_goes_through_an_address() {
    let text =
        bound(&[BufferSlot { set: 0, binding: 3 }, BufferSlot { set: 2, binding: 3 }]).expect("the buffer is bound");
    let body = &text[text.find("func").expect("a function")..];
    assert!(!body.contains("%buffer"), "{text}");
    assert!(!body.contains("array_length"), "{text}");
    assert!(text.contains("type_pointer PhysicalStorageBuffer"), "{text}");
    // The second record, behind 32 bytes.
    assert!(text.contains("Offset 48") && text.contains("Offset 56"), "{text}");
}

#[test]
fn a_buffer_without_a_binding_is_refused() {
    let error = bound(&[BufferSlot { set: 0, binding: 3 }]).expect_err("set 2 is missing");
    assert_eq!(error.message, "a buffer that is not bound");
}
