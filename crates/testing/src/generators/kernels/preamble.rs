//! Functions that divide without undefined behaviour: by one if the quotient is undefined.

use std::fmt::Write;

use super::tree::Scalar;

/// The code before the kernels of a file.
pub fn preamble() -> String {
    let mut text = String::new();
    for scalar in Scalar::ALL {
        let (name, least) = (scalar.name(), 1_u128 << (scalar.bits() - 1));
        for (function, operator) in [("quotient", '/'), ("remainder", '%')] {
            let overflows = match scalar.unsigned() == scalar {
                true => String::new(),
                false => format!(" || (b == ({name})-1 && a == ({name}){least:#x}ul)"),
            };
            let divided = format!("({name})(a {operator} (b == 0{overflows} ? ({name})1 : b))");
            let _ = writeln!(text, "static {name} {function}_{name}({name} a, {name} b) {{ return {divided}; }}");
        }
    }
    text
}
