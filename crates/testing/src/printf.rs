//! Random calls of `printf`, as a kernel in OpenCL C and as a program in C: both print the same.
//!
//! ```text
//! "%-8.3v4hlf|%+hd|%s"      ⇒      C: "%-8.3f,%-8.3f,%-8.3f,%-8.3f|%+hd|%s", each component an argument
//! ```
//!
//! By OpenCL C 3.0, section 6.15.14, each component of a vector is formatted by the whole directive, with commas between them, so C has a text
//! for vectors, too. Left out is what C leaves open: pointers, the sign of NaN, flags that a conversion does not have.

use crate::random::Random;

/// The counts of components of vectors.
const VECTORS: [usize; 5] = [2, 3, 4, 8, 16];

/// A call in both languages.
struct Call {
    open_cl: String,
    c: String,
}

/// A kernel of these calls, without arguments, and the program in C.
pub fn programs(name: &str, random: &mut Random, calls: usize) -> (String, String) {
    let calls: Vec<Call> = (0..calls).map(|_| call(random)).collect();
    let lines = |text: fn(&Call) -> &str| calls.iter().map(|call| format!("    {}\n", text(call))).collect::<String>();
    let kernel = format!("kernel void {name}(void)\n{{\n{}}}\n", lines(|call| &call.open_cl));
    let program =
        format!("int printf(const char *, ...);\nint main(void)\n{{\n{}    return 0;\n}}\n", lines(|call| &call.c));
    (kernel, program)
}

fn call(random: &mut Random) -> Call {
    let mut formats = [String::new(), String::new()];
    let mut arguments = [String::new(), String::new()];
    for number in 0..random.between(1, 4) {
        if number > 0 {
            let between = *random.choose(&["|", " %% ", "é, ", "\\t", ""]);
            formats.iter_mut().for_each(|format| format.push_str(between));
        }
        let directive = directive(random);
        formats[0].push_str(&directive.formats[0]);
        formats[1].push_str(&directive.formats[1]);
        for (all, added) in arguments.iter_mut().zip(directive.arguments) {
            all.push_str(&added);
        }
    }
    let [open_cl, c] = [0, 1].map(|language| format!("printf(\"{}\\n\"{});", formats[language], arguments[language]));
    Call { open_cl, c }
}

/// A directive with its arguments, in OpenCL C and in C.
struct Directive {
    formats: [String; 2],
    arguments: [String; 2],
}

fn directive(random: &mut Random) -> Directive {
    match random.below(10) {
        0 => string(random),
        1 => character(random),
        2..6 => integers(random),
        _ => floats(random),
    }
}

/// The flags among these, and a width.
fn style(random: &mut Random, flags: &[&str]) -> String {
    let mut text: String = flags.iter().filter(|_| random.chance(25)).copied().collect();
    if random.chance(50) {
        text.push_str(&random.between(1, 24).to_string());
    }
    text
}

fn precision(random: &mut Random, most: usize) -> String {
    match random.below(4) {
        0 => ".".to_owned(),
        1 => format!(".{}", random.between(0, most)),
        _ => String::new(),
    }
}

fn string(random: &mut Random) -> Directive {
    let format = format!("%{}{}s", style(random, &["-"]), precision(random, 9));
    let argument = format!(", \"{}\"", random.choose(&["", "x", "text", "a longer text", "100%"]));
    Directive { formats: [format.clone(), format], arguments: [argument.clone(), argument] }
}

fn character(random: &mut Random) -> Directive {
    let format = format!("%{}c", style(random, &["-"]));
    let argument = format!(", '{}'", random.choose(&["a", "%", "~", " "]));
    Directive { formats: [format.clone(), format], arguments: [argument.clone(), argument] }
}

