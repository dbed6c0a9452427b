//! SLP vectorization: scalar operations whose results become the components of a vector become one operation on vectors.
//!
//! ```text
//! %a = f_add %p, %k                        %t = composite_construct %p, %q
//! %b = f_add %q, %l                 ⇒      %u = composite_construct %k, %l
//! %v = composite_construct %a, %b          %v = f_add %t, %u
//! ```
//!
//! Compilers to scalar code take vectors apart; this pass undoes that. It is *superword-level parallelism* in its
//! bottom-up form, from the vectors that the program builds: Larsen and Amarasinghe, "Exploiting Superword Level Parallelism with Multimedia
//! Instruction Sets", PLDI 2000; LLVM's SLP vectorizer begins at stores in the same way.
//!
//! From each `composite_construct` of a vector a tree grows down the operands. A node has a scalar for each component:
//! - equal operations, each used by the node above alone, in the block of the vector: one operation on vectors;
//! - components of one vector: the vector itself, or a shuffle;
//! - loads of components of a vector that nothing writes: one load;
//! - constants: a constant; one value for all components: a splat, which a product with a scalar does without;
//! - anything else is built by a `composite_construct`, and the tree ends there.
//!
//! The tree replaces the scalars if it has fewer instructions than they.
//!
//! *Requires* nothing. *Preserves* control flow, the order of memory accesses, and every value: operations work component by component, with
//! the decorations that all scalars have. *Costs.* Linear in the instructions, except for trees that are not worth it, which are limited to
//! [`MAX_NODES`] nodes.

