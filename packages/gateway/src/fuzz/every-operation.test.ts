import { activateKeyExport } from "@conclave/platform";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedCaller } from "../testing/signed-actions.ts";
import { startWorld, type World } from "../testing/world.ts";
import { furnish } from "./furniture.ts";
import { type FuzzedOperation, type OperationsDocument, operationsOf } from "./operations.ts";
import { fitting, type Schema } from "./schema-values.ts";

const SEED = 7;
const TEN_MEGABYTES = 10 * 1_024 * 1_024;

let world: World;
let document: OperationsDocument;
let strangers: readonly string[];
beforeAll(async () => {
  world = await startWorld({ settlementWaitMs: 1 });
  document = operationsOf((await world.call("GET", "/openapi.json")).body);
  // without this, exports would be refused before the key is looked up
  await activateKeyExport(world.database, world.caller.orgId, true);
  strangers = await furnish(world, `Bearer ${world.strangersToken}`);
});
afterAll(() => world.stop());

const samples = new WeakMap<Schema, unknown>();
/** A fitting value, always the same. */
const one = (schema: Schema): unknown => {
  if (!samples.has(schema)) {
    const [sample] = fc.sample(fitting(schema, document.schemas), { numRuns: 1, seed: SEED });
    samples.set(schema, sample);
  }
  return samples.get(schema);
};

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : (document.schemas.get(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)) ?? {});

/** The alternatives of a body, each an object with named fields. */
const variantsOf = (schema: Schema): readonly Schema[] => {
  const whole = resolved(schema);
  const choices = whole.oneOf ?? whole.anyOf;
  return choices === undefined ? [whole] : choices.flatMap(variantsOf);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A path with ids of the right kinds, of entities that do not exist. */
const pathOf = ({ path, parameters }: FuzzedOperation): string =>
  parameters.reduce((text, { name, schema }) => text.replace(`{${name}}`, String(one(schema))), path);

const withBody = (): readonly FuzzedOperation[] =>
  document.operations.filter(({ body }) => body !== undefined);

/** The answers with any other status than these. */
const others = async (
  asked: readonly (readonly [string, () => Promise<{ readonly status: number }>])[],
  expected: readonly number[],
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [what, ask] of asked) {
    const { status } = await ask();
    if (!expected.includes(status)) found.push(`${what}: ${status}`);
  }
  return found;
};

/** Every body with one field spoiled, for each operation. */
const spoiledFields = (
  spoil: (
    body: Readonly<Record<string, unknown>>,
    variant: Schema,
  ) => readonly (readonly [string, unknown])[],
) =>
  withBody().flatMap((operation) =>
    variantsOf(operation.body ?? {}).flatMap((variant) => {
      const body = one(variant);
      if (!isRecord(body)) return [];
      return spoil(body, variant).map(
        ([field, sent]) =>
          [
            `${operation.id} with ${field}`,
            () => world.call(operation.method, pathOf(operation), sent),
          ] as const,
      );
    }),
  );

