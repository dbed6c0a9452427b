//! Layouts of types: sizes and offsets as OpenCL C has them.

use reconverge_analysis::{Layout, LayoutError, Layouts, array_length};
use reconverge_ir::{Inst, Module, Op, text};

const TYPES: &str = "\
%void = type_void
%bool = type_bool
%i8 = type_int 8, 0
%i16 = type_int 16, 0
%i32 = type_int 32, 0
%i64 = type_int 64, 0
%f32 = type_float 32
%f64 = type_float 64
%three: %i32 = constant 3
%five: %i64 = constant words(5, 0)
%huge: %i64 = constant words(4294967295, 4294967295)
%chosen: %i32 = spec_constant 4
%v2i8 = type_vector %i8, 2
%v3f32 = type_vector %f32, 3
%v16f64 = type_vector %f64, 16
%pointer = type_pointer Generic, %i8
%event = type_event
%i16x3 = type_array %i16, %three
%v3f32x5 = type_array %v3f32, %five
%too_many = type_array %f64, %huge
%specialized = type_array %i32, %chosen
%unbounded = type_runtime_array %v3f32
%strided = type_array %i32, %three {decorate ArrayStride 16}
%plain = type_struct %i8, %v3f32, %i16x3
%packed = type_struct %i8, %v3f32, %i16x3, %i64 {decorate CPacked}
%inner = type_struct %i8, %i16
%outer = type_struct %inner, %i8, %pointer, %bool
%empty = type_struct
%placed = type_struct %i32, %i32, %i8 {member_decorate 0 Offset 8, member_decorate 1 Offset 32}
%with_specialized = type_struct %i32, %specialized
";

fn types() -> Module {
    text::parse(TYPES).unwrap_or_else(|error| panic!("{error}"))
}

fn named(module: &Module, name: &str) -> Inst {
    module.globals().find(|&global| module.name(global).as_deref() == Some(name)).expect("the type is named")
}

#[test]
fn sizes_and_alignments_are_those_of_opencl() {
    let module = types();
    let expected = [
        ("bool", 1, 1),
        ("i8", 1, 1),
        ("i64", 8, 8),
        ("f32", 4, 4),
        ("v2i8", 2, 2),
        ("v3f32", 16, 16),
        ("v16f64", 128, 128),
        ("pointer", 8, 8),
        ("event", 8, 8),
        ("i16x3", 6, 2),
        ("v3f32x5", 80, 16),
        ("strided", 48, 4),
        ("plain", 48, 16),
        ("packed", 31, 1),
        ("inner", 4, 2),
        ("outer", 24, 8),
        ("empty", 0, 1),
        ("placed", 40, 4),
    ];
    let mut layouts = Layouts::new();
    for (name, size, alignment) in expected {
        let ty = named(&module, name);
        assert_eq!(Layout::of(&module, ty), Ok(Layout { size, alignment }), "{name}");
        assert_eq!(layouts.of(&module, ty), Layout::of(&module, ty), "{name}");
    }
}

#[test]
fn members_stand_where_c_puts_them() {
    let module = types();
    let expected: [(&str, &[u64]); 5] = [
        ("plain", &[0, 16, 32]),
        ("packed", &[0, 1, 17, 23]),
        ("outer", &[0, 4, 8, 16]),
        ("placed", &[8, 32, 36]),
        ("empty", &[]),
    ];
    let mut layouts = Layouts::new();
    for (name, offsets) in expected {
        let ty = named(&module, name);
        for (member, &offset) in offsets.iter().enumerate() {
            assert_eq!(layouts.member_offset(&module, ty, member), Ok(offset), "{name} {member}");
        }
        assert_eq!(layouts.member_offset(&module, ty, offsets.len()), Err(LayoutError::Malformed { ty }), "{name}");
    }
}

#[test]
fn elements_and_lengths() {
    let module = types();
    let mut layouts = Layouts::new();
    for (name, stride) in
        [("v3f32x5", 16), ("i16x3", 2), ("strided", 16), ("specialized", 4), ("unbounded", 16), ("v3f32", 4)]
    {
        assert_eq!(layouts.element_stride(&module, named(&module, name)), Ok(stride), "{name}");
    }
    assert_eq!(array_length(&module, named(&module, "v3f32x5")), Ok(5));
    assert_eq!(module.element_type(named(&module, "i16x3")), Some(named(&module, "i16")));
    assert_eq!(module.element_type(named(&module, "plain")), None);
}

#[test]
fn what_has_no_layout_says_why() {
    let module = types();
    let error = |name: &str| Layout::of(&module, named(&module, name)).unwrap_err();
    let (specialized, length) = (named(&module, "specialized"), named(&module, "chosen"));
    assert_eq!(error("void"), LayoutError::Opaque { ty: named(&module, "void") });
    assert_eq!(error("specialized"), LayoutError::Specialized { ty: specialized, length });
    assert_eq!(error("with_specialized"), LayoutError::Specialized { ty: specialized, length });
    assert_eq!(error("unbounded"), LayoutError::Unbounded { ty: named(&module, "unbounded") });
    assert_eq!(error("too_many"), LayoutError::TooLarge { ty: named(&module, "too_many") });
    assert_eq!(error("with_specialized").ty(), specialized);
}

/// Every struct holds the one before it several times: without memory the walk would double at each step.
#[test]
fn nested_types_cost_no_more_than_they_are_long() {
    let mut source = String::from("%t0 = type_int 8, 0\n");
    for depth in 1..=62 {
        source += &format!("%t{depth} = type_struct %t{0}, %t{0}\n", depth - 1);
    }
    let module = text::parse(&source).unwrap();
    assert_eq!(Layout::of(&module, named(&module, "t62")), Ok(Layout { size: 1 << 62, alignment: 1 }));
}

#[test]
fn deep_nesting_needs_no_stack() {
    let mut module = text::parse("%i8 = type_int 8, 0\n%i16 = type_int 16, 0\n").unwrap();
    let (byte, mut ty) = (named(&module, "i8"), named(&module, "i16"));
    for _ in 0..100_000 {
        ty = module.edit().append_global(Op::TypeStruct, None, &[byte, ty]);
    }
    assert_eq!(Layout::of(&module, ty), Ok(Layout { size: 200_002, alignment: 2 }));
}
