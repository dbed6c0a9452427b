//! Decorations with their types (SPIR-V section 3.20).
//!
//! ```
//! use reconverge_ir::{Builder, Module, decoration};
//! use spirv::{BuiltIn, Decoration};
//!
//! let mut module = Module::new();
//! let mut build = Builder::new(&mut module);
//! let int = build.int_type(32);
//! let block = build.editor().append_global(reconverge_ir::Op::TypeStruct, None, &[int, int]);
//! build.add_decoration(block, Decoration::Block);
//! build.add_member_decoration(block, 0, decoration::Offset(0));
//! build.add_member_decoration(block, 1, decoration::Offset(16));
//!
//! let notes = module.decorated(block);
//! assert!(notes.has(Decoration::Block) && !notes.has(Decoration::Offset));
//! assert_eq!(notes.member(1).find(), Some(decoration::Offset(16)));
//! assert_eq!(notes.find::<decoration::BuiltIn>(), None);
//! ```

use smallvec::SmallVec;
use spirv::Decoration;

use crate::view::{Operands, Reader};
use crate::{Builder, Editor, Enumerant, Inst, Module, Op};

/// The decorations of an instruction or of one of its members.
#[derive(Clone, Copy, Debug)]
pub struct Decorations<'m> {
    module: &'m Module,
    notes: &'m [Inst],
    member: Option<u32>,
}

/// One decoration of an instruction or of one of its members.
#[derive(Clone, Copy, Debug)]
pub struct Note<'m> {
    module: &'m Module,
    /// The decoration as an instruction.
    pub inst: Inst,
    /// The member, for a member decoration.
    pub member: Option<u32>,
    /// Its number.
    pub number: u32,
    /// Its parameters: literals, strings, or in `decorate_id` values.
    pub parameters: Operands<'m>,
}

impl<'m> Note<'m> {
    /// The decoration of an instruction; `None` for names and for anything that is not a decoration.
    pub fn of(module: &'m Module, inst: Inst) -> Option<Note<'m>> {
        let has_member = match module.op(inst) {
            Op::Decorate | Op::DecorateId | Op::DecorateString => false,
            Op::MemberDecorate | Op::MemberDecorateString => true,
            _ => return None,
        };
        let mut reader = Reader::new(module, inst);
        let member = if has_member { Some(reader.read()?) } else { None };
        Some(Note { module, inst, member, number: reader.read()?, parameters: reader.read()? })
    }

    /// The decoration; `None` if the number has no name.
    pub fn kind(self) -> Option<Decoration> {
        Decoration::from_u32(self.number)
    }

    /// Returns whether it is this decoration.
    pub fn is(self, kind: Decoration) -> bool {
        self.number == kind as u32
    }

    /// Its parameters, if it is of this type.
    pub fn read<T: Typed>(self) -> Option<T> {
        if self.is(T::KIND) { T::read(self.module, self.parameters) } else { None }
    }

    /// The words of its literal parameters.
    pub fn words(self) -> impl Iterator<Item = u32> + 'm {
        self.parameters.iter().map_while(move |parameter| self.module.literal_words(parameter).first().copied())
    }
}

impl<'m> Decorations<'m> {
    /// The same for a member.
    pub fn member(self, member: u32) -> Decorations<'m> {
        Decorations { member: Some(member), ..self }
    }

    /// Each, in the order in which they were added.
    pub fn iter(self) -> impl Iterator<Item = Note<'m>> + Clone {
        self.all().filter(move |note| note.member == self.member)
    }

    /// Those of all members, and of no others.
    pub fn members(self) -> impl Iterator<Item = Note<'m>> + Clone {
        self.all().filter(|note| note.member.is_some())
    }

    /// The decorations of this type on members: which member, and the value.
    pub fn find_members<T: Typed>(self) -> impl Iterator<Item = (u32, T)> + use<'m, T> {
        self.members().filter_map(|note| Some((note.member?, note.read()?)))
    }

    fn all(self) -> impl Iterator<Item = Note<'m>> + Clone {
        self.notes.iter().filter_map(move |&note| Note::of(self.module, note))
    }

    /// Returns whether there is one of that kind.
    pub fn has(self, kind: Decoration) -> bool {
        self.note(kind).is_some()
    }

    /// The first of that kind.
    pub fn note(self, kind: Decoration) -> Option<Note<'m>> {
        self.iter().find(|note| note.is(kind))
    }

    /// The value of the first of this type.
    pub fn find<T: Typed>(self) -> Option<T> {
        self.iter().find_map(Note::read)
    }
}

impl Module {
    /// The decorations of an instruction, with typed queries; see [`crate::decoration`].
    pub fn decorated(&self, inst: impl Into<Inst>) -> Decorations<'_> {
        Decorations { module: self, notes: self.decorations(inst), member: None }
    }
}

