//! Checks every rule of every table against the interpreter, and every law of the tables; and that wrong rules are detected.
//!
//! A rule becomes a function: values are its parameters, and constants are chosen. Tested are all values of 8 bits, all constants of 8 bits
//! if there is one, boundary values of wider types, vectors, and floats of every kind. If the pattern has a defined result, its replacement
//! must have the same.

use reconverge_analysis::constant_folding::{Constant, Scalar, ScalarKind, mask};
use reconverge_interpret::{Argument, End, Interpreter, Launch, Value, no_externals};
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, OpGroup};

use super::rule::{Known, Rule, Term, When, weight};
use super::{Rules, cheaper, simplify_by, tables};
use crate::analyses::Analyses;
use reconverge_rewrite::constants::constant_inst;

/// The kind of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    Number,
    Bool,
}

/// The kind of the numbers in an instance of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shape {
    kind: ScalarKind,
    /// Components of a vector; 0 for a scalar.
    count: u32,
}

#[derive(Default, Debug)]
struct Sorts {
    values: [Option<Sort>; 4],
    constants: [Option<Sort>; 2],
}

fn is_logical(op: Op) -> bool {
    op.group() == OpGroup::BooleanLogic
}

/// The kind of the result of an operation; a select has the kind of its arms.
fn result(op: Op, around: Sort) -> Sort {
    let tests = [OpGroup::IntegerComparison, OpGroup::FloatComparison, OpGroup::FloatTest];
    let compares = tests.contains(&op.group());
    match op {
        Op::Select => around,
        _ if compares || is_logical(op) => Sort::Bool,
        _ => Sort::Number,
    }
}

fn operand_sort(op: Op, index: usize, own: Sort) -> Sort {
    match op {
        Op::Select if index > 0 => own,
        Op::Select => Sort::Bool,
        _ if is_logical(op) => Sort::Bool,
        _ => Sort::Number,
    }
}

fn gather(term: &Term, sort: Sort, sorts: &mut Sorts) {
    match *term {
        Term::Value(number) => sorts.values[usize::from(number)] = Some(sort),
        Term::Constant(number) => sorts.constants[usize::from(number)] = Some(sort),
        Term::Op(op, operands) => {
            for (index, operand) in operands.iter().enumerate() {
                gather(operand, operand_sort(op, index, result(op, sort)), sorts);
            }
        }
        Term::Is(_) | Term::Fold(..) => {}
    }
}

/// Every term of a rule's side.
fn terms(term: &Term) -> Vec<Term> {
    let mut all = vec![*term];
    let mut next = 0;
    while next < all.len() {
        if let Term::Op(_, operands) | Term::Fold(_, operands) = all[next] {
            all.extend(operands);
        }
        next += 1;
    }
    all
}

fn is_of_floats(rule: &Rule) -> bool {
    let is_float = |op: Op| matches!(op.group(), OpGroup::FloatArithmetic | OpGroup::FloatComparison);
    terms(&rule.from).iter().any(|term| matches!(term, Term::Op(op, _) if is_float(*op)))
}

fn shapes(rule: &Rule) -> Vec<Shape> {
    let kinds: &[ScalarKind] = match is_of_floats(rule) {
        true => &[ScalarKind::Float(16), ScalarKind::Float(32), ScalarKind::Float(64)],
        false => &[ScalarKind::Int(8), ScalarKind::Int(32), ScalarKind::Int(64)],
    };
    let vector = Shape { kind: kinds[0], count: 2 };
    kinds.iter().map(|&kind| Shape { kind, count: 0 }).chain([vector]).collect()
}

