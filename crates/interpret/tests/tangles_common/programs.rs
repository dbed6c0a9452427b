//! Random structured programs with lanes: a tree of statements, and its text.

use std::fmt::Write;

use super::Program;

/// A number that differs between lanes and iterations, or only between iterations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash {
    lane: u32,
    iteration: u32,
    salt: u32,
}

impl Hash {
    pub(crate) fn value(self, lane: u32, iteration: u32, modulus: u32) -> u32 {
        let sum = lane.wrapping_mul(self.lane).wrapping_add(iteration.wrapping_mul(self.iteration));
        (sum.wrapping_add(self.salt).wrapping_mul(MIX) >> 16) % modulus
    }
}

pub(crate) const MIX: u32 = 0x9e37_79b1;

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Record(u32),
    If(Hash, Vec<Statement>, Vec<Statement>),
    /// Cases by selector, the last one for all others; whether each falls through into the next.
    Switch(Hash, Vec<(Vec<Statement>, bool)>),
    /// How often at most, whether that is asked at the end, the body, and what stands behind the continue target.
    Loop(u32, bool, Vec<Statement>, Vec<Statement>),
    Call(usize),
    /// What some lanes do instead of going on, with a point before.
    Leave(Hash, u32, Exit),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    Break,
    Continue,
    BreakSwitch,
    Return,
    Kill,
}

/// Functions; each calls only those before it, and the last one is the program.
pub(crate) struct Tree {
    pub functions: Vec<Vec<Statement>>,
}

pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) % u64::from(limit)) as u32
    }
}

/// What may be left where a statement stands.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    depth: u32,
    has_loop: bool,
    has_switch: bool,
    may_leave: bool,
    callees: usize,
}

pub(crate) struct Maker {
    random: Random,
    points: u32,
}

impl Maker {
    pub(crate) fn tree(seed: u64) -> Tree {
        let mut maker = Maker { random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), points: 0 };
        let count = 1 + maker.random.below(3) as usize;
        let around = |callees| Around { depth: 0, has_loop: false, has_switch: false, may_leave: true, callees };
        Tree { functions: (0..count).map(|callees| maker.list(around(callees))).collect() }
    }

    fn hash(&mut self) -> Hash {
        let lane = if self.random.below(5) == 0 { 0 } else { self.random.below(1000) };
        Hash { lane, iteration: self.random.below(1000), salt: self.random.below(1 << 20) }
    }

    fn point(&mut self) -> u32 {
        self.points += 1;
        self.points
    }

    fn list(&mut self, around: Around) -> Vec<Statement> {
        let count = 1 + self.random.below(3);
        let mut list: Vec<Statement> = (0..count).map(|_| self.statement(around)).collect();
        list.push(Statement::Record(self.point()));
        list
    }

    fn statement(&mut self, around: Around) -> Statement {
        let inside = Around { depth: around.depth + 1, ..around };
        match self.random.below(if around.depth < 3 { 10 } else { 4 }) {
            0 => Statement::Record(self.point()),
            1 if around.callees > 0 => Statement::Call(self.random.below(around.callees as u32) as usize),
            1..4 => self.leave(around),
            4..6 => Statement::If(self.hash(), self.list(inside), self.list(inside)),
            6 | 7 => {
                let count = 2 + self.random.below(3);
                let inside = Around { has_switch: true, ..inside };
                let case = |maker: &mut Maker, falls| (maker.list(inside), falls);
                let cases = (0..count).map(|number| {
                    let falls = number + 2 < count && self.random.below(3) == 0;
                    case(self, falls)
                });
                Statement::Switch(Hash { lane: 0, iteration: 0, salt: 0 }, cases.collect()).with_hash(self.hash())
            }
            _ => {
                let body = self.list(Around { has_loop: true, has_switch: false, ..inside });
                let behind = self.list(Around { has_loop: false, has_switch: false, may_leave: false, ..inside });
                Statement::Loop(self.random.below(4), self.random.below(2) == 0, body, behind)
            }
        }
    }

    fn leave(&mut self, around: Around) -> Statement {
        let mut exits = Vec::new();
        if around.may_leave {
            exits.extend([Exit::Return, Exit::Kill]);
        }
        if around.has_loop {
            exits.extend([Exit::Break, Exit::Continue, Exit::Break, Exit::Continue]);
        }
        if around.has_switch {
            exits.extend([Exit::BreakSwitch; 2]);
        }
        if exits.is_empty() {
            return Statement::Record(self.point());
        }
        let exit = exits[self.random.below(exits.len() as u32) as usize];
        Statement::Leave(self.hash(), self.point(), exit)
    }
}

