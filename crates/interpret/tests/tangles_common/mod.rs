//! Structured programs in the text form that write down which lanes execute a point together.
//!
//! Besides instructions, a body may hold lines of these forms:
//!
//! ```text
//! ballot 7                   tells everybody that is here that this is point 7 and who is here
//! %c: %bool = among 0b0101   whether the lane is one of these
//! %k7                        the constant 7
//! ```

pub(crate) mod programs;

use std::collections::BTreeSet;

use reconverge_interpret::{Argument, End, External, Interpreter, Launch, Observer, Outcome, Value};
use reconverge_ir::{Function, Module};

pub(crate) const PRELUDE: &str = "\
capability Shader
capability GroupNonUniformBallot
memory_model Logical, GLSL450
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%u32x4 = type_vector %u32, 4
%private = type_pointer Function, %u32
%shared_type = type_pointer StorageBuffer, %u32
%shared: %shared_type = variable StorageBuffer
%true: %bool = constant_true
%false: %bool = constant_false
func %record: %void (%point: %u32, %ballot: %u32)
";

/// A module with a function called `%f` in it, which gets the number of the lane and another number.
pub(crate) struct Program {
    pub module: Module,
    pub function: Function,
    pub text: String,
}

/// What comes of a run: points in the order in which they were executed, with a bit for each lane that took part, and the rest.
pub(crate) struct Ran {
    pub ballots: Vec<(u32, u64)>,
    pub outcome: Outcome,
}

impl Program {
    /// The blocks of the function.
    pub(crate) fn new(body: &str) -> Program {
        Program::with("", body)
    }

    /// Other functions, and the blocks of the function.
    pub(crate) fn with(others: &str, body: &str) -> Program {
        let program = Program::unverified(others, body);
        let findings = reconverge_verify::verify(&program.module);
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{}\n{}", body, findings.join("\n"));
        program
    }

    /// The same for what no verifier would accept.
    pub(crate) fn unverified(others: &str, body: &str) -> Program {
        let function = format!("{others}\nfunc %f: %void (%lane: %u32, %x: %u32) stage structured {{\n{body}\n}}\n");
        let mut masks = BTreeSet::new();
        let mut lines = Vec::new();
        for (number, line) in function.lines().enumerate() {
            lines.push(expanded(line, number, &mut masks));
        }
        let constant = |value: &u32| format!("%k{value}: %u32 = constant {value}\n");
        let mask = |value: &u32| format!("%mask{value}: %u32 = constant {value}\n");
        let body_text = lines.join("\n");
        let constants: String = numbers(&body_text).iter().map(constant).chain(masks.iter().map(mask)).collect();
        let text = format!("{PRELUDE}{constants}{body_text}");
        let module = reconverge_ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let function = module.functions().find(|&function| module.name(function).as_deref() == Some("f"));
        Program { function: function.expect("a function called f"), module, text }
    }

    /// Runs it in that many lanes, as one tangle of one subgroup.
    pub(crate) fn run(&self, lanes: usize) -> Ran {
        self.run_from(&Program::launch(lanes, |_| 0))
    }

    /// The same with these numbers as second argument.
    pub(crate) fn run_with(&self, xs: &[u32]) -> Ran {
        self.run_from(&Program::launch(xs.len(), |lane| xs[lane]))
    }

    pub(crate) fn launch(lanes: usize, x: impl Fn(usize) -> u32) -> Launch {
        let per_lane =
            |value: &dyn Fn(usize) -> u32| Argument::PerLane((0..lanes).map(|lane| Value::u32(value(lane))).collect());
        Launch {
            arguments: vec![per_lane(&|lane| lane as u32), per_lane(&x)],
            fuel: 100_000,
            ..Launch::default().with_lanes(lanes)
        }
    }

    pub(crate) fn run_from(&self, launch: &Launch) -> Ran {
        self.record(|interpreter, external| interpreter.run(self.function, launch, external).expect("the launch fits"))
    }

    pub(crate) fn run_observed(&self, launch: &Launch, observer: &mut dyn Observer) -> Ran {
        self.record(|interpreter, external| {
            interpreter.run_observed(self.function, launch, external, observer).expect("the launch fits")
        })
    }

    fn record(&self, run: impl FnOnce(&Interpreter<'_>, &mut External<'_>) -> Outcome) -> Ran {
        let mut ballots: Vec<(u32, u64)> = Vec::new();
        let mut left = 0u64;
        let outcome = run(&Interpreter::new(&self.module), &mut |lane, _, arguments| {
            let [point, ballot] = [0, 1].map(|index| arguments[index].as_u32().expect("a number"));
            // The lanes of a tangle follow each other, the lowest one first.
            if left == 0 {
                left = u64::from(ballot);
                ballots.push((point, u64::from(ballot)));
            }
            assert_eq!(lane as u32, left.trailing_zeros(), "point {point}, ballot {ballot:b}");
            left &= left - 1;
            Ok(None)
        });
        assert_eq!(left, 0, "all lanes of a ballot record it");
        Ran { ballots, outcome }
    }
}

impl Ran {
    /// Complains unless all lanes returned.
    pub(crate) fn returned(self) -> Ran {
        for (lane, outcome) in self.outcome.lanes.iter().enumerate() {
            assert_eq!(outcome.end, End::Returned(None), "lane {lane}: {}", outcome.end);
        }
        self
    }
}

/// The constants that a text names, as `%k7`.
fn numbers(text: &str) -> BTreeSet<u32> {
    let digits = |part: &str| part.chars().take_while(char::is_ascii_digit).collect::<String>();
    text.split("%k").skip(1).filter_map(|part| digits(part).parse().ok()).collect()
}

/// A line of a body as instructions.
fn expanded(line: &str, number: usize, masks: &mut BTreeSet<u32>) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["ballot", point] => format!(
            "  %b.{number}: %u32x4 = group_non_uniform_ballot %k3, %true
  %w.{number}: %u32 = composite_extract %b.{number}, 0
  %r.{number}: %void = function_call %record, %k{point}, %w.{number}"
        ),
        [result, ty, "=", "among", mask] => {
            let mask = u32::from_str_radix(&mask[2..], 2).expect("a mask");
            masks.insert(mask);
            format!(
                "  %s.{number}: %u32 = shift_right_logical %mask{mask}, %lane
  %a.{number}: %u32 = bitwise_and %s.{number}, %k1
  {result} {ty} = i_not_equal %a.{number}, %k0"
            )
        }
        _ => line.to_owned(),
    }
}
