//! What is found though a weaker analysis calls it divergent.

use super::{Case, GRAPH, S, STRUCTURED, W};

pub(super) const FOUND: &[Case] = &[
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
        name: "uniform after reconvergence",
        why: "the merge block is run by everybody again",
        scope: S,
        stage: STRUCTURED,
        body: "\
  if %c ^yes ^join merge ^join control 0
block ^yes:
  branch ^join
block ^join:
  %x: %u32 = i_add %n, %c1
  return",
        expected: &[("x", "uniform"), ("@yes", "some"), ("@join", "all")],
    },
    Case {
        name: "same value from both arms",
        why: "a join of separated lanes to which one value comes",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %v: %u32 = i_add %n, %c1
  if %c ^yes ^no merge ^join control 0
block ^yes:
  branch ^join(%v)
block ^no:
  branch ^join(%v)
block ^join(%x: %u32):
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "uniform branch, different values",
        why: "everybody comes the same way",
        scope: S,
        stage: STRUCTURED,
        body: "\
  if %u ^yes ^no merge ^join control 0
block ^yes:
  branch ^join(%c1)
block ^no:
  branch ^join(%c2)
block ^join(%x: %u32):
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "join that no disjoint paths reach",
        why: "the divergence ends at the inner merge; the outer join has different values from a uniform branch",
        scope: S,
        stage: STRUCTURED,
        body: "\
  if %u ^yes ^no merge ^join control 0
block ^yes:
  if %c ^a ^b merge ^inner control 0
block ^a:
  branch ^inner(%c1)
block ^b:
  branch ^inner(%c2)
block ^inner(%y: %u32):
  branch ^join(%c1)
block ^no:
  branch ^join(%c2)
block ^join(%x: %u32):
  return",
        expected: &[("y", "divergent"), ("x", "uniform")],
    },
    Case {
        name: "undefined on the other way",
        why: "an undefined value may be any value, so the one that comes",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %nothing: %u32 = undef
  if %c ^yes ^no merge ^join control 0
block ^yes:
  branch ^join(%n)
block ^no:
  branch ^join(%nothing)
block ^join(%x: %u32):
  return",
        expected: &[("x", "uniform")],
    },
    Case {
        name: "code behind a divergent break",
        why: "those that stay in the loop stay together",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  %stop: %bool = u_less_than %l, %k
  branch_if %stop ^leave ^rest
edge ^leave:
  branch ^out
block ^rest:
  %x: %u32 = i_add %k, %c1
  %even: %bool = i_equal %x, %c4
  if %even ^yes ^join merge ^join control 0
block ^yes:
  branch ^join
block ^join:
  branch ^next
block ^next:
  %y: %u32 = i_add %k, %c1
  branch ^head(%y)
block ^out:
  return",
        expected: &[("k", "uniform"), ("x", "uniform"), ("^rest", "uniform"), ("y", "uniform"), ("^head", "divergent"), ("@out", "all")],
    },
    Case {
        name: "code behind a divergent continue",
        why: "lanes that go on to the next iteration early wait for the others",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  branch_if %c ^rest ^skip
edge ^skip:
  branch ^next
block ^rest:
  %x: %u32 = i_add %k, %c1
  branch ^next
block ^next:
  %y: %u32 = i_add %k, %c1
  %more: %bool = u_less_than %y, %n
  branch_if %more ^back ^leave
edge ^back:
  branch ^head(%y)
edge ^leave:
  branch ^out
block ^out:
  %z: %u32 = copy_object %y
  return",
        expected: &[("k", "uniform"), ("x", "uniform"), ("^next", "uniform"), ("z", "uniform"), ("@next", "all"), ("@rest", "some")],
    },
    Case {
        name: "temporal only outside",
        why: "the counter differs only for those that read it after a divergent loop",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  %more: %bool = u_less_than %k, %d
  branch_if %more ^next ^leave
edge ^leave:
  branch ^out
block ^next:
  %y: %u32 = i_add %k, %c1
  branch ^head(%y)
block ^out:
  %x: %u32 = copy_object %k
  return",
        expected: &[("k", "uniform"), ("y", "uniform"), ("x", "divergent"), ("@next", "some"), ("@out", "all")],
    },
    Case {
        name: "invariant value out of a divergent loop",
        why: "it is the same in every iteration",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  %v: %u32 = i_mul %n, %c4
  %more: %bool = u_less_than %k, %d
  branch_if %more ^next ^leave
edge ^leave:
  branch ^out
block ^next:
  %y: %u32 = i_add %k, %c1
  branch ^head(%y)
block ^out:
  %x: %u32 = copy_object %v
  return",
        expected: &[("v", "uniform"), ("x", "uniform")],
    },
    Case {
        name: "uniform exit of a loop with divergence inside",
        why: "an if inside does not make lanes leave at different times",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  %more: %bool = u_less_than %k, %n
  branch_if %more ^body ^leave
edge ^leave:
  branch ^out
block ^body:
  if %c ^yes ^join merge ^join control 0
block ^yes:
  branch ^join
block ^join:
  branch ^next
block ^next:
  %y: %u32 = i_add %k, %c1
  branch ^head(%y)
block ^out:
  %x: %u32 = copy_object %k
  return",
        expected: &[("x", "uniform"), ("@join", "all"), ("@out", "all")],
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
        name: "affine through a join",
        why: "both ways bring values that grow alike",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %a: %u32 = i_add %l, %n
  if %u ^yes ^no merge ^join control 0
block ^yes:
  branch ^join(%a)
block ^no:
  branch ^join(%l)
block ^join(%x: %u32):
  return",
        expected: &[("x", "affine 1")],
    },
    Case {
        name: "affine counter",
        why: "the base grows, the stride stays",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%l) break ^out continue ^next control 0
