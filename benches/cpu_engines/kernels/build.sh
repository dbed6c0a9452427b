#!/bin/sh
# Rebuilds the modules of this folder: build.sh. Needs clang-22; other versions of clang write other modules.
set -eu
cd "$(dirname "$0")"
for source in *.cl; do
    clang-22 -O2 -cl-std=CL2.0 --target=spirv64 -Xclang -finclude-default-header -c "$source" -o "${source%.cl}.spv"
done
