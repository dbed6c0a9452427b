//! The library as its users see it: one call, or the steps one by one.

use reconverge::ir::Module;
use reconverge::pipeline::{Level, REPAIRS};
use reconverge::{
    CompileOptions, Error, Format, Kind, OptionValues, Place, Source, Step, compile, read, read_source,
    require_no_generics, run, write, write_with,
};

const DIAMOND: &str = "
%void = type_void
%bool = type_bool
%true: %bool = constant_true
%fn = type_function %void
func %main: %void () type %fn control 0 stage graph {
block ^entry:
  branch_if %true ^left ^right
block ^left:
  branch ^end
block ^right:
  branch ^end
block ^end:
  return
block ^nowhere:
  branch ^end
}
";

fn text_to_text(text: &str, options: &CompileOptions) -> Result<String, Error> {
    let output = compile(text.as_bytes(), Format::TEXT, Format::TEXT, options)?;
    Ok(String::from_utf8(output.bytes).expect("the text form is UTF-8"))
}

#[test]
fn one_call_does_it_all() {
    let output = compile(DIAMOND.as_bytes(), Format::TEXT, Format::TEXT, &CompileOptions::new().level(Level::None));
    let output = output.expect("the module is fine");
    let text = String::from_utf8(output.bytes).expect("the text form is UTF-8");
    assert!(text.contains("if %true ^left ^right merge ^end") || text.contains("stage structured"), "{text}");
    assert!(!text.contains("nowhere"), "{text}");
    let [structurized] = output.run.structurized.as_slice() else { panic!("one function") };
    assert_eq!(structurized.report.added_blocks(), 0);
    assert_eq!((structurized.parameters_before, structurized.parameters_after), (0, 0));
}

#[test]
fn the_steps_one_by_one_give_the_same() {
    let mut module = read(DIAMOND.as_bytes(), Format::TEXT).expect("the module is fine");
    let mut seen = Vec::new();
    let ran = run(&mut module, &CompileOptions::new().level(Level::None), &mut |step, _| {
        seen.push((step.pass, step.functions_changed))
    });
    ran.expect("the module is fine");
    let right = [
        ("known_faults", 0),
        ("missing_conversions", 0),
        ("split_shared_headers", 0),
        ("remove_dead_ends", 0),
        ("remove_unreachable", 1),
        ("structurize", 1),
    ];
    assert_eq!(seen, right);
    let bytes = write(&module, Format::TEXT).expect("everything prints");
    let whole = text_to_text(DIAMOND, &CompileOptions::new().level(Level::None)).expect("the module is fine");
    assert_eq!(String::from_utf8_lossy(&bytes), whole);
}

#[test]
fn what_is_structured_stays_as_it_is() {
    let once = text_to_text(DIAMOND, &CompileOptions::new().level(Level::None)).expect("the module is fine");
    let twice = text_to_text(&once, &CompileOptions::new().level(Level::None)).expect("the output is an input");
    assert_eq!(once, twice);
    let stripped = CompileOptions::new().strip_merges(true).level(Level::None);
    let anew = text_to_text(&once, &stripped).expect("the output is an input");
    assert_eq!(once, anew);
}

#[test]
fn stopping_early_leaves_the_stage() {
    let options = CompileOptions::new().stop_after(Some("remove_unreachable".to_owned())).level(Level::None);
    let text = text_to_text(DIAMOND, &options).expect("the module is fine");
    assert!(text.contains("stage graph") && !text.contains("nowhere"), "{text}");
}

#[test]
fn errors_have_a_kind_a_code_and_a_place() {
    let error = text_to_text("%x = no_such_op\n", &CompileOptions::new().level(Level::None)).expect_err("no such op");
    assert_eq!((error.kind(), error.code().name), (Kind::Rejected, "text-op"));
    assert!(matches!(error.place(), Some(Place::Line(1, _))));

    let error = read(&[0; 24], Format::SPIRV).expect_err("no SPIR-V");
    assert_eq!((error.kind(), error.code().name), (Kind::Rejected, "spirv-magic"));
    assert_eq!(error.place(), Some(Place::Word(0)));

    let mut options = CompileOptions::new().level(Level::None);
    options.structurize.block_limit = 2;
    let error = text_to_text(DIAMOND, &options).expect_err("more blocks than the limit");
    assert_eq!((error.kind(), error.code().name), (Kind::Limit, "structurize-limit"));
    assert_eq!(error.function(), Some("%main"));
}

