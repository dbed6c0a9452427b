//! Adds operations to a program with control flow, for code motion and value numbering.
//!
//! Each *piece* is a number that determines one addition: an operation on existing words, the same operation again, a load, a store, a
//! division, a record, a derivative, an atomic, the removal of most records (calls may not return, so few instructions move past one), or
//! another word as operand of an instruction. Places and operands are chosen among dominating definitions, so that the program stays valid
//! at both stages; control flow is unchanged. A piece without a possible place does nothing. So a failing program is shrunk by removing
//! pieces, and by shrinking the base program.

use reconverge_analysis::FlowGraph;
use reconverge_ir::terminator;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Position, Stage};
use spirv::StorageClass;

use super::stock::{ELEMENTS, Stock, StockVariable};
use crate::random::Random;

/// Adds the pieces to a function and a variable of its own; `lane` is the input variable with the number of the lane.
pub(super) fn dress(module: &mut Module, function: Function, stock: &Stock, lane: Inst, pieces: &[u64]) {
    let frame = DressedFunction::open(module, function, stock, lane);
    for &piece in pieces {
        let mut dresser = Dresser { stock, frame: &frame, random: Random::new(piece) };
        dresser.add(module);
    }
}

/// A function to which pieces are added.
struct DressedFunction {
    /// Reachable blocks except edge blocks, each with its strict dominators.
    blocks: Vec<(Block, Vec<Block>)>,
    function: Function,
    lane: Inst,
    local: Inst,
}

impl DressedFunction {
    fn open(module: &mut Module, function: Function, stock: &Stock, lane: Inst) -> DressedFunction {
        let entry = module.entry(function).expect("invariant: it has a body");
        let mut build = Builder::new(module);
        let pointer = build.pointer_type(StorageClass::Function, stock.record);
        let class = build.enumerant(StorageClass::Function);
        let local = build.editor().insert(
            Position::AtStart(entry.inst()),
            Op::Variable,
            Some(pointer),
            &[class, stock.initial],
        );
        let last = module.children(entry).take_while(|&inst| module.op(inst) == Op::Variable).last().unwrap_or(local);
        let lane = module.edit().insert(Position::After(last), Op::Load, Some(stock.word), &[lane]);
        let flow = FlowGraph::compute(module, function);
        let (order, tree) = flow.dominators();
        let above = |node| std::iter::successors(tree.idom(node), |&node| tree.idom(node)).collect::<Vec<_>>();
        let blocks = order
            .sequence()
            .iter()
            .map(|&node| (flow.block(node), above(node).into_iter().map(|node| flow.block(node)).collect()))
            .filter(|(block, _): &(Block, Vec<Block>)| module.op(block.inst()) == Op::Block)
            .collect();
        DressedFunction { blocks, function, lane, local }
    }
}

/// The place of an addition.
struct Site<'f> {
    block: Block,
    above: &'f [Block],
    /// The next instruction.
    next: Inst,
}

struct Dresser<'a> {
    stock: &'a Stock,
    frame: &'a DressedFunction,
    random: Random,
}

impl<'a> Dresser<'a> {
    fn add(&mut self, module: &mut Module) {
        let site = self.site(module);
        match self.random.below(100) {
            0..16 => drop(self.operation(module, &site)),
            16..28 => self.again(module, &site),
            28..46 => self.load(module, &site),
            46..58 => self.store(module, &site),
            58..66 => self.divide(module, &site),
            66..72 => self.record(module, &site),
            72..74 => self.derive(module, &site),
            74..77 => self.update(module, &site),
            77..80 => self.copy_whole(module, &site),
            80..83 => self.hush(module),
            _ => self.rewire(module, &site),
        }
    }

