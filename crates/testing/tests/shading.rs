//! Text that people read does what the module did: WGSL through naga's reader, GLSL through glslang where it is installed
//! (`docs/shading.md`).

use std::process::Command;

use reconverge::structurize::Policy;
use reconverge_shading::WriteCode;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::{shapes, wild};
use reconverge_testing::is_deep;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::shading::{TextReader, Verdict, compare_each_with_text, compare_with_text};

fn graphs() -> Vec<PlainGraph> {
    let mut graphs: Vec<PlainGraph> = (0..60).map(|seed| wild::wild(seed, 3 + seed as usize % 18)).collect();
    graphs.extend((0..60).map(|seed| structured(seed, 30, Form::Optimized)));
    for cycles in [Cycles::Reducible, Cycles::Irreducible] {
        graphs.extend((0..30).map(|seed| random(seed, 8 + seed as usize, cycles)));
    }
    graphs.extend(shapes::SHAPES.iter().map(|(_, shape)| shape(5)));
    graphs
}

#[test]
fn wgsl_that_is_read_again_does_what_the_module_did() {
    let step = if is_deep() { 1 } else { 3 };
    for policy in Policy::ALL {
        let (mut equal, mut refused) = (0, 0);
        for (number, graph) in graphs().iter().enumerate().step_by(step) {
            match compare_with_text(graph, policy, &TextReader::Naga) {
                Ok(Verdict::Equal) => equal += 1,
                Ok(Verdict::Endless) => {}
                // WGSL has no fall-through; the policy `wgsl` leaves none.
                Ok(Verdict::Refused(error)) if error.code == WriteCode::Flow && policy != Policy::Wgsl => refused += 1,
                Ok(Verdict::Refused(error)) => panic!("{}, graph {number}: {error}", policy.name()),
                Err(message) => panic!("{}, graph {number}: {message}", policy.name()),
            }
        }
        assert!(equal > 100 / step && refused < equal, "{}: {equal} equal, {refused} refused", policy.name());
    }
}

/// GLSL has fall-through, so nothing is refused under any policy.
#[test]
fn glsl_that_is_read_again_does_what_the_module_did() {
    let version = Command::new("glslangValidator").arg("--version").output();
    version.expect("there is no glslangValidator: run `cargo xtask setup`, or install the package glslang-tools");
    // The last one has a `continue` in a switch in code that runs once, which naga's writer takes for the end of that code.
    let step = if is_deep() { 1 } else { 5 };
    let mut graphs: Vec<PlainGraph> = graphs().into_iter().step_by(step).collect();
    graphs.push(random(114, 28, Cycles::Reducible));
    for policy in Policy::ALL {
        let verdicts = graphs.chunks(20).flat_map(|some| compare_each_with_text(some, policy, &TextReader::Glslang));
        for (number, verdict) in verdicts.enumerate() {
            match verdict {
                Ok(Verdict::Equal | Verdict::Endless) => {}
                Ok(Verdict::Refused(error)) => panic!("{}, graph {number}: {error}", policy.name()),
                Err(message) => panic!("{}, graph {number}: {message}", policy.name()),
            }
        }
    }
}
