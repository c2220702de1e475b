// The editor: a text area with the numbers of its lines, and with what can be written at the caret.

import { possible } from "./keys.js";

const MOST = 12; // Words that are offered at once.

export class Editor {
  constructor({ area, lines, offers }) {
    Object.assign(this, { area, lines, offers, schema: null, marked: new Set(), shown: [], chosen: 0 });
    area.addEventListener("input", () => { this.number(); this.offer(false); });
    area.addEventListener("scroll", () => { lines.scrollTop = area.scrollTop; this.close(); });
    area.addEventListener("blur", () => this.close());
    area.addEventListener("keydown", (event) => this.press(event));
    area.addEventListener("click", () => this.close());
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.mark([]);
  }

  // Numbers the lines; those with a message are marked.
  number() {
    const many = this.text.split("\n").length;
    this.lines.replaceChildren(...Array.from({ length: many }, (_, at) => {
      const line = document.createElement("span");
      line.textContent = at + 1;
      line.classList.toggle("wrong", this.marked.has(at + 1));
      return line;
    }));
    this.lines.scrollTop = this.area.scrollTop;
  }

  mark(lines) {
    this.marked = new Set(lines);
    this.number();
  }

  // Puts the caret at a place, counted from 1.
  go(line, column) {
    const before = this.text.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(before + column - 1, before + column - 1);
    const high = this.lines.firstElementChild.getBoundingClientRect().height;
    this.area.scrollTop = Math.max(0, (line - 4) * high);
  }

  // Writes over a part of the text, so that it can be undone.
  write(from, to, text) {
    this.area.focus();
    this.area.setSelectionRange(from, to);
    if (!document.execCommand("insertText", false, text)) this.area.setRangeText(text, from, to, "end");
  }

  // Writes over a part of the text from elsewhere, such as the slider, which keeps the focus.
  replace(from, to, text) {
    this.area.setRangeText(text, from, to, "preserve");
    this.number();
  }

  // Offers what can be written here: asked for all of it, or what begins with the letters that are there.
  offer(asked) {
    const { selectionStart: at, selectionEnd: end } = this.area;
    const found = this.schema && at === end ? possible(this.schema, this.text.slice(0, at)) : [];
    this.shown = found.filter(({ typed }) => asked || typed).slice(0, MOST);
    this.chosen = 0;
    this.draw();
  }

  close() {
    this.shown = [];
    this.draw();
  }

  draw() {
    const { area, offers } = this;
    offers.hidden = !this.shown.length;
    offers.replaceChildren(...this.shown.map(({ word, about }, at) => {
      const one = document.createElement("li");
      one.id = `offer-${at}`;
      one.role = "option";
      one.ariaSelected = at === this.chosen;
      one.append(Object.assign(document.createElement("b"), { textContent: word }), Object.assign(document.createElement("span"), { textContent: about }));
      one.addEventListener("pointerdown", (event) => { event.preventDefault(); this.take(at); });
      return one;
    }));
    if (offers.hidden) return area.removeAttribute("aria-activedescendant");
    area.setAttribute("aria-activedescendant", `offer-${this.chosen}`);
    offers.children[this.chosen].scrollIntoView?.({ block: "nearest" });
    this.place();
  }

  // Puts the offers below the caret: letters are all of one width, and lines are not wrapped.
  place() {
    const { area, offers } = this;
    const before = this.text.slice(0, area.selectionStart).split("\n");
    const style = getComputedStyle(area);
    const high = parseFloat(style.lineHeight);
    const brush = document.createElement("canvas").getContext("2d");
    brush.font = style.font;
    const left = area.offsetLeft + parseFloat(style.paddingLeft) + brush.measureText(before.at(-1)).width - area.scrollLeft;
    offers.style.left = `${Math.max(0, Math.min(left, area.offsetLeft + area.clientWidth - offers.offsetWidth))}px`;
    offers.style.top = `${area.offsetTop + parseFloat(style.paddingTop) + before.length * high - area.scrollTop + 2}px`;
  }

  take(at) {
    const { word, typed } = this.shown[at];
    const end = this.area.selectionStart;
    this.close();
    this.write(end - typed, end, word);
    // Behind a key its words come next.
    this.offer(word.endsWith("= "));
  }

  press(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      return this.offer(true);
    }
    if (!this.shown.length) return;
    const many = this.shown.length;
    const keys = {
      ArrowDown: () => { this.chosen = (this.chosen + 1) % many; this.draw(); },
      ArrowUp: () => { this.chosen = (this.chosen + many - 1) % many; this.draw(); },
      Enter: () => this.take(this.chosen),
      Tab: () => this.take(this.chosen),
      Escape: () => this.close(),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }
}
