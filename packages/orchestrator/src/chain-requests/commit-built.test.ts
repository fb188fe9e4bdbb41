import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import type { ChainRequest, ChainRequestId, ChainWallet } from "@conclave/custody";
import { makeLogger, readChainRequest } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { plainSigners } from "../testing/plain-signers.ts";
import { startWorld, type World } from "../testing/world.ts";
import { carryOutRequest, type RequestHandler } from "./work.ts";

let world: World;
let handler: RequestHandler;
let wallet: ChainWallet;
let builds: number;
/** changes by others while the chain is asked, at each build */
let meanwhile: () => Promise<unknown>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  [builds, meanwhile] = [0, async () => undefined];
  wallet = await world.wallet();
  const { network } = world.network;
  const node = NODES.connect(world.network);
  const slow: typeof node = {
    ...node,
    build: async (intent) => {
      builds += 1;
      const built = await node.build(intent);
      await meanwhile();
      return built;
    },
  };
  handler = {
    database: world.orchestratorDatabase,
    chains: new Map([[network, { family: FAMILIES.familyOf(network), node: slow }]]),
    quorum: plainSigners(world.account),
    logger: makeLogger({ name: "test", level: "silent" }),
    world: processWorld,
    broadcasted: () => undefined,
    signal: () => undefined,
  };
});
const now = async (id: ChainRequestId): Promise<ChainRequest> =>
  (await readChainRequest(world.database, id)) ?? expect.fail("no request");
const arrange = (id: ChainRequestId, change: string) =>
  world.database.execute(`update chain_requests set ${change} where id = $1`, [id]);

describe("a transaction that was built while the wallet's row was written", () => {
  it("INV-5 is committed when it fits as before: who renames a wallet all the time keeps it from no payment", async () => {
    const { id } = await world.transfer(wallet);
    const rename = "update wallets set name = $2 where id = $1";
    meanwhile = () => world.database.execute(rename, [wallet.id, `name ${builds}`]);
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    expect(await now(id)).toMatchObject({ status: "Broadcasted" });
    expect(builds).toBe(1);
  });

  it("INV-4 is not committed when another request has taken the place: that one goes first", async () => {
    // the account paid 1 wei in the previous test
    const { id } = await world.transfer(wallet, 2n);
    const other = await world.transfer(wallet);
    meanwhile = () => arrange(other.id, "status = 'Executing', sequence = 7, unsigned_transaction = '\\x02'");
    expect(await carryOutRequest(handler, id)).toMatchObject({ kind: "Again" });
    const waiting = await now(id);
    expect(waiting).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("earlier request"),
    });
    expect(waiting.unsignedTransaction).toBeUndefined();
    expect(builds).toBe(1);
    await arrange(other.id, "status = 'Failed', sequence = null");
  });

  it("INV-4 nor when the request has changed: it was aborted", async () => {
    const { id } = await world.transfer(wallet);
    meanwhile = () => arrange(id, "status = 'Failed', date_aborted = now(), reason = 'aborted'");
    expect(await carryOutRequest(handler, id)).toEqual({ kind: "Done" });
    const aborted = await now(id);
    expect(aborted).toMatchObject({ status: "Failed", reason: "aborted" });
    expect(aborted.unsignedTransaction).toBeUndefined();
    expect(builds).toBe(1);
  });
});
