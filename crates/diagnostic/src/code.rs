//! Codes and their declaration.

use std::fmt;

use crate::Kind;

/// The declaration of a code. Displays as its name.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Code {
    /// The name, in messages and for tools; never changes.
    pub name: &'static str,
    /// The kind of its messages.
    pub kind: Kind,
    /// The meaning in a few words, for lists; empty if the meaning itself is short.
    pub title: &'static str,
    /// The meaning, in sentences.
    pub meaning: &'static str,
    /// The usual remedy: lower case, no full stop.
    pub help: &'static str,
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name)
    }
}

/// The codes of a part of a crate.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The subject of their messages, a heading.
    pub title: &'static str,
    /// The codes, in the order of lists.
    pub codes: &'static [Code],
}

/// Declares the codes of a part of a crate: an enumeration whose variants have a [`Code`] each.
///
/// ```
/// reconverge_diagnostic::codes! {
///     /// Codes of reading recipes.
///     pub enum RecipeCode in "Reading recipes" {
///         Salt = "recipe-salt" Rejected "There is no salt." "add a pinch";
///         Long = "recipe-long" Limit "The recipe has more than 100 steps." "split it";
///     }
/// }
/// assert_eq!(RecipeCode::Salt.declared().meaning, "There is no salt.");
/// assert_eq!(RecipeCode::GROUP.codes.len(), RecipeCode::ALL.len());
/// ```
///
/// A row is the variant, the name, the kind of its messages, the meaning, and what helps. A title in parentheses after the name is for lists.
#[macro_export]
macro_rules! codes {
    ($(#[$doc:meta])* $visibility:vis enum $enum:ident in $title:literal {
        $( $variant:ident = $name:tt $(($short:expr))? $kind:ident $meaning:literal $help:expr; )*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $visibility enum $enum { $( #[doc = $meaning] $variant, )* }

        impl $enum {
            /// Every code, in order.
            $visibility const ALL: &'static [$enum] = &[ $( $enum::$variant, )* ];

            /// The declarations.
            $visibility const GROUP: $crate::Group = $crate::Group {
                title: $title,
                codes: &[ $( $crate::Code {
                    name: $name,
                    kind: $crate::Kind::$kind,
                    title: [$($short,)? ""][0],
                    meaning: $meaning,
                    help: $help,
                }, )* ],
            };

            /// The declaration of the code.
            $visibility const fn declared(self) -> &'static $crate::Code {
                &$enum::GROUP.codes[self as usize]
            }

            /// The code that has this declaration, if it is one of these.
            $visibility fn of(declared: &$crate::Code) -> Option<$enum> {
                $enum::ALL.iter().copied().find(|code| code.declared() == declared)
            }

            /// The name, in messages and for tools; never changes.
            $visibility const fn name(self) -> &'static str {
                self.declared().name
            }
        }

        // Not every crate needs them.
        const _: usize = $enum::ALL.len();
        const _: fn(&$crate::Code) -> Option<$enum> = $enum::of;

        impl PartialEq<$enum> for &'static $crate::Code {
            fn eq(&self, code: &$enum) -> bool {
                *self == code.declared()
            }
        }

        impl ::std::fmt::Display for $enum {
            fn fmt(&self, formatter: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl From<$enum> for &'static $crate::Code {
            fn from(code: $enum) -> &'static $crate::Code {
                code.declared()
            }
        }
    };
}
