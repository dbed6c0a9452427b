//! Lists of files as rules of `make`: those that front ends write are read, and one for the output of the command is written.
//!
//! ```text
//! module: a.cl lib\ one.h \          ⇒  a.cl, "lib one.h", b.h
//!   b.h
//! ```
//!
//! A blank in a name is `\ `, `#` is `\#`, `$` is `$$`. Both directions are linear.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A rule that is written.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    /// The targets, as they are in the file.
    pub targets: Vec<OsString>,
    /// The files that the targets are made of.
    pub prerequisites: Vec<PathBuf>,
    /// True if each prerequisite but the first is a target without a rule, so that `make` continues when it no longer exists.
    pub has_phony_targets: bool,
}

impl Rule {
    /// A file name as a target or a prerequisite.
    pub fn quoted(path: &Path) -> OsString {
        let mut text = Vec::new();
        for &byte in path.as_os_str().as_encoded_bytes() {
            match byte {
                b' ' | b'#' => text.extend([b'\\', byte]),
                b'$' => text.extend(b"$$"),
                _ => text.push(byte),
            }
        }
        os_string(text)
    }
}

/// The text of a rule.
///
/// ```
/// use reconverge_front_ends::{Rule, write_rule};
///
/// let rule = Rule { targets: vec!["a.spv".into()], prerequisites: vec!["a b.cl".into(), "c.h".into()], has_phony_targets: true };
/// assert_eq!(write_rule(&rule), b"a.spv: \\\n  a\\ b.cl \\\n  c.h\n\nc.h:\n");
/// ```
pub fn write_rule(rule: &Rule) -> Vec<u8> {
    let mut text = rule.targets.join(OsStr::new(" ")).into_encoded_bytes();
    text.push(b':');
    for path in &rule.prerequisites {
        text.extend(b" \\\n  ");
        text.extend(Rule::quoted(path).into_encoded_bytes());
    }
    text.push(b'\n');
    for path in rule.prerequisites.iter().skip(1).filter(|_| rule.has_phony_targets) {
        text.push(b'\n');
        text.extend(Rule::quoted(path).into_encoded_bytes());
        text.extend(b":\n");
    }
    text
}

/// The prerequisites of the first rule of a text.
pub(crate) fn prerequisites(text: &[u8]) -> Vec<PathBuf> {
    let mut names = Vec::new();
    let mut name = Vec::new();
    let mut is_after_colon = false;
    let mut rest = text;
    loop {
        let (taken, ends_name) = match rest {
            [b'\\', b'\r', b'\n', ..] => (3, true),
            [b'\\', b'\n', ..] => (2, true),
            [b'\\', byte @ (b' ' | b'#'), ..] | [b'$', byte @ b'$', ..] => {
                name.push(*byte);
                (2, false)
            }
            // The colon after the targets; that of a drive is followed by its path.
            [b':', b' ' | b'\t' | b'\r' | b'\n', ..] | [b':', b'\\', b'\r' | b'\n', ..] if !is_after_colon => {
                is_after_colon = true;
                name.clear();
                (1, false)
            }
            [b' ' | b'\t' | b'\r', ..] => (1, true),
            [b'\n', ..] | [] => (0, true),
            [byte, ..] => {
                name.push(*byte);
                (1, false)
            }
        };
        if ends_name && !name.is_empty() {
            let ended = std::mem::take(&mut name);
            names.extend(is_after_colon.then(|| PathBuf::from(os_string(ended))));
        }
        if taken == 0 {
            return names;
        }
        rest = &rest[taken..];
    }
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        prerequisites(text.as_bytes()).into_iter().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn prerequisites_are_read_as_front_ends_write_them() {
        assert_eq!(names("module: a.cl \\\n  lib\\ one.h b\\#c.h $$d.h\n"), ["a.cl", "lib one.h", "b#c.h", "$d.h"]);
        assert_eq!(names("C:\\out.spv: C:\\a.hlsl C:\\b.h\r\nother: c\n"), ["C:\\a.hlsl", "C:\\b.h"]);
        assert_eq!(names("module:\\\n a.cl"), ["a.cl"]);
        assert_eq!(names("no rule"), [""; 0]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let paths = ["a b.cl", "#", "$HOME/x", "sub/é.h"].map(PathBuf::from).to_vec();
        let rule = Rule { targets: vec!["t".into()], prerequisites: paths.clone(), has_phony_targets: true };
        assert_eq!(prerequisites(&write_rule(&rule)), paths);
    }
}
