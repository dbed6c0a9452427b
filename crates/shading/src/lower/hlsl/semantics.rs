//! Semantics of the source, which a module may have in three ways.
//!
//! | in the module | from |
//! |---|---|
//! | the decoration `UserSemantic` of a variable or a member | front ends of HLSL with reflection (`SPV_GOOGLE_hlsl_functionality1`) |
//! | a variable named `in.var.NAME` or `out.var.NAME` | dxc |
//! | a variable named `in_NAME0` or `out_NAME0`, with a number | the reader of DXIL |

use reconverge_ir::Inst;
use spirv::Decoration;

use super::super::Lowering;
use crate::write::Semantics;

impl Lowering<'_> {
    /// The semantic of the source for a variable or the member of its block, if the option asks for it.
    pub(super) fn source_semantic(&self, [variable, block]: [Inst; 2], member: Option<u32>) -> Option<String> {
        if self.options.semantics != Semantics::Source {
            return None;
        }
        let decorated = match member {
            Some(member) => self.source.decorated(block).member(member).note(Decoration::UserSemantic),
            None => self.source.decorated(variable).note(Decoration::UserSemantic),
        };
        let given =
            decorated.and_then(|note| note.parameters.first()).map(|text| self.source.literal_text(text).to_string());
        let named = || {
            let name = self.source.name(variable).filter(|_| member.is_none())?;
            let of_dxc = || name.strip_prefix("in.var.").or_else(|| name.strip_prefix("out.var."));
            let of_dxil =
                || name.strip_prefix("in_").or_else(|| name.strip_prefix("out_")).filter(|own| is_numbered(own));
            of_dxc().or_else(of_dxil).map(str::to_owned)
        };
        given.or_else(named).filter(|semantic| is_semantic(semantic))
    }
}

fn is_numbered(name: &str) -> bool {
    name.ends_with(|last: char| last.is_ascii_digit())
}

/// Returns whether a text is a semantic that a shader chooses: a word that is no value of the system.
fn is_semantic(text: &str) -> bool {
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let starts_well = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    is_word && starts_well && !text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("sv_"))
}

#[cfg(test)]
mod tests {
    use super::is_semantic;

    #[test]
    fn semantics_are_words_that_the_system_does_not_define() {
        for semantic in ["POSITION", "TEXCOORD3", "_a"] {
            assert!(is_semantic(semantic), "{semantic}");
        }
        for other in ["", "3D", "SV_Target0", "sv_position", "A B", "é"] {
            assert!(!is_semantic(other), "{other}");
        }
    }
}
