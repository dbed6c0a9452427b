//! The rules of WGSL's uniformity analysis, U01 to U12, each over programs that were made from WGSL: `tests/filetests/check/wgsl`.
//!
//! The name of a file says what Tint says of its source, which stands in the file: `fires` or `quiet`. Programs that WGSL accepts and the
//! checks do not are `open`. The filetests hold what exactly is said; here only whether, and what changes it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use reconverge_diagnose::{Code, Diagnosis, Level, Options, check};
use reconverge_ir::text::parse;
use reconverge_ir::{Module, Op};
use reconverge_verify::verify;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/filetests/check/wgsl");

/// The files by name, without the extension.
fn files() -> BTreeMap<String, String> {
    let entries = fs::read_dir(Path::new(FOLDER)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .collect()
}

fn valid(name: &str, text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let findings = verify(&module);
    assert!(findings.is_empty(), "{name}: {}", findings[0]);
    module
}

/// What the uniformity checks say.
fn said(name: &str, text: &str) -> Vec<Diagnosis> {
    let mut options = Options::off();
    options.set_rule("wgsl", Level::Error).unwrap();
    check(&valid(name, text), &options)
}

/// Holds the files of a rule to their names. There must be some that fire and some that do not.
#[track_caller]
fn hold(rule: &str, codes: &[Code]) {
    let (mut fires, mut quiet) = (0, 0);
    for (name, text) in files().iter().filter(|(name, _)| name.starts_with(rule)) {
        let found: Vec<Code> = said(name, text).iter().map(|diagnosis| diagnosis.code).collect();
        match name.rsplit('_').next() {
            Some("fires") => fires += 1,
            Some("quiet") => quiet += 1,
            ending => assert_eq!(ending, Some("open"), "{name}"),
        }
        assert_eq!(!found.is_empty(), !name.ends_with("quiet"), "{name}: {found:?}");
        assert!(found.iter().all(|code| codes.contains(code)), "{name}: {found:?}");
    }
    assert!(fires > 0 && quiet > 0, "{rule}: {fires} fire, {quiet} do not");
}

const BARRIER: &[Code] = &[Code::W01, Code::W06];

#[test]
fn u01_functions_callees_first() {
    hold("U01", BARRIER);
}

#[test]
fn u02_what_functions_return_and_store_by_what_they_are_given() {
    hold("U02", BARRIER);
}

#[test]
fn u03_if_switch_and_short_circuits() {
    hold("U03", &[Code::W01, Code::W02]);
}

#[test]
fn u04_loops() {
    hold("U04", BARRIER);
}

#[test]
fn u05_break_if() {
    hold("U05", BARRIER);
}

#[test]
fn u06_what_follows_a_jump() {
    hold("U06", BARRIER);
}

#[test]
fn u07_returns() {
    hold("U07", BARRIER);
}

#[test]
fn u08_variables() {
    hold("U08", BARRIER);
}

#[test]
fn u09_sources() {
    hold("U09", &[Code::W01, Code::W02, Code::W06]);
}

#[test]
fn u10_requirements_and_filters() {
    hold("U10", &[Code::W01, Code::W02, Code::W03, Code::W05]);
    let of = |name: &str, code: Code| {
        let text = &files()[name];
        let mut options = Options::off();
        options.set_rule("wgsl", Level::Error).unwrap();
        assert_eq!(check(&valid(name, text), &options).first().map(|diagnosis| diagnosis.code), Some(code), "{name}");
        options.set_rule("derivative_uniformity", Level::Off).unwrap();
        options.set_rule("subgroup_uniformity", Level::Off).unwrap();
        check(&valid(name, text), &options).len()
    };
    assert_eq!(of("U10_sample_fires", Code::W02), 0);
    assert_eq!(of("U10_subgroup_add_fires", Code::W03), 0);
    assert_eq!(of("U10_shuffle_up_by_lane_fires", Code::W05), 0);
    assert_eq!(of("U10_storage_barrier_fires", Code::W01), 1, "no filter takes a barrier away");
}

#[test]
fn u11_scopes() {
    hold("U11", &[Code::W01, Code::W03]);
}

/// Every diagnosis says step by step where lanes come to differ; each step but the last leads to the next, the last is a source.
#[test]
fn u12_the_way_from_the_requirement_to_the_source() {
    let sources = [
        "input that differs",
        "other invocations may write",
        "a value of its own",
        "operations other than loads",
        "a pointer parameter",
    ];
    for (name, text) in files() {
        let module = valid(&name, &text);
        for diagnosis in said(&name, &text) {
            let path = &diagnosis.path;
            let last = path.last().unwrap_or_else(|| panic!("{name}: no path"));
            assert!(sources.iter().any(|source| last.text.contains(source)), "{name}: {}", last.text);
            let mut insts: Vec<_> = path.iter().map(|step| step.inst).collect();
            insts.dedup();
            for pair in insts.windows(2) {
                let is_fed = module.operands(pair[0]).any(|operand| operand == pair[1]);
                let through = [Op::Load, Op::BlockParameter, Op::FunctionCall, Op::ReturnValue, Op::Variable];
                let is_call = module.op(pair[1]) == Op::FunctionCall;
                let is_elsewhere =
                    through.contains(&module.op(pair[0])) || is_call || module.op(pair[1]).is_terminator();
                assert!(is_fed || is_elsewhere, "{name}: {path:?}");
            }
        }
    }
}

/// Files whose name ends so and that read a built-in.
fn by_built_in(ending: &str, built_in: &str) -> Vec<(String, String)> {
    let is_meant = |(name, text): &(String, String)| name.ends_with(ending) && text.contains(built_in);
    files().into_iter().filter(is_meant).collect()
}

/// But for those with another source, or an operation that is one.
#[test]
fn the_same_program_with_a_uniform_source_is_quiet() {
    let others =
        ["U02_read_through", "U02_stored_through", "U09_", "U04_behind_loop_with_return", "U10_shuffle_xor", "U11_"];
    let mut count = 0;
    for (name, text) in by_built_in("fires", "decorate BuiltIn 29}") {
        if others.iter().any(|other| name.starts_with(other)) {
            continue;
        }
        let uniform = text.replace("decorate BuiltIn 29}", "decorate BuiltIn 38}");
        assert_eq!(said(&name, &uniform), [], "{name}");
        count += 1;
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn the_same_program_with_a_divergent_source_fires() {
    let files = by_built_in("quiet", "decorate BuiltIn 26}");
    assert!(files.len() >= 6, "{}", files.len());
    for (name, text) in files {
        let divergent = text.replace("decorate BuiltIn 26}", "decorate BuiltIn 27}");
        assert_ne!(said(&name, &divergent), [], "{name}");
    }
}

#[test]
fn without_the_barrier_nothing_is_asked_for() {
    let mut count = 0;
    for (name, text) in files() {
        let is_barrier = said(&name, &text).iter().any(|diagnosis| BARRIER.contains(&diagnosis.code));
        if is_barrier {
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("control_barrier"));
            let without: String = lines.flat_map(|line| [line, "\n"]).collect();
            assert_eq!(said(&name, &without), [], "{name}");
            count += 1;
        }
    }
    assert!(count >= 25, "{count}");
}
