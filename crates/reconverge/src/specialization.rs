//! Specialization constants of a module by id, name and type, and values for them as text.
//!
//! A value is fixed before any pass runs: the constant becomes an ordinary one, and so do those that depend on fixed ones alone. The others stay
//! specialization constants of the output.

use reconverge_diagnostic::{Diagnostic, Place};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op, decoration};
use reconverge_rewrite::specialize::{Others, Unknown, specialize};

use crate::{Error, ErrorCode};

/// A specialization constant of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecializationConstant {
    /// Its id (`SpecId`).
    pub id: u32,
    /// Its name, if the module has one.
    pub name: Option<String>,
    /// Its type.
    pub ty: SpecializationType,
}

/// The type of a specialization constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecializationType {
    /// `true` or `false`.
    Bool,
    /// An integer of this width in bits.
    Int(u32),
    /// A floating-point number of this width in bits.
    Float(u32),
}

/// The specialization constants of a module that have ids, in its order. Linear in the globals.
pub fn specialization_constants(module: &Module) -> Vec<SpecializationConstant> {
    let constant = |global: Inst| {
        let decoration::SpecId(id) = module.decorated(global).find()?;
        let ty = match module.type_view(module.ty(global)?)? {
            TypeView::Bool => SpecializationType::Bool,
            TypeView::Int { width, .. } => SpecializationType::Int(width),
            TypeView::Float { width, .. } => SpecializationType::Float(width),
            _ => return None,
        };
        Some(SpecializationConstant { id, name: module.name(global), ty })
    };
    let is_one = |op: Op| matches!(op, Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse);
    module.globals().filter(|&global| is_one(module.op(global))).filter_map(constant).collect()
}

/// Fixes specialization constants, and the others to their defaults if these are asked for: each value is a text `ID=VALUE` or `NAME=VALUE`, of several for one constant the last counts.
///
/// # Errors
/// A text of another form, a constant that the module does not have, or a value that its type does not have.
pub fn fix_specialization(module: &mut Module, values: &[String], others: Others) -> Result<(), Error> {
    if values.is_empty() && others == Others::Open {
        return Ok(());
    }
    let constants = specialization_constants(module);
    let bits: Vec<(u32, u64)> =
        values.iter().map(|text| value(text, &constants)).collect::<Result<_, String>>().map_err(error)?;
    specialize(module, &bits, others).map_err(|Unknown { what, .. }| error(format!("{what} cannot be given a value")))
}

fn error(message: String) -> Error {
    Error::Read(Diagnostic::new(ErrorCode::Specialization, Place::Whole, message))
}

/// The id and the bits of `ID=VALUE` or `NAME=VALUE`.
fn value(text: &str, constants: &[SpecializationConstant]) -> Result<(u32, u64), String> {
    let parts = text.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
    let (key, value) = parts.ok_or_else(|| format!("{text} is no value of a specialization constant: write 3=5"))?;
    let is_meant = |constant: &&SpecializationConstant| match key.parse::<u32>() {
        Ok(id) => constant.id == id,
        Err(_) => constant.name.as_deref() == Some(key),
    };
    let constant = constants.iter().find(is_meant).ok_or_else(|| match constants.is_empty() {
        true => format!("there is no specialization constant {key}: the module has none"),
        false => {
            let names = constants.iter().map(|constant| match &constant.name {
                Some(name) => format!("{} ({name})", constant.id),
                None => constant.id.to_string(),
            });
            let names: Vec<String> = names.collect();
            format!("there is no specialization constant {key}: the module has {}", names.join(", "))
        }
    })?;
    let bits = constant.ty.bits(value).ok_or_else(|| {
        format!("the specialization constant {key} is {}, and {value} is none", constant.ty.description())
    })?;
    Ok((constant.id, bits))
}

impl SpecializationType {
    /// The bits of a value; `None` if the type does not have it.
    fn bits(self, text: &str) -> Option<u64> {
        match self {
            SpecializationType::Bool => match text {
                "true" | "1" => Some(1),
                "false" | "0" => Some(0),
                _ => None,
            },
            SpecializationType::Int(width) => {
                let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
                let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
                    Some(digits) => i128::from(u64::from_str_radix(digits, 16).ok()?),
                    None => i128::from(digits.parse::<u64>().ok()?),
                };
                let number = if is_negative { -magnitude } else { magnitude };
                let fits = number >= -(1_i128 << (width - 1)) && number < 1_i128 << width;
                fits.then_some(number as u64 & (u64::MAX >> (64 - width)))
            }
            SpecializationType::Float(32) => {
                let number = text.parse::<f32>().ok()?;
                let is_in_range = number.is_finite() || text.parse::<f64>().is_ok_and(|number| !number.is_finite());
                is_in_range.then(|| number.to_bits().into())
            }
            SpecializationType::Float(16) => {
                let number = text.parse::<f64>().ok()?;
                let half = half::f16::from_f64(number);
                (half.is_finite() || !number.is_finite()).then(|| half.to_bits().into())
            }
            SpecializationType::Float(_) => text.parse::<f64>().ok().map(f64::to_bits),
        }
    }

    /// The type in messages.
    fn description(self) -> String {
        match self {
            SpecializationType::Bool => "true or false".to_owned(),
            SpecializationType::Int(width) => format!("an integer of {width} bits"),
            SpecializationType::Float(width) => format!("a number of {width} bits"),
        }
    }
}
