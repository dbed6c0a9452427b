//! `cargo xtask instructions --compile`: how the machine instructions of compiling whole modules grow.
//!
//! Each shape of `generators/growth` is written as SPIR-V and compiled under valgrind at two sizes, each way that there is for it. An
//! exponent above [`GREATEST_EXPONENT`] is an error:
//!
//! ```text
//! exponent = log (instructions after / before) / log (bytes of input after / before)
//! ```
//!
//! Specialization of generics, which no shape has, is counted by itself, for more and more requests of one generic.
//!
//! No counts are recorded, because every change of a pass changes them; only their growth must stay.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use reconverge_testing::generators::growth::{GROWTH_SHAPES, GrowthShape};
use reconverge_testing::torture::scaling;

use super::GREATEST_EXPONENT;
use crate::programs::{self, Profile, Program};
use crate::table::Table;

/// Parts of a shape at the first size, and at the second.
const SIZES: [usize; 2] = [150, 600];

/// The row of specialization, its sizes, and what it is held to: every request is the same work.
const GENERICS: &str = "generics";
const REQUESTS: [usize; 2] = [250, 2_000];
const GREATEST_GENERICS_EXPONENT: f64 = 1.05;

/// Bytes of the input, and instructions inside `compile`.
type Point = (f64, f64);

/// A count: the shape, the way, and the points, or the error.
type Counted = (usize, &'static str, Result<[Point; 2], String>);

/// Counts the shapes whose names hold `part`, in some ways or all, and holds their exponents.
pub(super) fn compile(part: Option<&str>, ways: &[String]) -> Result<(), String> {
    let program = programs::build(Program::Example("growth"), Profile::Release)?;
    let is_wanted = |shape: &GrowthShape| part.is_none_or(|part| shape.name.contains(part));
    let shapes = GROWTH_SHAPES.iter().enumerate().filter(|(_, shape)| is_wanted(shape));
    let pairs = shapes.flat_map(|(number, shape)| shape.ways().map(move |way| (number, way)));
    let pairs: Vec<(usize, &'static str)> =
        pairs.filter(|(_, way)| ways.is_empty() || ways.iter().any(|wanted| wanted == way)).collect();
    let mut table = Table::new(&["shape", "way", "bytes", "million instructions", "exponent"]);
    let mut complaints = Vec::new();
    if part.is_none_or(|part| GENERICS.contains(part)) {
        let [small, large] = count_requests()?;
        let exponent = scaling::exponent(&[small, large]);
        table.push([
            GENERICS.to_owned(),
            "specialize".to_owned(),
            format!("{} to {} requests", small.0, large.0),
            format!("{:.1} to {:.1}", small.1 / 1e6, large.1 / 1e6),
            format!("{exponent:.2}"),
        ]);
        if exponent > GREATEST_GENERICS_EXPONENT {
            complaints.push(format!("{GENERICS}: the exponent is {exponent:.2}, above {GREATEST_GENERICS_EXPONENT}"));
        }
    }
    for (number, way, points) in count_all(&program, &pairs) {
        let name = GROWTH_SHAPES[number].name;
        let [small, large] = points.map_err(|error| format!("{name}, {way}: {error}"))?;
        let exponent = scaling::exponent(&[small, large]);
        table.push([
            name.to_owned(),
            way.to_owned(),
            format!("{} to {}", small.0, large.0),
            format!("{:.1} to {:.1}", small.1 / 1e6, large.1 / 1e6),
            format!("{exponent:.2}"),
        ]);
        if exponent > GREATEST_EXPONENT {
            complaints.push(format!("{name}, {way}: the exponent is {exponent:.2}, above {GREATEST_EXPONENT}"));
        }
    }
    print!("{table}");
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(complaints.join("\n")),
    }
}

/// The machine instructions of specialization, by the number of requests.
fn count_requests() -> Result<[Point; 2], String> {
    let program = programs::build(Program::Example("specialize_once"), Profile::Release)?;
    let mut points = [(0.0, 0.0); 2];
    for (requests, point) in REQUESTS.into_iter().zip(&mut points) {
        let (instructions, _) = super::collected(&program, &[&requests.to_string()], "specialize_once::measured*")?;
        *point = (requests as f64, instructions as f64);
    }
    Ok(points)
}

/// Counts on as many processors as there are; in the order of what was asked for.
fn count_all(program: &Path, pairs: &[(usize, &'static str)]) -> Vec<Counted> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&(number, way)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let counted = (number, way, count(program, GROWTH_SHAPES[number].name, way));
                    done.lock().expect("no thread panics").push(counted);
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics");
    done.sort_by_key(|&(number, way, _)| pairs.iter().position(|&pair| pair == (number, way)));
    done
}

fn count(program: &Path, name: &str, way: &str) -> Result<[Point; 2], String> {
    let mut points = [(0.0, 0.0); 2];
    for (size, point) in SIZES.iter().zip(&mut points) {
        let (instructions, said) = super::collected(program, &[name, &size.to_string(), way], "growth::measured*")?;
        let bytes = said.split_whitespace().next().and_then(|bytes| bytes.parse().ok());
        *point = (bytes.ok_or_else(|| format!("growth printed {said}"))?, instructions as f64);
    }
    Ok(points)
}
