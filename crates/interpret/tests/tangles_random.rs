//! Random structured programs against a second opinion that knows nothing of tangles.
//!
//! Each lane runs the program for itself, as a tree of statements. What it executes has a *path*: the statements around it with the
//! number of the iteration, the arm or the case by which a switch was entered, and the calls. Lanes execute a point together exactly if
//! they get there by the same path. For a path forgets what happened in a selection or loop that is over, as a merge block does, and
//! keeps which iteration it is, as all of an iteration are together at its continue block; and nothing else brings lanes together.

use std::collections::BTreeMap;

use crate::tangles_common::Program;
use crate::tangles_common::programs::{Exit, LEAVES, Maker, Random, Statement, Tree, Writer};
use reconverge_interpret::{End, Interpreter, Observer, Step};
use reconverge_ir::Op;

/// What one lane does.
struct Walk<'t> {
    tree: &'t Tree,
    lane: u32,
    path: Vec<u32>,
    points: Vec<(Vec<u32>, u32)>,
}

impl Walk<'_> {
    fn list(&mut self, list: &[Statement], iteration: u32) -> Option<Exit> {
        for (number, statement) in list.iter().enumerate() {
            self.path.push(number as u32);
            let exit = self.statement(statement, iteration);
            self.path.pop();
            if exit.is_some() {
                return exit;
            }
        }
        None
    }

    fn inside(&mut self, at: u32, list: &[Statement], iteration: u32) -> Option<Exit> {
        self.path.push(at);
        let exit = self.list(list, iteration);
        self.path.pop();
        exit
    }

    fn statement(&mut self, statement: &Statement, iteration: u32) -> Option<Exit> {
        match statement {
            Statement::Record(point) => self.points.push((self.path.clone(), *point)),
            Statement::If(hash, then, or_else) => {
                let arm = hash.value(self.lane, iteration, 2);
                return self.inside(arm, if arm == 1 { then } else { or_else }, iteration);
            }
            Statement::Switch(hash, cases) => {
                let entered = hash.value(self.lane, iteration, cases.len() as u32);
                for (case, (body, falls)) in cases.iter().enumerate().skip(entered as usize) {
                    self.path.push(entered);
                    let exit = self.inside(case as u32, body, iteration);
                    self.path.pop();
                    match exit {
                        Some(Exit::BreakSwitch) => return None,
                        None if *falls => {}
                        other => return other,
                    }
                }
            }
            Statement::Loop(limit, at_end, body, behind) => {
                let mut own = 0;
                while *at_end || own < *limit {
                    match self.inside(2 * own, body, own) {
                        Some(Exit::Break) => break,
                        None | Some(Exit::Continue) => {}
                        exit => return exit,
                    }
                    if self.inside(2 * own + 1, behind, own).is_some() {
                        // Nothing leaves a continue construct, but what it calls may end the lane.
                        return Some(Exit::Kill);
                    }
                    own += 1;
                    if *at_end && own >= *limit {
                        break;
                    }
                }
            }
            Statement::Call(callee) => {
                let exit = self.list(&self.tree.functions[*callee], iteration);
                return exit.filter(|&exit| exit == Exit::Kill);
            }
            Statement::Leave(hash, point, exit) => {
                if hash.value(self.lane, iteration, LEAVES) == 0 {
                    self.points.push((self.path.clone(), *point));
                    return Some(*exit);
                }
            }
        }
        None
    }
}

/// For each lane the points that it executes, with those who execute them together, and whether it is killed.
fn expected(tree: &Tree, lanes: u32) -> Vec<(Vec<(u32, u64)>, bool)> {
    let mut together: BTreeMap<(Vec<u32>, u32), u64> = BTreeMap::new();
    let mut walks = Vec::new();
    for lane in 0..lanes {
        let mut walk = Walk { tree, lane, path: Vec::new(), points: Vec::new() };
        let exit = walk.list(tree.functions.last().expect("a function"), 0);
        for point in &walk.points {
            *together.entry(point.clone()).or_default() |= 1 << lane;
        }
        walks.push((walk.points, exit == Some(Exit::Kill)));
    }
    let of = |points: Vec<(Vec<u32>, u32)>| points.into_iter().map(|point| (point.1, together[&point])).collect();
    walks.into_iter().map(|(points, is_killed)| (of(points), is_killed)).collect()
}

