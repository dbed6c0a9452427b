//! Damaged containers: no panic, no hang, little memory, every rejection with a place. 200,000 with `RECONVERGE_DEEP=1`.
//!
//! Bytes are changed, removed and inserted in containers; records are changed, removed, inserted and moved in bitstreams that are written
//! again, so that what is behind the bitstream is reached.

use std::collections::BTreeMap;

use crate::common::bits::Bits;
use crate::common::decode::{Item, decode, encode};
use crate::common::{bitcode, containers, file, options};
use reconverge::{CompileOptions, Format, Level};
use reconverge_diagnostic::Place;
use reconverge_dxil::{Module, TranslateOptions, read, text, translate};

/// Memory that all readings and translations may take beside that of the files.
const FREE_MEMORY: usize = 256 << 20;

/// xorshift64*, by Vigna.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    /// A number of an interesting size.
    fn number(&mut self) -> u64 {
        match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u64::from(u32::MAX),
            3 => u64::MAX,
            4 => 1 << self.below(64),
            _ => self.below(64) as u64,
        }
    }
}

fn mutate_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    // Most of the damage is behind the headers of the container.
    let first = if random.below(4) == 0 { 0 } else { bytes.len() / 8 };
    let at = first + random.below(bytes.len() - first);
    let other = random.below(bytes.len());
    match random.below(11) {
        0..3 => bytes[at] ^= 1 << random.below(8),
        3 => bytes[at] = random.below(256) as u8,
        4 => bytes[at] = bytes[at].wrapping_add(1),
        5 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
        6 => _ = bytes.remove(at),
        7 => bytes.insert(at, random.below(256) as u8),
        8 => bytes.truncate(at.max(8)),
        9 => {
            let length = 4 * (1 + random.below(8));
            let part: Vec<u8> = bytes[other..].iter().copied().take(length).collect();
            bytes.splice(at..(at + part.len()).min(bytes.len()), part);
        }
        // A length that is too large.
        _ => {
            let at = at / 4 * 4;
            let word = [u32::MAX, 0x7fff_ffff, bytes.len() as u32, 1 << random.below(32)][random.below(4)];
            let end = (at + 4).min(bytes.len());
            bytes.splice(at..end, word.to_le_bytes());
        }
    }
}

fn mutate_items(items: &mut Vec<Item>, random: &mut Random) {
    let at = random.below(items.len());
    let other = items[random.below(items.len())].clone();
    match (random.below(10), &mut items[at]) {
        (0..5, Item::Record(_, operands)) if !operands.is_empty() => {
            let index = random.below(operands.len());
            operands[index] = match random.below(4) {
                0 => random.number(),
                1 => operands[index].wrapping_add(1),
                2 => operands[index].wrapping_sub(1),
                _ => operands[random.below(operands.len())],
            };
        }
        (5, Item::Record(_, operands)) => operands.push(random.number()),
        (6, Item::Record(_, operands)) => _ = operands.pop(),
        (7, Item::Record(code, _)) => *code = random.below(50) as u64,
        (8, Item::Record(..)) => _ = items.remove(at),
        (9, Item::Record(..)) => items.insert(at, other),
        (_, item @ Item::Record(..)) => *item = other,
        (_, Item::Enter(block)) => *block = 8 + random.below(16) as u64,
        (_, Item::End) => items.swap(at, at.saturating_sub(1)),
    }
}

/// Asks for everything that can be computed from an accepted module.
fn use_module(module: &Module, size: usize) {
    let counts = module.functions.iter().map(|function| function.values.len() + function.instructions.len());
    let count = counts.sum::<usize>() + module.values.len() + module.metadata.len() + module.types.len();
    assert!(count <= 8 * size, "{count} things from {size} bytes");
    assert!(!text::print(module).contains('\0'));
    drop((module.shader_model(), module.resources()));
    for entry in module.entry_points().into_iter().flatten() {
        drop((entry.signatures(module), entry.resources(module), entry.properties(module)));
    }
    for function in &module.functions {
        for instruction in &function.instructions {
            let location = instruction.location.as_ref();
            let _ = location.map(|location| (module.source_location(location), module.call_location(location)));
            instruction.operation.for_each_operand(|value| _ = module.value(function, value).ty);
        }
    }
    translate_module(module);
}

