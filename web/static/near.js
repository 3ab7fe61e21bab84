// Which routes a touch on the drawn board may have meant: geometry in the board's millimetres.
// A route is { id, boxes }, a box { x, y, cos, sin, along, across } with half its size each way.

// Farthest that a touch lands from where it was aimed at, in pixels of the screen.
const REACH_PX = { mouse: 2, pen: 5, touch: 9 };

// So far around a touch that met nothing a route is still looked for.
const WIDE_PX = 24;

// Of more routes than these nobody is asked to choose.
const MOST_OFFERED = 3;

// How much nearer the board comes by itself, or by a button pressed twice.
export const STEP = 3;

function distanceToBox(box, x, y) {
  const [dx, dy] = [x - box.x, y - box.y];
  const along = Math.max(0, Math.abs(dx * box.cos + dy * box.sin) - box.along);
  const across = Math.max(0, Math.abs(dy * box.cos - dx * box.sin) - box.across);
  return Math.hypot(along, across);
}

function distance(route, x, y) {
  return Math.min(...route.boxes.map((box) => distanceToBox(box, x, y)));
}

// The ids of all routes within reach (mm) of a point.
function within(routes, x, y, reach) {
  return routes.filter((route) => distance(route, x, y) <= reach).map((route) => route.id);
}

// What a touch at (x, y) means. One route alone in reach of it is surely meant: { open: id }.
// Of several all are offered: { offer: ids }, in the board's order; of too many none: { nearer: true },
// and the board comes nearer for another try. Where none is in reach, those a little farther off
// are offered; { open: null } says that no route is near at all. `choose` leaves out routes that
// nobody need be asked about; it is given them with the nearest first.
export function meaning(routes, x, y, pxPerMm, pointer, mayComeNearer, choose = (ids) => ids) {
  const reach = (REACH_PX[pointer] ?? REACH_PX.touch) / pxPerMm;
  let near = within(routes, x, y, reach);
  if (near.length === 0) near = within(routes, x, y, WIDE_PX / pxPerMm);
  const far = new Map(routes.map((route) => [route.id, distance(route, x, y)]));
  const chosen = choose([...near].sort((a, b) => far.get(a) - far.get(b)));
  near = near.filter((id) => chosen.includes(id));
  if (near.length > MOST_OFFERED && mayComeNearer) return { nearer: true };
  return near.length > 1 ? { offer: near } : { open: near[0] ?? null };
}

export function middle(route) {
  const half = (route.boxes.length - 1) / 2;
  const [a, b] = [route.boxes[Math.floor(half)], route.boxes[Math.ceil(half)]];
  return [(a.x + b.x) / 2, (a.y + b.y) / 2];
}

// The same points moved as little as it takes for any two of a few to be `least` from each other.
export function apart(points, least) {
  const moved = points.map((point) => [...point]);
  for (let round = 0; round < 20; round += 1) {
    for (let i = 1; i < moved.length; i += 1) {
      for (const other of moved.slice(0, i)) push(moved[i], other, least);
    }
  }
  return moved;
}

function push(one, other, least) {
  const [dx, dy] = [one[0] - other[0], one[1] - other[1]];
  const far = Math.hypot(dx, dy);
  if (far >= least) return;
  const [ux, uy] = far > 0.01 ? [dx / far, dy / far] : [1, 0];
  const half = (least - far) / 2;
  [one[0], one[1]] = [one[0] + ux * half, one[1] + uy * half];
  [other[0], other[1]] = [other[0] - ux * half, other[1] - uy * half];
}

const DIRECTIONS = {
  ArrowRight: ([dx, dy]) => [dx, Math.abs(dy)],
  ArrowLeft: ([dx, dy]) => [-dx, Math.abs(dy)],
  ArrowDown: ([dx, dy]) => [dy, Math.abs(dx)],
  ArrowUp: ([dx, dy]) => [-dy, Math.abs(dx)],
};

// The route whose middle comes next from that of `from` in the direction of an arrow key.
export function neighbour(routes, from, key) {
  const [x, y] = middle(from);
  const ahead = routes
    .filter((route) => route !== from)
    .map((route) => [DIRECTIONS[key](middle(route).map((at, i) => at - [x, y][i])), route])
    .filter(([[along, across]]) => along > 0.5 && across <= along)
    .sort(([a], [b]) => a[0] + 2 * a[1] - b[0] - 2 * b[1]);
  return ahead[0]?.[1] ?? null;
}
