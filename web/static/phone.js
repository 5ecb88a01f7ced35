// What this phone keeps, and how a page asks the table.

// What came with the page. A phone that only watches (join.js) acts nowhere, though it has the code.
export function bootData() {
  const boot = JSON.parse(document.getElementById("boot").textContent);
  const role = (document.body.dataset.role = kept("role") || "");
  if (role === "watch" || role === "screen") boot.may_act = false;
  return boot;
}

export function kept(key) {
  try {
    return window.localStorage.getItem(key);
  } catch (error) {
    return null; // a phone that keeps nothing still plays
  }
}

export function keep(key, value) {
  try {
    window.localStorage.setItem(key, value);
  } catch (error) {
    return; // as above
  }
}

// JSON of a path. Rejects where the link fails, times out, or the server is in trouble; a refusal is an answer.
export async function fetchJson(path, options) {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 3000);
  try {
    const answer = await fetch(path, { cache: "no-store", signal: stop.signal, ...options });
    if (!answer.ok && ![400, 403, 429].includes(answer.status)) throw new Error("status " + answer.status);
    return await answer.json();
  } finally {
    clearTimeout(timer);
  }
}

export function sendJson(path, body) {
  return fetchJson(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

// How commands of this phone leave it; game "" is the table itself.
export function commandLink(game) {
  return {
    send: (command) => sendJson(game ? `/g/${game}/commands` : "/commands", command),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    random: () => randomId(window.crypto),
  };
}

// 128 bits as text; crypto.randomUUID is missing on plain http.
export function randomId(crypto) {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

// How a game's views come in.
export function viewLink(game) {
  return {
    EventSource: window.EventSource,
    fetchView: () => fetchJson(`/g/${game}/view`).catch((error) => {
      if (error.message === "status 404") window.location.href = "/?gone"; // it has been deleted
      throw error;
    }),
    later: (f, ms) => setTimeout(f, ms),
    cancel: (id) => clearTimeout(id),
    now: () => performance.now(),
  };
}
