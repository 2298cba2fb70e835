/** The shapes of nodes: a disc, or what tells a role from the others without a colour. */

/** Corners around a middle, for a radius of 1, clockwise; a disc has none. */
export type Corners = readonly (readonly [number, number])[];

/** A regular polygon of about the area of a disc; `turn` as a share of a whole turn, from the top. */
function polygon(corners: number, turn = 0, inner = 1): Corners {
  const size = Math.sqrt((2 * Math.PI) / (corners * Math.sin((2 * Math.PI) / corners))) * (inner < 1 ? 1.15 : 1);
  return Array.from({ length: inner < 1 ? 2 * corners : corners }, (_, at) => {
    const angle = ((inner < 1 ? at / (2 * corners) : at / corners) + turn) * 2 * Math.PI;
    const far = size * (inner < 1 && at % 2 === 1 ? inner : 1);
    return [far * Math.sin(angle), -far * Math.cos(angle)] as const;
  });
}

const DISC: Corners = [];
const SHAPES: readonly Corners[] = [
  polygon(4, 1 / 8), polygon(3), polygon(4), polygon(5), polygon(3, 1 / 2), polygon(6), polygon(5, 0, 0.5),
];

/** What there are of roles, in the order of their names. */
export function rolesOf(nodes: readonly { readonly role?: string | null }[]): readonly string[] {
  return [...new Set(nodes.flatMap(({ role }) => (role ? [role] : [])))].sort();
}

/** Return the shape of a role; more roles than shapes share them. */
export function shapeOf(roles: readonly string[], role: string | null | undefined): Corners {
  const at = role ? roles.indexOf(role) : -1;
  return at < 0 ? DISC : SHAPES[at % SHAPES.length];
}

/** Return a shape as the points of an SVG polygon. */
export function pointsOf(corners: Corners, { x, y }: { x: number; y: number }, radius: number): string {
  return corners.map(([right, down]) => `${(x + right * radius).toFixed(2)},${(y + down * radius).toFixed(2)}`).join(" ");
}
