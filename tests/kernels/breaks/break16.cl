// One loop whose body is 16 copies of a block with three exits: break, continue, and goto out of both loops.
kernel void break16(global const uint *in, global uint *out, uint rounds, uint turns)
{
    uint gid = get_global_id(0), x = in[gid], sum = gid, left = 0;
    for (uint r = 0; r < rounds; ++r) {
        for (uint t = 0; t < turns; ++t) {
            x = x * 1664525u + 1013904223u;
            sum += x >> 22 ^ 0u;
            if (x >> 22 == 11u) {
                sum = sum * 3 + 0u;
                break;
            }
            if (x >> 22 == 400u) {
                sum ^= 1u << 20;
                continue;
            }
            if (x >> 22 == 777u) {
                left = 1u;
                goto done;
            }
            x = x * 1664525u + 1013904225u;
            sum += x >> 22 ^ 1u;
            if (x >> 22 == 48u) {
                sum = sum * 3 + 1u;
                break;
            }
            if (x >> 22 == 453u) {
                sum ^= 2u << 20;
                continue;
            }
            if (x >> 22 == 868u) {
                left = 2u;
                goto done;
            }
            x = x * 1664525u + 1013904227u;
            sum += x >> 22 ^ 2u;
            if (x >> 22 == 85u) {
                sum = sum * 3 + 2u;
                break;
            }
            if (x >> 22 == 506u) {
                sum ^= 3u << 20;
                continue;
            }
            if (x >> 22 == 959u) {
                left = 3u;
                goto done;
            }
            x = x * 1664525u + 1013904229u;
            sum += x >> 22 ^ 3u;
            if (x >> 22 == 122u) {
                sum = sum * 3 + 3u;
                break;
            }
            if (x >> 22 == 559u) {
                sum ^= 4u << 20;
                continue;
            }
            if (x >> 22 == 26u) {
                left = 4u;
                goto done;
            }
            x = x * 1664525u + 1013904231u;
            sum += x >> 22 ^ 4u;
            if (x >> 22 == 159u) {
                sum = sum * 3 + 4u;
                break;
            }
            if (x >> 22 == 612u) {
                sum ^= 5u << 20;
                continue;
            }
            if (x >> 22 == 117u) {
                left = 5u;
                goto done;
            }
            x = x * 1664525u + 1013904233u;
            sum += x >> 22 ^ 5u;
            if (x >> 22 == 196u) {
                sum = sum * 3 + 5u;
                break;
            }
            if (x >> 22 == 665u) {
                sum ^= 6u << 20;
                continue;
            }
            if (x >> 22 == 208u) {
                left = 6u;
                goto done;
            }
            x = x * 1664525u + 1013904235u;
            sum += x >> 22 ^ 6u;
            if (x >> 22 == 233u) {
                sum = sum * 3 + 6u;
                break;
            }
            if (x >> 22 == 718u) {
                sum ^= 7u << 20;
                continue;
            }
            if (x >> 22 == 299u) {
                left = 7u;
                goto done;
            }
            x = x * 1664525u + 1013904237u;
            sum += x >> 22 ^ 7u;
            if (x >> 22 == 270u) {
                sum = sum * 3 + 7u;
                break;
            }
            if (x >> 22 == 771u) {
                sum ^= 8u << 20;
                continue;
            }
            if (x >> 22 == 390u) {
                left = 8u;
                goto done;
            }
            x = x * 1664525u + 1013904239u;
            sum += x >> 22 ^ 8u;
            if (x >> 22 == 307u) {
                sum = sum * 3 + 8u;
                break;
            }
            if (x >> 22 == 824u) {
                sum ^= 9u << 20;
                continue;
            }
            if (x >> 22 == 481u) {
                left = 9u;
                goto done;
            }
            x = x * 1664525u + 1013904241u;
            sum += x >> 22 ^ 9u;
            if (x >> 22 == 344u) {
                sum = sum * 3 + 9u;
                break;
            }
            if (x >> 22 == 877u) {
                sum ^= 10u << 20;
                continue;
            }
            if (x >> 22 == 572u) {
                left = 10u;
                goto done;
            }
            x = x * 1664525u + 1013904243u;
            sum += x >> 22 ^ 10u;
            if (x >> 22 == 381u) {
                sum = sum * 3 + 10u;
                break;
            }
            if (x >> 22 == 930u) {
                sum ^= 11u << 20;
                continue;
            }
            if (x >> 22 == 663u) {
                left = 11u;
                goto done;
            }
            x = x * 1664525u + 1013904245u;
            sum += x >> 22 ^ 11u;
            if (x >> 22 == 418u) {
                sum = sum * 3 + 11u;
                break;
            }
            if (x >> 22 == 983u) {
                sum ^= 12u << 20;
                continue;
            }
            if (x >> 22 == 754u) {
                left = 12u;
                goto done;
            }
            x = x * 1664525u + 1013904247u;
            sum += x >> 22 ^ 12u;
            if (x >> 22 == 455u) {
                sum = sum * 3 + 12u;
                break;
            }
            if (x >> 22 == 12u) {
                sum ^= 13u << 20;
                continue;
            }
            if (x >> 22 == 845u) {
                left = 13u;
                goto done;
            }
            x = x * 1664525u + 1013904249u;
            sum += x >> 22 ^ 13u;
            if (x >> 22 == 492u) {
                sum = sum * 3 + 13u;
                break;
            }
            if (x >> 22 == 65u) {
                sum ^= 14u << 20;
                continue;
            }
            if (x >> 22 == 936u) {
                left = 14u;
                goto done;
            }
            x = x * 1664525u + 1013904251u;
            sum += x >> 22 ^ 14u;
            if (x >> 22 == 529u) {
                sum = sum * 3 + 14u;
                break;
            }
            if (x >> 22 == 118u) {
                sum ^= 15u << 20;
                continue;
            }
            if (x >> 22 == 3u) {
                left = 15u;
                goto done;
            }
            x = x * 1664525u + 1013904253u;
            sum += x >> 22 ^ 15u;
            if (x >> 22 == 566u) {
                sum = sum * 3 + 15u;
                break;
            }
            if (x >> 22 == 171u) {
                sum ^= 16u << 20;
                continue;
            }
            if (x >> 22 == 94u) {
                left = 16u;
                goto done;
            }
            sum += t;
        }
        sum = sum * 5 + r;
    }
done:
    out[gid * 2] = sum;
    out[gid * 2 + 1] = left;
}
