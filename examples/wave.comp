#version 450
// A wave of words: each pass of the loop adds its neighbour, until a word is large.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
layout(push_constant) uniform Limits { uint limit; uint count; };

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item >= count)
        return;
    uint sum = words[item];
    for (uint step = 1; step < 16; ++step) {
        sum += words[(item + step) % count] * 2 / 2;
        if (sum > limit)
            break;
    }
    words[item] = sum;
}