block ^head(%x: %u32):
  branch_if %u ^next ^leave
edge ^leave:
  branch ^out
block ^next:
  %y: %u32 = i_add %x, %n
  branch ^head(%y)
block ^out:
  return",
        expected: &[("x", "affine 1"), ("y", "affine 1")],
    },
    Case {
        name: "early return",
        why: "those that are left are together",
        scope: S,
        stage: STRUCTURED,
        body: "\
  if %c ^gone ^rest merge ^rest control 0
block ^gone:
  return
block ^rest:
  %x: %u32 = i_add %n, %c1
  return",
        expected: &[("x", "uniform"), ("@rest", "all that are left")],
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
    Case {
        name: "bare graph, uniform branch",
        why: "no structure is needed to see that all go the same way",
        scope: S,
        stage: GRAPH,
        body: "\
  branch_if %u ^yes ^no
block ^yes:
  branch ^join(%c1)
block ^no:
  branch ^join(%c2)
block ^join(%x: %u32):
  return",
        expected: &[("x", "uniform"), ("@yes", "all"), ("@join", "all")],
    },
    Case {
        name: "bare graph, divergent diamond",
        why: "lanes meet in the post-dominator",
        scope: S,
        stage: GRAPH,
        body: "\
  branch_if %c ^yes ^no
block ^yes:
  branch ^join
block ^no:
  branch ^join
block ^join:
  %x: %u32 = i_add %n, %c1
  return",
        expected: &[("x", "uniform"), ("@yes", "some"), ("@join", "all")],
    },
    Case {
        name: "irreducible cycle, uniform conditions",
        why: "nobody is separated in it, so nothing in it differs",
        scope: S,
        stage: GRAPH,
        body: "\
  branch_if %u ^to_a ^to_b
edge ^to_a:
  branch ^a(%c0)
edge ^to_b:
  branch ^b(%c1)
block ^a(%x: %u32):
  %xa: %u32 = i_add %x, %c1
  branch ^b(%xa)
block ^b(%y: %u32):
  %more: %bool = u_less_than %y, %n
  branch_if %more ^again ^out
edge ^again:
  branch ^a(%y)
block ^out:
  %z: %u32 = copy_object %y
  return",
        expected: &[("x", "uniform"), ("y", "uniform"), ("z", "uniform"), ("@a", "all"), ("@out", "all")],
    },
];
