#!/bin/sh
# Rebuilds the modules of this folder: build.sh [NAME.cl ...]. Not run by CI; other versions of clang write other modules.
# NAME.spv by clang-15 and llvm-spirv-15 with lines, NAME.22.spv by clang-22 without; both at -O0, where the accesses of the source stay.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "$here" || exit 1
bitcode=$(mktemp)
trap 'rm -f "$bitcode"' EXIT
[ $# -gt 0 ] || set -- *.cl
for source in "$@"; do
    base=${source%.cl}
    clang-15 -x cl -cl-std=CL2.0 -O0 -g -fdebug-compilation-dir=. -target spir64 -Xclang -finclude-default-header -w -emit-llvm \
        -c "$source" -o "$bitcode" && llvm-spirv-15 "$bitcode" -o "$base.spv" || { echo "$source: no module with lines"; rm -f "$base.spv"; }
    clang-22 -O0 -cl-std=CL2.0 --target=spirv64 -Xclang -finclude-default-header -w -c "$source" -o "$base.22.spv" ||
        { echo "$source: no module of clang 22"; rm -f "$base.22.spv"; }
done