/// The bits that are tried for constants and values of a kind.
fn corners(kind: ScalarKind) -> Vec<u64> {
    match kind {
        ScalarKind::Bool => vec![0, 1],
        ScalarKind::Int(width) => {
            let shifts = [1u64, 2, 3, 5, 7, 8, 9, u64::from(width) - 1, u64::from(width), 100];
            let mut all: Vec<u64> = shifts.iter().flat_map(|&bits| [bits, bits.wrapping_neg()]).collect();
            all.extend([0, 1 << (width - 1), (1 << (width - 1)) - 1, 0x5a5a_5a5a_5a5a_5a5a]);
            let mut all: Vec<u64> = all.into_iter().map(|bits| bits & mask(width)).collect();
            all.sort_unstable();
            all.dedup();
            all
        }
        ScalarKind::Float(width) => {
            let digits = match width {
                16 => 10,
                32 => 23,
                _ => 52,
            };
            let infinity = mask(width - 1) >> digits << digits;
            let one = mask(width - 2) >> digits << digits;
            let least = 1u64 << digits;
            let quiet = infinity | 1 << (digits - 1);
            let all = [
                0,
                1,
                least - 1,
                least,
                least + 1,
                one,
                one + 1,
                one + least,
                one - least,
                infinity - 1,
                infinity,
                quiet,
            ];
            all.into_iter().flat_map(|bits| [bits, bits | 1 << (width - 1)]).collect()
        }
    }
}

fn all_values(kind: ScalarKind) -> Vec<u64> {
    if kind == ScalarKind::Int(8) { (0..256).collect() } else { corners(kind) }
}

struct Instance {
    module: Module,
    functions: Vec<(Function, Inst)>,
    parameters: Vec<ScalarKind>,
    count: u32,
}

fn constant(kind: ScalarKind, bits: u64, count: u32) -> Constant {
    // Components differ, unless the rule needs them equal.
    let scalar = Constant::Scalar(Scalar::new(kind, bits));
    if count == 0 { scalar } else { Constant::composite(vec![scalar; count as usize]).unwrap() }
}

fn type_of(build: &mut Builder<'_>, kind: ScalarKind, count: u32) -> Inst {
    let scalar = match kind {
        ScalarKind::Bool => build.bool_type(),
        ScalarKind::Int(width) => build.int_type(width),
        ScalarKind::Float(width) => {
            let width = build.editor().word(width);
            build.editor().unique(Op::TypeFloat, None, &[width])
        }
    };
    let length = build.editor().word(count);
    if count == 0 { scalar } else { build.editor().unique(Op::TypeVector, None, &[scalar, length]) }
}

/// The state while a term is emitted.
struct Writing<'a> {
    block: Block,
    number: Inst,
    bool: Inst,
    values: &'a [Option<Inst>; 4],
    constants: &'a [Option<Inst>; 2],
}

fn write(module: &mut Module, term: &Term, sort: Sort, writing: &Writing<'_>) -> Inst {
    match *term {
        Term::Value(number) => writing.values[usize::from(number)].unwrap(),
        Term::Constant(number) => writing.constants[usize::from(number)].unwrap(),
        Term::Is(known) => {
            let ty = if sort == Sort::Bool { writing.bool } else { writing.number };
            let constant = super::rewrite::known_constant(module, ty, known).unwrap();
            constant_inst(module, ty, &constant)
        }
        Term::Op(op, operands) => {
            let own = result(op, sort);
            let operands = operands.iter().enumerate();
            let operands: Vec<Inst> = operands
                .map(|(index, operand)| write(module, operand, operand_sort(op, index, own), writing))
                .collect();
            let ty = if own == Sort::Bool { writing.bool } else { writing.number };
            module.edit().append(writing.block, op, Some(ty), &operands)
        }
        Term::Fold(..) => unreachable!("patterns compute nothing"),
    }
}

