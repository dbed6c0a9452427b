// A loop that ends one step too late.
// run: --global 1 --local 1 --arg 'out:u32[1]=zero' --arg 'in:u32[5]=lcg(1)' --arg u32=5
kernel void k(global uint *out, global const uint *in, uint n) {
  uint sum = 0;
  for (uint i = 0; i <= n; ++i)
    sum += in[i]; // expect: U08
  *out = sum;
}
