//! Programs for the tests of code motion: the source of their control flow, and the added pieces.

use reconverge_ir::{Function, Inst, Module};

use super::dress::dress;
use super::stock::Stock;
use crate::block_order::shuffle_blocks;
use crate::generators::lanes::{LaneOptions, Outside, Program, SubgroupUse, lanes_program, lower};
use crate::generators::structured::{self, structured};
use crate::generators::wild::wild;
use crate::plain_graph::PlainGraph;
use crate::random::{Random, mix};
use crate::uniformity_judge::scattered;
use crate::unstructure::{Unstructurer, Values, unstructure};

/// A program, as data that can be shrunk.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its control flow.
    pub base: Base,
    /// The seed of everything else.
    pub seed: u64,
    /// The added pieces: one number each.
    pub pieces: Vec<u64>,
}

/// The source of the control flow.
#[derive(Clone, Debug)]
pub enum Base {
    /// A program for lanes.
    Lanes(Program, Form),
    /// A graph, filled and with divergent values; at stage Graph.
    Graph(PlainGraph),
}

/// The remaining structure of a lane program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// All: stage Structured.
    Structured,
    /// None: stage Graph, after this number of unstructurers.
    Unstructured(usize),
}

/// A program as a module.
#[derive(Clone, Debug)]
pub struct Built {
    /// The module.
    pub module: Module,
    /// The function where it starts, without parameters.
    pub start: Function,
    /// The input variable with the number of the lane.
    pub lane: Inst,
    /// The variable with the uniform inputs, if there is one.
    pub uniforms: Option<Inst>,
}

impl Subject {
    /// The program of a seed: about `size` statements or blocks, and the same number of pieces.
    pub fn random(seed: u64, size: usize) -> Subject {
        let mut random = Random::new(mix(seed) ^ 0xD2E55);
        let size = random.between(2, size.max(2));
        let base = match random.below(10) {
            0..5 => Base::Lanes(program(&mut random, size), Form::Structured),
            5..7 => Base::Lanes(program(&mut random, size), Form::Unstructured(0)),
            7 => Base::Lanes(program(&mut random, size), Form::Unstructured(random.between(1, 6))),
            8 => Base::Graph(structured(random.word(), size, structured::Form::Optimized)),
            _ => Base::Graph(wild(random.word(), size)),
        };
        let count = random.between(4, 4 * size + 8);
        let pieces = (0..count).map(|_| random.word()).collect();
        Subject { base, seed, pieces }
    }

    /// Creates the module. Linear, times the pieces.
    ///
    /// # Errors
    /// A value that no variable can contain, if structure is removed.
    pub fn build(&self) -> Result<Built, String> {
        let mut built = self.base.build(self.seed)?;
        let stock = Stock::add(&mut built.module);
        let functions = built.bodies();
        for (index, &function) in functions.iter().enumerate() {
            let own = |number: &usize| number % functions.len() == index;
            let pieces: Vec<u64> = (0..self.pieces.len()).filter(own).map(|number| self.pieces[number]).collect();
            dress(&mut built.module, function, &stock, built.lane, &pieces);
        }
        Ok(built)
    }
}

impl Built {
    /// The functions that have a body.
    pub fn bodies(&self) -> Vec<Function> {
        self.module.functions().filter(|&function| self.module.entry(function).is_some()).collect()
    }
}

fn program(random: &mut Random, size: usize) -> Program {
    let subgroup = *random.choose(&[SubgroupUse::None, SubgroupUse::Recorded, SubgroupUse::Everywhere]);
    let options = LaneOptions { calls: random.chance(30), depth: 3, subgroup, ..LaneOptions::default() };
    lanes_program(random.word(), size, &options)
}

impl Base {
    fn build(&self, seed: u64) -> Result<Built, String> {
        match self {
            Base::Graph(graph) => {
                let (module, start, lane) = scattered(graph, seed);
                Ok(Built { module, start, lane, uniforms: None })
            }
            Base::Lanes(program, form) => {
                let lowered = lower(program, Outside::Calls);
                let mut module = lowered.module;
                let mut random = Random::new(seed);
                for &function in &lowered.functions {
                    match *form {
                        Form::Structured if seed.is_multiple_of(2) => {
                            shuffle_blocks(&mut module, function, &mut random);
                        }
                        Form::Structured => {}
                        Form::Unstructured(count) => {
                            let ways: Vec<Unstructurer> =
                                (0..count).map(|_| *random.choose(&Unstructurer::ALL)).collect();
                            unstructure(&mut module, function, &ways, Values::InParameters, &mut random)?;
                        }
                    }
                }
                Ok(Built { module, start: lowered.start, lane: lowered.lane, uniforms: Some(lowered.uniforms) })
            }
        }
    }
}
