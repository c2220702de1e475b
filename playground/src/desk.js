// A desk: one worker that answers question after question. Who ends a run gets a new worker at it.

export class Desk {
  // For a compiled module, and the text of the worker's script.
  constructor(module, script) {
    Object.assign(this, { module, script, asked: null });
    this.begin();
  }

  begin() {
    const address = URL.createObjectURL(new Blob([this.script], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.postMessage({ module: this.module });
    this.worker.addEventListener("message", ({ data }) => this.hear(data));
    this.worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.hear({ bug: event.message });
    });
  }

  hear({ progress, answer, bug }) {
    if (!this.asked) return;
    if (progress !== undefined) return this.asked.progress(progress);
    const { done, fail } = this.asked;
    this.asked = null;
    if (bug === undefined) return done(answer);
    // Whatever went wrong in it, its memory is not to be trusted any more.
    this.renew();
    fail(new Error(bug));
  }

  // Asks, and ends what was asked before, if that is still under way.
  ask(question, { octets, progress = () => {} } = {}) {
    this.end();
    return new Promise((done, fail) => {
      this.asked = { done, fail, progress };
      this.worker.postMessage({ question, octets });
    });
  }

  // Ends what is under way: it is answered with nothing.
  end() {
    if (!this.asked) return;
    const { done } = this.asked;
    this.asked = null;
    this.renew();
    done(null);
  }

  renew() {
    this.worker.terminate();
    this.begin();
  }
}
