// SPDX-License-Identifier: Apache-2.0
// What the views are made of. Each file adds to the one global tensixViews; a view is a function
// (element, data, options) whose result has update(data), destroy() and on(event, listener).
(views => {
'use strict';

views.make = (tag, name, text) => {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  return node;
};

// Fills an element with fixed HTML, never with data; gives its parts by their data-part.
views.build = (element, name, html) => {
  element.replaceChildren();
  element.classList.add(name);
  element.insertAdjacentHTML('beforeend', html);
  const parts = {};
  for (const node of element.querySelectorAll('[data-part]')) parts[node.dataset.part] = node;
  return parts;
};

// Listeners of a view by name, and what it has to take back when it is destroyed.
views.events = () => {
  const listeners = new Map(), ends = [];
  return {
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) || []), listener]);
      return () => listeners.set(name, listeners.get(name).filter(l => l !== listener));
    },
    emit(name, ...values) {
      for (const listener of listeners.get(name) || []) listener(...values);
    },
    listen(target, name, listener, how) {
      target.addEventListener(name, listener, how);
      ends.push(() => target.removeEventListener(name, listener, how));
    },
    // Draws again when the element has another width, or the page other colours.
    redraw(element, draw) {
      let width = 0;
      const observer = new ResizeObserver(() => {
        if (element.clientWidth === width) return;
        width = element.clientWidth;
        draw();
      });
      observer.observe(element);
      ends.push(() => observer.disconnect());
      this.listen(window, 'tensix-theme', draw);
    },
    destroy() {
      listeners.clear();
      while (ends.length) ends.pop()();
    }
  };
};

/* ---- numbers ---- */

const buffer = new DataView(new ArrayBuffer(4));
views.float = word => {
  buffer.setUint32(0, word >>> 0);
  return buffer.getFloat32(0);
};
views.hex = (value, digits) => (value >>> 0).toString(16).padStart(digits, '0');
// A number in a few digits, as a table wants it.
views.short = (x, digits = 6) => {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
  if (Object.is(x, -0)) return '-0';
  const size = Math.abs(x);
  if (size >= 1e7 || size < 0.01 && size > 0)
    return x.toExponential(digits - 2).replace('e+', 'e');
  return String(+x.toPrecision(digits));
};
// Whole numbers with their thousands apart.
views.count = n => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');

/* ---- light and dark ---- */

const dark = matchMedia('(prefers-color-scheme: dark)');
views.theme = {
  get: () => document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light'),
  set(name) {
    document.documentElement.dataset.theme = name;
    dispatchEvent(new Event('tensix-theme'));
  },
  // A button that changes it; until then the system decides.
  button(button) {
    const tell = () => {
      button.textContent = views.theme.get() === 'dark' ? 'Light' : 'Dark';
      button.title = 'Change to ' + button.textContent.toLowerCase() + ' colours';
    };
    button.onclick = () => views.theme.set(views.theme.get() === 'dark' ? 'light' : 'dark');
    addEventListener('tensix-theme', tell);
    tell();
  }
};
dark.addEventListener('change', () => {
  delete document.documentElement.dataset.theme;
  dispatchEvent(new Event('tensix-theme'));
});
// Tokens as a canvas needs them.
views.colors = (element, names) => {
  const probe = element.appendChild(views.make('span'));
  const found = {};
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
};

/* ---- tooltip ---- */

views.tip = element => {
  const node = element.appendChild(views.make('div', 'tx-tip'));
  node.setAttribute('role', 'tooltip');
  node.hidden = true;
  return {
    node,
    // Beside a rectangle of the window, inside the window.
    show(box, ...content) {
      node.replaceChildren(...content);
      node.hidden = false;
      node.style.left = node.style.top = '0';
      const size = node.getBoundingClientRect();
      const right = document.documentElement.clientWidth - 8;
      const left = Math.max(4, Math.min(box.left, right - size.width));
      const below = box.bottom + 6;
      node.style.left = left + 'px';
      node.style.top = (below + size.height < innerHeight ? below :
        Math.max(4, box.top - size.height - 6)) + 'px';
    },
    hide() { node.hidden = true; }
  };
};

// A file of the reader's, written by the page.
views.save = (name, type, text) => {
  const link = views.make('a');
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

// Bytes out of base64 of a zlib stream, as an ArrayBuffer.
views.inflate = text => {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
};

// The data of a self-contained page.
views.data = () => JSON.parse(document.getElementById('data').textContent);
})(globalThis.tensixViews = globalThis.tensixViews || {});
