//! Values in place of their names.
//!
//! ```text
//! let a = i + 1u;
//! let b = data[a];      ⇒    if (data[i + 1u] > 3u) {
//! if (b > 3u) {
//! ```
//!
//! A name is replaced by its value if the source does not name the value and the value is used once, by an expression of a later statement
//! of the same list, and nothing in between changes it:
//!
//! | the value | does not pass | does not enter |
//! |---|---|---|
//! | names a variable | a statement that writes the variable | a statement with a call beside it that has an effect |
//! | reads memory | a statement that writes memory | the same |
//! | has an effect | any statement | a statement that reads anything beside it; `&&`, `\|\|` and `?:` |
//! | depends on the lanes | a statement with lists, a barrier | an operand of `&&`, `\|\|` and `?:` that need not be computed |
//!
//! The languages do not define the order in which operands are computed, but they define that arguments come before the call. A condition
//! that a loop computes again is no such expression, except one that is computed at the end of each iteration.
//!
//! Each list is one pass: a declaration stays at its place until its value moves from there to the use, so no order of declarations changes.
//! The text of a statement has a maximum length, so the pass is linear.

use rustc_hash::FxHashMap;

use super::effects::{Access, Locals};
use super::uses::Uses;
use super::{Context, LONGEST};
use crate::syntax::{
    Binary, Block, DEEPEST_EXPRESSION, Effects, Expr, LocalId, LocalKind, Shape, Statement, StatementKind, TypeShape,
    has_continue,
};

/// The maximum length of a call with its arguments, in characters.
const LONGEST_CALL: usize = 240;

/// Applies the rule to all lists.
pub(super) fn inline(body: &mut Block, context: &mut Context<'_>) {
    let uses = Uses::of(body, context);
    Inliner { uses, context }.list(body, None);
}

/// A value that may move to its use.
struct Pending {
    /// The place of its declaration in the list.
    place: usize,
    value: Expr,
    effects: Effects,
    /// The variables that it names.
    names: Locals,
}

/// The use of a name in a statement.
struct Use {
    node: Expr,
    local: LocalId,
    /// The number of operators around it.
    level: u16,
    /// True if it need not be computed: the second operand of `&&`.
    is_optional: bool,
    /// True if `&&`, `||` or `?:` is around it.
    is_in_choice: bool,
    /// The effects of the expressions that are computed before or after it.
    beside: Effects,
}

#[derive(Default)]
struct List {
    /// The statements; none for a declaration whose value moved.
    statements: Vec<Option<Statement>>,
    pending: FxHashMap<LocalId, Pending>,
    /// The values that name a variable.
    by_variable: FxHashMap<LocalId, Vec<LocalId>>,
    reading: Vec<LocalId>,
    convergent: Vec<LocalId>,
    writing: Vec<LocalId>,
}

struct Inliner<'a, 'b> {
    uses: Uses,
    context: &'a mut Context<'b>,
}

impl Inliner<'_, '_> {
    /// Rewrites a list and an expression that is computed at its end.
    fn list(&mut self, list: &mut Block, last: Option<&mut Option<Expr>>) {
        let mut found = List::default();
        for mut statement in std::mem::take(list) {
            self.inner(&mut statement);
            if !matches!(statement.kind, StatementKind::Loop(_)) {
                self.substitute(&mut statement, &mut found);
            }
            if let Some(statement) = self.kept(statement) {
                found.settle(&self.context.access(&statement), &statement);
                self.defer(&statement, &mut found);
                found.statements.push(Some(statement));
            }
        }
        if let Some(Some(condition)) = last {
            let kind = StatementKind::If { condition: *condition, accept: Block::new(), reject: Block::new() };
            self.substitute(&mut Statement::from(kind), &mut found);
        }
        list.extend(found.statements.into_iter().flatten());
    }

    fn inner(&mut self, statement: &mut Statement) {
        let StatementKind::Loop(found) = &mut statement.kind else {
            statement.blocks_mut().into_iter().for_each(|inner| self.list(inner, None));
            return;
        };
        if found.continuing.is_empty() && found.condition.is_none() && !has_continue(&found.body) {
            self.list(&mut found.body, Some(&mut found.break_if));
        } else {
            self.list(&mut found.body, None);
            self.list(&mut found.continuing, Some(&mut found.break_if));
        }
    }

