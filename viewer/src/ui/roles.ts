/** A legend of the roles of nodes: each with its shape. */

import { html, nothing, svg, type TemplateResult } from "lit";
import { pointsOf, rolesOf, shapeOf } from "../map/shapes";

const MIDDLE = { x: 7, y: 7 };

/** Return the legend; nothing where no node has a role. */
export function roleLegend(nodes: readonly { readonly role?: string | null }[]): TemplateResult | typeof nothing {
  const roles = rolesOf(nodes);
  return roles.length === 0 ? nothing : html`<ul class="roles" aria-label="Roles">${roles.map((role) => html`<li>
    <svg viewBox="0 0 14 14" aria-hidden="true">${svg`<polygon points=${pointsOf(shapeOf(roles, role), MIDDLE, 5.5)}/>`}</svg>${role}</li>`)}
    ${nodes.some((node) => !node.role) ? html`<li><svg viewBox="0 0 14 14" aria-hidden="true"><circle cx="7" cy="7" r="5.5"/></svg>no role</li>` : nothing}
  </ul>`;
}
