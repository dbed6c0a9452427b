//! The structurizers, each from SPIR-V bytes to SPIR-V bytes.

use std::rc::Rc;
use std::time::Instant;

use reconverge::structurize::{Options, structurize};
use reconverge::{CompileOptions, Format, Level};
use reconverge_plan_check::Lists;

use crate::sets::Set;

/// How often each module is structurized; the fastest run counts.
const RUNS: usize = 3;
/// How often a plan is made in each of them: it is short, and what else the machine does weighs more.
const PLANS: usize = 5;

/// Who structurizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Contestant {
    /// This project, with its verifier before and after.
    Reconverge,
    /// The same where constructs may nest as deep as SPIR-V allows.
    ReconvergeDeep,
    /// The crate `spirt`: lower, structurize, lift.
    Spirt,
}

/// Milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The plan for the bare graph, where there is such a thing.
    pub(crate) plan: Option<f64>,
    /// From module to structured module.
    pub(crate) step: f64,
    /// From bytes to bytes.
    pub(crate) whole: f64,
}

impl Contestant {
    const ALL: [Contestant; 3] = [Contestant::Reconverge, Contestant::ReconvergeDeep, Contestant::Spirt];

    /// Those who take part on a set.
    pub(crate) fn on(set: &Set) -> impl Iterator<Item = Contestant> {
        let is_deep = set.is_deep;
        Contestant::ALL.into_iter().filter(move |&contestant| is_deep || contestant != Contestant::ReconvergeDeep)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Contestant::Reconverge => "reconverge",
            Contestant::ReconvergeDeep => "reconverge, nesting limit 1023",
            Contestant::Spirt => "spirt 0.4.0",
        }
    }

    /// The contestant of that name.
    pub(crate) fn named(name: &str) -> Option<Contestant> {
        Contestant::ALL.into_iter().find(|contestant| contestant.name() == name)
    }

    fn options(self) -> Options {
        match self {
            Contestant::ReconvergeDeep => Options::new().nesting_limit(1023),
            _ => Options::default(),
        }
    }

    /// The structurized module and the times it took, or why there is none.
    pub(crate) fn structurize(self, graph: &Lists, bytes: &[u8]) -> Result<(Vec<u8>, Times), String> {
        let mut best: Option<(Vec<u8>, Times)> = None;
        for _ in 0..RUNS {
            let (output, times) = match self {
                Contestant::Spirt => spirt(bytes)?,
                _ => self.reconverge(graph, bytes)?,
            };
            let times = best.map_or(times, |(_, before)| before.least(times));
            best = Some((output, times));
        }
        best.ok_or("no run".to_owned())
    }

    fn reconverge(self, graph: &Lists, bytes: &[u8]) -> Result<(Vec<u8>, Times), String> {
        let mut shortest = f64::INFINITY;
        for _ in 0..PLANS {
            let (plan, milliseconds) = timed(|| structurize(graph, &self.options()));
            plan.map_err(|error| error.to_string())?;
            shortest = shortest.min(milliseconds);
        }
        let mut module = reconverge::read(bytes, Format::SPIRV).map_err(|error| error.to_string())?;
        let functions: Vec<_> = module.functions().collect();
        let (result, step) = timed(|| {
            functions.iter().try_for_each(|&function| {
                reconverge_restructure::structurize(&mut module, function, &self.options()).map(|_| ())
            })
        });
        result.map_err(|error| error.to_string())?;
        let options = CompileOptions::new().structurize(self.options()).level(Level::None);
        let (output, whole) = timed(|| reconverge::compile(bytes, Format::SPIRV, Format::SPIRV, &options));
        let output = output.map_err(|error| error.to_string())?;
        Ok((output.bytes, Times { plan: Some(shortest), step, whole }))
    }
}

fn spirt(bytes: &[u8]) -> Result<(Vec<u8>, Times), String> {
    let start = Instant::now();
    let context = Rc::new(spirt::Context::new());
    let module = spirt::Module::lower_from_spv_bytes(context, bytes.to_vec());
    let mut module = module.map_err(|error| error.to_string())?;
    let ((), step) = timed(|| spirt::passes::legalize::structurize_func_cfgs(&mut module));
    let emitter = module.lift_to_spv_module_emitter().map_err(|error| error.to_string())?;
    let output = emitter.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let whole = start.elapsed().as_secs_f64() * 1000.0;
    Ok((output, Times { plan: None, step, whole }))
}

impl Times {
    fn least(self, other: Times) -> Times {
        Times {
            plan: self.plan.zip(other.plan).map(|(one, two)| one.min(two)),
            step: self.step.min(other.step),
            whole: self.whole.min(other.whole),
        }
    }
}

/// What a call gives, and the milliseconds it took.
pub(crate) fn timed<T>(call: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = call();
    (result, start.elapsed().as_secs_f64() * 1000.0)
}
