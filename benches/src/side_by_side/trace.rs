//! Whether a structurized shader writes what its input writes, and what the graph says.
//!
//! Decisions are drawn by walking the graph: the blocks that they lead through are known from the graph alone. Both modules run on
//! them in the interpreter and write a trace, two words a block: its number and a value that depends on the way. The buffers hold just
//! enough for the walk; where the walk is cut off, a run ends because it finds no further answer.

use reconverge::ir::{Inst, Module};
use reconverge::{Format, Merges, Source};
use reconverge_interpret::{Contents, Interpreter, Launch, Value, no_externals};
use reconverge_testing::plain_graph::{Ending, PlainGraph};
use reconverge_testing::program_from_graph::{ANSWERS, TRACE};
use reconverge_testing::random::Random;

/// Walks for each graph.
const WALKS: usize = 16;
/// Blocks of a walk, at most.
const LONGEST: usize = 20_000;
/// Instructions of a run, at most.
const FUEL: u64 = 50_000_000;

/// Holds both shaders against the graph on random decisions.
pub(crate) fn writes_the_same(graph: &PlainGraph, before: &[u8], after: &[u8]) -> bool {
    // Merges decide nothing, and those of an output that is not structured need not be ones.
    let stripped = |bytes| Source::new(bytes).merges(Merges::Strip);
    let read = |bytes| reconverge::read_source(Format::SPIRV, stripped(bytes)).ok().map(|read| read.module);
    let (Some(before), Some(after)) = (read(before), read(after)) else { return false };
    let shaders = [Shader::new(&before), Shader::new(&after)];
    let mut random = Random::new(17);
    let mut visits = vec![0; graph.len()];
    (0..WALKS).all(|_| {
        let (blocks, answers) = walk(graph, &mut random, &mut visits);
        let [old, new] = shaders.each_ref().map(|shader| shader.trace(&answers, blocks.len()));
        let is_on_the_way = old
            .as_ref()
            .is_some_and(|old| old.iter().step_by(2).map(|&number| number as usize).eq(blocks.iter().copied()));
        is_on_the_way && old == new
    })
}

/// Blocks and answers of a walk that stays away from exits and seeks new blocks for a while, and then goes anywhere.
fn walk(graph: &PlainGraph, random: &mut Random, visits: &mut [usize]) -> (Vec<usize>, Vec<u32>) {
    let limit = (2 * graph.len() + 32).min(LONGEST);
    let patience = random.below(limit);
    let (mut blocks, mut answers) = (vec![0], Vec::new());
    let mut block = 0;
    while blocks.len() < limit {
        let index = match graph.ending(block) {
            Ending::Exit => break,
            Ending::Jump => 0,
            Ending::Conditional | Ending::Switch => {
                let targets = 0..graph.successor_count(block);
                let cost = |&index: &usize| {
                    let target = graph.successor(block, index);
                    (graph.ending(target) == Ending::Exit, visits[target])
                };
                let anywhere = random.below(targets.len());
                let index = match blocks.len() < patience {
                    true => targets.min_by_key(cost).unwrap_or(anywhere),
                    false => anywhere,
                };
                answers.push(index as u32);
                index
            }
        };
        block = graph.successor(block, index);
        visits[block] += 1;
        blocks.push(block);
    }
    (blocks, answers)
}

struct Shader<'m> {
    module: &'m Module,
    interpreter: Interpreter<'m>,
}

impl<'m> Shader<'m> {
    fn new(module: &'m Module) -> Shader<'m> {
        Shader { module, interpreter: Interpreter::new(module) }
    }

    fn global(&self, name: &str) -> Option<Inst> {
        self.module.globals().find(|&inst| self.module.name(inst).as_deref() == Some(name))
    }

    /// The words that the shader writes on these answers; `None` if some of so many blocks are missing.
    fn trace(&self, answers: &[u32], blocks: usize) -> Option<Vec<u32>> {
        let graph =
            self.module.functions().find(|&function| self.module.name(function).as_deref() == Some("graph0"))?;
        let (source, trace) = (self.global(ANSWERS)?, self.global(TRACE)?);
        let block =
            |words: Vec<u32>| Value::composite(vec![Value::composite(words.into_iter().map(Value::u32).collect())]);
        // An array has an element at least. An answer more than are asked for is not seen; a block more than there are is refused.
        let answers = if answers.is_empty() { vec![0] } else { answers.to_vec() };
        let contents = |variable, value| Contents { variable, lane: None, value };
        let launch = Launch {
            contents: vec![contents(source, block(answers)), contents(trace, block(vec![u32::MAX; 2 * blocks]))],
            observed: vec![trace],
            ..Launch::default().with_fuel(FUEL)
        };
        let outcome = self.interpreter.run(graph, &launch, &mut no_externals).ok()?;
        let members = outcome.variable(trace, 0)?.elements()?;
        members.first()?.elements()?.iter().map(Value::as_u32).collect()
    }
}
