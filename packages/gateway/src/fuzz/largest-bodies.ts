import fc from "fast-check";
import { fitting, type Schema } from "./schema-values.ts";

/** Larger bodies are refused unread. */
export const LARGEST_BODY_BYTES = 1_048_576;
/** Number of texts drawn for a pattern, of which the longest is used, as their lengths differ. */
const DRAWN = 30;
const SEED = 7;
/** Repeated to a text's full length until one of them fits its pattern. */
const FILLINGS = ["a", "1", "A", "ab", "0x", "a.", "1-"] as const;
const PREFIXES = ["", "0x", "http://a/", "https://a/", "data:,"] as const;

type Named = ReadonlyMap<string, Schema>;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

const texts = new Map<string, string>();

/** The schema with its text's length limited to the remaining room, if it has no pattern. */
const withinRoom = (schema: Schema, room: number): Schema =>
  schema.pattern === undefined && schema.maxLength !== undefined && schema.maxLength > room
    ? { ...schema, maxLength: Math.max(0, room) }
    : schema;

const filled = (maxLength: number, fits: RegExp): string | undefined => {
  for (const prefix of PREFIXES) {
    for (const filling of FILLINGS) {
      const text = (prefix + filling.repeat(maxLength)).slice(0, maxLength);
      if (fits.test(text)) return text;
    }
  }
  return undefined;
};

/** The longest text found for a schema; deterministic. */
const longestText = (schema: Schema): string => {
  const name = JSON.stringify(schema);
  const known = texts.get(name);
  if (known !== undefined) return known;
  const { pattern, maxLength, format } = schema;
  const drawn = fc.sample(fitting({ ...schema, type: "string" }, new Map()), { numRuns: DRAWN, seed: SEED });
  const longest = drawn
    .filter((each) => typeof each === "string")
    .reduce((one, other) => (other.length > one.length ? other : one), "");
  const hasForm = format !== undefined && format !== "uri";
  const found = hasForm || maxLength === undefined ? undefined : filled(maxLength, new RegExp(pattern ?? ""));
  const text = found === undefined || found.length < longest.length ? longest : found;
  texts.set(name, text);
  return text;
};

/** The remaining size of the body, shared by all its parts. */
interface Room {
  left: number;
}

const largestOf = (schema: Schema, named: Named, room: Room, path: ReadonlySet<string>): unknown => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    // a recursive schema ends at its first repetition
    return path.has(name)
      ? undefined
      : largestOf(named.get(name) ?? {}, named, room, new Set([...path, name]));
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined)
    return schema.enum.reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return largestChoice(choices, named, room, path);
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => largestOf(part, named, room, path)));
  }
  const [type] = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  switch (type) {
    case "string":
      return longestText(withinRoom(schema, room.left));
    case "integer":
    case "number":
      return schema.maximum ?? schema.minimum ?? 1;
    case "boolean":
      return false;
    case "null":
      return null;
    case "array":
      return largestList(schema, named, room, path);
    case "object":
      return largestObject(schema, named, room, path);
    default:
      return "a";
  }
};

const largestChoice = (
  choices: readonly Schema[],
  named: Named,
  room: Room,
  path: ReadonlySet<string>,
): unknown => {
  const values = choices.map((choice) => largestOf(choice, named, { ...room }, path));
  return values.reduce((one, other) => (bytesOf(other) > bytesOf(one) ? other : one));
};

/** As many of the largest item as the schema and the room allow. */
const largestList = (
  { items = {}, minItems = 0, maxItems = 0 }: Schema,
  named: Named,
  room: Room,
  path: ReadonlySet<string>,
): readonly unknown[] => {
  const item = largestOf(items, named, { ...room }, path);
  if (item === undefined) return [];
  const each = bytesOf(item) + 1;
  const count = Math.max(minItems, Math.min(maxItems, Math.floor(room.left / each)));
  room.left -= count * each;
  return Array.from({ length: count }, (_, at) => differing(item, at));
};

/** Makes an item of a list distinct, as lists may require that: letters for its number replace the end of a text of letters. */
const differing = (item: unknown, at: number): unknown => {
  if (typeof item !== "string" || !/^[a-zA-Z]+$/.test(item)) return item;
  const number = at.toString(36).replace(/\d/g, (digit) => "ABCDEFGHIJ"[Number(digit)] ?? "A");
  return item.slice(0, Math.max(0, item.length - number.length)) + number;
};

const largestObject = (
  { properties = {}, additionalProperties, maxProperties = 0 }: Schema,
  named: Named,
  room: Room,
  path: ReadonlySet<string>,
): object => {
  const known: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(properties)) {
    const value = largestOf(part, named, room, path);
    if (value === undefined) continue;
    if (Array.isArray(value)) room.left -= name.length + 6;
    else room.left -= bytesOf(value) + name.length + 4;
    known[name] = value;
  }
  if (typeof additionalProperties !== "object") return known;
  const value = largestOf(additionalProperties, named, { ...room }, path);
  const each = bytesOf(value) + 12;
  const count = Math.min(maxProperties - Object.keys(known).length, Math.floor(room.left / each));
  for (let at = 0; at < count; at++) known[`name${at}`] = value;
  room.left -= Math.max(0, count) * each;
  return known;
};

/** The alternatives of a body. */
const variantsOf = (schema: Schema, named: Named): readonly Schema[] => {
  if (schema.$ref !== undefined)
    return variantsOf(named.get(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)) ?? {}, named);
  const choices = schema.oneOf ?? schema.anyOf;
  return choices === undefined ? [schema] : choices.flatMap((choice) => variantsOf(choice, named));
};

/**
 * Makes the largest body found for each alternative of a body's schema: texts as long, and lists and maps as full, as
 * their limits and 1 MiB allow.
 *
 * @param named the schemas that references name
 * @returns bodies, each below LARGEST_BODY_BYTES as JSON, unless a single value is already larger
 */
export const largestBodies = (schema: Schema, named: Named): readonly unknown[] =>
  variantsOf(schema, named).map((variant) =>
    largestOf(variant, named, { left: LARGEST_BODY_BYTES - 1_024 }, new Set()),
  );
