//! Every pass on request on every structured function of the filetests, whatever they were written for.

use std::path::Path;

use reconverge_ir::{Function, Module, Stage, fingerprint, text};
use reconverge_rewrite::pass::Pass;
use reconverge_testing::filetest::modules_below;
use reconverge_testing::lanes::{Compared, Versions, structured_passes, unless_refused};
use reconverge_verify::verify;

/// What a pass came to on the modules.
#[derive(Default, Debug)]
struct Figures {
    functions: usize,
    changed: usize,
    refused: usize,
    equal: usize,
    open: usize,
}

#[test]
fn every_pass_on_every_filetest() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/filetests");
    let modules = modules_below(&folder).unwrap();
    let mut complaints = Vec::new();
    for pass in structured_passes() {
        let mut figures = Figures::default();
        for (path, module) in &modules {
            let outcome = hold(pass, module, &mut figures);
            if let Err(message) = outcome {
                complaints.push(complaint(pass, path, &message));
            }
        }
        println!("{}: {figures:?}", pass.name);
        assert!(figures.changed > 0 && figures.equal > 0, "{}: {figures:?}", pass.name);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

fn complaint(pass: &Pass, path: &Path, message: &str) -> String {
    format!("{} on {}: {message}", pass.name, path.display())
}

/// Runs a pass on a module and holds: verified, nothing left to do, the same lane by lane.
fn hold(pass: &Pass, before: &Module, figures: &mut Figures) -> Result<(), String> {
    let structured = |&function: &Function| before.stage(function) == Stage::Structured;
    let functions: Vec<Function> =
        before.functions().filter(|&function| before.entry(function).is_some()).filter(structured).collect();
    for function in functions {
        figures.functions += 1;
        let mut after = before.clone();
        let Some(changed) = apply(pass, &mut after, function)? else {
            figures.refused += 1;
            continue;
        };
        if !changed {
            let is_same = fingerprint(before) == fingerprint(&after);
            is_same.then_some(()).ok_or("the pass says that it changed nothing, and did")?;
            continue;
        }
        figures.changed += 1;
        let place = |message: String| format!("{message}\n{}", text::print(&after));
        verify(&after).first().map_or(Ok(()), |finding| Err(place(finding.to_string())))?;
        let again = apply(pass, &mut after.clone(), function).map_err(place)?;
        if again != Some(false) {
            return Err(place("the pass finds something to do after it ran".to_owned()));
        }
        let versions = Versions::new(before, &after).with_fuel(5_000);
        for (lanes, seed) in [1, 4, 16].into_iter().flat_map(|lanes| (0..4).map(move |seed| (lanes, seed))) {
            match versions.compare(function, lanes, seed).map_err(place)? {
                Compared::Equal => figures.equal += 1,
                Compared::Open(_) => figures.open += 1,
            }
        }
    }
    Ok(())
}

/// Whether the pass changed something; `None` if it refused, as the module demands too much.
fn apply(pass: &Pass, module: &mut Module, function: Function) -> Result<Option<bool>, String> {
    unless_refused(pass, module, function).map_err(|error| error.to_string())
}
