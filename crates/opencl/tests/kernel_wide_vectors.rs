//! Wide vectors in chunks: the same results, and no wide vector left as a value.

use reconverge_interpret::{End, Launch, Value, no_externals, run};
use reconverge_ir::{Module, Op, text};
use reconverge_opencl::{Context, Int64, KernelOptions, wide_vectors};
use reconverge_verify::verify;

const TYPES: &str = "
%bool = type_bool
%u8 = type_int 8 0
%u16 = type_int 16 0
%u32 = type_int 32 0
%u64 = type_int 64 0
%b8 = type_vector %bool 8
%v2 = type_vector %u32 2
%v4 = type_vector %u32 4
%v8 = type_vector %u32 8
%v16 = type_vector %u32 16
%h16 = type_vector %u16 16
%c8 = type_vector %u8 8
%c16 = type_vector %u8 16
%l2 = type_vector %u64 2
%l3 = type_vector %u64 3
%couple = type_struct %v8 %v8
%c0: %u32 = constant 0
%c1: %u32 = constant 1
%c7: %u32 = constant 7
%c9: %u32 = constant 9
%ones: %v8 = constant_composite %c1 %c7 %c1 %c7 %c9 %c9 %c1 %c0
%p8 = type_pointer Function %v8
%pl = type_pointer Function %l3
";

fn check(body: &str, int64: Int64) {
    let text = format!(
        "{TYPES}%fn = type_function %u32 %u32 %u32
func %f: %u32 (%a: %u32, %b: %u32) type %fn control 0 stage graph {{
block ^entry:
  %v: %p8 = variable Function
  %w: %pl = variable Function
  %x: %v8 = composite_construct %a, %b, %c1, %c7, %c9, %a, %b, %c0
  %y: %v8 = i_mul %x, %x
{body}
  return_value %r
}}
"
    );
    let before = text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&before), [], "{text}");
    let mut after = before.clone();
    let options = KernelOptions::new().int64(int64);
    assert_eq!(wide_vectors(&mut after, &mut Context::new(options.clone())), Ok(true));
    assert_eq!(verify(&after), [], "{}", text::print(&after));
    check_narrow(&after, int64);
    for (a, b) in [(0, 0), (1, 2), (7, 3), (0xffff_ffff, 5), (0x8000_0001, 0x1234_5678), (300, 70_000)] {
        let (wanted, found) = (result(&before, a, b), result(&after, a, b));
        assert_eq!(found, wanted, "{body}: {a:#x}, {b:#x}\n{}", text::print(&after));
    }
    let once = text::print(&after);
    assert_eq!(wide_vectors(&mut after, &mut Context::new(options)), Ok(false), "{once}");
}

fn result(module: &Module, a: u32, b: u32) -> u32 {
    let function = module.functions().next().expect("there is one");
    let launch = Launch::new([a, b].map(Value::u32));
    let outcome = run(module, function, &launch, &mut no_externals).expect("the launch fits");
    match &outcome.only().end {
        End::Returned(Some(value)) => value.as_u32().expect("a word"),
        other => panic!("{other:?}\n{}", text::print(module)),
    }
}

/// No value has more components than a device has.
fn check_narrow(module: &Module, int64: Int64) {
    let insts = module.functions().flat_map(|function| module.descendants(function));
    for ty in insts.filter_map(|inst| module.ty(inst)).filter(|&ty| module.op(ty) == Op::TypeVector) {
        let component = module.operand(ty, 0);
        let is_long =
            module.op(component) == Op::TypeInt && module.literal_word(module.operand(component, 0)) == Some(64);
        let most = if int64 == Int64::Split && is_long { 1 } else { 4 };
        assert!(module.literal_word(module.operand(ty, 1)) <= Some(most), "{}", text::print(module));
    }
}

