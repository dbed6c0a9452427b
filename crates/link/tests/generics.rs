//! Generics, interfaces, witness tables and imported constants.

use reconverge_generics::lower_generics;
use reconverge_ir::compare::compare;
use reconverge_ir::{Module, text};
use reconverge_link::{LinkOptions, ModuleInput, Roots, Undefined, link};
use reconverge_run::{InterpreterOptions, Launch, interpret};
use reconverge_verify::verify;

use crate::common::{errors, library, linked, linked_with, parsed};

pub(crate) const SHAPES: &str = include_str!("mini_language/shapes.ir");
pub(crate) const MAIN: &str = include_str!("mini_language/main.ir");

/// The head of all modules in these tests.
const HEAD: &str = "capability Kernel
capability Addresses
capability Linkage
memory_model Physical64, OpenCL
%type = type_kind {name \"kind\"}
%u32 = type_int 32, 0 {name \"u32\"}
%f32 = type_float 32 {name \"f32\"}
";

/// An interface with an associated type; the linkage is to be added.
const SHAPE: &str = "interface %Shape {decorate LinkageAttributes \"Shape\" LINKAGE} {
  %This: %type = generic_parameter
  %Scale: %type = requirement
  %area_type = type_function %f32, %This
  %area: %area_type = requirement
  %scaled_type = type_function %This, %This, %Scale
  %scaled: %scaled_type = requirement
}
";

const CIRCLE: &str = "%circle = type_struct %f32 {name \"circle\", decorate LinkageAttributes \"circle\" LINKAGE}
%circle_is_Shape = type_witness %circle, %Shape
";

const TABLE: &str =
    "%table: %circle_is_Shape = witness_table %Scale, %f32, %area, %circle.area, %scaled, %circle.scaled \
     {decorate LinkageAttributes \"circle.Shape\" 0}
func %circle.area: %f32 (%circle.area.c: %circle) stage generic {
block ^entry:
  %circle.area.radius: %f32 = composite_extract %circle.area.c, 0
  return_value %circle.area.radius
}
func %circle.scaled: %circle (%circle.scaled.c: %circle, %circle.scaled.by: %f32) stage generic {
block ^entry:
  %circle.scaled.radius: %f32 = composite_extract %circle.scaled.c, 0
  %circle.scaled.product: %f32 = f_mul %circle.scaled.radius, %circle.scaled.by
  %circle.scaled.result: %circle = composite_construct %circle.scaled.product
  return_value %circle.scaled.result
}
";

const NO_TABLE: &str = "%table: %circle_is_Shape = witness_table {decorate LinkageAttributes \"circle.Shape\" 1}\n";

const GENERIC: &str = "generic %twice {decorate LinkageAttributes \"twice\" 0} {
  %T: %type = generic_parameter
  %T_is_Shape = type_witness %T, %Shape
  %shape: %T_is_Shape = generic_parameter
  %area_of = lookup_witness %shape, %area
  func %body: %f32 (%x: %T) stage generic {
  block ^entry:
    %a: %f32 = function_call %area_of, %x
    %sum: %f32 = f_add %a, %a
    return_value %sum
  }
  return_value %body
}
";

const NO_GENERIC: &str = "generic %twice {decorate LinkageAttributes \"twice\" 1} {
  %T: %type = generic_parameter
  %T_is_Shape = type_witness %T, %Shape
  %shape: %T_is_Shape = generic_parameter
  func %body: %f32 (%x: %T) stage generic
  return_value %body
}
";

const USER: &str = "%twice.circle = specialize %twice, %circle, %table
func %use: %f32 (%c: %circle) stage generic {decorate LinkageAttributes \"use\" 0} {
block ^entry:
  %result: %f32 = function_call %twice.circle, %c
  return_value %result
}
";

const EXPORT: &str = "0";
const IMPORT: &str = "1";

/// A module of these parts, each with what stands for LINKAGE in it.
fn module(parts: &[(&str, &str)]) -> String {
    parts.iter().fold(HEAD.to_owned(), |all, (part, linkage)| all + &part.replace("LINKAGE", linkage))
}

