import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { type Database, makeLogger } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, expect, it } from "vitest";
import { plainSigners } from "../testing/plain-signers.ts";
import { startWorld, type World } from "../testing/world.ts";
import { carryOutRequest } from "./work.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

interface Counts {
  /** whole rows of requests that were read and decoded */
  decodes: number;
  /** reads of wallets with their keys */
  wallets: number;
  /** commits */
  writes: number;
}

/**
 * Counts the statements of a database. A query for a whole request names the column of its bytes, one for a wallet its
 * tags.
 */
const counting = (database: Database, counts: Counts): Database => ({
  ...database,
  rows: async (schema, text, values) => {
    const found = await database.rows(schema, text, values);
    if (/from chain_requests/.test(text) && /signed_transaction as/.test(text))
      counts.decodes += found.length;
    if (/from wallets/.test(text) && /tags/.test(text)) counts.wallets += found.length;
    return found;
  },
  commit: (schema, text, values) => {
    counts.writes += 1;
    return database.commit(schema, text, values);
  },
});

it("a transfer's row is decoded at most three times until it is broadcast, its wallet read once, and each step one commit", async () => {
  const counts: Counts = { decodes: 0, wallets: 0, writes: 0 };
  const { network } = world.network;
  const { id } = await world.transfer(await world.wallet());
  const handler = {
    database: counting(world.orchestratorDatabase, counts),
    chains: new Map([[network, { family: FAMILIES.familyOf(network), node: NODES.connect(world.network) }]]),
    quorum: plainSigners(world.account),
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
  expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
  expect(counts).toEqual({ decodes: expect.toSatisfy((n) => n >= 1 && n <= 3), wallets: 1, writes: 4 });
});
