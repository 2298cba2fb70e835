/** The clock of the page: one for all runs that it shows. */

import { SPEEDS } from "./words";

export class Player extends EventTarget {
  time = 0;
  playing = false;
  speed: number = 0.01;
  /** How much of the run passed between the last two pictures, in ns. */
  passed = 0;

  /** Whether the run goes on, so that a player at its end waits there for more. */
  growing = false;

  constructor(readonly end: number) {
    super();
  }

  /** Go on by so many milliseconds of the reader's time. */
  tick(elapsed_ms: number): void {
    if (!this.playing) return;
    this.passed = elapsed_ms * 1e6 * this.speed;
    this.time = Math.min(this.end, this.time + this.passed);
    if (this.time >= this.end && !this.growing) this.#set(false);
    this.#tell("time");
  }

  /** Go to a time, and stand still there. */
  seek(time: number): void {
    if (!Number.isFinite(time)) return;
    this.time = Math.min(this.end, Math.max(0, time));
    this.passed = 0;
    this.#tell("seek");
  }

  toggle(): void {
    if (!this.playing && this.time >= this.end && !this.growing) this.seek(0);
    this.#set(!this.playing);
  }

  pause(): void {
    this.#set(false);
  }

  faster(by: 1 | -1): void {
    const at = SPEEDS.reduce((best, speed, i) =>
      Math.abs(Math.log(speed / this.speed)) < Math.abs(Math.log(SPEEDS[best] / this.speed))
        ? i : best, 0);
    this.pace(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]);
  }

  pace(speed: number): void {
    this.speed = Math.min(SPEEDS[SPEEDS.length - 1], Math.max(SPEEDS[0], speed));
    this.#tell("seek");
  }

  #set(playing: boolean): void {
    if (this.playing === playing) return;
    this.playing = playing;
    this.passed = 0;
    this.#tell("seek");
  }

  /** "time" while it plays, "seek" for everything else. */
  #tell(what: "time" | "seek"): void {
    this.dispatchEvent(new Event(what));
  }
}
