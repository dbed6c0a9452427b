//! Random programs that access memory in every way, with what each access may touch by the rules of SPIR-V, cell by cell.

use std::fmt::Write;

use crate::common::{Random, random_graph};

/// The variables; each but `g` and `h` is a struct of five cells: `{ u32, u32[2], { u32, u32 } }`.
pub(crate) const VARIABLES: [(&str, &str); 11] = [
    ("s", "Function"),
    ("e", "Function"),
    ("g", "Private"),
    ("h", "Private"),
    ("w", "Workgroup"),
    ("b1", "StorageBuffer"),
    ("b2", "StorageBuffer"),
    ("c1", "StorageBuffer"),
    ("c2", "StorageBuffer"),
    ("al", "StorageBuffer"),
    ("r", "StorageBuffer"),
];
const E: usize = 1;
const G: usize = 2;
const H: usize = 3;
const W: usize = 4;
const B1: usize = 5;
const B2: usize = 6;
const C1: usize = 7;
const C2: usize = 8;
const AL: usize = 9;
pub(crate) const R: usize = 10;

/// Cells of one variable.
const CELLS: usize = 5;

/// What is chosen when a program starts.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    index: usize,
    is_first: bool,
    private: usize,
    buffer: usize,
    /// Whether the aliased buffer is the first one.
    is_overlaid: bool,
}

impl Choice {
    pub(crate) fn random(random: &mut Random) -> Choice {
        let buffers = [B1, B2, C1, AL];
        let is_overlaid = random.chance(50);
        let buffer = buffers[random.below(buffers.len())];
        let buffer = if buffer == AL && is_overlaid { B1 } else { buffer };
        Choice {
            index: random.below(2),
            is_first: random.chance(50),
            private: if random.chance(50) { G } else { H },
            buffer: buffer * CELLS + random.below(CELLS),
            is_overlaid,
        }
    }
}

/// A pointer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pointer {
    /// A path in a variable; `None` is an index that is a parameter.
    Path(usize, Vec<Option<usize>>),
    /// One of the parameters that point to private memory and into buffers.
    Private,
    Buffer,
    /// The first or the last cell of the variable whose address is known elsewhere.
    Selected,
}

impl Pointer {
    pub(crate) fn random(random: &mut Random) -> Pointer {
        match random.below(12) {
            0 => Pointer::Private,
            1 => Pointer::Buffer,
            2 => Pointer::Selected,
            _ => {
                let variable = random.below(VARIABLES.len());
                let paths: [&[Option<usize>]; 9] = [
                    &[],
                    &[Some(0)],
                    &[Some(1)],
                    &[Some(1), Some(0)],
                    &[Some(1), Some(1)],
                    &[Some(1), None],
                    &[Some(2)],
                    &[Some(2), Some(0)],
                    &[Some(2), Some(1)],
                ];
                let path = if matches!(variable, G | H) { &[] } else { paths[random.below(paths.len())] };
                Pointer::Path(variable, path.to_vec())
            }
        }
    }

    /// A pointer to one cell of memory that lanes share.
    fn shared_cell(random: &mut Random) -> Pointer {
        let variable = [W, B1, B2, C1, AL][random.below(5)];
        Pointer::Path(variable, vec![Some(0)])
    }

    /// The cells that the pointer leads to.
    pub(crate) fn cells(&self, choice: Choice) -> Vec<usize> {
        match self {
            Pointer::Path(variable, path) => {
                let known: Vec<usize> = path.iter().map(|index| index.unwrap_or(choice.index)).collect();
                cells_of(overlay(*variable, choice.is_overlaid), &known)
            }
            Pointer::Private => vec![choice.private * CELLS],
            Pointer::Buffer => vec![choice.buffer],
            Pointer::Selected => cells_of(E, if choice.is_first { &[0] } else { &[2, 1] }),
        }
    }

    /// The cells that the rules let it lead to, as far as a compiler is to know.
    pub(crate) fn may(&self) -> Vec<usize> {
        let all = |variables: &[usize]| -> Vec<usize> {
            variables.iter().flat_map(|&variable| cells_of(variable, &[])).collect()
        };
        let buffers = || all(&[B1, B2, C1, C2, AL]);
        match self {
            Pointer::Private => all(&[G, H]),
            Pointer::Selected => all(&[E]),
            Pointer::Buffer | Pointer::Path(C1 | C2 | AL, _) => buffers(),
            Pointer::Path(variable, path) => {
                let known: Vec<usize> = path.iter().map_while(|&index| index).collect();
                cells_of(*variable, &known)
            }
        }
    }

