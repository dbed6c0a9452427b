//! `-O` without a level means `-O1`, as with other compilers.
//!
//! An optional value would consume the next word: `-O in.spv`. So the level is inserted before the arguments are parsed.

use std::ffi::OsString;

/// The meaning of `-O2` and others is decided later; here only whether the next word is a level.
const LEVELS: [&str; 5] = ["0", "1", "2", "3", "s"];

/// The flag whose value goes to the front end as it is.
const PASSED_ON: &str = "--front-end-arg";

/// The words, with `-O1` for each `-O` that no level follows. After `--` there are no flags, and what follows [`PASSED_ON`] is none of ours.
pub(crate) fn completed(mut words: Vec<OsString>) -> Vec<OsString> {
    let flags = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for index in 0..flags {
        let is_level_next = words.get(index + 1).is_some_and(|next| LEVELS.iter().any(|level| next == level));
        let is_passed_on = index > 0 && words[index - 1] == PASSED_ON;
        if words[index] == "-O" && !is_level_next && !is_passed_on {
            words[index] = "-O1".into();
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_is_left_out_is_the_first() {
        let completed = |text: &str| {
            let words = completed(text.split(' ').map(OsString::from).collect());
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(completed("r compile -O in.spv -o out.spv"), "r compile -O1 in.spv -o out.spv");
        assert_eq!(completed("r compile in.spv -O"), "r compile in.spv -O1");
        assert_eq!(completed("r compile -O 0 in.spv"), "r compile -O 0 in.spv");
        assert_eq!(completed("r compile -O2 in.spv"), "r compile -O2 in.spv");
        assert_eq!(completed("r compile -- -O"), "r compile -- -O");
        assert_eq!(completed("r compile --front-end-arg -O a.comp"), "r compile --front-end-arg -O a.comp");
    }
}
