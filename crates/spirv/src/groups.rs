//! Expansion of decoration groups.
//!
//! ```text
//! OpDecorate %g NonWritable                          OpDecorate %a NonWritable
//! %g = OpDecorationGroup                    ⇒        OpMemberDecorate %b 1 NonWritable
//! OpGroupDecorate %g %a
//! OpGroupMemberDecorate %g %b 1
//! ```
//!
//! A group is a shorthand (SPIR-V section 3.3.2, deprecated since 1.2). After expansion, decorations are at their targets and are removed
//! with them. A group's name is removed with the group. Linear in the output, which has a limit.

use reconverge_diagnostic::{Diagnostic, Place};
use rustc_hash::FxHashMap;

use crate::binary::{self, HEADER_WORDS, Instruction};
use crate::error::{ReadCode, at_word};
use crate::opcode;

/// The maximum number of words written: 2²⁶. A group with many decorations and many targets expands to their product.
const LIMIT: usize = 1 << 26;

/// The words of a file without decoration groups.
pub(crate) struct Ungrouped {
    pub(crate) words: Vec<u32>,
    /// The start of each run of words here and in the file. Empty if nothing was moved.
    runs: Vec<(usize, usize)>,
}

impl Ungrouped {
    /// Expands the groups.
    pub(crate) fn of(words: Vec<u32>) -> Result<Ungrouped, Diagnostic> {
        let mut groups: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for instruction in binary::all_instructions(&words) {
            let instruction = instruction?;
            if let (opcode::DECORATION_GROUP, &[_, group, ..]) = (instruction.opcode, instruction.words) {
                groups.insert(group, Vec::new());
            }
        }
        for instruction in binary::all_instructions(&words).map_while(Result::ok) {
            let is_use = matches!(instruction.opcode, opcode::GROUP_DECORATE | opcode::GROUP_MEMBER_DECORATE);
            if is_use && instruction.words.get(1).is_none_or(|group| !groups.contains_key(group)) {
                let message = "expected a decoration group, found something else".to_owned();
                return Err(at_word(ReadCode::Layout, instruction.offset, message));
            }
        }
        if groups.is_empty() {
            return Ok(Ungrouped { words, runs: Vec::new() });
        }
        for instruction in binary::all_instructions(&words).map_while(Result::ok) {
            if member_opcode(instruction.opcode).is_some()
                && let Some(notes) = instruction.words.get(1).and_then(|target| groups.get_mut(target))
            {
                notes.push(instruction.offset);
            }
        }
        let ungrouped = Ungrouped { words: words[..HEADER_WORDS].to_vec(), runs: Vec::new() };
        let mut writer = Ungrouper { file: &words, groups, ungrouped };
        for instruction in binary::all_instructions(&words).map_while(Result::ok) {
            writer.instruction(&instruction)?;
        }
        Ok(writer.ungrouped)
    }

    /// The same error, at the word of the file.
    pub(crate) fn in_file(&self, error: Diagnostic) -> Diagnostic {
        let Place::Word(word) = error.place else { return error };
        let run = self.runs.partition_point(|&(here, _)| here <= word).checked_sub(1);
        let word = run.map_or(word, |run| word - self.runs[run].0 + self.runs[run].1);
        error.at(Place::Word(word))
    }
}

struct Ungrouper<'a> {
    file: &'a [u32],
    /// The positions of the decorations of each group.
    groups: FxHashMap<u32, Vec<usize>>,
    ungrouped: Ungrouped,
}

impl Ungrouper<'_> {
    fn instruction(&mut self, instruction: &Instruction<'_>) -> Result<(), Diagnostic> {
        let target = instruction.words.get(1).copied().unwrap_or_default();
        match instruction.opcode {
            opcode::DECORATION_GROUP => Ok(()),
            opcode::GROUP_DECORATE => {
                instruction.words.iter().skip(2).try_for_each(|&decorated| self.decorate(instruction, &[decorated]))
            }
            opcode::GROUP_MEMBER_DECORATE => {
                let pairs = instruction.words.get(2..).unwrap_or_default().chunks_exact(2);
                if !pairs.remainder().is_empty() {
                    let message = "expected pairs of a type and a member in OpGroupMemberDecorate";
                    return Err(at_word(ReadCode::OperandMissing, instruction.end(), message));
                }
                pairs.into_iter().try_for_each(|pair| self.decorate(instruction, pair))
            }
            opcode::NAME if self.groups.contains_key(&target) => Ok(()),
            code if member_opcode(code).is_some() && self.groups.contains_key(&target) => Ok(()),
            _ => {
                self.begin(instruction.offset);
                self.ungrouped.words.extend_from_slice(instruction.words);
                Ok(())
            }
        }
    }

    /// Writes the decorations of a group for a target: an id, or an id and the index of a member.
    fn decorate(&mut self, instruction: &Instruction<'_>, target: &[u32]) -> Result<(), Diagnostic> {
        let group = instruction.words[1];
        let Some(notes) = self.groups.get(&group).cloned() else {
            let message = format!("expected a decoration group, found {group}");
            return Err(at_word(ReadCode::IdUndefined, instruction.offset + 1, message));
        };
        if self.groups.contains_key(&target[0]) {
            let message = format!("expected something to decorate, found the decoration group {}", target[0]);
            return Err(at_word(ReadCode::Unsupported, instruction.offset, message));
        }
        for offset in notes {
            let note = binary::instruction_at(self.file, offset);
            let is_member = target.len() > 1;
            if !is_member && note.words.get(2).is_some_and(|&decoration| is_for_members(decoration)) {
                continue;
            }
            let code = if is_member { member_opcode(note.opcode).flatten() } else { Some(note.opcode) };
            let Some(code) = code else {
                let message = "expected decorations that members can have in the group";
                return Err(at_word(ReadCode::Unsupported, instruction.offset, message));
            };
            self.begin(offset);
            let count = (note.words.len() + target.len() - 1) as u32;
            self.ungrouped.words.push(count << 16 | u32::from(code));
            self.ungrouped.words.extend_from_slice(target);
            self.ungrouped.words.extend_from_slice(&note.words[2..]);
            if count as usize > binary::MAX_INSTRUCTION_WORDS || self.ungrouped.words.len() > LIMIT {
                let message = format!("expected at most {LIMIT} words when decoration groups are written out");
                return Err(at_word(ReadCode::Limit, instruction.offset, message));
            }
        }
        Ok(())
    }

    /// Records the position in the file of the next written words.
    fn begin(&mut self, offset: usize) {
        let here = self.ungrouped.words.len();
        let is_moved = |&(start, from): &(usize, usize)| here - start + from != offset;
        if self.ungrouped.runs.last().is_none_or(is_moved) {
            self.ungrouped.runs.push((here, offset));
        }
    }
}

/// Returns whether a decoration applies to members only. A group may contain decorations of members and others.
fn is_for_members(decoration: u32) -> bool {
    use spirv::Decoration;
    [Decoration::RowMajor, Decoration::ColMajor, Decoration::MatrixStride].iter().any(|&only| only as u32 == decoration)
}

/// For an opcode of a decoration: the opcode of the same decoration of a member, if there is one.
fn member_opcode(code: u16) -> Option<Option<u16>> {
    match code {
        opcode::DECORATE => Some(Some(opcode::MEMBER_DECORATE)),
        opcode::DECORATE_STRING => Some(Some(opcode::MEMBER_DECORATE_STRING)),
        opcode::DECORATE_ID => Some(None),
        _ => None,
    }
}
