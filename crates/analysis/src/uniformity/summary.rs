//! The facts about a function that callers need: a few runs over it with different parameters.
//!
//! A divergent parameter can only add divergence, and the effect of several is the union of their effects, since no rule requires two
//! divergent things at once; so a summary needs one run per parameter, and one with all of them to see whether any is needed: it continues
//! from the run with uniform parameters, as levels only ever rise.
//!
//! The facts that do not depend on the parameters are computed once for all runs. The result of one run is kept, that with all parameters
//! divergent if there was one, else that with uniform ones: callers often pass just these, and the function need not be run again.

use reconverge_ir::{Function, Module, Op, OpGroup, view};
use smallvec::smallvec;

use super::body::Body;
use super::context::Context;
use super::function::Levels;
use super::level::Level;
use super::propagation::{Ground, Propagation, UniformityFacts};
use super::variables::Variables;

/// The number of parameters that a summary distinguishes.
const PARAMETERS: usize = 8;

/// The facts about a callee.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    pub(super) function: Function,
    /// The level of its result when its parameters are uniform.
    pub(super) returned: Level,
    /// The parameters that make the result divergent when they are not uniform, by bit; the last bit represents all further ones.
    pub(super) depends: u64,
    /// True if lanes may end in it.
    pub(super) ends_lanes: bool,
}

/// Runs over a function.
pub(super) struct Runs {
    ground: Ground,
    /// The results with all parameters of one level.
    kept: Option<(Level, UniformityFacts, Variables)>,
}

impl Runs {
    /// No runs yet.
    pub(super) fn compute(module: &Module, body: &Body, context: &Context) -> Runs {
        Runs { ground: Ground::compute(module, body, context.private(body.function())), kept: None }
    }

    /// The summary of a function whose callees are known.
    pub(super) fn summarize(&mut self, module: &Module, body: &Body, context: &Context) -> Summary {
        let count = body.function_parameters().len();
        let ground = &self.ground;
        let uniform: Levels = smallvec![Level::UNIFORM; count];
        let mut run = Propagation::compute(module, body, context, &uniform, ground.clone());
        let returned = run.returned();
        let mut level = Level::UNIFORM;
        let mut depends = 0;
        if returned != Level::Divergent && count > 0 {
            run.diverge_parameters();
            level = Level::Divergent;
            let is_spoiled = run.returned() != returned;
            for index in (0..count.min(64)).filter(|_| is_spoiled) {
                let mut parameters = uniform.clone();
                parameters[index] = Level::Divergent;
                let one = || Propagation::compute(module, body, context, &parameters, ground.clone());
                let matters = count == 1 || index >= PARAMETERS || one().returned() != returned;
                depends |= u64::from(matters) << index;
            }
        }
        let (facts, memory) = run.finish();
        self.kept = Some((level, facts, memory));
        Summary { function: body.function(), returned, depends, ends_lanes: ends_lanes(module, body, context) }
    }

    /// The results with these parameters.
    pub(super) fn finish(
        self,
        module: &Module,
        body: &Body,
        context: &Context,
        parameters: &[Level],
    ) -> (UniformityFacts, Variables) {
        match self.kept {
            Some((level, facts, memory)) if parameters.iter().all(|&parameter| parameter == level) => (facts, memory),
            _ => Propagation::compute(module, body, context, parameters, self.ground).finish(),
        }
    }
}

/// Returns whether lanes may end in a function, or in one that it calls.
fn ends_lanes(module: &Module, body: &Body, context: &Context) -> bool {
    body.insts().iter().enumerate().any(|(number, &inst)| match body.op(number as u32) {
        Op::FunctionCall => view::FunctionCall::of(module, inst)
            .and_then(|call| module.cast(call.function))
            .is_none_or(|callee| context.summary(callee).is_none_or(|summary| summary.ends_lanes)),
        op => op.group() == OpGroup::LaneEnd,
    })
}
