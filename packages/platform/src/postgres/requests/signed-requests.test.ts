import { createHash } from "node:crypto";
import {
  decideChainRequest,
  organisationIdSchema,
  type TransferId,
  transferIdSchema,
} from "@conclave/custody";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshId } from "../../fresh-id.ts";
import { openLogins } from "../../testing/index.ts";
import { sampleTransfer } from "../../testing/sample-requests.ts";
import { sampleWallet, storeWallet } from "../../testing/sample-wallet.ts";
import { insertOrganisation } from "../people/organisations.ts";
import { changeChainRequest } from "./chain-request-change.ts";
import { insertChainRequest, lockChainRequest, readChainRequest } from "./chain-requests.ts";
import { answerDeathQuestion, askForDeathStatement } from "./dead-transactions.ts";
import { takeDueAuthorisations } from "./due-authorisations.ts";

const DATE = "2026-01-02T03:04:05.678Z";
const UNSIGNED = Uint8Array.of(2);
const JUNK = "unsigned_transaction = '\\x02', signed_transaction = '\\x04', tx_hash = '0x01'";
const CLEARED = "unsigned_transaction = null, signed_transaction = null, tx_hash = null";
const REFUSED = { code: "42501" };
const orgId = freshId(organisationIdSchema, "or");
const wallet = sampleWallet(orgId, { externalId: "signed" });

const { owner, orchestrator, close } = await openLogins();
beforeAll(async () => {
  await insertOrganisation(owner, { id: orgId, name: "Acme", dateCreated: DATE });
  await storeWallet(owner, wallet);
});
afterAll(close);

/** Changes columns of a request, with the orchestrators' login. */
const set = (id: TransferId, change: string): Promise<number> =>
  orchestrator.execute(`update chain_requests set ${change} where id = $1`, [id]);
const authorised = async (): Promise<TransferId> => {
  const id = freshId(transferIdSchema, "xfr");
  await insertChainRequest(owner, sampleTransfer(wallet, { id }));
  await set(id, "status = 'Executing'");
  return id;
};
/** Whether a gateway would now sign its authorisation anew. */
const isDue = (id: TransferId): Promise<boolean> =>
  owner.transaction(async (connection) => {
    const at = new Date().toISOString();
    const { found } = await takeDueAuthorisations(
      connection,
      "chain_requests",
      { before: at, after: at },
      "",
      1000,
    );
    return found.some((each) => each.id === id);
  });
/** Stores the authority's statement that one transaction, with these bytes, is dead. */
const say = (id: TransferId, unsigned: Uint8Array): Promise<void> =>
  owner.transaction(async (connection) => {
    await askForDeathStatement(connection, id, 1);
    const transactions = [createHash("sha256").update(unsigned).digest("hex")];
    await answerDeathQuestion(
      connection,
      { requestId: id, transactions: 1 },
      {
        payload: new Uint8Array(Buffer.from(JSON.stringify({ transactions }))),
        signature: new Uint8Array(64),
      },
    );
  });
const die = (id: TransferId) =>
  orchestrator.transaction(async (connection) => {
    const request = (await lockChainRequest(connection, id)) ?? expect.fail("no request");
    return changeChainRequest(connection, request, { kind: "Died" });
  });

