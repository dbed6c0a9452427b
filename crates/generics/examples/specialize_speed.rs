//! The time of specialization: a generic of 200 instructions, requested for more and more types. On Linux it is the time that this thread had a
//! core, which other programs on the machine change less.
//!
//! `cargo run --release -p reconverge-generics --example specialize_speed`

use std::time::{Duration, Instant};

use reconverge_generics::specialize;
use reconverge_ir::text;

#[path = "../tests/common/many.rs"]
mod many;

/// The instructions of the generic.
const SIZE: usize = 200;
/// The runs of each size; the shortest counts.
const RUNS: usize = 15;

fn main() {
    let mut before: Option<Duration> = None;
    for requests in [125, 250, 500, 1_000, 2_000, 4_000] {
        let input = text::parse(&many::many(requests, SIZE)).expect("the module is well-formed");
        let runs = (0..RUNS).map(|_| {
            let mut module = input.clone();
            let (start, start_on_core) = (Instant::now(), time_on_core());
            let done = specialize(&mut module).expect("the requests have an end");
            let elapsed = start.elapsed();
            let on_core = time_on_core().zip(start_on_core).map(|(end, start)| end - start);
            (on_core.unwrap_or(elapsed), done.instructions)
        });
        let (shortest, copied) = runs.min().expect("there are runs");
        let exponent = before.map(|before| (shortest.as_secs_f64() / before.as_secs_f64()).log2());
        let exponent = exponent.map_or_else(String::new, |exponent| format!(", exponent {exponent:.2}"));
        let each = shortest.as_nanos() as f64 / copied as f64;
        println!("{requests} requests, {copied} instructions: {shortest:.1?}, {each:.0} ns an instruction{exponent}");
        before = Some(shortest);
    }
}

/// How long this thread had a core until now.
fn time_on_core() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
