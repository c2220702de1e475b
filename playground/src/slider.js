// The slider: it moves one number of the text, from a quarter of it to four times as much.

import { element } from "./html.js";
import { numbers } from "./keys.js";

const STEPS = 48; // From one end to the other.
const RANGE = 4;

export class Slider {
  // `moved` is called when a number was moved.
  constructor({ key, range, said }, editor, moved) {
    Object.assign(this, { key, range, said, editor, origin: null });
    range.max = STEPS;
    key.addEventListener("change", () => this.begin());
    range.addEventListener("input", () => { this.move(); moved(); });
  }

  // Lists the numbers of the text, and keeps the one that was chosen if it is still there.
  list(schema) {
    this.schema = schema;
    this.found = numbers(schema, this.editor.text);
    const chosen = this.key.value;
    this.key.replaceChildren(...this.found.map(({ label }) => element("option", { value: label }, label)));
    // A longer run is no other world, so that `duration` is not what stands there first.
    const wanted = this.found.find(({ label }) => label === chosen) ?? this.found.find(({ label }) => label !== "duration");
    if (wanted) this.key.value = wanted.label;
    this.range.disabled = !this.found.length;
    const one = this.one();
    if (!one) this.said.textContent = "";
    else if (this.origin?.label !== one.label || this.moved !== one.value) this.begin();
  }

  one() {
    return this.found.find(({ label }) => label === this.key.value);
  }

  begin() {
    this.origin = this.one();
    this.moved = this.origin?.value;
    this.range.value = STEPS / 2;
    this.tell();
  }

  move() {
    this.found = numbers(this.schema, this.editor.text);
    const one = this.one();
    if (!one) return;
    const value = this.origin.value * RANGE ** ((2 * this.range.value) / STEPS - 1);
    const whole = Number.isInteger(this.origin.value) && !this.origin.unit;
    this.moved = whole ? Math.max(1, Math.round(value)) : Number(value.toPrecision(2));
    this.editor.replace(one.from, one.to, String(this.moved));
    this.tell();
  }

  tell() {
    const text = this.origin ? `${this.moved} ${this.origin.unit}`.trim() : "";
    this.said.textContent = text;
    this.range.setAttribute("aria-valuetext", text);
  }
}
