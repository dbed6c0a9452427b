typedef struct { uint x; uint y; } pair;
uint sum(global const pair *p) { return p->x + 3 * p->y; }