/// The interface in one file, a type that fulfils it with the generic in another, and a user of both.
pub(crate) fn three_files() -> [String; 3] {
    [
        module(&[(SHAPE, EXPORT)]),
        module(&[(SHAPE, IMPORT), (CIRCLE, EXPORT), (TABLE, ""), (GENERIC, "")]),
        module(&[(SHAPE, IMPORT), (CIRCLE, IMPORT), (NO_TABLE, ""), (NO_GENERIC, ""), (USER, "")]),
    ]
}

/// The error of linking the definitions with a user in which something was replaced.
fn mismatch(original: &str, replacement: &str) -> String {
    let [interface, definitions, user] = three_files();
    assert!(user.contains(original), "{user}");
    errors(&[&interface, &definitions, &user.replace(original, replacement)])
}

#[test]
fn three_files_with_generics_are_one_program() {
    let [interface, definitions, user] = three_files();
    let text = linked(&[&interface, &definitions, &user]);
    assert!(!text.contains("\" 1}"), "nothing is imported\n{text}");
    for (what, count) in [("interface %", 1), ("generic %", 1), ("witness_table %", 1), ("type_struct", 1)] {
        assert_eq!(text.matches(what).count(), count, "{what}\n{text}");
    }
    let mut module = parsed(&text);
    lower_generics(&mut module).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&module), []);
    assert_eq!(module.generic_use(), None);
    let lowered = text::print(&module);
    assert!(lowered.contains("function_call %circle.area"), "{lowered}");
}

#[test]
fn what_is_not_reached_stays_behind() {
    let [interface, definitions, _] = three_files();
    let names = ["circle".to_owned()];
    let options = LinkOptions::new().roots(Roots::Named(&names));
    let text = text::print(&linked_with(&[&interface, &definitions], &options).expect("the circle is exported"));
    assert!(text.contains("%circle = type_struct") && !text.contains("interface"), "{text}");
    assert!(!text.contains("generic %") && !text.contains("func"), "{text}");
}

#[test]
fn contents_keep_their_order() {
    let [interface, definitions, user] = three_files();
    let text = linked(&[&interface, &definitions, &user]);
    let within = |start: &str| text.split(start).nth(1).and_then(|rest| rest.split("\n}").next()).unwrap_or_default();
    let names = |text: &str| -> Vec<String> {
        let lines = text.lines().skip(1).map(str::trim);
        lines.filter_map(|line| line.split([':', ' ']).next().map(str::to_owned)).collect()
    };
    let expected = ["%This", "%Scale", "%area_type", "%area", "%scaled_type", "%scaled"];
    assert_eq!(names(within("interface %Shape")), expected, "{text}");
    let generic = within("generic %twice");
    let places = ["%T: ", "%T_is_Shape = ", "%shape: ", "%area_of = ", "return_value %body"].map(|it| generic.find(it));
    assert!(places.is_sorted() && places[0].is_some(), "{generic}");
}

/// All groupings and orders; the types at module level have names, so that a paragraph of the text does not depend on the others.
#[test]
fn generics_link_in_steps_and_in_any_order() {
    let options = LinkOptions::new().roots(Roots::Library).undefined(Undefined::Allowed);
    let library = |modules: &[&Module]| -> Module {
        let mut inputs: Vec<ModuleInput> = modules.iter().map(|&it| ModuleInput::new("m", it.clone())).collect();
        link(&mut inputs, &options).unwrap_or_else(|errors| panic!("{}", errors[0]))
    };
    let modules = three_files().map(|source| parsed(&source));
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let [a, b, c] = [a, b, c].map(|number| &modules[number]);
        let whole = library(&[a, b, c]);
        for other in [library(&[&library(&[a, b]), c]), library(&[a, &library(&[b, c])]), library(&[&whole])] {
            if let Err(difference) = compare(&whole, &other) {
                panic!("{difference}\n{}\n{}", text::print(&whole), text::print(&other));
            }
        }
        let mut lowered = whole;
        lower_generics(&mut lowered).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(verify(&lowered), []);
    }
}

