#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the vendor's public tools into a folder outside the source tree, for tests/interop and for
# kernels in tt-metal's headers: the vendor's compiler and tt-metal's runtime (from the wheel
# jax-tt-plugin), ttnn with what it needs (from its wheel). Names and hashes are pinned here; pip
# fetches them from the index that it is set up for. Nothing of it belongs into the repository.
#
#   scripts/kit.sh DIR       about 1.2 GB; . DIR/env.sh afterwards
#
# DIR/rt/runtime/sfpi      the compiler (SFPI_HOME), riscv-tt-elf-g++ 15.1.0
# DIR/rt/tt_metal          headers, kernels, programming_examples, tt-llk with its tests
# DIR/site/ttnn            ttnn 0.81.1 for CPython 3.12; headers of both chips (TT_METAL_HOME)
set -euo pipefail
dir=${1:-}
if [ -z "$dir" ]; then
    sed -n '3,14s/^# \{0,1\}//p' "$0"
    exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
case $dir/ in
"$root"/*)
    echo "kit.sh: $dir is inside the source tree" >&2
    exit 2
    ;;
esac
python=${PYTHON:-python3}
platforms=()
for p in manylinux_2_34_x86_64 manylinux_2_28_x86_64 manylinux_2_17_x86_64 manylinux2014_x86_64; do
    platforms+=(--platform "$p")
done

# wheel NAME==VERSION PYTHON FILE SHA256: fetches it into DIR, or stops.
wheel() {
    [ -f "$dir/$3" ] || "$python" -m pip download -q --no-deps --only-binary=:all: -d "$dir" \
        --python-version "$2" --platform manylinux_2_34_x86_64 "$1"
    if ! printf '%s  %s\n' "$4" "$dir/$3" | sha256sum -c --status; then
        echo "kit.sh: $3 is another file than the one that was tried" >&2
        exit 1
    fi
}

jax=jax_tt_plugin-0.1.3-py3-none-manylinux_2_34_x86_64.whl
ttnn=ttnn-0.81.1-cp312-cp312-manylinux_2_34_x86_64.whl
if [ ! -d "$dir/rt" ] || [ ! -d "$dir/jax" ]; then
    wheel jax-tt-plugin==0.1.3 3.11 "$jax" \
        10f2fe2f77b3f0d25a68a9fbf53dab713b1edd854f1ab50bf973783c9be9da83
    # The runtime lies in the plugin's library as one zstd frame that holds a tar.
    "$python" -m pip install -q --target "$dir/py" zstandard
    rm -rf "$dir/jax.part" "$dir/rt.part"
    PYTHONPATH=$dir/py "$python" - "$dir" "$dir/$jax" <<'PY'
import io, sys, tarfile, zipfile
import zstandard
folder, wheel = sys.argv[1:]
zipfile.ZipFile(wheel).extractall(folder + "/jax.part")
data = open(folder + "/jax.part/jax_plugins/libtt/libtt.so", "rb").read()
at = data.find(b"\x28\xb5\x2f\xfd")
while at >= 0:
    try:
        size = zstandard.get_frame_parameters(data[at:at + 64]).content_size
        if 10**8 < size < 10**10:
            one = zstandard.ZstdDecompressor(max_window_size=2**31).decompressobj()
            tar = one.decompress(data[at:])
            if tar[:8] == b"runtime/":
                break
    except zstandard.ZstdError:
        pass
    at = data.find(b"\x28\xb5\x2f\xfd", at + 4)
else:
    sys.exit("kit.sh: the plugin's library holds no runtime")
with tarfile.open(fileobj=io.BytesIO(tar)) as files:
    files.extractall(folder + "/rt.part")
PY
    chmod -R u+w "$dir/rt.part"
    # The compiler has Blackhole's libraries only; Wormhole's are those of the base instruction set.
    compiler=$dir/rt.part/runtime/sfpi/compiler
    headers=$(find "$compiler" -type d -path '*/include/c++/15.1.0/riscv-tt-elf' | head -1)
    [ -e "$headers/wh-ilp32" ] || ln -s bh-ilp32 "$headers/wh-ilp32"
    for base in "$compiler/lib/gcc/riscv-tt-elf/15.1.0" "$compiler/riscv-tt-elf/lib"; do
        mkdir -p "$base/wh-ilp32"
        find "$base" -maxdepth 1 -name '*.[ao]' -exec cp {} "$base/wh-ilp32/" ';'
    done
    rm -rf "$dir/jax" "$dir/rt"
    mv "$dir/jax.part" "$dir/jax"
    mv "$dir/rt.part" "$dir/rt"
    rm "$dir/$jax"
fi
if [ ! -d "$dir/site" ]; then
    wheel ttnn==0.81.1 3.12 "$ttnn" \
        cc6df66162c8b5f5a5eb7347fe687b6095bf57bd64f9ba1be3d9b7f42e01d64f
    rm -rf "$dir/site.part"
    "$python" -m pip install -q --target "$dir/site.part" --only-binary=:all: \
        --python-version 3.12 --implementation cp "${platforms[@]}" "$dir/$ttnn"
    mkdir -p "$dir/site.part/ttnn/runtime"
    ln -sfn ../../../rt/runtime/sfpi "$dir/site.part/ttnn/runtime/sfpi"
    mv "$dir/site.part" "$dir/site"
    rm "$dir/$ttnn"
fi
cat >"$dir/env.sh" <<ENV
export PYTHONPATH=$dir/site TT_METAL_RUNTIME_ROOT=$dir/site/ttnn TT_METAL_HOME=$dir/site/ttnn
export SFPI_HOME=$dir/rt/runtime/sfpi TT_METAL_CACHE=\${TT_METAL_CACHE:-$dir/cache}
[ "\$FAST" ] || export TT_METAL_SLOW_DISPATCH_MODE=1
ENV
"$dir/rt/runtime/sfpi/compiler/bin/riscv-tt-elf-g++" --version | head -1
