typedef struct { uint x; uint y; } pair;
pair swap(pair p) { pair q = {p.y, p.x}; return q; }
