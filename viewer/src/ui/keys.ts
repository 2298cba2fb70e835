/** Keys, and what they do; the help is made from the same list. */

import type { Session } from "./session";

export interface Key {
  readonly keys: readonly string[];
  readonly about: string;
  act(session: Session): void;
}

function turnNode(session: Session, by: 1 | -1): void {
  const { length } = session.run.trace.nodes;
  const { node } = session.focus;
  const next = node < 0 ? (by > 0 ? 0 : length - 1) : (node + by + length) % length;
  session.choose({ node: next, frame: -1 });
}

function turnFlow(session: Session): void {
  const flows = [-1, ...session.run.trace.flows.map(({ flow }) => flow)];
  const at = flows.indexOf(session.focus.flow);
  session.choose({ flow: flows[(at + 1) % flows.length] });
}

export const KEYS: readonly Key[] = [
  { keys: [" "], about: "play or pause", act: (s) => s.player.toggle() },
  { keys: ["ArrowRight", "."], about: "to the next frame", act: (s) => s.step(1) },
  { keys: ["ArrowLeft", ","], about: "to the frame before", act: (s) => s.step(-1) },
  { keys: ["l"], about: "to the next loss", act: (s) => void s.jump(1) },
  { keys: ["L"], about: "to the loss before", act: (s) => void s.jump(-1) },
  { keys: ["ArrowUp", "+"], about: "faster", act: (s) => s.player.faster(1) },
  { keys: ["ArrowDown", "-"], about: "slower", act: (s) => s.player.faster(-1) },
  { keys: ["Home"], about: "to the beginning", act: (s) => s.player.seek(0) },
  { keys: ["End"], about: "to the end", act: (s) => s.player.seek(s.player.end) },
  { keys: ["n"], about: "look at the next node", act: (s) => turnNode(s, 1) },
  { keys: ["N"], about: "look at the node before", act: (s) => turnNode(s, -1) },
  { keys: ["f"], about: "show one flow after the other, then all", act: turnFlow },
  {
    keys: ["r"], about: "the other run, where there are two",
    act: (s) => s.choose({ node: -1, frame: -1 }, (s.chosen + 1) % s.runs.length),
  },
  {
    keys: ["c"], about: "who spoils whose frames, and where the medium is full",
    act: (s) => s.choose({ causes: !s.focus.causes }),
  },
  {
    keys: ["b"], about: "colours of bit rates, or of flows",
    act: (s) => s.choose({ rates: !s.focus.rates }),
  },
  {
    keys: ["s"], about: "who hears whom, and how strongly",
    act: (s) => s.choose({ links: !s.focus.links }),
  },
  { keys: ["m"], about: "one message alone: the next to everyone", act: (s) => s.turnMessage(1) },
  { keys: ["M"], about: "the message before", act: (s) => s.turnMessage(-1) },
  { keys: ["w"], about: "to where the message has gone a hop farther", act: (s) => s.turnWave(1) },
  { keys: ["W"], about: "a hop back", act: (s) => s.turnWave(-1) },
  { keys: ["d"], about: "light or dark", act: (s) => s.turn() },
  {
    keys: ["Escape"], about: "look at nothing in particular",
    act: (s) => s.choose({ node: -1, flow: -1, frame: -1, message: "" }),
  },
];

/** How keys are written on keyboards. */
export const KEY_NAMES: Record<string, string> = {
  " ": "Space", ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc",
  L: "Shift L", M: "Shift M", N: "Shift N", W: "Shift W",
};

/** Whether a key belongs to the element that has the focus. */
function taken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || target.isContentEditable) return true;
  return event.key === " " && /^(BUTTON|SUMMARY|A)$/.test(target.tagName);
}

/** Do what a key stands for; true if it stands for anything. */
export function press(session: Session, event: KeyboardEvent): boolean {
  if (taken(event)) return false;
  const key = KEYS.find(({ keys }) => keys.includes(event.key));
  key?.act(session);
  return key !== undefined;
}
