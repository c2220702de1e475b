// What a student draws of a sheet, of the SHA-256 of both names (lab/draw.py): values, a seed, the order of what there is to choose.

const MOST_SEEDS = 9999n;
const ID = /^[\p{L}\p{N}_][\p{L}\p{N}_.@+-]{0,63}$/u;
const DRAWN = /\{(\w+)\}/g;

export const isStudent = (text) => ID.test(text);

async function drawn(sheet, student, what) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode([sheet, student, what].join("\0")));
  return new DataView(digest).getBigUint64(0);
}

export const seed = async (sheet, student) => Number(1n + ((await drawn(sheet, student, "seed")) % MOST_SEEDS));

// What a student gets of each list.
export async function values(sheet, student, lists) {
  const got = {};
  for (const [name, some] of Object.entries(lists)) got[name] = some[Number((await drawn(sheet, student, `draw ${name}`)) % BigInt(some.length))];
  return got;
}

export async function shuffled(sheet, student, question, options) {
  const placed = await Promise.all(options.map(async (text) => ({ text, key: await drawn(sheet, student, `option ${question} ${text}`) })));
  return placed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ text }) => text);
}

// The same content with the values in place of their names; a text that is a name alone becomes the value.
export function filled(content, got) {
  if (Array.isArray(content)) return content.map((one) => filled(one, got));
  if (content !== null && typeof content === "object") return Object.fromEntries(Object.entries(content).map(([key, one]) => [filled(key, got), filled(one, got)]));
  if (typeof content !== "string") return content;
  const alone = /^\{(\w+)\}$/.exec(content);
  return alone && alone[1] in got ? got[alone[1]] : content.replaceAll(DRAWN, (_, name) => got[name]);
}
