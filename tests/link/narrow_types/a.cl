// Arguments of 8 and 16 bits, signed and not.
short narrow(char a, uchar b);
int widen(short s);
kernel void narrow_types(global uint *out, global const uint *in) {
    size_t i = get_global_id(0);
    out[i] = (uint)widen(narrow((char)in[i], (uchar)(in[i] >> 1)));
}
