//! Statements that one language writes in its own way, with a place for each expression.

use super::{Generator, Kind};

impl Generator {
    /// A statement of one language.
    pub(super) fn form(&mut self) {
        let forms = if self.is_wgsl() { WGSL } else { GLSL };
        let form = *self.random.choose(forms);
        let mut parts = form.split('{');
        let mut line = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let kind = ["int}", "word}", "float}", "bool}"].into_iter().find(|name| part.starts_with(name));
            let kind = match kind {
                Some("int}") => Kind::Int,
                Some("word}") => Kind::Word,
                Some("float}") => Kind::Float,
                Some(_) => Kind::Bool,
                None => {
                    line = line + "{" + part;
                    continue;
                }
            };
            let (_, rest) = part.split_once('}').unwrap_or_default();
            line = line + &self.expression(kind, 1) + rest;
        }
        self.line(&format!("{{ {line} }}"));
    }
}

const WGSL: &[&str] = &[
    "_ = early({int}, {word});",
    "let t = atomicCompareExchangeWeak(&own[lane], {word}, 7u); u1 = u1 + select(0u, 3u, t.exchanged || true) + (t.old_value & 1u) * 0u;",
    "u0 = atomicAdd(&own[lane], {word});",
    "u1 = atomicMax(&own[lane], {word});",
    "u2 = atomicExchange(&own[lane], {word});",
    "i1 = atomicMin(&signed_own[lane], {int});",
    "atomicStore(&own[lane], {word}); u0 ^= atomicAnd(&own[lane], 255u) + atomicOr(&own[lane], 3u); u1 += atomicXor(&own[lane], {word}) + atomicSub(&own[lane], 1u);",
    "pri += N;",
    "i0 = TABLE[{word}] + C;",
    "let p = &arr[{word}]; *p = {int};",
    "i2 = select({int}, i0, u0 > u1);",
    "let m = modf(f0); f1 = fq(m.whole);",
    "u1 = dot(v4, vec4<u32>({word}));",
    "n4.y = {int}; n4[{word}] = n4.x;",
    "arr[{int}] = arr[{word}];",
    "grid[{word}][{int}] += {word}; u1 ^= grid[u0][u1];",
    "let p = &grid[{word}]; (*p)[u1] = {word}; u2 += (*p)[1];",
    "let q = &s; (*q).m += {int}; bump(&(*q).m, 2);",
    "let whole = s; s.m = whole.m + 1; nest.parts[{word}] = whole; i1 += nest.parts[u0].m;",
    "nest = Nest(nest.parts[1], array<S, 2>(s, nest.one));",
    "bump(&nest.parts[{word}].m, {int});",
    "m32[{word}] = fq2(m32[1] + vec2<f32>(0.5, fq({float})));",
    "m32[1][{int}] = fq({float});",
    "m43[2] = vec3<f32>(fq(f0), m43[{word}].zx);",
    "f0 = fq(dot(m32 * vec3<f32>(1.0, 0.5, -2.0), vec2<f32>(1.0, 1.0)));",
    "f1 = fq((transpose(m32) * vec2<f32>(0.5, 2.0))[{word}]);",
    "s.v = fq2(vec2<f32>(0.5, -1.0) * mat2x2<f32>(1.0, 2.0, fq(f0), fq(f1)));",
    "i2 = select(n4, n4.wzyx, vec4<bool>(b0, {bool}, true, false)).z;",
    "n4 = min(n4 * 3, vec4<i32>({int})) / max(n4.yxwz, vec4<i32>(-2));",
    "n4 %= vec4<i32>({int}, 3, -5, i0);",
    "v4 = v4 << v4.yzwx;",
    "i0 += i32(all(n4 == n4.xyzw)) + i32(any(v4 > vec4<u32>(3u)));",
    "for (var k = 0; k < 3; k += 2) { if ({bool}) { continue; } i0 ^= k + 1; }",
    "loop { u0 += 1u; if (u0 & 3u) == 0u { break; } continuing { i1 += 2; } }",
    "var w = 0u; loop { w++; switch w { case 1, 3: { continue; } case 2: { break; } default: { i2 -= 1; } } if w > 4u { break; } }",
    "let t = frexp(fq(f0)); i0 += t.exp; f1 = fq(t.fract * 8.0);",
    "f0 = fq(ldexp(fq(f1), 1) + step(f0, 1.0) + mix(fq(f0), fq(f1), 0.5));",
    "f0 = fq(round(fq(f0)) + saturate(f1) + trunc(f0) - fract(f1));",
    "f1 = fq(unpack2x16float(pack2x16float(vec2<f32>(1.5, clamp(fq(f0), -64.0, 64.0)))).y);",
    "u2 = pack4x8unorm(vec4<f32>(0.0, 1.0, saturate(fq(f0)), 0.0));",
    "f1 = fq(unpack4x8snorm(0x7f810000u).w + unpack2x16unorm(0xffff0000u).y);",
    "u1 += arrayLength(&input);",
    "u0 = input[{word}];",
    "const_assert C == 5; const K = C * 2; i0 += K;",
    "i2 = helper(n4, &arr).y;",
    "pri_arr[{word}] += {int}; i1 ^= pri_arr[i0];",
    "if ({bool}) { let x = touch(); u2 += x; }",
    "let c = array<u32, 3>(u0, 7u, {word}); u1 = c[{int}];",
    "u2 = v4[{word}] + vec3<u32>(1u, u0, 2u)[{int}];",
    "switch {int} { case -1: { i0 = 1; } default: { i0 += 2; } case C, 7: { i0 ^= 5; } }",
    "var shadow = i0; { var shadow = {int}; shadow += 1; i1 ^= shadow; } i2 ^= shadow;",
    "u0 = extractBits(u1, {word}, 9u) ^ countOneBits(v4).y ^ firstLeadingBit(v4).x;",
    "b0 = {bool} || (is_even(&i0) && !b0);",
    "b0 = is_even(&i1) & {bool};",
    "f0 = fq(cross(vec3<f32>(1.0, 2.0, 3.0), vec3<f32>(saturate(fq(f0)), 0.5, 1.0)).y);",
    "f1 = fq(determinant(mat2x2<f32>(1.0, saturate(fq(f0)), 2.0, 3.0)));",
    "let e = array<S, 2>(s, nest.one); i0 += e[{word}].m;",
    "while i0 > 100 { i0 = i0 / 2 - 1; if {bool} { break; } }",
    "let d = bitcast<vec4<i32>>(v4); n4 ^= d; v4 = bitcast<vec4<u32>>(n4.wxyz);",
    "u0 = (u1 >> (u2 & 31u)) | (u1 << (32u - (u2 & 31u)));",
    "i0 = abs(n4).x + sign(i1) * max(n4, n4.wzyx).y + clamp(n4, vec4<i32>(-9), vec4<i32>(9)).z;",
];

