#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# editors/vscode with npm's packages: the grammar over all examples, by the engine that VS Code
# has; the extension starts the server; vsce packs it as build/interop/tensix-VERSION.vsix.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
if ! command -v npm >/dev/null; then
    echo "interop: skipped: no npm (apt-get install npm)"
    exit 0
fi
[ -x "$BUILD/tensix" ] || scripts/build.sh
tensix=$(realpath "$BUILD/tensix")
work=$BUILD/interop/vscode
rm -rf "$work"
mkdir -p "$BUILD/interop"
cp -r editors/vscode "$work"
cp LICENSE "$work"
mapfile -t kernels < <(find "$PWD/examples" -name '*.s' | sort)
cd "$work"
if ! npm ci --no-audit --no-fund --loglevel=error >npm.log 2>&1; then
    echo "interop: skipped: npm ci does not go: $(tail -n 1 npm.log)"
    exit 0
fi
node test.js "$tensix" "${kernels[@]}"
npx vsce package --allow-missing-repository --no-update-package-json --out .. >vsce.log 2>&1 || {
    cat vsce.log
    exit 1
}
package=$(ls ../tensix-*.vsix)
held=$(python3 -m zipfile -l "$package")
for file in extension.js syntaxes/tensix.tmLanguage.json snippets/tensix.json \
    language-configuration.json node_modules/vscode-languageclient/package.json; do
    [[ $held == *"extension/$file "* ]] || {
        echo "interop: $package has no $file"
        exit 1
    }
done
echo "interop: VS Code: $(basename "$package"), $(du -k "$package" | cut -f 1) KB"
