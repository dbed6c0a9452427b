// What a branch in a divergent loop decides in the last iteration is used behind the loop: a driver that computes it again for lanes that left loses it.
kernel void branch_result(global uint *out, global const uint *in) {
  uint i = get_global_id(0);
  uint x = in[i], a = 0;
  for (;;) {
    if (x & 4) a += 1;
    x = x * 1664525u + 1013904223u;
    if ((x >> 28) == 0) break;
    a += 8;
  }
  out[i] = a;
}