/// What is translated is valid and can be compiled.
fn translate_module(module: &Module) {
    for is_robust in [false, true] {
        let options = TranslateOptions { is_robust, ..options() };
        let Ok(mut translation) = translate(module, &options) else { return };
        let compile = CompileOptions::new().level(Level::None);
        match reconverge::run(&mut translation.module, &compile, &mut |_, _| ()) {
            Ok(_) => {
                _ = reconverge::write(&translation.module, Format::SPIRV).expect("what was compiled can be written")
            }
            Err(reconverge::Error::LimitExceeded { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// The most memory that the process has had so far, if the system says.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<usize>().ok()? << 10)
}

#[test]
fn damaged_containers_are_read_or_refused() {
    let is_deep = std::env::var_os("RECONVERGE_DEEP").is_some_and(|value| value == "1");
    let files: Vec<Vec<u8>> = containers().iter().map(|name| file(&format!("{name}.dxil"))).collect();
    let streams: Vec<Vec<Item>> = files.iter().map(|bytes| decode(bitcode(bytes))).collect();
    let before = peak_memory();
    let (mut accepted, mut refused) = (0, BTreeMap::new());
    for seed in 1..=if is_deep { 200_000u64 } else { 6_000 } {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let index = random.below(files.len());
        let mut bytes;
        if seed % 2 == 0 {
            bytes = files[index].clone();
            (0..=random.below(3)).for_each(|_| mutate_bytes(&mut bytes, &mut random));
        } else {
            let mut items = streams[index].clone();
            (0..=random.below(3)).for_each(|_| mutate_items(&mut items, &mut random));
            bytes = encode(&items);
        }
        let outcome = std::panic::catch_unwind(|| read(&bytes).inspect(|module| use_module(module, bytes.len())));
        match outcome.unwrap_or_else(|_| panic!("seed {seed} panics")) {
            Ok(_) => accepted += 1,
            Err(error) => {
                let Place::Byte(byte) = error.place.in_bytes() else { panic!("seed {seed}: {error}") };
                assert!(byte <= bytes.len(), "seed {seed}: {error}");
                assert!(error.message.starts_with("expected "), "seed {seed}: {error}");
                *refused.entry(error.code.name).or_insert(0) += 1;
            }
        }
    }
    assert!(accepted > 300, "{accepted}");
    assert!(refused.len() >= 14, "most codes have a file that has them: {refused:?}");
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after - before <= FREE_MEMORY, "{} bytes", after - before);
    }
}

/// The densest stream: an abbreviation makes each record of one block three bits.
#[test]
fn dense_streams_take_memory_in_proportion() {
    const BLOCKS: u64 = 400_000;
    // Measured: 439.
    const BYTES_PER_BYTE: usize = 600;
    let mut bits = Bits::new();
    bits.enter(8, 3).record(1, &[1]);
    bits.enter(17, 3).record(2, &[]).record(21, &[0, 0]).end();
    bits.record(8, &[1, 0, 0, 0, 0, 0]);
    bits.enter(12, 3).record(1, &[BLOCKS]);
    // `unreachable`, as a literal.
    bits.id(2).variable(1, 5).fixed(1, 1).variable(15, 8);
    (0..BLOCKS).for_each(|_| _ = bits.id(4));
    let bytes = bits.end().end().clone().finish();
    let before = peak_memory();
    let module = read(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(module.functions[0].blocks.len() as u64, BLOCKS);
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after - before <= BYTES_PER_BYTE * bytes.len(), "{} bytes from {}", after - before, bytes.len());
    }
}
