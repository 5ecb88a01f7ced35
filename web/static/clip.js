// "Show me": what was seen around a ruling, played slowly on the drawn board.
export const SLOWER = 3;

// The stones of a clip at a time, ms after the ruling: the newest picture that is not later. Pure.
export function stonesAt(frames, ms) {
  let stones = frames.length ? frames[0].stones : [];
  for (const frame of frames) {
    if (frame.ms > ms) break;
    stones = frame.stones;
  }
  return stones;
}

// Fetches the clip of a ruling and plays it on the page's board; resolves to false where there is none.
export async function playClip(page, ruling, env) {
  const clip = await page.fetchJson(`/g/${page.game}/clip/${ruling}`).catch(() => null);
  if (!clip || !clip.frames || !clip.frames.length) return false;
  const began = env.now();
  const step = () => {
    const ms = clip.from_ms + (env.now() - began) / SLOWER;
    const over = ms > clip.to_ms;
    page.clip = over ? null : { stones: stonesAt(clip.frames, ms), left: Math.ceil((clip.to_ms - ms) / 1000) };
    page.draw();
    if (!over) env.later(step);
  };
  step();
  return true;
}
