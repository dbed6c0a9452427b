//! Shaders whose structure was damaged, and nothing else of them, compile to what they did; strictly, they are refused. 20,000 with
//! `RECONVERGE_DEEP=1`. `cargo xtask corpus DIR... --damage WAYS` does the same to modules that compilers made.

use reconverge::{CompileOptions, Format, Kind, Level, Target, Unstructured};
use reconverge_restructure::{Options, structurize};
use reconverge_spirv::{WriteOptions, write};
use reconverge_testing::behaviour::Version;
use reconverge_testing::damage::damage_structure;
use reconverge_testing::equivalence::compare_walks;
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::wild::wild;
use reconverge_testing::is_deep;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::with_calls;

fn graphs(seed: u64) -> [PlainGraph; 2] {
    [wild(seed, 3 + seed as usize % 9), structured(seed, 4 + seed as usize % 14, Form::Optimized)]
}

/// Whether the damage broke a rule.
fn hold(seed: u64) -> Result<bool, String> {
    let graphs = graphs(seed);
    let mut filled = with_calls(&graphs, seed);
    for &function in &filled.functions {
        structurize(&mut filled.module, function, &Options::default()).map_err(|error| error.to_string())?;
    }
    let spirv = write(&filled.module, &WriteOptions::default()).map_err(|error| error.to_string())?;
    let original = reconverge::read(&spirv, Format::SPIRV).map_err(|error| error.to_string())?;
    let damaged = damage_structure(&spirv, seed);
    let options = CompileOptions::new().target(Target::INPUT).verify_each(true).level(Level::None);
    let compile = |options: &CompileOptions| reconverge::compile(&damaged, Format::SPIRV, Format::SPIRV, options);
    let repaired = compile(&options).map_err(|error| error.to_string())?.module;
    let (before, after) = (Version::new(&original), Version::new(&repaired));
    let functions: Vec<_> = original.functions().filter(|&function| original.entry(function).is_some()).collect();
    for (&function, graph) in functions.iter().zip(&graphs) {
        compare_walks(&before, &after, function, graph, seed)?;
    }
    let is_sound = reconverge::check(&damaged, Format::SPIRV).is_ok_and(|(_, findings)| findings.is_empty());
    let strict = options.unstructured(Unstructured::Refused);
    match compile(&strict) {
        Ok(_) if is_sound => Ok(false),
        Err(error) if !is_sound && error.kind() == Kind::Rejected => Ok(true),
        Ok(_) => Err("strictly, it is accepted".to_owned()),
        Err(error) => Err(format!("strictly, it is refused: {error}")),
    }
}

#[test]
fn damaged_structure_is_repaired_or_refused() {
    let count = if is_deep() { 20_000 } else { 600 };
    let mut broken = 0;
    for seed in 0..count {
        broken += u64::from(hold(seed).unwrap_or_else(|message| panic!("seed {seed}: {message}")));
    }
    assert!(broken > count / 2, "{broken} of {count} broke a rule");
}
