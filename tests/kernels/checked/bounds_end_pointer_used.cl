// A pointer past the end is used.
// run: --global 1 --local 1 --arg 'out:u32[1]=zero' --arg 'in:u32[5]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  uint sum = 0;
  global const uint *p = in;
  do
    sum += *p; // expect: U08
  while (p++ != in + 5);
  *out = sum;
}
