//! Tests of the checkers: their results for illegal moves.

use std::ops::Range;

use reconverge_ir::text;
use reconverge_verify::{verify, verify_motion};

use super::judge::{inputs_of, prepare};
use super::mutants::{Mutant, Mutated};
use super::run::{check_same, run};
use super::subject::{Built, Subject};
use crate::random::{Random, mix};

/// The results for illegal moves of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Caught {
    /// The number of illegal moves; a checker detected all of them.
    pub made: usize,
    /// The number of moves that changed the behaviour of a run.
    pub shown: usize,
}

/// The approximate maximal number of statements of programs.
const SIZE: usize = 14;

/// Makes at most this number of illegal moves of a kind in the programs of the seeds.
///
/// # Errors
/// An illegal move that neither `verify` nor `verify_motion` detects.
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

/// Returns whether an illegal move changes the behaviour of a run.
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
