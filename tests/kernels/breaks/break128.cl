// One loop whose body is 128 copies of a block with three exits: break, continue, and goto out of both loops.
kernel void break128(global const uint *in, global uint *out, uint rounds, uint turns)
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
            x = x * 1664525u + 1013904255u;
            sum += x >> 22 ^ 16u;
            if (x >> 22 == 603u) {
                sum = sum * 3 + 16u;
                break;
            }
            if (x >> 22 == 224u) {
                sum ^= 17u << 20;
                continue;
            }
            if (x >> 22 == 185u) {
                left = 17u;
                goto done;
            }
            x = x * 1664525u + 1013904257u;
            sum += x >> 22 ^ 17u;
            if (x >> 22 == 640u) {
                sum = sum * 3 + 17u;
                break;
            }
            if (x >> 22 == 277u) {
                sum ^= 18u << 20;
                continue;
            }
            if (x >> 22 == 276u) {
                left = 18u;
                goto done;
            }
            x = x * 1664525u + 1013904259u;
            sum += x >> 22 ^ 18u;
            if (x >> 22 == 677u) {
                sum = sum * 3 + 18u;
                break;
            }
            if (x >> 22 == 330u) {
                sum ^= 19u << 20;
                continue;
            }
            if (x >> 22 == 367u) {
                left = 19u;
                goto done;
            }
            x = x * 1664525u + 1013904261u;
            sum += x >> 22 ^ 19u;
            if (x >> 22 == 714u) {
                sum = sum * 3 + 19u;
                break;
            }
            if (x >> 22 == 383u) {
                sum ^= 20u << 20;
                continue;
            }
            if (x >> 22 == 458u) {
                left = 20u;
                goto done;
            }
            x = x * 1664525u + 1013904263u;
            sum += x >> 22 ^ 20u;
            if (x >> 22 == 751u) {
                sum = sum * 3 + 20u;
                break;
            }
            if (x >> 22 == 436u) {
                sum ^= 21u << 20;
                continue;
            }
            if (x >> 22 == 549u) {
                left = 21u;
                goto done;
            }
            x = x * 1664525u + 1013904265u;
            sum += x >> 22 ^ 21u;
            if (x >> 22 == 788u) {
                sum = sum * 3 + 21u;
                break;
            }
            if (x >> 22 == 489u) {
                sum ^= 22u << 20;
                continue;
            }
            if (x >> 22 == 640u) {
                left = 22u;
                goto done;
            }
            x = x * 1664525u + 1013904267u;
            sum += x >> 22 ^ 22u;
            if (x >> 22 == 825u) {
                sum = sum * 3 + 22u;
                break;
            }
            if (x >> 22 == 542u) {
                sum ^= 23u << 20;
                continue;
            }
            if (x >> 22 == 731u) {
                left = 23u;
                goto done;
            }
            x = x * 1664525u + 1013904269u;
            sum += x >> 22 ^ 23u;
            if (x >> 22 == 862u) {
                sum = sum * 3 + 23u;
                break;
            }
            if (x >> 22 == 595u) {
                sum ^= 24u << 20;
                continue;
            }
            if (x >> 22 == 822u) {
                left = 24u;
                goto done;
            }
            x = x * 1664525u + 1013904271u;
            sum += x >> 22 ^ 24u;
            if (x >> 22 == 899u) {
                sum = sum * 3 + 24u;
                break;
            }
            if (x >> 22 == 648u) {
                sum ^= 25u << 20;
                continue;
            }
            if (x >> 22 == 913u) {
                left = 25u;
                goto done;
            }
            x = x * 1664525u + 1013904273u;
            sum += x >> 22 ^ 25u;
            if (x >> 22 == 936u) {
                sum = sum * 3 + 25u;
                break;
            }
            if (x >> 22 == 701u) {
                sum ^= 26u << 20;
                continue;
            }
            if (x >> 22 == 1004u) {
                left = 26u;
                goto done;
            }
            x = x * 1664525u + 1013904275u;
            sum += x >> 22 ^ 26u;
            if (x >> 22 == 973u) {
                sum = sum * 3 + 26u;
                break;
            }
            if (x >> 22 == 754u) {
                sum ^= 27u << 20;
                continue;
            }
            if (x >> 22 == 71u) {
                left = 27u;
                goto done;
            }
            x = x * 1664525u + 1013904277u;
            sum += x >> 22 ^ 27u;
            if (x >> 22 == 1010u) {
                sum = sum * 3 + 27u;
                break;
            }
            if (x >> 22 == 807u) {
                sum ^= 28u << 20;
                continue;
            }
            if (x >> 22 == 162u) {
                left = 28u;
                goto done;
            }
            x = x * 1664525u + 1013904279u;
            sum += x >> 22 ^ 28u;
            if (x >> 22 == 23u) {
                sum = sum * 3 + 28u;
                break;
            }
            if (x >> 22 == 860u) {
                sum ^= 29u << 20;
                continue;
            }
            if (x >> 22 == 253u) {
                left = 29u;
                goto done;
            }
            x = x * 1664525u + 1013904281u;
            sum += x >> 22 ^ 29u;
            if (x >> 22 == 60u) {
                sum = sum * 3 + 29u;
                break;
            }
            if (x >> 22 == 913u) {
                sum ^= 30u << 20;
                continue;
            }
            if (x >> 22 == 344u) {
                left = 30u;
                goto done;
            }
            x = x * 1664525u + 1013904283u;
            sum += x >> 22 ^ 30u;
            if (x >> 22 == 97u) {
                sum = sum * 3 + 30u;
                break;
            }
            if (x >> 22 == 966u) {
                sum ^= 31u << 20;
                continue;
            }
            if (x >> 22 == 435u) {
                left = 31u;
                goto done;
            }
            x = x * 1664525u + 1013904285u;
            sum += x >> 22 ^ 31u;
            if (x >> 22 == 134u) {
                sum = sum * 3 + 31u;
                break;
            }
            if (x >> 22 == 1019u) {
                sum ^= 32u << 20;
                continue;
            }
            if (x >> 22 == 526u) {
                left = 32u;
                goto done;
            }
            x = x * 1664525u + 1013904287u;
            sum += x >> 22 ^ 32u;
            if (x >> 22 == 171u) {
                sum = sum * 3 + 32u;
                break;
            }
            if (x >> 22 == 48u) {
                sum ^= 33u << 20;
                continue;
            }
            if (x >> 22 == 617u) {
                left = 33u;
                goto done;
            }
            x = x * 1664525u + 1013904289u;
            sum += x >> 22 ^ 33u;
            if (x >> 22 == 208u) {
                sum = sum * 3 + 33u;
                break;
            }
            if (x >> 22 == 101u) {
                sum ^= 34u << 20;
                continue;
            }
            if (x >> 22 == 708u) {
                left = 34u;
                goto done;
            }
            x = x * 1664525u + 1013904291u;
            sum += x >> 22 ^ 34u;
            if (x >> 22 == 245u) {
                sum = sum * 3 + 34u;
                break;
            }
            if (x >> 22 == 154u) {
                sum ^= 35u << 20;
                continue;
            }
            if (x >> 22 == 799u) {
                left = 35u;
                goto done;
            }
            x = x * 1664525u + 1013904293u;
            sum += x >> 22 ^ 35u;
            if (x >> 22 == 282u) {
                sum = sum * 3 + 35u;
                break;
            }
            if (x >> 22 == 207u) {
                sum ^= 36u << 20;
                continue;
            }
            if (x >> 22 == 890u) {
                left = 36u;
                goto done;
            }
            x = x * 1664525u + 1013904295u;
            sum += x >> 22 ^ 36u;
            if (x >> 22 == 319u) {
                sum = sum * 3 + 36u;
                break;
            }
            if (x >> 22 == 260u) {
                sum ^= 37u << 20;
                continue;
            }
            if (x >> 22 == 981u) {
                left = 37u;
                goto done;
            }
            x = x * 1664525u + 1013904297u;
            sum += x >> 22 ^ 37u;
            if (x >> 22 == 356u) {
                sum = sum * 3 + 37u;
                break;
            }
            if (x >> 22 == 313u) {
                sum ^= 38u << 20;
                continue;
            }
            if (x >> 22 == 48u) {
                left = 38u;
                goto done;
            }
            x = x * 1664525u + 1013904299u;
            sum += x >> 22 ^ 38u;
            if (x >> 22 == 393u) {
                sum = sum * 3 + 38u;
                break;
            }
            if (x >> 22 == 366u) {
                sum ^= 39u << 20;
                continue;
            }
            if (x >> 22 == 139u) {
                left = 39u;
                goto done;
            }
            x = x * 1664525u + 1013904301u;
            sum += x >> 22 ^ 39u;
            if (x >> 22 == 430u) {
                sum = sum * 3 + 39u;
                break;
            }
            if (x >> 22 == 419u) {
                sum ^= 40u << 20;
                continue;
            }
            if (x >> 22 == 230u) {
                left = 40u;
                goto done;
            }
            x = x * 1664525u + 1013904303u;
            sum += x >> 22 ^ 40u;
            if (x >> 22 == 467u) {
                sum = sum * 3 + 40u;
                break;
            }
            if (x >> 22 == 472u) {
                sum ^= 41u << 20;
                continue;
            }
            if (x >> 22 == 321u) {
                left = 41u;
                goto done;
            }
            x = x * 1664525u + 1013904305u;
            sum += x >> 22 ^ 41u;
            if (x >> 22 == 504u) {
                sum = sum * 3 + 41u;
                break;
            }
            if (x >> 22 == 525u) {
                sum ^= 42u << 20;
                continue;
            }
            if (x >> 22 == 412u) {
                left = 42u;
                goto done;
            }
            x = x * 1664525u + 1013904307u;
            sum += x >> 22 ^ 42u;
            if (x >> 22 == 541u) {
                sum = sum * 3 + 42u;
                break;
            }
            if (x >> 22 == 578u) {
                sum ^= 43u << 20;
                continue;
            }
            if (x >> 22 == 503u) {
                left = 43u;
                goto done;
            }
            x = x * 1664525u + 1013904309u;
            sum += x >> 22 ^ 43u;
            if (x >> 22 == 578u) {
                sum = sum * 3 + 43u;
                break;
            }
            if (x >> 22 == 631u) {
                sum ^= 44u << 20;
                continue;
            }
            if (x >> 22 == 594u) {
                left = 44u;
                goto done;
            }
            x = x * 1664525u + 1013904311u;
            sum += x >> 22 ^ 44u;
            if (x >> 22 == 615u) {
                sum = sum * 3 + 44u;
                break;
            }
            if (x >> 22 == 684u) {
                sum ^= 45u << 20;
                continue;
            }
            if (x >> 22 == 685u) {
                left = 45u;
                goto done;
            }
            x = x * 1664525u + 1013904313u;
            sum += x >> 22 ^ 45u;
            if (x >> 22 == 652u) {
                sum = sum * 3 + 45u;
                break;
            }
            if (x >> 22 == 737u) {
                sum ^= 46u << 20;
                continue;
            }
            if (x >> 22 == 776u) {
                left = 46u;
                goto done;
            }
            x = x * 1664525u + 1013904315u;
            sum += x >> 22 ^ 46u;
            if (x >> 22 == 689u) {
                sum = sum * 3 + 46u;
                break;
            }
            if (x >> 22 == 790u) {
                sum ^= 47u << 20;
                continue;
            }
            if (x >> 22 == 867u) {
                left = 47u;
                goto done;
            }
            x = x * 1664525u + 1013904317u;
            sum += x >> 22 ^ 47u;
            if (x >> 22 == 726u) {
                sum = sum * 3 + 47u;
                break;
            }
            if (x >> 22 == 843u) {
                sum ^= 48u << 20;
                continue;
            }
            if (x >> 22 == 958u) {
                left = 48u;
                goto done;
            }
            x = x * 1664525u + 1013904319u;
            sum += x >> 22 ^ 48u;
            if (x >> 22 == 763u) {
                sum = sum * 3 + 48u;
                break;
            }
            if (x >> 22 == 896u) {
                sum ^= 49u << 20;
                continue;
            }
            if (x >> 22 == 25u) {
                left = 49u;
                goto done;
            }
            x = x * 1664525u + 1013904321u;
            sum += x >> 22 ^ 49u;
            if (x >> 22 == 800u) {
                sum = sum * 3 + 49u;
                break;
            }
            if (x >> 22 == 949u) {
                sum ^= 50u << 20;
                continue;
            }
            if (x >> 22 == 116u) {
                left = 50u;
                goto done;
            }
            x = x * 1664525u + 1013904323u;
            sum += x >> 22 ^ 50u;
            if (x >> 22 == 837u) {
                sum = sum * 3 + 50u;
                break;
            }
            if (x >> 22 == 1002u) {
                sum ^= 51u << 20;
                continue;
            }
            if (x >> 22 == 207u) {
                left = 51u;
                goto done;
            }
            x = x * 1664525u + 1013904325u;
            sum += x >> 22 ^ 51u;
            if (x >> 22 == 874u) {
                sum = sum * 3 + 51u;
                break;
            }
            if (x >> 22 == 31u) {
                sum ^= 52u << 20;
                continue;
            }
            if (x >> 22 == 298u) {
                left = 52u;
                goto done;
            }
            x = x * 1664525u + 1013904327u;
            sum += x >> 22 ^ 52u;
            if (x >> 22 == 911u) {
                sum = sum * 3 + 52u;
                break;
            }
            if (x >> 22 == 84u) {
                sum ^= 53u << 20;
                continue;
            }
            if (x >> 22 == 389u) {
                left = 53u;
                goto done;
            }
            x = x * 1664525u + 1013904329u;
            sum += x >> 22 ^ 53u;
            if (x >> 22 == 948u) {
                sum = sum * 3 + 53u;
                break;
            }
            if (x >> 22 == 137u) {
                sum ^= 54u << 20;
                continue;
            }
            if (x >> 22 == 480u) {
                left = 54u;
                goto done;
            }
            x = x * 1664525u + 1013904331u;
            sum += x >> 22 ^ 54u;
            if (x >> 22 == 985u) {
                sum = sum * 3 + 54u;
                break;
            }
            if (x >> 22 == 190u) {
                sum ^= 55u << 20;
                continue;
            }
            if (x >> 22 == 571u) {
                left = 55u;
                goto done;
            }
            x = x * 1664525u + 1013904333u;
            sum += x >> 22 ^ 55u;
            if (x >> 22 == 1022u) {
                sum = sum * 3 + 55u;
                break;
            }
            if (x >> 22 == 243u) {
                sum ^= 56u << 20;
                continue;
            }
            if (x >> 22 == 662u) {
                left = 56u;
                goto done;
            }
            x = x * 1664525u + 1013904335u;
            sum += x >> 22 ^ 56u;
            if (x >> 22 == 35u) {
                sum = sum * 3 + 56u;
                break;
            }
            if (x >> 22 == 296u) {
                sum ^= 57u << 20;
                continue;
            }
            if (x >> 22 == 753u) {
                left = 57u;
                goto done;
            }
            x = x * 1664525u + 1013904337u;
            sum += x >> 22 ^ 57u;
            if (x >> 22 == 72u) {
                sum = sum * 3 + 57u;
                break;
            }
            if (x >> 22 == 349u) {
                sum ^= 58u << 20;
                continue;
            }
            if (x >> 22 == 844u) {
                left = 58u;
                goto done;
            }
            x = x * 1664525u + 1013904339u;
            sum += x >> 22 ^ 58u;
            if (x >> 22 == 109u) {
                sum = sum * 3 + 58u;
                break;
            }
            if (x >> 22 == 402u) {
                sum ^= 59u << 20;
                continue;
            }
            if (x >> 22 == 935u) {
                left = 59u;
                goto done;
            }
            x = x * 1664525u + 1013904341u;
            sum += x >> 22 ^ 59u;
            if (x >> 22 == 146u) {
                sum = sum * 3 + 59u;
                break;
            }
            if (x >> 22 == 455u) {
                sum ^= 60u << 20;
                continue;
            }
            if (x >> 22 == 2u) {
                left = 60u;
                goto done;
            }
            x = x * 1664525u + 1013904343u;
            sum += x >> 22 ^ 60u;
            if (x >> 22 == 183u) {
                sum = sum * 3 + 60u;
                break;
            }
            if (x >> 22 == 508u) {
                sum ^= 61u << 20;
                continue;
            }
            if (x >> 22 == 93u) {
                left = 61u;
                goto done;
            }
            x = x * 1664525u + 1013904345u;
            sum += x >> 22 ^ 61u;
            if (x >> 22 == 220u) {
                sum = sum * 3 + 61u;
                break;
            }
            if (x >> 22 == 561u) {
                sum ^= 62u << 20;
                continue;
            }
            if (x >> 22 == 184u) {
                left = 62u;
                goto done;
            }
            x = x * 1664525u + 1013904347u;
            sum += x >> 22 ^ 62u;
            if (x >> 22 == 257u) {
                sum = sum * 3 + 62u;
                break;
            }
            if (x >> 22 == 614u) {
                sum ^= 63u << 20;
                continue;
            }
            if (x >> 22 == 275u) {
                left = 63u;
                goto done;
            }
            x = x * 1664525u + 1013904349u;
            sum += x >> 22 ^ 63u;
            if (x >> 22 == 294u) {
                sum = sum * 3 + 63u;
                break;
            }
            if (x >> 22 == 667u) {
                sum ^= 64u << 20;
                continue;
            }
            if (x >> 22 == 366u) {
                left = 64u;
                goto done;
            }
            x = x * 1664525u + 1013904351u;
            sum += x >> 22 ^ 64u;
            if (x >> 22 == 331u) {
                sum = sum * 3 + 64u;
                break;
            }
            if (x >> 22 == 720u) {
                sum ^= 65u << 20;
                continue;
            }
            if (x >> 22 == 457u) {
                left = 65u;
                goto done;
            }
            x = x * 1664525u + 1013904353u;
            sum += x >> 22 ^ 65u;
            if (x >> 22 == 368u) {
                sum = sum * 3 + 65u;
                break;
            }
            if (x >> 22 == 773u) {
                sum ^= 66u << 20;
                continue;
            }
            if (x >> 22 == 548u) {
                left = 66u;
                goto done;
            }
            x = x * 1664525u + 1013904355u;
            sum += x >> 22 ^ 66u;
            if (x >> 22 == 405u) {
                sum = sum * 3 + 66u;
                break;
            }
            if (x >> 22 == 826u) {
                sum ^= 67u << 20;
                continue;
            }
            if (x >> 22 == 639u) {
                left = 67u;
                goto done;
            }
            x = x * 1664525u + 1013904357u;
            sum += x >> 22 ^ 67u;
            if (x >> 22 == 442u) {
                sum = sum * 3 + 67u;
                break;
            }
            if (x >> 22 == 879u) {
                sum ^= 68u << 20;
                continue;
            }
            if (x >> 22 == 730u) {
                left = 68u;
                goto done;
            }
            x = x * 1664525u + 1013904359u;
            sum += x >> 22 ^ 68u;
            if (x >> 22 == 479u) {
                sum = sum * 3 + 68u;
                break;
            }
            if (x >> 22 == 932u) {
                sum ^= 69u << 20;
                continue;
            }
            if (x >> 22 == 821u) {
                left = 69u;
                goto done;
            }
            x = x * 1664525u + 1013904361u;
            sum += x >> 22 ^ 69u;
            if (x >> 22 == 516u) {
                sum = sum * 3 + 69u;
                break;
            }
            if (x >> 22 == 985u) {
                sum ^= 70u << 20;
                continue;
            }
            if (x >> 22 == 912u) {
                left = 70u;
                goto done;
            }
            x = x * 1664525u + 1013904363u;
            sum += x >> 22 ^ 70u;
            if (x >> 22 == 553u) {
                sum = sum * 3 + 70u;
                break;
            }
            if (x >> 22 == 14u) {
                sum ^= 71u << 20;
                continue;
            }
            if (x >> 22 == 1003u) {
                left = 71u;
                goto done;
            }
            x = x * 1664525u + 1013904365u;
            sum += x >> 22 ^ 71u;
            if (x >> 22 == 590u) {
                sum = sum * 3 + 71u;
                break;
            }
            if (x >> 22 == 67u) {
                sum ^= 72u << 20;
                continue;
            }
            if (x >> 22 == 70u) {
                left = 72u;
                goto done;
            }
            x = x * 1664525u + 1013904367u;
            sum += x >> 22 ^ 72u;
            if (x >> 22 == 627u) {
                sum = sum * 3 + 72u;
                break;
            }
            if (x >> 22 == 120u) {
                sum ^= 73u << 20;
                continue;
            }
            if (x >> 22 == 161u) {
                left = 73u;
                goto done;
            }
            x = x * 1664525u + 1013904369u;
            sum += x >> 22 ^ 73u;
            if (x >> 22 == 664u) {
                sum = sum * 3 + 73u;
                break;
            }
            if (x >> 22 == 173u) {
                sum ^= 74u << 20;
                continue;
            }
            if (x >> 22 == 252u) {
                left = 74u;
                goto done;
            }
            x = x * 1664525u + 1013904371u;
            sum += x >> 22 ^ 74u;
            if (x >> 22 == 701u) {
                sum = sum * 3 + 74u;
                break;
            }
            if (x >> 22 == 226u) {
                sum ^= 75u << 20;
                continue;
            }
            if (x >> 22 == 343u) {
                left = 75u;
                goto done;
            }
            x = x * 1664525u + 1013904373u;
            sum += x >> 22 ^ 75u;
            if (x >> 22 == 738u) {
                sum = sum * 3 + 75u;
                break;
            }
            if (x >> 22 == 279u) {
                sum ^= 76u << 20;
                continue;
            }
            if (x >> 22 == 434u) {
                left = 76u;
                goto done;
            }
            x = x * 1664525u + 1013904375u;
            sum += x >> 22 ^ 76u;
            if (x >> 22 == 775u) {
                sum = sum * 3 + 76u;
                break;
            }
            if (x >> 22 == 332u) {
                sum ^= 77u << 20;
                continue;
            }
            if (x >> 22 == 525u) {
                left = 77u;
                goto done;
            }
            x = x * 1664525u + 1013904377u;
            sum += x >> 22 ^ 77u;
            if (x >> 22 == 812u) {
                sum = sum * 3 + 77u;
                break;
            }
            if (x >> 22 == 385u) {
                sum ^= 78u << 20;
                continue;
            }
            if (x >> 22 == 616u) {
                left = 78u;
                goto done;
            }
            x = x * 1664525u + 1013904379u;
            sum += x >> 22 ^ 78u;
            if (x >> 22 == 849u) {
                sum = sum * 3 + 78u;
                break;
            }
            if (x >> 22 == 438u) {
                sum ^= 79u << 20;
                continue;
            }
            if (x >> 22 == 707u) {
                left = 79u;
                goto done;
            }
            x = x * 1664525u + 1013904381u;
            sum += x >> 22 ^ 79u;
            if (x >> 22 == 886u) {
                sum = sum * 3 + 79u;
                break;
            }
            if (x >> 22 == 491u) {
                sum ^= 80u << 20;
                continue;
            }
            if (x >> 22 == 798u) {
                left = 80u;
                goto done;
            }
            x = x * 1664525u + 1013904383u;
            sum += x >> 22 ^ 80u;
            if (x >> 22 == 923u) {
                sum = sum * 3 + 80u;
                break;
            }
            if (x >> 22 == 544u) {
                sum ^= 81u << 20;
                continue;
            }
            if (x >> 22 == 889u) {
                left = 81u;
                goto done;
            }
            x = x * 1664525u + 1013904385u;
            sum += x >> 22 ^ 81u;
            if (x >> 22 == 960u) {
                sum = sum * 3 + 81u;
                break;
            }
            if (x >> 22 == 597u) {
                sum ^= 82u << 20;
                continue;
            }
            if (x >> 22 == 980u) {
                left = 82u;
                goto done;
            }
            x = x * 1664525u + 1013904387u;
            sum += x >> 22 ^ 82u;
            if (x >> 22 == 997u) {
                sum = sum * 3 + 82u;
                break;
            }
            if (x >> 22 == 650u) {
                sum ^= 83u << 20;
                continue;
            }
            if (x >> 22 == 47u) {
                left = 83u;
                goto done;
            }
            x = x * 1664525u + 1013904389u;
            sum += x >> 22 ^ 83u;
            if (x >> 22 == 10u) {
                sum = sum * 3 + 83u;
                break;
            }
            if (x >> 22 == 703u) {
                sum ^= 84u << 20;
                continue;
            }
            if (x >> 22 == 138u) {
                left = 84u;
                goto done;
            }
            x = x * 1664525u + 1013904391u;
            sum += x >> 22 ^ 84u;
            if (x >> 22 == 47u) {
                sum = sum * 3 + 84u;
                break;
            }
            if (x >> 22 == 756u) {
                sum ^= 85u << 20;
                continue;
            }
            if (x >> 22 == 229u) {
                left = 85u;
                goto done;
            }
            x = x * 1664525u + 1013904393u;
            sum += x >> 22 ^ 85u;
            if (x >> 22 == 84u) {
                sum = sum * 3 + 85u;
                break;
            }
            if (x >> 22 == 809u) {
                sum ^= 86u << 20;
                continue;
            }
            if (x >> 22 == 320u) {
                left = 86u;
                goto done;
            }
            x = x * 1664525u + 1013904395u;
            sum += x >> 22 ^ 86u;
            if (x >> 22 == 121u) {
                sum = sum * 3 + 86u;
                break;
            }
            if (x >> 22 == 862u) {
                sum ^= 87u << 20;
                continue;
            }
            if (x >> 22 == 411u) {
                left = 87u;
                goto done;
            }
            x = x * 1664525u + 1013904397u;
            sum += x >> 22 ^ 87u;
            if (x >> 22 == 158u) {
                sum = sum * 3 + 87u;
                break;
            }
            if (x >> 22 == 915u) {
                sum ^= 88u << 20;
                continue;
            }
            if (x >> 22 == 502u) {
                left = 88u;
                goto done;
            }
            x = x * 1664525u + 1013904399u;
            sum += x >> 22 ^ 88u;
            if (x >> 22 == 195u) {
                sum = sum * 3 + 88u;
                break;
            }
            if (x >> 22 == 968u) {
                sum ^= 89u << 20;
                continue;
            }
            if (x >> 22 == 593u) {
                left = 89u;
                goto done;
            }
            x = x * 1664525u + 1013904401u;
            sum += x >> 22 ^ 89u;
            if (x >> 22 == 232u) {
                sum = sum * 3 + 89u;
                break;
            }
            if (x >> 22 == 1021u) {
                sum ^= 90u << 20;
                continue;
            }
            if (x >> 22 == 684u) {
                left = 90u;
                goto done;
            }
            x = x * 1664525u + 1013904403u;
            sum += x >> 22 ^ 90u;
            if (x >> 22 == 269u) {
                sum = sum * 3 + 90u;
                break;
            }
            if (x >> 22 == 50u) {
                sum ^= 91u << 20;
                continue;
            }
            if (x >> 22 == 775u) {
                left = 91u;
                goto done;
            }
            x = x * 1664525u + 1013904405u;
            sum += x >> 22 ^ 91u;
            if (x >> 22 == 306u) {
                sum = sum * 3 + 91u;
                break;
            }
            if (x >> 22 == 103u) {
                sum ^= 92u << 20;
                continue;
            }
            if (x >> 22 == 866u) {
                left = 92u;
                goto done;
            }
            x = x * 1664525u + 1013904407u;
            sum += x >> 22 ^ 92u;
            if (x >> 22 == 343u) {
                sum = sum * 3 + 92u;
                break;
            }
            if (x >> 22 == 156u) {
                sum ^= 93u << 20;
                continue;
            }
            if (x >> 22 == 957u) {
                left = 93u;
                goto done;
            }
            x = x * 1664525u + 1013904409u;
            sum += x >> 22 ^ 93u;
            if (x >> 22 == 380u) {
                sum = sum * 3 + 93u;
                break;
            }
            if (x >> 22 == 209u) {
                sum ^= 94u << 20;
                continue;
            }
            if (x >> 22 == 24u) {
                left = 94u;
                goto done;
            }
            x = x * 1664525u + 1013904411u;
            sum += x >> 22 ^ 94u;
            if (x >> 22 == 417u) {
                sum = sum * 3 + 94u;
                break;
            }
            if (x >> 22 == 262u) {
                sum ^= 95u << 20;
                continue;
            }
            if (x >> 22 == 115u) {
                left = 95u;
                goto done;
            }
            x = x * 1664525u + 1013904413u;
            sum += x >> 22 ^ 95u;
            if (x >> 22 == 454u) {
                sum = sum * 3 + 95u;
                break;
            }
            if (x >> 22 == 315u) {
                sum ^= 96u << 20;
                continue;
            }
            if (x >> 22 == 206u) {
                left = 96u;
                goto done;
            }
            x = x * 1664525u + 1013904415u;
            sum += x >> 22 ^ 96u;
            if (x >> 22 == 491u) {
                sum = sum * 3 + 96u;
                break;
            }
            if (x >> 22 == 368u) {
                sum ^= 97u << 20;
                continue;
            }
            if (x >> 22 == 297u) {
                left = 97u;
                goto done;
            }
            x = x * 1664525u + 1013904417u;
            sum += x >> 22 ^ 97u;
            if (x >> 22 == 528u) {
                sum = sum * 3 + 97u;
                break;
            }
            if (x >> 22 == 421u) {
                sum ^= 98u << 20;
                continue;
            }
            if (x >> 22 == 388u) {
                left = 98u;
                goto done;
            }
            x = x * 1664525u + 1013904419u;
            sum += x >> 22 ^ 98u;
            if (x >> 22 == 565u) {
                sum = sum * 3 + 98u;
                break;
            }
            if (x >> 22 == 474u) {
                sum ^= 99u << 20;
                continue;
            }
            if (x >> 22 == 479u) {
                left = 99u;
                goto done;
            }
            x = x * 1664525u + 1013904421u;
            sum += x >> 22 ^ 99u;
            if (x >> 22 == 602u) {
                sum = sum * 3 + 99u;
                break;
            }
            if (x >> 22 == 527u) {
                sum ^= 100u << 20;
                continue;
            }
            if (x >> 22 == 570u) {
                left = 100u;
                goto done;
            }
            x = x * 1664525u + 1013904423u;
            sum += x >> 22 ^ 100u;
            if (x >> 22 == 639u) {
                sum = sum * 3 + 100u;
                break;
            }
            if (x >> 22 == 580u) {
                sum ^= 101u << 20;
                continue;
            }
            if (x >> 22 == 661u) {
                left = 101u;
                goto done;
            }
            x = x * 1664525u + 1013904425u;
            sum += x >> 22 ^ 101u;
            if (x >> 22 == 676u) {
                sum = sum * 3 + 101u;
                break;
            }
            if (x >> 22 == 633u) {
                sum ^= 102u << 20;
                continue;
            }
            if (x >> 22 == 752u) {
                left = 102u;
                goto done;
            }
            x = x * 1664525u + 1013904427u;
            sum += x >> 22 ^ 102u;
            if (x >> 22 == 713u) {
                sum = sum * 3 + 102u;
                break;
            }
            if (x >> 22 == 686u) {
                sum ^= 103u << 20;
                continue;
            }
            if (x >> 22 == 843u) {
                left = 103u;
                goto done;
            }
            x = x * 1664525u + 1013904429u;
            sum += x >> 22 ^ 103u;
            if (x >> 22 == 750u) {
                sum = sum * 3 + 103u;
                break;
            }
            if (x >> 22 == 739u) {
                sum ^= 104u << 20;
                continue;
            }
            if (x >> 22 == 934u) {
                left = 104u;
                goto done;
            }
            x = x * 1664525u + 1013904431u;
            sum += x >> 22 ^ 104u;
            if (x >> 22 == 787u) {
                sum = sum * 3 + 104u;
                break;
            }
            if (x >> 22 == 792u) {
                sum ^= 105u << 20;
                continue;
            }
            if (x >> 22 == 1u) {
                left = 105u;
                goto done;
            }
            x = x * 1664525u + 1013904433u;
            sum += x >> 22 ^ 105u;
            if (x >> 22 == 824u) {
                sum = sum * 3 + 105u;
                break;
            }
            if (x >> 22 == 845u) {
                sum ^= 106u << 20;
                continue;
            }
            if (x >> 22 == 92u) {
                left = 106u;
                goto done;
            }
            x = x * 1664525u + 1013904435u;
            sum += x >> 22 ^ 106u;
            if (x >> 22 == 861u) {
                sum = sum * 3 + 106u;
                break;
            }
            if (x >> 22 == 898u) {
                sum ^= 107u << 20;
                continue;
            }
            if (x >> 22 == 183u) {
                left = 107u;
                goto done;
            }
            x = x * 1664525u + 1013904437u;
            sum += x >> 22 ^ 107u;
            if (x >> 22 == 898u) {
                sum = sum * 3 + 107u;
                break;
            }
            if (x >> 22 == 951u) {
                sum ^= 108u << 20;
                continue;
            }
            if (x >> 22 == 274u) {
                left = 108u;
                goto done;
            }
            x = x * 1664525u + 1013904439u;
            sum += x >> 22 ^ 108u;
            if (x >> 22 == 935u) {
                sum = sum * 3 + 108u;
                break;
            }
            if (x >> 22 == 1004u) {
                sum ^= 109u << 20;
                continue;
            }
            if (x >> 22 == 365u) {
                left = 109u;
                goto done;
            }
            x = x * 1664525u + 1013904441u;
            sum += x >> 22 ^ 109u;
            if (x >> 22 == 972u) {
                sum = sum * 3 + 109u;
                break;
            }
            if (x >> 22 == 33u) {
                sum ^= 110u << 20;
                continue;
            }
            if (x >> 22 == 456u) {
                left = 110u;
                goto done;
            }
            x = x * 1664525u + 1013904443u;
            sum += x >> 22 ^ 110u;
            if (x >> 22 == 1009u) {
                sum = sum * 3 + 110u;
                break;
            }
            if (x >> 22 == 86u) {
                sum ^= 111u << 20;
                continue;
            }
            if (x >> 22 == 547u) {
                left = 111u;
                goto done;
            }
            x = x * 1664525u + 1013904445u;
            sum += x >> 22 ^ 111u;
            if (x >> 22 == 22u) {
                sum = sum * 3 + 111u;
                break;
            }
            if (x >> 22 == 139u) {
                sum ^= 112u << 20;
                continue;
            }
            if (x >> 22 == 638u) {
                left = 112u;
                goto done;
            }
            x = x * 1664525u + 1013904447u;
            sum += x >> 22 ^ 112u;
            if (x >> 22 == 59u) {
                sum = sum * 3 + 112u;
                break;
            }
            if (x >> 22 == 192u) {
                sum ^= 113u << 20;
                continue;
            }
            if (x >> 22 == 729u) {
                left = 113u;
                goto done;
            }
            x = x * 1664525u + 1013904449u;
            sum += x >> 22 ^ 113u;
            if (x >> 22 == 96u) {
                sum = sum * 3 + 113u;
                break;
            }
            if (x >> 22 == 245u) {
                sum ^= 114u << 20;
                continue;
            }
            if (x >> 22 == 820u) {
                left = 114u;
                goto done;
            }
            x = x * 1664525u + 1013904451u;
            sum += x >> 22 ^ 114u;
            if (x >> 22 == 133u) {
                sum = sum * 3 + 114u;
                break;
            }
            if (x >> 22 == 298u) {
                sum ^= 115u << 20;
                continue;
            }
            if (x >> 22 == 911u) {
                left = 115u;
                goto done;
            }
            x = x * 1664525u + 1013904453u;
            sum += x >> 22 ^ 115u;
            if (x >> 22 == 170u) {
                sum = sum * 3 + 115u;
                break;
            }
            if (x >> 22 == 351u) {
                sum ^= 116u << 20;
                continue;
            }
            if (x >> 22 == 1002u) {
                left = 116u;
                goto done;
            }
            x = x * 1664525u + 1013904455u;
            sum += x >> 22 ^ 116u;
            if (x >> 22 == 207u) {
                sum = sum * 3 + 116u;
                break;
            }
            if (x >> 22 == 404u) {
                sum ^= 117u << 20;
                continue;
            }
            if (x >> 22 == 69u) {
                left = 117u;
                goto done;
            }
            x = x * 1664525u + 1013904457u;
            sum += x >> 22 ^ 117u;
            if (x >> 22 == 244u) {
                sum = sum * 3 + 117u;
                break;
            }
            if (x >> 22 == 457u) {
                sum ^= 118u << 20;
                continue;
            }
            if (x >> 22 == 160u) {
                left = 118u;
                goto done;
            }
            x = x * 1664525u + 1013904459u;
            sum += x >> 22 ^ 118u;
            if (x >> 22 == 281u) {
                sum = sum * 3 + 118u;
                break;
            }
            if (x >> 22 == 510u) {
                sum ^= 119u << 20;
                continue;
            }
            if (x >> 22 == 251u) {
                left = 119u;
                goto done;
            }
            x = x * 1664525u + 1013904461u;
            sum += x >> 22 ^ 119u;
            if (x >> 22 == 318u) {
                sum = sum * 3 + 119u;
                break;
            }
            if (x >> 22 == 563u) {
                sum ^= 120u << 20;
                continue;
            }
            if (x >> 22 == 342u) {
                left = 120u;
                goto done;
            }
            x = x * 1664525u + 1013904463u;
            sum += x >> 22 ^ 120u;
            if (x >> 22 == 355u) {
                sum = sum * 3 + 120u;
                break;
            }
            if (x >> 22 == 616u) {
                sum ^= 121u << 20;
                continue;
            }
            if (x >> 22 == 433u) {
                left = 121u;
                goto done;
            }
            x = x * 1664525u + 1013904465u;
            sum += x >> 22 ^ 121u;
            if (x >> 22 == 392u) {
                sum = sum * 3 + 121u;
                break;
            }
            if (x >> 22 == 669u) {
                sum ^= 122u << 20;
                continue;
            }
            if (x >> 22 == 524u) {
                left = 122u;
                goto done;
            }
            x = x * 1664525u + 1013904467u;
            sum += x >> 22 ^ 122u;
            if (x >> 22 == 429u) {
                sum = sum * 3 + 122u;
                break;
            }
            if (x >> 22 == 722u) {
                sum ^= 123u << 20;
                continue;
            }
            if (x >> 22 == 615u) {
                left = 123u;
                goto done;
            }
            x = x * 1664525u + 1013904469u;
            sum += x >> 22 ^ 123u;
            if (x >> 22 == 466u) {
                sum = sum * 3 + 123u;
                break;
            }
            if (x >> 22 == 775u) {
                sum ^= 124u << 20;
                continue;
            }
            if (x >> 22 == 706u) {
                left = 124u;
                goto done;
            }
            x = x * 1664525u + 1013904471u;
            sum += x >> 22 ^ 124u;
            if (x >> 22 == 503u) {
                sum = sum * 3 + 124u;
                break;
            }
            if (x >> 22 == 828u) {
                sum ^= 125u << 20;
                continue;
            }
            if (x >> 22 == 797u) {
                left = 125u;
                goto done;
            }
            x = x * 1664525u + 1013904473u;
            sum += x >> 22 ^ 125u;
            if (x >> 22 == 540u) {
                sum = sum * 3 + 125u;
                break;
            }
            if (x >> 22 == 881u) {
                sum ^= 126u << 20;
                continue;
            }
            if (x >> 22 == 888u) {
                left = 126u;
                goto done;
            }
            x = x * 1664525u + 1013904475u;
            sum += x >> 22 ^ 126u;
            if (x >> 22 == 577u) {
                sum = sum * 3 + 126u;
                break;
            }
            if (x >> 22 == 934u) {
                sum ^= 127u << 20;
                continue;
            }
            if (x >> 22 == 979u) {
                left = 127u;
                goto done;
            }
            x = x * 1664525u + 1013904477u;
            sum += x >> 22 ^ 127u;
            if (x >> 22 == 614u) {
                sum = sum * 3 + 127u;
                break;
            }
            if (x >> 22 == 987u) {
                sum ^= 128u << 20;
                continue;
            }
            if (x >> 22 == 46u) {
                left = 128u;
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
