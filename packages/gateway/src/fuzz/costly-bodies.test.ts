import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";
import { COSTLY_BODIES } from "./costly-bodies.ts";
import { furnish } from "./furniture.ts";
import { LARGEST_BODY_BYTES, largestBodies } from "./largest-bodies.ts";
import { type OperationsDocument, operationsOf } from "./operations.ts";

const MEASURED = new URL("../../../../docs/benchmarks.md", import.meta.url);
/** Operations that would end the token of the measurement. */
const NOT_MEASURED = ["logout", "logoutByPost"];
const NOBODYS_KEY = "02".repeat(33);

const idSchema = z.looseObject({ id: z.string() });

let world: World;
let document: OperationsDocument;
beforeAll(async () => {
  world = await startWorld({ settlementWaitMs: 1 });
  document = operationsOf((await world.call("GET", "/openapi.json")).body);
});
afterAll(() => world.stop());

const bytesOf = (body: unknown): number => Buffer.byteLength(JSON.stringify(body));

/** The rows that `test/bench/costly-bodies.ts` wrote: an operation, a body, and its bytes. */
const measured = (): readonly string[] => {
  const [, table = ""] = readFileSync(MEASURED, "utf8").split("<!-- costly bodies: begin -->");
  const [rows = ""] = table.split("<!-- costly bodies: end -->");
  return [...rows.matchAll(/^\| (\w+) \| ([^|]+) \| (\d+) \|/gm)].map(([, ...cells]) => cells.join(" | "));
};

const derived = (): readonly string[] => [
  ...document.operations.flatMap(({ id, body }) =>
    body === undefined || NOT_MEASURED.includes(id)
      ? []
      : largestBodies(body, document.schemas).map((each) =>
          [id, "the largest by its schema", bytesOf(each)].join(" | "),
        ),
  ),
  ...COSTLY_BODIES.map(({ operation, name, network = "EthereumSepolia", body }) =>
    [operation, name, bytesOf(body({ network, publicKey: NOBODYS_KEY }))].join(" | "),
  ),
];

it("K8 docs/benchmarks.md has measured the most expensive bodies that every operation takes today", () => {
  const bodies = derived();
  expect(bodies.length).toBeGreaterThan(100);
  expect(measured()).toEqual(bodies);
});

it("K8 no operation's schema describes a body that is larger than what is read", () => {
  const operations = document.operations.flatMap(({ id, body }) =>
    body === undefined ? [] : [{ id, body }],
  );
  const larger = operations.flatMap(({ id, body }) =>
    largestBodies(body, document.schemas).some((each) => bytesOf(each) > LARGEST_BODY_BYTES) ? [id] : [],
  );
  expect(larger).toEqual([]);
});

it("K8 the bodies that are measured are read to their end: their schema refuses none", async () => {
  const [wallet = ""] = await furnish(world);
  const refused: string[] = [];
  for (const { operation: id, name, network = "EthereumSepolia", body, under } of COSTLY_BODIES) {
    if (under !== undefined) {
      const policy = await world.call("POST", "/v2/policies", under());
      if (policy.status !== 200) refused.push(`${name}: ${JSON.stringify(policy.body)}`);
      await world.call("DELETE", `/v2/policies/${idSchema.parse(policy.body).id}`, {});
    }
    // the world has a node for this network alone
    if (network !== "EthereumSepolia") continue;
    const { method, path } = document.operations.find((one) => one.id === id) ?? expect.fail(id);
    const filled = path.replace("{walletId}", wallet).replace("{network}", network);
    const answer = await world.call(method, filled, body({ network, publicKey: NOBODYS_KEY }));
    if (id === "createPolicy")
      await world.call("DELETE", `/v2/policies/${idSchema.parse(answer.body).id}`, {});
    if (answer.status === 400 || answer.status === 422)
      refused.push(`${id}, ${name}: ${JSON.stringify(errorOf(answer.body))}`);
  }
  expect(refused).toEqual([]);
});
