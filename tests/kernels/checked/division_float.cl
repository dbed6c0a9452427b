// Floats may be divided by zero.
// run: --global 1 --local 1 --arg 'out:f32[1]=zero' --arg f32=0
kernel void k(global float *out, float x) {
  *out = 1 / x;
}