use reconverge_ir::{Builder, Function, Inst, Module, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::{GlslStd450Op, StorageClass};

/// Nodes that a tree may have.
const MAX_NODES: usize = 256;

/// A scalar for each component.
type Lanes = SmallVec<[Inst; 4]>;

/// Replaces scalar operations that build vectors. Returns the number of vectors that are built from fewer instructions.
pub fn slp_vectorize(module: &mut Module, function: Function) -> usize {
    let mut count = 0;
    // A leaf of one tree may be the root of another one: it is built after the roots that are collected here, and is looked at again.
    let mut roots = roots(module, function);
    while let Some(root) = roots.pop() {
        if !module.is_live(root) || module.op(root) != Op::CompositeConstruct {
            continue;
        }
        let Some(tree) = Tree::grow(module, root).filter(|tree| tree.is_worthwhile()) else { continue };
        tree.replace(module, root);
        count += 1;
    }
    count
}

/// The vectors that are built from scalars, in the order of the blocks.
fn roots(module: &Module, function: Function) -> Vec<Inst> {
    let blocks = module.blocks(function);
    let insts = blocks.flat_map(|block| module.children(block));
    insts.filter(|&inst| module.op(inst) == Op::CompositeConstruct && lanes_of(module, inst).is_some()).collect()
}

/// The scalars that a vector is built from.
fn lanes_of(module: &Module, inst: Inst) -> Option<Lanes> {
    let (component, count) = module.components(module.ty(inst)?);
    let lanes: Lanes = module.operands(inst).collect();
    let are_scalars = lanes.iter().all(|&lane| module.ty(lane) == Some(component));
    (count > 1 && lanes.len() == count as usize && are_scalars).then_some(lanes)
}

/// The replacement of a node.
#[derive(Debug)]
enum Kind {
    /// An operation on vectors; the children are its operands. The literals of an extended instruction are kept.
    Operation { children: SmallVec<[usize; 3]>, fixed: SmallVec<[Inst; 2]> },
    /// Components of a vector, by their numbers.
    Components { vector: Inst, numbers: SmallVec<[u32; 4]>, length: u32 },
    /// A load of the vector at an address, and the components of it.
    Load { base: Inst, indices: SmallVec<[Inst; 3]>, ty: Inst, numbers: SmallVec<[u32; 4]>, length: u32 },
    /// A constant.
    Constant,
    /// One value.
    Splat,
    /// Anything.
    Gather,
}

#[derive(Debug)]
struct Node {
    lanes: Lanes,
    kind: Kind,
}

/// The tree of a vector; node 0 is its root.
struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    fn grow(module: &Module, root: Inst) -> Option<Tree> {
        let lanes = lanes_of(module, root)?;
        let block = module.parent(root)?;
        let mut tree = Tree { nodes: vec![Node { lanes, kind: Kind::Gather }] };
        let mut known: FxHashMap<Lanes, usize> = FxHashMap::default();
        let mut next = 0;
        // The users that the scalars of a node may have.
        let mut users: Vec<Lanes> = vec![std::iter::repeat_n(root, tree.nodes[0].lanes.len()).collect()];
        while next < tree.nodes.len() {
            if tree.nodes.len() > MAX_NODES {
                return None;
            }
            let lanes = tree.nodes[next].lanes.clone();
            let above = users[next].clone();
            let kind = match operation(module, &lanes, &above, block) {
                None => leaf(module, &lanes),
                Some(shape) => {
                    let mut children = SmallVec::new();
                    for operand in shape.fixed.len()..module.operand_count(lanes[0]) {
                        let below: Lanes = lanes.iter().map(|&lane| module.operand(lane, operand)).collect();
                        children.push(match known.get(&below) {
                            Some(&child) => child,
                            None => {
                                known.insert(below.clone(), tree.nodes.len());
                                tree.nodes.push(Node { lanes: below, kind: Kind::Gather });
                                users.push(lanes.clone());
                                tree.nodes.len() - 1
                            }
                        });
                    }
                    Kind::Operation { children, fixed: shape.fixed }
                }
            };
            tree.nodes[next].kind = kind;
            next += 1;
        }
        Some(tree)
    }

    /// Returns whether there are fewer instructions afterwards.
    fn is_worthwhile(&self) -> bool {
        let saved = |node: &Node| node.lanes.len() as isize - 1;
        // The vector that is built now is one instruction.
        let gain: isize = self
            .nodes
            .iter()
            .map(|node| match &node.kind {
                Kind::Operation { .. } => saved(node),
                Kind::Load { .. } => saved(node) - isize::from(!node.kind.is_whole()),
                Kind::Components { .. } => -isize::from(!node.kind.is_whole()),
                Kind::Constant => 0,
                Kind::Splat | Kind::Gather => -1,
            })
            .sum();
        gain + 1 > 0 && !matches!(self.nodes[0].kind, Kind::Gather | Kind::Splat)
    }

    /// Builds the vectors before the root, and removes what they replace.
    fn replace(self, module: &mut Module, root: Inst) {
        let mut build = Builder::new(module);
        build.before(root);
        // A node comes before its children, or is one that was there earlier: operands are built on demand, from a list.
        let mut built: Vec<Option<Inst>> = vec![None; self.nodes.len()];
        let mut order = vec![0];
        while let Some(&node) = order.last() {
            let missing = self.operands_of(&build, node).into_iter().find(|&child| built[child].is_none());
            match missing {
                Some(child) => order.push(child),
                None => {
                    order.pop();
                    if built[node].is_none() {
                        built[node] = Some(self.build(&mut build, node, &built));
                    }
                }
            }
        }
        let vector = built[0].expect("invariant: the root is built last");
        module.edit().replace_all_uses(root, vector);
        let mut doomed = vec![root];
        while let Some(inst) = doomed.pop() {
            if !module.is_live(inst) || module.uses(inst).next().is_some() || !is_removable(module, inst) {
                continue;
            }
            doomed.extend(module.operands(inst));
            module.edit().delete(inst);
        }
    }

    /// The children that have to be built before a node: not the splat of a product with a scalar.
    fn operands_of(&self, build: &Builder<'_>, node: usize) -> SmallVec<[usize; 3]> {
        match &self.nodes[node].kind {
            Kind::Operation { children, .. } => match self.scaled(build, node) {
                Some((vector, _)) => [vector].into_iter().collect(),
                None => children.clone(),
            },
            _ => SmallVec::new(),
        }
    }

    /// The vector and the scalar of a product of both.
    fn scaled(&self, build: &Builder<'_>, node: usize) -> Option<(usize, Inst)> {
        let Node { lanes, kind: Kind::Operation { children, .. } } = &self.nodes[node] else { return None };
        if build.module().op(lanes[0]) != Op::FMul {
            return None;
        }
        let is_splat = |child: usize| matches!(self.nodes[child].kind, Kind::Splat);
        match children[..] {
            [left, right] if is_splat(right) && !is_splat(left) => Some((left, self.nodes[right].lanes[0])),
            [left, right] if is_splat(left) && !is_splat(right) => Some((right, self.nodes[left].lanes[0])),
            _ => None,
        }
    }

    fn build(&self, build: &mut Builder<'_>, node: usize, built: &[Option<Inst>]) -> Inst {
        let Node { lanes, kind } = &self.nodes[node];
        let scalar = build.module().ty(lanes[0]).expect("invariant: a lane is a value");
        let ty = vector_type(build, scalar, lanes.len() as u32);
        match kind {
            Kind::Operation { children, fixed } => {
                let (op, operands) = match self.scaled(build, node) {
                    Some((vector, scalar)) => {
                        let vector = built[vector].expect("invariant: operands are built first");
                        (Op::VectorTimesScalar, vec![vector, scalar])
                    }
                    None => {
                        let operands =
                            children.iter().map(|&child| built[child].expect("invariant: operands are built first"));
                        (build.module().op(lanes[0]), fixed.iter().copied().chain(operands).collect())
                    }
                };
                let inst = build.emit(op, Some(ty), &operands);
                keep_notes(build, lanes[0], inst);
                inst
            }
            Kind::Components { vector, numbers, length } => shuffled(build, ty, *vector, numbers, *length),
            Kind::Load { base, indices, ty: whole, numbers, length } => {
                let class = build.module().storage_class(*base).expect("invariant: an address has a storage class");
                let pointer = build.pointer_type(class, *whole);
                let vector_address = match indices.is_empty() {
                    true => *base,
                    false => {
                        let operands: Vec<Inst> = std::iter::once(*base).chain(indices.iter().copied()).collect();
                        build.emit(Op::AccessChain, Some(pointer), &operands)
                    }
                };
                let loaded = build.emit(Op::Load, Some(*whole), &[vector_address]);
                keep_notes(build, lanes[0], loaded);
                shuffled(build, ty, loaded, numbers, *length)
            }
            Kind::Constant => build.emit(Op::ConstantComposite, Some(ty), lanes),
            Kind::Splat | Kind::Gather => build.emit(Op::CompositeConstruct, Some(ty), lanes),
        }
    }
}

