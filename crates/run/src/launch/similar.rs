//! Suggestions for misspelt names.

use strsim::levenshtein;

/// The most similar of the names, if one is similar: by edit distance, ignoring case, `_` and `-`.
pub(crate) fn similar<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let plain =
        |name: &str| name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let wanted: String = plain(name);
    let measured = names.iter().map(|&other| {
        let known: String = plain(other);
        let is_part = known.len() > 2 && wanted.starts_with(known.as_str())
            || wanted.len() > 2 && known.starts_with(wanted.as_str());
        (if is_part { 1 } else { levenshtein(&wanted, &known) }, other)
    });
    measured.min_by_key(|&(distance, _)| distance).filter(|&(distance, _)| distance <= 2).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_if_it_is_near() {
        let names = ["global", "local", "args", "kernel"];
        assert_eq!(similar("globl", &names), Some("global"));
        assert_eq!(similar("global_size", &names), Some("global"));
        assert_eq!(similar("arguments", &names), None);
        assert_eq!(similar("Args", &names), Some("args"));
        assert_eq!(similar("colour", &names), None);
    }
}
