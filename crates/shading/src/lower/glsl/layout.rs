//! The layout of blocks: `std140`, `std430` or `scalar`, with explicit offsets of members where the rules give others.
//!
//! | rule | alignment of a vector of three | array stride, struct alignment |
//! |---|---|---|
//! | `std140` | 4 components | rounded up to 16 |
//! | `std430` | 4 components | those of the element |
//! | `scalar` | 1 component | those of the element |
//!
//! A member at another offset than the rule gives has `layout(offset = …)`. What is inside structs and arrays has no such layout, so a
//! struct there gets padding under the rule `scalar`, and an element with a stride of its own is in a struct with padding. Members are in
//! the order of their offsets. (GLSL 4.60, section 7.6.2.2; GL_EXT_scalar_block_layout.)

use std::cell::RefCell;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::Inst;
use reconverge_ir::decoration::{MatrixStride, Offset};
use reconverge_ir::view::{self, TypeView};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Decoration;

use super::super::Lowering;
use crate::syntax::{Member, Scalar, Struct, StructId, TypeShape};
use crate::write::WriteCode;

/// A rule of layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::lower) enum Rule {
    Std140,
    Std430,
    Scalar,
}

/// The maximum bytes of padding in one place.
const MOST_PADDING: u32 = 256;

/// The extents of structs under rules, with the numbers of structs, members and arrays that the text placed then.
pub(in crate::lower) type StructExtents = RefCell<FxHashMap<(Inst, Rule), (Option<Extent>, (usize, usize, usize))>>;

/// The size of a type and its alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Extent {
    size: u32,
    alignment: u32,
}

/// How a matrix in a struct is stored.
#[derive(Clone, Copy, Default)]
struct MatrixLayout {
    is_in_rows: bool,
    stride: Option<u32>,
}

/// The orders in which matrices are stored.
#[derive(Clone, Copy, Default)]
struct Orders {
    rows: bool,
    columns: bool,
}

/// A member of a struct with its offset.
#[derive(Clone, Copy)]
struct Placed {
    number: u32,
    ty: Inst,
    offset: u32,
}

impl Rule {
    /// The qualifier.
    pub(super) fn word(self) -> &'static str {
        match self {
            Rule::Std140 => "std140",
            Rule::Std430 => "std430",
            Rule::Scalar => "scalar",
        }
    }

    fn rounded(self, alignment: u32) -> u32 {
        if self == Rule::Std140 { alignment.next_multiple_of(16) } else { alignment }
    }
}

