// A pointer past the end is compared, and not used.
// run: --global 1 --local 1 --arg 'out:u32[1]=zero' --arg 'in:u32[5]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  uint sum = 0;
  for (global const uint *p = in; p != in + 5; ++p)
    sum += *p;
  *out = sum;
}
