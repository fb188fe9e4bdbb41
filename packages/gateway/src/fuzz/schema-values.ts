import fc from "fast-check";
import { z } from "zod";

/** The part of JSON Schema that this service's OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | Schema | undefined;
  readonly items?: Schema | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

export const schemaSchema: z.ZodType<Schema> = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(schemaSchema).optional();
  },
  get oneOf() {
    return z.array(schemaSchema).optional();
  },
  get allOf() {
    return z.array(schemaSchema).optional();
  },
  get properties() {
    return z.record(z.string(), schemaSchema).optional();
  },
  required: z.array(z.string()).optional(),
  get additionalProperties() {
    return z.union([z.boolean(), schemaSchema]).optional();
  },
  get items() {
    return schemaSchema.optional();
  },
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  maxProperties: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

const ITEMS_MAX = 3;
const LENGTH_MAX = 40;

const matching = new Map<string, fc.Arbitrary<string>>();

/**
 * Texts that match a pattern. Patterns are cached, as parsing one takes longer than making a text, and the document has
 * few.
 */
const textMatching = (pattern: string): fc.Arbitrary<string> => {
  const known = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern), { size: "small" });
  matching.set(pattern, known);
  return known;
};

const textOf = ({ pattern, format, minLength = 0, maxLength = LENGTH_MAX }: Schema): fc.Arbitrary<string> => {
  if (pattern !== undefined) return textMatching(pattern);
  if (format === "uri") return fc.webUrl();
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, LENGTH_MAX)) });
};

const objectOf = (schema: Schema, valuesOf: (schema: Schema) => fc.Arbitrary<unknown>) => {
  const properties = Object.entries(schema.properties ?? {});
  const required = properties.map(([name]) => name).filter((name) => schema.required?.includes(name));
  const known = fc.record(Object.fromEntries(properties.map(([name, each]) => [name, valuesOf(each)])), {
    requiredKeys: required,
  });
  const { additionalProperties } = schema;
  if (typeof additionalProperties !== "object") return known;
  const extra = fc.dictionary(fc.string({ maxLength: 8 }), valuesOf(additionalProperties), { maxKeys: 2 });
  return fc.tuple(extra, known).map(([more, own]) => ({ ...more, ...own }));
};

/** Values that usually fit a schema. */
export const fitting = (
  schema: Schema,
  named: ReadonlyMap<string, Schema>,
  depth = 0,
): fc.Arbitrary<unknown> => {
  const inner = (each: Schema) => fitting(each, named, depth + 1);
  if (depth > 8) return fc.constant({});
  if (schema.$ref !== undefined) {
    return inner(named.get(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)) ?? {});
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(inner));
  if (schema.allOf !== undefined) {
    return fc
      .tuple(...schema.allOf.map(inner))
      .map((parts) =>
        parts.reduce<unknown>((whole, part) => ({ ...asObject(whole), ...asObject(part) }), {}),
      );
  }
  const [type] = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  switch (type) {
    case "string":
      return textOf(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 1_000_000) });
    case "number":
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(inner(schema.items ?? {}), {
        minLength: Math.min(schema.minItems ?? 0, ITEMS_MAX),
        maxLength: Math.min(schema.maxItems ?? ITEMS_MAX, ITEMS_MAX),
      });
    case "object":
      return objectOf(schema, inner);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
};

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});