#[test]
fn open_imports_of_one_name_are_one() {
    let [_, _, user] = three_files();
    let other = user.replace("%use", "%again").replace("\"use\"", "\"again\"");
    let text = library(&[&user, &other]);
    for what in ["interface %", "generic %", "witness_table", "type_struct", "= specialize"] {
        assert_eq!(text.matches(what).count(), 1, "{what}\n{text}");
    }
    assert_eq!(text.matches("func %").count(), 3, "{text}");
}

#[test]
fn open_imports_of_one_name_agree() {
    let [_, _, user] = three_files();
    let other = user.replace("%use", "%again").replace("\"use\"", "\"again\"");
    let other = other.replace("%area_type = type_function %f32", "%area_type = type_function %u32");
    let options = LinkOptions::new().roots(Roots::Library).undefined(Undefined::Allowed);
    let errors = linked_with(&[&user, &other], &options).expect_err("the interfaces differ");
    let message = &errors[0].message;
    assert!(message.starts_with("Shape is imported as {Scale: type, area: u32("), "{message}");
    assert!(message.ends_with("part 3, result: u32 and f32"), "{message}");
    assert_eq!(errors[0].places[1].role, "imported elsewhere");
}

#[test]
fn a_missing_definition_is_an_error() {
    let [interface, definitions, user] = three_files();
    let messages = errors(&[&user]);
    for kind in ["generic twice", "interface Shape", "witness table circle.Shape", "type circle"] {
        assert!(messages.contains(&format!("no input defines the {kind} [link-undefined]")), "{messages}");
    }
    let exported = user.replace("\"twice\" 1", "\"twice\" 0").replace("\"circle.Shape\" 1", "\"circle.Shape\" 0");
    let messages = errors(&[&interface, &exported, &definitions.replace("\"circle.Shape\" 0", "\"other\" 0")]);
    assert!(
        messages.contains("the witness table circle.Shape is exported without a body [link-no-body]"),
        "{messages}"
    );
    let messages = errors(&[&interface, &exported, &definitions.replace("\"twice\" 0", "\"other\" 0")]);
    assert!(messages.contains("the generic twice is exported without a body [link-no-body]"), "{messages}");
}

#[test]
fn a_table_of_an_interface_that_requires_nothing_is_a_definition() {
    let marker = "interface %Shape {\n  %This: %type = generic_parameter\n}\n";
    let table = "%table: %circle_is_Shape = witness_table {decorate LinkageAttributes \"circle.Shape\" 0}\n";
    let text = linked(&[&module(&[(marker, ""), (CIRCLE, EXPORT), (table, "")])]);
    assert!(text.contains("witness_table {"), "{text}");
}

#[test]
fn two_definitions_are_an_error_but_of_equal_interfaces() {
    let [interface, definitions, user] = three_files();
    let messages = errors(&[&interface, &definitions, &user, &definitions.replace("\"circle\" 0", "\"circle2\" 0")]);
    assert!(messages.contains("two inputs define the generic twice [link-duplicate]"), "{messages}");
    assert!(messages.contains("two inputs define the witness table circle.Shape [link-duplicate]"), "{messages}");
    let text = linked(&[&interface, &definitions, &user, &interface]);
    assert_eq!(text.matches("interface %").count(), 1, "{text}");
    let other = interface.replace("%area: ", "%perimeter: ");
    let messages = errors(&[&interface, &definitions, &user, &other]);
    assert!(messages.contains(": part 3: perimeter and area [link-type]"), "{messages}");
}

