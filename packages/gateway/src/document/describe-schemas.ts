import { type ApiDocument, type ApiSchema, alternativesOf, inline, jsonOf, operationsIn } from "./types.ts";
import type { Vocabulary, Word } from "./vocabulary/word.ts";

/** The meaning of a name, by the names of its containers, the nearest first. */
export type WordOf = (name: string, holders: readonly string[]) => Vocabulary[string] | undefined;

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
};

/** Whether a value fits a schema as its example: a word has one example, but the schemas of its name differ. */
const mayStand = (value: unknown, { type, enum: values, pattern, items }: ApiSchema): boolean => {
  if (values !== undefined) return values.includes(value);
  const wanted: readonly unknown[] = Array.isArray(type) ? type : [type];
  const isOfType = wanted.includes(typeOf(value)) || (wanted.includes("number") && typeof value === "number");
  if (!isOfType) return false;
  if (Array.isArray(value)) {
    const item = inline(items);
    return item !== undefined && value.every((each) => mayStand(each, item));
  }
  return typeof value !== "string" || pattern === undefined || new RegExp(pattern, "u").test(value);
};

/** Gives a schema the sentence and the example of its word, unless it has its own. */
const describeBy = (schema: ApiSchema, word: Word | undefined): void => {
  if (word === undefined) return;
  const [says, example] = word;
  schema.description ??= says;
  if (example === undefined || "example" in schema || schema.examples !== undefined) return;
  if (mayStand(example, schema)) schema.examples = [example];
};

/** The member that distinguishes the variants of a union. */
const DISCRIMINATORS = ["kind", "activityKind", "credentialKind"];

/** The value by which a union identifies this variant. */
const variantName = (schema: ApiSchema): string | undefined => {
  for (const name of DISCRIMINATORS) {
    const values = inline(schema.properties?.[name])?.enum;
    if (values?.length === 1) return String(values[0]);
  }
  return undefined;
};

const describeProperties = (schema: ApiSchema, holders: readonly string[], wordOf: WordOf): void => {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const word = wordOf(name, holders);
    const own = inline(property);
    // a reference may have its own sentence, about what the component means here
    if (own !== undefined) describeBy(own, word);
    else if (word !== undefined && "$ref" in property) property.description ??= word[0];
    describeSchema(own, [name], wordOf);
  }
};

/**
 * Describes the parts of a schema that have no description of their own.
 * @param holders names of the containers of its properties, the nearest first
 */
const describeSchema = (schema: ApiSchema | undefined, holders: readonly string[], wordOf: WordOf): void => {
  if (schema === undefined) return;
  const variant = variantName(schema);
  if (variant !== undefined) schema.title ??= variant;
  describeProperties(schema, variant === undefined ? holders : [variant, ...holders], wordOf);
  for (const alternative of alternativesOf(schema)) describeSchema(inline(alternative), holders, wordOf);
  describeSchema(inline(schema.items), holders, wordOf);
  if (typeof schema.additionalProperties === "object")
    describeSchema(inline(schema.additionalProperties), holders, wordOf);
};

/** Describes every property and parameter of a document by the meaning of its name, unless its schema has a description. */
export const describeSchemas = (document: ApiDocument, wordOf: WordOf): void => {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    const says = schema.description ?? wordOf(name, [])?.[0];
    if (says !== undefined) schema.description = says;
    describeSchema(inline(schema), [name], wordOf);
  }
  for (const { operation } of operationsIn(document)) {
    const holders = [operation.operationId ?? ""];
    for (const parameter of operation.parameters ?? []) {
      if ("$ref" in parameter) continue;
      const word = wordOf(parameter.name, holders);
      const schema = inline(parameter.schema);
      if (schema !== undefined) describeBy(schema, word);
      const says = parameter.description ?? schema?.description ?? word?.[0];
      if (says !== undefined) parameter.description = says;
      // optional ones get no example, as a filter that is filled in would hide results
      if (parameter.required === true) parameter.example ??= schema?.examples?.[0];
    }
    describeSchema(inline(jsonOf(operation.requestBody)), holders, wordOf);
    for (const answer of Object.values(operation.responses ?? {}))
      describeSchema(inline(jsonOf(answer)), holders, wordOf);
  }
};
