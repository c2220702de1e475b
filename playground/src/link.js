// A link that holds a scenario: JSON, deflated (RFC 1951), in base64url (RFC 4648 section 5), in the fragment, which no server sees.

const NAME = "#s=";

async function through(octets, stream) {
  const whole = new Response(new Blob([octets]).stream().pipeThrough(stream));
  return new Uint8Array(await whole.arrayBuffer());
}

export function fromBase64(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}

function toBase64(octets) {
  let letters = "";
  for (const octet of octets) letters += String.fromCharCode(octet);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export const inflated = (octets, format) => through(octets, new DecompressionStream(format));

// The fragment for what is to be kept.
export async function fragment(kept) {
  const octets = new TextEncoder().encode(JSON.stringify(kept));
  return NAME + toBase64(await through(octets, new CompressionStream("deflate-raw")));
}

// What a fragment holds; nothing if it is none of ours. One that is damaged is an error.
export async function held(hash) {
  if (!hash.startsWith(NAME)) return null;
  try {
    const kept = JSON.parse(new TextDecoder().decode(await inflated(fromBase64(hash.slice(NAME.length)), "deflate-raw")));
    if (typeof kept.text !== "string") throw new Error("no scenario in it");
    return kept;
  } catch (error) {
    throw new Error("this link is cut or damaged: ask for it once more", { cause: error });
  }
}
