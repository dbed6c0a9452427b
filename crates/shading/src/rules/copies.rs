//! Names for the value of a variable that does not change while the names are used.
//!
//! ```text
//! let a = i;
//! if (a >= n) {                if (i >= n) {
//!     break;                       break;
//! }                      ⇒     }
//! sum = sum + a;               sum = sum + i;
//! i = a + 1u;                  i = i + 1u;
//! ```
//!
//! The variable, or a constant part of it, replaces the name if every use of the name comes before the variable is written again: in the
//! statements after the name, in the order of the text. A loop executes its text several times, and a case may fall through to another, so
//! a loop or a switch that uses the name must not write the variable at all. The other arm of a selection may write it.

use rustc_hash::FxHashMap;

use super::Context;
use super::effects::assignment;
use super::places::Places;
use crate::syntax::{Block, Effects, Expr, LocalId, LocalKind, Shape, Statement, StatementKind};

/// The maximum number of members, components and elements.
const LONGEST_PATH: u16 = 2;

/// Applies the rule to all statements.
pub(super) fn propagate(body: &mut Block, context: &mut Context<'_>) {
    let places = Places::of(body, context);
    let mut search = Search { context, places: &places, copies: FxHashMap::default(), around: Vec::new(), position: 0 };
    search.list(body);
    let replaced = search.copies.into_iter().filter_map(|(name, copy)| copy.is_same.then_some((name, copy.value)));
    replace(body, &replaced.collect(), context);
}

fn replace(list: &mut Block, replaced: &FxHashMap<LocalId, Expr>, context: &mut Context<'_>) {
    list.retain_mut(|statement| {
        for expr in statement.expressions() {
            context.replace_names(expr, replaced);
        }
        for inner in statement.blocks_mut() {
            replace(inner, replaced, context);
        }
        let is_replaced =
            matches!(statement.kind, StatementKind::Declare { local, .. } if replaced.contains_key(&local));
        let same =
            assignment(statement, context).filter(|(local, value)| *context.shape(*value) == Shape::Local(*local));
        !is_replaced && same.is_none()
    });
}

/// A name for the value of a variable.
struct Copy {
    value: Expr,
    variable: LocalId,
    /// The position of its declaration.
    position: u32,
    /// The last position of the list that declares it.
    end: u32,
    /// The number of statements around it.
    depth: usize,
    /// True while the variable has its value at every use that was found.
    is_same: bool,
}

/// A statement around others.
struct Around {
    position: u32,
    /// The first position of the list that is searched.
    list: u32,
    is_selection: bool,
}

struct Search<'a, 'b> {
    context: &'a Context<'b>,
    places: &'a Places,
    copies: FxHashMap<LocalId, Copy>,
    around: Vec<Around>,
    position: u32,
}

impl Search<'_, '_> {
    fn list(&mut self, list: &Block) {
        let end = self.end_of(list);
        for statement in list {
            let position = self.position;
            self.position += 1;
            // A loop computes its conditions after its lists, which may declare what they use.
            let is_loop = matches!(statement.kind, StatementKind::Loop(_));
            if !is_loop {
                self.check(statement, position, position);
            }
            self.find(statement, position, end);
            let is_selection = matches!(statement.kind, StatementKind::If { .. } | StatementKind::Block(_));
            for inner in statement.blocks() {
                self.around.push(Around { position, list: self.position, is_selection });
                self.list(inner);
                self.around.pop();
            }
            if is_loop {
                self.check(statement, position, self.position);
            }
        }
    }

    /// The last position of a list that begins here.
    fn end_of(&self, list: &Block) -> u32 {
        let mut next = self.position;
        for _ in list {
            next = self.places.ends[next as usize] + 1;
        }
        next.saturating_sub(1)
    }

    fn find(&mut self, statement: &Statement, position: u32, end: u32) {
        let StatementKind::Declare { local, value: Some(value) } = statement.kind else { return };
        let context = self.context;
        let found = context.local(local);
        let Some(variable) = context.expressions.root_local(value) else { return };
        let has_name = context.local(variable).name.is_some();
        let is_copy = matches!(context.shape(value), Shape::Local(_)) && has_name || found.name.is_none();
        let is_variable = context.local(variable).kind == LocalKind::Variable;
        if found.kind == LocalKind::Value
            && found.prefix.is_empty()
            && is_copy
            && is_variable
            && context.effects(value) == Effects::PURE
            && context.expressions[value].depth <= LONGEST_PATH
            && context.is_path(value, |_| true)
        {
            let depth = self.around.len();
            self.copies.insert(local, Copy { value, variable, position, end, depth, is_same: true });
        }
    }

    /// Looks at the uses of names in the expressions of a statement, which are computed before the position `end`.
    fn check(&mut self, statement: &Statement, position: u32, end: u32) {
        let context = self.context;
        for expr in statement.expressions() {
            context.expressions.walk(expr, &mut |part| {
                if let Shape::Local(local) = context.shape(part)
                    && let Some(copy) = self.copies.get(local)
                    && copy.is_same
                {
                    let is_same = self.is_same(copy, position, end);
                    self.copies.entry(*local).and_modify(|copy| copy.is_same = is_same);
                }
            });
        }
    }

    /// Returns whether the variable has the value of the name where a statement uses the name.
    fn is_same(&self, copy: &Copy, position: u32, end: u32) -> bool {
        if position <= copy.position || position > copy.end {
            return false;
        }
        let is_written = |first: u32, end: u32| first < end && self.places.is_written(copy.variable, first, end - 1);
        let mut first = copy.position + 1;
        for around in &self.around[copy.depth..] {
            // A condition may call a function that writes the variable.
            let last = if around.is_selection { around.position } else { self.places.ends[around.position as usize] };
            if is_written(first, last + 1) {
                return false;
            }
            first = around.list;
        }
        !is_written(first, end) && !self.places.is_passed(copy.variable, position)
    }
}
