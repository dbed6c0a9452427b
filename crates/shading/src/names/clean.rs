//! Identifiers that every language has: letters, digits and single underscores, with a letter first and no underscore last.

/// A name that is as close to the one that is asked for as identifiers allow; `None` if no letter remains.
///
/// What follows a parenthesis is the signature of a function, which front ends keep in its name. Letters with marks become the letters
/// without them, Greek letters their names, and other characters underscores.
pub(super) fn clean(wish: &str) -> Option<String> {
    let wish = wish.split('(').next().unwrap_or_default();
    let mut name = String::new();
    for character in wish.strip_prefix("gl_").unwrap_or(wish).chars() {
        match character {
            _ if character.is_ascii_alphanumeric() => name.push(character),
            _ if character.is_ascii() => underscore(&mut name),
            _ => match transliterated(character) {
                Some(letters) => name.push_str(letters),
                None => underscore(&mut name),
            },
        }
    }
    let name = name.trim_matches('_');
    let name = name.trim_start_matches(|character: char| character.is_ascii_digit() || character == '_');
    (!name.is_empty()).then(|| name.to_owned())
}

fn underscore(name: &mut String) {
    if !name.ends_with('_') {
        name.push('_');
    }
}

/// A name without the number that kept it apart from others: `sum` for `sum_2`.
pub(super) fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((base, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

/// Letters of ASCII for a letter of the Latin or Greek alphabet.
fn transliterated(character: char) -> Option<&'static str> {
    Some(match character {
        'À'..='Å' => "A",
        'Æ' => "Ae",
        'Ç' => "C",
        'È'..='Ë' => "E",
        'Ì'..='Ï' => "I",
        'Ñ' => "N",
        'Ò'..='Ö' | 'Ø' => "O",
        'Ù'..='Ü' => "U",
        'ß' => "ss",
        'à'..='å' => "a",
        'æ' => "ae",
        'ç' => "c",
        'è'..='ë' => "e",
        'ì'..='ï' => "i",
        'ñ' => "n",
        'ò'..='ö' | 'ø' => "o",
        'ù'..='ü' => "u",
        'ý' | 'ÿ' => "y",
        'α' => "alpha",
        'β' => "beta",
        'γ' => "gamma",
        'δ' | 'Δ' => "delta",
        'ε' => "epsilon",
        'θ' => "theta",
        'λ' => "lambda",
        'μ' | 'µ' => "mu",
        'π' => "pi",
        'ρ' => "rho",
        'σ' | 'Σ' => "sigma",
        'τ' => "tau",
        'φ' | 'Φ' => "phi",
        'ω' | 'Ω' => "omega",
        _ => return None,
    })
}
