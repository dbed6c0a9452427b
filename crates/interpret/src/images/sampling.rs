//! Image operations with an implicit level of detail: executed for a tangle, since the level depends on the quad.
//!
//! Besides the operands, the images get the differences of the coordinates along x and along y, as in `groups/derivative.rs` (fine). They
//! determine the level. A lane whose quad is not complete gets an undefined value.

use crate::Value;
use crate::fault::Fault;
use crate::groups::GroupCall;
use crate::groups::derivative::{self, Axis, Detail};
use crate::images::request::Request;
use crate::images::texels::ImageStore;

/// One result for each member.
pub(crate) fn evaluate(images: &ImageStore, call: &GroupCall<'_>) -> Result<Vec<Value>, Fault> {
    let request =
        |member: usize| Request::new(call.op, call.ty, call.types, call.literals, &call.members[member].operands);
    let requests = (0..call.members.len()).map(request).collect::<Result<Vec<Request<'_>>, Fault>>()?;
    let coordinate = |member: usize| requests[member].operands.first().ok_or_else(|| Fault::operands(call.op));
    let one = |member: usize| {
        let Some(quad) = derivative::quad(call, member) else { return Ok(Value::Undefined) };
        let change = |axis| {
            let (from, to) = derivative::ends(call.members[member].number, axis, Detail::Fine);
            derivative::subtract(call.op, coordinate(quad[to])?, coordinate(quad[from])?)
        };
        let (x, y) = (change(Axis::X)?, change(Axis::Y)?);
        requests[member].ask(&images.source, &images.bindings, Some([&x, &y]))
    };
    (0..call.members.len()).map(one).collect()
}
