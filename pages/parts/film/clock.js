// Playing: which step is due, as long as its frame is here.

class Clock {
  /** `ready(step)`: whether a step can be shown; `go(step)`; `ended(whether at the end)`. */
  constructor({ ready, go, ended }) {
    Object.assign(this, { ready, go, ended, playing: false });
  }

  /** Play from a step to the last one, so many steps a second. */
  start(from, last, speed) {
    this.playing = true;
    Object.assign(this, { from, last, speed, begun: performance.now(), at: from });
    requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    if (!this.playing) return;
    const due = Math.min(this.from + Math.floor(((now - this.begun) / 1000) * this.speed), this.last);
    let next = this.at;
    while (next < due && this.ready(next + 1)) next++;
    if (next < due) Object.assign(this, { from: next, begun: now }); // time stands still until the frame is here
    if (next !== this.at) this.go((this.at = next));
    if (next >= this.last) this.stop();
    else requestAnimationFrame((later) => this.frame(later));
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.ended(this.at >= this.last);
  }
}
