import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { exampleThings, type Things } from "../testing/example-world.ts";
import { personWith, userOf } from "../testing/people.ts";
import { makeServiceAccount } from "../testing/service-account.ts";
import { type Answer, startWorld, type World } from "../testing/world.ts";
import { gapsIn } from "./gaps.ts";
import type { ApiDocument } from "./types.ts";
import { SAMPLE_IDS } from "./vocabulary/ids.ts";
import { WANTED } from "./wanted.ts";

const parameterSchema = z.union([
  z.looseObject({ $ref: z.string() }).transform(() => undefined),
  z.looseObject({
    name: z.string(),
    in: z.string(),
    schema: z.looseObject({ examples: z.array(z.unknown()).optional() }),
  }),
]);
const exampleSchema = z.looseObject({
  value: z.unknown(),
  [WANTED]: z.object({ scheme: z.string().optional() }).optional(),
});
const operationSchema = z.looseObject({
  operationId: z.string(),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z
    .looseObject({
      content: z.looseObject({
        "application/json": z.looseObject({
          examples: z.record(z.string(), exampleSchema),
        }),
      }),
    })
    .optional(),
});

interface Sent {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** the example's name; undefined for an operation without a body */
  readonly shows: string | undefined;
  readonly body: unknown;
  /** the scheme of the key that the example needs, if not every key will do */
  readonly scheme: string | undefined;
}

let world: World;
let document: ApiDocument;
let sent: readonly Sent[];
let makers: ReturnType<typeof exampleThings>;
beforeAll(async () => {
  world = await startWorld();
  const raw: unknown = await (await world.raw("/openapi.json", {})).json();
  document = z.custom<ApiDocument>().parse(raw);
  sent = examplesOf(raw);
  makers = exampleThings(world);
  await userOf(world, "EndUser", "shopper-7");
});
afterAll(() => world.stop());

/** Every example of a document as a request; an operation without a body gives one request. */
const examplesOf = (raw: unknown): readonly Sent[] => {
  const { paths } = z
    .looseObject({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) })
    .parse(raw);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters, requestBody }]): readonly Sent[] => {
      const named = parameters.filter((each) => each !== undefined);
      const asked = named
        .filter((each) => each.in === "query" && each.schema.examples !== undefined)
        .map((each): [string, string] => [String(each.name), String(each.schema.examples?.[0])]);
      const query = new URLSearchParams(asked).toString();
      const base = { operationId, method: method.toUpperCase(), path, query, scheme: undefined };
      const examples = Object.entries(requestBody?.content["application/json"].examples ?? {});
      if (examples.length === 0) return [{ ...base, shows: undefined, body: undefined }];
      return examples.map(([shows, { value, [WANTED]: wanted }]) => {
        return { ...base, shows, body: value, scheme: wanted?.scheme };
      });
    }),
  );
};

/** Operations that end the caller's token; another caller makes these. */
const LOGOUTS = ["logout", "logoutByPost"];
/** A service account does this with a key of its own, always signed. */
const OF_SERVICE_ACCOUNTS = "deleteServiceAccountCredential";
/** Operations that change later judgements, and so come last: permissions and policies of the whole organisation. */
const LAST = ["updatePolicy", "createPolicy"];

/** Replaces the ids of an example in a request by those of entities that the test has made. */
const withThings = async (request: Sent): Promise<{ readonly path: string; readonly body: unknown }> => {
  const text = JSON.stringify(request.body) ?? "";
  const samples: readonly (readonly [string, string])[] = Object.entries(SAMPLE_IDS);
  const wanted = [
    ...[...request.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []),
    ...samples.flatMap(([name, id]) => (text.includes(id) ? [name] : [])),
  ];
  const things: Record<string, string> = {};
  for (const name of new Set(wanted)) {
    const make = makers[name];
    if (make === undefined) throw new Error(`${request.operationId}: the test makes no ${name}`);
    things[name] = await make(things, request);
  }
  return {
    path: fill(request.path, things),
    body: text === "" ? undefined : JSON.parse(replaced(text, samples, things)),
  };
};

const fill = (path: string, things: Things): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => things[name] ?? "");
const replaced = (text: string, samples: readonly (readonly [string, string])[], things: Things): string =>
  samples.reduce((whole, [name, id]) => whole.replaceAll(id, things[name] ?? id), text);

const send = async (request: Sent): Promise<Answer> => {
  const { path, body } = await withThings(request);
  const whole =
    request.query === "" ? path : `${path}?${replaced(request.query, Object.entries(SAMPLE_IDS), {})}`;
  if (request.operationId === OF_SERVICE_ACCOUNTS) {
    const account = await makeServiceAccount(world);
    const { uuid } = await account.add();
    return account.act(request.method, fill(request.path, { credentialUuid: uuid }));
  }
  if (!LOGOUTS.includes(request.operationId)) return world.call(request.method, whole, body);
  return (await personWith(world, [])).call(request.method, whole, body);
};

const rank = ({ operationId }: Sent): number => LAST.indexOf(operationId);
const isForm = ({ shows }: Sent): boolean => shows?.startsWith("form:") === true;
/** Operations that replace a waiting request, which does not exist here: this world sends nothing to a chain. */
const WAITING = ["speedUpTransfer", "cancelTransfer", "speedUpTransaction", "cancelTransaction"];

const answerLine = ({ operationId, shows }: Sent, { status, body }: Answer): string =>
  `${operationId}${shows === undefined ? "" : `, ${shows}`}: ${status} ${JSON.stringify(body)}`;

describe("the document of the API", () => {
  it("leaves nothing to guess: what stands here lacks a sentence or an example", () => {
    expect(gapsIn(document)).toEqual([]);
  });

  it("has examples that this service takes as they stand", async () => {
    const refused: string[] = [];
    for (const request of sent.toSorted((one, other) => rank(one) - rank(other))) {
      if (isForm(request) || WAITING.includes(request.operationId)) continue;
      const answer = await send(request);
      if (answer.status >= 300) refused.push(answerLine(request, answer));
    }
    expect(refused).toEqual([]);
    expect(sent.length).toBeGreaterThan(140);
  });

  it("has examples of the form alone whose form is right", async () => {
    const forms = sent.filter(isForm);
    expect(forms.length).toBeGreaterThan(5);
    for (const request of forms) {
      const answer = await send(request);
      expect([400, 401, 403, 404, 409, 422]).toContain(answer.status);
      expect([request.operationId, errorOf(answer.body).details.code]).not.toEqual([
        request.operationId,
        "InvalidBody",
      ]);
    }
  });
});
