//! Linking in steps, in other orders, and again: random programs that are split into modules.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use reconverge_ir::compare::compare;
use reconverge_ir::{Module, text};
use reconverge_link::{LinkOptions, ModuleInput, Roots, Undefined, link};
use reconverge_testing::is_deep;
use reconverge_testing::random::Random;
use reconverge_verify::verify_whole;

/// A random program: functions with the functions, variables and structs that each uses. Calls go to later functions.
struct Program {
    calls: Vec<Vec<usize>>,
    reads: Vec<Vec<usize>>,
    structs: Vec<usize>,
    variables: usize,
    entry_points: Vec<usize>,
}

/// The number of structs; the last names itself.
const STRUCTS: usize = 4;

impl Program {
    fn random(random: &mut Random) -> Program {
        let count = 3 + random.below(12);
        let variables = 1 + random.below(4);
        let some = |random: &mut Random, from: usize, to: usize| -> Vec<usize> {
            (0..random.below(4)).filter(|_| from < to).map(|_| from + random.below(to - from)).collect()
        };
        let calls = (0..count).map(|function| some(random, function + 1, count)).collect();
        let reads = (0..count).map(|_| some(random, 0, variables)).collect();
        let structs = (0..count).map(|_| random.below(STRUCTS)).collect();
        let entry_points = (0..1 + random.below(2)).map(|_| random.below(count)).collect();
        Program { calls, reads, structs, variables, entry_points }
    }

    /// The module with those functions and variables whose part it is; it imports what else they use.
    ///
    /// All types have names, so that a line of the text does not depend on the other lines.
    fn module(&self, part: usize, part_of: impl Fn(usize) -> usize) -> Module {
        let mut out = String::from(
            "capability Kernel\ncapability Addresses\ncapability Linkage\nmemory_model Physical64, OpenCL\n\
             %void = type_void {name \"void\"}\n%u32 = type_int 32, 0 {name \"u32\"}\n%f32 = type_float 32 {name \"f32\"}\n\
             %pointer = type_pointer CrossWorkgroup, %u32 {name \"pointer\"}\n\
             %s0 = type_struct %u32, %f32 {name \"s0\"}\n%s1 = type_struct %u32, %f32 {name \"s1\"}\n\
             %s2 = type_struct %u32, %s0 {name \"s2\", member_name 1 \"inner\"}\n\
             type_forward_pointer %nodes, CrossWorkgroup\n%s3 = type_struct %u32, %nodes {name \"s3\"}\n\
             %nodes = type_pointer CrossWorkgroup, %s3 {name \"nodes\"}\n",
        );
        let own: Vec<usize> = (0..self.calls.len()).filter(|&function| part_of(function) == part).collect();
        let is_own_variable = |variable: usize| part_of(variable) == part;
        let mut used: Vec<bool> = (0..self.variables).map(is_own_variable).collect();
        let mut callees = BTreeMap::new();
        for &function in &own {
            self.reads[function].iter().for_each(|&variable| used[variable] = true);
            let foreign = self.calls[function].iter().filter(|&&callee| part_of(callee) != part);
            callees.extend(foreign.map(|&callee| (callee, ())));
        }
        for variable in (0..self.variables).filter(|&variable| used[variable]) {
            let (linkage, value) =
                if is_own_variable(variable) { (0, format!(", %c{variable}")) } else { (1, String::new()) };
            if linkage == 0 {
                let _ = writeln!(out, "%c{variable}: %u32 = constant {} {{name \"c{variable}\"}}", 100 + variable);
            }
            let _ = writeln!(
                out,
                "%v{variable}: %pointer = variable CrossWorkgroup{value} {{decorate LinkageAttributes \"v{variable}\" {linkage}}}"
            );
        }
        for &function in self.entry_points.iter().take(1).filter(|&&function| part_of(function) == part) {
            let _ = writeln!(out, "entry_point Kernel, %main, \"main\"");
            let _ = writeln!(
                out,
                "%seven: %u32 = constant 7 {{name \"seven\"}}\n%fm = type_function %void {{name \"fm\"}}"
            );
            let _ = writeln!(out, "func %main: %void () type %fm {{\nblock ^entry:");
            let _ = writeln!(
                out,
                "  %main.s: %s{} = undef\n  %main.x: %u32 = function_call %f{function}, %seven, %main.s\n  return\n}}",
                self.structs[function]
            );
        }
        for &function in &own {
            self.write_function(function, &mut out);
        }
        let types: std::collections::BTreeSet<usize> =
            own.iter().chain(callees.keys()).map(|&function| self.structs[function]).collect();
        for structure in types {
            let _ =
                writeln!(out, "%fn{structure} = type_function %u32, %u32, %s{structure} {{name \"fn{structure}\"}}");
        }
        for &callee in callees.keys() {
            let structure = self.structs[callee];
            let _ = writeln!(
                out,
                "func %f{callee}: %u32 (%f{callee}.x: %u32, %f{callee}.s: %s{structure}) type %fn{structure} \
                 {{decorate LinkageAttributes \"f{callee}\" 1}}"
            );
        }
        text::parse(&out).unwrap_or_else(|error| panic!("{error}\n{out}"))
    }

