//! Loops that share a header, with barriers between their back edges: what is compiled does what the kernel does as it came, where every lane
//! waits for the others in one of them; or it is told that lanes may come to a barrier in different rounds.
//!
//! The kernel as it came is run by the rule for functions without structure: each lane walks alone, and a barrier waits for all. Kernels that
//! this rule refuses are left out: lanes part for good, or wait at two barriers.

use reconverge::pipeline::Level;
use reconverge::{CompileOptions, Format, compile};
use reconverge_ir::text;
use reconverge_run::{Argument, Interpretation, InterpreterOptions, Launch, RunError, interpret, interpret_compiled};
use reconverge_testing::is_deep;
use reconverge_testing::random::Random;

const HEAD: &str = r#"capability Kernel
capability Addresses
capability Int64
memory_model Physical64, OpenCL
entry_point Kernel, %k, "k", %lane
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%u64 = type_int 64, 0
%three = type_vector %u64, 3
%input = type_pointer Input, %three
%buffer = type_pointer CrossWorkgroup, %u32
%own = type_pointer Function, %u32
%eight: %u32 = constant 8
%array = type_array %u32, %eight
%arrays = type_pointer Workgroup, %array
%local = type_pointer Workgroup, %u32
%lane: %input = variable Input {decorate BuiltIn 27}
%shared: %arrays = variable Workgroup
%zero: %u32 = constant 0
%one: %u32 = constant 1
%two: %u32 = constant 2
%odd: %u32 = constant 5
%seven: %u32 = constant 7
%enough: %u32 = constant 30
%fence: %u32 = constant 272
"#;

const ENTRY: &str = "
func %k: %void (%out: %buffer, %rounds: %u32) {
block ^entry:
  %x: %own = variable Function
  %sum: %own = variable Function
  %steps: %own = variable Function
  %round: %own = variable Function
  %id: %three = load %lane
  %index: %u64 = composite_extract %id, 0
  %l: %u32 = u_convert %index
  %mine: %local = in_bounds_access_chain %shared, %l
  store %x, %l, 2, 4
  store %sum, %zero, 2, 4
  store %steps, %zero, 2, 4
  store %round, %zero, 2, 4
  branch ^header
block ^header:
";

const EXIT: &str = "
block ^done:
  %result: %u32 = load %sum, 2, 4
  %place: %buffer = in_bounds_ptr_access_chain %out, %index
  store %place, %result, 2, 4
  return
block ^latch:
  %lx: %u32 = load %x, 2, 4
  %ly: %u32 = i_add %lx, %seven
  store %x, %ly, 2, 4
  branch ^header
}
";

/// A kernel of one loop with two back edges or more.
fn kernel(random: &mut Random) -> String {
    let mut text = format!("{HEAD}{ENTRY}");
    let count = random.between(2, 6);
    for step in 0..count {
        text += &work(step);
        match random.below(5) {
            0 | 1 => text += &divergent(step, random),
            2 => text += &uniform(step, random),
            3 => text += &barrier(step, random),
            _ => {}
        }
    }
    text += &barrier(count, random);
    text += &uniform(count, random);
    text + "  branch ^done\n" + EXIT
}

fn work(n: usize) -> String {
    format!(
        "  %a{n}: %u32 = load %x, 2, 4\n  %b{n}: %u32 = i_mul %a{n}, %odd\n  %c{n}: %u32 = i_add %b{n}, %one\n  \
         store %x, %c{n}, 2, 4\n"
    )
}

/// Lanes that go round, some here and some there, and each of them no more than so often.
fn divergent(n: usize, random: &mut Random) -> String {
    let bit = *random.choose(&["%one", "%two", "%eight"]);
    format!(
        "  %d{n}: %u32 = load %steps, 2, 4\n  %e{n}: %u32 = i_add %d{n}, %one\n  store %steps, %e{n}, 2, 4\n  \
         %f{n}: %bool = u_less_than %e{n}, %enough\n  %g{n}: %u32 = bitwise_and %c{n}, {bit}\n  \
         %h{n}: %bool = i_equal %g{n}, %zero\n  %i{n}: %bool = logical_and %f{n}, %h{n}\n{}",
        again(n, random)
    )
}

