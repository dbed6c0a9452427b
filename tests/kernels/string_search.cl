// Counts words of a text; char pointers into global and constant memory, library-like string functions.
constant char needles[] = "the\0of\0ring\0a\0wind\0";
static uint length(constant const char *s)
{
    constant const char *p = s;
    while (*p)
        ++p;
    return (uint)(p - s);
}
static int starts_with(global const char *text, constant const char *word)
{
    while (*word && *text == *word) {
        ++text;
        ++word;
    }
    return !*word;
}
static global const char *find(global const char *p, global const char *end, char c)
{
    for (; p < end; ++p)
        if (*p == c)
            return p;
    return 0;
}
kernel void string_search(global const char *text, global int *out, uint size)
{
    uint gid = get_global_id(0);
    constant const char *word = needles;
    for (uint k = 0; k < gid % 5; ++k)
        word += length(word) + 1;
    global const char *end = text + size;
    int hits = 0, last = -1;
    for (global const char *p = find(text + gid, end, *word); p; p = find(p + 1, end, *word))
        if (starts_with(p, word)) {
            ++hits;
            last = (int)(p - text);
        }
    out[gid * 3] = hits;
    out[gid * 3 + 1] = last;
    out[gid * 3 + 2] = (int)length(word) * 1000 + text[gid] - 'a';
}
