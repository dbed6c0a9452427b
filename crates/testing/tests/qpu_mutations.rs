//! Words of the VC4 with a mutation: the checker reports it, or the emulator does, or the program is another valid one.
//!
//! What the checker says is clean breaks no rule of the words in the emulator; it may still break one that depends on values ([`is_dynamic`]).

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use reconverge::{CompileOptions, Format, Level};
use reconverge_codegen::{Request, vc4};
use reconverge_qpu_check::check;
use reconverge_qpu_emulate::{Fault, FaultKind, Launch, Memory, run};
use reconverge_run::{Vc4Image, bind};
use reconverge_testing::is_deep;
use reconverge_testing::random::{Random, mix};

/// Kernels with loops, private arrays, barriers, atomics, floats and bytes.
const KERNELS: [&str; 8] = [
    "atomics_local",
    "byte_histogram",
    "barrier_break",
    "float_exact",
    "branch_result",
    "bool_arrays",
    "constant_tables",
    "flat_ranges",
];

/// Code with a launch.
struct Subject {
    words: Vec<u64>,
    image: Vc4Image,
    /// The memory behind the launch of the code as it is.
    expected: Vec<Vec<u8>>,
    /// The cycles that a mutation may take.
    limit: u64,
}

impl Subject {
    fn new(name: &str) -> Subject {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kernels");
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).expect("the launch is there");
        let launch = reconverge_run::Launch::from_json(&text).expect("the launch is valid");
        let source = std::fs::read(folder.join(format!("{name}.spv"))).expect("the kernel is there");
        let options = CompileOptions::new().kernel(vc4::kernel_options()).level(Level::None);
        let output = reconverge::compile(&source, Format::SPIRV, Format::TEXT, &options).expect("the kernel is valid");
        let binding = bind(&launch, &output.run.reflection.expect("there is a kernel")).expect("the launch fits");
        let request = Request {
            constants: binding.specialization.clone(),
            ..Request::new(&binding.entry_point, binding.size.local)
        };
        let program = vc4::compile(&output.module, &request);
        let program = program.expect("the VC4 has what it needs");
        let image = Vc4Image::new(&program, &binding).expect("the buffers fit");
        let mut subject = Subject { words: program.words, image, expected: Vec::new(), limit: 100_000_000 };
        let (memory, cycles) = subject.run(&subject.words).expect("no rule is broken");
        (subject.expected, subject.limit) = (memory, 2 * cycles + 10_000);
        subject
    }

    /// The memory behind a launch, and its cycles.
    fn run(&self, words: &[u64]) -> Result<(Vec<Vec<u8>>, u64), Fault> {
        let mut memory = Memory::new();
        for (address, bytes) in &self.image.regions {
            memory.add(*address, bytes.clone()).expect("regions are apart");
        }
        let launch = Launch { cycle_limit: self.limit, seed: 7, ..Launch::new(words, &self.image.uniforms) };
        let report = run(&launch, &mut memory)?;
        let buffers = self.image.buffers.iter();
        let bytes = buffers.map(|&(address, length)| memory.bytes(address).unwrap_or_default()[..length].to_vec());
        Ok((bytes.collect(), report.cycles))
    }
}

/// The fields of a word: the lowest bit and the width.
const FIELDS: [(u32, u32); 18] = [
    (60, 4),
    (57, 3),
    (56, 1),
    (52, 4),
    (49, 3),
    (46, 3),
    (45, 1),
    (44, 1),
    (38, 6),
    (32, 6),
    (29, 3),
    (24, 5),
    (18, 6),
    (12, 6),
    (9, 3),
    (6, 3),
    (3, 3),
    (0, 3),
];

/// Words with a mutation.
fn mutated(words: &[u64], random: &mut Random) -> Vec<u64> {
    let mut words = words.to_vec();
    let place = random.below(words.len());
    match random.below(10) {
        0..4 => (0..random.between(1, 3)).for_each(|_| words[place] ^= 1 << random.below(64)),
        4..7 => {
            let &(low, width) = random.choose(&FIELDS);
            let mask = ((1_u64 << width) - 1) << low;
            words[place] = words[place] & !mask | random.word() & mask;
        }
        7 => _ = words.remove(place),
        8 => words.insert(place, words[place]),
        _ => {
            let other = if random.chance(70) { (place + 1) % words.len() } else { random.below(words.len()) };
            words.swap(place, other);
        }
    }
    words
}

