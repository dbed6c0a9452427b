//! The names nearest to a word that is none of them: what the user may have meant.
//!
//! Near is a name with few typing errors: an inserted, a missing and a wrong letter count 1 each, and so do two exchanged neighbours. This is the
//! optimal string alignment distance (Damerau, "A technique for computer detection and correction of spelling errors", 1964). The distance of
//! two prefixes is
//!
//! ```text
//! d(i, j) = min( d(i-1, j) + 1,  d(i, j-1) + 1,  d(i-1, j-1) + [a_i ≠ b_j],  d(i-2, j-2) + 1 if a_(i-1) a_i = b_j b_(j-1) )
//! ```
//!
//! A name that contains the word is near too. The product of the lengths for each name; it runs only for an error message.

/// The largest number of names that are returned.
const MOST: usize = 3;
/// A shorter word is contained in too many names.
const SHORTEST_PART: usize = 3;

/// The names nearest to a word, the nearest first.
pub(crate) fn nearest<'n>(word: &str, names: &[&'n str]) -> Vec<&'n str> {
    let is_part = |name: &str| word.len() >= SHORTEST_PART && name.contains(word);
    let near = names.iter().filter_map(|name| {
        let distance = distance(word.as_bytes(), name.as_bytes());
        let limit = word.len().min(name.len()) / 3;
        (distance <= limit || is_part(name)).then_some((distance, *name))
    });
    let mut near: Vec<(usize, &str)> = near.collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().map(|(_, name)| name).take(MOST).collect()
}

/// The number of typing errors that make one word of the other.
fn distance(word: &[u8], name: &[u8]) -> usize {
    let mut rows = vec![(0..=name.len()).collect::<Vec<usize>>()];
    for (i, letter) in word.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in name.iter().enumerate() {
            let changed = rows[i][j] + usize::from(letter != other);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && word[i - 1] == *other && name[j - 1] == *letter {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[word.len()][name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_typing_error_counts_one() {
        for (word, expected) in [("gvn", 0), ("gnv", 1), ("gv", 1), ("gvvn", 1), ("gwn", 1), ("", 3), ("nvg", 2)] {
            assert_eq!(distance(word.as_bytes(), b"gvn"), expected, "{word}");
        }
    }

    #[test]
    fn the_nearest_come_first_and_the_far_do_not_come() {
        let names = ["loop_rotate_all", "loop_rotate", "loop_unroll", "gvn", "gcm", "sccp"];
        assert_eq!(nearest("loop_rotat", &names), ["loop_rotate", "loop_rotate_all"]);
        assert_eq!(nearest("rotate", &names), ["loop_rotate", "loop_rotate_all"]);
        assert_eq!(nearest("gnv", &names), ["gvn"]);
        assert!(nearest("licm", &names).is_empty() && nearest("", &names).is_empty());
    }
}
