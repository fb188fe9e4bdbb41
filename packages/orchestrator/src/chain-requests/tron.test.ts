import { type ChainNode, FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  StubTron,
  stubTronBlock,
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_KEY,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  TRX_TRANSFER,
  tronBytes,
} from "@conclave/chains/testing";
import {
  type ChainRequestId,
  fail,
  isPlainText,
  networkSchema,
  ok,
  problem,
  tronAccount,
} from "@conclave/custody";
import { ruleOut } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { signedBy } from "../testing/plain-quorum.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";
import { authorisedOf } from "./authorised.ts";
import type { RequestHandler } from "./work.ts";

const network = networkSchema.parse(TRON_NILE.network);
const ENERGY = 65_000n;

let world: WalletWorld;
let tron: StubTron;

/** Whom the collection tells that its pieces belong to. */
const ownedBy = (address: string): void =>
  tron.returns(TRON_TOKEN, "ownerOf(uint256)", [
    BigInt(`0x${Buffer.from(tronAccount(address)).toString("hex")}`),
  ]);

beforeEach(async () => {
  tron = await StubTron.start();
  const tokens = { [TRC10_TRANSFER.tokenId]: 10_000_000n };
  tron.accounts.set(TRON_SENDER, { balance: 100_000_000n, tokens });
  tron.accounts.set(TRON_RECIPIENT, { balance: 1n });
  tron.returns(TRON_TOKEN, "balanceOf(address)", [10_000_000n]);
  ownedBy(TRON_SENDER);
  tron.returns(TRON_TOKEN, "transfer(address,uint256)", [1n], ENERGY);
  tron.returns(TRON_TOKEN, "safeTransferFrom(address,address,uint256)", [], ENERGY);
  world = await startWalletWorld(
    TRON_NILE,
    NODES.connect(Object.assign({}, TRON_NILE, { fullNodeUrl: tron.url })),
    "ECDSA",
    TRON_KEY,
  );
  world.dateResolved = () => new Date().toISOString();
});
afterEach(async () => {
  await Promise.all([world.close(), tron.stop()]);
});

/** It lands in the next block, and that is solid. */
const lands = (
  id: string,
  outcome: { readonly fee?: bigint; readonly result?: string; readonly words?: string } = {},
) => {
  const height = tron.height + 1n;
  tron.blocks.set(height, [id]);
  tron.landed.set(id, { height, ...outcome });
  tron.height += 30n;
  return height;
};

