//! Tests of the checkers: their results on wrong moves.

use std::ops::Range;

use reconverge_ir::text;
use reconverge_verify::{verify, verify_motion};

use super::judge::{inputs_of, prepare};
use super::mutants::{Mutant, Mutated};
use super::run::{check_same, run};
use super::subject::{Built, Subject};
use crate::random::{Random, mix};

/// What became of the wrong moves of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Caught {
    /// How many were made; all of them were found by a checker.
    pub made: usize,
    /// Those after which a run did something else.
    pub shown: usize,
}

/// How many statements the programs have at most, about.
const SIZE: usize = 14;

/// Makes wrong moves of a kind in the programs of the seeds, so many at most.
///
/// # Errors
/// A wrong move that neither `verify` nor `verify_motion` says anything about.
pub fn judge_mutants(kind: Mutant, seeds: Range<u64>, wanted: usize) -> Result<Caught, String> {
    let mut caught = Caught::default();
    for seed in seeds {
        if caught.made == wanted {
            break;
        }
        let subject = Subject::random(seed, SIZE);
        let Ok(built) = prepare(&subject) else { continue };
        let mut random = Random::new(mix(seed) ^ 0x3074_7A47);
        let bodies = built.bodies();
        let function = *random.choose(&bodies);
        let Some(mutated) = kind.apply(&built.module, function, built.lane, &mut random) else { continue };
        caught.made += 1;
        if !is_found(&mutated) {
            let (before, after) = (text::print(&mutated.before), text::print(&mutated.after));
            return Err(format!(
                "{kind:?}, seed {seed}: nobody says anything of it\n; before\n{before}\n; after\n{after}"
            ));
        }
        caught.shown += usize::from(is_shown(&subject, &built, &mutated));
    }
    Ok(caught)
}

fn is_found(mutated: &Mutated) -> bool {
    !verify(&mutated.after).is_empty() || !verify_motion(&mutated.before, &mutated.after, &mutated.claims).is_empty()
}

/// Whether a run does something else after a wrong move.
fn is_shown(subject: &Subject, built: &Built, mutated: &Mutated) -> bool {
    let built = Built { module: mutated.before.clone(), ..built.clone() };
    inputs_of(subject).any(|inputs| {
        let old = run(&built, &built.module, &inputs, None);
        old.is_ok_and(|old| {
            old.undefined().is_none()
                && old.trouble().is_none()
                && check_same(&built, &old, &mutated.after, &inputs).is_err()
        })
    })
}
