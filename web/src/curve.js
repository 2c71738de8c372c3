// SPDX-License-Identifier: Apache-2.0
// A picture of a function of one number: points over their inputs, the reference as a line beneath.
import {make} from './results.js';

const WIDTH = 560, HEIGHT = 210, LEFT = 46, BOTTOM = 22, TOP = 8, RIGHT = 10;

// A round number of the kind 1, 2 or 5 times a power of ten, with about four of them in a range.
function step(range) {
  const raw = range / 4, power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].find(m => m * power >= raw) * power;
}
const tick = x => String(+x.toPrecision(3));

// points: {x, y, want (may be missing)}; label: what is drawn. colors(node) gives the theme's.
export function curve(points, label, colors) {
  const fit = points.filter(p => Number.isFinite(p.x) && Number.isFinite(p.y))
    .sort((a, b) => a.x - b.x);
  if (fit.length < 2 || fit[0].x === fit[fit.length - 1].x) return null;
  const canvas = make('canvas', {role: 'img', ariaLabel: label});
  const ys = fit.map(p => p.y).sort((a, b) => a - b);
  // What runs away at either end does not flatten the rest.
  const cut = Math.floor(ys.length / 200);
  const [x0, x1] = [fit[0].x, fit[fit.length - 1].x];
  let [y0, y1] = [ys[cut], ys[ys.length - 1 - cut]];
  if (y0 === y1) [y0, y1] = [y0 - 1, y1 + 1];
  const margin = (y1 - y0) * 0.06;
  [y0, y1] = [y0 - margin, y1 + margin];
  const draw = () => {
    const scale = globalThis.devicePixelRatio || 1;
    canvas.width = WIDTH * scale;
    canvas.height = HEIGHT * scale;
    const g = canvas.getContext('2d'), {accent, dim, line, good} = colors(canvas);
    g.scale(scale, scale);
    const px = x => LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT);
    const py = y => TOP + (y1 - y) / (y1 - y0) * (HEIGHT - TOP - BOTTOM);
    g.font = '11px system-ui, sans-serif';
    g.strokeStyle = line;
    g.fillStyle = dim;
    g.textAlign = 'center';
    for (let s = step(x1 - x0), x = Math.ceil(x0 / s) * s; x <= x1 + s / 1e6; x += s) {
      g.beginPath();
      g.moveTo(px(x), TOP);
      g.lineTo(px(x), HEIGHT - BOTTOM);
      g.stroke();
      g.fillText(tick(Math.abs(x) < s / 1e6 ? 0 : x), px(x), HEIGHT - 7);
    }
    g.textAlign = 'right';
    for (let s = step(y1 - y0), y = Math.ceil(y0 / s) * s; y <= y1 + s / 1e6; y += s) {
      g.beginPath();
      g.moveTo(LEFT, py(y));
      g.lineTo(WIDTH - RIGHT, py(y));
      g.stroke();
      g.fillText(tick(Math.abs(y) < s / 1e6 ? 0 : y), LEFT - 6, py(y) + 4);
    }
    g.save();
    g.beginPath();
    g.rect(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    g.clip();
    if (fit.some(p => Number.isFinite(p.want))) {
      g.strokeStyle = good;
      g.lineWidth = 3;
      g.globalAlpha = 0.55;
      g.beginPath();
      fit.filter(p => Number.isFinite(p.want)).forEach((p, i) => {
        if (i) g.lineTo(px(p.x), py(p.want));
        else g.moveTo(px(p.x), py(p.want));
      });
      g.stroke();
      g.globalAlpha = 1;
    }
    g.fillStyle = accent;
    const every = Math.max(1, Math.floor(fit.length / 1500));
    for (let i = 0; i < fit.length; i += every)
      g.fillRect(px(fit[i].x) - 1.5, py(fit[i].y) - 1.5, 3, 3);
    g.restore();
  };
  return {draw, node: make('figure', {className: 'curve'}, canvas,
    make('figcaption', {className: 'dim', textContent: label}))};
}
