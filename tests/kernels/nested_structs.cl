// Moves particles of nested structs in global memory; struct copies, arrays in structs, structs returned by value.
typedef struct {
    int x, y;
} Point;
typedef struct {
    Point at, velocity;
    uchar life;
    ushort trail[3];
} Particle;
typedef struct {
    Particle items[4];
    uint steps;
} Cell;
static Point sum(Point a, Point b)
{
    Point r = {a.x + b.x, a.y + b.y};
    return r;
}
static Particle moved(Particle p, int k)
{
    p.at = sum(p.at, p.velocity);
    if (p.at.x < 0 || p.at.x > 1000)
        p.velocity.x = -p.velocity.x;
    p.trail[k % 3] = (ushort)(p.at.x ^ p.at.y);
    return p;
}
kernel void nested_structs(global Cell *cells, global Cell *copies)
{
    uint gid = get_global_id(0);
    Cell cell = cells[gid];
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 5; ++k)
            cell.items[i] = moved(cell.items[i], k + i);
        if (cell.items[i].life & 1)
            cells[gid].items[i] = cell.items[3 - i];
        else
            cells[gid].items[i].at = cell.items[i].velocity;
    }
    cell.steps += 5;
    copies[gid] = cell;
    global Particle *dying = &copies[gid].items[gid & 3];
    dying->life -= 1;
    dying->trail[1] += copies[gid].items[(gid + 1) & 3].trail[2];
}
