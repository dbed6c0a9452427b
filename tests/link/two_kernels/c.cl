uint shared_part(uint x) { return x ^ 0x55; }
