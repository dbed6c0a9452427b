//! Inverse sine, cosine and tangent, in radians and in half turns.
//!
//! All are the direction of a point. In the first half quadrant the double nearest to it, `t`, is corrected by the direction of the point
//! rotated by `−t`, whose tangent is `(y cos t − x sin t) / (x cos t + y sin t)`: below 2⁻⁵⁰, so its cube is insignificant. The error of
//! `t` has no effect either, so any `atan2` is good enough. Elsewhere by symmetry.

use super::circular::near_zero;
use super::constants::{ONE_OVER_PI, PI, PI_OVER_2};
use super::exponential::TINY;
use super::wide::{Scaled, Wide, split};

/// A direction, between −π and π.
#[derive(Clone, Copy)]
enum Direction {
    Unknown,
    /// Eighths of a turn, with a sign also for zero.
    Eighths(f64),
    Radians(Scaled),
}

impl Direction {
    fn radians(self) -> Scaled {
        match self {
            Direction::Unknown => Scaled::NAN,
            Direction::Eighths(count) => Scaled::from(PI * (count.abs() / 4.0)).with_sign(count.is_sign_negative()),
            Direction::Radians(radians) => radians,
        }
    }

    fn half_turns(self) -> Scaled {
        match self {
            Direction::Unknown => Scaled::NAN,
            Direction::Eighths(count) => (count / 4.0).into(),
            Direction::Radians(Scaled { value, exponent }) => {
                let (_, more) = split(value.high);
                Scaled::new(value.doubled(-more) * ONE_OVER_PI, exponent.saturating_add(more))
            }
        }
    }
}

pub(super) fn asin(x: f64) -> Scaled {
    arc_sine(x).radians()
}

pub(super) fn asin_pi(x: f64) -> Scaled {
    arc_sine(x).half_turns()
}

pub(super) fn acos(x: f64) -> Scaled {
    arc_cosine(x).radians()
}

pub(super) fn acos_pi(x: f64) -> Scaled {
    arc_cosine(x).half_turns()
}

pub(super) fn atan(x: f64) -> Scaled {
    direction(x, 1.0).radians()
}

pub(super) fn atan_pi(x: f64) -> Scaled {
    direction(x, 1.0).half_turns()
}

pub(super) fn atan2(y: f64, x: f64) -> Scaled {
    direction(y, x).radians()
}

pub(super) fn atan2_pi(y: f64, x: f64) -> Scaled {
    direction(y, x).half_turns()
}

fn arc_sine(x: f64) -> Direction {
    match x.abs() {
        0.0 => Direction::Eighths(x),
        1.0 => Direction::Eighths(2.0 * x),
        magnitude if magnitude < TINY => Direction::Radians(x.into()),
        magnitude if magnitude < 1.0 => {
            let angle = first_quadrant(Wide::new(magnitude), other_leg(x));
            Direction::Radians(Scaled::from(angle).with_sign(x < 0.0))
        }
        _ => Direction::Unknown,
    }
}

fn arc_cosine(x: f64) -> Direction {
    match x {
        1.0 => Direction::Eighths(0.0),
        -1.0 => Direction::Eighths(4.0),
        _ if x.abs() < 1.0 => {
            let angle = first_quadrant(other_leg(x), Wide::new(x.abs()));
            Direction::Radians(if x < 0.0 { PI - angle } else { angle }.into())
        }
        _ => Direction::Unknown,
    }
}

/// `√(1 − x²)`.
fn other_leg(x: f64) -> Wide {
    (Wide::sum(1.0, -x) * Wide::sum(1.0, x)).sqrt()
}

/// The direction of a point (C99 section F.9.1.4).
fn direction(y: f64, x: f64) -> Direction {
    if y.is_nan() || x.is_nan() {
        return Direction::Unknown;
    }
    let is_left = x.is_sign_negative();
    let eighths = |right: f64, left: f64| Direction::Eighths(if is_left { left } else { right }.copysign(y));
    match (y.is_infinite(), x.is_infinite()) {
        (true, true) => return eighths(1.0, 3.0),
        (false, true) => return eighths(0.0, 4.0),
        _ if y == 0.0 => return eighths(0.0, 4.0),
        (true, false) => return eighths(2.0, 2.0),
        _ if x == 0.0 => return eighths(2.0, 2.0),
        _ => {}
    }
    let ((y_part, y_exponent), (x_part, x_exponent)) = (split(y.abs()), split(x.abs()));
    let angle = match y_exponent - x_exponent {
        70.. => return eighths(2.0, 2.0),
        ..-70 if is_left => return eighths(4.0, 4.0),
        ..-70 => Scaled::new(Wide::new(y_part) / Wide::new(x_part), y_exponent - x_exponent),
        _ => {
            let greatest = y_exponent.max(x_exponent);
            let part = |value: f64| Wide::new(value.abs()).doubled(-greatest);
            let angle = first_quadrant(part(y), part(x));
            if is_left { PI - angle } else { angle }.into()
        }
    };
    Direction::Radians(angle.with_sign(y < 0.0))
}

/// The direction of a point in the first quadrant that is not the origin and not far from it.
fn first_quadrant(y: Wide, x: Wide) -> Wide {
    if y.high <= x.high { first_octant(y, x) } else { PI_OVER_2 - first_octant(x, y) }
}

fn first_octant(y: Wide, x: Wide) -> Wide {
    let near = y.high.atan2(x.high);
    let (sine, cosine) = near_zero(Wide::new(near));
    (y * cosine - x * sine) / (x * cosine + y * sine) + near
}
