//! Instructions of OpenCL.std, lowered, against what OpenCL says that they compute.

mod kernel_library;

use kernel_library::{Bits, Random, function_of, lowered, results};
use reconverge_interpret::Value;

/// Integers with and without sign, in more bits than any operand has.
type Wide = i128;

fn signed(width: u32, bits: u64) -> Wide {
    Wide::from((bits << (64 - width)) as i64 >> (64 - width))
}

fn unsigned(_: u32, bits: u64) -> Wide {
    Wide::from(bits)
}

fn saturated(width: u32, is_signed: bool, value: Wide) -> u64 {
    let (least, greatest) = match is_signed {
        true => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        false => (0, (1 << width) - 1),
    };
    value.clamp(least, greatest) as u64
}

/// A function of integers: number, operands, and the definition, by width and bits.
type Definition = (u32, usize, fn(u32, &[u64]) -> u64);

fn s(width: u32, operands: &[u64]) -> Vec<Wide> {
    operands.iter().map(|&bits| signed(width, bits)).collect()
}

fn u(width: u32, operands: &[u64]) -> Vec<Wide> {
    operands.iter().map(|&bits| unsigned(width, bits)).collect()
}

const INTEGERS: &[Definition] = &[
    (141, 1, |w, v| s(w, v)[0].unsigned_abs() as u64),
    (142, 2, |w, v| s(w, v)[0].abs_diff(s(w, v)[1]) as u64),
    (143, 2, |w, v| saturated(w, true, s(w, v)[0] + s(w, v)[1])),
    (144, 2, |w, v| saturated(w, false, u(w, v)[0] + u(w, v)[1])),
    (145, 2, |w, v| ((s(w, v)[0] + s(w, v)[1]) >> 1) as u64),
    (146, 2, |w, v| ((u(w, v)[0] + u(w, v)[1]) >> 1) as u64),
    (147, 2, |w, v| ((s(w, v)[0] + s(w, v)[1] + 1) >> 1) as u64),
    (148, 2, |w, v| ((u(w, v)[0] + u(w, v)[1] + 1) >> 1) as u64),
    (151, 1, |w, v| u64::from(v[0].leading_zeros() - (64 - w))),
    (152, 1, |w, v| u64::from(v[0].trailing_zeros().min(w))),
    (153, 3, |w, v| (((s(w, v)[0] * s(w, v)[1]) >> w) + s(w, v)[2]) as u64),
    (154, 3, |w, v| {
        let product = u128::from(v[0]) * u128::from(v[1]);
        product.saturating_add(u128::from(v[2])).min((1 << w) - 1) as u64
    }),
    (155, 3, |w, v| saturated(w, true, s(w, v)[0] * s(w, v)[1] + s(w, v)[2])),
    (156, 2, |w, v| s(w, v)[0].max(s(w, v)[1]) as u64),
    (157, 2, |_, v| v[0].max(v[1])),
    (158, 2, |w, v| s(w, v)[0].min(s(w, v)[1]) as u64),
    (159, 2, |_, v| v[0].min(v[1])),
    (160, 2, |w, v| ((s(w, v)[0] * s(w, v)[1]) >> w) as u64),
    (161, 2, |w, v| {
        let amount = (v[1] % u64::from(w)) as u32;
        let twice = u128::from(v[0]) << w | u128::from(v[0]);
        (twice << amount >> w) as u64
    }),
    (162, 2, |w, v| saturated(w, true, s(w, v)[0] - s(w, v)[1])),
    (163, 2, |w, v| saturated(w, false, u(w, v)[0] - u(w, v)[1])),
    (166, 1, |_, v| u64::from(v[0].count_ones())),
    (186, 3, |_, v| (v[0] & !v[2]) | (v[1] & v[2])),
    (187, 3, |_, v| if v[2] != 0 { v[1] } else { v[0] }),
    (201, 1, |_, v| v[0]),
    (202, 2, |_, v| v[0].abs_diff(v[1])),
    (203, 2, |w, v| ((u128::from(v[0]) * u128::from(v[1])) >> w) as u64),
    (204, 3, |w, v| (((u128::from(v[0]) * u128::from(v[1])) >> w) as u64).wrapping_add(v[2])),
];

fn hold_integers(width: u32, (number, count, definition): Definition, rows: &[Vec<u64>]) {
    let ty = format!("i{width}");
    let operands = ["%a", "%b", "%c"][..count].join(", ");
    let module = lowered(&function_of(&ty, &vec![&*ty; count], &format!("ext_inst %set, {number}, {operands}")));
    let arguments: Vec<Vec<Value>> =
        rows.iter().map(|row| row.iter().map(|&bits| Value::int(width as u8, bits)).collect()).collect();
    for (row, result) in rows.iter().zip(results(&module, &arguments)) {
        let expected = definition(width, row) & (u64::MAX >> (64 - width));
        assert_eq!(result.scalar_bits(), expected, "instruction {number}, {width} bits, of {row:x?}");
    }
}

#[test]
fn integers_of_eight_bits() {
    for &definition in INTEGERS {
        let count = definition.1;
        let mut random = Random(17);
        let all = (0..1_u64 << (8 * count.min(2)))
            .map(|bits| [bits & 255, bits >> 8, random.bits(8)][..count].to_vec())
            .collect::<Vec<_>>();
        hold_integers(8, definition, &all);
    }
}

#[test]
fn integers_of_more_bits() {
    for width in [16, 32, 64] {
        for &definition in INTEGERS {
            let mut random = Random(u64::from(width) + 1);
            let rows: Vec<Vec<u64>> =
                (0..4_000).map(|_| (0..definition.1).map(|_| random.bits(width)).collect()).collect();
            hold_integers(width, definition, &rows);
        }
    }
}