    /// The statement without a name that nothing uses.
    fn kept(&self, statement: Statement) -> Option<Statement> {
        let StatementKind::Declare { local, value: Some(value) } = statement.kind else { return Some(statement) };
        if self.uses.count(local) > 0 || !self.context.is_unnamed(local) {
            return Some(statement);
        }
        let found = &self.context.expressions[value];
        if found.effects.has(Effects::PINNED) {
            return Some(statement);
        }
        if !found.effects.has(Effects::WRITES) {
            return None;
        }
        let is_call = matches!(found.shape, Shape::Call { .. } | Shape::Method { .. });
        Some(if is_call { Statement { kind: StatementKind::Expression(value), ..statement } } else { statement })
    }

    /// Replaces names in the expressions of a statement, values with an effect last.
    fn substitute(&mut self, statement: &mut Statement, list: &mut List) {
        if list.pending.is_empty() {
            return;
        }
        let own = statement.expressions();
        let mut found = self.uses_in(statement, list);
        if found.is_empty() {
            return;
        }
        found.sort_by_key(|usage| list.pending[&usage.local].effects.has(Effects::WRITES));
        let mut length: usize = own.iter().map(|&expr| self.context.length(expr)).sum();
        let is_call = own.iter().any(|&expr| {
            matches!(self.context.shape(expr), Shape::Call { .. } | Shape::Method { .. } | Shape::Construct(_))
        });
        let longest = if is_call { LONGEST_CALL } else { LONGEST };
        let mut moved = Effects::PURE;
        for mut usage in found {
            let Some(pending) = list.pending.remove(&usage.local) else { continue };
            let added = self.context.length(pending.value);
            let is_short = usage.level == 0 || added <= LONGEST && length + added <= longest;
            usage.beside |= moved;
            if is_short && self.is_movable(&usage, &pending, list) && self.is_apart(&pending, &own) {
                self.context.expressions[usage.node] = self.context.expressions[pending.value].clone();
                list.statements[pending.place] = None;
                length += added;
                moved |= pending.effects;
            }
        }
        own.into_iter().for_each(|expr| self.refresh(expr));
    }

    /// The uses of pending values in the expressions of a statement.
    fn uses_in(&self, statement: &Statement, list: &List) -> Vec<Use> {
        let mut found = Vec::new();
        let top =
            |node, beside| Use { node, local: LocalId(0), level: 0, is_optional: false, is_in_choice: false, beside };
        match statement.kind {
            StatementKind::Assign { target, value, .. } => {
                self.find(top(value, self.effects_of_target(target)), list, &mut found);
                self.find(top(target, self.context.effects(value)), list, &mut found);
            }
            _ => {
                let own = statement.expressions();
                own.into_iter().for_each(|expr| self.find(top(expr, Effects::PURE), list, &mut found));
            }
        }
        found
    }

    /// The effects of computing a place, without those of reading what is there.
    fn effects_of_target(&self, mut place: Expr) -> Effects {
        let mut effects = Effects::PURE;
        loop {
            match *self.context.shape(place) {
                Shape::Member { base, .. } | Shape::Swizzle { base, .. } => place = base,
                Shape::Index { base, index } => {
                    effects |= self.context.effects(index);
                    place = base;
                }
                Shape::Local(_) | Shape::Global(_) => return effects,
                _ => return effects | self.context.effects(place),
            }
        }
    }

