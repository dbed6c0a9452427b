//! Questions about images (SPIR-V, `OpImageQuerySizeLod` and the like; OpenCL C 3.0, section 6.15.15.6).
//!
//! ```text
//! image2d_array_t of 5 layers, 4 × 3 texels  ⇒  size (4, 3, 5)
//! BGRA, unorm8: order 6, format 2 in SPIR-V;  CLK_BGRA = 0x10b6, CLK_UNORM_INT8 = 0x10d2 in OpenCL C
//! ```

use reconverge_ir::Op;

use crate::Value;
use crate::fault::Fault;
use crate::images::open_cl::bound::BoundImage;
use crate::images::open_cl::format::FIRST_CODES;
use crate::images::request::Request;
use crate::types::{TypeId, TypeKind, TypeTable};

/// The answer to a question.
pub(super) fn answer(image: &BoundImage, request: &Request<'_>) -> Result<Value, Fault> {
    let (types, ty) = (request.types, request.ty);
    let [order, data_type] = image.format.codes;
    let [first_order, first_type] = FIRST_CODES;
    match request.op {
        Op::ImageQuerySize => numbers(types, ty, &image.size[..image.shape.coordinates()]),
        // There is no other level than the first one.
        Op::ImageQuerySizeLod => match request.operands.first().and_then(Value::as_u64) {
            Some(0) => numbers(types, ty, &image.size[..image.shape.coordinates()]),
            _ => Ok(Value::Undefined),
        },
        Op::ImageQueryOrder => numbers(types, ty, &[order - first_order]),
        Op::ImageQueryFormat => numbers(types, ty, &[data_type - first_type]),
        Op::ImageQueryLevels | Op::ImageQuerySamples => numbers(types, ty, &[1]),
        op => Err(Fault::op(op)),
    }
}

/// A scalar or a vector of numbers.
pub(crate) fn numbers(types: &TypeTable, ty: TypeId, numbers: &[u32]) -> Result<Value, Fault> {
    let wrong = || Fault::malformed("an image has another number of sizes than the result of the query");
    let number = |ty: TypeId, number: u32| types.integer(ty, u64::from(number)).ok_or_else(wrong);
    match (types.kind(ty), numbers) {
        (Some(&TypeKind::Sequence { element, count, .. }), _) if count == numbers.len() as u64 => {
            let all = numbers.iter().map(|&one| number(element, one)).collect::<Result<Vec<Value>, Fault>>()?;
            Ok(Value::composite(all))
        }
        (_, &[one]) => number(ty, one),
        _ => Err(wrong()),
    }
}
