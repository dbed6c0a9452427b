//! Files that nobody would write: no panic, no hang, little memory, every rejection with a place. 200,000 with `RECONVERGE_DEEP=1`.

use std::collections::BTreeMap;

use reconverge_diagnostic::Place;
use reconverge_ir::Module;
use reconverge_ir::binary::{Archive, read, write};
use reconverge_ir::text::{parse, print};

use crate::text_mutations::{Random, SEED};

/// Memory that a reader may take beside four times the file.
const FREE_MEMORY: usize = 64 << 20;

/// A module with bodies of some length, kept numbers, locations that repeat, exports, and strings.
fn long_module() -> Module {
    let mut text = String::from(
        "capability Kernel\ncapability Linkage\n%file = string \"a file.cl\"\n%void = type_void\n%u32 = type_int 32, 0\n%90 = type_function %u32, %u32\n",
    );
    for index in 0..70 {
        text += &format!("%{}: %u32 = constant {}\n", 100 + 3 * index, index * 7919);
    }
    for index in 0..8 {
        text += &format!(
            "func %f{index}: %u32 (%x: %u32) type %90 {{decorate LinkageAttributes \"export {index}\" 0}} {{\nblock ^{}:\n",
            1_000 + 100 * index
        );
        for line in 0..20 {
            let number = 1_001 + 100 * index + line;
            text += &format!("  %{number}: %u32 = i_add %x, %{} at %file {line}:7\n", 100 + 3 * line);
        }
        text += &format!("  return_value %{}\n}}\n", 1_001 + 100 * index);
    }
    parse(&text).expect("the text is a module")
}

fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        let (at, other) = (random.below(bytes.len()), random.below(bytes.len()));
        match random.below(10) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes[at] = bytes[other],
            3 => bytes[at] = bytes[at].wrapping_add(1),
            4 => bytes[at] = bytes[at].wrapping_sub(1),
            5 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            6 if bytes.len() > 1 => _ = bytes.remove(at),
            7 => bytes.insert(at, random.below(64) as u8),
            8 => bytes.truncate(at.max(1)),
            // The greatest number of 32 bits.
            _ => _ = bytes.splice(at..at + 1, [0xff, 0xff, 0xff, 0xff, 0x0f]),
        }
    }
    bytes
}

/// Checks what came out; true if the file was accepted.
fn check(bytes: &[u8], seed: u64) -> Result<bool, String> {
    let module = match read(bytes) {
        Ok(module) => module,
        Err(error) => {
            let is_inside = matches!(error.place, Place::Byte(byte) if byte <= bytes.len());
            let is_placed = is_inside && error.message.starts_with("expected ");
            return if is_placed { Ok(false) } else { Err(format!("seed {seed}: {error}")) };
        }
    };
    let written = write(&module);
    let again = read(&written).map_err(|error| format!("seed {seed}: {error}"))?;
    if write(&again) != written {
        return Err(format!("seed {seed}: the module is written in two ways"));
    }
    let (first, second) = (print(&module), print(&again));
    // An operand that is not in the module prints with its handle.
    if first != second && !first.contains('<') {
        return Err(format!("seed {seed}:\n{first}\n=>\n{second}"));
    }
    Ok(true)
}

/// Reads every part that a global is the root of.
fn read_parts(bytes: &[u8]) {
    let Ok(archive) = Archive::open(bytes) else { return };
    for global in 0..archive.global_count().min(200) {
        let mut reach = archive.reach();
        if reach.include(global).is_ok() {
            let _ = reach.read();
        }
    }
}

#[test]
fn mutated_files_are_read_or_refused() {
    let is_deep = std::env::var_os("RECONVERGE_DEEP").is_some_and(|value| value == "1");
    let seeds: Vec<Vec<u8>> = [parse(SEED).expect("the text is a module"), long_module()].iter().map(write).collect();
    let (mut accepted, mut refused) = (0, BTreeMap::new());
    for seed in 1..=if is_deep { 200_000u64 } else { 4_000 } {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let bytes = mutate(&seeds[seed as usize % seeds.len()], &mut random);
        let outcome = std::panic::catch_unwind(|| check(&bytes, seed)).unwrap_or_else(|_| panic!("seed {seed} panics"));
        match outcome.unwrap_or_else(|message| panic!("{message}")) {
            true => accepted += 1,
            false => *refused.entry(read(&bytes).map_err(|error| error.code.name).err()).or_insert(0) += 1,
        }
        if seed % 16 == 0 {
            read_parts(&bytes);
        }
    }
    assert!(accepted > 300, "{accepted}");
    assert!(refused.len() >= 9, "each code has a file that has it: {refused:?}");
}

/// The most memory that the process has had so far, if the system says.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<usize>().ok()? << 10)
}

#[test]
fn mutated_files_take_little_memory() {
    let bytes = write(&long_module());
    let before = peak_memory();
    for seed in 1..=3_000u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let _ = read(&mutate(&bytes, &mut random));
        // A number of every size at every place that has one of a byte.
        let mut enlarged = bytes.clone();
        let at = random.below(bytes.len());
        enlarged.splice(at..at + 1, [0xff, 0xff, 0xff, [0x01, 0x07, 0x7f][random.below(3)]]);
        let _ = read(&enlarged);
    }
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after - before <= 4 * bytes.len() + FREE_MEMORY, "{} bytes", after - before);
    }
}

/// A million containers, each in the one before: neither the reader nor the writer has a stack for them.
#[test]
fn a_deep_nest_is_read_with_a_small_stack() {
    const DEPTH: usize = 1_000_000;
    let run = || {
        let mut module =
            parse("%void = type_void\nfunc %f: %void () {\nblock ^b:\n  return\n}\n").expect("it is a module");
        let function = module.functions().next().expect("there is one");
        let mut parent = module.entry(function).expect("it has a body").inst();
        for _ in 0..DEPTH {
            parent = module.edit().append(parent, reconverge_ir::Op::Block, None, &[]);
        }
        let bytes = write(&module);
        let again = read(&bytes).expect("it was written");
        let count = module.descendants(module.root()).count();
        assert!(count > DEPTH && again.descendants(again.root()).count() == count);
        assert_eq!(write(&again), bytes);
        let archive = Archive::open(&bytes).expect("it was written");
        let mut reach = archive.reach();
        let last = archive.global_count() - 1;
        assert_eq!(reach.include(last).map(<[u32]>::len), Ok(3));
        let part = reach.read().expect("it was written").module;
        assert_eq!(part.descendants(part.root()).count(), count);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).expect("the system has threads");
    thread.join().expect("the nest is read");
}
