//! Typed views of the metadata that describes a shader.
//!
//! ```text
//! dx.shaderModel   {"cs", 6, 0}                                                       ▶ ShaderModel
//! dx.entryPoints   {function, name, signatures, resources, properties}…               ▶ EntryPoint
//!   signatures     {inputs, outputs, patch constants}, each a list of elements        ▶ Signatures
//!   resources      {shader resources, unordered access, constant buffers, samplers}   ▶ Resources
//!   properties     tag, value, tag, value…                                            ▶ Properties
//! ```
//!
//! A view is computed when it is requested, in time that is linear in what it returns, and is an error if the metadata is not of that form.
//! Tags that a view does not know are kept as metadata.

mod entry_point;
mod list;
mod properties;
mod resource;
mod shader_model;
mod signature;

pub use entry_point::EntryPoint;
pub use properties::{Properties, Property};
pub use resource::{Resource, ResourceClass, ResourceKind, Resources, UavFlags};
pub use shader_model::{ShaderKind, ShaderModel};
pub use signature::{ComponentType, Interpolation, MAX_ROWS, SemanticKind, SignatureElement, Signatures};

/// An enum whose variants have the numbers of the file and names.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident { $( $(#[$row:meta])* $variant:ident = $number:literal $text:literal, )* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $( $(#[$row])* $variant, )* }

        impl $name {
            /// The one with this number in a file.
            pub fn of_number(number: u64) -> Option<$name> {
                match number { $( $number => Some($name::$variant), )* _ => None }
            }

            /// The number in a file.
            pub const fn number(self) -> u32 {
                match self { $( $name::$variant => $number, )* }
            }

            /// The name, for messages.
            pub const fn name(self) -> &'static str {
                match self { $( $name::$variant => $text, )* }
            }
        }
    };
}
use numbered;
