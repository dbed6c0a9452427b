// A scanner of numbers, names and comments; switch with fall-through and states, cases that leave nested loops, divergent returns.
kernel void scanner_states(global const uchar *text, global uint *out, uint size)
{
    uint gid = get_global_id(0), state = 0, names = 0, numbers = 0, value = 0, depth = 0;
    for (uint at = gid; at < size; ++at) {
        uchar c = text[at];
        switch (state) {
        case 0:
            if (c >= '0' && c <= '9') {
                value = 0;
                state = 1;
                // fall through
        case 1:
                if (c >= '0' && c <= '9') {
                    value = value * 10 + c - '0';
                    continue;
                }
                numbers += value;
                state = 0;
            }
            if (c == '(') {
                ++depth;
                break;
            }
            if (c == ')') {
                if (depth-- == 0) {
                    out[gid] = 0xBAD00000u + at;
                    return;
                }
                break;
            }
            if (c == '#')
                state = 3;
            else if (c >= 'a' && c <= 'z')
                state = 2;
            break;
        case 2:
            while (at < size && text[at] >= 'a' && text[at] <= 'z')
                ++at;
            ++names;
            state = 0;
            --at;
            break;
        case 3:
            for (;; ++at) {
                if (at >= size)
                    goto done;
                if (text[at] == ';') {
                    state = 0;
                    break;
                }
                if (text[at] == '#' && (gid & 1))
                    return;
            }
            break;
        }
    }
done:
    out[gid] = names + numbers * 100 + depth * 10000000 + state * 100000000;
}
