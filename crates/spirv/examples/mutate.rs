//! scratch
use reconverge_spirv::*;
fn main() {
    let files: Vec<(String, Vec<u8>)> =
        std::env::args().skip(2).map(|p| (p.clone(), std::fs::read(&p).unwrap())).collect();
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut s: u64 = 0x9e3779b97f4a7c15 ^ n as u64;
    let mut r = move |m: usize| {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        (s >> 11) as usize % m
    };
    let mut codes = std::collections::BTreeMap::new();
    let mut slow = 0.0f64;
    for i in 0..n {
        let (name, bytes) = &files[r(files.len())];
        let mut b = bytes.clone();
        for _ in 0..1 + r(4) {
            let w = b.len() / 4;
            if w < 6 {
                break;
            }
            match r(8) {
                0 => {
                    let k = r(b.len());
                    b[k] ^= 1 << r(8);
                }
                1 => {
                    let k = r(w) * 4;
                    let v = r(400) as u32;
                    b[k..k + 4].copy_from_slice(&v.to_le_bytes());
                }
                2 => {
                    let k = r(w) * 4;
                    let j = r(w) * 4;
                    let t = b[j..j + 4].to_vec();
                    b[k..k + 4].copy_from_slice(&t);
                }
                3 => {
                    if r(6) == 0 {
                        let k = r(w) * 4;
                        b.truncate(k);
                    }
                }
                4 => {
                    // delete an instruction, 5 duplicate/move one
                    let (o, c) = inst(&b, r(w));
                    if c > 0 {
                        b.drain(o * 4..(o + c) * 4);
                    }
                }
                5 => {
                    let (o, c) = inst(&b, r(w));
                    let (p, _) = inst(&b, r(w));
                    let t = b[o * 4..(o + c) * 4].to_vec();
                    if r(2) == 0 {
                        b.splice(p * 4..p * 4, t);
                    } else {
                        b.drain(o * 4..(o + c) * 4);
                        let p = p.min(b.len() / 4);
                        b.splice(p * 4..p * 4, t);
                    }
                }
                6 => {
                    let (o, c) = inst(&b, r(w));
                    if c > 1 {
                        let k = (o + 1 + r(c - 1)) * 4;
                        let v = (1 + r(300)) as u32;
                        b[k..k + 4].copy_from_slice(&v.to_le_bytes());
                    }
                }
                _ => {
                    let (o, c) = inst(&b, r(w));
                    if c > 1 {
                        let k = (o + 1 + r(c - 1)) * 4;
                        let (o2, c2) = inst(&b, r(w));
                        if c2 > 1 {
                            let j = (o2 + 1 + r(c2 - 1)) * 4;
                            let t = b[j..j + 4].to_vec();
                            b[k..k + 4].copy_from_slice(&t);
                        }
                    }
                }
            }
        }
        let t = std::time::Instant::now();
        let c = b.clone();
        let result = std::panic::catch_unwind(move || {
            let mut out = String::new();
            for merges in [Merges::Strip, Merges::Keep] {
                out = match read(&c, &ReadOptions { merges }) {
                    Err(e) => format!("read {}", e.code),
                    Ok(m) => match write(&m, &WriteOptions::default()) {
                        Err(e) => format!("write {e}"),
                        Ok(w) => {
                            let again = read(&w, &ReadOptions { merges });
                            if let Err(e) = &again {
                                return format!("AGAIN {e}");
                            }
                            if merges == Merges::Keep {
                                match same_program(&c, &w) {
                                    Ok(()) => "same".into(),
                                    Err(d) => format!(
                                        "DIFFERS {}",
                                        d.message.chars().filter(|c| !c.is_ascii_digit()).collect::<String>()
                                    ),
                                }
                            } else {
                                "ok".into()
                            }
                        }
                    },
                };
            }
            out
        });
        slow = slow.max(t.elapsed().as_secs_f64());
        let key = result.unwrap_or_else(|_| {
            std::fs::write(format!("/work/target-spirv/crash{i}.spv"), &b).unwrap();
            println!("PANIC {name} {i}");
            "panic".into()
        });
        if (key.starts_with("DIFF") || key.starts_with("write") || key.starts_with("AGAIN"))
            && codes.get(&key).is_none()
        {
            std::fs::write(format!("/work/target-spirv/odd{i}.spv"), &b).unwrap();
            println!("{i} {name} {key}");
        }
        *codes.entry(key).or_insert(0) += 1;
    }
    for (k, v) in codes {
        println!("{v:6} {k}");
    }
    println!("slowest {slow}");
}
fn inst(b: &[u8], near: usize) -> (usize, usize) {
    let w = |i: usize| u32::from_le_bytes(b[i * 4..i * 4 + 4].try_into().unwrap());
    let n = b.len() / 4;
    let mut o = 5;
    while o < n {
        let c = (w(o) >> 16) as usize;
        if c == 0 || o + c > n {
            return (o, 0);
        }
        if o + c > near {
            return (o, c);
        }
        o += c;
    }
    (5, 0)
}
