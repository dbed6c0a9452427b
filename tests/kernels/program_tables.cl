// Sorts through program-scope tables whose initial values are addresses of other program-scope variables (OpenCL 2.0).
typedef struct {
    global uint *first;
    uint count;
} Span;
global uint low[4] = {31, 4, 15, 92}, middle[4] = {65, 35, 89, 79}, high[4] = {32, 38, 46, 26};
global Span spans[3] = {{middle, 4}, {low, 3}, {high, 4}};
global uint *global cursor = high;
constant uint steps[3] = {1, 2, 3};
kernel void program_tables(global uint *out)
{
    uint lid = get_local_id(0);
    if (lid < 3) {
        Span s = spans[lid];
        for (uint i = 1; i < s.count; ++i)
            for (uint j = i; j > 0 && s.first[j] < s.first[j - 1]; --j) {
                uint t = s.first[j];
                s.first[j] = s.first[j - 1];
                s.first[j - 1] = t;
            }
        spans[lid].count += steps[lid];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (lid == 0)
        cursor += 2;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[lid] = spans[lid % 3].first[lid / 3] * 100 + spans[lid % 3].count + *cursor * 10000 + (uint)(cursor - spans[2].first) * 10000000;
}