/// One function for each choice of constants.
fn instance(rule: &Rule, shape: Shape, root: Sort) -> Instance {
    let mut sorts = Sorts::default();
    gather(&rule.from, root, &mut sorts);
    let kind = |sort: Sort| if sort == Sort::Bool { ScalarKind::Bool } else { shape.kind };
    let constants: Vec<ScalarKind> = sorts.constants.iter().flatten().map(|&sort| kind(sort)).collect();
    let choices: Vec<Vec<u64>> = match constants[..] {
        [] => vec![Vec::new()],
        [only] => all_values(only).into_iter().map(|bits| vec![bits]).collect(),
        [left, right] => {
            corners(left).iter().flat_map(|&a| corners(right).into_iter().map(move |b| vec![a, b])).collect()
        }
        _ => unreachable!("two constants at most"),
    };
    let parameters: Vec<ScalarKind> = sorts.values.iter().flatten().map(|&sort| kind(sort)).collect();
    let mut module = Module::new();
    let mut functions = Vec::new();
    for choice in choices {
        let mut build = Builder::new(&mut module);
        let types: Vec<Inst> = parameters.iter().map(|&kind| type_of(&mut build, kind, shape.count)).collect();
        let number = type_of(&mut build, shape.kind, shape.count);
        let bool = type_of(&mut build, ScalarKind::Bool, shape.count);
        let Term::Op(op, _) = rule.from else { unreachable!("a pattern is an operation") };
        let ty = if result(op, root) == Sort::Bool { bool } else { number };
        let function = build.add_function(ty, &types);
        let block = build.add_block(function);
        let mut given =
            build.module().parameters(function).map(|parameter| parameter.inst()).collect::<Vec<_>>().into_iter();
        let values = sorts.values.map(|sort| sort.and_then(|_| given.next()));
        let mut chosen = choice.iter().zip(&constants);
        let bool_or_number = |kind: ScalarKind| if kind == ScalarKind::Bool { bool } else { number };
        let constants = sorts.constants.map(|sort| {
            let (&bits, &kind) = sort.and_then(|_| chosen.next())?;
            Some(constant_inst(&mut module, bool_or_number(kind), &constant(kind, bits, shape.count)))
        });
        let writing = Writing { block, number, bool, values: &values, constants: &constants };
        let value = write(&mut module, &rule.from, root, &writing);
        module.edit().append(block, Op::ReturnValue, None, &[value]);
        functions.push((function, value));
    }
    Instance { module, functions, parameters, count: shape.count }
}

/// Values for the parameters of so many instances, row by row.
fn rows(parameters: &[ScalarKind], instances: usize) -> Vec<Vec<u64>> {
    let are_constants_many = instances > 1;
    let few =
        |kind: ScalarKind| if are_constants_many || parameters.len() > 1 { corners(kind) } else { all_values(kind) };
    let all =
        |kind: ScalarKind| if parameters.len() == 2 && !are_constants_many { all_values(kind) } else { few(kind) };
    let mut rows = vec![Vec::new()];
    for (index, &kind) in parameters.iter().enumerate() {
        let step = if kind == ScalarKind::Bool { 1 } else { 3 };
        let bits = if index < 2 { all(kind) } else { corners(kind).into_iter().step_by(step).collect() };
        rows = rows
            .iter()
            .flat_map(|row: &Vec<u64>| bits.iter().map(move |&bits| row.iter().copied().chain([bits]).collect()))
            .collect();
    }
    rows
}

fn value(kind: ScalarKind, bits: u64, count: u32) -> Value {
    let one = |bits: u64| match kind {
        ScalarKind::Bool => Value::Bool(bits & 1 == 1),
        ScalarKind::Int(width) => Value::int(width as u8, bits),
        ScalarKind::Float(width) => Value::Float { width: width as u8, bits },
    };
    match count {
        0 => one(bits),
        _ => {
            Value::composite((0..u64::from(count)).map(|index| one(if index == 0 { bits } else { bits / 2 })).collect())
        }
    }
}

/// Returns whether `after` is a correct result where the pattern has the result `before`.
fn is_same(before: &Value, after: &Value) -> bool {
    match (before.elements(), after.elements()) {
        _ if before.is_undefined() => true,
        (Some(before), Some(after)) => before.iter().zip(after).all(|(before, after)| is_same(before, after)),
        _ => {
            let is_nan =
                |value: &Value| matches!(value, Value::Float { .. }) && value.as_f64().is_some_and(f64::is_nan);
            before == after || (is_nan(before) && is_nan(after))
        }
    }
}

