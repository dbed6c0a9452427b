//! The name that was probably meant.

/// The most similar of the names, if one is similar: by edit distance (Wagner and Fischer 1974), without case, `_` and `-`.
///
/// Time is the product of the lengths; names are short.
pub(crate) fn similar<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let plain =
        |name: &str| name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let wanted: Vec<char> = plain(name);
    let measured = names.iter().map(|&other| {
        let known: Vec<char> = plain(other);
        let is_part = known.len() > 2 && wanted.starts_with(&known) || wanted.len() > 2 && known.starts_with(&wanted);
        (if is_part { 1 } else { distance(&wanted, &known) }, other)
    });
    measured.min_by_key(|&(distance, _)| distance).filter(|&(distance, _)| distance <= 2).map(|(_, name)| name)
}

fn distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
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
