//! Files in the binary form, of which only what is reached is read.

use reconverge_ir::binary::{self, Archive};
use reconverge_ir::{Module, text};
use reconverge_link::{ArchiveInput, Input, LinkError, LinkOptions, ModuleInput, Roots, Undefined, link};
use reconverge_testing::is_deep;
use reconverge_testing::random::Random;

use crate::common::{TYPES, parsed};
use crate::{associativity, generics, mutated_pairs};

const LIBRARY: LinkOptions<'_> = LinkOptions::new().roots(Roots::Library).undefined(Undefined::Allowed);

fn linked_files(files: &[Vec<u8>], options: &LinkOptions<'_>) -> Result<Module, Vec<LinkError>> {
    let archives: Vec<Archive<'_>> = files.iter().map(|file| Archive::open(file).expect("a file")).collect();
    let inputs = archives.iter().map(|archive| ArchiveInput::new("m", archive).expect("a file"));
    link(&mut inputs.collect::<Vec<_>>(), options)
}

/// Holds that files are linked to what their modules are linked to, byte by byte.
fn hold_equal(modules: &[Module], options: &LinkOptions<'_>, what: &str) {
    let files: Vec<Vec<u8>> = modules.iter().map(binary::write).collect();
    let inputs = files.iter().map(|file| ModuleInput::new("m", binary::read(file).expect("a file")));
    let whole = link(&mut inputs.collect::<Vec<_>>(), options);
    let parts = linked_files(&files, options);
    match (whole, parts) {
        (Ok(whole), Ok(parts)) => {
            assert_eq!(text::print(&whole), text::print(&parts), "{what}");
            assert!(binary::write(&whole) == binary::write(&parts), "{what}");
        }
        (Err(whole), Err(parts)) => {
            let codes = |errors: &[LinkError]| errors.iter().map(|error| error.code).collect::<Vec<_>>();
            assert_eq!(codes(&whole), codes(&parts), "{what}");
        }
        (whole, parts) => panic!("{what}: {:?} and {:?}", whole.map(|_| ()), parts.map(|_| ())),
    }
}

#[test]
fn files_are_linked_like_their_modules() {
    for seed in 0..if is_deep() { 2_000 } else { 100 } {
        let mut random = Random::new(seed);
        let modules = associativity::random_modules(&mut random);
        for options in [LIBRARY, LinkOptions::default()] {
            hold_equal(&modules, &options, &format!("seed {seed}"));
        }
    }
}

#[test]
fn files_with_generics_are_linked_like_their_modules() {
    let modules = generics::three_files().map(|source| parsed(&source));
    for options in [LIBRARY, LinkOptions::default()] {
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            hold_equal(&order.map(|number: usize| modules[number].clone()), &options, "three files");
        }
        hold_equal(&modules[1..], &options, "without the interface");
        hold_equal(&[generics::SHAPES, generics::MAIN].map(parsed), &options, "two files of a language");
    }
}

/// With debug information, what nothing names is about what names it.
#[test]
fn compiled_files_are_linked_like_their_modules() {
    for files in mutated_pairs::programs() {
        let modules = files.iter().map(|bytes| {
            reconverge_spirv::read(bytes, &reconverge_spirv::ReadOptions::default()).expect("the module is valid")
        });
        let modules: Vec<Module> = modules.collect();
        for options in [LIBRARY, LinkOptions::default()] {
            hold_equal(&modules, &options, "a compiled program");
        }
    }
}

#[test]
fn what_is_not_reached_is_not_read() {
    let mut source = TYPES.to_owned();
    for number in 0..500 {
        let next = if number % 100 == 99 {
            String::new()
        } else {
            format!("  %v{number}: %u32 = function_call %function{}\n", number + 1)
        };
        source += &format!(
            "%c{number}: %u32 = constant {}\nfunc %function{number}: %u32 () {{decorate LinkageAttributes \"f{number}\" 0}} \
             {{\nblock ^entry:\n{next}  return_value %c{number}\n}}\n",
            number + 1000
        );
    }
    let file = binary::write(&parsed(&source));
    let archive = Archive::open(&file).expect("a file");
    let names = ["f190".to_owned()];
    let mut inputs = [ArchiveInput::new("m", &archive).expect("a file")];
    let options = LinkOptions::new().roots(Roots::Named(&names));
    let linked = link(&mut inputs, &options).expect("the root is there");
    assert_eq!(linked.functions().count(), 10);
    let loaded = inputs[0].module();
    assert_eq!(loaded.children(loaded.root()).count(), 10 + 10 + 2, "functions, constants, and two types");
}

#[test]
fn damaged_files_are_linked_or_rejected() {
    let modules = generics::three_files().map(|source| parsed(&source));
    let files = modules.each_ref().map(binary::write);
    let mut linked = 0;
    for seed in 0..if is_deep() { 100_000 } else { 3_000 } {
        let mut random = Random::new(seed);
        let mut damaged = files.clone();
        for _ in 0..1 + random.below(3) {
            let file = &mut damaged[random.below(3)];
            let place = random.below(file.len());
            file[place] = random.below(256) as u8;
        }
        let archives: Vec<Archive<'_>> = damaged.iter().filter_map(|file| Archive::open(file).ok()).collect();
        let inputs = archives.iter().filter_map(|archive| ArchiveInput::new("m", archive).ok());
        let mut inputs: Vec<ArchiveInput<'_, '_>> = inputs.collect();
        linked += u32::from(link(&mut inputs, &LIBRARY).is_ok());
    }
    assert!(linked > 0);
}
