//! What is shown instead of numbers: types, constants, and names of the source.

use reconverge_report::{Change, Recorder, Report};

/// Functions with names that the text form cannot have, one of them twice, and a value whose name is that of another.
pub(crate) const NAMED: &str = "capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %9, \"main\"
execution_mode %9, LocalSize 1, 1, 1
%1 = type_void
%2 = type_int 32, 0
%3 = type_int 32, 1
%4 = type_float 32
%5 = type_vector %4, 3
%6 = type_pointer Function, %5
%7 = type_bool
%Pair = type_struct %2, %2
%8 = type_function %1
%10 = type_function %2, %2
%20: %2 = constant 7
%21: %3 = constant 4294967295
%22: %4 = constant f32(0.5)
%23: %5 = constant_composite %22, %22, %22
%24: %7 = constant_true
%25: %Pair = constant_null
func %9: %1 () stage graph {
block ^30:
  %31: %2 = function_call %11, %20
  %32: %2 = function_call %12, %31
  %33: %2 = function_call %13, %32
  return
}
func %11: %2 (%40: %2 {name \"count[0]\"}) stage graph {name \"renderScene(vf2;\"} {
block ^41:
  %42: %2 = i_add %40, %20 {name \"sum\"}
  %43: %2 = i_add %42, %20 {name \"sum\"}
  branch_if %24 ^44 ^45
block ^44:
  return_value %43
block ^45:
  return_value %42
}
func %12: %2 (%50: %2) stage graph {name \"mix(u1;\"} {
block ^51:
  return_value %50
}
func %13: %2 (%60: %2) stage graph {name \"mix(i1;\"} {
block ^61:
  return_value %60
}
";

/// The report about it: as it is, and after a change.
pub(crate) fn named() -> Report {
    let [before, after] =
        [NAMED.to_owned(), NAMED.replace("constant 7", "constant 8").replace("i_add %42", "i_sub %42")]
            .map(|text| reconverge::ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}")));
    let mut recorder = Recorder::new(&before);
    recorder.record("nothing", None, Change::Nothing, &before);
    recorder.record("change", None, Change::Some, &after);
    recorder.finish()
}

#[test]
fn numbers_have_the_text_of_what_they_are() {
    let report = named();
    let text = |number: u32| report.passes[0].names.get(&number).map(String::as_str);
    let types = [1, 2, 3, 4, 5, 6, 7].map(text);
    assert_eq!(types, ["void", "u32", "i32", "f32", "f32x3", "Function f32x3*", "bool"].map(Some));
    let constants = [20, 21, 22, 23, 24, 25].map(text);
    assert_eq!(constants, ["7", "-1", "0.5", "(0.5, 0.5, 0.5)", "true", "null"].map(Some));
    // The entry point has the name that others call it by. Of two functions and of two values with one name, each has its number too.
    assert_eq!([9, 11, 12, 13].map(text), ["%main", "%renderScene", "%mix.12", "%mix.13"].map(Some));
    assert_eq!([40, 42, 43].map(text), ["%count_0_", "%sum.42", "%sum.43"].map(Some));
    assert_eq!([30, 31, 8].map(text), [None, None, None]);
}

#[test]
fn types_with_names_are_parts_of_others() {
    let text = NAMED.replace(
        "%Pair = type_struct %2, %2\n",
        "%14 = type_struct %2 {name \"A B\"}\n%15 = type_pointer Function, %14\n",
    );
    let text = text.replace("%25: %Pair = constant_null\n", "");
    let module = reconverge::ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let report = Recorder::new(&module).finish();
    let names = &report.passes[0].names;
    assert_eq!([14, 15].map(|number| names[&number].as_str()), ["%A_B", "Function %A_B*"]);
}

#[test]
fn a_pass_has_the_texts_that_are_not_as_before() {
    let report = named();
    assert!(report.passes[1].names.is_empty());
    let changed: Vec<(u32, &str)> =
        report.passes[2].names.iter().map(|(&number, text)| (number, text.as_str())).collect();
    assert_eq!(changed, [(20, "8")]);
}
