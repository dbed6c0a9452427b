//! Kernels that are told addresses of memory that is not theirs, or compute them.

use reconverge::Format;
use reconverge_run::{
    Binding, Contents, CpuAccess, CpuKernel, CpuOptions, Descriptor, DescriptorKind, Launch, RunError, Size,
};

use super::{Victim, in_all_forms, launch, root};

/// In every form the launch ends with an error that names the address, and the memory is as it was.
fn ends_at(kernel: &str, arguments: &dyn Fn(u64) -> Vec<String>) {
    let victim = Victim::new();
    let address = victim.address();
    let texts = arguments(address);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    in_all_forms(&[launch(kernel, 1, &texts)], |form, result| {
        victim.assert_kept(form);
        let Err(RunError::CpuEnded(failure)) = result else { panic!("{form}: {result:?}") };
        let Some(CpuAccess::Address { address: Some(found), .. }) = failure.access else { panic!("{form}: {failure}") };
        assert_eq!(found, address, "{form}: {failure}");
    });
}

#[test]
fn an_integer_is_no_way_out() {
    for kernel in ["write_at", "add_at"] {
        ends_at(kernel, &|at| vec!["out:i32[64]".to_owned(), format!("u64={at}")]);
    }
    ends_at("chosen", &|at| vec!["out:i32[64]".to_owned(), format!("u64={at}"), "i32=1".to_owned()]);
}

#[test]
fn an_integer_of_each_lane_is_no_way_out() {
    let fill = |at: u64| format!("in:u64[64]=fill({at})");
    for kernel in ["write_each", "read_each", "add_each"] {
        ends_at(kernel, &|at| vec!["out:i32[64]".to_owned(), fill(at)]);
    }
    ends_at("read_narrow", &|at| vec!["out:u8[64]".to_owned(), fill(at)]);
    ends_at("write_narrow", &|at| vec!["out:i8[64]".to_owned(), fill(at), "u64=0".to_owned()]);
}

#[test]
fn one_lane_of_many_is_no_way_out() {
    // The first lanes have addresses that are null; the launch ends at those.
    let victim = Victim::new();
    for lane in [0, 1, 37, 63] {
        let mut list = vec![0; 64];
        list[lane] = victim.address();
        let list = list.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let launch = launch("write_each", 1, &["out:i32[64]", &format!("in:u64[64]=list({list})")]);
        in_all_forms(&[launch], |form, result| {
            victim.assert_kept(form);
            assert!(matches!(result, Err(RunError::CpuEnded(_))), "{form}: {result:?}");
        });
    }
}

#[test]
fn a_pointer_in_memory_is_no_way_out() {
    // The offset of `value` in the struct is 8.
    let (victim, kernel) = (Victim::new(), "follow");
    let node = format!("in:u64[2]=list({},0)", victim.address());
    in_all_forms(&[launch(kernel, 1, &["out:i32[64]", &node])], |form, result| {
        victim.assert_kept(form);
        assert!(matches!(result, Err(RunError::CpuEnded(_))), "{form}: {result:?}");
    });
}

/// Wherever a buffer is, some of these distances lead to memory of the process: its heap, its code, its stacks.
#[test]
fn no_distance_leads_out() {
    let powers = (2..46).flat_map(|power| [1_i64 << power, -(1_i64 << power), (3 << power) + 5, -(5 << power) - 1]);
    let distances: Vec<i64> = powers.collect();
    type Arguments<'a> = &'a dyn Fn(i64) -> Vec<String>;
    let rows: [(&str, Arguments); 6] = [
        ("far", &|distance| vec![format!("i64={distance}")]),
        ("far_row", &|distance| vec![format!("i64={distance}")]),
        ("far_each", &|distance| vec![format!("in:i64[64]=fill({distance})")]),
        ("far_gather", &|distance| vec!["in:i32[64]=fill(-2147483648)".to_owned(), format!("i64={distance}")]),
        ("walk", &|distance| vec![format!("i64={}", distance / 8), "i32=8".to_owned()]),
        ("returned", &|distance| vec![format!("u64={}", distance.unsigned_abs())]),
    ];
    for (kernel, arguments) in rows {
        let launches: Vec<Launch> =
            distances.iter().map(|&distance| with_output(kernel, arguments(distance))).collect();
        let victim = Victim::new();
        in_all_forms(&launches, |form, _| victim.assert_kept(form));
    }
}