impl Kind {
    /// Returns whether all components are taken in their order.
    fn is_whole(&self) -> bool {
        match self {
            Kind::Components { numbers, length, .. } | Kind::Load { numbers, length, .. } => {
                numbers.len() == *length as usize && numbers.iter().copied().eq(0..*length)
            }
            _ => false,
        }
    }
}

/// An operation that all lanes have in common: its operands that are no values of a lane.
struct Shape {
    fixed: SmallVec<[Inst; 2]>,
}

/// The shape of lanes that are equal operations in a block and that only the lanes above use.
fn operation(module: &Module, lanes: &Lanes, above: &Lanes, block: Inst) -> Option<Shape> {
    let first = lanes[0];
    let op = module.op(first);
    let fixed: SmallVec<[Inst; 2]> = match op {
        Op::ExtInst => {
            module.glsl_op(first).filter(|&instruction| is_componentwise(instruction))?;
            module.operands(first).take(2).collect()
        }
        _ if is_elementwise(op) => SmallVec::new(),
        _ => return None,
    };
    let notes: SmallVec<[Inst; 2]> = notes_of(module, first).collect();
    let fits = |(index, (&lane, &user)): (usize, (&Inst, &Inst))| {
        let is_used_here = module.uses(lane).all(|used| used.user == user);
        module.op(lane) == op
            && module.parent(lane) == Some(block)
            && module.ty(lane) == module.ty(first)
            && module.operands(lane).take(fixed.len()).eq(fixed.iter().copied())
            && same_operand_types(module, lane, first)
            && notes_of(module, lane).eq(notes.iter().copied())
            && is_used_here
            && !lanes[..index].contains(&lane)
    };
    lanes.iter().zip(above).enumerate().all(fits).then_some(Shape { fixed })
}

