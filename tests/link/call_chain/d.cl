uint three(uint x) { return (x >> 2) | (x << 30); }