/// A launch whose first argument is an output of 64 numbers.
fn with_output(kernel: &str, arguments: Vec<String>) -> Launch {
    let arguments: Vec<&str> = std::iter::once("out:i32[64]").chain(arguments.iter().map(String::as_str)).collect();
    launch(kernel, 1, &arguments)
}

#[test]
fn variables_are_no_way_out() {
    let shifts = [0, 1, 31, 39, 40, 63, 64, 65, 1000, 4095, 4096, 1 << 20, i32::MAX - 70, i32::MAX];
    let shifts: Vec<i32> = shifts.into_iter().flat_map(|shift| [shift, -shift, !shift]).collect();
    for kernel in ["backwards", "forwards", "own", "looked_up"] {
        let value = (kernel != "looked_up").then(|| "i32=7".to_owned());
        let arguments = |shift: i32| std::iter::once(format!("i32={shift}")).chain(value.clone()).collect();
        let launches: Vec<Launch> = shifts.iter().map(|&shift| with_output(kernel, arguments(shift))).collect();
        let victim = Victim::new();
        in_all_forms(&launches, |form, result| {
            victim.assert_kept(form);
            assert!(matches!(result, Ok(_) | Err(RunError::CpuEnded(_))), "{form}: {result:?}");
        });
    }
}

#[test]
fn what_stays_inside_is_not_refused() {
    let expect = |kernel: &str, arguments: &[&str], expected: &dyn Fn(i32) -> i32| {
        in_all_forms(&[launch(kernel, 1, arguments)], |form, result| {
            let buffers = result.unwrap_or_else(|error| panic!("{form}: {error}"));
            let expected: Vec<u8> = (0..64).flat_map(|item| expected(item).to_le_bytes()).collect();
            assert_eq!(buffers[0], expected, "{form}");
        });
    };
    expect("far", &["out:i32[64]", "i64=3"], &|item| if item == 3 { 5 } else { 0 });
    expect("far_gather", &["out:i32[64]", "in:i32[64]=fill(-2147483648)", "i64=2147483650"], &|item| {
        if item == 2 { 5 } else { 0 }
    });
    expect("walk", &["out:i32[64]", "i64=7", "i32=8"], &|item| if item == 56 { 5 } else { 0 });
    expect("chosen", &["out:i32[64]", "u64=0", "i32=0"], &|item| if item == 0 { 5 } else { 0 });
    expect("returned", &["out:i32[64]", "u64=4"], &|item| if item == 0 { 5 } else { 0 });
}

/// A shader with a bound buffer, whose indexes of an array among the push constants come from the buffer.
#[test]
fn arguments_are_no_way_out() {
    let text = std::fs::read(root().join("crates/run/tests/safe/kernels/indexed.spvasm")).expect("the shader is there");
    let module = reconverge::read(&text, Format::ASSEMBLY).expect("the shader is valid");
    let run = |indexes: &[u32], is_checked: bool| {
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let contents = |bytes| Contents { bytes, addresses: Vec::new() };
        let binding = Binding {
            entry_point: "indexed".to_owned(),
            size: Size { groups: [1; 3], local: [64, 1, 1] },
            push_constants: contents(bytes(&[10, 11, 12, 13, 14])),
            buffers: vec![contents(bytes(indexes))],
            descriptors: vec![Descriptor { kind: DescriptorKind::Storage, set: 0, binding: 0, buffer: 0 }],
            program_data: None,
            specialization: Vec::new(),
            subgroup_size: None,
        };
        let options = CpuOptions { is_checked, ..CpuOptions::default() };
        let kernel = CpuKernel::compile_bound(&module, &binding, options).expect("the engine supports it");
        let measured = kernel.launch_bound(&binding, 1, || ()).map(|measured| measured.buffers);
        measured.map(|buffers| buffers[0].as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect())
    };
    let inside: Vec<u32> = (0..64).map(|item| item % 5).collect();
    let expected: Vec<u32> = inside.iter().map(|index| 10 + index).collect();
    assert_eq!(run(&inside, false), Ok(expected.clone()));
    assert_eq!(run(&inside, true), Ok(expected));
    for index in [5, 7, 8, 1000, 1 << 20, 1 << 29, 1 << 30, 1 << 31, u32::MAX] {
        // Unchecked, the index is confined: what is read is among the push constants, or zero after them.
        let found: Vec<u32> = run(&[index; 64], false).expect("a confined index ends nothing");
        assert!(found.iter().all(|word| [0, 10, 11, 12, 13, 14].contains(word)), "{index}: {found:?}");
        assert!(run(&[index; 64], true).is_err(), "{index}");
    }
}