/// Whether a rule depends on values of registers, so that no look at the words can tell: addresses, which of the setups of the VPM a word is and
/// what it asks for, how often loops are run, and what other QPUs do. The last three are no rules of the chip: the emulator has no such unit, and
/// follows no branch that overwrites the flags, of which the checker knows that they are lost, and none in the last delay slot of another one.
fn is_dynamic(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::CycleLimit
            | FaultKind::Deadlock
            | FaultKind::MemoryOutOfBounds
            | FaultKind::MemoryMisaligned
            | FaultKind::StaleTmuRead
            | FaultKind::StaleUniformRead
            | FaultKind::UniformsExhausted
            | FaultKind::InvalidSetup
            | FaultKind::VpmOutOfRange
            | FaultKind::VpmRowInDma
            | FaultKind::VpmWithoutSetup
            | FaultKind::VpmReadBeyondSetup
            | FaultKind::VpmReadSetupBusy
            | FaultKind::UnreadVpmData
            | FaultKind::UnsupportedFeature
            | FaultKind::BranchSetsFlags
            | FaultKind::BranchInDelaySlot
    )
}

/// Whether a word is a branch to what a register holds: the checker does not know where control goes.
fn branches_to_register(word: u64) -> bool {
    word >> 60 == 15 && word >> 50 & 1 == 1
}

/// What came of mutations.
#[derive(Default, Debug)]
struct Tally {
    by_checker: usize,
    by_emulator: usize,
    equal: usize,
    other: usize,
    faults: BTreeMap<&'static str, usize>,
    missed: Vec<String>,
    panics: Vec<String>,
}

impl Tally {
    fn take_in(&mut self, other: Tally) {
        self.by_checker += other.by_checker;
        self.by_emulator += other.by_emulator;
        self.equal += other.equal;
        self.other += other.other;
        other.faults.into_iter().for_each(|(code, count)| *self.faults.entry(code).or_default() += count);
        self.missed.extend(other.missed);
        self.panics.extend(other.panics);
    }

    fn add(&mut self, subject: &Subject, seed: u64) {
        let words = mutated(&subject.words, &mut Random::new(mix(seed)));
        let name = |seed: u64| format!("seed {seed}");
        let Ok(violation) = catch_unwind(|| check(&words).into_iter().next()) else {
            return self.panics.push(format!("{}: the checker", name(seed)));
        };
        let Ok(ran) = catch_unwind(AssertUnwindSafe(|| subject.run(&words))) else {
            return self.panics.push(format!("{}: the emulator", name(seed)));
        };
        match (violation, ran) {
            (Some(_), _) => self.by_checker += 1,
            (None, Err(fault)) => {
                self.by_emulator += 1;
                *self.faults.entry(fault.kind.code()).or_default() += 1;
                let is_followed = !words.iter().any(|&word| branches_to_register(word));
                if is_followed && !is_dynamic(fault.kind) {
                    let word = words.get(fault.address).copied().unwrap_or_default();
                    self.missed.push(format!("{}: {fault}: {word:#018x}", name(seed)));
                }
            }
            (None, Ok((memory, _))) if memory == subject.expected => self.equal += 1,
            (None, Ok(_)) => self.other += 1,
        }
    }
}

#[test]
fn a_mutation_is_reported_or_another_program() {
    let count = if is_deep() { 100_000 } else { 250 };
    let subjects = KERNELS.map(Subject::new);
    for (subject, name) in subjects.iter().zip(KERNELS) {
        println!("{name}: {} words, {} cycles at most", subject.words.len(), subject.limit);
    }
    let only = std::env::var("RECONVERGE_QPU_MUTATION").ok().and_then(|seed| seed.parse::<u64>().ok());
    let end = only.map_or(count, |only| only + 1);
    let next = AtomicU64::new(only.unwrap_or(0));
    let tally = Mutex::new(Tally::default());
    let work = || {
        let mut own = Tally::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                break tally.lock().expect("no thread panics").take_in(own);
            }
            own.add(&subjects[seed as usize % subjects.len()], seed);
        }
    };
    std::thread::scope(|scope| {
        let threads = if is_deep() { std::thread::available_parallelism().map_or(1, usize::from) } else { 1 };
        (0..threads).for_each(|_| _ = scope.spawn(work));
    });
    let tally = tally.into_inner().expect("no thread panics");
    println!("{count} mutations: {tally:#?}");
    assert!(tally.panics.is_empty() && tally.missed.is_empty(), "{} are missed", tally.missed.len());
}