#[test]
fn other_interfaces_do_not_fit() {
    let messages = mismatch("%area_type = type_function %f32, %This", "%area_type = type_function %f32, %f32");
    assert_eq!(
        messages.lines().next().unwrap(),
        "Shape is imported as {Scale: type, area: f32(f32), scaled: This(This, Scale)} and defined as \
         {Scale: type, area: f32(This), scaled: This(This, Scale)}: part 3, parameter 1: f32 and This [link-type]"
    );
    let messages =
        mismatch("  %Scale: %type = requirement\n", "  %Scale: %type = requirement\n  %More: %type = requirement\n");
    assert!(messages.contains(": 5 parts and 4 [link-type]"), "{messages}");
    let swapped = mismatch("type_function %This, %This, %Scale", "type_function %This, %Scale, %This");
    assert!(swapped.contains(": part 4, parameter 1: Scale and This [link-type]"), "{swapped}");
}

#[test]
fn other_generics_do_not_fit() {
    let messages = mismatch("func %body: %f32 (%x: %T)", "func %body: %u32 (%x: %T)");
    assert_eq!(
        messages.lines().next().unwrap(),
        "twice is imported as <T: type, shape: T is Shape> u32(T) and defined as <T: type, shape: T is Shape> f32(T): \
         what it returns, result: u32 and f32 [link-type]"
    );
    let messages = mismatch("func %body: %f32 (%x: %T)", "func %body: %f32 (%x: %circle)");
    assert!(messages.contains("what it returns, parameter 1: struct circle {f32} and T [link-type]"), "{messages}");
    let messages = mismatch("  %shape: %T_is_Shape = generic_parameter\n", "");
    assert!(messages.contains(": 1 parameters and 2 [link-type]"), "{messages}");
    let messages = mismatch(
        "  %T: %type = generic_parameter\n  %T_is_Shape = type_witness %T, %Shape\n",
        "  %T: %type = generic_parameter\n  %T_is_Shape = type_witness %f32, %Shape\n",
    );
    assert!(messages.contains(": parameter 2, subject: f32 and T [link-type]"), "{messages}");
}

#[test]
fn other_tables_do_not_fit() {
    let messages = mismatch(
        NO_TABLE,
        &format!("%f32_is_Shape = type_witness %f32, %Shape\n{}", NO_TABLE.replace("circle_is", "f32_is")),
    );
    assert_eq!(
        messages.lines().next().unwrap(),
        "circle.Shape is imported as f32 is Shape and defined as struct circle {f32} is Shape: \
         subject: f32 and struct circle {f32} [link-type]"
    );
    let messages = mismatch("circle.Shape\" 1", "twice\" 1");
    assert!(
        messages.contains("twice is imported as a witness table and defined as a generic [link-type]"),
        "{messages}"
    );
    let messages = mismatch(
        "interface %Shape {decorate LinkageAttributes \"Shape\" 1}",
        "interface %Shape {decorate LinkageAttributes \"twice\" 1}",
    );
    assert!(messages.contains("twice is imported as an interface and defined as a generic [link-type]"), "{messages}");
}

#[test]
fn generics_return_types_tables_and_generics() {
    let interface = "interface %Sized {decorate LinkageAttributes \"Sized\" LINKAGE} {
  %This: %type = generic_parameter
  %size_type = type_function %u32
  %size: %size_type = requirement
}
";
    let definitions = "%four: %u32 = constant 4 {decorate LinkageAttributes \"length\" 0}
generic %List {decorate LinkageAttributes \"List\" 0} {
  %List.T: %type = generic_parameter
  %array = type_array %List.T, %four
  %List.type = type_struct %array
  return_value %List.type
}
generic %List.Sized {decorate LinkageAttributes \"List.Sized\" 0} {
  %T: %type = generic_parameter
  %list = specialize %List, %T
  %list_is_Sized = type_witness %list, %Sized
  func %body: %u32 () stage generic {
  block ^entry:
    return_value %four
  }
  %table: %list_is_Sized = witness_table %size, %body
  return_value %table
}
generic %outer {decorate LinkageAttributes \"outer\" 0} {
  %outer.T: %type = generic_parameter
  generic %inner {
    %inner.n: %u32 = generic_parameter
    func %inner.body: %u32 (%inner.x: %outer.T) stage generic {
    block ^entry:
      return_value %inner.n
    }
    return_value %inner.body
  }
  return_value %inner
}
";
    let user = "%length: %u32 = imported_constant {decorate LinkageAttributes \"length\" 1}
