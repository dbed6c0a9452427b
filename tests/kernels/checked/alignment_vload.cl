// vload4 needs the alignment of the elements only.
// run: --global 1 --local 1 --arg 'out:u32[4]=zero' --arg 'in:u32[9]=zero'
kernel void k(global uint4 *out, global const uint *in) {
  *out = vload4(0, in + 1);
}