impl Lowering<'_> {
    /// The rule of a block, of those that may be used, and its members.
    ///
    /// # Errors
    /// No rule places the members where they are.
    pub(super) fn block_members(&mut self, block: Inst, rules: &[Rule]) -> Result<(Rule, Vec<Member>), Diagnostic> {
        let placed = self.placed(block)?;
        for &rule in rules {
            if self.fits(block, &placed, rule) {
                let members = self.members_under(block, &placed, rule)?;
                return Ok((rule, members));
            }
        }
        if !rules.contains(&Rule::Scalar) {
            let message = "a layout that neither std140 nor std430 gives";
            return self.refuse(WriteCode::Layout, block, message);
        }
        self.add_padding(block)?;
        let members = self.members_under(block, &placed, Rule::Scalar)?;
        Ok((Rule::Scalar, members))
    }

    /// The first of these rules that lays out a type as it is in memory.
    pub(super) fn rule_of(&self, ty: Inst, rules: &[Rule]) -> Option<Rule> {
        rules.iter().copied().find(|&rule| self.extent(ty, rule, MatrixLayout::default()).is_some())
    }

    /// The members in the order of their offsets.
    fn placed(&self, structure: Inst) -> Result<Vec<Placed>, Diagnostic> {
        let Some(view::TypeStruct { members }) = view::TypeStruct::of(self.source, structure) else {
            return self.refuse(WriteCode::Layout, structure, "a block that is no struct");
        };
        let mut placed = Vec::new();
        for (number, ty) in members.iter().enumerate() {
            let offset = self.source.decorated(structure).member(number as u32).find();
            let Some(Offset(offset)) = offset else {
                return self.refuse(WriteCode::Layout, structure, format!("member {number} without an offset"));
            };
            placed.push(Placed { number: number as u32, ty, offset });
        }
        placed.sort_by_key(|member| member.offset);
        Ok(placed)
    }

    fn matrix_layout(&self, structure: Inst, member: u32) -> MatrixLayout {
        let notes = self.source.decorated(structure).member(member);
        MatrixLayout {
            is_in_rows: notes.has(Decoration::RowMajor),
            stride: notes.find().map(|MatrixStride(stride)| stride),
        }
    }

    /// Returns whether the members are where the rule and explicit offsets can place them.
    fn fits(&self, structure: Inst, placed: &[Placed], rule: Rule) -> bool {
        let mut end = 0;
        for member in placed {
            let matrix = self.matrix_layout(structure, member.number);
            let Some(extent) = self.extent(member.ty, rule, matrix) else { return false };
            if member.offset < end || !member.offset.is_multiple_of(extent.alignment) {
                return false;
            }
            end = member.offset + extent.size;
        }
        true
    }

    /// The size and alignment of a type under a rule, if all strides and offsets in it are those of the rule. The depth is that of the
    /// type.
    fn extent(&self, ty: Inst, rule: Rule, matrix: MatrixLayout) -> Option<Extent> {
        match self.source.type_view(ty)? {
            TypeView::Int { width, .. } | TypeView::Float { width, .. } => {
                Some(Extent { size: width / 8, alignment: width / 8 })
            }
            TypeView::Vector { component, count } => Some(self.vector_extent(component, count, rule)),
            TypeView::Matrix { column, count } => {
                let (component, rows) = self.source.components(column);
                let (vectors, size) = if matrix.is_in_rows { (rows, count) } else { (count, rows) };
                let vector = self.vector_extent(component, size, rule);
                let alignment = rule.rounded(vector.alignment);
                let stride = vector.size.next_multiple_of(alignment);
                (matrix.stride.is_none_or(|given| given == stride))
                    .then_some(Extent { size: stride * vectors, alignment })
            }
            TypeView::Array { element, length } => {
                let extent = self.array_extent(ty, element, rule, matrix)?;
                // The length of a specialized array is not known: nothing can follow it.
                let count = self.source.constant_word(length).unwrap_or(1);
                Some(Extent { size: extent.size.checked_mul(count)?, ..extent })
            }
            TypeView::RuntimeArray { element } => {
                let extent = self.array_extent(ty, element, rule, matrix)?;
                Some(Extent { size: 0, ..extent })
            }
            TypeView::Struct { .. } => self.struct_extent(ty, rule),
            // An address.
            TypeView::Pointer { .. } => Some(Extent { size: 8, alignment: 8 }),
            _ => None,
        }
    }

    fn vector_extent(&self, component: Inst, count: u32, rule: Rule) -> Extent {
        let bytes = self.source.width(component).unwrap_or(32) / 8;
        let alignment = match (rule, count) {
            (Rule::Scalar, _) => bytes,
            (_, 2) => bytes * 2,
            _ => bytes * 4,
        };
        Extent { size: bytes * count, alignment }
    }

    /// The stride and alignment of an array, if the stride is that of the rule.
    fn array_extent(&self, array: Inst, element: Inst, rule: Rule, matrix: MatrixLayout) -> Option<Extent> {
        let extent = self.extent(element, rule, matrix)?;
        let alignment = rule.rounded(extent.alignment);
        let natural = extent.size.next_multiple_of(alignment);
        let stride = self.source.array_stride(array).unwrap_or(natural);
        let is_natural = stride == natural || self.is_wrapped(array) && stride > natural;
        is_natural.then_some(Extent { size: stride, alignment })
    }

    fn struct_extent(&self, ty: Inst, rule: Rule) -> Option<Extent> {
        // Structs that get padding, and arrays that get wrappers, change what is known.
        let state = (self.structs.len(), self.places.len(), self.wrapped.len());
        let known = self.struct_extents.borrow().get(&(ty, rule)).copied();
        if let Some((extent, _)) = known.filter(|&(_, then)| then == state) {
            return extent;
        }
        let extent = self.find_struct_extent(ty, rule);
        self.struct_extents.borrow_mut().insert((ty, rule), (extent, state));
        extent
    }

    fn find_struct_extent(&self, ty: Inst, rule: Rule) -> Option<Extent> {
        let placed = self.placed(ty).ok()?;
        let (mut end, mut alignment) = (0_u32, rule.rounded(1));
        for member in placed {
            let matrix = self.matrix_layout(ty, member.number);
            let extent = self.extent(member.ty, rule, matrix)?;
            let natural = end.next_multiple_of(extent.alignment);
            let has_padding = self.is_padded(ty) && member.offset >= natural;
            if member.offset != natural && !has_padding {
                return None;
            }
            end = member.offset + extent.size;
            alignment = alignment.max(extent.alignment);
        }
        Some(Extent { size: end.next_multiple_of(alignment), alignment })
    }

    /// The members of a block, with their offsets where the rule gives others.
    fn members_under(&mut self, block: Inst, placed: &[Placed], rule: Rule) -> Result<Vec<Member>, Diagnostic> {
        let (mut end, mut members, mut places) = (0, Vec::new(), vec![0; placed.len()]);
        for member in placed {
            let matrix = self.matrix_layout(block, member.number);
            let Some(extent) = self.extent(member.ty, rule, matrix) else {
                let message = format!("member {} in the layout {}", member.number, rule.word());
                return self.refuse(WriteCode::Layout, block, message);
            };
            if member.offset < end || !member.offset.is_multiple_of(extent.alignment) {
                let message = format!("member {} at offset {}", member.number, member.offset);
                return self.refuse(WriteCode::Layout, block, message);
            }
            let mut qualifiers = Vec::new();
            if member.offset != end.next_multiple_of(extent.alignment) {
                qualifiers.push(format!("offset = {}", member.offset));
            }
            let orders = self.matrix_orders(member.ty, matrix);
            if orders.rows && orders.columns {
                let message = format!("member {} with matrices in rows and in columns", member.number);
                return self.refuse(WriteCode::Layout, block, message);
            }
            if orders.rows {
                qualifiers.push("row_major".to_owned());
            }
            end = member.offset + extent.size;
            let ty = self.ty(member.ty)?;
            let name = self.member_name(block, member.number).unwrap_or_else(|| format!("member{}", member.number));
            let layout =
                if qualifiers.is_empty() { String::new() } else { format!("layout({})", qualifiers.join(", ")) };
            let words = self.member_words(block, member.number);
            let prefix = [layout.as_str(), words.as_str()].into_iter().filter(|part| !part.is_empty());
            places[member.number as usize] = members.len() as u32;
            members.push(Member { name, ty, prefix: prefix.collect::<Vec<_>>().join(" "), suffix: String::new() });
        }
        if places.iter().enumerate().any(|(number, &place)| number as u32 != place) {
            self.places.insert(block, places);
        }
        Ok(members)
    }

    /// The memory qualifiers of a member.
    fn member_words(&self, block: Inst, member: u32) -> String {
        let notes = self.source.decorated(block).member(member);
        let words = [
            (Decoration::Coherent, "coherent"),
            (Decoration::Volatile, "volatile"),
            (Decoration::Restrict, "restrict"),
        ];
        let words = words.into_iter().filter(|&(decoration, _)| notes.has(decoration));
        words.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    }

    /// The orders of the matrices in a type. A qualifier of a member of a block is one of all matrices inside.
    fn matrix_orders(&self, ty: Inst, matrix: MatrixLayout) -> Orders {
        let (mut found, mut stack, mut seen) = (Orders::default(), vec![(ty, matrix)], FxHashSet::default());
        while let Some((ty, matrix)) = stack.pop() {
            if !seen.insert((ty, matrix.is_in_rows)) {
                continue;
            }
            match self.source.type_view(ty) {
                Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => {
                    stack.push((element, matrix))
                }
                Some(TypeView::Matrix { .. }) if matrix.is_in_rows => found.rows = true,
                Some(TypeView::Matrix { .. }) => found.columns = true,
                Some(TypeView::Struct { members }) => {
                    let inner = members.iter().enumerate();
                    stack.extend(inner.map(|(number, member)| (member, self.matrix_layout(ty, number as u32))));
                }
                _ => {}
            }
        }
        found
    }

    fn is_padded(&self, ty: Inst) -> bool {
        self.structs.contains_key(&ty) && self.places.contains_key(&ty)
    }

    /// Gives the structs inside a block padding, and the arrays wrappers, so that the rule `scalar` places everything where it is.
    fn add_padding(&mut self, block: Inst) -> Result<(), Diagnostic> {
        // Parts are made before what contains them.
        let mut parts = self.types_in(block);
        parts.sort_unstable();
        for ty in parts {
            match self.source.type_view(ty) {
                Some(TypeView::Array { element, .. } | TypeView::RuntimeArray { element }) => self.wrap(ty, element)?,
                Some(TypeView::Struct { .. }) if ty != block && !self.structs.contains_key(&ty) => {
                    self.padded_struct(ty)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn wrap(&mut self, array: Inst, element: Inst) -> Result<(), Diagnostic> {
        let Some(extent) = self.extent(element, Rule::Scalar, MatrixLayout::default()) else { return Ok(()) };
        let natural = extent.size.next_multiple_of(extent.alignment);
        let stride = self.source.array_stride(array).unwrap_or(natural);
        if stride > natural && !self.types.contains_key(&array) {
            self.wrapped.insert(array);
        }
        Ok(())
    }

    /// The words of padding behind an element of an array with a stride of its own.
    pub(in crate::lower) fn glsl_padding_of(&mut self, array: Inst, stride: u32) -> Result<u32, Diagnostic> {
        let Some(element) = self.source.element_type(array) else { return Ok(0) };
        let Some(extent) = self.extent(element, Rule::Scalar, MatrixLayout::default()) else {
            return self.refuse(WriteCode::Layout, array, "an array in a layout of its own");
        };
        self.words_between(array, extent.size, stride)
    }

    fn words_between(&self, place: Inst, start: u32, end: u32) -> Result<u32, Diagnostic> {
        let gap = end - start;
        if gap > MOST_PADDING || !gap.is_multiple_of(4) || !start.is_multiple_of(4) {
            return self.refuse(WriteCode::Layout, place, format!("a gap of {gap} bytes in a struct or array"));
        }
        Ok(gap / 4)
    }

    fn padded_struct(&mut self, ty: Inst) -> Result<(), Diagnostic> {
        let placed = self.placed(ty)?;
        let word = self.text.types.of(TypeShape::Scalar(Scalar::UINT));
        let (mut end, mut members, mut places) = (0, Vec::new(), vec![0; placed.len()]);
        for member in &placed {
            let matrix = self.matrix_layout(ty, member.number);
            let Some(extent) = self.extent(member.ty, Rule::Scalar, matrix).filter(|_| !matrix.is_in_rows) else {
                return self.refuse(WriteCode::Layout, ty, format!("member {} in a layout of its own", member.number));
            };
            if member.offset < end || !member.offset.is_multiple_of(extent.alignment) {
                return self.refuse(
                    WriteCode::Layout,
                    ty,
                    format!("member {} at offset {}", member.number, member.offset),
                );
            }
            for _ in 0..self.words_between(ty, end, member.offset)? {
                let (prefix, suffix) = (String::new(), String::new());
                members.push(Member { name: "padding".to_owned(), ty: word, prefix, suffix });
            }
            places[member.number as usize] = members.len() as u32;
            let converted = self.ty(member.ty)?;
            let name = self.member_name(ty, member.number).unwrap_or_else(|| format!("member{}", member.number));
            members.push(Member { name, ty: converted, prefix: String::new(), suffix: String::new() });
            end = member.offset + extent.size;
        }
        let name = self.name(ty).unwrap_or_else(|| "Element".to_owned());
        let id: StructId = self.text.add_struct(Struct { name, members, is_block: false });
        self.structs.insert(ty, id);
        self.places.insert(ty, places);
        Ok(())
    }
}