    fn write(&self, text: &mut String, name: &str) {
        match self {
            Pointer::Path(variable, path) => {
                let (variable, class) = VARIABLES[*variable];
                let indices = path.iter().map(|index| match index {
                    Some(index) => format!(", %i{index}"),
                    None => ", %k".to_string(),
                });
                let _ =
                    writeln!(text, "  %{name}: %to_{class} = access_chain %{variable}{}", indices.collect::<String>());
            }
            Pointer::Private => _ = writeln!(text, "  %{name}: %to_Private = copy_object %q"),
            Pointer::Buffer => _ = writeln!(text, "  %{name}: %to_StorageBuffer = copy_object %z"),
            Pointer::Selected => {
                let _ = writeln!(text, "  %{name}a: %to_Function = access_chain %e, %i0");
                let _ = writeln!(text, "  %{name}b: %to_Function = access_chain %e, %i2, %i1");
                let _ = writeln!(text, "  %{name}: %to_Function = select %p, %{name}a, %{name}b");
            }
        }
    }
}

/// The two names of one binding are one, and so may be the aliased buffer and the first.
fn overlay(variable: usize, is_overlaid: bool) -> usize {
    match variable {
        C2 => C1,
        AL if is_overlaid => B1,
        other => other,
    }
}

fn cells_of(variable: usize, path: &[usize]) -> Vec<usize> {
    let range = match (variable, path) {
        (G | H, _) => 0..1,
        (_, [0]) => 0..1,
        (_, [1]) => 1..3,
        (_, [1, index]) => 1 + index..2 + index,
        (_, [2]) => 3..5,
        (_, [2, index]) => 3 + index..4 + index,
        _ => 0..CELLS,
    };
    range.map(|cell| variable * CELLS + cell).collect()
}

/// What a block does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    Load(Pointer),
    Volatile(Pointer),
    Store(Pointer),
    Copy(Pointer, Pointer),
    /// A call that lets the address of a variable go.
    Keep,
    Call,
    Barrier,
    Atomic(Pointer, bool),
}

impl Action {
    fn random(random: &mut Random) -> Action {
        match random.below(20) {
            0..=8 => Action::Load(Pointer::random(random)),
            9 => Action::Volatile(Pointer::random(random)),
            10..=14 => Action::Store(written(random)),
            15 => Action::Copy(written(random), Pointer::random(random)),
            16 => Action::Call,
            17 => Action::Barrier,
            _ => Action::Atomic(Pointer::shared_cell(random), random.chance(30)),
        }
    }

    /// The cells that it writes for sure, and those of which some may be written.
    pub(crate) fn written(&self, choice: Choice) -> (Vec<usize>, Vec<usize>) {
        match self {
            Action::Load(_) | Action::Volatile(_) => (Vec::new(), Vec::new()),
            Action::Store(pointer) | Action::Copy(pointer, _) => (pointer.cells(choice), Vec::new()),
            Action::Call | Action::Keep => (Vec::new(), elsewhere(&[E, G, H, W, B1, B2, C1, AL])),
            Action::Barrier => (Vec::new(), elsewhere(&[W, B1, B2, C1, AL])),
            Action::Atomic(pointer, false) => (pointer.cells(choice), Vec::new()),
            Action::Atomic(pointer, true) => (pointer.cells(choice), elsewhere(&[W, B1, B2, C1, AL])),
        }
    }

    /// The cells that the rules let it write; what is volatile counts as written.
    pub(crate) fn may_write(&self) -> Vec<usize> {
        match self {
            Action::Load(_) | Action::Volatile(Pointer::Path(R, _)) => Vec::new(),
            Action::Volatile(pointer) | Action::Store(pointer) | Action::Copy(pointer, _) => pointer.may(),
            Action::Call | Action::Keep => elsewhere(&[E, G, H, W, B1, B2, C1, C2, AL]),
            Action::Barrier => elsewhere(&[W, B1, B2, C1, C2, AL]),
            Action::Atomic(pointer, false) => pointer.may(),
            Action::Atomic(_, true) => elsewhere(&[W, B1, B2, C1, C2, AL]),
        }
    }
}

fn written(random: &mut Random) -> Pointer {
    loop {
        let pointer = Pointer::random(random);
        if !matches!(pointer, Pointer::Path(R, _)) {
            return pointer;
        }
    }
}

fn elsewhere(variables: &[usize]) -> Vec<usize> {
    variables.iter().flat_map(|&variable| cells_of(variable, &[])).collect()
}

/// A program: what each block does, and where control goes.
pub(crate) struct Program {
    pub(crate) graph: Vec<Vec<usize>>,
    pub(crate) actions: Vec<Vec<Action>>,
}

