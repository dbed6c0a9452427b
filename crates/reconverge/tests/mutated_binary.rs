//! Files in the binary form with random changes: nothing works on what was read before it is verified, with merges and without.

use std::path::Path;

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, Merges, Source};

/// So many changed files of each module.
const CHANGES: u64 = 150;

/// The next number of Marsaglia's xorshift.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 16) as usize
}

fn changed(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut state = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + next(&mut state) % 3 {
        let (at, from) = (next(&mut state) % bytes.len(), next(&mut state) % bytes.len());
        bytes[at] = match next(&mut state) % 4 {
            0 => next(&mut state) as u8,
            1 => bytes[at] ^ 1 << (next(&mut state) % 8),
            2 => bytes[at].wrapping_add(2),
            _ => bytes[from],
        };
    }
    bytes
}

#[test]
fn what_is_not_valid_is_not_worked_on() {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels/flow");
    let (mut compiled, mut refused) = (0, 0);
    for name in ["irreducible_goto", "barrier_loop", "early_returns"] {
        let spirv = std::fs::read(kernels.join(name).with_extension("spv")).expect("the kernel is there");
        // With its structure, as a shader.
        let shader =
            reconverge::compile(&spirv, Format::SPIRV, Format::BINARY, &CompileOptions::new().level(Level::None));
        let shader = shader.expect("the kernel compiles").bytes;
        for seed in 0..CHANGES {
            let bytes = changed(&shader, seed);
            for strip_merges in [true, false] {
                let level = if seed % 2 == 0 { Level::None } else { Level::Speed };
                let options = CompileOptions::new().strip_merges(strip_merges).level(level);
                match reconverge::compile(&bytes, Format::BINARY, Format::SPIRV, &options) {
                    Ok(_) => compiled += 1,
                    Err(error) => {
                        assert!(error.kind() != reconverge::Kind::Internal, "{name}, seed {seed}: {error}");
                        refused += 1;
                    }
                }
                let merges = if strip_merges { Merges::Strip } else { Merges::Keep };
                if let Ok(read) = reconverge::read_source(Format::BINARY, Source::new(&bytes).merges(merges)) {
                    // It may be asked about anything that is printed, valid or not.
                    let _ = reconverge::require_valid(&read.module);
                }
            }
        }
    }
    assert!(compiled > 0 && refused > 0, "{compiled} compiled, {refused} refused");
}
