//! The code of an import that nothing defines. The linker and the lowering of kernels report it.

reconverge_diagnostic::codes! {
    /// Codes of imports.
    pub enum ImportCode in "Linking" {
        Undefined = "link-undefined" Rejected
            "A module imports a symbol that no input defines. In OpenCL C, a function that is `inline` and not `static` is an import."
            "give the module that defines it as one more input; `reconverge link IN... --list` lists all symbols, and `link --allow-undefined` leaves it open. An `inline` function of OpenCL C is an import: make it `static inline`";
    }
}
