//! Comparisons of integers without a `!`: `!(i >= n)` ⇒ `i < n`.
//!
//! For floating-point numbers the two differ, because no comparison with NaN holds. So one operand has to be a variable that is declared as
//! an integer.

use std::collections::BTreeSet;

use super::expression::{binary, without_parentheses};
use super::loops::declared_name;
use super::tree::{List, Statement};

/// Applies the rule to all statements.
pub(super) fn simplify(body: &mut List) {
    let mut integers = BTreeSet::new();
    collect(body, &mut integers);
    in_list(body, &integers);
}

fn collect(list: &List, integers: &mut BTreeSet<String>) {
    for statement in list {
        let declared =
            statement.texts().into_iter().filter(|text| is_integer_declaration(text)).filter_map(declared_name);
        integers.extend(declared.map(str::to_owned));
        statement.lists().into_iter().for_each(|inner| collect(inner, integers));
    }
}

/// Returns whether it declares an integer of 32 bits: `var i: u32 = 0u`, `uint i = 0u`.
fn is_integer_declaration(text: &str) -> bool {
    let left = text.split_once(" = ").map_or(text, |(left, _)| left);
    left.ends_with(": u32") || left.ends_with(": i32") || left.starts_with("uint ") || left.starts_with("int ")
}

fn in_list(list: &mut List, integers: &BTreeSet<String>) {
    for statement in list {
        if !matches!(statement, Statement::Simple(_)) {
            statement
                .texts_mut()
                .into_iter()
                .for_each(|text| *text = opposite(text, integers).unwrap_or_else(|| text.clone()));
        }
        statement.lists_mut().into_iter().for_each(|inner| in_list(inner, integers));
    }
}

/// The condition without its `!`.
fn opposite(condition: &str, integers: &BTreeSet<String>) -> Option<String> {
    let inner = condition.strip_prefix("!(")?.strip_suffix(')')?;
    if without_parentheses(&condition[1..]) != inner {
        return None;
    }
    let [left, operator, right] = binary(inner)?;
    let operator = match operator {
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        _ => return None,
    };
    (integers.contains(left) || integers.contains(right)).then(|| format!("{left} {operator} {right}"))
}
