/** Keys that the reader of a lesson may change, as controls. */

import type { Change } from "./book";
import { fieldsOf, optionsOf, type Scenario, type Schema } from "./schema";

/** A key as its control shows it. */
export interface Choice {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly unit: string;
  /** What holds now, as text. */
  readonly given: string;
  /** What can be chosen; null where anything can be written. */
  readonly values: readonly unknown[] | null;
  readonly number: boolean;
}

/** Return the control of a key in a scenario; a key that does not apply there has what the lesson says of it. */
export function choiceOf(schema: Schema, scenario: Scenario, { key, values }: Change): Choice {
  const [section, name] = key.includes(".") ? key.split(".", 2) : ["", key];
  const field = fieldsOf(schema, scenario, section).find((one) => one.key === key);
  const options = section ? optionsOf(schema, scenario, section) : null;
  const named = options?.key === name ? options : null;
  const given = named ? named.chosen : field?.given || (field?.fallback ?? "");
  const all = values.length > 0 ? values : named?.all.map(({ value }) => value) ?? switchOf(field?.choices ?? null);
  const title = named ? section : (field?.name ?? name.replaceAll("_", " "));
  return {
    key, name: title, about: field?.about ?? "", unit: field?.unit ?? "", given,
    values: all === null || all.some((value) => String(value) === given) ? all : [given, ...all],
    number: field?.number ?? false,
  };
}

const switchOf = (choices: readonly string[] | null): readonly unknown[] | null =>
  choices?.map((choice) => (choice === "true" ? true : choice === "false" ? false : choice)) ?? null;

/** Read what was written into a control: a number where one is meant and it is one. */
export function written(text: string, number: boolean): unknown {
  return number && text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
