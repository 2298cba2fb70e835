/** What the reader looks at and how: shared by all parts of the page. */

import { DARK, LIGHT, type Theme } from "../map/colors";
import { NOTHING, type Focus } from "../map/scene";
import { floodOf, messagesOf, type Flood } from "../model/flood";
import { Player } from "../model/player";
import { opening, type Run } from "../model/run";

export class Session extends EventTarget {
  readonly player: Player;
  readonly focus: Focus = { ...NOTHING };
  /** The run whose node and frame are looked at. */
  chosen = 0;
  /** Jump only to losses of this cause; "" for all. */
  cause = "";
  theme: Theme = LIGHT;

  constructor(readonly runs: readonly Run[]) {
    super();
    this.player = new Player(Math.max(1, ...runs.map(({ trace }) => trace.end_ns)));
    this.player.time = opening(runs[0]);
    this.player.addEventListener("seek", () => this.changed());
    this.#follow(document.documentElement.dataset["theme"]);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#follow());
  }

  get run(): Run {
    return this.runs[this.chosen] ?? this.runs[0];
  }

  /** The message that is looked at, and what became of it. */
  get flood(): Flood | null {
    return floodOf(this.run, this.focus.message);
  }

  /** Look at one message alone, from its beginning on; "" for none. */
  watch(message: string, run = this.chosen): void {
    const flood = floodOf(this.runs[run], message);
    this.choose({ message: flood ? message : "" }, run);
    if (flood) this.player.seek(flood.time);
  }

  /** Go to the next flood of the run, or to the one before; of the chosen flow, if there is one. */
  turnMessage(by: 1 | -1): void {
    const messages = messagesOf(this.run);
    const next = messages.step(by, messages.of(this.focus.message), this.player.time, this.focus.flow);
    this.player.pause();
    if (next) this.watch(next.key);
  }

  /** Go to where the next wave of the message has arrived, or the one before. */
  turnWave(by: 1 | -1): void {
    const { flood, player } = this;
    if (!flood) return;
    const times = [flood.time, ...flood.waves.map(({ time }) => time), flood.end];
    const next = by > 0 ? times.find((time) => time > player.time) : times.reverse().find((time) => time < player.time);
    player.pause();
    if (next !== undefined) player.seek(next);
  }

  /** Go on where another session is, whose runs are the same and were shorter. */
  resume({ player, focus, chosen, cause }: Session): void {
    Object.assign(this.focus, focus);
    [this.chosen, this.cause] = [chosen, cause];
    this.player.pace(player.speed);
    this.player.seek(player.time);
    if (player.playing) this.player.toggle();
  }

  changed(): void {
    this.dispatchEvent(new Event("change"));
  }

  choose(what: Partial<Focus>, run = this.chosen): void {
    Object.assign(this.focus, what);
    this.chosen = run;
    this.changed();
  }

  /** Light becomes dark, dark becomes light. */
  turn(): void {
    this.#follow(this.theme.dark ? "light" : "dark");
  }

  #follow(wanted?: string): void {
    const root = document.documentElement;
    if (wanted) root.dataset["theme"] = wanted;
    const dark = root.dataset["theme"]
      ? root.dataset["theme"] === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    this.theme = dark ? DARK : LIGHT;
    this.changed();
  }

  /** Go to the beginning of the next or last frame of any run. */
  step(by: 1 | -1): void {
    const { player } = this;
    player.pause();
    const found = this.runs
      .map(({ air }) => (by > 0 ? air.next(player.time) : air.previous(player.time)))
      .filter(Number.isFinite);
    if (found.length > 0) player.seek(by > 0 ? Math.min(...found) : Math.max(...found));
  }

  /** Go to the next or last loss of any run; false if there is none. */
  jump(by: 1 | -1, cause = this.cause): boolean {
    const { player } = this;
    const found = this.runs.flatMap(({ losses }, run) => {
      const at = by > 0 ? losses.next(player.time, cause) : losses.previous(player.time, cause);
      return at < 0 ? [] : [{ run, at, time: losses.time[at] }];
    });
    if (found.length === 0) return false;
    const first = found.reduce((best, one) => (one.time < best.time === by > 0 ? one : best));
    player.pause();
    this.chosen = first.run;
    this.focus.node = this.runs[first.run].losses.node[first.at];
    player.seek(first.time);
    return true;
  }
}
