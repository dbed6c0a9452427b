//! The commit that a build is of. The build script uses this file too.

/// The calendar date of a number of seconds since 1970, UTC: `2026-11-29`. Days are counted in eras of 400 years that begin on 1 March, so that
/// the day of a leap year is the last one of its year (H. Hinnant, chrono-compatible low-level date algorithms).
pub(crate) fn date_of(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The commit in the file that `cargo package` writes, `.cargo_vcs_info.json`.
pub(crate) fn commit_of_package(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    commit.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let dates = [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_709_164_800, "2024-02-29"),
            (1_709_251_200, "2024-03-01"),
            (1_795_910_400, "2026-11-29"),
            (4_107_542_400, "2100-03-01"),
        ];
        for (seconds, date) in dates {
            assert_eq!(date_of(seconds), date);
        }
    }

    #[test]
    fn a_package_says_its_commit() {
        assert_eq!(commit_of_package("{\n  \"git\": {\n    \"sha1\": \"5b7b9826\"\n  }\n}"), Some("5b7b9826"));
        assert_eq!(commit_of_package("{\"git\": {\"sha1\": \"no commit\"}}"), None);
        assert_eq!(commit_of_package("{}"), None);
    }
}