/// Checks a rule against the interpreter. Returns how often it was applied.
fn check(rule: &Rule) -> Result<usize, String> {
    let is_selection = matches!(rule.from, Term::Op(Op::Select, _));
    let knows_bools = terms(&rule.from).iter().any(|term| matches!(term, Term::Is(Known::True | Known::False)));
    let roots: &[Sort] = match is_selection {
        true if knows_bools => &[Sort::Bool],
        true => &[Sort::Bool, Sort::Number],
        false => &[Sort::Number],
    };
    let rules = Rules::new(std::iter::once(*rule));
    let mut applied = 0;
    for (shape, &root) in shapes(rule).into_iter().flat_map(|shape| roots.iter().map(move |root| (shape, root))) {
        let instance = instance(rule, shape, root);
        let mut after = instance.module.clone();
        let interpreter = Interpreter::new(&instance.module);
        let counts: Vec<usize> = instance
            .functions
            .iter()
            .map(|&(function, _)| simplify_by(&mut after, function, &rules, &mut Analyses::default()))
            .collect();
        let simplified = Interpreter::new(&after);
        let rows = rows(&instance.parameters, instance.functions.len());
        for (&(function, _), count) in instance.functions.iter().zip(counts) {
            if count == 0 {
                continue;
            }
            applied += 1;
            for rows in rows.chunks(1 << 13) {
                compare(&instance, &interpreter, &simplified, function, rows)
                    .map_err(|message| format!("{}, {shape:?}: {message}", rule.name))?;
            }
        }
    }
    Ok(applied)
}

fn compare(
    instance: &Instance,
    before: &Interpreter<'_>,
    after: &Interpreter<'_>,
    function: Function,
    rows: &[Vec<u64>],
) -> Result<(), String> {
    let column = |(index, &kind): (usize, &ScalarKind)| {
        Argument::PerLane(rows.iter().map(|row| value(kind, row[index], instance.count)).collect())
    };
    let arguments = instance.parameters.iter().enumerate().map(column).collect();
    let launch = Launch { arguments, lanes: rows.len(), ..Launch::default() };
    let old = before.run(function, &launch, &mut no_externals).map_err(|error| error.to_string())?;
    let new = after.run(function, &launch, &mut no_externals).map_err(|error| error.to_string())?;
    for ((row, old), new) in rows.iter().zip(old.lanes).zip(new.lanes) {
        let End::Returned(Some(old)) = &old.end else { continue };
        match &new.end {
            End::Returned(Some(new)) if is_same(old, new) => {}
            new => return Err(format!("of {row:x?} it was {old:?}, now it is {new:?}")),
        }
    }
    Ok(())
}

#[test]
fn every_rule_holds_and_applies() {
    let mut count = 0;
    for rule in tables().chain(cheaper()) {
        match check(&rule) {
            Ok(applied) => assert!(applied > 0, "{} never applies", rule.name),
            Err(message) => panic!("{message}"),
        }
        count += 1;
    }
    println!("{count} rules");
}

#[test]
fn every_rule_obeys_the_laws() {
    let mut names = std::collections::BTreeSet::new();
    for rule in tables().chain(cheaper()) {
        let name = rule.name;
        assert!(names.insert(name), "{name} stands twice");
        assert!(weight(&rule.to) < weight(&rule.from), "{name} makes nothing less");
        let (from, to) = (terms(&rule.from), terms(&rule.to));
        let operations = to.iter().filter(|term| matches!(term, Term::Op(..))).count();
        assert!(operations <= 1, "{name} makes more than one operation");
        for number in 0..4 {
            let count =
                |terms: &[Term]| terms.iter().filter(|term| matches!(term, Term::Value(n) if *n == number)).count();
            assert!(count(&to) <= count(&from), "{name} uses a value more often");
        }
    }
}

