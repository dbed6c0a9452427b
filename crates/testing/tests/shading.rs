//! Text that people read does what the module did: WGSL through naga's reader, GLSL through glslang where it is installed
//! (`docs/shading.md`).

use std::process::Command;

use reconverge::structurize::Policy;
use reconverge_shading::{Language, TextOptions, WriteCode};
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::{shapes, wild};
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::program_from_graph::replay_words;
use reconverge_testing::shading::{Verdict, compare_with_wgsl, structured_shader};
use reconverge_testing::walk::compute_walks;

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
    for policy in Policy::ALL {
        let (mut equal, mut refused) = (0, 0);
        for (number, graph) in graphs().iter().enumerate() {
            match compare_with_wgsl(graph, policy) {
                Ok(Verdict::Equal) => equal += 1,
                Ok(Verdict::Endless) => {}
                // WGSL has no fall-through; the policy `wgsl` leaves none.
                Ok(Verdict::Refused(error)) if error.code == WriteCode::Flow && policy != Policy::Wgsl => refused += 1,
                Ok(Verdict::Refused(error)) => panic!("{}, graph {number}: {error}", policy.name()),
                Err(message) => panic!("{}, graph {number}: {message}", policy.name()),
            }
        }
        assert!(equal > 100 && refused < equal, "{}: {equal} equal, {refused} refused", policy.name());
    }
}

/// GLSL has fall-through, so nothing is refused under any policy.
#[test]
fn glsl_that_is_read_again_does_what_the_module_did() {
    let folder = tempfile::tempdir().expect("a folder for files");
    let (text_path, spirv_path) = (folder.path().join("a.comp"), folder.path().join("a.spv"));
    for policy in Policy::ALL {
        for (number, graph) in graphs().iter().enumerate().step_by(5) {
            let Some(walk) = compute_walks(graph, 1, 8).into_iter().find(|walk| walk.is_finished) else { continue };
            let module = structured_shader(graph, policy).expect("within the limits");
            let text = reconverge_shading::write(&module, &TextOptions::new(Language::Glsl));
            let text = text.unwrap_or_else(|error| panic!("{}, graph {number}: {error}", policy.name()));
            std::fs::write(&text_path, &text).expect("a file");
            let glslang = Command::new("glslangValidator")
                .args(["-V", "--target-env", "vulkan1.1", "-o"])
                .args([&spirv_path, &text_path])
                .output();
            let output = match glslang {
                Ok(output) => output,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    println!("glslangValidator is not installed: package glslang-tools");
                    return;
                }
                Err(error) => panic!("glslangValidator: {error}"),
            };
            assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stdout));
            let before = reconverge_spirv::write(&module, &reconverge_spirv::WriteOptions::default())
                .expect("it can be written");
            let records = |bytes: &[u8]| replay_words(bytes, &walk.answers, walk.blocks.len());
            let after = std::fs::read(&spirv_path).expect("a file");
            assert_eq!(records(&before), records(&after), "{}, graph {number}: {text}", policy.name());
        }
    }
}