/// Lanes that go round as long as the number of rounds says.
fn uniform(n: usize, random: &mut Random) -> String {
    format!(
        "  %j{n}: %u32 = load %round, 2, 4\n  %m{n}: %u32 = i_add %j{n}, %one\n  store %round, %m{n}, 2, 4\n  \
         %i{n}: %bool = u_less_than %m{n}, %rounds\n{}",
        again(n, random)
    )
}

fn again(n: usize, random: &mut Random) -> String {
    let target = *random.choose(&["^header", "^header", "^latch"]);
    format!("  branch_if %i{n} ^again{n} ^next{n}\nblock ^again{n}:\n  branch {target}\nblock ^next{n}:\n")
}

/// Each lane tells its neighbour what it has.
fn barrier(n: usize, random: &mut Random) -> String {
    let distance = *random.choose(&["%one", "%two", "%odd"]);
    format!(
        "  %o{n}: %u32 = load %x, 2, 4\n  store %mine, %o{n}, 2, 4\n  control_barrier %two, %two, %fence\n  \
         %p{n}: %u32 = i_add %l, {distance}\n  %q{n}: %u32 = bitwise_and %p{n}, %seven\n  \
         %r{n}: %local = in_bounds_access_chain %shared, %q{n}\n  %s{n}: %u32 = load %r{n}, 2, 4\n  \
         %t{n}: %u32 = load %sum, 2, 4\n  %u{n}: %u32 = i_add %t{n}, %s{n}\n  store %sum, %u{n}, 2, 4\n  \
         control_barrier %two, %two, %fence\n"
    )
}

fn launch() -> Launch {
    let argument = |flag: &str| Argument::from_flag(flag).expect("an argument");
    Launch {
        global: [8, 1, 1],
        local: Some([8, 1, 1]),
        arguments: vec![argument("out:u32[8]"), argument("u32=3")],
        ..Launch::default()
    }
}

fn outcome(run: Result<Interpretation, RunError>) -> Option<Vec<Vec<u8>>> {
    let run = run.expect("the launch fits the kernel");
    run.failure.is_none().then_some(run.buffers)
}

#[test]
fn lanes_meet_at_barriers_of_shared_headers_or_it_is_told() {
    let count = if is_deep() { 5_000 } else { 250 };
    let (mut defined, mut split, mut told) = (0, 0, 0);
    for seed in 0..count {
        let source = kernel(&mut Random::new(seed));
        let module = text::parse(&source).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let Some(right) = outcome(interpret(&module, &launch(), InterpreterOptions::default())) else { continue };
        defined += 1;
        for level in [Level::None, Level::Speed] {
            let options = CompileOptions::new().level(level).verify_each(true);
            let output = compile(source.as_bytes(), Format::TEXT, Format::TEXT, &options)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
            let run = &output.run;
            let reflection = run.reflection.as_ref().expect("a kernel was lowered");
            let found = interpret_compiled(&output.module, reflection, &launch(), InterpreterOptions::default());
            let is_same = outcome(found).is_some_and(|found| found[0] == right[0]);
            assert!(
                is_same || !run.misaligned_barriers.is_empty(),
                "seed {seed}, {level:?}: nothing is told\n{source}"
            );
            let is_split = |step: &&reconverge::Step| step.pass == "split_shared_headers" && step.functions_changed > 0;
            split += usize::from(run.steps.iter().any(|step| is_split(&step)));
            told += usize::from(!is_same);
        }
    }
    println!(
        "{defined} of {count} kernels are defined, {split} of {} were split, {told} differ and say so",
        2 * defined
    );
    assert!(defined * 4 > count as usize && split * 4 > defined, "the kernels are not what they are to be");
}
