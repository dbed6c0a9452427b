//! One kernel of the VC4 with each of the 2¹⁶ masks of 16 lanes: results, and which sides are walked.
//!
//! `qpu_masks.ir` holds selections in each other, a loop with break and continue, and an early return. Bit `i` of a word that lane `l` takes its
//! ways by is bit `l + i` of the mask; so every selection sees every mask. A side shifts by an amount of its own: how often that word is
//! executed says how often the side was walked.

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format};
use reconverge_codegen::{Request, vc4};
use reconverge_qpu::Program;
use reconverge_qpu_emulate::{Launch, Memory, Report, run};
use reconverge_run::{Address, Binding, Contents, Size, Vc4Image};
use reconverge_testing::is_deep;

const LANES: usize = 16;
const TRIPS: u32 = 3;
/// The sides, numbered from 1.
const SIDES: usize = 9;

fn number_of(side: usize) -> u32 {
    0x5EED_0000 + side as u32
}

/// How far a side shifts, in one operation: an amount that nothing else shifts by.
fn amount_of(side: usize) -> u32 {
    6 + side as u32
}

/// What the kernel does with a mask.
#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    /// What the lanes store.
    results: [u32; LANES],
    /// How often a side has lanes.
    walked: [u64; SIDES + 1],
}

/// The kernel, by its definition.
struct Direct {
    outcome: Outcome,
}

impl Direct {
    fn of(mask: u32) -> Outcome {
        let words: [u32; LANES] = std::array::from_fn(|lane| mask >> lane | mask << (LANES - lane));
        let results = std::array::from_fn(|lane| lane as u32 * 3 + 1);
        let mut direct = Direct { outcome: Outcome { results, walked: [0; SIDES + 1] } };
        let all = [true; LANES];
        let has = |bit: u32| words.map(|word| word & bit != 0);
        let both = |left: [bool; LANES], right: [bool; LANES]| std::array::from_fn(|lane| left[lane] && right[lane]);
        direct.take(1, has(1));
        direct.take(2, has(1).map(|is_set| !is_set));
        direct.take(3, both(has(1), has(2)));
        direct.take(4, has(2));
        let mut active = all;
        for trip in 0..TRIPS {
            let breaks = both(active, words.map(|word| word >> trip & 5 == 5));
            direct.take(5, breaks);
            active = both(active, breaks.map(|breaks| !breaks));
            let continues = both(active, words.map(|word| word >> trip & 3 == 2));
            direct.take(6, continues);
            let rest = both(active, continues.map(|continues| !continues));
            direct.take(7, rest);
            for lane in (0..LANES).filter(|&lane| rest[lane]) {
                direct.outcome.results[lane] = direct.outcome.results[lane].wrapping_add(trip);
            }
        }
        let returns = has(4);
        direct.take(8, returns);
        direct.take(9, returns.map(|returns| !returns));
        direct.outcome
    }

    /// These lanes take a side.
    fn take(&mut self, side: usize, lanes: [bool; LANES]) {
        self.outcome.walked[side] += u64::from(lanes.contains(&true));
        for lane in (0..LANES).filter(|&lane| lanes[lane]) {
            self.outcome.results[lane] = mixed(self.outcome.results[lane], side);
        }
    }
}

fn mixed(word: u32, side: usize) -> u32 {
    let number = number_of(side);
    let mut x = (word ^ number).wrapping_mul(5);
    x = x.wrapping_add(x >> 3);
    x ^= x << 7;
    x = x.wrapping_add(number);
    x ^= x >> amount_of(side);
    x = x.wrapping_add(x << 2);
    x ^ x >> 5
}

fn compiled(level: Level) -> Program {
    let options = CompileOptions::new().level(level);
    let output = reconverge::compile(include_bytes!("qpu_masks.ir"), Format::TEXT, Format::TEXT, &options);
    let module = output.expect("the kernel is valid").module;
    vc4::compile(&module, &Request::new("main", [LANES as u32, 1, 1])).expect("the VC4 has what it needs")
}

