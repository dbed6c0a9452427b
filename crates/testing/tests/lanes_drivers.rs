//! Random programs on lavapipe and SwiftShader, against what they must do; 2,000 with `RECONVERGE_DEEP=1`.

use std::process::Command;

use reconverge::structurize::Policy;
use reconverge_testing::is_deep;
use reconverge_testing::lanes::{Demand, Driver, Tally, judge_in_processes, shrink_on_driver, work};

/// Says to a process that it is the worker, and for what: the demand, lanes, then seeds.
const WORKER: &str = "RECONVERGE_LANES_WORKER";
/// With this too, the worker makes the programs smaller and prints them.
const SHRINK: &str = "RECONVERGE_LANES_SHRINK";
/// How many programs one process runs.
const BATCH: usize = 200;

#[test]
fn worker() {
    let Ok(order) = std::env::var(WORKER) else { return };
    let (demand, order) = order.split_once(' ').unwrap();
    let demand = Demand::parse(demand).unwrap();
    let mut numbers = order.split(' ').map(|word| word.parse().unwrap());
    let lanes = numbers.next().unwrap() as usize;
    match std::env::var(SHRINK) {
        Ok(_) => numbers.for_each(|seed| println!("{}", shrink_on_driver(seed, lanes, demand).unwrap())),
        Err(_) => work(numbers, lanes, demand).unwrap(),
    }
}

fn command(lanes: usize, demand: Demand, seeds: &[u64]) -> Result<Command, String> {
    let mut command = Command::new(std::env::current_exe().map_err(|error| error.to_string())?);
    let seeds = seeds.iter().take(BATCH).map(|seed| format!(" {seed}"));
    let order = format!("{} {lanes}", demand.name()) + &seeds.collect::<String>();
    command.args(["--exact", "lanes_drivers::worker", "--nocapture"]).env(WORKER, order);
    Ok(command)
}

/// Runs programs on a driver.
fn hold(driver: Driver, lanes: usize, demand: Demand) {
    assert!(driver.is_installed(), "{} is not there; `cargo xtask setup` installs it", driver.name());
    let count = if is_deep() { 2_000 } else { 30 };
    let mut sum = Tally::default();
    let mut complaints = Vec::new();
    let seeds: Vec<u64> = (0..count).collect();
    for batch in seeds.chunks(BATCH) {
        let (tally, faults) =
            judge_in_processes(driver, lanes, batch, &|seeds| command(lanes, demand, seeds)).expect("the driver runs");
        complaints.extend(faults);
        sum = sum.and(tally);
    }
    println!("{} with {lanes} lanes: {sum:?}", driver.name());
    assert!(complaints.is_empty(), "{} of {count}:\n{}", complaints.len(), complaints.join("\n"));
    assert_eq!(sum.programs, count as usize);
    assert!(sum.equal_decided > 0 && sum.equal_open.iter().sum::<usize>() > 0, "{sum:?}");
}

#[test]
fn lavapipe_with_4_lanes() {
    hold(Driver::Lavapipe, 4, Demand::Promised);
}

#[test]
fn lavapipe_with_8_lanes() {
    hold(Driver::Lavapipe, 8, Demand::Promised);
}

#[test]
fn lavapipe_with_16_lanes() {
    hold(Driver::Lavapipe, 16, Demand::Promised);
}

/// lavapipe does not promise it, and keeps it where no case falls into the next one.
#[test]
fn lavapipe_reconverges_maximally_without_fall_through() {
    for lanes in [4, 8, 16] {
        hold(Driver::Lavapipe, lanes, Demand::Maximal);
    }
}

/// Nor does it make a difference whether structure was found anew, with hints (`docs/convergence.md`), and under which policy
/// (`docs/policies.md`).
#[test]
fn lavapipe_sees_no_difference_where_structure_was_found_anew() {
    for policy in Policy::ALL {
        for lanes in [4, 8, 16] {
            hold(Driver::Lavapipe, lanes, Demand::FoundAnew(policy));
        }
    }
}

#[test]
fn swiftshader() {
    hold(Driver::SwiftShader, 4, Demand::Promised);
}
