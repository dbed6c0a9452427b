//! The arguments of planned edges: selectors and payload.

use reconverge_ir::{Inst, Op};
use reconverge_structurize::{Carried, Origin, PlanBlock};

use super::bundle::{Otherwise, Selectors, Translation};
use super::choose::{Choice, choose};
use super::payload::Slot;
use super::rewrite::Rewrite;

impl Rewrite<'_> {
    /// One argument for each parameter of `target`, on the edge from `source`.
    pub(super) fn arguments(&mut self, source: PlanBlock, target: PlanBlock) -> Vec<Inst> {
        let bundle = self.bundles.between(source, target);
        let selector = self.selectors.contains_key(&target).then(|| self.selector(bundle, target));
        let slots = match self.plan.blocks[target.index()].origin {
            Origin::Input(input) => self.payload.parameters(input.index()).to_vec(),
            Origin::Added(_) if self.bundles.incoming(target).len() > 1 => self.payload.needed(target).to_vec(),
            Origin::Added(_) => Vec::new(),
        };
        let input = match self.plan.blocks[target.index()].origin {
            Origin::Input(input) => Some(input),
            Origin::Added(_) => None,
        };
        let arguments = slots.into_iter().enumerate().map(|(number, slot)| {
            let direct = input.and_then(|input| self.payload.direct(source, input, number));
            direct.unwrap_or_else(|| self.passed(bundle, slot))
        });
        let mut arguments: Vec<Inst> = arguments.collect();
        match self.plan.blocks[target.index()].origin {
            Origin::Input(_) => arguments.extend(selector),
            Origin::Added(_) => arguments.splice(0..0, selector).for_each(drop),
        }
        arguments
    }

    fn selector(&mut self, bundle: usize, target: PlanBlock) -> Inst {
        match self.bundles.all[bundle].selectors.clone() {
            Selectors::None => unreachable!("an edge to a block with a selector passes one"),
            Selectors::Constant(number) => self.number(target, number),
            Selectors::Translate(translation) => self.translated(bundle, target, &translation),
            Selectors::PerCarried(numbers) => {
                let carries = self.bundles.all[bundle].carries.clone();
                let numbers: Vec<Inst> = numbers.into_iter().map(|number| self.number(target, number)).collect();
                let choices = carries.iter().zip(numbers).map(|(carried, number)| (carried.successor as usize, number));
                self.chosen(bundle, &carries, choices.collect())
            }
        }
    }

    /// A renumbered selector: a chain of selects, one for each row that changes a number.
    fn translated(&mut self, bundle: usize, target: PlanBlock, translation: &Translation) -> Inst {
        if let Some(only) = translation.only() {
            return self.number(target, only);
        }
        let given = self.selectors[&translation.block];
        if translation.is_identity() {
            return given;
        }
        let (last, rows) = match (translation.otherwise, translation.rows.split_last()) {
            (Otherwise::Same, _) => (given, translation.rows.as_slice()),
            (Otherwise::Number(number), _) => (self.number(target, number), translation.rows.as_slice()),
            (Otherwise::Never, Some((&(_, number), rows))) => (self.number(target, number), rows),
            (Otherwise::Never, None) => unreachable!("a translation has a row for what can occur"),
        };
        let ty = self.u32_type();
        let bool_type = self.module.edit().unique(Op::TypeBool, None, &[]);
        let position = self.end_of(self.bundles.all[bundle].source);
        let mut chosen = last;
        for &(from, to) in rows.iter().rev() {
            let (from, to) = (self.number(target, from), self.number(target, to));
            if to == chosen {
                continue;
            }
            let mut editor = self.module.edit();
            let taken = editor.insert(position, Op::IEqual, Some(bool_type), &[given, from]);
            chosen = editor.insert(position, Op::Select, Some(ty), &[taken, to, chosen]);
        }
        chosen
    }

    /// The argument of a bundle for a slot.
    fn passed(&mut self, bundle: usize, slot: Slot) -> Inst {
        // Forward through added blocks that have one predecessor and therefore no parameter.
        let mut from = bundle;
        while self.bundles.all[from].carries.is_empty() {
            let source = self.bundles.all[from].source;
            if let Some(&parameter) = self.slots.get(&(source, slot)) {
                return parameter;
            }
            match self.bundles.incoming(source) {
                [only] => from = *only,
                _ => return self.undefs.undef(self.module, self.payload.ty(slot)),
            }
        }
        if let Some(&value) = self.values.get(&(from, slot)) {
            return value;
        }
        let carries = self.bundles.all[from].carries.clone();
        let choices = carries
            .iter()
            .filter_map(|&carried| Some((carried.successor as usize, self.carried_argument(carried, slot)?)));
        let choices: Vec<Choice> = choices.collect();
        let value = match choices.is_empty() {
            true => self.undefs.undef(self.module, self.payload.ty(slot)),
            false => self.chosen(from, &carries, choices),
        };
        self.values.insert((from, slot), value);
        value
    }

    /// The argument of an original edge in a slot, if its target has a parameter for it.
    fn carried_argument(&self, carried: Carried, slot: Slot) -> Option<Inst> {
        let target = self.input.target(carried.source, carried.successor as usize);
        let index = self.payload.parameter_in(target.index(), slot)?;
        if self.payload.is_direct(carried, target, index) {
            return None;
        }
        self.input.arguments(carried.source, carried.successor as usize).get(index).copied()
    }

    /// The value for the original edge that is taken; computed at the end of the bundle's source.
    fn chosen(&mut self, bundle: usize, carries: &[Carried], mut choices: Vec<Choice>) -> Inst {
        let first = choices[0].1;
        if choices.iter().all(|&(_, value)| value == first) {
            return first;
        }
        choices.sort_by_key(|&(successor, _)| successor);
        let terminator = self.input.terminators[carries[0].source.index()];
        let position = self.end_of(self.bundles.all[bundle].source);
        choose(self.module, terminator, &choices, position)
    }
}