fn integers(random: &mut Random) -> Directive {
    let conversion = *random.choose(&["d", "i", "u", "o", "x", "X"]);
    let flags: &[&str] = match conversion {
        "d" | "i" => &["-", "+", " ", "0"],
        "u" => &["-", "0"],
        _ => &["-", "#", "0"],
    };
    let head = format!("{}{}", style(random, flags), precision(random, 20));
    let is_signed = matches!(conversion, "d" | "i");
    let count = if random.chance(40) { *random.choose(&VECTORS) } else { 1 };
    let (length, of_c, bits, name) = *match count {
        1 => random.choose(&[
            ("", "", 32, "int"),
            ("h", "h", 32, "int"),
            ("hh", "hh", 32, "int"),
            ("l", "l", 64, "long"),
        ]),
        _ => random.choose(&[
            ("hh", "hh", 8, "char"),
            ("h", "h", 16, "short"),
            ("hl", "", 32, "int"),
            ("l", "l", 64, "long"),
        ]),
    };
    let numbers: Vec<String> = (0..count).map(|_| integer(random, bits, conversion)).collect();
    let name = if is_signed { name.to_owned() } else { format!("u{name}") };
    let scalar = if is_signed { "long" } else { "unsigned long" };
    let cast = if bits == 64 {
        scalar
    } else if is_signed {
        "int"
    } else {
        "unsigned"
    };
    let each: Vec<String> = numbers.iter().map(|number| format!("({cast}){number}")).collect();
    let open_cl = match count {
        1 => format!(", ({name}){}", numbers[0]),
        _ => format!(", ({name}{count})({})", numbers.join(", ")),
    };
    vectors((head, length, of_c, conversion), count, open_cl, &each)
}

/// The formats of a vector or a scalar: C has one directive for each component.
fn vectors(
    (head, length, of_c, conversion): (String, &str, &str, &str),
    count: usize,
    open_cl: String,
    each: &[String],
) -> Directive {
    let vector = if count > 1 { format!("v{count}") } else { String::new() };
    let one = format!("%{head}{of_c}{conversion}");
    let formats = [format!("%{head}{vector}{length}{conversion}"), vec![one; count].join(",")];
    Directive { formats, arguments: [open_cl, format!(", {}", each.join(", "))] }
}

/// A number of a width for a conversion.
fn integer(random: &mut Random, bits: u32, conversion: &str) -> String {
    let word = match random.below(4) {
        0 => 0,
        1 => u64::MAX,
        2 => random.word() >> random.between(0, 63),
        _ => random.word(),
    };
    let unused = 64 - bits;
    match conversion {
        // The least number has no literal.
        "d" | "i" => format!("({}L)", ((word << unused) as i64 >> unused).max(i64::MIN + 1)),
        _ => format!("{}UL", word << unused >> unused),
    }
}

fn floats(random: &mut Random) -> Directive {
    let conversion = *random.choose(&["f", "F", "e", "E", "g", "G", "a", "A"]);
    let head = format!("{}{}", style(random, &["-", "+", " ", "#", "0"]), precision(random, 20));
    let count = if random.chance(40) { *random.choose(&VECTORS) } else { 1 };
    let width = if random.chance(50) { 64 } else { 32 };
    let numbers: Vec<[String; 2]> = (0..count).map(|_| float(random, width)).collect();
    let each: Vec<String> = numbers.iter().map(|[_, c]| c.clone()).collect();
    let parts: Vec<&str> = numbers.iter().map(|[open_cl, _]| open_cl.as_str()).collect();
    let (length, name) = if width == 64 { ("l", "double") } else { ("hl", "float") };
    match count {
        // A float alone becomes a double, as in C.
        1 => vectors((head, "", "", conversion), 1, format!(", {}", parts[0]), &each),
        _ => vectors((head, length, "", conversion), count, format!(", ({name}{count})({})", parts.join(", ")), &each),
    }
}

/// A number of a width in both languages, by its bits.
fn float(random: &mut Random, width: u32) -> [String; 2] {
    let is_double = width == 64;
    let value = match random.below(8) {
        0 => 0.0,
        1 => -0.0,
        2 => f64::INFINITY,
        3 => f64::from(f32::from_bits(random.word() as u32)),
        4 if is_double => f64::from_bits(random.word()),
        5 => random.below(100_000) as f64 / 8.0,
        6 => random.below(1000) as f64 * 1e-7,
        _ => -(random.below(1_000_000) as f64) / 1000.0,
    };
    let value = if value.is_nan() { 1.5 } else { value };
    let value = if is_double { value } else { f64::from(value as f32) };
    let bits = value.to_bits();
    let open_cl = match is_double {
        true => format!("as_double({bits:#x}UL)"),
        false => format!("as_float({:#x}u)", (value as f32).to_bits()),
    };
    let c = match (value.is_infinite(), value.is_sign_negative()) {
        (true, false) => "__builtin_inf()".to_owned(),
        (true, true) => "-__builtin_inf()".to_owned(),
        _ => hexadecimal(value),
    };
    [open_cl, c]
}

/// A literal of C with all bits of a number.
fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let sign = if value.is_sign_negative() { "-" } else { "" };
    format!("{sign}0x{lead}.{fraction:013x}p{exponent}")
}
