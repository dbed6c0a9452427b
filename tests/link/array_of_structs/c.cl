typedef struct { uint x; uint y; } pair;
uint weight(global const pair *p) { return p->x ^ (p->y << 1); }