describe("a transfer on TRON", () => {
  it.each([TRX_TRANSFER, TRC10_TRANSFER, TRC20_TRANSFER, TRC721_TRANSFER])(
    "is signed, handed over and confirmed with the fee that it paid: $kind",
    async (transfer) => {
      const { id } = await world.enter(transfer);
      expect(await world.carry(id)).toEqual({ kind: "Done" });
      expect(world.asked[0]?.signables.map(({ scheme, bytes }) => [scheme, bytes.length])).toEqual([
        ["CGGMP24", 32],
      ]);
      const { txHash = "", signedTransaction = new Uint8Array(0) } = await world.read(id);
      expect(tron.posted).toEqual([Buffer.from(signedTransaction).toString("hex")]);
      tron.pending.add(txHash);
      await followOnce(world.handler);
      expect((await world.read(id)).status).toBe("Broadcasted");
      const blockNumber = lands(txHash, { fee: 1_000n, result: "SUCCESS" });
      ownedBy(TRON_RECIPIENT);
      await followOnce(world.handler);
      expect(await world.read(id)).toMatchObject({ status: "Confirmed", fee: "1000", blockNumber });
    },
  );

  it("is not confirmed before its block is solid", async () => {
    const { id } = await world.enter(TRX_TRANSFER);
    await world.carry(id);
    const { txHash = "" } = await world.read(id);
    tron.height += 1n;
    tron.landed.set(txHash, { height: tron.height });
    await followOnce(world.handler);
    expect((await world.read(id)).status).toBe("Broadcasted");
    tron.height += 30n;
    await followOnce(world.handler);
    expect((await world.read(id)).status).toBe("Confirmed");
  });

  it("that its contract undid has failed for good, with its words and its fee", async () => {
    const { id } = await world.enter(TRC20_TRANSFER);
    await world.carry(id);
    const { txHash = "" } = await world.read(id);
    lands(txHash, { fee: 6_500_000n, result: "OUT_OF_ENERGY", words: "Not enough energy" });
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      fee: "6500000",
      reason: expect.stringContaining("OUT_OF_ENERGY: Not enough energy"),
    });
    expect(world.asked).toHaveLength(1);
  });

  it("does not wait for others of its wallet", async () => {
    const [first, second] = [await world.enter(TRX_TRANSFER), await world.enter(TRX_TRANSFER)];
    await world.carry(second.id);
    await world.carry(first.id);
    const [one, other] = [await world.read(first.id), await world.read(second.id)];
    expect([one.status, other.status]).toEqual(["Broadcasted", "Broadcasted"]);
    // the very same payment twice: only the tags of the requests tell them apart
    expect(one.txHash).not.toBe(other.txHash);
  });

  it("that is impossible has failed in words, and nothing was signed", async () => {
    tron.reverts(TRON_TOKEN, "transfer(address,uint256)", "the token is paused");
    const { id } = await world.enter(TRC20_TRANSFER);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("the contract refuses the call"),
    });
    expect((await world.read(id)).reason).toContain("the token is paused");
    expect(world.asked).toEqual([]);
  });

  it("waits for a node that is away, and says so", async () => {
    tron.spoilt.set("/", { status: 503, text: "" });
    const { id } = await world.enter(TRX_TRANSFER);
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      reason: expect.stringContaining("does not answer"),
    });
    tron.spoilt.clear();
    await world.carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 sends the very same bytes again when the node's answer was lost", async () => {
    const { id } = await world.enter(TRX_TRANSFER);
    // it takes the bytes, and what comes back is not an answer to them
    tron.takenId = "00".repeat(32);
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    const { txHash = "", signedTransaction } = await world.read(id);
    tron.takenId = undefined;
    tron.refusal = { code: "DUP_TRANSACTION_ERROR", message: "dup trans" };
    expect(await world.carry(id)).toMatchObject({ kind: "Again" });
    tron.pending.add(txHash);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect([world.asked.length, new Set(tron.posted).size]).toEqual([1, 1]);
    expect((await world.read(id)).signedTransaction).toEqual(signedTransaction);
  });

  it("INV-4 is built again only when solid blocks are past it and hold none of it, and the authority says so", async () => {
    tron.firstTimeMs = 1_700_000_000_000n;
    const { id } = await world.enter(TRX_TRANSFER);
    await world.carry(id);
    const first = await world.read(id);
    tron.refusal = { code: "TRANSACTION_EXPIRATION_ERROR", message: "Transaction expired" };
    // the head is past its expiration, and what is solid is not
    const { unsignedTransaction: unsigned = new Uint8Array(0) } = first;
    const reading = FAMILIES.familyOf(network).read(TRON_NILE, unsigned, authorisedOf(first));
    const deadlineMs = reading.ok ? reading.value.deadlineMs : undefined;
    while (tron.timeOf(tron.height) <= (deadlineMs ?? 0)) tron.height += 1n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    tron.height += 19n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([{ requestId: id, transactions: 1 }]);
    expect((await world.read(id)).txHash).toBe(first.txHash);
    await world.speak();
    await followOnce(world.handler);
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      deadTransactions: 1,
      txHash: undefined,
    });
    tron.refusal = undefined;
    await world.carry(id);
    const second = await world.read(id);
    expect([second.status, second.txHash === first.txHash, world.asked.length]).toEqual([
      "Broadcasted",
      false,
      2,
    ]);
    expect(world.asked[1]?.dead).toBeDefined();
  });

  it("INV-4 is not built again before signers believe that its time is over", async () => {
    const { id } = await world.enter(TRX_TRANSFER);
    await world.carry(id);
    tron.refusal = { code: "TRANSACTION_EXPIRATION_ERROR", message: "Transaction expired" };
    tron.height += 200n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 is not built again when a solid block holds it, whatever the node says of it", async () => {
    tron.firstTimeMs = 1_700_000_000_000n;
    const { id } = await world.enter(TRX_TRANSFER);
    await world.carry(id);
    const { txHash = "" } = await world.read(id);
    tron.blocks.set(tron.height + 5n, [txHash]);
    tron.refusal = { code: "TAPOS_ERROR", message: "Tapos failed" };
    tron.height += 200n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  /** A contract's own words, which an attacker chooses: cut where a node's words end, they end within a character. */
  const CUT = `x${"\u{1f600}".repeat(300)}`;

  it("INV-5 ends, and lets others end, when a contract undid it with words that do not end with a character", async () => {
    const [first, second] = [await world.enter(TRC20_TRANSFER), await world.enter(TRX_TRANSFER)];
    await world.carry(first.id);
    await world.carry(second.id);
    lands((await world.read(first.id)).txHash ?? "", { result: "REVERT", words: CUT });
    lands((await world.read(second.id)).txHash ?? "");
    await followOnce(world.handler);
    const [undone, other] = [await world.read(first.id), await world.read(second.id)];
    expect([undone.status, other.status]).toEqual(["Failed", "Confirmed"]);
    expect(undone.reason).toContain("REVERT: x\u{1f600}");
    expect(isPlainText(undone.reason ?? "")).toBe(true);
  });

  it("INV-5 ends when a contract refuses it with such words, and waits with such words of a node", async () => {
    const message = Buffer.from(CUT).toString("hex");
    tron.calls.set(`${TRON_TOKEN}.transfer(address,uint256)`, {
      result: { code: "CONTRACT_EXE_ERROR", message },
    });
    const { id } = await world.enter(TRC20_TRANSFER);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("refuses"),
    });
    const { id: later } = await world.enter(TRX_TRANSFER);
    tron.spoilt.set("/", { status: 200, text: JSON.stringify({ Error: `\0${CUT}` }) });
    expect(await world.carry(later)).toMatchObject({ kind: "Again" });
    tron.spoilt.clear();
    tron.refusal = { code: `\0${"9".repeat(2_000_000)}`, message: "" };
    expect(await world.carry(later)).toMatchObject({ kind: "Again" });
    const { reason = "" } = await world.read(later);
    expect([reason.length < 1_100, isPlainText(reason)]).toEqual([true, true]);
  });
});

