// SPDX-License-Identifier: Apache-2.0
// The page's state in a link: deflated JSON in the URL's fragment, which browsers do not send to
// servers.

const through = async (bytes, stream) => new Uint8Array(
  await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export const base64 = bytes => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000)
    text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};
export const bytesOf = text => Uint8Array.from(
  atob(text.replace(/-/g, '+').replace(/_/g, '/')), c => c.charCodeAt(0));

export async function encode(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return 'p=' + base64(await through(bytes, new CompressionStream('deflate-raw')));
}

const MOST = 4 << 20;

// Returns the state in a fragment, or null when there is none. Throws when it is damaged.
export async function decode(fragment) {
  const found = /^#?p=([\w-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const bytes = await through(bytesOf(found[1]), new DecompressionStream('deflate-raw'));
    if (bytes.length > MOST) throw new Error('too large');
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error('This link is damaged: its program cannot be read.');
  }
}
