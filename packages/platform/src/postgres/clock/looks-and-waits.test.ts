import { networkSchema, organisationIdSchema, transferIdSchema } from "@conclave/custody";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { sampleTransfer } from "../../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { openMemoryDatabase } from "../../testing/store/memory-database.ts";
import { processWorld } from "../../world.ts";
import type { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { insertChainRequest } from "../requests/chain-requests.ts";
import { takeCoinLooks } from "../requests/coin-looks.ts";
import { noteFeeWaits, takeFeeWaits } from "../requests/fee-waits.ts";

const HOUR_MS = 3_600_000;
const NETWORK = networkSchema.parse("EthereumSepolia");
const LEASE_MS = 60_000;
const EVERY_MS = 600_000;
const orgId = freshId(organisationIdSchema, "or");
const wallet = sampleWallet(orgId, { externalId: "looked at" });
const request = freshId(transferIdSchema, "xfr");

let nowMs = Date.parse("2026-11-20T00:00:00.000Z");
let database: Database;
beforeAll(async () => {
  database = await openMemoryDatabase({ ...processWorld, nowMs: () => nowMs });
  await migrate(database);
  await insertOrganisation(database, { id: orgId, name: "Acme", dateCreated: "2026-01-02T03:04:05.678Z" });
  await database.execute("update organisations set gathers_coins_for = $1", [
    JSON.stringify(wallet.requester),
  ]);
  await storeWallet(database, wallet);
  await database.execute("update wallets set status = 'Active', address = '0x01'");
  await insertChainRequest(database, sampleTransfer(wallet, { id: request }));
  await database.execute("update chain_requests set status = 'Broadcasted', tx_hash = id, sequence = 0");
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.execute("delete from fee_waits");
  await database.execute("delete from coin_looks");
});

const waits = async () => {
  const taken = await takeFeeWaits(database, NETWORK, 105n, LEASE_MS, 10);
  return taken.map(({ requestId }) => requestId);
};
/** Above -1, every wallet qualifies. */
const looks = async () => {
  const wanted = { above: -1, everyMs: EVERY_MS, limit: 10 };
  const taken = await takeCoinLooks(database, wallet.network, wanted);
  return taken.map((look) => ("walletId" in look ? look.walletId : look));
};

describe.each([
  ["an hour", HOUR_MS],
  ["25 hours", 25 * HOUR_MS],
  ["100 days", 2_400 * HOUR_MS],
])("INV-5 while the database's clock stands %s away", (_, byMs) => {
  test.each([
    ["ahead", byMs],
    ["back", -byMs],
  ])(
    "(%s), a wait of a transaction that one took is taken by the next at once, and then held for a lease",
    async (_side, moved) => {
      await noteFeeWaits(database, NETWORK, [{ requestId: request, sinceHeight: 100n }]);
      expect([await waits(), await waits()]).toEqual([[request], []]);
      nowMs += moved;
      expect([await waits(), await waits()]).toEqual([[request], []]);
      nowMs -= moved;
      // the clock is right again: the lease from the other time is too far ahead, or over
      expect([await waits(), await waits()]).toEqual([[request], []]);
    },
  );

  test.each([
    ["ahead", byMs],
    ["back", -byMs],
  ])(
    "(%s), a wallet that was looked at is looked at once more, and then when it is due",
    async (_side, moved) => {
      expect([await looks(), await looks()]).toEqual([[wallet.id], []]);
      nowMs += moved;
      expect([await looks(), await looks()]).toEqual([[wallet.id], []]);
      nowMs -= moved;
      expect([await looks(), await looks()]).toEqual([[wallet.id], []]);
    },
  );
});
