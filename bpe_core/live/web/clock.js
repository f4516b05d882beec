// Playing: which step is due, as long as its frame is here.

export class Clock {
  /** `ready(step)`: whether a step can be shown; `go(step)`; `ended()`; `gone()`: whether the film has left the page. */
  constructor({ ready, go, ended, gone }) {
    Object.assign(this, { ready, go, ended, gone, playing: false });
  }

  /** Play from a step to the last one, so many steps a second. */
  start(from, last, speed) {
    this.playing = true;
    Object.assign(this, { from, last, speed, begun: performance.now(), at: from });
    requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    if (!this.playing || this.gone()) return;
    const due = Math.min(this.from + Math.floor(((now - this.begun) / 1000) * this.speed), this.last);
    let next = this.at;
    while (next < due && this.ready(next + 1)) next++;
    if (next < due) Object.assign(this, { from: next, begun: now }); // time stands still until the frame is here
    if (next !== this.at) this.go(this.at = next);
    if (next >= this.last) this.stop();
    else requestAnimationFrame((later) => this.frame(later));
  }

  /** From here on so many steps a second. */
  setSpeed(speed) {
    Object.assign(this, { from: this.at, speed, begun: performance.now() });
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.ended();
  }
}