%own = type_array %f32, %length
generic %List {decorate LinkageAttributes \"List\" 1} {
  %List.T: %type = generic_parameter
  %List.type = type_opaque \"List\"
  return_value %List.type
}
generic %List.Sized {decorate LinkageAttributes \"List.Sized\" 1} {
  %T: %type = generic_parameter
  %list = specialize %List, %T
  %list_is_Sized = type_witness %list, %Sized
  %table: %list_is_Sized = witness_table
  return_value %table
}
generic %outer {decorate LinkageAttributes \"outer\" 1} {
  %outer.T: %type = generic_parameter
  generic %inner {
    %inner.n: %u32 = generic_parameter
    func %inner.body: %u32 (%inner.x: %outer.T) stage generic
    return_value %inner.body
  }
  return_value %inner
}
%floats = specialize %List, %f32
%floats.Sized = specialize %List.Sized, %f32
%size_of_floats = lookup_witness %floats.Sized, %size
%outer.f32 = specialize %outer, %f32
%inner.f32 = specialize %outer.f32, %length
%one: %f32 = constant f32(1.0)
func %use: %u32 (%l: %floats, %o: %own) stage generic {decorate LinkageAttributes \"use\" 0} {
block ^entry:
  %size_here: %u32 = function_call %size_of_floats
  %n: %u32 = function_call %inner.f32, %one
  %sum: %u32 = i_add %size_here, %n
  return_value %sum
}
";
    let sources = [module(&[(interface, EXPORT), (definitions, "")]), module(&[(interface, IMPORT), (user, "")])];
    let text = linked(&[&sources[0], &sources[1]]);
    assert!(!text.contains("\" 1}") && !text.contains("imported_constant"), "{text}");
    let turned = linked(&[&sources[1], &sources[0]]);
    for text in [text, turned] {
        let mut module = parsed(&text);
        lower_generics(&mut module).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(verify(&module), [], "{text}");
        assert_eq!(text::print(&module).matches("type_array %f32, %four").count(), 1, "{text}");
    }
    let other = sources[1].replace("%inner.n: %u32 = generic_parameter", "%inner.n: %type = generic_parameter");
    let messages = errors(&[&sources[0], &other]);
    assert!(
        messages.contains("outer is imported as <T: type> <n: type> u32(T)")
            || messages.contains("what it returns, parameter 1: type and u32"),
        "{messages}"
    );
    let other = sources[1].replace("%length: %u32 = imported", "%length: %f32 = imported");
    let messages = errors(&[&sources[0], &other]);
    assert!(messages.contains("length is imported as f32 and defined as u32: f32 and u32 [link-type]"), "{messages}");
}

#[test]
fn an_exported_constant_without_a_value_is_an_error() {
    let exported = "%length: %u32 = imported_constant {decorate LinkageAttributes \"length\" 0}\n";
    let messages = errors(&[&module(&[(exported, "")])]);
    assert!(messages.contains("the constant length is exported without a body [link-no-body]"), "{messages}");
}

/// Interfaces that name each other, and one that has no symbol.
#[test]
fn interfaces_name_each_other() {
    let both = "interface %Left {decorate LinkageAttributes \"Left\" LINKAGE} {
  %Left.This: %type = generic_parameter
  %right_type = type_function %any_right, %Left.This
  %right: %right_type = requirement
}
interface %Right {decorate LinkageAttributes \"Right\" LINKAGE} {
  %Right.This: %type = generic_parameter
  %left_type = type_function %any_left, %Right.This
  %left: %left_type = requirement
}
%any_left = type_existential %Left
%any_right = type_existential %Right
";
    let user = "func %use: %any_right (%any: %any_left) stage generic {decorate LinkageAttributes \"use\" 0} {
