//! Variables that are declared smaller than their lives say.

use reconverge_ir::{Module, text};
use reconverge_opencl::{Context, widen_variables};
use reconverge_verify::verify;

fn module(size: u32) -> Module {
    let text = format!(
        "%void = type_void
%u8 = type_int 8 0
%u32 = type_int 32 0
%pointer = type_pointer Function %u32
%bytes = type_pointer Function %u8
%fn = type_function %void
func %f: %void () type %fn control 0 stage graph {{
block ^entry:
  %v: %pointer = variable Function
  %other: %pointer = variable Function
  %cast: %bytes = bitcast %v
  lifetime_start %cast, {size}
  %x: %u32 = load %v, 2, 4
  store %other, %x
  return
}}
"
    );
    text::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_variable_gets_the_size_that_its_life_says() {
    let mut module = module(32);
    assert_eq!(widen_variables(&mut module, &mut Context::default()), Ok(true));
    assert_eq!(verify(&module), []);
    let text = text::print(&module);
    assert!(text.contains("constant 32"), "{text}");
    assert_eq!(text.matches(" = variable").count(), 2, "{text}");
    assert_eq!(widen_variables(&mut module, &mut Context::default()), Ok(false), "a second run changes nothing");
}

#[test]
fn a_variable_that_is_large_enough_stays() {
    for size in [1, 4] {
        let mut module = module(size);
        let before = text::print(&module);
        assert_eq!(widen_variables(&mut module, &mut Context::default()), Ok(false));
        assert_eq!(text::print(&module), before);
    }
}
