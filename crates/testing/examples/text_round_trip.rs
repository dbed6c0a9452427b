//! Random programs as text and back: how many do what they did.
//!
//! `cargo run --release -p reconverge-testing --example text_round_trip -- 20000 [wgsl|glsl|hlsl] [SET]`. GLSL is read by
//! `glslangValidator`, HLSL by the command that `RECONVERGE_DXC` names.

use reconverge_structurize::Policy;
use reconverge_testing::generators::random::{Cycles, random};
use reconverge_testing::generators::structured::{Form, structured};
use reconverge_testing::generators::wild;
use reconverge_testing::plain_graph::PlainGraph;
use reconverge_testing::shading::{TextReader, Verdict, compare_each_with_text};

/// The graphs that share a text.
const GRAPHS_OF_A_TEXT: usize = 20;

/// A set of graphs: its name, and the graph of a seed.
type Set = (&'static str, fn(u64) -> PlainGraph);

fn main() {
    let count: u64 = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(1000);
    let language = std::env::args().nth(2).unwrap_or_else(|| "wgsl".to_owned());
    let reader = TextReader::of(&language).unwrap_or_else(|error| panic!("{error}"));
    let wanted = std::env::args().nth(3);
    let sets: [Set; 4] = [
        ("structured", |seed| structured(seed, 10 + seed as usize % 40, Form::Optimized)),
        ("reducible", |seed| random(seed, 4 + seed as usize % 30, Cycles::Reducible)),
        ("irreducible", |seed| random(seed, 4 + seed as usize % 30, Cycles::Irreducible)),
        ("wild", |seed| wild::wild(seed, 3 + seed as usize % 18)),
    ];
    for (name, graph) in sets.into_iter().filter(|set| wanted.as_deref().is_none_or(|wanted| wanted == set.0)) {
        for policy in Policy::ALL {
            let (mut equal, mut endless, mut refused, mut wrong) = (0, 0, 0, 0);
            for first in (0..count).step_by(GRAPHS_OF_A_TEXT) {
                let seeds = first..count.min(first + GRAPHS_OF_A_TEXT as u64);
                let graphs: Vec<PlainGraph> = seeds.clone().map(graph).collect();
                for (seed, verdict) in seeds.zip(compare_each_with_text(&graphs, policy, &reader)) {
                    match verdict {
                        Ok(Verdict::Equal) => equal += 1,
                        Ok(Verdict::Endless) => endless += 1,
                        Ok(Verdict::Refused(_)) => refused += 1,
                        Err(message) => {
                            wrong += 1;
                            eprintln!("{name}, seed {seed}, {}: {message}", policy.name());
                        }
                    }
                }
            }
            println!("{name}, {}: equal {equal}, endless {endless}, refused {refused}, wrong {wrong}", policy.name());
        }
    }
}
