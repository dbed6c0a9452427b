//! Adds counting calls to textual LLVM IR.
//!
//! ```text
//! 4:                                      4:
//!   %5 = phi i32 [ 0, %1 ], [ %7, %4 ]      %5 = phi i32 [ 0, %1 ], [ %7, %4 ]
//!   %6 = mul i32 %5, 3                ⇒     call void @count(i64 2)
//!   %7 = add i32 %6, %0                     %6 = mul i32 %5, 3
//!   br label %4                             …
//! ```
//!
//! A block counts its instructions except phis, the terminator, instructions without code (assumptions, lifetimes, debug records),
//! instructions that would not exist with 32-bit addresses (extensions and truncations of indices), and addresses at a constant offset from
//! another, which are part of the access.

use std::fmt::Write as _;

/// The text with a call in each block of each function; the counting function is declared.
pub fn instrument(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        _ = writeln!(out, "{line}");
        if !line.starts_with("define ") {
            continue;
        }
        while lines.peek().is_some_and(|line| *line != "}") {
            let mut block = Vec::new();
            while let Some(line) = lines.next_if(|line| *line != "}" && (block.is_empty() || !is_label(line))) {
                block.push(line);
            }
            write_block(&mut out, &block);
        }
    }
    out + "\ndeclare void @count(i64)\n"
}

fn is_label(line: &str) -> bool {
    !line.starts_with([' ', ';']) && line.split(';').next().is_some_and(|line| line.trim_end().ends_with(':'))
}

fn write_block(out: &mut String, block: &[&str]) {
    let is_ahead = |line: &&str| !is_instruction(line) || line.contains(" = phi ");
    let start = block.iter().take_while(|line| is_ahead(line)).count();
    let (ahead, rest) = block.split_at(start);
    ahead.iter().for_each(|line| _ = writeln!(out, "{line}"));
    let count = rest.iter().filter(|line| is_instruction(line) && !is_free(line)).count();
    if count > 0 {
        // One of them is the terminator.
        _ = writeln!(out, "  call void @count(i64 {})", count - 1);
    }
    rest.iter().for_each(|line| _ = writeln!(out, "{line}"));
}

/// Cases of a switch are on separate lines with a larger indent.
fn is_instruction(line: &str) -> bool {
    line.starts_with("  ") && !line.starts_with("   ") && line.trim() != "]"
}

fn is_free(line: &str) -> bool {
    let casts = [" = zext ", " = sext ", " = trunc "].iter().any(|cast| line.contains(cast));
    let no_code = ["@llvm.assume", "@llvm.lifetime", "#dbg_", "@llvm.experimental.noalias"];
    is_fixed_address(line)
        || casts && line.contains(" i32") && line.contains(" i64")
        || no_code.iter().any(|word| line.contains(word))
}

/// Returns whether a line adds a constant offset to a pointer.
fn is_fixed_address(line: &str) -> bool {
    let indices =
        line.split_once(" = getelementptr ").and_then(|(_, added)| added.split_once("ptr ")?.1.split_once(','));
    indices.is_some_and(|(_, indices)| !indices.contains('%'))
}

#[cfg(test)]
mod tests {
    use super::{instrument, is_fixed_address};

    #[test]
    fn an_address_is_fixed_by_its_indices() {
        let rows = [
            ("  %7 = getelementptr inbounds nuw i8, ptr %1, i64 4", true),
            ("  %7 = getelementptr inbounds i8, ptr @cell, i64 4, !dbg !3", true),
            ("  %7 = getelementptr inbounds i32, ptr %1, i64 %6", false),
            ("  %7 = getelementptr [4 x i32], ptr @cell, i64 0, i64 %6", false),
            ("  %7 = add i32 %6, 4", false),
        ];
        for (line, expected) in rows {
            assert_eq!(is_fixed_address(line), expected, "{line}");
        }
    }

    #[test]
    fn blocks_count_what_is_code() {
        let text = "define i32 @f(i32 %0) {\n  switch i32 %0, label %4 [\n    i32 0, label %2\n  ]\n\n2:        ; preds = %1\n  \
                    %3 = add i32 %0, 1\n  br label %4\n\n4:\n  %5 = phi i32 [ 0, %1 ], [ %3, %2 ]\n  %6 = mul i32 %5, 3\n  \
                    ret i32 %6\n}\n";
        let counted = instrument(text);
        let calls: Vec<&str> =
            counted.lines().filter(|line| line.contains("call void @count")).map(str::trim).collect();
        assert_eq!(calls, ["call void @count(i64 0)", "call void @count(i64 1)", "call void @count(i64 1)"]);
        assert!(counted.find("phi").unwrap() < counted.rfind("@count(i64 1)").unwrap());
        assert!(counted.ends_with("}\n\ndeclare void @count(i64)\n"), "{counted}");
    }
}