impl Program {
    pub(crate) fn random(random: &mut Random) -> Program {
        let len = 1 + random.below(12);
        let graph = random_graph(random, len);
        let most = 1 + random.below(6);
        let actions = graph.iter().map(|_| (0..random.below(most + 1)).map(|_| Action::random(random)).collect());
        let mut actions: Vec<Vec<Action>> = actions.collect();
        // Two variables of one binding are told apart where one of them is not used.
        let overlaid = [C1, C2].map(|variable| Action::Load(Pointer::Path(variable, Vec::new())));
        actions[0].splice(0..0, [Action::Keep].into_iter().chain(overlaid));
        Program { actions, graph }
    }

    /// How many cells there are.
    pub(crate) fn cells() -> usize {
        VARIABLES.len() * CELLS
    }

    /// The text, in which each action is the last of its instructions.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from(HEAD);
        for (variable, (name, class)) in VARIABLES.iter().enumerate().skip(2) {
            let note = match variable {
                B1 => " {decorate 34 0, decorate 33 0}",
                B2 => " {decorate 34 0, decorate 33 1}",
                C1 | C2 => " {decorate 34 0, decorate 33 2}",
                AL => " {decorate 34 0, decorate 33 3, decorate 20}",
                R => " {decorate 34 0, decorate 33 4, decorate 24}",
                _ => "",
            };
            let _ = writeln!(text, "%{name}: %to_{class} = variable {class}{note}");
        }
        text.push_str(FUNCTION);
        for (block, actions) in self.actions.iter().enumerate() {
            let _ = writeln!(text, "block ^b{block}:");
            if block == 0 {
                text.push_str(ENTRY);
            }
            for (number, action) in actions.iter().enumerate() {
                write_action(&mut text, action, &format!("v{block}_{number}"));
            }
            write_terminator(&mut text, &self.graph[block]);
        }
        text.push_str("}\n");
        text
    }
}

fn write_action(text: &mut String, action: &Action, name: &str) {
    let pointer = format!("{name}p");
    match action {
        Action::Load(from) | Action::Volatile(from) => {
            from.write(text, &pointer);
            let mask = if matches!(action, Action::Volatile(_)) { ", 1" } else { "" };
            let _ = writeln!(text, "  %{name}: %u32 = load %{pointer}{mask}");
        }
        Action::Store(to) => {
            to.write(text, &pointer);
            let _ = writeln!(text, "  store %{pointer}, %n");
        }
        Action::Copy(to, from) => {
            to.write(text, &pointer);
            from.write(text, &format!("{name}f"));
            let _ = writeln!(text, "  copy_memory %{pointer}, %{name}f");
        }
        Action::Keep => _ = writeln!(text, "  %{name}: %void = function_call %keep, %e"),
        Action::Call => _ = writeln!(text, "  %{name}: %void = function_call %record, %n"),
        Action::Barrier => _ = writeln!(text, "  control_barrier %i2, %i2, %fence"),
        Action::Atomic(on, is_ordered) => {
            on.write(text, &pointer);
            let semantics = if *is_ordered { "%fence" } else { "%i0" };
            let _ = writeln!(text, "  %{name}: %u32 = atomic_i_add %{pointer}, %i1, {semantics}, %n");
        }
    }
}

fn write_terminator(text: &mut String, targets: &[usize]) {
    let _ = match targets {
        [] => writeln!(text, "  return"),
        [only] => writeln!(text, "  branch ^b{only}"),
        [yes, no] => writeln!(text, "  branch_if %p ^b{yes} ^b{no}"),
        [default, rest @ ..] => {
            let cases: String = rest.iter().enumerate().map(|(case, to)| format!(" [{case} ^b{to}]")).collect();
            writeln!(text, "  switch %n default ^b{default}{cases}")
        }
    };
}

const HEAD: &str = "\
memory_model Logical GLSL450
%void = type_void
%bool = type_bool
%u32 = type_int 32, 0
%i0: %u32 = constant 0
%i1: %u32 = constant 1
%i2: %u32 = constant 2
%fence: %u32 = constant 264
%array = type_array %u32, %i2
%inner = type_struct %u32, %u32
%all = type_struct %u32, %array, %inner
%to_Function = type_pointer Function, %all
%to_Private = type_pointer Private, %all
%to_Workgroup = type_pointer Workgroup, %all
%to_StorageBuffer = type_pointer StorageBuffer, %all
func %record: %void (%x: %u32)
func %keep: %void (%x: %to_Function)
";
const FUNCTION: &str =
    "func %f: %void (%n: %u32, %k: %u32, %p: %bool, %q: %to_Private, %z: %to_StorageBuffer) stage graph {\n";
const ENTRY: &str = "  %s: %to_Function = variable Function
  %e: %to_Function = variable Function
";