    fn site(&mut self, module: &Module) -> Site<'a> {
        let (block, above) = self.random.choose(&self.frame.blocks);
        let first =
            |&inst: &Inst| !matches!(module.op(inst), Op::BlockParameter | Op::Variable) && inst != self.frame.lane;
        let places: Vec<Inst> = module.children(*block).filter(first).collect();
        let next = *self.random.choose(&places);
        Site { block: *block, above, next }
    }

    /// All values of a type that are defined at a place.
    fn values(&self, module: &Module, site: &Site<'_>, ty: Inst) -> Vec<Inst> {
        let here = module.children(site.block).take_while(|&inst| inst != site.next);
        let above = site.above.iter().flat_map(|&block| module.children(block));
        let given = module.parameters(self.frame.function).map(|parameter| parameter.inst());
        here.chain(above).chain(given).filter(|&inst| module.ty(inst) == Some(ty)).collect()
    }

    /// A word that is defined at a place: with equal probability from its own block or from others.
    fn word(&mut self, module: &mut Module, site: &Site<'_>) -> Inst {
        if self.random.chance(12) {
            let number = self.random.below(5) as u32;
            return Builder::new(module).constant_word(self.stock.word, number);
        }
        let values = self.values(module, site, self.stock.word);
        let own: Vec<Inst> =
            values.iter().copied().filter(|&value| module.block_of(value) == Some(site.block)).collect();
        let pool = if own.is_empty() || self.random.chance(60) { &values } else { &own };
        if pool.is_empty() { Builder::new(module).constant_word(self.stock.word, 3) } else { *self.random.choose(pool) }
    }

    fn emit(&mut self, module: &mut Module, site: &Site<'_>, op: Op, operands: &[Inst]) -> Inst {
        module.edit().insert(Position::Before(site.next), op, Some(self.stock.word), operands)
    }

    fn operation(&mut self, module: &mut Module, site: &Site<'_>) -> Inst {
        const OPS: [Op; 6] = [Op::IAdd, Op::ISub, Op::IMul, Op::BitwiseXor, Op::BitwiseAnd, Op::BitwiseOr];
        let operands = [self.word(module, site), self.word(module, site)];
        let op = *self.random.choose(&OPS);
        self.emit(module, site, op, &operands)
    }

    /// The operation of another instruction of the function whose operands are defined at the place.
    fn again(&mut self, module: &mut Module, site: &Site<'_>) {
        let is_pure = |op: Op| {
            matches!(
                op,
                Op::IAdd | Op::IMul | Op::ISub | Op::BitwiseXor | Op::BitwiseAnd | Op::UDiv | Op::UMod | Op::Load
            )
        };
        let mut known = self.values(module, site, self.stock.word);
        let all = self.frame.blocks.iter().flat_map(|(block, _)| module.children(*block));
        let is_known = |operand: Inst| {
            module.op(operand).is_constant()
                || known.contains(&operand)
                || module.parent(operand) == Some(module.root())
                || self.is_above(module, site, operand)
        };
        let found: Vec<Inst> = all
            .filter(|&inst| module.ty(inst) == Some(self.stock.word) && is_pure(module.op(inst)))
            .filter(|&inst| module.operands(inst).all(is_known))
            .collect();
        known.clear();
        if found.is_empty() {
            return;
        }
        let model = *self.random.choose(&found);
        let (op, mut operands) = (module.op(model), module.operands(model).collect::<Vec<Inst>>());
        if matches!(op, Op::IAdd | Op::IMul | Op::BitwiseXor | Op::BitwiseAnd) && self.random.chance(40) {
            operands.reverse();
        }
        self.emit(module, site, op, &operands);
    }

    fn is_above(&self, module: &Module, site: &Site<'_>, inst: Inst) -> bool {
        let Some(block) = module.block_of(inst) else { return module.function_of(inst).is_none() };
        site.above.contains(&block)
            || block == site.block
                && module.children(block).take_while(|&other| other != site.next).any(|other| other == inst)
    }

    fn load(&mut self, module: &mut Module, site: &Site<'_>) {
        let pointer = self.pointer(module, site);
        self.emit(module, site, Op::Load, &[pointer]);
    }

    fn store(&mut self, module: &mut Module, site: &Site<'_>) {
        let pointer = self.pointer(module, site);
        let value = self.word(module, site);
        module.edit().insert(Position::Before(site.next), Op::Store, None, &[pointer, value]);
    }

    /// A pointer to a word: a new one, an existing one, or a select of two.
    fn pointer(&mut self, module: &mut Module, site: &Site<'_>) -> Inst {
        let variable = self.variable();
        let pointer = Builder::new(module).pointer_type(variable.class, self.stock.word);
        let known = self.values(module, site, pointer);
        if !known.is_empty() && self.random.chance(45) {
            return *self.random.choose(&known);
        }
        let made = self.chain(module, site, variable, pointer);
        if !self.random.chance(8) {
            return made;
        }
        let other = self.chain(module, site, variable, pointer);
        let bool_type = Builder::new(module).bool_type();
        let conditions = self.values(module, site, bool_type);
        if conditions.is_empty() {
            return made;
        }
        let operands = [*self.random.choose(&conditions), made, other];
        module.edit().insert(Position::Before(site.next), Op::Select, Some(pointer), &operands)
    }

    fn variable(&mut self) -> StockVariable {
        let index = self.random.below(self.stock.variables.len() + 2);
        let local = StockVariable { variable: self.frame.local, class: StorageClass::Function, is_array: false };
        self.stock.variables.get(index).copied().unwrap_or(local)
    }

    fn chain(&mut self, module: &mut Module, site: &Site<'_>, variable: StockVariable, ty: Inst) -> Inst {
        let member = self.random.below(4).min(2) as u32;
        let mut build = Builder::new(module);
        let mut operands = vec![variable.variable];
        operands.extend(self.stock.prefix(&mut build, variable, self.frame.lane));
        let member = if member == 2 { 1 } else { member * 2 };
        operands.push(build.constant_word(self.stock.word, member));
        if member == 1 {
            operands.push(self.index(module, site));
        }
        module.edit().insert(Position::Before(site.next), Op::AccessChain, Some(ty), &operands)
    }

    /// An index into the array: a constant, a word modulo its length, or a word.
    fn index(&mut self, module: &mut Module, site: &Site<'_>) -> Inst {
        let choice = self.random.below(100);
        if choice < 50 {
            let number = self.random.below(ELEMENTS as usize) as u32;
            return Builder::new(module).constant_word(self.stock.word, number);
        }
        let word = self.word(module, site);
        if choice >= 85 {
            return word;
        }
        let mask = Builder::new(module).constant_word(self.stock.word, ELEMENTS - 1);
        self.emit(module, site, Op::BitwiseAnd, &[word, mask])
    }

    fn divide(&mut self, module: &mut Module, site: &Site<'_>) {
        const OPS: [Op; 4] = [Op::UDiv, Op::UMod, Op::SDiv, Op::SRem];
        let op = *self.random.choose(&OPS);
        let dividend = self.word(module, site);
        let divisor = match self.random.below(10) {
            0 => Builder::new(module).constant_word(self.stock.word, 3),
            1 => {
                let (word, one) = (self.word(module, site), Builder::new(module).constant_word(self.stock.word, 1));
                self.emit(module, site, Op::BitwiseOr, &[word, one])
            }
            2..6 => self.compared(module, site),
            _ => self.word(module, site),
        };
        self.emit(module, site, op, &[dividend, divisor]);
    }

    /// A word that a dominating branch compares.
    fn compared(&mut self, module: &mut Module, site: &Site<'_>) -> Inst {
        let conditions = site.above.iter().filter_map(|&block| {
            let last = module.terminator(block)?;
            matches!(module.op(last), Op::If | Op::BranchIf)
                .then(|| module.operand(last, terminator::operand::CONDITION))
        });
        let words: Vec<Inst> = conditions
            .flat_map(|condition| module.operands(condition))
            .filter(|&operand| module.ty(operand) == Some(self.stock.word) && self.is_above(module, site, operand))
            .collect();
        if words.is_empty() { self.word(module, site) } else { *self.random.choose(&words) }
    }

    /// Removes most calls: records, and requests for inputs, which are replaced by the lane's number.
    fn hush(&mut self, module: &mut Module) {
        let is_call = |inst: &Inst| module.op(*inst) == Op::FunctionCall;
        let all = self.frame.blocks.iter().flat_map(|(block, _)| module.children(*block));
        let calls: Vec<Inst> = all.filter(is_call).collect();
        for call in calls {
            if self.random.chance(20) {
                continue;
            }
            if module.uses(call).next().is_none() {
                module.edit().delete(call);
            } else if module.ty(call) == Some(self.stock.word) {
                let factor = Builder::new(module).constant_word(self.stock.word, self.random.below(9) as u32);
                let operands = [self.frame.lane, factor];
                let word = module.edit().insert(Position::Before(call), Op::IMul, Some(self.stock.word), &operands);
                module.edit().replace_all_uses(call, word);
                module.edit().delete(call);
            }
        }
    }

    fn record(&mut self, module: &mut Module, site: &Site<'_>) {
        let Some(record) = find_record(module) else { return };
        let count = module.parameters(record).count();
        let void = module.ty(record);
        let value = self.word(module, site);
        let mut operands = vec![record.inst()];
        let mut build = Builder::new(module);
        operands.push(build.constant_word(self.stock.word, 0x100));
        for _ in 2..count {
            operands.push(build.constant_word(self.stock.word, 0));
        }
        operands.push(value);
        module.edit().insert(Position::Before(site.next), Op::FunctionCall, void, &operands);
    }

    /// A derivative, as the bits of a float. Without structure its lanes are undefined.
    fn derive(&mut self, module: &mut Module, site: &Site<'_>) {
        if module.stage(self.frame.function) != Stage::Structured {
            return;
        }
        let word = self.word(module, site);
        let float = Builder::new(module).float_type(32);
        let mut insert = |op, ty, operand| module.edit().insert(Position::Before(site.next), op, Some(ty), &[operand]);
        let number = insert(Op::ConvertUToF, float, word);
        let op = *self.random.choose(&[Op::DPdx, Op::DPdy, Op::Fwidth]);
        let derivative = insert(op, float, number);
        insert(Op::Bitcast, self.stock.word, derivative);
    }

    /// An atomic addition to a shared word.
    fn update(&mut self, module: &mut Module, site: &Site<'_>) {
        let variable = *self.random.choose(&self.stock.variables[2..]);
        let pointer = Builder::new(module).pointer_type(variable.class, self.stock.word);
        let place = self.chain(module, site, variable, pointer);
        let value = self.word(module, site);
        let mut build = Builder::new(module);
        let (device, relaxed) = (build.constant_word(self.stock.word, 1), build.constant_word(self.stock.word, 0));
        self.emit(module, site, Op::AtomicIAdd, &[place, device, relaxed, value]);
    }

    /// Loads the whole struct; extracts a word, or stores the struct elsewhere.
    fn copy_whole(&mut self, module: &mut Module, site: &Site<'_>) {
        let mut places = [self.variable(), self.variable()].into_iter().map(|variable| {
            let mut build = Builder::new(module);
            let prefix = self.stock.prefix(&mut build, variable, self.frame.lane);
            if prefix.is_empty() {
                return variable.variable;
            }
            let pointer = build.pointer_type(variable.class, self.stock.record);
            let operands: Vec<Inst> = [variable.variable].into_iter().chain(prefix).collect();
            module.edit().insert(Position::Before(site.next), Op::AccessChain, Some(pointer), &operands)
        });
        let (Some(from), Some(to)) = (places.next(), places.next()) else { return };
        drop(places);
        let before = Position::Before(site.next);
        let whole = module.edit().insert(before, Op::Load, Some(self.stock.record), &[from]);
        match self.random.below(3) {
            0 => {
                let member = module.edit().word(2);
                self.emit(module, site, Op::CompositeExtract, &[whole, member]);
            }
            1 => {
                let path = [module.edit().word(1), module.edit().word(self.random.below(ELEMENTS as usize) as u32)];
                self.emit(module, site, Op::CompositeExtract, &[whole, path[0], path[1]]);
            }
            _ => drop(module.edit().insert(before, Op::Store, None, &[to, whole])),
        }
    }

    /// Replaces an operand of an instruction after the place by another word.
    fn rewire(&mut self, module: &mut Module, site: &Site<'_>) {
        let readers: Vec<(Inst, usize)> = module
            .children(site.block)
            .skip_while(|&inst| inst != site.next)
            .filter_map(|inst| Some((inst, self.replaceable(module, inst)?)))
            .collect();
        if readers.is_empty() {
            return;
        }
        let (reader, operand) = *self.random.choose(&readers);
        let site = Site { next: reader, ..*site };
        let value = self.word(module, &site);
        module.edit().set_operand(reader, operand, value);
    }

    /// An operand that any word may replace. Operands of conditions are mostly not changed.
    fn replaceable(&mut self, module: &Module, inst: Inst) -> Option<usize> {
        let operand = match module.op(inst) {
            Op::IAdd | Op::IMul | Op::ISub | Op::BitwiseXor | Op::BitwiseOr => self.random.below(2),
            Op::UDiv | Op::UMod | Op::SDiv | Op::SRem => 0,
            Op::FunctionCall => module.operand_count(inst) - 1,
            Op::Store => 1,
            Op::ULessThan | Op::IEqual | Op::INotEqual if self.random.chance(4) => self.random.below(2),
            Op::Branch if module.operand_count(inst) > 1 && self.random.chance(25) => {
                1 + self.random.below(module.operand_count(inst) - 1)
            }
            Op::ReturnValue => 0,
            _ => return None,
        };
        (module.ty(module.operand(inst, operand)) == Some(self.stock.word)).then_some(operand)
    }
}

/// The function that records the behaviour of lanes.
fn find_record(module: &Module) -> Option<Function> {
    module
        .functions()
        .find(|&function| module.name(function).is_some_and(|own| own == crate::program_from_graph::RECORD))
}
