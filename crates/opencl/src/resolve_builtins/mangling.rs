//! Demangles names of OpenCL built-in functions: the part of the Itanium C++ ABI that clang uses for them.
//!
//! ```text
//! _Z10atomic_maxPU3AS1Vjj     ⇒     atomic_max(u32 global *, u32)
//! ```
//!
//! A type consists of prefixes (pointer, address space, qualifiers) and a base type; each prefix and each type that is not built in is a
//! candidate for substitution, innermost first (Itanium C++ ABI, sections 5.1.5 and 5.1.10). Prefixes are stored in a list, so there is no
//! recursion. Linear in the name, except for substitutions, which are copied.

/// A demangled function name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mangled {
    /// The name in the source.
    pub(super) name: String,
    /// The types of the parameters.
    pub(super) parameters: Vec<ParameterType>,
}

/// The type of a parameter, as far as built-in functions are overloaded on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ParameterType {
    /// The number of pointers to the element.
    pub(super) pointers: u32,
    /// The element type.
    pub(super) element: Element,
    /// The number of vector components; 1 for a scalar.
    pub(super) components: u32,
}

/// The scalar types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Element {
    /// void.
    Void,
    /// bool.
    Bool,
    /// A signed integer of this width.
    Signed(u32),
    /// An unsigned integer of this width.
    Unsigned(u32),
    /// A floating-point number of this width.
    Float(u32),
    /// A named type.
    Named(String),
}

/// The function of a mangled name; `None` if it is not a mangled name, or not one of a form that OpenCL needs.
pub(super) fn demangle(symbol: &str) -> Option<Mangled> {
    let mut reader = Reader { rest: symbol.strip_prefix("_Z")?, substitutions: Vec::new() };
    let name = reader.source_name()?.to_owned();
    let mut parameters = Vec::new();
    while !reader.rest.is_empty() {
        parameters.push(reader.parameter()?);
    }
    parameters.retain(|parameter| *parameter != ParameterType { pointers: 0, element: Element::Void, components: 1 });
    Some(Mangled { name, parameters })
}

struct Reader<'s> {
    rest: &'s str,
    substitutions: Vec<ParameterType>,
}

/// A prefix of a type.
enum Prefix {
    Pointer,
    Qualifiers,
    Vector(u32),
}

impl<'s> Reader<'s> {
    fn parameter(&mut self) -> Option<ParameterType> {
        let mut prefixes = Vec::new();
        while let Some(prefix) = self.prefix()? {
            prefixes.push(prefix);
        }
        let mut found = self.innermost()?;
        for prefix in prefixes.into_iter().rev() {
            match prefix {
                Prefix::Pointer => found.pointers += 1,
                Prefix::Qualifiers => {}
                Prefix::Vector(components) => found.components = components,
            }
            self.substitutions.push(found.clone());
        }
        Some(found)
    }

    /// The next prefix; the inner `None` at the start of a base type.
    #[expect(clippy::option_option, reason = "the outer says that the name cannot be read")]
    fn prefix(&mut self) -> Option<Option<Prefix>> {
        if let Some(rest) = self.rest.strip_prefix('P') {
            self.rest = rest;
            return Some(Some(Prefix::Pointer));
        }
        if let Some(rest) = self.rest.strip_prefix("Dv") {
            self.rest = rest;
            let components = self.number()?;
            self.rest = self.rest.strip_prefix('_')?;
            return Some(Some(Prefix::Vector(components)));
        }
        let before = self.rest;
        while let Some(rest) = self.rest.strip_prefix('U') {
            self.rest = rest;
            self.source_name()?;
        }
        self.rest = self.rest.trim_start_matches(['r', 'V', 'K']);
        Some((self.rest.len() < before.len()).then_some(Prefix::Qualifiers))
    }

    fn innermost(&mut self) -> Option<ParameterType> {
        let scalar = |element| ParameterType { pointers: 0, element, components: 1 };
        if let Some(rest) = self.rest.strip_prefix("Dh") {
            self.rest = rest;
            return Some(scalar(Element::Float(16)));
        }
        let first = self.rest.chars().next()?;
        if first == 'S' {
            return self.substitution();
        }
        if first.is_ascii_digit() {
            let named = scalar(Element::Named(self.source_name()?.to_owned()));
            self.substitutions.push(named.clone());
            return Some(named);
        }
        let element = match first {
            'v' => Element::Void,
            'b' => Element::Bool,
            'c' | 'a' => Element::Signed(8),
            'h' => Element::Unsigned(8),
            's' => Element::Signed(16),
            't' => Element::Unsigned(16),
            'i' => Element::Signed(32),
            'j' => Element::Unsigned(32),
            'l' | 'x' => Element::Signed(64),
            'm' | 'y' => Element::Unsigned(64),
            'f' => Element::Float(32),
            'd' => Element::Float(64),
            _ => return None,
        };
        self.rest = &self.rest[1..];
        Some(scalar(element))
    }

    /// `S_` is the first, `S0_` the second, and so on in base 36.
    fn substitution(&mut self) -> Option<ParameterType> {
        let (digits, rest) = self.rest.strip_prefix('S')?.split_once('_')?;
        self.rest = rest;
        let index = match digits {
            "" => 0,
            _ => usize::from_str_radix(digits, 36).ok()?.checked_add(1)?,
        };
        self.substitutions.get(index).cloned()
    }

    /// A length and this number of characters.
    fn source_name(&mut self) -> Option<&'s str> {
        let length = self.number()? as usize;
        let (name, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(name)
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|character: char| character.is_ascii_digit()).len();
        let number = self.rest[..digits].parse().ok()?;
        self.rest = &self.rest[digits..];
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::{Element, Mangled, ParameterType, demangle};

    fn parameter(pointers: u32, element: Element, components: u32) -> ParameterType {
        ParameterType { pointers, element, components }
    }

    #[test]
    fn pointers_and_address_spaces() {
        let parameters = vec![parameter(1, Element::Unsigned(32), 1), parameter(0, Element::Unsigned(32), 1)];
        assert_eq!(demangle("_Z10atomic_maxPU3AS1Vjj"), Some(Mangled { name: "atomic_max".to_owned(), parameters }));
    }

    #[test]
    fn atomics_and_named_types() {
        let found = demangle("_Z25atomic_fetch_max_explicitPU3AS4VU7_AtomicDhDh12memory_order12memory_scope").unwrap();
        assert_eq!(found.parameters.len(), 4);
        assert_eq!(found.parameters[0], parameter(1, Element::Float(16), 1));
        assert_eq!(found.parameters[3].element, Element::Named("memory_scope".to_owned()));
    }

    #[test]
    fn substitutions() {
        // Candidates: the vector, its qualified form, the pointer.
        let found = demangle("_Z3fooPU3AS1KDv4_fS_S0_S1_").unwrap();
        assert_eq!(found.parameters[1], parameter(0, Element::Float(32), 4));
        assert_eq!(found.parameters[2], parameter(0, Element::Float(32), 4));
        assert_eq!(found.parameters[3], parameter(1, Element::Float(32), 4));
        assert_eq!(demangle("_Z3fooS_"), None, "nothing to stand for");
    }

    #[test]
    fn no_names() {
        for symbol in
            ["", "_Z", "_Z9", "_Z9short", "_Z1fPU", "_Z1fDv", "_Z1fDv4f", "printf", "_Z1f?", "_Z99999999999999999999f"]
        {
            assert_eq!(demangle(symbol), None, "{symbol}");
        }
        assert_eq!(demangle("_Z7barrierv").unwrap().parameters, []);
    }
}
