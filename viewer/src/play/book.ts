/** Lessons as a server or a site has them: a list, and a file for each. */

/** A key that the reader may change, and the values to choose from; with none, anything. */
export interface Change {
  readonly key: string;
  readonly values: readonly unknown[];
}

/** A scenario in a lesson. */
export interface Network {
  /** In TOML. */
  readonly text: string;
  readonly runs: readonly { readonly title: string; readonly set: Readonly<Record<string, unknown>> }[];
  readonly change: readonly Change[];
  /** Columns of results: of `runs`, or with the name of their table. */
  readonly show: readonly string[];
  /** Where the replay begins, as in the part of an address behind "#". */
  readonly view: string;
}

/** A part of a lesson. HTML was made of Markdown, in which HTML is text. */
export type Part =
  | { readonly html: string }
  | { readonly network: Network }
  | { readonly exercise: { readonly question: string; readonly answer: string } };

export interface Lesson {
  readonly name: string;
  readonly title: string;
  readonly parts: readonly Part[];
}

/** What is known of lessons before one is opened. */
export interface Book {
  readonly title: string;
  readonly html: string;
  readonly pages: readonly { readonly name: string; readonly title: string }[];
}

/** Where an address leads: to the list of lessons (""), to a lesson (its name), or to neither (null). */
export function lessonOf(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("lesson");
}

export async function getLesson(name: string): Promise<Lesson> {
  const answer = await fetch(`lessons/${encodeURIComponent(name)}.json`);
  if (!answer.ok) throw new Error(`The lesson “${name}” cannot be read: the server answered ${answer.status}.`);
  return (await answer.json()) as Lesson;
}
