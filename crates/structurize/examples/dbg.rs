#[path = "../tests/common/mod.rs"]
mod common;
use common::{Random, generate};
fn main() {
    for size in [5usize, 8, 12, 25] {
        for seed in 0..60u64 {
            eprintln!("{size} {seed}");
            let g = generate::wild(&mut Random::new(seed * 1000 + size as u64), size);
            eprintln!("{:?}", (0..size).map(|b| g.targets(b)).collect::<Vec<_>>());
            common::verify(&g, &Default::default());
        }
    }
}
