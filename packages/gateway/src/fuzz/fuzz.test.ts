import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWorld, type World } from "../testing/world.ts";
import { furnish } from "./furniture.ts";
import { hostile, spoiled } from "./hostile-values.ts";
import { type FuzzedOperation, type OperationsDocument, operationsOf } from "./operations.ts";
import { fitting } from "./schema-values.ts";
import { watchedDatabase } from "./watched-database.ts";

/** Number of requests, divided among the operations. */
const REQUESTS = Number(process.env["CONCLAVE_FUZZ_REQUESTS"] ?? 20_000);
const AT_A_TIME = 8;
const LONGEST_MS = Math.max(1_200_000, 15 * REQUESTS);
/** fixed, so that a failure repeats; `make fuzz` draws another */
const SEED = Number(process.env["CONCLAVE_FUZZ_SEED"] ?? 20_261_121);

/** Statements that a refused request may leave: challenges and counters are no change of a requested resource. */
const BOOKKEEPING = /user_actions|nonces|audit|challenges/i;

let world: World;
let watch: ReturnType<typeof watchedDatabase>;
let document: OperationsDocument;
let ids: readonly string[];
/** number of statements of accepted requests, which shows that changes are seen at all */
let changed = 0;

beforeAll(async () => {
  world = await startWorld({
    settlementWaitMs: 1,
    wrapDatabase: (database) => {
      watch = watchedDatabase(database);
      return watch.database;
    },
  });
  document = operationsOf(await (await world.raw("/openapi.json", {})).json());
  ids = [
    ...(await furnish(world)),
    ...(await furnish(world, `Bearer ${world.strangersToken}`)),
    world.caller.userId,
    "wa-00000-00000-0000000000000000",
    "..%2f",
    "%00",
    "import",
    "a".repeat(300),
  ];
});
afterAll(() => world.stop());

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly contentType: string | undefined;
}

const prefixes: Readonly<Record<string, RegExp>> = {
  walletId: /^wa-/,
  keyId: /^key-/,
  transferId: /^xfr-/,
  permissionId: /^pm-/,
  webhookId: /^wh-/,
  policyId: /^plc-/,
  userId: /^us-/,
};

/** An id for a parameter, usually of its own kind. */
const idFor = (name: string): fc.Arbitrary<string> => {
  const own = ids.filter((id) => prefixes[name]?.test(id) ?? false);
  const any = fc.constantFrom(...ids);
  return own.length === 0 ? any : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...own) }, any);
};

const spelled = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

const pathOf = ({ path, query }: FuzzedOperation): fc.Arbitrary<string> => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const value = (schema: Parameters<typeof fitting>[0]) =>
    fc.oneof(fitting(schema, document.schemas), hostile).map(spelled);
  const asked = fc.record(Object.fromEntries(query.map(({ name, schema }) => [name, value(schema)])), {
    requiredKeys: [],
  });
  return fc.tuple(fc.tuple(...names.map(idFor)), asked).map(([chosen, parameters]) => {
    const filled = names.reduce((text, name, at) => text.replace(`{${name}}`, chosen[at] ?? ""), path);
    // URLSearchParams encodes half a surrogate pair as a client's encoder would
    const search = new URLSearchParams(
      Object.entries(parameters).map(([name, text]): [string, string] => [name, text ?? ""]),
    ).toString();
    return search === "" ? filled : `${filled}?${search}`;
  });
};

const requestOf = (operation: FuzzedOperation): fc.Arbitrary<Request> => {
  const { method, body } = operation;
  const content = body === undefined ? fc.constant({}) : spoiled(fitting(body, document.schemas));
  const text = fc.oneof(
    { weight: 30, arbitrary: content.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom("", "{", "[]", "null", '{"a":1,"a":2}', "﻿{}", '"') },
  );
  const contentType = fc.oneof(
    { weight: 30, arbitrary: fc.constant("application/json") },
    {
      weight: 1,
      arbitrary: fc.constantFrom("text/plain", "application/json; charset=utf-16", "", undefined),
    },
  );
  return fc.tuple(pathOf(operation), text, contentType).map(([path, sent, type]) => ({
    method,
    path,
    body: method === "GET" ? undefined : sent,
    contentType: method === "GET" ? undefined : type,
  }));
};

const send = ({ method, path, body, contentType }: Request): Promise<Response> =>
  world.raw(path, {
    method,
    headers: {
      // logging out ends a token, so it uses another one than the other requests
      authorization: `Bearer ${path.startsWith("/auth/logout") ? world.strangersToken : world.token}`,
      ...(contentType === undefined ? {} : { "content-type": contentType }),
    },
    ...(body === undefined ? {} : { body }),
  });

/** The fault of an answer; undefined when there is none. */
const fault = async (request: Request): Promise<string | undefined> => {
  const [answer, changes] = await watch.during(() => send(request));
  const text = await answer.text();
  const requestText = JSON.stringify({ ...request, body: request.body?.slice(0, 400) });
  // the request was accepted and continues, so this is no refusal
  const isUnderWay = answer.status === 503 && text.includes("RequestInProgress");
  if (answer.status >= 500 && !isUnderWay) return `${answer.status} to ${requestText}: ${text.slice(0, 300)}`;
  const lasting = changes.statements.filter((statement) => !BOOKKEEPING.test(statement));
  if (answer.status < 400 || isUnderWay) {
    changed += lasting.length;
    return undefined;
  }
  return lasting.length === 0
    ? undefined
    : `${answer.status} changed something by ${requestText}: ${lasting[0]}`;
};

describe("INV-9 requests made from the service's own description", () => {
  it(
    `get no 5xx, and change nothing when they are refused: ${REQUESTS} of seed ${SEED}`,
    async () => {
      const { operations } = document;
      const each = Math.ceil(REQUESTS / operations.length);
      const faults: string[] = [];
      for (const [at, operation] of operations.entries()) {
        const requests = fc.sample(requestOf(operation), { numRuns: each, seed: SEED + at });
        for (let next = 0; next < requests.length; next += AT_A_TIME) {
          const found = await Promise.all(requests.slice(next, next + AT_A_TIME).map(fault));
          faults.push(...found.flatMap((text) => text ?? []));
        }
      }
      expect(each * operations.length).toBeGreaterThanOrEqual(REQUESTS);
      expect(faults.slice(0, 5)).toEqual([]);
      expect(changed).toBeGreaterThan(0);
      // the token stayed valid, so no request was refused for lack of one
      expect((await world.call("GET", "/wallets")).status).toBe(200);
    },
    LONGEST_MS,
  );

  it("cover every operation of the document", () => {
    expect(document.operations.length).toBeGreaterThan(50);
  });
});
