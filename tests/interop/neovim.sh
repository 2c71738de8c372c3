#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The language server with an editor that knows nothing of it: Neovim (Debian's neovim), without a
# screen. A hazard is shown where it is, hover answers, the quick fix of the hazard is applied as
# the editor applies it, and nothing is left to say.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
if ! command -v nvim >/dev/null; then
    echo "interop: skipped: no Neovim (apt-get install neovim)"
    exit 0
fi
[ -x "$BUILD/tensix" ] || scripts/build.sh
work=$BUILD/interop/neovim
mkdir -p "$work"
printf '.arch wh\n.tile\nsfpmad L1,L0,L0,L9,0\nsfpmul L2,L1,L1,0\n' >"$work/kernel.s"
cat >"$work/session.lua" <<'EOL'
vim.cmd('edit ' .. os.getenv('KERNEL'))
local id = vim.lsp.start_client({name = 'tensix', cmd = {os.getenv('TENSIX'), 'lsp'}})
vim.lsp.buf_attach_client(0, id)
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do print(d.lnum, d.col, d.code) end
local where = {textDocument = {uri = vim.uri_from_bufnr(0)}, position = {line = 2, character = 2}}
local said = vim.lsp.buf_request_sync(0, 'textDocument/hover', where, 20000)
print(said[id].result.contents.value:find('VD = VA %* VB %+ VC') ~= nil)
local range = {start = {line = 3, character = 0}, ['end'] = {line = 3, character = 0}}
local doc = where.textDocument
said = vim.lsp.buf_request_sync(0, 'textDocument/codeAction',
    {textDocument = doc, range = range, context = {diagnostics = {}}}, 20000)
local fix = said[id].result[1]
print(fix.title)
vim.lsp.util.apply_workspace_edit(fix.edit, 'utf-16')
print(vim.api.nvim_buf_get_lines(0, 3, 4, true)[1])
vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end)
print(#vim.diagnostic.get(0))
where.position = {line = 2, character = 10}
said = vim.lsp.buf_request_sync(0, 'textDocument/signatureHelp', where, 20000)
print(said[id].result.signatures[1].label:find('lreg_src_b') ~= nil)
vim.cmd('qall!')
EOL
got=$(KERNEL=$work/kernel.s TENSIX=$BUILD/tensix timeout 60 \
    nvim --headless -u NONE -c "luafile $work/session.lua" 2>&1 | tr -d '\r' | tr '\n' ' ')
if [[ "$got" != "3 0 E-HAZ true Insert sfpnop sfpnop 0 true"* ]]; then
    echo "interop: Neovim: expected '3 0 E-HAZ true Insert sfpnop sfpnop 0 true', got '$got'"
    exit 1
fi
echo "interop: Neovim shows the hazard and what SFPMAD does, inserts the sfpnop, has nothing to say"