describe("INV-9 every operation with a body refuses", () => {
  it("each required field left out", async () => {
    const asked = spoiledFields((body, { required = [] }) =>
      required.map((field) => [
        `no ${field}`,
        Object.fromEntries(Object.entries(body).filter(([name]) => name !== field)),
      ]),
    );
    expect(asked.length).toBeGreaterThan(80);
    expect(await others(asked, [400])).toEqual([]);
  });

  it("each field of another type", async () => {
    const asked = spoiledFields((body, { properties = {} }) =>
      Object.entries(properties)
        .filter(([, schema]) => Object.keys(resolved(schema)).length > 0)
        .map(([field, schema]) => {
          const isObject = resolved(schema).type === "object" || resolved(schema).properties !== undefined;
          return [`another type of ${field}`, { ...body, [field]: isObject ? [7] : { wrong: true } }];
        }),
    );
    expect(asked.length).toBeGreaterThan(120);
    expect(await others(asked, [400])).toEqual([]);
  });

  it("a field that nobody knows", async () => {
    const asked = spoiledFields((body) => [["an unknown field", { ...body, unexpected: 1 }]]);
    expect(await others(asked, [400])).toEqual([]);
  });

  it.each<readonly [string, string]>([
    ["no JSON", "{"],
    ["nothing", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["text", '"text"'],
    ["sixty lists in one another", `${"[".repeat(60)}${"]".repeat(60)}`],
  ])("%s", async (_, sent) => {
    const asked = withBody().map(
      (operation) => [operation.id, () => world.call(operation.method, pathOf(operation), sent)] as const,
    );
    expect(await others(asked, [400])).toEqual([]);
  });

  it("another content type", async () => {
    const asked = withBody().map(
      (operation) =>
        [
          operation.id,
          () =>
            world.call(operation.method, pathOf(operation), "a=1", {
              "content-type": "application/x-www-form-urlencoded",
            }),
        ] as const,
    );
    expect(await others(asked, [400, 415])).toEqual([]);
  });

  it("10 megabytes", async () => {
    const sent = JSON.stringify({ text: "a".repeat(TEN_MEGABYTES) });
    const asked = withBody().map(
      (operation) => [operation.id, () => world.call(operation.method, pathOf(operation), sent)] as const,
    );
    expect(await others(asked, [413])).toEqual([]);
  });
});

describe("INV-9 every operation refuses", () => {
  it("ids of another kind", async () => {
    const asked = document.operations.flatMap((operation) =>
      operation.parameters
        .filter(({ name }) => name.endsWith("Id"))
        .map(({ name }) => {
          const path = pathOf({
            ...operation,
            path: operation.path.replace(`{${name}}`, "zz-00000-00000-0"),
          });
          const body = operation.method === "GET" ? undefined : {};
          return [`${operation.id} by ${name}`, () => world.call(operation.method, path, body)] as const;
        }),
    );
    expect(asked.length).toBeGreaterThan(50);
    expect(await others(asked, [400])).toEqual([]);
  });

  it.each(["limit=0", "limit=-1", "limit=1000000000", "limit=one", "limit=1.5", "limit="])(
    "a list with %s",
    async (query) => {
      const lists = document.operations.filter(({ query: known }) =>
        known.some(({ name }) => name === "limit"),
      );
      const asked = lists.map(
        (operation) => [operation.id, () => world.call("GET", `${pathOf(operation)}?${query}`)] as const,
      );
      expect(asked.length).toBeGreaterThan(10);
      expect(await others(asked, [400])).toEqual([]);
    },
  );

  it.each(["e30", "%00", "a".repeat(300), Buffer.from('{"ms":-1,"id":"x"}').toString("base64url")])(
    "a list with the forged pagination token %s",
    async (token) => {
      const lists = document.operations.filter(({ query }) =>
        query.some(({ name }) => name === "paginationToken"),
      );
      const asked = lists.map(
        (operation) =>
          [operation.id, () => world.call("GET", `${pathOf(operation)}?paginationToken=${token}`)] as const,
      );
      // for a list below an entity that does not exist, that may be the answer
      expect(await others(asked, [400, 404])).toEqual([]);
    },
  );
});

describe("INV-11 every operation on something of another organisation", () => {
  const PREFIXES: Readonly<Record<string, RegExp>> = {
    walletId: /^wa-/,
    keyId: /^key-/,
    transferId: /^xfr-/,
    permissionId: /^pm-/,
    webhookId: /^wh-/,
    policyId: /^plc-/,
  };

  it("answers as if it were not there: never with it, never that it may not be seen", async () => {
    const signed = await signedCaller(world);
    const asked = document.operations.flatMap((operation) => {
      const theirs = (name: string) => strangers.find((id) => PREFIXES[name]?.test(id));
      if (!operation.parameters.some(({ name }) => theirs(name) !== undefined)) return [];
      const path = operation.parameters.reduce(
        (text, { name }) => text.replace(`{${name}}`, theirs(name) ?? `{${name}}`),
        operation.path,
      );
      const body = operation.body === undefined ? {} : one(variantsOf(operation.body)[0] ?? {});
      return [
        [
          operation.id,
          () =>
            // operations that always need a signed action would be refused for the lack of one
            (operation.path.endsWith("/export") ? signed : world.call)(
              operation.method,
              pathOf({ ...operation, path }),
              operation.method === "GET" ? undefined : body,
            ),
        ] as const,
      ];
    });
    expect(asked.length).toBeGreaterThan(40);
    // a random body may be refused for its own content
    expect(await others(asked, [400, 404])).toEqual([]);
  });
});