/// Returns whether two operations have operands of the same scalar types. A conversion of the bits of a vector to a scalar has not.
fn same_operand_types(module: &Module, left: Inst, right: Inst) -> bool {
    let types = |inst| module.operands(inst).map(|operand| module.ty(operand)).collect::<SmallVec<[_; 4]>>();
    let are_scalars = types(left).into_iter().flatten().all(|ty| module.op(ty) != Op::TypeVector);
    are_scalars && types(left) == types(right)
}

/// Decorations other than the name.
fn notes_of(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    module.decorations(inst).iter().copied().filter(|&note| module.op(note) != Op::Name)
}

fn keep_notes(build: &mut Builder<'_>, from: Inst, to: Inst) {
    let notes: SmallVec<[Inst; 2]> = notes_of(build.module(), from).collect();
    let location = build.module().location(from);
    for note in notes {
        build.editor().decorate(to, note);
    }
    build.editor().set_location(to, location);
}

/// The replacement of lanes that are no operation on vectors.
fn leaf(module: &Module, lanes: &Lanes) -> Kind {
    if lanes.iter().all(|&lane| matches!(module.op(lane), Op::Constant | Op::ConstantTrue | Op::ConstantFalse)) {
        return Kind::Constant;
    }
    if lanes.iter().all(|&lane| lane == lanes[0]) {
        return Kind::Splat;
    }
    components(module, lanes).or_else(|| load(module, lanes)).unwrap_or(Kind::Gather)
}

/// Lanes that are components of one vector.
fn components(module: &Module, lanes: &Lanes) -> Option<Kind> {
    let part = |lane: Inst| match module.op(lane) {
        Op::CompositeExtract if module.operand_count(lane) == 2 => {
            Some((module.operand(lane, 0), module.literal_word(module.operand(lane, 1))?))
        }
        _ => None,
    };
    let (vector, _) = part(lanes[0])?;
    let (_, count) = module.components(module.ty(vector)?);
    if count == 1 {
        return None;
    }
    let number = |&lane: &Inst| part(lane).filter(|&(other, _)| other == vector).map(|(_, number)| number);
    let numbers = lanes.iter().map(number).collect::<Option<SmallVec<[u32; 4]>>>()?;
    Some(Kind::Components { vector, numbers, length: count })
}

/// Lanes that are loaded from components of one vector in memory that nothing writes: inputs and uniform blocks.
fn load(module: &Module, lanes: &Lanes) -> Option<Kind> {
    let address = |lane: Inst| {
        let is_plain = module.op(lane) == Op::Load && module.operand_count(lane) == 1;
        let address = is_plain.then(|| module.operand(lane, 0))?;
        matches!(module.op(address), Op::AccessChain | Op::InBoundsAccessChain).then_some(address)
    };
    let first = address(lanes[0])?;
    let (base, count) = (module.operand(first, 0), module.operand_count(first));
    let prefix: SmallVec<[Inst; 3]> = module.operands(first).take(count - 1).skip(1).collect();
    let class = module.storage_class(base)?;
    if !matches!(class, StorageClass::Input | StorageClass::Uniform) {
        return None;
    }
    let notes: SmallVec<[Inst; 2]> = notes_of(module, lanes[0]).collect();
    let number = |&lane: &Inst| {
        let address = address(lane)?;
        let same = module.operand_count(address) == count
            && module.operand(address, 0) == base
            && module.operands(address).take(count - 1).skip(1).eq(prefix.iter().copied())
            && notes_of(module, lane).eq(notes.iter().copied());
        let last = same.then(|| module.operand(address, count - 1))?;
        (module.op(last) == Op::Constant).then(|| module.literal_word(last)).flatten()
    };
    let numbers = lanes.iter().map(number).collect::<Option<SmallVec<[u32; 4]>>>()?;
    let ty = pointee_at(module, base, &prefix)?;
    let (_, length) = module.components(ty);
    let is_block =
        class == StorageClass::Input || !module.decorated(module.pointee(base)?).has(spirv::Decoration::BufferBlock);
    (is_block && length > 1 && numbers.iter().all(|&number| number < length)).then_some(Kind::Load {
        base,
        indices: prefix,
        ty,
        numbers,
        length,
    })
}