#[test]
fn components_one_by_one() {
    let bodies = [
        "  %s: %v8 = i_add %x, %ones\n  %r: %u32 = composite_extract %s, 6",
        "  %s: %v8 = composite_insert %a, %y, 5\n  %t: %v8 = bitwise_xor %s, %x\n  %r: %u32 = composite_extract %t, 5",
        "  %s: %v16 = vector_shuffle %x, %y, 15, 0, 7, 8, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14\n  %r: %u32 = composite_extract %s, 2",
        "  %s: %v2 = vector_shuffle %x, %y, 14, 6\n  %r: %u32 = composite_extract %s, 0",
        "  %i: %u32 = bitwise_and %b, %c7\n  %r: %u32 = vector_extract_dynamic %y, %i",
        "  %i: %u32 = bitwise_and %a, %c7\n  %s: %v8 = vector_insert_dynamic %x, %b, %i\n  %r: %u32 = composite_extract %s, 5",
        "  %n: %v8 = s_negate %x\n  %q: %b8 = s_less_than %n, %x\n  %s: %v8 = select %q, %n, %x\n  %r: %u32 = composite_extract %s, 0",
    ];
    bodies.iter().for_each(|body| check(body, Int64::Native));
}

#[test]
fn tests_of_whole_vectors() {
    for (op, name) in
        [("any", "u_greater_than"), ("all", "u_greater_than"), ("any", "i_equal"), ("all", "u_less_than_equal")]
    {
        let body = format!("  %q: %b8 = {name} %x, %y\n  %t: %bool = {op} %q\n  %r: %u32 = select %t, %c7, %c9");
        check(&body, Int64::Native);
    }
}

#[test]
fn bits_in_components_of_another_width() {
    let extract = "  %l: %u16 = composite_extract %s, 9\n  %r: %u32 = u_convert %l";
    check(&format!("  %s: %h16 = bitcast %y\n{extract}"), Int64::Native);
    let body = "  %k: %v4 = vector_shuffle %x, %y, 0, 9, 2, 11\n  %s: %c16 = bitcast %k\n  %t: %v4 = bitcast %s\n  %r: %u32 = composite_extract %t, 3";
    check(body, Int64::Native);
    let body = "  %k: %v2 = vector_shuffle %x, %y, 0, 9\n  %s: %c8 = bitcast %k\n  %t: %u64 = bitcast %s\n  %r: %u32 = u_convert %t";
    check(body, Int64::Native);
}

#[test]
fn memory_and_couples() {
    let body = "  store %v, %y, 2, 32\n  %s: %v8 = load %v, 2, 32\n  %r: %u32 = composite_extract %s, 4";
    check(body, Int64::Native);
    let body = "  %m: %couple = u_mul_extended %x, %y\n  %s: %v8 = composite_extract %m, 1\n  %r: %u32 = composite_extract %s, 5";
    check(body, Int64::Native);
}

#[test]
fn parameters_of_blocks() {
    let body = "  %q: %bool = u_less_than %a, %b
  branch_if %q ^left ^right
block ^left:
  branch ^join(%x)
block ^right:
  branch ^join(%ones)
block ^join(%s: %v8):
  %t: %v8 = i_add %s, %y
  %r: %u32 = composite_extract %t, 1";
    check(body, Int64::Native);
}

#[test]
fn long_vectors_in_single_ones_where_the_device_has_none() {
    let start = "  %k: %u64 = u_convert %a\n  %n: %u64 = u_convert %b\n  %z: %l3 = composite_construct %k, %n, %k\n";
    let bodies = [
        "  %s: %l3 = i_mul %z, %z\n  %t: %u64 = composite_extract %s, 1\n  %r: %u32 = u_convert %t",
        "  store %w, %z, 2, 32\n  %s: %l3 = load %w, 2, 32\n  %t: %u64 = composite_extract %s, 2\n  %r: %u32 = u_convert %t",
        "  %s: %l2 = vector_shuffle %z, %z, 1, 3\n  %t: %v4 = bitcast %s\n  %r: %u32 = composite_extract %t, 2",
    ];
    bodies.iter().for_each(|body| check(&format!("{start}{body}"), Int64::Split));
}
