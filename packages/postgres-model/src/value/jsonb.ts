export type Json = null | boolean | number | string | readonly Json[] | { readonly [property: string]: Json };

/** A value of type jsonb. Its objects have their keys in the order of PostgreSQL, by length and then by bytes, and are frozen. */
export class Jsonb {
  readonly json: Json;
  #text: string | undefined;

  constructor(json: Json) {
    this.json = inOrder(json);
  }

  static parse(text: string): Jsonb {
    const json: Json = JSON.parse(text);
    return new Jsonb(json);
  }

  /** The text of PostgreSQL: with a space after each comma and colon. The same for equal values. */
  toString(): string {
    this.#text ??= textOfJson(this.json);
    return this.#text;
  }

  /** The value at a key of an object or at a position of an array; undefined where there is none. */
  at(key: string | number): Json | undefined {
    const { json } = this;
    if (isList(json)) return typeof key === "number" ? json.at(key) : undefined;
    if (json === null || typeof json !== "object" || typeof key === "number") return undefined;
    return Object.hasOwn(json, key) ? json[key] : undefined;
  }

  /** Whether a string is a key of an object, or a string of an array. */
  has(key: string): boolean {
    const { json } = this;
    if (isList(json)) return json.includes(key);
    return typeof json === "object" && json !== null ? Object.hasOwn(json, key) : json === key;
  }
}

export const isList = (json: Json): json is readonly Json[] => Array.isArray(json);

const textOfJson = (json: Json): string => {
  if (json === null || typeof json !== "object") return JSON.stringify(json);
  if (isList(json)) return `[${json.map(textOfJson).join(", ")}]`;
  const pairs = Object.entries(json).map(([key, value]) => `${JSON.stringify(key)}: ${textOfJson(value)}`);
  return `{${pairs.join(", ")}}`;
};

const inOrder = (json: Json): Json => {
  if (json === null || typeof json !== "object" || Object.isFrozen(json)) return json;
  if (isList(json)) return Object.freeze(json.map(inOrder));
  const keys = Object.keys(json).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return Object.freeze(Object.fromEntries(keys.map((key) => [key, inOrder(json[key] ?? null)])));
};
