#!/bin/sh
# Rebuilds the modules of this folder: build.sh [NAME ...]. Not run by CI; other versions of clang write other modules.
# Needs clang-22; checks by $SPIRV_VAL (default: target/tools/spirv/bin/spirv-val). With NATIVE=1 it also computes what is expected: the same
# sources, compiled by clang for this CPU and linked by its linker, run as a loop over the work-items (native.c).
set -u
here=$(cd "$(dirname "$0")" && pwd)
check=${SPIRV_VAL:-$here/../../target/tools/spirv/bin/spirv-val}
failed=0
[ $# -gt 0 ] || set -- $(cd "$here" && ls -d */ | tr -d /)
for name in "$@"; do
    cd "$here/$name" || exit 1
    objects=
    for source in *.cl; do
        base=${source%.cl}
        clang-22 -O1 -cl-std=CL2.0 --target=spirv64 -Xclang -finclude-default-header -w -c "$source" -o "$base.spv" || failed=1
        "$check" --target-env spv1.4 "$base.spv" || { echo "$name/$base.spv: not valid"; failed=1; }
        if [ "${NATIVE:-0}" = 1 ]; then
            clang-22 -x cl -O1 -cl-std=CL2.0 --target=x86_64-linux-gnu -Xclang -finclude-default-header -w -fPIC -c "$source" -o "/tmp/$name.$base.o" ||
                failed=1
            objects="$objects /tmp/$name.$base.o"
        fi
    done
    if [ "${NATIVE:-0}" = 1 ]; then
        seed=$(sed -n 's/.*"seed": \([0-9]*\).*/\1/p' launch.json)
        cc -DKERNEL="$name" -DSEED="$seed" ../native.c $objects -lm -o "/tmp/$name.native" && "/tmp/$name.native" >expected || failed=1
        rm -f $objects "/tmp/$name.native"
    fi
done
exit $failed
