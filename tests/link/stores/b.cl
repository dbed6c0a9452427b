void put(global uint *to, uint at, uint value) { to[at] = value * 2; }
