//! Options of linking.

/// Options for linking modules.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct LinkOptions<'a> {
    /// The roots, which are kept for their own sake.
    pub roots: Roots<'a>,
    /// The treatment of an import without a definition.
    pub undefined: Undefined<'a>,
    /// The target that bodies are chosen for: a path of names with dots, from the general to the special, such as `vulkan.lavapipe`. It
    /// has the bodies of `vulkan.lavapipe`, of `vulkan`, and those without a target.
    pub target: &'a str,
}

/// The roots, which are kept for their own sake. Instructions that they name are kept as well, and nothing else.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Roots<'a> {
    /// The entry points. Exports are no longer exported. If no input has an entry point, as [`Roots::Library`].
    #[default]
    Program,
    /// The entry points and all exports, which stay exported.
    Library,
    /// The entry points and exports of these names; these exports stay exported.
    Named(&'a [String]),
}

/// The treatment of an import without a definition.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub enum Undefined<'a> {
    /// An error.
    #[default]
    Refused,
    /// An error, except for names that the environment defines; these imports stay open.
    RefusedUnless(&'a dyn Fn(&str) -> bool),
    /// Imports without a definition stay open.
    Allowed,
}

impl<'a> LinkOptions<'a> {
    /// The default options.
    pub const fn new() -> Self {
        LinkOptions { roots: Roots::Program, undefined: Undefined::Refused, target: "" }
    }

    /// Sets [`roots`](Self#structfield.roots).
    #[must_use]
    pub const fn roots(mut self, roots: Roots<'a>) -> Self {
        self.roots = roots;
        self
    }

    /// Sets [`undefined`](Self#structfield.undefined).
    #[must_use]
    pub const fn undefined(mut self, undefined: Undefined<'a>) -> Self {
        self.undefined = undefined;
        self
    }

    /// Sets [`target`](Self#structfield.target).
    #[must_use]
    pub const fn target(mut self, target: &'a str) -> Self {
        self.target = target;
        self
    }
}

impl Undefined<'_> {
    /// Returns whether an import of this name may stay open.
    pub(crate) fn allows(self, name: &str) -> bool {
        match self {
            Undefined::Refused => false,
            Undefined::RefusedUnless(is_provided) => is_provided(name),
            Undefined::Allowed => true,
        }
    }
}
