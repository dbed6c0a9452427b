void powers(uint *to, uint base, uint count) {
    uint x = 1;
    for (uint k = 0; k < count; k++) {
        to[k] = x;
        x *= base;
    }
}
