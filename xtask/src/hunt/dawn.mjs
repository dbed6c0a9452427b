import { create, globals } from 'webgpu';
import fs from 'fs';
Object.assign(globalThis, globals);
const gpu = create([]);
const adapter = await gpu.requestAdapter();
const device = await adapter.requestDevice();
const files = process.argv.slice(2);
for (const f of files) {
  try {
    device.pushErrorScope('validation');
    const m = device.createShaderModule({ code: fs.readFileSync(f, 'utf8') });
    const p = await device.createComputePipelineAsync({ layout: 'auto', compute: { module: m, entryPoint: 'main' } });
    const input = new Uint32Array(JSON.parse(fs.readFileSync(f + '.json', 'utf8')));
    const a = device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(a, 0, input);
    const b = device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
    const r = device.createBuffer({ size: 256, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const g = device.createBindGroup({ layout: p.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer: a } }, { binding: 1, resource: { buffer: b } }] });
    const e = device.createCommandEncoder();
    const c = e.beginComputePass(); c.setPipeline(p); c.setBindGroup(0, g); c.dispatchWorkgroups(1); c.end();
    e.copyBufferToBuffer(b, 0, r, 0, 256);
    device.queue.submit([e.finish()]);
    await r.mapAsync(GPUMapMode.READ);
    const words = Array.from(new Uint32Array(r.getMappedRange().slice(0)));
    const err = await device.popErrorScope();
    console.log(JSON.stringify({ file: f, words: err ? null : words, error: err ? err.message : undefined }));
  } catch (x) { console.log(JSON.stringify({ file: f, words: null, error: String(x.message || x) })); }
}
process.exit(0);