/// A launch of a work-group for each mask.
fn image_of(program: &Program, masks: &[u32]) -> Vc4Image {
    let buffer = |words: &[u32]| Contents {
        bytes: words.iter().copied().flat_map(u32::to_le_bytes).collect(),
        addresses: Vec::new(),
    };
    let mut push_constants = vec![0; 16];
    push_constants.extend(TRIPS.to_le_bytes());
    let address = |at: usize, buffer: usize| Address { at, buffer, target: 0 };
    let binding = Binding {
        entry_point: "main".to_owned(),
        size: Size { groups: [masks.len() as u32, 1, 1], local: [LANES as u32, 1, 1] },
        push_constants: Contents { bytes: push_constants, addresses: vec![address(0, 0), address(8, 1)] },
        buffers: vec![buffer(masks), buffer(&vec![0; masks.len() * LANES])],
        descriptors: Vec::new(),
        program_data: None,
        specialization: Vec::new(),
        subgroup_size: None,
    };
    Vc4Image::new(program, &binding).expect("the buffers fit")
}

/// The results of each mask, and what was executed.
fn launched(program: &Program, masks: &[u32]) -> (Vec<[u32; LANES]>, Report) {
    let image = image_of(program, masks);
    let mut memory = Memory::new();
    for (address, bytes) in &image.regions {
        memory.add(*address, bytes.clone()).expect("regions are apart");
    }
    let launch = Launch { seed: masks[0], ..Launch::new(&program.words, &image.uniforms) };
    let report = run(&launch, &mut memory).expect("no rule is broken");
    let (address, length) = image.buffers[1];
    let bytes = &memory.bytes(address).expect("the buffer is there")[..length];
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect();
    (words.chunks_exact(LANES).map(|row| row.try_into().expect("a row")).collect(), report)
}

/// A word of each side: the shift by its amount to the right, a small immediate, which is in no register.
fn places(program: &Program) -> [usize; SIDES + 1] {
    let mut places = [0; SIDES + 1];
    for (side, place) in places.iter_mut().enumerate().skip(1) {
        let shifts =
            |word: u64| word >> 60 == 13 && word >> 24 & 31 == 14 && word >> 12 & 63 == u64::from(amount_of(side));
        let found: Vec<usize> = (0..program.words.len()).filter(|&index| shifts(program.words[index])).collect();
        let [only] = found[..] else { panic!("side {side} has {} such words", found.len()) };
        *place = only;
    }
    places
}

fn level(index: u32) -> Level {
    [Level::Speed, Level::None, Level::Size][index as usize % 3]
}

/// All masks in one launch, on all QPUs.
#[test]
fn results_of_all_masks() {
    let masks: Vec<u32> = (0..1 << LANES).step_by(if is_deep() { 1 } else { 5 }).collect();
    let expected: Vec<[u32; LANES]> = masks.iter().map(|&mask| Direct::of(mask).results).collect();
    for index in 0..if is_deep() { 3 } else { 1 } {
        let (found, _) = launched(&compiled(level(index)), &masks);
        for ((mask, expected), found) in masks.iter().zip(&expected).zip(&found) {
            assert_eq!(found, expected, "mask {mask:#06x}, level {}", level(index).name());
        }
    }
}

/// Each mask in a launch of its own: a side is walked exactly where it has lanes.
#[test]
fn sides_without_lanes_are_not_walked() {
    let step = if is_deep() { 1 } else { 31 };
    for index in 0..3 {
        let program = compiled(level(index));
        let places = places(&program);
        let mut is_walked = [[false; 2]; SIDES + 1];
        for mask in (0..1 << LANES).step_by(step).chain([0xffff]) {
            let (results, report) = launched(&program, &[mask]);
            let mut walked = places.map(|place| report.executed[place]);
            walked[0] = 0;
            let found = Outcome { results: results[0], walked };
            assert_eq!(found, Direct::of(mask), "mask {mask:#06x}, level {}", level(index).name());
            for side in 1..=SIDES {
                is_walked[side][usize::from(found.walked[side] > 0)] = true;
            }
        }
        assert!(is_walked[1..].iter().all(|&seen| seen == [true, true]), "each side is walked and not: {is_walked:?}");
    }
}
