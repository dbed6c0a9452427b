//! Random programs for lanes are valid, the same for the same seed, and hold every construct.

use reconverge_ir::{Op, fingerprint, text};
use reconverge_testing::generators::lanes::{
    LaneOptions, Outside, Program, Records, SubgroupUse, lanes_program, lower,
};
use reconverge_testing::is_deep;
use reconverge_testing::judge::{Environment, Validator};
use reconverge_verify::verify;

fn count(default: u64, deep: u64) -> u64 {
    if is_deep() { deep } else { default }
}

fn options(seed: u64) -> LaneOptions {
    LaneOptions {
        barriers: seed % 5 == 1,
        returns: seed % 5 != 1,
        records: if seed.is_multiple_of(3) { Records::EveryBlock } else { Records::Some },
        subgroup: [SubgroupUse::Everywhere, SubgroupUse::Everywhere, SubgroupUse::Recorded, SubgroupUse::None]
            [seed as usize % 4],
        ..LaneOptions::default()
    }
}

fn program(seed: u64) -> Program {
    lanes_program(seed, 5 + seed as usize % 60, &options(seed))
}

#[test]
fn the_verifier_accepts_them() {
    for seed in 0..count(100, 20_000) {
        let program = program(seed);
        for outside in [Outside::Calls, Outside::Shader { local_size: 8 }] {
            let lowered = lower(&program, outside);
            let findings = verify(&lowered.module);
            assert!(findings.is_empty(), "seed {seed}: {}\n{program}\n{}", findings[0], text::print(&lowered.module));
        }
    }
}

#[test]
fn the_validator_accepts_them() {
    let validator = Validator::find().expect("cargo xtask setup installs the validator");
    for seed in 0..count(16, 2_000) {
        let program = program(seed);
        for (outside, environments) in [
            (Outside::Calls, &[Environment::Universal][..]),
            (Outside::Shader { local_size: 16 }, &[Environment::Vulkan1_1, Environment::Vulkan1_2][..]),
        ] {
            let lowered = lower(&program, outside);
            let bytes = reconverge_spirv::write(&lowered.module, &reconverge_spirv::WriteOptions::default()).unwrap();
            for &environment in environments {
                let judged = validator.validate(&bytes, environment);
                assert!(judged.is_ok(), "seed {seed}: {judged:?}\n{program}\n{}", text::print(&lowered.module));
            }
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_module() {
    for seed in 0..20 {
        let (left, right) = (lower(&program(seed), Outside::Calls), lower(&program(seed), Outside::Calls));
        assert_eq!(text::print(&left.module), text::print(&right.module), "seed {seed}");
        assert_eq!(fingerprint(&left.module), fingerprint(&right.module), "seed {seed}");
    }
}

#[test]
fn every_construct_occurs() {
    let wanted = [
        Op::If,
        Op::BranchIf,
        Op::StructuredSwitch,
        Op::Loop,
        Op::EdgeBlock,
        Op::BlockParameter,
        Op::FunctionCall,
        Op::ReturnValue,
        Op::Unreachable,
        Op::GroupNonUniformElect,
        Op::GroupNonUniformAll,
        Op::GroupNonUniformAny,
        Op::GroupNonUniformAllEqual,
        Op::GroupNonUniformBallot,
        Op::GroupNonUniformInverseBallot,
        Op::GroupNonUniformBroadcastFirst,
        Op::GroupNonUniformShuffle,
        Op::GroupNonUniformShuffleXor,
        Op::GroupNonUniformIAdd,
        Op::ControlBarrier,
    ];
    let mut counts = [0usize; 20];
    for seed in 0..300 {
        let lowered = lower(&program(seed), Outside::Calls);
        for inst in lowered.module.descendants(lowered.module.root()) {
            if let Some(index) = wanted.iter().position(|&op| op == lowered.module.op(inst)) {
                counts[index] += 1;
            }
        }
    }
    for (op, count) in wanted.iter().zip(counts) {
        assert!(count >= 10, "{} occurs {count} times", op.name());
    }
}