/// A decoration with parameters.
pub trait Typed: Copy {
    /// The decoration.
    const KIND: Decoration;
    /// The value of the parameters; `None` if they are different.
    fn read(module: &Module, parameters: Operands<'_>) -> Option<Self>;
    /// The parameters for the value.
    fn parameters(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 2]>;
}

/// A decoration that can be added: one of the types here, or a [`Decoration`] without parameters.
pub trait Decorate {
    /// The decoration and its parameters as operands.
    fn operands(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 4]>;
}

impl Decorate for Decoration {
    fn operands(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 4]> {
        [edit.enumerant(self)].into_iter().collect()
    }
}

/// A decoration by number, with literals.
impl Decorate for &[u32] {
    fn operands(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 4]> {
        self.iter().map(|&word| edit.word(word)).collect()
    }
}

/// A decoration by number, with literals.
impl<const COUNT: usize> Decorate for &[u32; COUNT] {
    fn operands(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 4]> {
        self[..].operands(edit)
    }
}

/// Declares the decorations with one word.
macro_rules! decorations {
    ($( $(#[doc = $doc:literal])+ $name:ident: $ty:ty = |$word:ident| $read:expr; )*) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(pub $ty);

        impl Typed for $name {
            const KIND: Decoration = Decoration::$name;

            fn read(module: &Module, parameters: Operands<'_>) -> Option<$name> {
                let $word = *module.literal_words(parameters.first()?).first()?;
                Some($name($read))
            }

            fn parameters(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 2]> {
                [edit.word(Enumerant::word(self.0))].into_iter().collect()
            }
        }

        impl Decorate for $name {
            fn operands(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 4]> {
                typed_operands(self, edit)
            }
        }
    )* };
}

decorations! {
    /// The built-in that a variable represents.
    BuiltIn: spirv::BuiltIn = |word| spirv::BuiltIn::from_u32(word)?;
    /// The offset of a member, in bytes.
    Offset: u32 = |word| word;
    /// The stride of an array, in bytes.
    ArrayStride: u32 = |word| word;
    /// The stride of a matrix, in bytes.
    MatrixStride: u32 = |word| word;
    /// The binding in a descriptor set.
    Binding: u32 = |word| word;
    /// The descriptor set.
    DescriptorSet: u32 = |word| word;
    /// The number of a specialization constant.
    SpecId: u32 = |word| word;
    /// The location in the interface of a stage.
    Location: u32 = |word| word;
    /// The component in a location.
    Component: u32 = |word| word;
    /// The alignment of a pointer.
    Alignment: u32 = |word| word;
    /// The index of an input attachment.
    InputAttachmentIndex: u32 = |word| word;
    /// The allowed transformations of floating-point arithmetic.
    FPFastMathMode: spirv::FPFastMathMode = |word| spirv::FPFastMathMode::from_bits_retain(word);
    /// The rounding of a conversion.
    FPRoundingMode: spirv::FPRoundingMode = |word| spirv::FPRoundingMode::from_u32(word)?;
    /// An attribute of a parameter.
    FuncParamAttr: spirv::FunctionParameterAttribute = |word| spirv::FunctionParameterAttribute::from_u32(word)?;
}

/// The name of a function or variable for other modules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkageAttributes {
    /// The literal of the name.
    pub name: Inst,
    /// The linkage: imported or exported.
    pub linkage: spirv::LinkageType,
}

impl Typed for LinkageAttributes {
    const KIND: Decoration = Decoration::LinkageAttributes;

    fn read(module: &Module, parameters: Operands<'_>) -> Option<LinkageAttributes> {
        let linkage = *module.literal_words(parameters.at(1)?).first()?;
        Some(LinkageAttributes { name: parameters.first()?, linkage: spirv::LinkageType::from_u32(linkage)? })
    }

    fn parameters(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 2]> {
        [self.name, edit.enumerant(self.linkage)].into_iter().collect()
    }
}

impl Decorate for LinkageAttributes {
    fn operands(self, edit: &mut Editor<'_>) -> SmallVec<[Inst; 4]> {
        typed_operands(self, edit)
    }
}

fn typed_operands<T: Typed>(decoration: T, edit: &mut Editor<'_>) -> SmallVec<[Inst; 4]> {
    let mut operands: SmallVec<[Inst; 4]> = [edit.enumerant(T::KIND)].into_iter().collect();
    operands.extend(decoration.parameters(edit));
    operands
}

impl Builder<'_> {
    /// A decoration for [`Editor::unique_decorated`].
    pub fn decoration(&mut self, decoration: impl Decorate) -> Inst {
        let operands = decoration.operands(self.editor());
        self.editor().unique(Op::Decorate, None, &operands)
    }

    /// Adds a decoration to an instruction.
    pub fn add_decoration(&mut self, inst: impl Into<Inst>, decoration: impl Decorate) {
        let decoration = self.decoration(decoration);
        self.editor().decorate(inst, decoration);
    }

    /// Adds a decoration to a member of a struct type.
    pub fn add_member_decoration(&mut self, ty: impl Into<Inst>, member: u32, decoration: impl Decorate) {
        let mut operands: SmallVec<[Inst; 4]> = [self.editor().word(member)].into_iter().collect();
        operands.extend(decoration.operands(self.editor()));
        let decoration = self.editor().unique(Op::MemberDecorate, None, &operands);
        self.editor().decorate(ty, decoration);
    }
}

impl Module {
    /// The stride of an array type in bytes, if it has one.
    pub fn array_stride(&self, ty: impl Into<Inst>) -> Option<u32> {
        self.decorated(ty).find().map(|ArrayStride(stride)| stride)
    }
}