    /// Finds the uses of pending values in an expression.
    fn find(&self, at: Use, list: &List, found: &mut Vec<Use>) {
        let shape = self.context.shape(at.node);
        if let Shape::Local(local) = *shape {
            if list.pending.contains_key(&local) {
                found.push(Use { local, ..at });
            }
            return;
        }
        let is_choice =
            matches!(shape, Shape::Binary { operator: Binary::And | Binary::Or, .. } | Shape::Choice { .. });
        let parts = shape.parts();
        let effects: Vec<Effects> = parts.iter().map(|&part| self.context.effects(part)).collect();
        let kinds = [Effects::READS, Effects::WRITES];
        let counts = kinds.map(|kind| effects.iter().filter(|effects| effects.has(kind)).count());
        for (index, &node) in parts.iter().enumerate() {
            let mut beside = at.beside;
            for (kind, count) in kinds.into_iter().zip(counts) {
                if count > usize::from(effects[index].has(kind)) {
                    beside |= kind;
                }
            }
            let part = Use {
                node,
                local: at.local,
                level: at.level + 1,
                is_optional: at.is_optional || is_choice && index > 0,
                is_in_choice: at.is_in_choice || is_choice,
                beside,
            };
            self.find(part, list, found);
        }
    }

    /// Returns whether a value may be computed where it is used, if nothing is between.
    fn is_movable(&self, usage: &Use, pending: &Pending, list: &List) -> bool {
        if usage.level + self.context.expressions[pending.value].depth > DEEPEST_EXPRESSION {
            return false;
        }
        let (beside, effects) = (usage.beside, pending.effects);
        if effects.has(Effects::WRITES) {
            let is_next = list.statements[pending.place + 1..].iter().all(Option::is_none);
            return is_next && !usage.is_in_choice && !beside.has(Effects::READS) && !beside.has(Effects::WRITES);
        }
        let may_change = effects.has(Effects::READS) || !pending.names.is_empty();
        let is_changed = may_change && beside.has(Effects::WRITES);
        let is_for_fewer = effects.has(Effects::CONVERGENT) && usage.is_optional;
        !is_changed && !is_for_fewer
    }

    /// Returns whether the expressions of a statement name no variable that the calls of a value write.
    fn is_apart(&self, pending: &Pending, own: &[Expr]) -> bool {
        let passed = self.context.passed(pending.value);
        passed.is_empty()
            || own.iter().all(|&expr| self.context.changing(expr).iter().all(|name| !passed.contains(name)))
    }

    /// Computes what expressions know of their parts again.
    fn refresh(&mut self, expr: Expr) {
        let parts = self.context.shape(expr).parts();
        if !parts.is_empty() {
            parts.into_iter().for_each(|part| self.refresh(part));
            self.context.expressions.refresh(expr);
        }
    }

    /// Adds the value of a declaration to the pending ones.
    fn defer(&self, statement: &Statement, list: &mut List) {
        let StatementKind::Declare { local, value: Some(value) } = statement.kind else { return };
        let context = &*self.context;
        let effects = context.effects(value);
        // An array in braces is allowed in a declaration alone.
        let is_array = matches!(context.shape(value), Shape::Construct(_))
            && matches!(context.type_shape(value), TypeShape::Array { .. });
        if !context.is_unnamed(local) || self.uses.count(local) != 1 || effects.has(Effects::PINNED) || is_array {
            return;
        }
        debug_assert!(context.local(local).kind == LocalKind::Value);
        let names = context.changing(value);
        for variable in &names {
            list.by_variable.entry(*variable).or_default().push(local);
        }
        for (effect, values) in [
            (Effects::READS, &mut list.reading),
            (Effects::CONVERGENT, &mut list.convergent),
            (Effects::WRITES, &mut list.writing),
        ] {
            if effects.has(effect) {
                values.push(local);
            }
        }
        list.pending.insert(local, Pending { place: list.statements.len(), value, effects, names });
    }
}

impl List {
    /// Keeps the values where they are that must not pass a statement.
    fn settle(&mut self, access: &Access, statement: &Statement) {
        for local in access.written() {
            for name in self.by_variable.remove(&local).unwrap_or_default() {
                self.pending.remove(&name);
            }
        }
        let has_lists = !statement.blocks().is_empty();
        let writes = access.effects.has(Effects::WRITES);
        let is_barrier = writes && access.effects.has(Effects::CONVERGENT);
        for (is_settled, values) in [
            (writes, &mut self.reading),
            (writes || has_lists, &mut self.writing),
            (has_lists || is_barrier, &mut self.convergent),
        ] {
            if is_settled {
                for name in values.drain(..) {
                    self.pending.remove(&name);
                }
            }
        }
    }
}
