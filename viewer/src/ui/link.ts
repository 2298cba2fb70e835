/** Where the reader is, in the part of the address behind "#", so that it can be sent to others. */

import { floodOf } from "../model/flood";
import type { Session } from "./session";

/** Return the link's part for what is seen now, behind what is `kept`. */
export function linkOf({ player, focus, chosen, cause }: Session, kept = ""): string {
  const parts = new URLSearchParams({
    t: (player.time / 1e9).toFixed(6),
    speed: String(player.speed),
  });
  if (focus.node >= 0) parts.set("node", String(focus.node));
  if (focus.flow >= 0) parts.set("flow", String(focus.flow));
  if (focus.frame >= 0) parts.set("frame", String(focus.frame));
  if (focus.causes) parts.set("causes", "1");
  if (focus.rates) parts.set("rates", "1");
  if (focus.links) parts.set("links", "1");
  if (focus.message) parts.set("message", focus.message);
  if (chosen > 0) parts.set("run", String(chosen + 1));
  if (cause) parts.set("cause", cause);
  return kept ? `#${kept}&${parts}` : `#${parts}`;
}

/** Go to what a link says; what it does not say, or says wrongly, stays as it is. */
export function follow(session: Session, link: string): void {
  const parts = new URLSearchParams(link.replace(/^#/, ""));
  const whole = (name: string, below: number): number => {
    const value = Number(parts.get(name) ?? Number.NaN);
    return Number.isInteger(value) && value >= 0 && value < below ? value : -1;
  };
  const run = whole("run", session.runs.length + 1) - 1;
  if (run >= 0) session.chosen = run;
  const { trace, losses } = session.run;
  Object.assign(session.focus, {
    node: whole("node", trace.nodes.length),
    flow: whole("flow", Math.max(0, ...trace.flows.map(({ flow }) => flow + 1))),
    frame: whole("frame", trace.frames.rows),
    causes: parts.get("causes") === "1",
    rates: parts.get("rates") === "1",
    links: parts.get("links") === "1",
    message: floodOf(session.run, parts.get("message") ?? "")?.key ?? "",
  });
  const cause = parts.get("cause") ?? "";
  if (losses.causes.includes(cause)) session.cause = cause;
  const speed = Number(parts.get("speed") ?? Number.NaN);
  if (speed > 0) session.player.pace(speed);
  const time = Number(parts.get("t") ?? Number.NaN);
  if (time >= 0) session.player.seek(time * 1e9);
}
