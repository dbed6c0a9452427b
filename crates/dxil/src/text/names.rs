//! Names and strings.

use std::fmt::Write;

/// Appends a name, in quotes if it is not only letters, digits and `-._`, or begins with a digit.
pub(super) fn write_name(name: &str, out: &mut String) {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    if !name.is_empty() && name.bytes().all(is_plain) && !name.starts_with(|first: char| first.is_ascii_digit()) {
        out.push_str(name);
        return;
    }
    out.push('"');
    escape(name, out);
    out.push('"');
}

/// Appends a string, with what is not printable as two hexadecimal digits.
pub(super) fn escape(text: &str, out: &mut String) {
    text.bytes().for_each(|byte| escape_byte(byte, out));
}

pub(super) fn escape_byte(byte: u8, out: &mut String) {
    match byte {
        b'"' | b'\\' | 0..0x20 | 0x7f.. => write!(out, "\\{byte:02X}").expect("invariant: a string takes any text"),
        _ => out.push(char::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> String {
        let mut out = String::new();
        write_name(name, &mut out);
        out
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        assert_eq!(name("dx.op.threadId.i32"), "dx.op.threadId.i32");
        assert_eq!(name("class.A<b>"), "\"class.A<b>\"");
        assert_eq!(name("1st"), "\"1st\"");
        assert_eq!(name("\u{1}?a@\"\\"), "\"\\01?a@\\22\\5C\"");
        assert_eq!(name(""), "\"\"");
    }
}
