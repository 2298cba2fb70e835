/** The JSON Schema of scenarios, as far as a form needs it. */

import type { Edit } from "./engine";

interface Shape {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly "x-unit"?: string;
  readonly "x-units"?: readonly string[];
}

export type Schema = Shape & { readonly $defs: Readonly<Record<string, Shape>> };
export type Scenario = Readonly<Record<string, unknown>>;
/** What holds of keys whose default another key decides, such as the MAC of a scheme. */
export type Effective = Readonly<Record<string, string>>;

/** A key as a form shows it. */
export interface Field {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly unit: string;
  /** What was given, as text; "" if nothing was. */
  readonly given: string;
  /** What holds if nothing is given, as far as the schema says it. */
  readonly fallback: string;
  readonly number: boolean;
  readonly choices: readonly string[] | null;
}

/** What a section can be: its scheme, its kind of topology, and so on. */
export interface Options {
  readonly key: string;
  /** "" where the section is missing and nothing holds without it. */
  readonly chosen: string;
  /** Whether nothing at all may be chosen. */
  readonly none: boolean;
  readonly all: readonly { readonly value: string; readonly title: string; readonly about: string }[];
}

/** Follow references, and take what is no null. */
function plain(schema: Schema, shape: Shape | undefined): Shape {
  if (!shape) return {};
  if (shape.$ref) {
    const { $ref, ...beside } = shape;
    return { ...plain(schema, schema.$defs[$ref.split("/").at(-1) ?? ""]), ...beside };
  }
  const real = shape.anyOf?.filter((one) => one.type !== "null");
  if (real?.length === 1 && shape.anyOf?.length === 2) {
    const { anyOf: _, ...beside } = shape;
    return { ...plain(schema, real[0]), ...beside };
  }
  return shape;
}

const sectionOf = (schema: Schema, name: string): Shape =>
  (name === "" ? schema : plain(schema, schema.properties?.[name]));

function givenIn(scenario: Scenario, section: string): Scenario {
  const found = section === "" ? scenario : scenario[section];
  return typeof found === "object" && found !== null ? (found as Scenario) : {};
}

export function optionsOf(
  schema: Schema, scenario: Scenario, section: string, effective: Effective = {},
): Options | null {
  const shape = sectionOf(schema, section);
  const [key] = Object.keys(shape.properties ?? {});
  const names = key === undefined ? undefined : shape.properties?.[key];
  if (!shape.anyOf || key === undefined || !names?.enum) return null;
  const all = shape.anyOf.map((variant) => ({
    value: variant.properties?.[key]?.const ?? "", title: variant.title ?? "", about: variant.description ?? "",
  }));
  const given = givenIn(scenario, section)[key];
  const none = names.default === undefined && !(schema.required ?? []).includes(section);
  const chosen = String(given ?? effective[`${section}.${key}`] ?? names.default ?? "");
  return { key, chosen, none, all };
}

/** The keys of a section, or of the one of its variants that is chosen. */
function keysOf(
  schema: Schema, scenario: Scenario, section: string, effective: Effective,
): readonly [string, Shape][] {
  const shape = sectionOf(schema, section);
  const options = optionsOf(schema, scenario, section, effective);
  const found = options
    ? shape.anyOf?.find((_, at) => options.all[at].value === options.chosen)
    : shape;
  return Object.entries(found?.properties ?? {}).filter(([name]) => name !== options?.key);
}

function choicesOf(shape: Shape): readonly string[] | null {
  if (shape.type === "boolean" || (Array.isArray(shape.type) && shape.type.includes("boolean"))) return ["true", "false"];
  if (shape.enum) return shape.enum;
  const named = shape.oneOf?.map((one) => one.const).filter((one) => one !== undefined);
  return named && named.length > 0 ? named : null;
}

const SIMPLE = ["string", "number", "integer", "boolean"];

/** Return the keys that a form can show; tables within tables are for the text. */
export function fieldsOf(
  schema: Schema, scenario: Scenario, section: string, effective: Effective = {},
): Field[] {
  const given = givenIn(scenario, section);
  return keysOf(schema, scenario, section, effective).flatMap(([name, raw]) => {
    const shape = plain(schema, raw);
    const types = [shape.type ?? (shape.oneOf || shape.enum ? "string" : [])].flat();
    if (!types.some((type) => SIMPLE.includes(type))) return [];
    const value = given[name];
    const simple = ["string", "number", "boolean"].includes(typeof value);
    if (value !== undefined && !simple) return [];
    const said = /Default: "?(.+?)"?\.(\s|$)/.exec(shape.description ?? "")?.[1];
    const key = section === "" ? name : `${section}.${name}`;
    const fallback = effective[key] ?? shape.default ?? said;
    return [{
      key,
      name: name.replaceAll("_", " "),
      about: (shape.description ?? "").replaceAll("\n", " "),
      unit: shape["x-units"] ? "" : shape["x-unit"] ?? "",
      given: value === undefined ? "" : String(value),
      fallback: fallback === undefined || fallback === null ? "" : String(fallback),
      number: types.includes("number") || types.includes("integer"),
      choices: choicesOf(shape),
    }];
  });
}

/** Return the edits that make a section another one of its variants: what does not belong there goes, what is needed comes. */
export function switched(schema: Schema, scenario: Scenario, section: string, chosen: string): Edit[] {
  const options = optionsOf(schema, scenario, section);
  if (!options) return [];
  if (chosen === "") return [{ key: section }];
  const { key } = options;
  const given = givenIn(scenario, section);
  const variant = sectionOf(schema, section).anyOf?.find((one) => one.properties?.[key]?.const === chosen);
  const known = variant?.properties ?? {};
  const edits: Edit[] = Object.keys(given).filter((name) => !(name in known)).map((name) => ({ key: `${section}.${name}` }));
  edits.push({ key: `${section}.${key}`, value: chosen });
  for (const name of variant?.required ?? []) {
    const shape = plain(schema, known[name]);
    const value = shape.default ?? shape.examples?.[0];
    if (name !== key && !(name in given) && value !== undefined) edits.push({ key: `${section}.${name}`, value });
  }
  // Nodes and flows one by one are those of an explicit topology.
  if (section === "topology" && chosen !== "explicit") {
    for (const name of ["node", "flow"]) if (name in scenario) edits.push({ key: name });
  }
  return edits;
}
