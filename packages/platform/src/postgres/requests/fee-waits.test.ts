import {
  type ChainRequestId,
  networkSchema,
  organisationIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { openLogins } from "../../testing/index.ts";
import { sampleTransfer } from "../../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { insertChainRequest } from "./chain-requests.ts";
import { correctFeeWaits, hasFeeWaits, putOffWaitsBehind, takeFeeWaits } from "./fee-waits.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const NETWORK = networkSchema.parse("EthereumSepolia");
const OTHER = networkSchema.parse("Ethereum");
const LEASE_MS = 60_000;
const orgId = freshId(organisationIdSchema, "or");
const wallet = sampleWallet(orgId, { externalId: "waits" });

const { owner, orchestrator, close } = await openLogins();
beforeAll(async () => {
  await insertOrganisation(owner, { id: orgId, name: "Acme", dateCreated: DATE });
  await storeWallet(owner, wallet);
});
afterAll(close);
beforeEach(async () => {
  await owner.execute("delete from fee_waits");
  await owner.execute("delete from chain_requests");
});

/** A transfer that was broadcast. @param change further columns of its row, as SQL */
const broadcast = async (sequence: number, change = "reason = null"): Promise<ChainRequestId> => {
  const id = freshId(transferIdSchema, "xfr");
  await insertChainRequest(owner, sampleTransfer(wallet, { id }));
  await owner.execute(
    `update chain_requests set status = 'Broadcasted', tx_hash = id, unsigned_transaction = '\\x02',
       signed_transaction = '\\x04', sequence = ${sequence} where id = $1`,
    [id],
  );
  await owner.execute(`update chain_requests set ${change} where id = $1`, [id]);
  return id;
};
/** Records that it waits since block 100, with the orchestrators' login. */
const note = (id: ChainRequestId, network = NETWORK): Promise<number> =>
  orchestrator.execute("insert into fee_waits (request_id, network, since_height) values ($1, $2, 100)", [
    id,
    network,
  ]);
const taken = async (network = NETWORK, height = 105n): Promise<readonly ChainRequestId[]> => {
  const waits = await takeFeeWaits(owner, network, height, LEASE_MS, 10);
  return waits.map(({ requestId }) => requestId);
};

describe("a transaction that waits", () => {
  it("belongs to its request's network alone: an orchestrator cannot make another network's fee cap apply", async () => {
    await note(await broadcast(0), OTHER);
    expect([await hasFeeWaits(owner, OTHER), await taken(OTHER), await taken()]).toEqual([false, [], []]);
  });

  it("waits for none whose place a landed transaction has, even before the block is final", async () => {
    const replaced = await broadcast(0);
    const landed = await broadcast(9, "status = 'Confirmed'");
    const change = "update chain_requests set replacement_id = $2 where id = $1";
    await owner.execute(change, [replaced, landed]);
    await owner.execute("update chain_requests set sequence = 0 where id = $1", [landed]);
    const next = await broadcast(1);
    const behind = await broadcast(2);
    for (const id of [replaced, next, behind]) await note(id);
    await putOffWaitsBehind(owner, NETWORK, 105n, 110n);
    expect(await taken()).toEqual([next]);
  });

  it("INV-4 is taken by one process only, even if the other's transaction began earlier", async () => {
    const id = await broadcast(0);
    await note(id);
    const [earlier, later] = await owner.transaction(async (connection) => {
      // fixes the transaction's time before the other one takes the wait
      await connection.execute("select now()");
      const first = await taken();
      const waits = await takeFeeWaits(connection, NETWORK, 105n, LEASE_MS, 10);
      return [waits, first];
    });
    expect([earlier, later]).toEqual([[], [id]]);
  });

  it("is taken at once where its lease is longer than any: the clock was set back", async () => {
    const id = await broadcast(0);
    await note(id);
    await owner.execute("update fee_waits set held_until = now() + interval '1 hour'");
    expect(await taken()).toEqual([id]);
  });

  it("does not wait for a height that the chain does not have: it was reported once, in error", async () => {
    const id = await broadcast(0);
    await note(id);
    await owner.execute("update fee_waits set since_height = 900000, looked_height = 900000");
    await correctFeeWaits(owner, NETWORK, 105n, 5);
    expect(await taken()).toEqual([id]);
  });

  it("keeps heights above those of a node that is a little behind", async () => {
    const id = await broadcast(0);
    await note(id);
    await owner.execute("update fee_waits set looked_height = 110");
    await correctFeeWaits(owner, NETWORK, 105n, 5);
    expect([await taken(), await taken(NETWORK, 110n)]).toEqual([[], [id]]);
  });
});