impl Statement {
    fn with_hash(self, hash: Hash) -> Statement {
        match self {
            Statement::Switch(_, cases) => Statement::Switch(hash, cases),
            other => other,
        }
    }
}

/// How many ways of a `Leave` are taken: one lane in three.
pub(crate) const LEAVES: u32 = 3;

/// Where jumps out of constructs go.
#[derive(Clone, Copy, Default)]
pub(crate) struct Targets {
    done: usize,
    next: usize,
    merge: usize,
}

/// The text of a function.
pub(crate) struct Writer {
    text: String,
    blocks: usize,
    values: usize,
}

impl Writer {
    fn number(&mut self) -> usize {
        self.blocks += 1;
        self.blocks
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        self.text.write_fmt(line).expect("a string takes everything");
        self.text.push('\n');
    }

    /// The number of a value that is the hash, modulo something.
    fn hash(&mut self, hash: Hash, iteration: &str, modulus: u32) -> usize {
        self.values += 1;
        let v = self.values;
        let Hash { lane, iteration: step, salt } = hash;
        for line in [
            format!("  %h1.{v}: %u32 = i_mul %lane, %k{lane}"),
            format!("  %h2.{v}: %u32 = i_mul {iteration}, %k{step}"),
            format!("  %h3.{v}: %u32 = i_add %h1.{v}, %h2.{v}"),
            format!("  %h4.{v}: %u32 = i_add %h3.{v}, %k{salt}"),
            format!("  %h5.{v}: %u32 = i_mul %h4.{v}, %k{MIX}"),
            format!("  %h6.{v}: %u32 = shift_right_logical %h5.{v}, %k16"),
            format!("  %v{v}: %u32 = u_mod %h6.{v}, %k{modulus}"),
        ] {
            self.line(format_args!("{line}"));
        }
        v
    }

    /// Writes statements into the open block; whether it is open still.
    fn list(&mut self, list: &[Statement], iteration: &str, targets: Targets) -> bool {
        list.iter().all(|statement| self.statement(statement, iteration, targets))
    }

    fn statement(&mut self, statement: &Statement, iteration: &str, targets: Targets) -> bool {
        match statement {
            Statement::Record(point) => self.line(format_args!("  ballot {point}")),
            Statement::If(hash, then, or_else) => self.selection(*hash, [then, or_else], (iteration, targets)),
            Statement::Switch(hash, cases) => self.switch(*hash, cases, (iteration, targets)),
            Statement::Loop(limit, at_end, body, behind) => self.repetition((*limit, *at_end), [body, behind], targets),
            Statement::Call(callee) => {
                self.values += 1;
                let v = self.values;
                self.line(format_args!("  %c{v}: %void = function_call %f{callee}, %lane, {iteration}"));
            }
            Statement::Leave(hash, point, exit) => {
                let v = self.hash(*hash, iteration, LEAVES);
                let (out, on) = (self.number(), self.number());
                self.line(format_args!("  %c{v}: %bool = i_equal %v{v}, %k0"));
                self.line(format_args!("  if %c{v} ^b{out} ^b{on} merge ^b{on}\nblock ^b{out}:\n  ballot {point}"));
                match exit {
                    Exit::Break => self.line(format_args!("  branch ^b{}", targets.done)),
                    Exit::Continue => self.line(format_args!("  branch ^b{}", targets.next)),
                    Exit::BreakSwitch => self.line(format_args!("  branch ^b{}", targets.merge)),
                    Exit::Return => self.line(format_args!("  return")),
                    Exit::Kill => self.line(format_args!("  kill")),
                }
                self.line(format_args!("block ^b{on}:"));
            }
        }
        true
    }

    fn selection(&mut self, hash: Hash, arms: [&[Statement]; 2], (iteration, targets): (&str, Targets)) {
        let v = self.hash(hash, iteration, 2);
        let [then, or_else, merge] = [self.number(), self.number(), self.number()];
        self.line(format_args!("  %c{v}: %bool = i_not_equal %v{v}, %k0"));
        self.line(format_args!("  if %c{v} ^b{then} ^b{or_else} merge ^b{merge}"));
        for (block, list) in [then, or_else].into_iter().zip(arms) {
            self.line(format_args!("block ^b{block}:"));
            self.list(list, iteration, targets);
            self.line(format_args!("  branch ^b{merge}"));
        }
        self.line(format_args!("block ^b{merge}:"));
    }