#[test]
fn an_invalid_module_is_left_untouched() {
    let text = DIAMOND.replace("block ^end:\n  return", "block ^end:\n  nop\n  return_value %true");
    let mut module = read(text.as_bytes(), Format::TEXT).expect("well formed");
    let before = write(&module, Format::TEXT).expect("everything prints");
    let mut repaired_alone = |step: &Step, _: &Module| assert!(REPAIRS.contains(&step.pass), "no other pass runs");
    let error =
        run(&mut module, &CompileOptions::new().level(Level::None), &mut repaired_alone).expect_err("returns a value");
    assert!(matches!(&error, Error::Invalid(findings) if !findings.is_empty()), "{error}");
    assert_eq!(write(&module, Format::TEXT).expect("everything prints"), before);
}

/// A shader whose entry point calls what a generic returns.
const GENERIC: &str = "capability Shader\nmemory_model Logical, GLSL450\nentry_point GLCompute, %main, \"main\"\n\
    execution_mode %main, LocalSize, 1, 1, 1\n%void = type_void\n%type = type_kind\n%u32 = type_int 32, 0\n\
    generic %g {\n%T: %type = generic_parameter\nfunc %body: %void () stage generic {\nblock ^b:\n  return\n}\n\
    return_value %body\n}\n%g.u32 = specialize %g, %u32\n\
    func %main: %void () stage generic {\nblock ^entry:\n  %call: %void = function_call %g.u32\n  return\n}\n";

#[test]
fn generics_are_lowered_or_refused_with_the_chain_of_uses() {
    let lowered = text_to_text(GENERIC, &CompileOptions::new().level(Level::None)).expect("the generic is replaced");
    assert!(!lowered.contains("generic"), "{lowered}");
    let module = read(GENERIC.as_bytes(), Format::TEXT).expect("well formed");
    let error = require_no_generics(&module).expect_err("there are generics");
    assert_eq!((error.kind(), error.code().name), (Kind::Unsupported, "stage-generic"));
    let message = error.message();
    for step in ["`%g.u32 = specialize %g, %u32`", "function_call %g.u32", "func %main", "entry_point GLCompute, %main"]
    {
        assert!(message.contains(step), "{message}");
    }
    let module = read(GENERIC.as_bytes(), Format::TEXT).expect("well formed");
    let error = write(&module, Format::SPIRV).expect_err("SPIR-V has no generics");
    assert_eq!(error.code().name, "write-generic");
    assert!(error.message().contains("`%g.u32 = specialize %g, %u32`"), "{error}");
    assert!(write(&module, Format::TEXT).is_ok());
}

/// Loops in loops, each of which asks at first what never changes: a test in front of each inner loop would cost less.
fn nest(depth: usize) -> String {
    let mut source = "capability Shader\ncapability Linkage\nmemory_model Logical, GLSL450\n%bool = type_bool\n%u32 = type_int 32, 0\n\
                      %zero: %u32 = constant 0\n%one: %u32 = constant 1\n%word = type_pointer Private, %u32\n%v: %word = variable Private\n\
                      func %f: %u32 (%n: %u32) {decorate LinkageAttributes \"f\" 0} {\nblock ^entry:\n  branch ^h0(%zero)\n"
        .to_owned();
    for level in 0..depth {
        source += &format!(
            "block ^h{level}(%i{level}: %u32):\n  %c{level}: %bool = u_less_than %i{level}, %n\n  branch_if %c{level} ^g{level} ^x{level}\n"
        );
        if level + 1 < depth {
            source += &format!("block ^g{level}:\n  branch ^h{}(%zero)\n", level + 1);
        } else {
            source += &format!("block ^g{level}:\n  store %v, %i{level}\n  branch ^t{level}\n");
        }
    }
    for level in (0..depth).rev() {
        source +=
            &format!("block ^t{level}:\n  %j{level}: %u32 = i_add %i{level}, %one\n  branch ^h{level}(%j{level})\n");
        source += &match level {
            0 => "block ^x0:\n  return_value %i0\n".to_owned(),
            _ => format!("block ^x{level}:\n  branch ^t{}\n", level - 1),
        };
    }
    source + "}\n"
}

