#!/bin/sh
# Rebuilds the modules of this folder: build.sh [NAME.cl ...]. Not run by CI; other versions of clang write other modules.
# Needs clang-22; checks by $SPIRV_VAL (default: target/tools/spirv/bin/spirv-val). Faulty modules are reported, and kept.
set -u
here=$(cd "$(dirname "$0")" && pwd)
check=${SPIRV_VAL:-$here/../../target/tools/spirv/bin/spirv-val}
failed=0
compile() { # SOURCE LEVEL MODULE; in the source's folder, so that no path enters the module
    (cd "$(dirname "$1")" && timeout 100 clang-22 "-O$2" -cl-std=CL2.0 --target=spirv64 -Xclang -finclude-default-header \
        -w -c "$(basename "$1")" -o "$(basename "$3")") || { echo "$1: not compiled"; failed=1; return; }
    "$check" --target-env spv1.4 "$3" || { echo "$3: not valid"; failed=1; }
}
[ $# -gt 0 ] || set -- "$here"/*.cl "$here"/breaks/*.cl "$here"/faults/*.cl "$here"/flow/*.cl "$here"/unsupported/*.cl
for source in "$@"; do
    base=${source%.cl}
    # The module of pointer_merge at -O2 is one of faults/, as private_pointers.
    [ "$(basename "$base")" = pointer_merge ] || compile "$source" 2 "$base.spv"
    [ ! -e "$base.O0.spv" ] || compile "$source" 0 "$base.O0.spv"
done
exit $failed
