//! The text form: everything prints, and what was printed reads back as the same.

use reconverge_diagnostic::Place;
use reconverge_ir::text::{ErrorCode, parse, print};

/// Reads, prints, reads and prints again; the two printed texts must agree. Comes back with the printed text.
fn settle(text: &str) -> String {
    let module = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let printed = print(&module);
    let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(print(&again), printed);
    printed
}

/// A text that prints exactly as it is written.
fn exact(text: &str) {
    assert_eq!(settle(text), text);
}

const COUNT: &str = "\
capability Shader
%glsl = ext_inst_import \"GLSL.std.450\"
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\", %input
execution_mode %main, LocalSize, 8, 8, 1
%file = string \"count.comp\"
source GLSL, 450, %file
%void = type_void
%5 = type_function %void
%u32 = type_int 32, 0
%bool = type_bool
%zero: %u32 = constant 0
%one: %u32 = constant 1
%big = type_int 64, 0
%13: %big = constant words(1, 2)
%input_pointer = type_pointer Input, %u32
%input: %input_pointer = variable Input {decorate BuiltIn 29, decorate NonWritable}
%17 = type_function %u32, %u32
%missing: %u32 = undef

func %main: %void () type %5 control 0 stage graph at %file 3:1 {
block ^entry:
  %n: %u32 = load %input at %file 4:7
  %count: %u32 = function_call %count_up, %n
  return at none
}