block ^entry:
  %T = extract_type %any
  %T_is_Left = type_witness %T, %Left
  %witness: %T_is_Left = extract_witness %any
  %value: %T = extract_value %any
  %right_of = lookup_witness %witness, %right
  %result: %any_right = function_call %right_of, %value
  return_value %result
}
";
    let sources = [module(&[(both, EXPORT)]), module(&[(both, IMPORT), (user, "")])];
    for order in [[0, 1], [1, 0]] {
        let text = linked(&order.map(|number: usize| sources[number].as_str()));
        assert_eq!(text.matches("interface %").count(), 2, "{text}");
        assert_eq!(text.matches("= type_existential").count(), 2, "{text}");
    }
    let text = linked(&[&module(&[
        (&both.replace(" {decorate LinkageAttributes \"Right\" LINKAGE}", ""), EXPORT),
        (user, ""),
    ])]);
    assert_eq!(text.matches("interface %").count(), 2, "{text}");
    let messages = errors(&[&sources[0], &sources[1].replace(" {decorate LinkageAttributes \"Right\" 1}", "")]);
    assert!(messages.contains("interface: interface of its own in each module [link-type]"), "{messages}");
}

/// The two files of the example language: linked, lowered and run. A shape of `number` has five times its area, and a circle of it that
/// thousand times.
#[test]
fn two_files_of_a_language_with_interfaces_run() {
    const COUNT: usize = 32;
    let launch = format!(
        "{{\"kernel\": \"areas\", \"global\": [{COUNT}], \"args\": [
          {{\"kind\": \"buffer\", \"type\": \"f32\", \"count\": {COUNT}, \"output\": true}},
          {{\"kind\": \"buffer\", \"type\": \"f32\", \"count\": {COUNT},
            \"init\": {{\"rule\": \"lcg\", \"seed\": 5, \"mod\": 9, \"add\": -4}}}}]}}"
    );
    let launch = Launch::from_json(&launch).unwrap();
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
    };
    let numbers = floats(&launch.buffers().unwrap()[1]);
    assert!(numbers.iter().any(|&number| number < 0.0) && numbers.iter().any(|&number| number > 0.0));
    let expected = |number: &f32| {
        let square = number * number;
        let [circle, shape] = [square * 3.0, if *number < 0.0 { square } else { square * 3.0 }].map(|area| 5.0 * area);
        shape + circle * 1000.0
    };
    for sources in [[SHAPES, MAIN], [MAIN, SHAPES]] {
        let mut module =
            linked_with(&sources, &LinkOptions::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
        lower_generics(&mut module).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(verify(&module), []);
        let run = interpret(&module, &launch, InterpreterOptions::default()).unwrap();
        assert_eq!(run.failure, None);
        assert_eq!(floats(&run.buffers[0]), numbers.iter().map(expected).collect::<Vec<f32>>());
    }
}

/// A generic of another file uses a variable, which the entry point then lists.
#[test]
fn entry_points_list_the_variables_of_generics() {
    let library = "%pointer = type_pointer Input, %u32
%id: %pointer = variable Input {name \"id\", decorate BuiltIn 28}
generic %get {decorate LinkageAttributes \"get\" 0} {
  %T: %type = generic_parameter
  func %body: %u32 (%x: %T) stage generic {
  block ^entry:
    %value: %u32 = load %id
    return_value %value
  }
  return_value %body
}
";
    let kernel = "%void = type_void
%kernel_type = type_function %void
entry_point Kernel, %k, \"k\"
generic %get {decorate LinkageAttributes \"get\" 1} {
  %T: %type = generic_parameter
  func %body: %u32 (%x: %T) stage generic
  return_value %body
}
%get.u32 = specialize %get, %u32
%one: %u32 = constant 1
func %k: %void () type %kernel_type stage generic {
block ^entry:
  %x: %u32 = function_call %get.u32, %one
  return
}
";
    let text = linked(&[&module(&[(kernel, "")]), &module(&[(library, "")])]);
    assert!(text.contains("entry_point Kernel, %k, \"k\", %id\n"), "{text}");
}
