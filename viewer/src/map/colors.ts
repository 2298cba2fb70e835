/**
 * Colours of flows and of what the map shows. Flows have the colours of Okabe and Ito, which people
 * with any colour vision tell apart; on a light ground they are darker where they would not be seen
 * otherwise. Vermilion is kept for losses, which have a shape of their own as well.
 */

const FLOWS_ON_LIGHT = ["#0072b2", "#b27a00", "#008a65", "#b6579a", "#2a8fc4", "#7a7a00"];
const FLOWS_ON_DARK = ["#3f9fdc", "#e69f00", "#1fb889", "#cc79a7", "#8accf0", "#f0e442"];

export interface Theme {
  readonly dark: boolean;
  readonly flows: readonly string[];
  readonly ink: string;
  readonly faint: string;
  readonly line: string;
  readonly ground: string;
  readonly box: string;
  readonly loss: string;
}

export const LIGHT: Theme = {
  dark: false, flows: FLOWS_ON_LIGHT, ink: "#1b1f24", faint: "#57606a", line: "#c3cad2",
  ground: "#ffffff", box: "#f6f8fa", loss: "#c44f00",
};
export const DARK: Theme = {
  dark: true, flows: FLOWS_ON_DARK, ink: "#e6edf3", faint: "#9aa4af", line: "#3d444d",
  ground: "#0d1117", box: "#161b22", loss: "#f0762b",
};

/** The colour of a flow, by its place among the flows; what belongs to none is grey. */
export function flowColor(theme: Theme, flow: number): string {
  return flow < 0 ? theme.faint : theme.flows[flow % theme.flows.length];
}

/** From little to much, for any colour vision and on either ground (after viridis). */
const SCALE_ON_LIGHT = ["#440154", "#414487", "#2a788e", "#22a884", "#6aa51f"];
const SCALE_ON_DARK = ["#8c5fd0", "#5d8fd8", "#2db3b0", "#6fd06a", "#fde725"];

/** The colour of a place on a scale from 0 to 1. */
export function scaleColor(theme: Theme, share: number): string {
  const colors = theme.dark ? SCALE_ON_DARK : SCALE_ON_LIGHT;
  return colors[Math.round(Math.min(1, Math.max(0, share)) * (colors.length - 1))];
}

/** The colour of a rate, by its place among those of the run; where there is none, that of no flow. */
export function rateColor(theme: Theme, rates: readonly number[], rate: number): string {
  const at = rates.indexOf(rate);
  return at < 0 ? theme.faint : scaleColor(theme, at / Math.max(1, rates.length - 1));
}
