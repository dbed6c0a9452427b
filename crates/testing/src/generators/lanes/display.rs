//! Prints programs in C syntax, for failure messages.

use std::fmt::{self, Display, Formatter, Write};

use super::program::{
    Assignable, Binary, COMPLETE, Comparison, Condition, Expression, Form, Hint, If, Latch, Leave, Loop, Program,
    Reduction, Rest, Statement, Subgroup, Switch,
};

impl Display for Program {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for (number, procedure) in self.procedures.iter().enumerate() {
            let mut text = String::new();
            for (index, variable) in procedure.variables.iter().enumerate() {
                match index < procedure.parameters {
                    true => writeln!(text, "  parameter v{index};")?,
                    false => writeln!(text, "  {:?} v{index} = {};", variable.storage, variable.initial)?,
                }
            }
            write_list(&mut text, &procedure.body, 1)?;
            writeln!(formatter, "procedure{number} {{\n{text}  return {};\n}}", procedure.result)?;
        }
        Ok(())
    }
}

fn write_list(text: &mut String, list: &[Statement], depth: usize) -> fmt::Result {
    list.iter().try_for_each(|statement| write_statement(text, statement, depth))
}

fn write_statement(text: &mut String, statement: &Statement, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    match statement {
        Statement::Assign { place, value } => writeln!(text, "{indent}{place} = {value};"),
        Statement::Record { point, value } => writeln!(text, "{indent}record {point}: {value};"),
        Statement::Call { procedure, arguments, result } => {
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            writeln!(text, "{indent}{result} = procedure{procedure}({});", arguments.join(", "))
        }
        Statement::If(selection) => write_selection(text, selection, depth),
        Statement::Switch(switch) => write_switch(text, switch, depth),
        Statement::Loop(repeated) => write_loop(text, repeated, depth),
        Statement::Leave(leave) => writeln!(text, "{indent}{leave};"),
        Statement::Exchange { place } => writeln!(text, "{indent}exchange {place};"),
    }
}

fn write_selection(text: &mut String, selection: &If, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    let form = match selection.form {
        Form::Merge => "",
        Form::Exit => " [exit]",
        Form::InvertedExit => " [exit, inverted]",
    };
    writeln!(text, "{indent}if ({}){form} {{", selection.condition)?;
    write_list(text, &selection.then, depth + 1)?;
    if let Some(otherwise) = &selection.otherwise {
        writeln!(text, "{indent}}} else {{")?;
        write_list(text, otherwise, depth + 1)?;
    }
    writeln!(text, "{indent}}}")
}

fn write_switch(text: &mut String, switch: &Switch, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    match switch.rest {
        Rest::End => writeln!(text, "{indent}switch ({}) {{", switch.selector)?,
        Rest::Nowhere => writeln!(text, "{indent}switch ({} % {COMPLETE}) [complete] {{", switch.selector)?,
    }
    for case in &switch.cases {
        let default = if case.is_default { " default" } else { "" };
        writeln!(text, "{indent}case {:?}{default}:", case.labels)?;
        write_list(text, &case.body, depth + 1)?;
        if case.falls {
            writeln!(text, "{indent}  fall through;")?;
        }
    }
    writeln!(text, "{indent}}}")
}

fn write_loop(text: &mut String, repeated: &Loop, depth: usize) -> fmt::Result {
    let indent = "  ".repeat(depth);
    let form = if repeated.is_single_block { " [one block]" } else { "" };
    let hint = match repeated.hint {
        Hint::Silent => String::new(),
        hint => format!(" [{hint:?}]"),
    };
    writeln!(text, "{indent}loop ({} & 3 trips){form}{hint} {{", repeated.trips)?;
    write_list(text, &repeated.head, depth + 1)?;
    if let Some(guard) = &repeated.guard {
        writeln!(text, "{indent}  if (done) [{:?}] {{", guard.form)?;
        write_list(text, &guard.code, depth + 2)?;
        writeln!(text, "{indent}    break loop;\n{indent}  }}")?;
    }
    write_list(text, &repeated.body, depth + 1)?;
    writeln!(text, "{indent}continue:")?;
    write_list(text, &repeated.continue_list, depth + 1)?;
    match repeated.latch {
        Latch::Always => {}
        Latch::While => writeln!(text, "{indent}  next trip while (!done);")?,
        Latch::Until => writeln!(text, "{indent}  break if (done);")?,
    }
    writeln!(text, "{indent}}}")
}

