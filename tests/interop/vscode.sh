#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# editors/vscode with npm's packages: the grammar over all examples, by the engine that VS Code
# has; the extension starts the server; vsce packs it as build/interop/tensix-VERSION.vsix. Then a
# session in VS Code itself: npm's code-server has its server, with the host of extensions, and its
# window is a page in Debian's Chromium (vscode_session.mjs).
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
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

chromium=${CHROMIUM:-$(command -v chromium || true)}
if [ -z "$chromium" ]; then
    echo "interop: VS Code: the session is skipped: no Chromium (apt-get install chromium)"
    exit 0
fi
# The server stays in build/vscode, 300 MB. Its list of versions names a package outside npm, and
# programs of its packages are not run: what they would build or load is for terminals and searches.
mkdir -p ../../vscode
server=$(realpath ../../vscode)
code=$server/node_modules/code-server/lib/vscode
fetch() {
    npm install --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error "$@"
}
bring() {
    fetch --prefix "$server" code-server@4.96.4 && cd "$code" && node - <<'JS' && fetch
const fs = require('fs');
const held = JSON.parse(fs.readFileSync('npm-shrinkwrap.json')).packages;
const told = JSON.parse(fs.readFileSync('package.json'));
const wanted = {'playwright-core': '1.65.1'};
for (const name of Object.keys(told.dependencies))
  if (!name.includes('windows')) wanted[name] = held[`node_modules/${name}`].version;
told.dependencies = wanted;
delete told.devDependencies;
delete told.overrides;
fs.writeFileSync('package.json', JSON.stringify(told, null, 2));
fs.renameSync('npm-shrinkwrap.json', 'shrinkwrap.json');
JS
}
if [ ! -e "$code/.installed" ]; then
    rm -rf "$server"
    mkdir -p "$server"
    if ! (bring) >"$server.log" 2>&1; then
        echo "interop: VS Code: the session is skipped: npm does not bring code-server:" \
            "$(tail -n 1 "$server.log")"
        exit 0
    fi
    touch "$code/.installed"
fi
rm -rf extensions session
node "$code/out/server-main.js" --install-extension "$(realpath "$package")" \
    --extensions-dir "$PWD/extensions" --server-data-dir "$PWD/session/data" >install.log 2>&1 || {
    cat install.log
    exit 1
}
exec node "$root/tests/interop/vscode_session.mjs" "$chromium" "$code" "$PWD/extensions" \
    "$tensix" "$PWD/session"
