// SPDX-License-Identifier: Apache-2.0
// Common parts of the views. Each file adds to the single global object tensixViews; a view is a
// function (element, data, options) whose result has update(data), destroy() and
// on(event, listener).
(views => {
'use strict';

views.make = (tag, name, text) => {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  return node;
};

// Fills an element with fixed HTML (never with data) and returns its parts by their data-part.
views.build = (element, name, html) => {
  element.replaceChildren();
  element.classList.add(name);
  element.insertAdjacentHTML('beforeend', html);
  const parts = {};
  for (const node of element.querySelectorAll('[data-part]')) parts[node.dataset.part] = node;
  return parts;
};

// The listeners of a view by event, and what to undo when the view is destroyed.
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
    // Redraws when the element's width or the page's colours change.
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
// Formats a number with few digits, for tables.
views.short = (x, digits = 6) => {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
  if (Object.is(x, -0)) return '-0';
  const size = Math.abs(x);
  if (size >= 1e7 || size < 0.01 && size > 0)
    return x.toExponential(digits - 2).replace('e+', 'e');
  return String(+x.toPrecision(digits));
};
// Formats a whole number with separated thousands.
views.count = n => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');

/* ---- light and dark ---- */

const dark = matchMedia('(prefers-color-scheme: dark)');
views.theme = {
  get: () => document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light'),
  set(name) {
    document.documentElement.dataset.theme = name;
    dispatchEvent(new Event('tensix-theme'));
  },
  // A button that switches; until it is used the system's setting applies.
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
// The style's custom properties, as values for a canvas.
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
    // Places the tooltip beside a rectangle, within the window.
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

// Lets the reader save a text as a file.
views.save = (name, type, text) => {
  const link = views.make('a');
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

// Decodes base64 of a zlib stream; resolves to an ArrayBuffer.
views.inflate = text => {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
};

// Returns the data of a self-contained page.
views.data = () => JSON.parse(document.getElementById('data').textContent);
})(globalThis.tensixViews = globalThis.tensixViews || {});