func %count_up: %u32 (%n: %u32) type %17 control 0 stage structured {decorate LinkageAttributes \"count\" 0} {
block ^entry:
  loop ^header(%zero, %zero) break ^done continue ^next control 0
block ^header(%i: %u32, %sum: %u32):
  %more: %bool = u_less_than %i, %n
  branch_if %more ^40 ^exit weights 9 1
edge ^exit:
  branch ^done(%sum)
block ^40 {name \"the body\"}:
  if %more ^left ^right merge ^next control 1
block ^left:
  branch ^next
block ^right:
  structured_switch %i default ^next merge ^after control 0 [1 ^next] [words(2, 0) ^next]
block ^after:
  unreachable
block ^next:
  %i.next: %u32 = i_add %i, %one
  %41: %u32 = ext_inst %glsl, 5, %i.next
  branch ^header(%i.next, %41)
block ^done(%result: %u32 {decorate RelaxedPrecision}):
  return_value %result
}

func %imported: %void () type %5 control 0 stage graph
";

#[test]
fn a_program_prints_as_written() {
    exact(COUNT);
}

#[test]
fn a_name_that_is_no_word_is_written_as_decoration() {
    exact("%3 = type_void {name \"main(\"}\n%4 = type_bool {name \"\\x00\"}\n".replace("\\x00", "").as_str());
    let printed = settle("%x = type_void {name \"a b\"}\n");
    assert_eq!(printed, "%0 = type_void {name \"a b\"}\n");
}

#[test]
fn a_name_that_two_have_is_no_name() {
    exact("%3 = type_void {name \"t\"}\n%4 = type_bool {name \"t\"}\n");
}

#[test]
fn forward_pointers_stand_before_their_struct() {
    exact(
        "\
type_forward_pointer %pointer, PhysicalStorageBuffer
%u32 = type_int 32, 0
%node = type_struct %u32, %pointer
%pointer = type_pointer PhysicalStorageBuffer, %node
",
    );
}

#[test]
fn globals_come_after_what_they_use() {
    let printed = settle("%f = type_function %v, %s\n%v = type_void\n%s = type_struct %v\n%c: %s = undef\nnop\n");
    assert_eq!(printed, "%v = type_void\n%s = type_struct %v\n%f = type_function %v, %s\n%c: %s = undef\nnop\n");
    // No valid module goes round in a circle without a pointer declared ahead; it prints all the same, and the same again.
    settle("%s = type_struct %p\n%p = type_pointer Function, %s\n%a = type_array %a, %p\n");
}

#[test]
fn strings_hold_any_bytes() {
    exact(
        "source_extension \"a\\\"b\\\\c\\n\\t\\r\\x01 \\xff\\xc3 é 漢\"\nsource_extension \"\"\nsource_extension text(1, 2, 3)\n",
    );
}

#[test]
fn floats_are_numbers_and_keep_their_bits() {
    exact(
        "\
%half = type_float 16
%single = type_float 32
%double = type_float 64
%brain = type_float 16, 0
%1: %half = constant f16(0.5)
%2: %single = constant f32(0.1)
%3: %single = constant f32(-0.0)
%4: %single = constant f32(-inf)
%5: %single = constant f32(3.4028235e38)
%6: %single = constant 2143289345
%7: %double = constant f64(0.1)
%8: %double = constant f64(1e300)
%9: %brain = constant 16256
%10: %single = spec_constant f32(1.0)
",
    );
    // A number of another width keeps its words, and so does a number without a spelling.
    exact("%half = type_float 16\n%1: %half = constant 131072\n%2: %half = constant words(1, 0)\n");
    let words = "%single = type_float 32\n%1: %single = constant 1056964608\n";
    assert_eq!(settle(words), words.replace("1056964608", "f32(0.5)"));
}

#[test]
fn opaque_instructions_print() {
    exact("%a = opaque_result 4500, \"x\", 7\n%b: %a = opaque_typed 4501, %a\nopaque 4502, %b, words(1, 2)\n");
}

#[test]
fn misshapen_terminators_print_in_parentheses() {
    exact(
        "\
%void = type_void
%1 = type_function %void

func %f: %void () type %1 control 0 stage graph {
block ^a:
  branch()
block ^b:
  switch(^a)
block ^c:
  if(^a, ^a, ^a)
block ^d:
  loop(^a, 1)
block ^e:
  %x: none = i_add
}
",
    );
}

#[test]
fn errors_have_place_and_code() {
    let cases: [(&str, usize, usize, ErrorCode); 24] = [
        ("%a = type_voit", 1, 6, ErrorCode::Op),
        ("\n  %a = type_void type_bool", 2, 18, ErrorCode::Enumerant),
        ("%a = type_void\n%a = type_bool", 2, 1, ErrorCode::Duplicate),
        ("%5 = type_void\n%5 = type_bool", 2, 1, ErrorCode::Duplicate),
        ("%a = type_array %b, %c", 1, 17, ErrorCode::Undefined),
        ("type_void", 1, 1, ErrorCode::Result),
        ("%a = undef", 1, 6, ErrorCode::Result),
        ("%a: %a = type_void", 1, 10, ErrorCode::Result),
        ("%a = nop", 1, 6, ErrorCode::Result),
        ("capability Shade", 1, 12, ErrorCode::Enumerant),
        ("%4194304 = type_void", 1, 1, ErrorCode::Limit),
        ("%a = type_int 4294967296, 0", 1, 15, ErrorCode::Number),
        ("extension \"a", 1, 11, ErrorCode::String),
        ("extension \"\\q\"", 1, 12, ErrorCode::String),
        ("extension \"\\x00\"", 1, 11, ErrorCode::String),
        ("# = 3", 1, 1, ErrorCode::Character),
        ("%v = type_void nop", 1, 16, ErrorCode::Enumerant),
        ("func %f: %v () {\nblock ^a:\n", 3, 1, ErrorCode::Syntax),
        ("name \"x\"", 1, 1, ErrorCode::Op),
        ("nop at %f 1:2", 1, 8, ErrorCode::Undefined),
        ("nop, nop", 1, 4, ErrorCode::Syntax),
        ("%f = type_float f32(1.0x)", 1, 21, ErrorCode::Number),
        ("%f = type_float f32(1.0", 1, 21, ErrorCode::Number),
        ("%f = type_float f16(0.1)", 1, 21, ErrorCode::Number),
    ];
    for (text, line, column, code) in cases {
        let error = parse(text).expect_err(text);
        assert!(error.is(code), "{text}: {error}");
        assert_eq!(error.place, Place::Line(line, column), "{text}: {error}");
    }
}

#[test]
fn generics_and_interfaces_print_as_written() {
    exact(
        "\
%f32 = type_float 32
%type = type_kind

interface %Shape {
  %This: %type = generic_parameter
  %area_type = type_function %f32, %This
  %Shape.area: %area_type = requirement
}

generic %outer {
  %T: %type = generic_parameter
  %0 = type_function %f32, %T
  %pointer = type_pointer Function, %T

  generic %inner {
    %U: %type = generic_parameter

    func %body: %f32 (%x: %T) type %0 control 0 stage generic {
    block ^entry:
      %u: %U = undef
      unreachable
    }
    return_value %body
  }
  %same = specialize %inner, %T
  return_value %same
}

generic %empty {
}
%any = type_existential %Shape
",
    );
}

#[test]
fn names_of_a_generic_are_known_in_it_alone() {
    let twice = "
        %type = type_kind
        generic %a {
          %T: %type = generic_parameter
        }
        generic %b {
          %T: %type = generic_parameter
        }";
    assert_eq!(settle(twice).matches("%T: %type").count(), 2);
    let hidden = parse(&twice.replace("%type = type_kind", "%type = type_kind\n%T = type_bool"));
    assert_eq!(hidden.unwrap_err().code, ErrorCode::Duplicate);
    let outside = parse(&format!("{twice}\n%p = type_pointer Function, %T"));
    assert_eq!(outside.unwrap_err().code, ErrorCode::Undefined);
}

#[test]
fn generics_nest_to_a_limit() {
    let nest = |depth: usize| {
        let mut text = String::new();
        (0..depth).for_each(|level| text += &format!("generic %g{level} {{\n"));
        (0..depth).for_each(|_| text += "}\n");
        text
    };
    settle(&nest(64));
    assert_eq!(parse(&nest(65)).unwrap_err().code, ErrorCode::Limit);
    assert_eq!(parse(&nest(100_000)).unwrap_err().code, ErrorCode::Limit);
    let open = parse("generic %g {\n").unwrap_err();
    assert_eq!(open.code, ErrorCode::Syntax);
}
