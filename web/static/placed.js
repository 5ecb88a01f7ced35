// Players in the order of their places, the seats kept where they are equal. Pure.
export function placed(view) {
  const points = view.scoring === "points";
  const better = (a, b) => (points ? a.points - b.points : b.wins - a.wins);
  return view.players.map((p, k) => [p, k]).sort((a, b) => better(a[0], b[0]) || a[1] - b[1]).map(([p]) => p);
}