impl Display for Leave {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Leave::Selection => formatter.write_str("break selection"),
            Leave::Switch => formatter.write_str("break switch"),
            Leave::Loop => formatter.write_str("break loop"),
            Leave::Continue => formatter.write_str("continue"),
            Leave::Return(value) => write!(formatter, "return {value}"),
            Leave::Kill => formatter.write_str("kill"),
        }
    }
}

impl Display for Assignable {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Assignable::Local(index) => write!(formatter, "v{index}"),
            Assignable::Global(index) => write!(formatter, "global{index}"),
            Assignable::Element(index) => write!(formatter, "table[v{index} & 3]"),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Constant(word) => write!(formatter, "{word}"),
            Expression::Lane => formatter.write_str("lane"),
            Expression::Uniform(index) => write!(formatter, "uniform{index}"),
            Expression::PerLane(index) => write!(formatter, "input{index}"),
            Expression::Trip => formatter.write_str("trip"),
            Expression::Read(place) => place.fmt(formatter),
            Expression::Binary(operation, words) => {
                let sign = match operation {
                    Binary::Add => "+",
                    Binary::Subtract => "-",
                    Binary::Multiply => "*",
                    Binary::Xor => "^",
                    Binary::And => "&",
                    Binary::Or => "|",
                };
                write!(formatter, "({} {sign} {})", words.0, words.1)
            }
            Expression::Select(choice) => write!(formatter, "({} ? {} : {})", choice.0, choice.1, choice.2),
            Expression::Subgroup(operation, word) => write!(formatter, "{operation}({word})"),
        }
    }
}

impl Display for Subgroup {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Subgroup::BroadcastFirst => formatter.write_str("broadcast_first"),
            Subgroup::ShuffleLast => formatter.write_str("shuffle_last"),
            Subgroup::ShuffleXor(mask) => write!(formatter, "shuffle_xor[{mask}]"),
            Subgroup::Reduce(reduction) => write!(formatter, "reduce_{reduction}"),
            Subgroup::Inclusive(reduction) => write!(formatter, "inclusive_{reduction}"),
            Subgroup::Exclusive(reduction) => write!(formatter, "exclusive_{reduction}"),
            Subgroup::BallotCount => formatter.write_str("ballot_count"),
            Subgroup::BallotRank => formatter.write_str("ballot_rank"),
            Subgroup::Ballot => formatter.write_str("ballot"),
        }
    }
}

impl Display for Reduction {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Reduction::Add => "add",
            Reduction::UnsignedMin => "min",
            Reduction::UnsignedMax => "max",
            Reduction::And => "and",
            Reduction::Or => "or",
            Reduction::Xor => "xor",
        })
    }
}

impl Display for Condition {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Constant(value) => write!(formatter, "{value}"),
            Condition::Compare(comparison, words) => {
                let sign = match comparison {
                    Comparison::Equal => "==",
                    Comparison::NotEqual => "!=",
                    Comparison::Less => "<",
                    Comparison::GreaterEqual => ">=",
                };
                write!(formatter, "{} {sign} {}", words.0, words.1)
            }
            Condition::Not(inner) => write!(formatter, "!({inner})"),
            Condition::Elect => formatter.write_str("elect()"),
            Condition::Any(inner) => write!(formatter, "any({inner})"),
            Condition::All(inner) => write!(formatter, "all({inner})"),
            Condition::AllEqual(word) => write!(formatter, "all_equal({word})"),
            Condition::InverseBallot(inner) => write!(formatter, "inverse_ballot(ballot({inner}))"),
        }
    }
}
