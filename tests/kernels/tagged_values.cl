// A stack machine over tagged unions; a private array of structs with unions that hold int, float, bytes or a long.
typedef struct {
    uchar tag;
    union {
        int i;
        float f;
        uchar bytes[4];
        long l;
    } as;
} Value;
static float number(Value v)
{
    switch (v.tag) {
    case 0: return (float)v.as.i;
    case 1: return v.as.f;
    case 2: return (float)(v.as.bytes[0] + v.as.bytes[3]);
    default: return (float)(v.as.l >> 20);
    }
}
kernel void tagged_values(global const uint *in, global float *out, global uint *tags)
{
    uint gid = get_global_id(0), seen = 0;
    Value stack[8];
    int top = 0;
    for (uint k = 0; k < 20; ++k) {
        uint x = in[gid * 20 + k], op = x & 7;
        if (top < 2 || (op < 4 && top < 8)) {
            Value v;
            v.tag = op & 3;
            v.as.l = 0;
            if (v.tag == 0)
                v.as.i = (int)(x >> 8) % 1000;
            else if (v.tag == 1)
                v.as.f = (float)((x >> 8) & 255) * 0.25f;
            else if (v.tag == 2)
                for (int b = 0; b < 4; ++b)
                    v.as.bytes[b] = (uchar)(x >> (b * 8));
            else
                v.as.l = (long)x * 37;
            stack[top++] = v;
            continue;
        }
        Value b = stack[--top], a = stack[--top], r;
        r.tag = 1;
        switch (op) {
        case 4: r.as.f = number(a) + number(b); break;
        case 5: r.as.f = number(a) - number(b); break;
        case 6: r = number(a) > number(b) ? a : b; break;
        default:
            r.tag = 0;
            r.as.i = (int)fmin(fmax(number(a), -900.0f), 900.0f) * 2;
        }
        seen = seen * 5 + r.tag;
        stack[top++] = r;
    }
    float sum = 0;
    while (top > 0)
        sum += fmin(number(stack[--top]), 1000.0f);
    out[gid] = sum;
    tags[gid] = seen;
}
