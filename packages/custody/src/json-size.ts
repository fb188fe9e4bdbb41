import { z } from "zod";

/** The limits of a JSON value. */
export interface JsonRoom {
  /** values of all kinds together: strings, numbers, arrays, objects and the rest */
  readonly values: number;
  /** characters of strings and field names */
  readonly characters: number;
  /** nesting of arrays and objects */
  readonly depth: number;
}

/** Says why a value does not fit; undefined for one that does. It stops reading at the first limit exceeded. */
const whyTooLarge = (value: unknown, room: JsonRoom): string | undefined => {
  let [values, characters] = [0, 0];
  const waiting: [unknown, number][] = [[value, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [one, depth] = next;
    values += 1;
    if (typeof one === "string") characters += one.length;
    if (typeof one === "object" && one !== null) {
      if (depth >= room.depth) return `is nested deeper than ${room.depth}`;
      const held: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
      if (!Array.isArray(one)) for (const name of Object.keys(one)) characters += name.length;
      if (values + waiting.length + held.length > room.values) return `holds more than ${room.values} values`;
      for (const each of held) waiting.push([each, depth + 1]);
    }
    if (characters > room.characters) return `holds more than ${room.characters} characters`;
  }
  return undefined;
};

/** A schema that parses only values of a bounded size and refuses larger ones before parsing. */
export const withinRoom = <Schema extends z.ZodType>(room: JsonRoom, schema: Schema) =>
  z.preprocess((value, context) => {
    const why = whyTooLarge(value, room);
    if (why !== undefined) context.issues.push({ code: "custom", message: why, input: value });
    return value;
  }, schema);
