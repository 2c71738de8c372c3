#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of make web judged by Lighthouse (npm, 11.7.1, the last one with a category for
# installable pages) in Debian's Chromium: accessibility at least 95, performance at least 90 on a
# desktop and on a phone, installable. Performance is a time: take a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
browser=${CHROMIUM:-$(command -v chromium || true)}
if [ -z "$browser" ] || ! command -v npm >/dev/null; then
    echo "lighthouse: skipped: no Chromium, or no npm"
    exit 0
fi
[ -e "$BUILD/web/index.html" ] || scripts/web.sh
work=$BUILD/lighthouse
mkdir -p "$work"
rm -f "$work/url"
if [ ! -x "$work/node_modules/.bin/lighthouse" ]; then
    npm install --prefix "$work" --no-audit --no-fund --loglevel=error lighthouse@11.7.1
fi
node tests/web/serve.mjs "$BUILD/web" "$work/url" &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
for _ in $(seq 100); do
    [ ! -s "$work/url" ] || break
    sleep 0.1
done
status=0
for form in desktop mobile; do
    preset=()
    [ "$form" = mobile ] || preset=(--preset=desktop)
    CHROME_PATH=$browser "$work/node_modules/.bin/lighthouse" "$(cat "$work/url")" "${preset[@]}" \
        --quiet --output=json --output-path="$work/$form.json" \
        --only-categories=accessibility,performance,pwa \
        --chrome-flags="--headless=new --no-sandbox --disable-gpu --disable-background-networking"
    node -e '
const report = JSON.parse(require("fs").readFileSync(process.argv[1]));
const of = name => Math.round(100 * report.categories[name].score);
const installable = report.audits["installable-manifest"].score === 1;
console.log(`${process.argv[2]}: accessibility ${of("accessibility")}, ` +
  `performance ${of("performance")}, installable ${installable ? "yes" : "no"}`);
for (const {id} of report.categories.accessibility.auditRefs)
  if (report.audits[id].score === 0) console.log("  " + report.audits[id].title);
process.exit(of("accessibility") >= 95 && of("performance") >= 90 && installable ? 0 : 1);
' "$work/$form.json" "$form" || status=1
done
exit $status