const GLSL: &[&str] = &[
    "i0 = bool(u0 & 1u) ? {int} : i1;",
    "if (u0 > 3u && side(i1)) { i2 = {int}; }",
    "if (u0 > 3u || side(i2)) { u1 = {word}; }",
    "u0 = atomicAdd(own[lane], {word});",
    "u1 = atomicMax(own[lane], {word});",
    "u2 = atomicExchange(own[lane], {word});",
    "u0 ^= atomicAnd(own[lane], 255u) ^ atomicOr(own[lane], 3u); u1 += atomicCompSwap(own[lane], 3u, {word}) + atomicXor(own[lane], 9u);",
    "i0 = TABLE[({word}) & 3u] + C;",
    "both(i0, u1, {int});",
    "both(n4.y, v4.w, {int});",
    "i1 = (i0++, i0 + {int});",
    "i1 = (i0 += {int}, i2 -= i0, i2 * 2);",
    "i0 = {bool} ? i0++ : --i1;",
    "f1 = fq(v4.x > 2u ? f0 : f1);",
    "u1 = uint(i0 = {int});",
    "b0 = !(b0 ^^ (u1 == 2u));",
    "n4.zx = ivec2({int}, i1); v4.xy += uvec2({word}); v4.wy ^= v4.xz;",
    "n4 = ivec4(n4.x, n4.wzy); n4[({word}) & 3u] -= 2;",
    "grid[({word}) & 1u][({word}) % 3u] += {word}; u1 ^= grid[1][u0 % 3u];",
    "S whole = s; whole.m += {int}; nest.parts[u0 & 1u] = whole; s = nest.parts[1];",
    "nest = Nest(nest.parts[1], S[2](s, nest.one));",
    "bump(nest.parts[({word}) & 1u].m, 3);",
    "uint row[3] = grid[({word}) & 1u]; row[1]++; grid[1] = row;",
    "m32[({word}) % 3u] = fq2(m32[1] + vec2(0.5, fq({float})));",
    "m32[1].y = fq({float}); m43[2].zx = vec2(fq(f0), 0.5);",
    "f0 = fq(dot(m32 * vec3(1.0, 0.5, -2.0), vec2(1.0)));",
    "f1 = fq((transpose(m32) * vec2(0.5, 2.0))[({word}) % 3u]);",
    "mat = matrixCompMult(mat2(0.5, 1.0, 1.0, 2.0), mat); mat[0] = fq2(mat[0]); mat[1] = fq2(mat[1]);",
    "mat3 big = mat3(mat); f0 = fq(big[2][2] + big[0][1]);",
    "mat2 o = outerProduct(vec2(1.0, 2.0), vec2(0.5, -1.0)); mat[1] = fq2(o[0]);",
    "f1 = fq(determinant(mat2(1.0, clamp(fq(f0), 0.0, 1.0), 2.0, 3.0)));",
    "f0 = fq(cross(vec3(1.0, 2.0, 3.0), vec3(clamp(fq(f0), 0.0, 1.0), 0.5, 1.0)).y);",
    "i2 = mix(n4, n4.wzyx, bvec4(b0, {bool}, true, false)).z;",
    "n4 = min(n4 * 3, ivec4({int})) & ~n4.yxwz;",
    "n4 <<= ivec4(1, 2, 3, 4); v4 >>= 1;",
    "v4 %= uvec4({word} | 1u, 3u, 5u, 7u);",
    "for (int k = 0, j = 3; k < j; k++, j--) { if ({bool}) continue; i0 ^= k + j; }",
    "int w = 0; do { w++; if (w == 2) continue; if ({bool} && w > 3) break; i1 += w; } while (w < 5);",
    "int w = 0; while (true) { w++; switch (w) { case 1: i0++; case 2: i1--; break; case 3: continue; default: i2 ^= w; } if (w > 4) break; }",
    "uint high_, low_; umulExtended({word}, u1, high_, low_); u0 ^= high_ + low_;",
    "int high_, low_; imulExtended({int}, i1, high_, low_); i0 ^= high_ + low_;",
    "uint c; u1 = uaddCarry(u0, {word}, c); u2 += c; u0 = usubBorrow(u0, u2, c) + c;",
    "int e; f1 = fq(frexp(fq({float}), e) * 8.0); i0 += e;",
    "float w; f0 = fq(modf(fq({float}), w)); f1 = fq(w);",
    "f0 = fq(ldexp(fq(f1), 1) + step(f0, 1.0) + mix(fq(f0), fq(f1), 0.5) + roundEven(f0));",
    "f1 = fq(unpackHalf2x16(packHalf2x16(vec2(1.5, clamp(fq(f0), -64.0, 64.0)))).y);",
    "u2 = packUnorm4x8(vec4(0.0, 1.0, clamp(fq(f0), 0.0, 1.0), 0.0));",
    "f1 = fq(unpackSnorm4x8(0x7f810000u).w + unpackUnorm2x16(0xffff0000u).y);",
    "u1 += uint(arr.length()) + uint(TABLE.length());",
    "i2 = helper(n4, arr).y;",
    "b0 = any(lessThan(n4, n4.yzwx)) ^^ all(notEqual(v4, uvec4({word})));",
    "u0 = SPEC + ({word}); if (SPEC > 3u) { u1 ^= SPEC; }",
    "const int LOCAL[3] = int[](1, 2, C); i0 += LOCAL[({word}) % 3u];",
    "uvec3 t = uvec3(v4); t.zyx = t; u2 ^= t.x;",
    "bvec3 flags = bvec3(b0, {bool}, true); flags.y = !flags.z; b0 = all(flags) || any(not(flags));",
    "i0 = overload({int}); u0 = overload({word});",
    "i1 = findMSB(n4).x + bitCount(v4).y + findLSB(v4).z;",
    "int shadow = i0; { int shadow = {int}; shadow += 1; i1 ^= shadow; } i2 ^= shadow;",
    "u0 = (u1 >> (u2 & 31u)) | (u1 << ((32u - u2) & 31u));",
    "i0 = abs(n4).x + sign(i1) * max(n4, n4.wzyx).y + clamp(n4, -9, 9).z;",
    "if ({bool}) { if ({bool}) i0 = 1; else i0 = 2; } else if ({bool}) i1 = 3; else { i2 = 4; }",
];
