// The values that are printed are defined.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_global_id(0);
  if (i == 3) printf("%u %s %.2f\n", i, "text", 1.5f);
  out[i] = i;
}
