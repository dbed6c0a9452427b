//! Verdicts by definition, verdicts beside those of the analysis of texts, and values that go through memory.

mod random;
mod verdicts;

use super::{judge, share};
use crate::Language;
use crate::names;
use crate::print::{Spelling, print};
use crate::source::UniformityRule;
use crate::syntax::Text;
use crate::uniformity;

/// The text of a tree.
fn printed(text: &Text) -> String {
    print(text, Language::Wgsl, &Spelling::default())
}

/// Returns whether a rule is violated in a text, by the analysis of texts that are read.
fn is_violated(wgsl: &str, rule: UniformityRule) -> bool {
    let findings = uniformity(wgsl).unwrap_or_else(|error| panic!("{error}\n{wgsl}"));
    findings.iter().any(|finding| finding.rule == rule)
}

#[test]
fn random_texts_get_the_verdict_of_the_analysis_of_texts() {
    let mut rejected = 0;
    for seed in 0..1_500 {
        let mut text = random::text(seed);
        names::assign(&mut text, Language::Wgsl);
        let wgsl = printed(&text);
        let findings = judge(&text);
        let found = findings.iter().any(|finding| finding.rule == UniformityRule::Barrier);
        assert_eq!(found, is_violated(&wgsl, UniformityRule::Barrier), "seed {seed}\n{findings:#?}\n{wgsl}");
        rejected += u32::from(found);
    }
    assert!((500..1_400).contains(&rejected), "{rejected}");
}

#[test]
fn shared_values_make_every_barrier_of_a_random_text_acceptable() {
    let (mut counts, mut refused) = ([0; 4], 0);
    for seed in 0..1_500 {
        let mut text = random::text(seed);
        let Ok(shared) = share(&mut text) else {
            refused += 1;
            continue;
        };
        names::assign(&mut text, Language::Wgsl);
        let wgsl = printed(&text);
        assert!(judge(&text).iter().all(|finding| finding.rule != UniformityRule::Barrier), "seed {seed}\n{wgsl}");
        assert!(!is_violated(&wgsl, UniformityRule::Barrier), "seed {seed}\n{wgsl}");
        assert_eq!(wgsl.contains("uniform_"), !shared.is_empty(), "seed {seed}\n{wgsl}");
        counts[shared.len().min(3)] += 1;
    }
    assert!(counts.into_iter().all(|count| count > 50), "{counts:?}, refused {refused}");
}