    fn switch(&mut self, hash: Hash, cases: &[(Vec<Statement>, bool)], (iteration, targets): (&str, Targets)) {
        let v = self.hash(hash, iteration, cases.len() as u32);
        let merge = self.number();
        let blocks: Vec<usize> = cases.iter().map(|_| self.number()).collect();
        // The way into a case that another one falls into is an edge of its own.
        let ways: Vec<String> = (0..cases.len())
            .map(|case| match case > 0 && cases[case - 1].1 {
                true => format!("^e{}", blocks[case]),
                false => format!("^b{}", blocks[case]),
            })
            .collect();
        let rows: String =
            ways.iter().enumerate().rev().skip(1).rev().map(|(value, way)| format!(" [{value} {way}]")).collect();
        self.line(format_args!("  structured_switch %v{v} default {} merge ^b{merge}{rows}", ways[cases.len() - 1]));
        for (case, (body, falls)) in cases.iter().enumerate() {
            let block = blocks[case];
            if case > 0 && cases[case - 1].1 {
                self.line(format_args!("edge ^e{block}:\n  branch ^b{block}"));
            }
            self.line(format_args!("block ^b{block}:"));
            self.list(body, iteration, Targets { merge, ..targets });
            let to = if *falls { blocks[case + 1] } else { merge };
            self.line(format_args!("  branch ^b{to}"));
        }
        self.line(format_args!("block ^b{merge}:"));
    }

    fn repetition(&mut self, (limit, at_end): (u32, bool), [body, behind]: [&[Statement]; 2], outer: Targets) {
        let [header, first, next, done, again, exit] = std::array::from_fn(|_| self.number());
        let i = format!("%i{header}");
        self.line(format_args!(
            "  loop ^b{header}(%k0) break ^b{done} continue ^b{next}\nblock ^b{header}({i}: %u32):"
        ));
        match at_end {
            true => self.line(format_args!("  branch ^b{first}")),
            false => {
                self.line(format_args!("  %m{header}: %bool = u_less_than {i}, %k{limit}"));
                self.line(format_args!("  branch_if %m{header} ^b{first} ^b{exit}\nedge ^b{exit}:\n  branch ^b{done}"));
            }
        }
        self.line(format_args!("block ^b{first}:"));
        self.list(body, &i, Targets { done, next, ..outer });
        self.line(format_args!("  branch ^b{next}\nblock ^b{next}:"));
        self.list(behind, &i, Targets::default());
        self.line(format_args!("  %j{header}: %u32 = i_add {i}, %k1"));
        match at_end {
            true => {
                self.line(format_args!("  %m{header}: %bool = u_less_than %j{header}, %k{limit}"));
                self.line(format_args!("  branch_if %m{header} ^b{again} ^b{exit}"));
                self.line(format_args!("edge ^b{again}:\n  branch ^b{header}(%j{header})"));
                self.line(format_args!("edge ^b{exit}:\n  branch ^b{done}"));
            }
            false => self.line(format_args!("  branch ^b{header}(%j{header})")),
        }
        self.line(format_args!("block ^b{done}:"));
    }

    /// The functions of a tree; the program. Verifying takes longer than running it, so not every one is.
    pub(crate) fn program(tree: &Tree, seed: u64) -> Program {
        let texts: Vec<String> = tree
            .functions
            .iter()
            .map(|list| {
                let mut writer = Writer { text: "block ^entry:\n".to_owned(), blocks: 0, values: 0 };
                writer.list(list, "%x", Targets::default());
                writer.text + "  return"
            })
            .collect();
        let (main, others) = texts.split_last().expect("a function");
        let other = |(number, text): (usize, &String)| {
            format!("func %f{number}: %void (%lane: %u32, %x: %u32) stage structured {{\n{text}\n}}\n")
        };
        let others: String = others.iter().enumerate().map(other).collect();
        match seed.is_multiple_of(8) {
            true => Program::with(&others, main),
            false => Program::unverified(&others, main),
        }
    }
}
