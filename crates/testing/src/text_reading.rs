//! What makes a text of a shader long to read: its lines, its depth, names that are numbers, loops that say nothing of when they end, casts.

use std::collections::BTreeSet;

/// A property of a text. The smaller, the better the text reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Property {
    /// Lines that are not blank.
    Lines,
    /// The most braces around anything.
    Depth,
    /// Different names that end with `_` and digits, as `_45`, `_e45` and `value_3`.
    NumberedNames,
    /// Loops whose head has no condition.
    EndlessLoops,
    /// Loops and switches that are there to be left: `do { … } while (false)`, `switch (0u)`.
    OneTripLoops,
    /// Conversions of scalars, and casts of bits.
    Casts,
}

impl Property {
    /// All properties.
    pub const ALL: [Property; 6] = [
        Property::Lines,
        Property::Depth,
        Property::NumberedNames,
        Property::EndlessLoops,
        Property::OneTripLoops,
        Property::Casts,
    ];

    /// The name in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Property::Lines => "lines",
            Property::Depth => "depth",
            Property::NumberedNames => "numbered names",
            Property::EndlessLoops => "endless loops",
            Property::OneTripLoops => "one-trip loops",
            Property::Casts => "casts",
        }
    }

    /// The measure of a text in GLSL, HLSL, MSL or WGSL. O(length of the text).
    pub fn of(self, text: &str) -> usize {
        match self {
            Property::Lines => text.lines().filter(|line| !line.trim().is_empty()).count(),
            Property::Depth => depth(text),
            Property::NumberedNames => words(text).filter(|word| is_numbered(word)).collect::<BTreeSet<_>>().len(),
            Property::EndlessLoops => {
                let dense = without_spaces(text);
                let endless = ["while(true)", "for(;;)"].map(|head| dense.matches(head).count()).iter().sum::<usize>();
                endless
                    + words(text).zip(after_words(text)).filter(|&(word, next)| word == "loop" && next == '{').count()
            }
            Property::OneTripLoops => {
                let dense = without_spaces(text);
                ["while(false)", "switch(0", "switch0"].map(|head| dense.matches(head).count()).iter().sum()
            }
            Property::Casts => words(text).zip(after_words(text)).filter(|&(word, next)| is_cast(word, next)).count(),
        }
    }
}

fn depth(text: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for letter in text.chars() {
        match letter {
            '{' => open += 1,
            '}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

const fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The words and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter| !is_of_word(letter)).filter(|word| !word.is_empty())
}

/// The letter behind each word, besides spaces.
fn after_words(text: &str) -> impl Iterator<Item = char> {
    words(text).map(move |word| {
        let end = word.as_ptr() as usize - text.as_ptr() as usize + word.len();
        text[end..].chars().find(|letter| !letter.is_whitespace()).unwrap_or_default()
    })
}

fn is_numbered(word: &str) -> bool {
    let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
    name.len() < word.len() && (name.ends_with('_') || name == "_e")
}

fn is_cast(word: &str, next: char) -> bool {
    const SCALARS: [&str; 16] = [
        "bool", "int", "uint", "float", "half", "double", "short", "ushort", "long", "ulong", "i32", "u32", "f32",
        "f16", "int64_t", "uint64_t",
    ];
    const BITS: [&str; 9] = [
        "floatBitsToInt",
        "floatBitsToUint",
        "intBitsToFloat",
        "uintBitsToFloat",
        "asfloat",
        "asint",
        "asuint",
        "as_type",
        "bitcast",
    ];
    (SCALARS.contains(&word) && next == '(') || (BITS.contains(&word) && matches!(next, '(' | '<'))
}

#[cfg(test)]
mod tests {
    use super::Property;

    #[test]
    fn each_property_is_counted() {
        let text = "float f(float x_1) {\n    for (;;) {\n        do { x_1 = float(1u) + _45; } while(false);\n    }\n\n    loop {\n    }\n}\n";
        let measured = Property::ALL.map(|property| property.of(text));
        assert_eq!(measured, [7, 3, 2, 2, 1, 1]);
    }

    #[test]
    fn types_are_no_numbered_names() {
        assert_eq!(Property::NumberedNames.of("vec3 v = mat4x4(1.0)[2].xyz; uint m0 = v2; uv_2 = _e45;"), 2);
    }
}
