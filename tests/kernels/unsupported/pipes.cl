// Unsupported: moves packets from one pipe to another (OpenCL 2.0).
kernel void pipes(read_only pipe uint from, write_only pipe uint to)
{
    uint packet;
    if (read_pipe(from, &packet) == 0) {
        packet += 1;
        write_pipe(to, &packet);
    }
}