fn check(seed: u64) {
    let tree = Maker::tree(seed);
    let program = Writer::program(&tree, seed);
    let lanes = 1 + (seed % 32) as u32;
    let mut points: Vec<Vec<(u32, u64)>> = vec![Vec::new(); lanes as usize];
    let launch = Program::launch(lanes as usize, |_| 0);
    let mut external = |lane: usize, _, arguments: &[reconverge_interpret::Value]| {
        let [point, ballot] = [0, 1].map(|index| arguments[index].as_u32().expect("a number"));
        points[lane].push((point, u64::from(ballot)));
        Ok(None)
    };
    let outcome = Interpreter::new(&program.module).run(program.function, &launch, &mut external);
    let outcome = outcome.expect("the launch fits");
    for (lane, (expected, is_killed)) in expected(&tree, lanes).into_iter().enumerate() {
        let end = if is_killed { End::Terminated(Op::Kill) } else { End::Returned(None) };
        assert_eq!(outcome.lanes[lane].end, end, "seed {seed}, lane {lane}\n{}", program.text);
        assert_eq!(points[lane], expected, "seed {seed}, lane {lane}\n{}", program.text);
    }
}

#[test]
fn random_programs_have_the_tangles_of_their_paths() {
    (0..200).for_each(check);
}

/// Counts how often lanes stand at a block together, and compares each ballot with the lanes of its step.
struct Watcher {
    ballots: usize,
    function: Option<reconverge_ir::Function>,
}

impl Observer for Watcher {
    fn executed(&mut self, step: &Step<'_, '_>) {
        let bits = step.lanes().iter().fold(0u64, |bits, &lane| bits | 1 << lane);
        self.function.get_or_insert(step.function());
        for &lane in step.lanes() {
            if let Some(word) = step.value(lane, step.inst()).and_then(|value| value.elements()?[0].as_u32()) {
                assert_eq!(u64::from(word), bits);
                self.ballots += 1;
            }
        }
    }
}

#[test]
fn who_watches_sees_the_same_tangles_and_changes_nothing() {
    for seed in 1000..1050 {
        let program = Writer::program(&Maker::tree(seed), seed);
        let launch = Program::launch(1 + (seed % 20) as usize, |_| 0);
        let mut watcher = Watcher { ballots: 0, function: None };
        let watched = program.run_observed(&launch, &mut watcher);
        let unwatched = program.run_from(&launch);
        assert_eq!(watched.ballots, unwatched.ballots, "seed {seed}");
        assert_eq!(watched.outcome, unwatched.outcome, "seed {seed}");
        let recorded: u32 = watched.ballots.iter().map(|&(_, lanes)| lanes.count_ones()).sum();
        assert_eq!(watcher.ballots, recorded as usize, "seed {seed}");
    }
}

/// A program with some names of blocks exchanged for others, in jumps and in what they name as merge blocks.
fn torn(program: &Program, random: &mut Random) -> Option<(reconverge_ir::Module, reconverge_ir::Function)> {
    let mut lines: Vec<String> = program.text.lines().map(str::to_owned).collect();
    let jumps: Vec<usize> =
        (0..lines.len()).filter(|&line| lines[line].starts_with("  ") && lines[line].contains(" ^")).collect();
    if jumps.is_empty() {
        return None;
    }
    for _ in 0..=random.below(4) {
        let [one, other] = [0, 1].map(|_| jumps[random.below(jumps.len() as u32) as usize]);
        let name = |line: &str| {
            line.split_once('^').map(|(_, rest)| rest.split([' ', '(', ']']).next().unwrap_or_default().to_owned())
        };
        let (from, to) = (name(&lines[one])?, name(&lines[other])?);
        lines[one] = lines[one].replace(&format!("^{from}"), &format!("^{to}"));
    }
    let module = reconverge_ir::text::parse(&lines.join("\n")).ok()?;
    let function = module.functions().find(|&function| module.name(function).as_deref() == Some("f"))?;
    Some((module, function))
}

#[test]
fn whatever_the_shape_every_lane_ends() {
    let mut random = Random(0x5eed);
    let mut ran = 0;
    for seed in 2000..2200 {
        let program = Writer::program(&Maker::tree(seed), seed);
        let Some((module, function)) = torn(&program, &mut random) else { continue };
        let launch = reconverge_interpret::Launch { fuel: 3_000, ..Program::launch(7, |_| 0) };
        let mut external = |_: usize, _, _: &[reconverge_interpret::Value]| Ok(None);
        let outcome = Interpreter::new(&module).run(function, &launch, &mut external);
        ran += usize::from(outcome.is_ok_and(|outcome| outcome.lanes.len() == 7));
    }
    assert!(ran > 130, "{ran} programs ran");
}