describe("INV-8 with the login of orchestrators no request recorded as signed becomes unsigned again", () => {
  it("and to have failed, weeks later", async () => {
    const id = await authorised();
    expect(await isDue(id)).toBe(true);
    await set(id, JUNK);
    await set(id, "status = 'Failed', reason = 'reverted', date_settled = now()");
    const seen = (await readChainRequest(owner, id)) ?? expect.fail("no request");
    expect(decideChainRequest(seen, { kind: "Aborted", date: DATE, reason: "aborted by me" }).ok).toBe(false);
    await set(id, "status = 'Broadcasted'");
    await expect(set(id, `status = 'Executing', ${CLEARED}`)).rejects.toMatchObject(REFUSED);
    await expect(set(id, "status = 'Executing'")).rejects.toMatchObject(REFUSED);
    await expect(die(id)).rejects.toMatchObject(REFUSED);
    expect(await isDue(id)).toBe(false);
  });

  it("and to be confirmed", async () => {
    const id = await authorised();
    await set(id, JUNK);
    for (const status of ["Broadcasted", "Confirmed", "Broadcasted"]) await set(id, `status = '${status}'`);
    await expect(set(id, `status = 'Executing', ${CLEARED}`)).rejects.toMatchObject(REFUSED);
    expect(await isDue(id)).toBe(false);
  });

  it("so that its owner cannot abort it, but for a moment every few minutes", async () => {
    const id = await authorised();
    await set(id, JUNK);
    const rest = ["signed_transaction = null", CLEARED, "tx_hash = null"];
    for (const change of [...rest, "unsigned_transaction = '\\x05'", "dead_transactions = 1"]) {
      await expect(set(id, change)).rejects.toMatchObject(REFUSED);
    }
    await expect(die(id)).rejects.toMatchObject(REFUSED);
    expect(await isDue(id)).toBe(false);
  });

  it("by another signature of the same bytes, which leaves it signed", async () => {
    const id = await authorised();
    await set(id, JUNK);
    const other = "signed_transaction = '\\x05', tx_hash = '0x02'";
    await set(id, other);
    expect(await isDue(id)).toBe(false);
    await expect(set(id, CLEARED)).rejects.toMatchObject(REFUSED);
  });

  it("by another version that landed in its place, which leaves it signed there", async () => {
    const id = await authorised();
    await set(id, `${JUNK}, sequence = 7`);
    const bytes = "unsigned_transaction = '\\x05'";
    const version = `${bytes}, signed_transaction = '\\x06', tx_hash = '0x02'`;
    const others = [
      `${bytes}, signed_transaction = '\\x06'`,
      `${bytes}, tx_hash = '0x02'`,
      `${version}, sequence = 8`,
      `${version}, sequence = null`,
      `${version}, dead_transactions = 1`,
      version.replace("'\\x05'", "null"),
    ];
    for (const change of others) await expect(set(id, change)).rejects.toMatchObject(REFUSED);
    await set(id, version);
    expect(await isDue(id)).toBe(false);
    await say(id, UNSIGNED);
    await expect(die(id)).rejects.toMatchObject(REFUSED);
    await set(id, "status = 'Failed', reason = 'reverted', date_settled = now()");
    await expect(set(id, JUNK)).rejects.toMatchObject(REFUSED);
  });

  it("by an unanswered question to the authority, or its statement on other bytes", async () => {
    const id = await authorised();
    await set(id, JUNK);
    await orchestrator.transaction((connection) => askForDeathStatement(connection, id, 1));
    await expect(die(id)).rejects.toMatchObject(REFUSED);
    await say(id, Uint8Array.of(9));
    await expect(die(id)).rejects.toMatchObject(REFUSED);
  });

  it("by recording the death of transactions that were never signed", async () => {
    const id = await authorised();
    await expect(set(id, "dead_transactions = 1")).rejects.toMatchObject(REFUSED);
  });
});

describe("INV-4 a request whose signed transaction is dead by the authority's statement", () => {
  it.each(["Executing", "Broadcasted"])("is built again and renewed, when it was %s", async (status) => {
    const id = await authorised();
    await set(id, JUNK);
    if (status !== "Executing") await set(id, `status = '${status}'`);
    await say(id, UNSIGNED);
    expect((await die(id)).ok).toBe(true);
    expect(await readChainRequest(owner, id)).toMatchObject({ status: "Executing", deadTransactions: 1 });
    expect(await isDue(id)).toBe(true);
  });

  it("is not renewed without that statement", async () => {
    const id = await authorised();
    await owner.execute("update chain_requests set dead_transactions = 1 where id = $1", [id]);
    expect(await isDue(id)).toBe(false);
  });
});
