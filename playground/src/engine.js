// The engine: a module of WebAssembly that answers questions. A message is JSON with octets behind it, and the length of the JSON
// before it, in four octets (crates/tools/playground/src/message.rs).

const words = new TextEncoder();
const letters = new TextDecoder();

export function packed(json, octets = new Uint8Array()) {
  const text = words.encode(JSON.stringify(json));
  const message = new Uint8Array(4 + text.length + octets.length);
  new DataView(message.buffer).setUint32(0, text.length, true);
  message.set(text, 4);
  message.set(octets, 4 + text.length);
  return message;
}

export function unpacked(message) {
  const length = new DataView(message.buffer, message.byteOffset).getUint32(0, true);
  return { json: JSON.parse(letters.decode(message.subarray(4, 4 + length))), octets: message.slice(4 + length) };
}

// An engine from its module, compiled or not; `progress` gets the share of a run that is done.
export async function engine(module, progress = () => {}) {
  let memory = null;
  let bug = "";
  const page = {
    progress: (share) => (progress(share) === false ? 0 : 1),
    failed: (place, length) => { bug = letters.decode(new Uint8Array(memory.buffer, place, length)); },
  };
  const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
  const { exports } = await WebAssembly.instantiate(compiled, { page });
  const { room, ask, answered } = exports;
  ({ memory } = exports);
  return (json, octets) => {
    const question = packed(json, octets);
    try {
      const place = room(question.length);
      new Uint8Array(memory.buffer, place, question.length).set(question);
      const answer = ask();
      return unpacked(new Uint8Array(memory.buffer, answer, answered()));
    } catch (error) {
      // What panics has said why; what has no memory left, or a stack too deep, says nothing.
      throw new Error(bug || "out of memory: make `duration` shorter, `record.every` longer or stations fewer", { cause: error });
    }
  };
}
