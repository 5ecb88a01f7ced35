// Amounts as pages show them.

// Grams: never "-0.0".
export const gramsText = (grams) => (Math.round(grams * 10) / 10 || 0).toFixed(1);

// Seconds as minutes: "2:05".
export const minutesText = (seconds) => Math.floor(seconds / 60) + ":" + String(Math.floor(seconds % 60)).padStart(2, "0");
