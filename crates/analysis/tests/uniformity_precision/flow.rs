//! What is found of joins, loops and blocks though a weaker analysis calls it divergent.

use super::{Case, GRAPH, S, STRUCTURED};

pub(super) const FLOW: &[Case] = &[
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
        expected: &[
            ("k", "uniform"),
            ("x", "uniform"),
            ("^rest", "uniform"),
            ("y", "uniform"),
            ("^head", "divergent"),
            ("@out", "all"),
        ],
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
        expected: &[
            ("k", "uniform"),
            ("x", "uniform"),
            ("^next", "uniform"),
            ("z", "uniform"),
            ("@next", "all"),
            ("@rest", "some"),
        ],
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
        name: "bare graph, complete switch in a loop",
        why: "nobody goes where `unreachable` is: the loop is left to one block, where all meet",
        scope: S,
        stage: GRAPH,
        body: "\
  branch ^head
block ^head:
  %t: %u32 = i_add %l, %c1
  branch ^test
block ^test:
  branch_if %c ^out ^choose
block ^choose:
  switch %d default ^never [0 ^a] [1 ^b]
block ^a:
  branch ^latch
block ^b:
  branch ^latch
block ^latch:
  branch ^head
block ^never:
  branch ^end
block ^end:
  unreachable
block ^out:
  %x: %u32 = i_add %n, %c1
  return",
        expected: &[("x", "uniform"), ("@out", "all"), ("@a", "some"), ("@latch", "some")],
    },
    Case {
        name: "bare graph, a way that is ruled out",
        why: "the branch has one way that anybody goes",
        scope: S,
        stage: GRAPH,
        body: "\
  branch_if %c ^never ^on
block ^never:
  unreachable
block ^on:
  %x: %u32 = i_add %n, %c1
  return",
        expected: &[("x", "uniform"), ("^entry", "uniform"), ("@on", "all")],
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
