//! Flags that are written as compilers of C write them, in the form that the parser of the command line knows.
//!
//! ```text
//! -MD  -MF FILE  -MFFILE  -include FILE   ⇒   --dependencies  --dependency-file FILE  --dependency-file=FILE  --include FILE
//! ```
//!
//! Flags for a front end do not change, and after `--` there are no flags.

use std::ffi::OsString;

/// The spellings, the long flags, and whether a value may follow in the same word.
const SPELLINGS: [(&str, &str, bool); 6] = [
    ("-MD", "dependencies", false),
    ("-MP", "phony-targets", false),
    ("-MF", "dependency-file", true),
    ("-MT", "dependency-target", true),
    ("-MQ", "quoted-dependency-target", true),
    ("-include", "include", false),
];

/// The words, with long flags for those spellings. A spelling of a flag that the command does not have stays, so that the message about it
/// names what was written.
pub(crate) fn spelled_out(mut words: Vec<OsString>, has_flag: impl Fn(&str) -> bool) -> Vec<OsString> {
    let flags = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for index in 0..flags {
        let is_passed_on = index > 0 && words[index - 1] == "--front-end-arg";
        if let Some(word) = words[index].to_str().filter(|_| !is_passed_on)
            && let Some((long, value)) = long(word)
            && has_flag(long)
        {
            words[index] = format!("--{long}{value}").into();
        }
    }
    words
}

/// The long flag of a spelling, and what follows it in the word.
fn long(word: &str) -> Option<(&'static str, String)> {
    let (short, long, may_be_joined) = SPELLINGS.into_iter().find(|(short, ..)| word.starts_with(short))?;
    match &word[short.len()..] {
        "" => Some((long, String::new())),
        value => may_be_joined.then(|| (long, format!("={value}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_c_compilers_are_long_flags() {
        let spelled = |text: &str| {
            let words = spelled_out(text.split(' ').map(OsString::from).collect(), |flag| flag != "phony-targets");
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(spelled("-MD -MF a.d -include b.h"), "--dependencies --dependency-file a.d --include b.h");
        assert_eq!(spelled("-MFa.d -MTx -MP"), "--dependency-file=a.d --dependency-target=x -MP");
        assert_eq!(spelled("--front-end-arg -MD -MDx -M"), "--front-end-arg -MD -MDx -M");
        assert_eq!(spelled("-- -MD"), "-- -MD");
    }
}
