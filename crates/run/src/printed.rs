//! What `printf` of a compiled kernel left in its buffer, as text.

use reconverge_interpret::printf::{Argument, FormatError, format};
use reconverge_interpret::{self as interpret, LaneId};
use reconverge_opencl::{Printf, PrintfArgument, PrintfCall, PrintfKind, Reflection};

use crate::Binding;

/// What the work-items of a launch print.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PrintedOutput {
    /// The text of each call. The calls of a work-item are in their order.
    pub calls: Vec<Printed>,
    /// The calls whose text did not fit, and is lost.
    pub lost: u32,
}

/// The text of a call of `printf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The work-item; `None` if the engine does not know it, as for compiled kernels.
    pub lane: Option<LaneId>,
    /// The characters.
    pub bytes: Vec<u8>,
}

impl PrintedOutput {
    /// What the lanes of the interpreter print.
    pub(crate) fn of_lanes(calls: Vec<interpret::Printed>, lost: u32) -> PrintedOutput {
        let calls = calls.into_iter().map(|interpret::Printed { lane, bytes }| Printed { lane: Some(lane), bytes });
        PrintedOutput { calls: calls.collect(), lost }
    }

    /// What a launch left in its buffers.
    pub(crate) fn of_buffers(reflection: &Reflection, binding: &Binding, buffers: &[Vec<u8>]) -> PrintedOutput {
        let data = binding.program_data.and_then(|buffer| buffers.get(buffer));
        data.map_or_else(PrintedOutput::default, |data| PrintedOutput::of_program_data(reflection, data))
    }

    /// What the kernels of a module left in their program data, since the host cleared the head of the buffer of `printf` ([`Printf`]). Linear in
    /// the records and the text.
    pub fn of_program_data(reflection: &Reflection, data: &[u8]) -> PrintedOutput {
        let printf = reflection.program_data.as_ref().and_then(|data| data.printf.as_ref());
        printf.map_or_else(PrintedOutput::default, |printf| PrintedOutput::of_records(printf, data))
    }

    /// The same, with what the reflection says of the buffer.
    pub(crate) fn of_records(printf: &Printf, data: &[u8]) -> PrintedOutput {
        let words = data.get(printf.offset as usize..).unwrap_or_default();
        let (words, _) = words.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
        let &[used, lost, ref records @ ..] = &words[..] else { return PrintedOutput::default() };
        let mut rest = &records[..records.len().min(used.min(printf.capacity) as usize)];
        let mut calls = Vec::new();
        while let Some(call) = rest.first().and_then(|&number| printf.calls.get((number as usize).wrapping_sub(1)))
            && let Some((record, after)) = rest.split_at_checked(call.words() as usize)
        {
            rest = after;
            calls.push(Printed { lane: None, bytes: text(printf, call, &record[1..]) });
        }
        PrintedOutput { calls, lost }
    }
}

/// The text of a call. The compiler compares the arguments with the format, so it has one; otherwise the text says what is wrong.
fn text(printf: &Printf, call: &PrintfCall, words: &[u32]) -> Vec<u8> {
    let mut words = words.iter().copied();
    let mut arguments = call.arguments.iter();
    let text = format(&call.format, |_| Ok(arguments.next().map(|argument| read(printf, *argument, &mut words))));
    text.unwrap_or_else(|error: FormatError| error.to_string().into_bytes())
}

fn read(printf: &Printf, argument: PrintfArgument, words: &mut impl Iterator<Item = u32>) -> Argument {
    let mut component = || {
        let low = u64::from(words.next().unwrap_or(0));
        let high = if argument.width > 32 { u64::from(words.next().unwrap_or(0)) << 32 } else { 0 };
        let bits = low | high;
        match argument.kind {
            PrintfKind::Integer => Argument::Int { width: argument.width as u8, bits },
            PrintfKind::Float if argument.width > 32 => Argument::Float(f64::from_bits(bits)),
            PrintfKind::Float => Argument::Float(f64::from(f32::from_bits(low as u32))),
            PrintfKind::Pointer => Argument::Address(bits),
            PrintfKind::String => Argument::Text(printf.strings.get(bits as usize).cloned().unwrap_or_default()),
        }
    };
    match argument.components {
        1 => component(),
        count => Argument::Vector((0..count).map(|_| component()).collect()),
    }
}