/// The type that indices lead to from an address.
fn pointee_at(module: &Module, base: Inst, indices: &[Inst]) -> Option<Inst> {
    indices.iter().try_fold(module.pointee(base)?, |ty, &index| match module.op(ty) {
        Op::TypeStruct => module.part_type(ty, module.literal_word(index)? as usize),
        _ => module.element_type(ty),
    })
}

fn vector_type(build: &mut Builder<'_>, scalar: Inst, count: u32) -> Inst {
    let count = build.editor().word(count);
    build.emit(Op::TypeVector, None, &[scalar, count])
}

/// Components of a vector in an order of their own; the vector itself if they are all of it.
fn shuffled(build: &mut Builder<'_>, ty: Inst, vector: Inst, numbers: &[u32], length: u32) -> Inst {
    if numbers.len() == length as usize && numbers.iter().copied().eq(0..length) {
        return vector;
    }
    let mut operands = vec![vector, vector];
    for &number in numbers {
        operands.push(build.editor().word(number));
    }
    build.emit(Op::VectorShuffle, Some(ty), &operands)
}

/// Returns whether an instruction without uses may go: what a tree replaces.
fn is_removable(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    let is_pure = is_elementwise(op)
        || matches!(op, Op::CompositeConstruct | Op::CompositeExtract | Op::AccessChain | Op::InBoundsAccessChain);
    let is_load = op == Op::Load && module.operand_count(inst) == 1;
    let is_extended = module.glsl_op(inst).is_some_and(is_componentwise);
    is_pure || is_load || is_extended
}

/// Operations without effect that work component by component, on vectors as on scalars.
fn is_elementwise(op: Op) -> bool {
    matches!(
        op,
        Op::ConvertFToU
            | Op::ConvertFToS
            | Op::ConvertSToF
            | Op::ConvertUToF
            | Op::UConvert
            | Op::SConvert
            | Op::FConvert
            | Op::Bitcast
            | Op::SNegate
            | Op::FNegate
            | Op::IAdd
            | Op::FAdd
            | Op::ISub
            | Op::FSub
            | Op::IMul
            | Op::FMul
            | Op::FDiv
            | Op::FRem
            | Op::FMod
            | Op::IsNan
            | Op::IsInf
            | Op::LogicalEqual
            | Op::LogicalNotEqual
            | Op::LogicalOr
            | Op::LogicalAnd
            | Op::LogicalNot
            | Op::Select
            | Op::ShiftRightLogical
            | Op::ShiftRightArithmetic
            | Op::ShiftLeftLogical
            | Op::BitwiseOr
            | Op::BitwiseXor
            | Op::BitwiseAnd
            | Op::Not
            | Op::BitReverse
            | Op::BitCount
    ) || (Op::IEqual..=Op::FUnordGreaterThanEqual).contains(&op)
}

/// Extended instructions of `GLSL.std.450` that work component by component.
fn is_componentwise(instruction: GlslStd450Op) -> bool {
    use GlslStd450Op::*;
    matches!(
        instruction,
        Round
            | RoundEven
            | Trunc
            | FAbs
            | SAbs
            | FSign
            | SSign
            | Floor
            | Ceil
            | Fract
            | Radians
            | Degrees
            | Sin
            | Cos
            | Tan
            | Asin
            | Acos
            | Atan
            | Sinh
            | Cosh
            | Tanh
            | Asinh
            | Acosh
            | Atanh
            | Atan2
            | Pow
            | Exp
            | Log
            | Exp2
            | Log2
            | Sqrt
            | InverseSqrt
            | FMin
            | UMin
            | SMin
            | FMax
            | UMax
            | SMax
            | FClamp
            | UClamp
            | SClamp
            | FMix
            | Step
            | SmoothStep
            | Fma
            | FindILsb
            | FindSMsb
            | FindUMsb
            | NMin
            | NMax
            | NClamp
    )
}
