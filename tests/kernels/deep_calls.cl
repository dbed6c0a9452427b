// Evaluates expressions of a small language; a chain of functions that are not inlined, with pointers to structs and to private memory.
typedef struct {
    global const uchar *text;
    uint at, size, depth;
    int marks[4];
} Reader;
#define APART __attribute__((noinline)) static
APART uchar peek(const Reader *r)
{
    return r->at < r->size ? r->text[r->at] : 0;
}
APART uchar next(Reader *r)
{
    uchar c = peek(r);
    r->at++;
    return c;
}
APART int number(Reader *r)
{
    int n = 0;
    while (peek(r) >= '0' && peek(r) <= '9')
        n = n * 10 + (next(r) - '0');
    r->marks[n & 3]++;
    return n;
}
APART int atom(Reader *r)
{
    if (peek(r) == '-') {
        next(r);
        return -number(r);
    }
    return number(r);
}
APART int product(Reader *r, int *count)
{
    int n = atom(r);
    for (;;) {
        uchar c = peek(r);
        if (c == '*') {
            next(r);
            n *= atom(r);
        } else if (c == '%') {
            next(r);
            int d = atom(r);
            n = d ? n % d : 0;
        } else {
            return n;
        }
        ++*count;
    }
}
APART int sum(Reader *r, int *count)
{
    int n = product(r, count);
    while (peek(r) == '+' || peek(r) == '-') {
        ++*count;
        n += next(r) == '+' ? product(r, count) : -product(r, count);
    }
    return n;
}
APART void statement(Reader *r, int *results)
{
    int count = 0;
    results[0] = sum(r, &count);
    results[1] = count;
    if (next(r) != ';')
        results[1] += 100;
}
kernel void deep_calls(global const uchar *text, global int *out, uint size)
{
    uint gid = get_global_id(0);
    Reader r;
    r.text = text;
    r.at = gid * 3;
    r.size = size;
    r.depth = 0;
    for (int k = 0; k < 4; ++k)
        r.marks[k] = 0;
    int results[2], total = 0;
    while (r.at < size && r.depth < 12) {
        statement(&r, results);
        total = total * 7 + results[0] + results[1] * 1000;
        r.depth++;
    }
    out[gid * 2] = total;
    out[gid * 2 + 1] = r.marks[0] + r.marks[1] * 10 + r.marks[2] * 100 + r.marks[3] * 1000;
}
