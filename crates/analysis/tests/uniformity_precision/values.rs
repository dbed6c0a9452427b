//! What is found of values though a weaker analysis calls it divergent.

use super::{Case, S, STRUCTURED, W};

pub(super) const VALUES: &[Case] = &[
    Case {
        name: "affine",
        why: "the number of the lane is not just anything",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = i_add %l, %n
  %y: %u32 = i_mul %x, %c4
  return",
        expected: &[("x", "affine 1"), ("y", "affine 4")],
    },
    Case {
        name: "affine difference",
        why: "two values that grow alike differ by the same in every lane",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %a: %u32 = i_add %l, %n
  %x: %u32 = i_sub %a, %l
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "equal strides compared",
        why: "whether two values are equal that grow alike does not depend on the lane",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %a: %u32 = i_add %l, %n
  %x: %bool = i_equal %a, %l
  if %x ^yes ^no merge ^no control 0
block ^yes:
  branch ^no
block ^no:
  return",
        expected: &[("x", "uniform"), ("^entry", "uniform"), ("@yes", "all")],
    },
    Case {
        name: "shift of the lane",
        why: "a shift by a constant is a product",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = shift_left_logical %l, %c3
  %y: %u32 = s_negate %x
  return",
        expected: &[("x", "affine 8"), ("y", "affine -8")],
    },
    Case {
        name: "complement",
        why: "the complement of a number is its negative less one",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %a: %u32 = not %l
  %x: %u32 = i_add %a, %l
  return",
        expected: &[("a", "affine -1"), ("x", "uniform")],
    },
    Case {
        name: "stride that wraps",
        why: "2 to the 32 is nothing modulo 2 to the 32",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %big: %u32 = shift_left_logical %l, %c31
  %x: %u32 = shift_left_logical %big, %c1
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "ballot",
        why: "all lanes that vote together get the same mask",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %vec4 = group_non_uniform_ballot %c3, %c
  %y: %u32 = composite_extract %x, 0
  return",
        expected: &[("x", "uniform"), ("y", "uniform")],
    },
    Case {
        name: "broadcast of the first",
        why: "everybody gets the value of one lane",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = group_non_uniform_broadcast_first %c3, %d
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "reduction",
        why: "all lanes get the sum of all",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = group_non_uniform_i_add %c3, Reduce, %d
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "vote in divergent flow",
        why: "the lanes that are there agree, whoever they are",
        scope: S,
        stage: STRUCTURED,
        body: "\
  if %c ^some ^join merge ^join control 0
block ^some:
  %x: %bool = group_non_uniform_any %c3, %c
  if %x ^deep ^deep_join merge ^deep_join control 0
block ^deep:
  branch ^deep_join
block ^deep_join:
  branch ^join
block ^join:
  return",
        expected: &[("x", "uniform"), ("^some", "uniform"), ("@deep", "some"), ("@join", "all")],
    },
    Case {
        name: "maximum over a smaller scope",
        why: "the greatest of equal values is that value, whoever takes part",
        scope: W,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = group_non_uniform_u_max %c3, Reduce, %n
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "shuffle of a uniform value",
        why: "whichever lane it comes from, it is the same",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = group_non_uniform_shuffle_xor %c3, %n, %c1
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "shuffle from one lane",
        why: "everybody reads the same lane",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = group_non_uniform_shuffle %c3, %d, %n
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "callee that ignores an argument",
        why: "what it returns depends on the other parameter alone",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = function_call %second, %d, %n
  %y: %u32 = function_call %second, %n, %d
  return",
        expected: &[("x", "uniform"), ("y", "divergent")],
    },
    Case {
        name: "private memory",
        why: "everybody stores the same, all together",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %box: %own = variable Function
  store %box, %n
  if %u ^yes ^join merge ^join control 0
block ^yes:
  store %box, %c1
  branch ^join
block ^join:
  %x: %u32 = load %box
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "number of the workgroup's lane",
        why: "affine over the workgroup, as its number in the subgroup is over the subgroup",
        scope: W,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = i_mul %i, %c4
  return",
        expected: &[("i", "affine 1"), ("x", "affine 4"), ("l", "divergent")],
    },
    Case {
        name: "subgroup against workgroup",
        why: "a subgroup's vote is the same in it, whatever other subgroups vote",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %bool = group_non_uniform_all %c3, %c
  if %x ^yes ^join merge ^join control 0
block ^yes:
  branch ^join
block ^join:
  return",
        expected: &[("x", "uniform"), ("^entry", "uniform"), ("@yes", "all")],
    },
    Case {
        name: "select between equal strides",
        why: "a uniform condition keeps a stride",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %a: %u32 = i_add %l, %n
  %x: %u32 = select %u, %a, %l
  return",
        expected: &[("x", "affine 1")],
    },
    Case {
        name: "start of a block of lanes",
        why: "lane & ~(size - 1): there are 64 lanes, so that their numbers have six digits",
        scope: W,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = bitwise_and %i, %mask
  %y: %u32 = shift_right_logical %i, %c6
  return",
        expected: &[("x", "uniform"), ("y", "uniform"), ("i", "affine 1")],
    },
];