describe("INV-4 INV-5 a transfer of which signers name several versions, where a liar names a wrong one first", () => {
  const NOT_BUILT = `signed_transaction = null, tx_hash = null, date_broadcasted = null, status = 'Pending', sequence = null,
    exclusion = null, unsigned_transaction = null, details = null`;
  const goBack = (id: ChainRequestId) =>
    world.database.execute(`update chain_requests set ${NOT_BUILT} where id = $1`, [id]);

  /** A transfer that was put back to before two versions of it were signed. */
  const versions = async () => {
    const { id } = await world.enter(TRX_TRANSFER);
    const made = [];
    for (let each = 0; each < 3; each += 1) {
      await world.carry(id);
      const { unsignedTransaction: unsigned, signedTransaction: signed, txHash } = await world.read(id);
      if (unsigned === undefined || signed === undefined || txHash === undefined)
        expect.fail("none is signed");
      made.push({ unsigned, signed, txHash });
      await goBack(id);
      // the next one refers to another block
      tron.height += 30n;
    }
    const [wrong, other, third] = made;
    if (wrong === undefined || other === undefined || third === undefined) expect.fail("three were made");
    // the first one lies: it has signed both, the other one last
    const [early, late] = [wrong.unsigned, other.unsigned];
    const lie = [Uint8Array.of(1), Uint8Array.of(2), early];
    const said = [lie, [early, late], [early, late], [late]].map(async (transactions) => ({
      isBound: true,
      isWhole: true,
      transactions,
    }));
    const askSigned = () => ({ of: 4, threshold: 3, answers: said });
    world.handler = { ...world.handler, quorum: { ...world.handler.quorum, askSigned } };
    world.asked = [];
    return { id, wrong, other, third };
  };
  /** @param find the search that the node makes */
  const finding = (find: NonNullable<ChainNode["findSent"]>): void => {
    const { family, node } = world.handler.chains.get(network) ?? expect.fail("it is not served");
    world.handler = {
      ...world.handler,
      chains: new Map([[network, { family, node: { ...node, findSent: find } }]]),
    };
  };

  it.each(["wrong", "other"] as const)(
    "is the %s one where that landed, with the chain's signature, and nothing is signed",
    async (which) => {
      const { id, [which]: landed } = await versions();
      const since: number[] = [];
      finding(async (_, { isIt, sinceMs }) => {
        since.push(sinceMs);
        return ok((await isIt(landed)) ? landed : undefined);
      });
      lands(landed.txHash);
      const later = "2099-01-01T00:00:00.000Z";
      await world.database.execute("update chain_requests set date_policy_resolved = $2 where id = $1", [
        id,
        later,
      ]);
      await world.carry(id);
      const after = await world.read(id);
      expect([
        after.txHash,
        Buffer.compare(after.signedTransaction ?? new Uint8Array(), landed.signed),
      ]).toEqual([landed.txHash, 0]);
      expect(world.asked).toEqual([]);
      await followOnce(world.handler);
      const { status, dateConfirmed = "" } = await world.read(id);
      expect(status).toBe("Confirmed");
      // its block is older than the authorisation
      expect(since.every((each) => each < Date.parse(dateConfirmed))).toBe(true);
    },
  );

  it("waits while the node does not show which one landed, until an operator rules out that one has", async () => {
    const { id } = await versions();
    finding(async () => fail("ServiceUnavailable", {}, "the node does not show its blocks"));
    for (let look = 0; look < 2; look += 1) await world.carry(id);
    expect(await world.read(id)).toMatchObject({
      status: "Executing",
      signedTransaction: undefined,
      reason: "the node does not show its blocks",
    });
    expect(world.asked).toEqual([]);
    expect(await ruleOut(world.database, [id])).toEqual([id]);
    await world.carry(id);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("is not searched for where signers name one version of it, it is young, and nobody has put the records back", async () => {
    const { id, wrong } = await versions();
    let searches = 0;
    finding(async () => {
      searches += 1;
      return ok(undefined);
    });
    const one = { isBound: true, isWhole: true, transactions: [wrong.unsigned] };
    const askSigned = () => ({ of: 2, threshold: 2, answers: [one, one].map(async (each) => each) });
    world.handler = { ...world.handler, quorum: { ...world.handler.quorum, askSigned } };
    const late = new Date(Date.now() - 31_000).toISOString();
    const seen = [];
    for (const date of [new Date().toISOString(), late]) {
      await goBack(id);
      await world.database.execute("update chain_requests set date_policy_resolved = $2 where id = $1", [
        id,
        date,
      ]);
      searches = 0;
      await world.carry(id);
      expect(await world.read(id)).toMatchObject({ status: "Broadcasted", txHash: wrong.txHash });
      seen.push(searches > 0);
    }
    expect(seen).toEqual([false, true]);
  });

  it.each(["TransactionNotExcluding", "SessionExpired"] as const)(
    "goes on as one after another while signers answer %s",
    async (code) => {
      const { id, wrong, other, third } = await versions();
      finding(async () => ok(undefined));
      const transactions = [wrong, other, third].map(({ unsigned }) => unsigned);
      const named = [1, 2, 3].map(async () => ({ isBound: true, isWhole: true, transactions }));
      const askSigned = () => ({ of: 3, threshold: 2, answers: named });
      let signed = other;
      const sign: RequestHandler["quorum"]["sign"] = async (request) => {
        world.asked.push(request);
        const isIt = Buffer.compare(request.unsigned, signed.unsigned) === 0;
        return isIt
          ? signedBy(request.signables.map(({ bytes }) => TRON_KEY.sign(bytes)))
          : { kind: "failed", problem: problem(code) };
      };
      world.handler = { ...world.handler, quorum: { ...world.handler.quorum, askSigned, sign } };
      for (const each of [third, other, wrong]) {
        signed = each;
        await goBack(id);
        for (let look = 0; look < 5; look += 1) await world.carry(id);
        expect(await world.read(id)).toMatchObject({ status: "Broadcasted", txHash: each.txHash });
      }
    },
  );
});

describe("a caller's own bytes on TRON", () => {
  it("INV-4 are one request's alone: a second one for them would take the first one's landing for its own", async () => {
    const { solidHeight: solid } = tron;
    const transaction = tronBytes({
      refBlockBytes: Buffer.from(solid.toString(16).padStart(4, "0"), "hex"),
      refBlockHash: Buffer.from(stubTronBlock(solid), "hex").subarray(8, 16),
      expirationMs: tron.timeOf(tron.height) + 60_000n,
    });
    const [first, second] = [await world.enterBytes(transaction), await world.enterBytes(transaction)];
    // the node has neither when the second one is looked at
    tron.refusal = { code: "SERVER_BUSY", message: "" };
    expect(await world.carry(first.id)).toMatchObject({ kind: "Again" });
    expect(await world.carry(second.id)).toEqual({ kind: "Done" });
    expect(await world.read(second.id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("another request of the wallet has this very transaction"),
    });
    tron.refusal = undefined;
    await world.carry(first.id);
    expect((await world.read(first.id)).status).toBe("Broadcasted");
    expect(world.asked).toHaveLength(1);
  });
});
