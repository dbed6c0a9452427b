// The null pointer is checked first.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg u32=0
kernel void k(global uint *out, uint n) {
  global uint *p = n ? out : 0;
  if (p) p[get_global_id(0)] = 1;
}
