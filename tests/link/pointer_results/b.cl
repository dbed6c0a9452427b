global const uint *advance(global const uint *p, uint n) { return p + (n * 7 & 63); }