    fn write_function(&self, function: usize, out: &mut String) {
        let structure = self.structs[function];
        let name = format!("%f{function}");
        let _ = writeln!(
            out,
            "func {name}: %u32 ({name}.x: %u32, {name}.s: %s{structure}) type %fn{structure} \
             {{decorate LinkageAttributes \"f{function}\" 0}} {{\nblock ^entry:"
        );
        let mut last = format!("{name}.x");
        for (number, variable) in self.reads[function].iter().enumerate() {
            let _ = writeln!(out, "  {name}.r{number}: %u32 = load %v{variable}");
            let _ = writeln!(out, "  {name}.a{number}: %u32 = i_add {last}, {name}.r{number}");
            last = format!("{name}.a{number}");
        }
        for (number, &callee) in self.calls[function].iter().enumerate() {
            let _ = writeln!(out, "  {name}.u{number}: %s{} = undef", self.structs[callee]);
            let _ = writeln!(out, "  {name}.c{number}: %u32 = function_call %f{callee}, {last}, {name}.u{number}");
            last = format!("{name}.c{number}");
        }
        let _ = writeln!(out, "  return_value {last}\n}}");
    }
}

/// The modules of a random program that is split into up to five.
pub(crate) fn random_modules(random: &mut Random) -> Vec<Module> {
    let program = Program::random(random);
    let count = 1 + random.below(5);
    let parts: Vec<usize> = (0..32).map(|_| random.below(count)).collect();
    (0..count).map(|part| program.module(part, |thing| parts[thing])).collect()
}

const LIBRARY: LinkOptions<'_> = LinkOptions::new().roots(Roots::Library).undefined(Undefined::Allowed);
const PROGRAM: LinkOptions<'_> = LinkOptions::new().roots(Roots::Program).undefined(Undefined::Refused);

fn linked(modules: &[&Module], options: &LinkOptions<'_>) -> Module {
    let mut inputs: Vec<ModuleInput> = modules.iter().map(|&module| ModuleInput::new("m", module.clone())).collect();
    link(&mut inputs, options).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn hold_equal(what: &str, left: &Module, right: &Module) {
    if let Err(difference) = compare(left, right) {
        panic!("{what}: {difference}\n{}\n{}", text::print(left), text::print(right));
    }
}

/// The functions and the other lines of a module, sorted.
fn paragraphs(module: &Module) -> Vec<String> {
    let text = text::print(module);
    let (globals, functions) = text.split_once("\n\n").unwrap_or((&text, ""));
    let mut all: Vec<String> =
        globals.lines().chain(functions.split("\n\n")).map(|part| part.trim().to_owned()).collect();
    all.sort();
    all
}

/// The functions in order, as text.
fn functions(module: &Module) -> String {
    text::print(module).split_once("\n\n").map_or_else(String::new, |(_, functions)| functions.to_owned())
}

fn seeds() -> std::ops::Range<u64> {
    0..if is_deep() { 5_000 } else { 200 }
}

#[test]
fn linking_is_associative() {
    for seed in seeds() {
        let mut random = Random::new(seed);
        let program = Program::random(&mut random);
        let parts: Vec<usize> = (0..32).map(|_| random.below(3)).collect();
        let [a, b, c] = [0, 1, 2].map(|part| program.module(part, |thing| parts[thing]));
        let at_once = linked(&[&a, &b, &c], &LIBRARY);
        let left = linked(&[&linked(&[&a, &b], &LIBRARY), &c], &LIBRARY);
        let right = linked(&[&a, &linked(&[&b, &c], &LIBRARY)], &LIBRARY);
        hold_equal(&format!("seed {seed}: (ab)c"), &at_once, &left);
        hold_equal(&format!("seed {seed}: a(bc)"), &at_once, &right);
        assert_eq!(verify_whole(&at_once), Vec::new(), "seed {seed}");
        let program = linked(&[&a, &b, &c], &PROGRAM);
        // A declaration that a library has for a function of no program may come before others there.
        for library in [&at_once, &left, &right] {
            assert_eq!(paragraphs(&program), paragraphs(&linked(&[library], &PROGRAM)), "seed {seed}");
        }
        hold_equal(&format!("seed {seed}: again"), &program, &linked(&[&program], &PROGRAM));
        assert_eq!(verify_whole(&program), Vec::new(), "seed {seed}");
    }
}

#[test]
fn the_order_of_inputs_changes_the_order_alone() {
    for seed in seeds() {
        let mut random = Random::new(seed);
        let program = Program::random(&mut random);
        let parts: Vec<usize> = (0..32).map(|_| random.below(2)).collect();
        let [a, b] = [0, 1].map(|part| program.module(part, |thing| parts[thing]));
        for options in [LIBRARY, PROGRAM] {
            let (one, other) = (linked(&[&a, &b], &options), linked(&[&b, &a], &options));
            assert_eq!(paragraphs(&one), paragraphs(&other), "seed {seed}");
            let again = linked(&[&a, &b], &options);
            assert_eq!(text::print(&one), text::print(&again), "seed {seed}");
        }
    }
}

#[test]
fn what_was_split_is_whole_again() {
    for seed in seeds() {
        let mut random = Random::new(seed);
        let program = Program::random(&mut random);
        let count = 1 + random.below(5);
        let parts: Vec<usize> = (0..32).map(|_| random.below(count)).collect();
        let modules: Vec<Module> = (0..count).map(|part| program.module(part, |thing| parts[thing])).collect();
        let whole = program.module(0, |_| 0);
        for options in [LIBRARY, PROGRAM] {
            let relinked = linked(&modules.iter().collect::<Vec<_>>(), &options);
            assert_eq!(paragraphs(&relinked), paragraphs(&linked(&[&whole], &options)), "seed {seed}");
        }
        // Parts that are runs of functions keep the order, too.
        let modules: Vec<Module> = (0..count).map(|part| program.module(part, |thing| thing * count / 32)).collect();
        let relinked = linked(&modules.iter().collect::<Vec<_>>(), &PROGRAM);
        assert_eq!(functions(&relinked), functions(&linked(&[&whole], &PROGRAM)), "seed {seed}");
    }
}
