//! What must be called divergent though it looks harmless.

use super::{Case, GRAPH, S, STRUCTURED, W};

pub(super) const DIVERGENT: &[Case] = &[
    Case {
        name: "data",
        why: "a function of the lane",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = i_add %d, %n
  return",
        expected: &[("x", "divergent"), ("d", "divergent")],
    },
    Case {
        name: "product of affine values",
        why: "the lane squared",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = i_mul %l, %n
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "comparison of different strides",
        why: "who is equal depends on the lane",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %a: %u32 = i_mul %l, %c2
  %x: %bool = i_equal %a, %l
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "order of equal strides",
        why: "a sum may wrap around in one lane and not in another",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %a: %u32 = i_add %l, %n
  %x: %bool = u_less_than %l, %a
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "synchronous",
        why: "different constants from the arms of a divergent branch",
        scope: S,
        stage: STRUCTURED,
        body: "\
  if %c ^yes ^no merge ^join control 0
block ^yes:
  branch ^join(%c1)
block ^no:
  branch ^join(%c2)
block ^join(%x: %u32):
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "temporal",
        why: "each lane leaves with the counter of another iteration",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  %more: %bool = u_less_than %k, %d
  branch_if %more ^next ^leave
edge ^leave:
  branch ^out(%k)
block ^next:
  %y: %u32 = i_add %k, %c1
  branch ^head(%y)
block ^out(%x: %u32):
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "temporal through a value",
        why: "what is computed from the counter is no better",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  %v: %u32 = i_mul %k, %c4
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
        expected: &[("v", "uniform"), ("x", "divergent")],
    },
    Case {
        name: "continue with another value",
        why: "lanes that continue bring another value than those that go on",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  branch_if %c ^rest ^skip
edge ^skip:
  branch ^next(%c1)
block ^rest:
  branch ^next(%c2)
block ^next(%x: %u32):
  %y: %u32 = i_add %k, %x
  %more: %bool = u_less_than %y, %n
  branch_if %more ^back ^leave
edge ^back:
  branch ^head(%y)
edge ^leave:
  branch ^out
block ^out:
  return",
        expected: &[("x", "divergent"), ("k", "divergent"), ("^next", "divergent")],
    },
    Case {
        name: "ballot over the workgroup",
        why: "each subgroup has its own mask",
        scope: W,
        stage: STRUCTURED,
        body: "\
  %x: %vec4 = group_non_uniform_ballot %c3, %c
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "sum over a smaller scope",
        why: "subgroups may have different numbers of lanes",
        scope: W,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = group_non_uniform_i_add %c3, Reduce, %c1
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "elect",
        why: "one lane is told something else",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %bool = group_non_uniform_elect %c3
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "scan",
        why: "each lane has its own sum",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = group_non_uniform_i_add %c3, ExclusiveScan, %c1
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "store by some lanes",
        why: "what is stored is uniform, who stores is not",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %box: %own = variable Function
  store %box, %n
  if %c ^yes ^join merge ^join control 0
block ^yes:
  store %box, %c1
  branch ^join
block ^join:
  %x: %u32 = load %box
  return",
        expected: &[("x", "divergent")],
    },
    Case {
        name: "early return of the callee",
        why: "lanes return different constants from different places",
        scope: S,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = function_call %early, %d
  %y: %u32 = function_call %early, %n
  return",
        expected: &[("x", "divergent"), ("y", "uniform")],
    },
    Case {
        name: "exit out of two loops",
        why: "lanes leave the outer loop in different iterations as well",
        scope: S,
        stage: STRUCTURED,
        body: "\
  loop ^head(%c0) break ^out continue ^next control 0
block ^head(%k: %u32):
  branch_if %c ^body ^leave
edge ^leave:
  branch ^out
block ^body:
  %stop: %bool = u_less_than %k, %d
  branch_if %stop ^leave2 ^next
edge ^leave2:
  branch ^out
block ^next:
  %y: %u32 = i_add %k, %c1
  branch ^head(%y)
block ^out:
  %x: %u32 = copy_object %k
  return",
        expected: &[("x", "divergent"), ("@body", "some"), ("@head", "some")],
    },
    Case {
        name: "barrier behind a return",
        why: "not everybody comes",
        scope: S,
        stage: STRUCTURED,
        body: "\
  if %c ^gone ^rest merge ^rest control 0
block ^gone:
  return
block ^rest:
  return",
        expected: &[("@rest", "all that are left")],
    },
    Case {
        name: "irreducible cycle, divergent entry",
        why: "lanes come in at both entries and meet with different values",
        scope: S,
        stage: GRAPH,
        body: "\
  branch_if %c ^to_a ^to_b
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
        expected: &[("x", "divergent"), ("y", "divergent"), ("z", "divergent"), ("@a", "some"), ("@b", "some")],
    },
    Case {
        name: "loop that some leave for good",
        why: "those that stay are in another iteration when they leave",
        scope: S,
        stage: GRAPH,
        body: "\
  branch ^head(%c0)
block ^head(%k: %u32):
  branch_if %c ^gone ^stay
block ^gone:
  %x: %u32 = copy_object %k
  return
block ^stay:
  %y: %u32 = i_add %k, %c1
  branch ^head(%y)",
        expected: &[("k", "uniform"), ("x", "divergent"), ("@head", "some")],
    },
    Case {
        name: "two back edges",
        why: "some lanes begin the next iteration with another value",
        scope: S,
        stage: GRAPH,
        body: "\
  branch ^head(%c0)
block ^head(%k: %u32):
  branch_if %c ^back_a ^rest
edge ^back_a:
  branch ^head(%c1)
block ^rest:
  branch_if %u ^back_b ^out
edge ^back_b:
  branch ^head(%c2)
block ^out:
  return",
        expected: &[("k", "divergent"), ("@rest", "some")],
    },
    Case {
        name: "a call in front of unreachable",
        why: "lanes may end in the call: the loop is left to two blocks",
        scope: S,
        stage: GRAPH,
        body: "\
  branch ^head
block ^head:
  branch ^test
block ^test:
  branch_if %c ^out ^choose
block ^choose:
  branch_if %u ^ends ^latch
block ^latch:
  branch ^head
block ^ends:
  %e: %u32 = function_call %early, %c1
  unreachable
block ^out:
  return",
        expected: &[("@out", "some")],
    },
    Case {
        name: "half a block of lanes",
        why: "64 lanes have six digits, of which five are cut off",
        scope: W,
        stage: STRUCTURED,
        body: "\
  %x: %u32 = shift_right_logical %i, %c5
  return",
        expected: &[("x", "divergent")],
    },
];