#[test]
fn loops_are_tested_in_front_as_far_as_nesting_goes() {
    let ifs = |depth: usize, nesting_limit: u32| {
        let mut options = CompileOptions::new().level(reconverge::pipeline::Level::Speed);
        options.structurize.nesting_limit = nesting_limit;
        let text = text_to_text(&nest(depth), &options).expect("the module is fine");
        text.matches("  if ").count()
    };
    let free = CompileOptions::new().level(Level::None).structurize.nesting_limit;
    assert_eq!(ifs(4, free), 3);
    assert_eq!(ifs(4, free - 1), 0, "less was asked for");
    assert_eq!(ifs(40, free), 0, "eighty would be too deep");
}

/// Lanes leave the loop apart, and the switch asks about a value that is loaded in it: as it stands, they may have loaded different ones. Only
/// once the load is in front of the loop all go one way, and a product that two of four ways need is worth two copies.
const SWITCH_BEHIND_A_LOOP: &str = "
capability Shader
memory_model Logical, GLSL450
entry_point GLCompute, %main, \"main\", %id
execution_mode %main, LocalSize, 64, 1, 1
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%zero: %u32 = constant 0
%one: %u32 = constant 1
%u32_3 = type_vector %u32, 3
%in = type_pointer Input, %u32_3
%id: %in = variable Input {decorate BuiltIn 28}
%pushed = type_struct %u32 {decorate Block, member_decorate 0 Offset 0}
%push_pushed = type_pointer PushConstant, %pushed
%push_u32 = type_pointer PushConstant, %u32
%push: %push_pushed = variable PushConstant
%array = type_runtime_array %u32 {decorate ArrayStride 4}
%block = type_struct %array {decorate Block, member_decorate 0 Offset 0}
%to_block = type_pointer StorageBuffer, %block
%to_u32 = type_pointer StorageBuffer, %u32
%buffer: %to_block = variable StorageBuffer {decorate DescriptorSet 0, decorate Binding 0}
%fn = type_function %void
func %main: %void () type %fn control 0 stage structured {
block ^entry:
  %invocation: %u32_3 = load %id
  %lane: %u32 = composite_extract %invocation, 0
  %mine: %to_u32 = access_chain %buffer, %zero, %lane
  loop ^head(%zero) break ^behind continue ^back control 0
block ^head(%i: %u32):
  %to_way: %push_u32 = access_chain %push, %zero
  %way: %u32 = load %to_way
  %place: %to_u32 = access_chain %buffer, %zero, %i
  store %place, %way
  %next: %u32 = i_add %i, %one
  %again: %bool = u_less_than %next, %lane
  branch_if %again ^back ^behind
block ^back:
  branch ^head(%next)
block ^behind:
  %product: %u32 = i_mul %lane, %lane
  structured_switch %way default ^rest merge ^join control 0 [0 ^first] [1 ^second] [2 ^third]
block ^first:
  store %mine, %product
  branch ^join
block ^second:
  %sum: %u32 = i_add %product, %one
  store %mine, %sum
  branch ^join
block ^third:
  store %mine, %one
  branch ^join
block ^rest:
  store %mine, %zero
  branch ^join
block ^join:
  return
}
";

#[test]
fn what_motion_found_out_about_lanes_is_not_what_holds_behind_it() {
    let options = CompileOptions::new().level(Level::Speed);
    let once = text_to_text(SWITCH_BEHIND_A_LOOP, &options).expect("the module is fine");
    assert_eq!(once.matches("i_mul").count(), 2, "{once}");
    assert_eq!(text_to_text(&once, &options).expect("and still is"), once);
}