/// The op that is most easily confused with another.
fn sibling(op: Op) -> Option<Op> {
    const PAIRS: [(Op, Op); 16] = [
        (Op::IAdd, Op::ISub),
        (Op::IMul, Op::IAdd),
        (Op::SNegate, Op::Not),
        (Op::UDiv, Op::UMod),
        (Op::BitwiseAnd, Op::BitwiseOr),
        (Op::BitwiseXor, Op::BitwiseOr),
        (Op::ShiftLeftLogical, Op::ShiftRightLogical),
        (Op::ShiftRightArithmetic, Op::ShiftRightLogical),
        (Op::IEqual, Op::INotEqual),
        (Op::LogicalAnd, Op::LogicalOr),
        (Op::LogicalEqual, Op::LogicalNotEqual),
        (Op::FAdd, Op::FSub),
        (Op::FMul, Op::FDiv),
        (Op::FOrdEqual, Op::FUnordEqual),
        (Op::FOrdLessThan, Op::FUnordLessThan),
        (Op::FOrdGreaterThanEqual, Op::FUnordGreaterThanEqual),
    ];
    let more = [
        (Op::ULessThan, Op::ULessThanEqual),
        (Op::UGreaterThan, Op::UGreaterThanEqual),
        (Op::SLessThan, Op::SLessThanEqual),
        (Op::SGreaterThan, Op::SGreaterThanEqual),
        (Op::FOrdNotEqual, Op::FUnordNotEqual),
        (Op::FOrdGreaterThan, Op::FUnordGreaterThan),
        (Op::FOrdLessThanEqual, Op::FUnordLessThanEqual),
        (Op::Ordered, Op::Unordered),
    ];
    PAIRS.into_iter().chain(more).find_map(|(left, right)| match op {
        _ if op == left => Some(right),
        _ if op == right => Some(left),
        _ => None,
    })
}

fn leaked(terms: Vec<Term>) -> &'static [Term] {
    Box::leak(terms.into_boxed_slice())
}

/// Mistakes that replace a term.
fn mistakes(term: &Term) -> Vec<Term> {
    let inside = |operands: &'static [Term], make: &dyn Fn(&'static [Term]) -> Term| {
        let mut all = Vec::new();
        for (index, operand) in operands.iter().enumerate() {
            for wrong in mistakes(operand) {
                let mut operands = operands.to_vec();
                operands[index] = wrong;
                all.push(make(leaked(operands)));
            }
        }
        all
    };
    match *term {
        Term::Value(number) => vec![Term::Value(1 - number.min(1))],
        Term::Constant(number) => vec![Term::Constant(1 - number)],
        Term::Is(known) => vec![Term::Is(match known {
            Known::Zero => Known::One,
            Known::One | Known::Ones => Known::Zero,
            Known::True => Known::False,
            Known::False => Known::True,
            Known::FloatZero => Known::FloatOne,
            Known::NegativeZero => Known::FloatOne,
            Known::FloatOne => Known::MinusOne,
            Known::MinusOne => Known::FloatOne,
        })],
        Term::Op(op, operands) => {
            let mut all = inside(operands, &|operands| Term::Op(op, operands));
            all.extend(sibling(op).map(|op| Term::Op(op, operands)));
            all
        }
        Term::Fold(op, operands) => {
            let mut all = inside(operands, &|operands| Term::Fold(op, operands));
            all.extend(sibling(op).map(|op| Term::Fold(op, operands)));
            all
        }
    }
}

/// Each rule is mutated by every mistake, and by removing its condition. The check must detect it, unless the mutated rule cannot be
/// applied, or violates the law of weights.
#[test]
fn wrong_rules_are_caught() {
    let (mut caught, mut survivors) = (0, Vec::new());
    for rule in tables().chain(cheaper()) {
        let numbers = terms(&rule.from);
        let has = |wanted: &Term| match wanted {
            Term::Value(number) => numbers.iter().any(|term| matches!(term, Term::Value(other) if other == number)),
            Term::Constant(number) => {
                numbers.iter().any(|term| matches!(term, Term::Constant(other) if other == number))
            }
            _ => true,
        };
        let mut wrong: Vec<Rule> = mistakes(&rule.to)
            .into_iter()
            .filter(|to| terms(to).iter().all(has) && weight(to) < weight(&rule.from))
            .map(|to| Rule { to, ..rule })
            .collect();
        if matches!(rule.when, When::Holds(_)) {
            wrong.push(Rule { when: When::Always, ..rule });
        }
        for wrong in wrong {
            match check(&wrong) {
                Err(_) => caught += 1,
                Ok(0) => {}
                Ok(_) => survivors.push(format!("{}: {:?}", wrong.name, wrong.to)),
            }
        }
    }
    println!("{caught} mistakes caught");
    assert!(survivors.is_empty(), "not caught:\n{}", survivors.join("\n"));
    assert!(caught > 200);
}
