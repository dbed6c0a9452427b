// Spells numbers; constant tables of pointers to constant strings and arrays, of structs with both, and pointers to such.
constant char *constant digits[10] = {"zero ", "one  ", "two  ", "three", "four ", "five ", "six  ", "seven", "eight", "nine "};
constant uint small[4] = {3, 1, 4, 1}, middle[4] = {5, 9, 2, 6}, large[4] = {5, 3, 5, 8};
constant uint *constant rows[4] = {large, small, middle, small};
typedef struct {
    constant char *name;
    constant uint *values;
    uint count;
} Entry;
constant Entry entries[3] = {{"low", small, 4}, {"mid", middle, 3}, {"top", large, 2}};
static uint spell(constant char *s, global uchar *to, uint at, uint size)
{
    for (; *s && *s != ' ' && at < size; ++s)
        to[at++] = (uchar)*s;
    return at;
}
kernel void constant_pointers(global const uint *in, global uchar *text, global uint *sums)
{
    uint gid = get_global_id(0), x = in[gid], at = 0;
    global uchar *line = text + gid * 16;
    while (at < 16) {
        at = spell(digits[x % 10], line, at, 16);
        x /= 10;
    }
    constant Entry *e = &entries[in[gid] % 3];
    uint sum = spell(e->name, line, 12, 16);
    for (constant uint *p = e->values; p < e->values + e->count; ++p)
        sum = sum * 10 + *p;
    sums[gid] = sum + rows[gid & 3][in[gid] & 3] * 1000000;
}
