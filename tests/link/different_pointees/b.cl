uint first_bytes(global const uchar *p) { return ((global const ushort *)p)[0] + ((global const uint *)p)[0]; }
