//! Functions written by hand, for shapes that structurized ones seldom have: cases that fall through, with values, through the
//! default, by shared edges; loops of one block, latches that leave both ways, breaks out of switches' loops.

use reconverge_ir::{Function, Module, Stage, text};

const HEAD: &str = "
capability Shader
capability Linkage
memory_model Logical, GLSL450
%u32 = type_int 32, 0
%bool = type_bool
%fn = type_function %u32, %u32, %bool
%zero: %u32 = constant 0
%one: %u32 = constant 1
";

/// Cases that fall through in a row, to the default last, in a loop.
const FALLING: &str = "
func %f: %u32 (%n: %u32, %c: %bool) type %fn control 0 stage structured {
block ^entry:
  loop ^h(%n) break ^done continue ^next control 0
block ^h(%i: %u32):
  branch_if %c ^work ^out
edge ^out:
  branch ^done(%i)
block ^work:
  structured_switch %i default ^d merge ^m control 0 [1 ^one] [2 ^two] [3 ^two] [4 ^three]
block ^one:
  %a: %u32 = i_add %i, %one
  branch ^two_entry(%a)
edge ^two:
  branch ^two_entry(%zero)
block ^two_entry(%b: %u32):
  if %c ^stop ^on merge ^after control 0
edge ^stop:
  branch ^done(%b)
edge ^on:
  branch ^after
block ^after:
  branch ^three_entry(%b)
edge ^three:
  branch ^three_entry(%one)
block ^three_entry(%e: %u32):
  branch_if %c ^leave ^fall
edge ^leave:
  branch ^next(%e)
edge ^fall:
  branch ^m(%e)
block ^d:
  %g: %u32 = i_mul %i, %i
  branch ^m(%g)
block ^m(%k: %u32):
  branch ^next(%k)
block ^next(%l: %u32):
  branch ^h(%l)
block ^done(%r: %u32):
  return_value %r
";

/// Two cases and the default that lead to one place by edges, and a case that falls into the default.
const SHARED: &str = "
func %f: %u32 (%n: %u32, %c: %bool) type %fn control 0 stage structured {
block ^entry:
  structured_switch %n default ^d merge ^m control 0 [7 ^seven] [1 ^one] [2 ^two] [5 ^five]
block ^seven:
  %a: %u32 = i_add %n, %one
  branch ^m(%a)
edge ^one:
  branch ^shared
edge ^two:
  branch ^shared
block ^shared:
  structured_switch %n default ^dd merge ^mm control 0 [1 ^x] [2 ^y]
block ^x:
  %s: %u32 = i_add %n, %n
  branch ^yy(%s)
edge ^y:
  branch ^yy(%one)
block ^yy(%t: %u32):
  branch ^mm(%t)
block ^dd:
  branch ^mm(%zero)
block ^mm(%z: %u32):
  branch ^m(%z)
block ^five:
  %w: %u32 = i_mul %n, %n
  branch ^dentry(%w)
edge ^d:
  branch ^dentry(%zero)
block ^dentry(%v: %u32):
  branch ^m(%v)
block ^m(%k: %u32):
  return_value %k
";

/// A loop of one block, a loop whose latch breaks, and an `if` that only breaks and continues.
const LOOPS: &str = "
func %f: %u32 (%n: %u32, %c: %bool) type %fn control 0 stage structured {
block ^entry:
  loop ^single(%n) break ^between continue ^single control 0
block ^single(%i: %u32):
  %j: %u32 = i_add %i, %one
  branch_if %c ^back ^leave
edge ^back:
  branch ^single(%j)
edge ^leave:
  branch ^between(%j)
block ^between(%k: %u32):
  loop ^h break ^done continue ^latch control 0
block ^h:
  branch ^body
block ^body:
  if %c ^then ^else merge ^never control 0
edge ^then:
  branch ^done
edge ^else:
  branch ^latch
block ^never:
  unreachable
block ^latch:
  branch_if %c ^again ^gone
edge ^again:
  branch ^h
edge ^gone:
  branch ^done
block ^done:
  return_value %k
";

/// What has no tree before it is padded: a merge block and a continue target that are loop headers, a back edge that goes through the
/// preheader. And an `if` one way of which leads straight out of the loop.
const UNPADDED: &str = "
func %f: %u32 (%n: %u32, %c: %bool) type %fn control 0 stage structured {
block ^entry:
  if %c ^a ^b merge ^h control 0
edge ^b:
  branch ^pre(%n)
block ^a:
  %x: %u32 = i_add %n, %one
  branch ^pre(%x)
edge ^pre(%p: %u32):
  loop ^h(%p) break ^lm continue ^next control 0
block ^h(%i: %u32):
  branch_if %c ^next ^lm
block ^next:
  %j: %u32 = i_add %i, %one
  branch ^h(%j)
block ^lm:
  loop ^outer break ^done continue ^inner control 0
block ^outer:
  branch ^way
block ^way:
  if %c ^done ^stay merge ^stay control 0
block ^stay:
  %z: %u32 = i_add %i, %one
  loop ^inner(%z) break ^latch continue ^again control 0
block ^inner(%k: %u32):
  branch_if %c ^again ^latch
block ^again:
  branch ^inner(%k)
block ^latch:
  branch ^outer
block ^done:
  branch ^edge
edge ^edge:
  loop ^last(%i) break ^end continue ^back control 0
block ^last(%r: %u32):
  %s: %u32 = i_add %r, %i
  branch ^back
block ^back:
  branch_if %c ^round ^end
edge ^round:
  branch ^edge
block ^end:
  return_value %s
";

/// How many there are.
pub(crate) const WRITTEN: u64 = 4;

/// Whether it has no tree before it is padded.
pub(crate) fn is_unpadded(number: u64) -> bool {
    number % WRITTEN == 3
}

/// One of them.
pub(crate) fn written_function(number: u64) -> (Module, Function) {
    let body = [FALLING, SHARED, LOOPS, UNPADDED][(number % WRITTEN) as usize];
    let module = text::parse(&format!("{HEAD}{body}}}\n")).unwrap();
    let function = module.functions().find(|&function| module.stage(function) == Stage::Structured).unwrap();
    (module, function)
}