#[test]
fn a_pass_that_does_not_exist_is_an_error() {
    let of = |options: CompileOptions| text_to_text("%void = type_void\n", &options).map_err(|error| error.code().name);
    let passes = vec!["gnv".to_owned()];
    assert_eq!(of(CompileOptions::new().passes(passes).level(Level::None)), Err("unknown-pass"));
    let stop_after = Some("gnv".to_owned());
    assert_eq!(of(CompileOptions::new().stop_after(stop_after).level(Level::None)), Err("unknown-pass"));
}

#[test]
fn options_belong_to_formats() {
    let group = Format::DXIL.read_options();
    let shift = group.find("shift").expect("DXIL has the option");
    let mut options = OptionValues::default();
    let error = options.give(shift, vec!["t".to_owned()]).expect_err("a shift has a number");
    assert_eq!(error, "expected a class and a number such as t=100, found t");
    options.give(shift, vec!["t=100".to_owned()]).expect("this is a shift");
    assert_eq!(options.one("shift"), Some("t=100"));

    let source = Source::new(DIAMOND.as_bytes()).options(&options);
    let error = read_source(Format::TEXT, source).expect_err("the text form has no options");
    assert_eq!((error.code().name, error.kind()), ("format-option", Kind::Options));
    assert_eq!(error.message(), "shift is no option of the text form of the IR");

    let module = read(DIAMOND.as_bytes(), Format::TEXT).expect("the text is a module");
    let error = write_with(&module, Format::SPIRV, &options).expect_err("SPIR-V has no options");
    assert_eq!(error.message(), "shift is no option of SPIR-V");
    assert!(Format::SPIRV.write_options().options.is_empty());
    assert!(Format::WGSL.write_options().find("shader-version").is_some());
}

#[test]
fn the_default_options_optimize_for_speed() {
    assert_eq!((Level::default(), CompileOptions::new().level), (Level::Speed, Level::Speed));
    let of = |options: CompileOptions| text_to_text(DIAMOND, &options).expect("the module is fine");
    let by_default = of(CompileOptions::default());
    assert_eq!(by_default, of(CompileOptions::new().level(Level::Speed)));
    assert_ne!(by_default, of(CompileOptions::new().level(Level::None)));
}

/// The texts of an error and of its sources.
fn chain(error: &dyn std::error::Error) -> Vec<String> {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect()
}

#[test]
fn an_error_prints_its_place_its_code_and_what_helps_once() {
    let error = text_to_text("%x = no_such_op\n", &CompileOptions::new()).expect_err("no such op");
    let (place, code) = (error.place().expect("it is in a line"), error.code().name);
    let [text] = chain(&error).try_into().expect("an error has no source that it does not print");
    assert!(text.starts_with(&format!("{place}: {} [{code}]", error.message())), "{text}");
    assert!(!error.help().is_empty() && text.ends_with(&format!("\n  help: {}", error.help())), "{text}");
    assert_eq!(text.matches(&error.message()).count(), 1, "{text}");
}

#[test]
fn an_error_of_a_function_prints_its_name_and_one_of_rules_the_first_instruction() {
    let mut options = CompileOptions::new();
    options.structurize.block_limit = 2;
    let limit = text_to_text(DIAMOND, &options.level(Level::None)).expect_err("more blocks than the limit").to_string();
    assert!(limit.starts_with("in function %main: ") && limit.contains("[structurize-limit]"), "{limit}");

    let text = DIAMOND.replace("  return\n", "  return_value %true\n");
    let invalid = text_to_text(&text, &CompileOptions::new()).expect_err("the function returns nothing");
    let Error::Invalid(findings) = &invalid else { panic!("{invalid}") };
    let first = format!("; first: {} [{}]\n  in: {}", findings[0].message, findings[0].code, findings[0].context);
    assert!(invalid.to_string().contains(&first), "{invalid}");
}
