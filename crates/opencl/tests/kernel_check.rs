//! What kernels may not use is named, with the place; what nothing uses does not matter.

use reconverge_ir::{Inst, Module, text};
use reconverge_opencl::{Context, KernelCode, check_support};

const HEAD: &str = "\
%set = ext_inst_import \"OpenCL.std\"
memory_model Physical64, OpenCL
%void = type_void
%i32 = type_int 32, 0
%i64 = type_int 64, 0
%f32 = type_float 32
%i32x4 = type_vector %i32, 4
%one: %i32 = constant 1
%format = type_pointer UniformConstant, %i32
%byte = type_int 8, 0
";

fn module(globals: &str, parameters: &str, body: &str) -> Module {
    let source = format!(
        "{HEAD}{globals}
         func %k: %void ({parameters}) {{
         block ^entry:
           {body}
           return
         }}"
    );
    text::parse(&source).unwrap_or_else(|error| panic!("{error}\n{source}"))
}

fn refusal(module: &mut Module) -> Option<String> {
    match check_support(module, &mut Context::default()) {
        Ok(changed) => {
            assert!(!changed);
            None
        }
        Err(error) => {
            assert!(error.is(KernelCode::Unsupported));
            assert!(module.is_live(Inst::of_place(error.place).expect("the error is at an instruction")));
            Some(error.message.strip_prefix("not supported: ").expect("the name alone says nothing").to_owned())
        }
    }
}

fn check_refused(expected: &str, globals: &str, parameters: &str, body: &str) {
    let found = refusal(&mut module(globals, parameters, body));
    assert_eq!(found.as_deref(), Some(expected), "{globals}{body}");
}

#[test]
fn images_and_samplers() {
    let image = "%image = type_image %void, 1, 0, 0, 0, 0, 0, 0\n";
    assert_eq!(refusal(&mut module(image, "%i: %image", "")), None);
    assert_eq!(refusal(&mut module("%sampler = type_sampler\n", "%s: %sampler", "")), None);
    let query = "%n: %i32 = image_query_samples %i";
    check_refused("images (image_query_samples)", image, "%i: %image", query);
}

#[test]
fn what_is_not_used_does_not_matter() {
    let globals = "%pipe = type_pipe 0\n%odd = type_int 24, 0\n";
    assert_eq!(refusal(&mut module(globals, "%i: %i32", "")), None);
}

#[test]
fn queues_pipes_and_barriers() {
    check_refused("device-side enqueue", "%queue = type_queue\n", "%q: %queue", "");
    check_refused("pipes", "%pipe = type_pipe 0\n", "%p: %pipe", "");
    check_refused("pipes", "%id = type_reserve_id\n", "%p: %id", "");
    check_refused("named barriers", "%barrier = type_named_barrier\n", "%p: %barrier", "");
    check_refused("opaque type secret", "%secret = type_opaque \"secret\"\n", "%p: %secret", "");
    check_refused("device-side enqueue (SPIR-V opcode 297)", "", "%e: %i32", "opaque 297, %e");
    check_refused("an unknown instruction (SPIR-V opcode 6000)", "", "%e: %i32", "opaque 6000, %e");
}

#[test]
fn dot_products_of_integers() {
    check_refused("integer dot products (dot)", "", "%p: %i32x4", "%d: %i32 = dot %p, %p");
}

#[test]
fn types_of_odd_sizes() {
    check_refused("integers of 24 bits", "%odd = type_int 24, 0\n", "%p: %odd", "");
    check_refused("vectors of 17 components", "%odd = type_vector %i32, 17\n", "%p: %odd", "");
    check_refused("floats of 80 bits", "%odd = type_float 80\n", "%p: %odd", "");
    let nested =
        "%odd = type_int 128, 0\n%array = type_array %odd, %one\n%pointer = type_pointer CrossWorkgroup, %array\n";
    check_refused("integers of 128 bits", nested, "%p: %pointer", "");
}

#[test]
fn function_pointers() {
    let function = "%callee.type = type_function %void\n%callee.pointer = type_pointer Function, %callee.type\n";
    check_refused("function pointers", function, "%p: %callee.pointer", "");
    let source = format!(
        "{HEAD}%callee.type = type_function %void
         func %callee: %void () {{
         block ^entry:
           return
         }}
         func %k: %void () {{
         block ^entry:
           %r: %void = function_call %callee
           %p: %i64 = bitcast %callee
           return
         }}"
    );
    assert_eq!(refusal(&mut text::parse(&source).unwrap()).as_deref(), Some("function pointers"));
}

#[test]
fn environments() {
    let refused = |model: &str| {
        let source = HEAD.replace("Physical64, OpenCL", model);
        refusal(&mut text::parse(&source).unwrap()).unwrap_or_default()
    };
    assert!(refused("Physical32, OpenCL").starts_with("addressing model Physical32"));
    assert!(refused("Logical, OpenCL").starts_with("addressing model Logical"));
    assert_eq!(refused("Physical64, Simple"), "a memory model that is not OpenCL's");
    assert_eq!(refused("Physical64, OpenCL"), "");
}
