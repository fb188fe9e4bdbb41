import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { operationsOf } from "../fuzz/operations.ts";
import { type Schema, schemaSchema } from "../fuzz/schema-values.ts";
import { startWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** Whether a pattern is anchored, and has no unlimited repetition. */
const isBoundedPattern = (pattern: string): boolean =>
  pattern.startsWith("^") &&
  pattern.endsWith("$") &&
  !/[*+]|\{\d+,\}/.test(pattern.replaceAll(/\\[*+]|\[[^\]]*\]/g, "x"));

const isBoundedText = ({ maxLength, enum: choices, const: only, pattern, format }: Schema): boolean =>
  maxLength !== undefined ||
  choices !== undefined ||
  only !== undefined ||
  format === "date-time" ||
  (pattern !== undefined && isBoundedPattern(pattern));

/** The paths in a schema at which a caller chooses a size without a limit. */
const unbounded = (
  schema: Schema,
  schemas: ReadonlyMap<string, Schema>,
  path: string,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    const found = schemas.get(name);
    return found === undefined || seen.has(name)
      ? []
      : unbounded(found, schemas, path, new Set([...seen, name]));
  }
  const inside = (part: Schema, name: string) => unbounded(part, schemas, `${path}${name}`, seen);
  const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  const found = [
    ...parts.flatMap((part) => inside(part, "")),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => inside(part, `.${name}`)),
    ...(schema.items === undefined ? [] : inside(schema.items, "[]")),
  ];
  if (schema.type === "string" && !isBoundedText(schema)) found.push(path);
  if (schema.type === "array" && schema.maxItems === undefined) found.push(`${path}[…]`);
  const others = schema.additionalProperties;
  if (typeof others === "object") {
    if (schema.maxProperties === undefined) found.push(`${path}{}`);
    found.push(...inside(others, "{}"));
  }
  return found;
};

it("K8 every size that a caller chooses has a bound in the schema of its operation", async () => {
  const { operations, schemas } = operationsOf((await world.call("GET", "/openapi.json")).body);
  const found = operations.flatMap(({ id, parameters, query, body }) => [
    ...parameters.flatMap(({ name, schema }) => unbounded(schema, schemas, `${id} ${name}`)),
    ...query.flatMap(({ name, schema }) => unbounded(schema, schemas, `${id} ?${name}`)),
    ...(body === undefined ? [] : unbounded(body, schemas, `${id} body`)),
  ]);
  expect(operations.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});

const answersSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string().optional(),
        responses: z
          .record(
            z.string(),
            z.looseObject({
              content: z.record(z.string(), z.looseObject({ schema: schemaSchema.optional() })).optional(),
            }),
          )
          .optional(),
      }),
    ),
  ),
});

/** The lists in a schema without a limit on their length. */
const endless = (schema: Schema, schemas: ReadonlyMap<string, Schema>, path: string): readonly string[] =>
  unbounded(schema, schemas, path).filter((found) => found.endsWith("[…]"));

it("K8 every list of an answer has pages or a bound", async () => {
  const { body } = await world.call("GET", "/openapi.json");
  const { operations, schemas } = operationsOf(body);
  const paged = new Set(
    operations
      .filter(({ query }) => query.some(({ name }) => name === "paginationToken"))
      .map(({ id }) => id),
  );
  const answers = Object.values(answersSchema.parse(body).paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId = "", responses = {} }) =>
      Object.values(responses).flatMap(({ content = {} }) =>
        Object.values(content).flatMap(({ schema }) =>
          schema === undefined ? [] : [{ operationId, schema }],
        ),
      ),
    );
  expect(answers.length).toBeGreaterThan(operations.length);
  expect(paged.size).toBeGreaterThan(10);
  const found = answers.flatMap(({ operationId, schema }) =>
    endless(schema, schemas, "")
      .filter((path) => !(paged.has(operationId) && path === ".items[…]"))
      .map((path) => `${operationId} ${path}`),
  );
  expect(found).toEqual([]);
});

it("patterns are those of ECMA-262 as JSON Schema has them, without slashes and flags", async () => {
  const { body } = await world.call("GET", "/openapi.json");
  const patterns: string[] = [];
  JSON.stringify(body, (name, value: unknown) => {
    if (name === "pattern" && typeof value === "string") patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter((pattern) => /^\/|\/[a-z]*$/.test(pattern))).toEqual([]);
});

it("K8 a policy whose parts are within their bounds may be too long as a whole: the document says so, and so does the answer", async () => {
  const { body } = await world.call("GET", "/openapi.json");
  expect(JSON.stringify(body)).toMatch(/that of a policy takes at most 1048576 bytes in all/);
  const addresses = Array.from({ length: 10_000 }, (_, at) => `${"a".repeat(250)}${at}`);
  const rows = await world.rows();
  const answer = await world.call("POST", "/v2/policies", {
    name: "long",
    activityKind: "Wallets:Sign",
    rule: { kind: "TransactionRecipientWhitelist", configuration: { addresses } },
    action: { kind: "Block" },
  });
  expect([answer.status, answer.body]).toMatchObject([413, { error: { details: { code: "BodyTooLarge" } } }]);
  expect(await world.rows()).toBe(rows);
});
