import type { ChainNode } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import { bodyOf, TRON_KEY, tronBytes } from "@conclave/chains/testing";
import {
  makeTronTokens,
  openTronLedger,
  type ScriptedTronLedger,
  WALLET_SAMPLES,
} from "@conclave/chains/testing/ledgers";
import { type ChainRequestId, fail, ok, problem } from "@conclave/custody";
import { ruleOut } from "@conclave/platform";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { signedBy } from "../testing/plain-signers.ts";
import { contentOf, describeTransfers, outageOf } from "../testing/transfer-suite.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";
import type { RequestHandler } from "./work.ts";

const sample = WALLET_SAMPLES.Tron;
const [trx, trc20Transfer] = [contentOf(sample, sample.native), contentOf(sample, sample.tokens[1])];
/** in 2027: by the signers' clocks, the deadline has not passed yet */
const FUTURE_MS = 1_800_000_000_000;
/** Longer than the lifetime of a transaction. */
const LIFE_MS = 600_000;
/** Blocks until a landed transaction is solid. */
const SOLID = 5;
const TRIES = "/wallet/triggerconstantcontract";

let world: WalletWorld;
let ledger: ScriptedTronLedger;
/** a ledger whose transactions' deadlines are still in the future */
let future: ScriptedTronLedger;
beforeAll(async () => {
  [ledger, future] = await Promise.all([openTronLedger(), openTronLedger()]);
  await makeTronTokens(ledger);
  future.clock.pass(FUTURE_MS - future.clock.now());
  await future.mine(SOLID);
});
beforeEach(async () => {
  for (const each of [ledger, future]) {
    each.node.reset();
    await each.admin("drop");
    await each.mine();
  }
  world = await startWalletWorld(sample, ledger.node.url);
  world.dateResolved = () => new Date().toISOString();
});
afterEach(() => world.close());
afterAll(() => Promise.all([ledger.stop(), future.stop()]));

const speakToFuture = (): void => world.speakTo(NODES.connect(sample.entryAt(future.node.url)));
/** Puts what the chain accepted into a solid block. @returns the height of the block */
const lands = async (): Promise<bigint> => {
  const { height } = await ledger.last();
  await ledger.mine(SOLID);
  return BigInt(height) + 1n;
};
const refuses = (code: string, message = ""): void =>
  ledger.node.says("/wallet/broadcasthex", () => ({ result: false, txid: "", code, message }));
const hexOf = (words: string): string => Buffer.from(words).toString("hex");
/** Makes a token's contract refuse every transfer, with this message. */
const refusesCalls = (words: string): void =>
  ledger.node.says(TRIES, (request) =>
    bodyOf(request)["function_selector"] === "transfer(address,uint256)"
      ? { result: { code: "CONTRACT_EXE_ERROR", message: hexOf(words) } }
      : undefined,
  );
/** Makes the chain report that a landed call was undone. */
const landsUndone = async (id: string | undefined, result: string, words: string): Promise<void> => {
  await lands();
  ledger.node.changes("/walletsolidity/gettransactioninfobyid", (info, request) =>
    bodyOf(request)["value"] === id
      ? { ...info, fee: 6_500_000, result: "FAILED", receipt: { result }, resMessage: hexOf(words) }
      : undefined,
  );
};
/** Drops all sent transactions, and passes their deadlines. */
const isLost = async (of: ScriptedTronLedger): Promise<void> => {
  await of.admin("drop");
  of.clock.pass(LIFE_MS);
  await of.mine();
};

/** A contract's message, which an attacker chooses: cutting it at the length limit splits a character. */
const CUT = `x${"\u{1f600}".repeat(300)}`;

describeTransfers({
  sample,
  world: () => world,
  landings: [sample.native, ...sample.tokens].map((transfer) => ({
    title: transfer.kind,
    transfer: contentOf(sample, transfer),
    signables: [["CGGMP24", 32]],
  })),
  posted: () => ledger.posted(),
  land: async ({ txHash = "" }) => {
    const blockNumber = await lands();
    const { fee = 0 } = await ledger.sdk.trx.getTransactionInfo(txHash);
    return { fee: fee.toString(), blockNumber };
  },
  // two requests differ in their tags alone
  isIndependent: true,
  impossible: {
    prepare: () => refusesCalls("the token is paused"),
    transfer: trc20Transfer,
    reason: expect.stringMatching(/the contract refuses the call.*the token is paused/),
  },
  outage: outageOf(() => ledger.node),
  resendings: [
    {
      title: "the node took them, and its answer was not one to them",
      failures: [
        () => ledger.node.says("/wallet/broadcasthex", () => ({ result: true, txid: "00".repeat(32) })),
        () => refuses("DUP_TRANSACTION_ERROR", "dup trans"),
      ],
      takes: () => {
        ledger.node.answers = () => undefined;
      },
      posts: 3,
    },
  ],
  expiry: {
    title: "solid blocks are past it and hold none of it",
    // the head is past the expiration, and the solid block is not
    approach: () => isLost(ledger),
    pass: () => ledger.mine(SOLID),
  },
  reverting: {
    title: "its contract reverted",
    transfer: trc20Transfer,
    land: ({ txHash }) => landsUndone(txHash, "OUT_OF_ENERGY", "Not enough energy"),
    failed: { fee: "6500000", reason: expect.stringContaining("OUT_OF_ENERGY: Not enough energy") },
  },
  hostileWords: {
    transfer: trc20Transfer,
    revert: ({ txHash }) => landsUndone(txHash, "REVERT", CUT),
    reason: "REVERT: x\u{1f600}",
    failures: [
      () => ledger.node.spoilt.set("/", { status: 200, text: JSON.stringify({ Error: `\0${CUT}` }) }),
      () => {
        ledger.node.spoilt.clear();
        refuses(`\0${"9".repeat(2_000_000)}`);
      },
    ],
  },
});

describe("a transfer on TRON", () => {
  it("is not confirmed before its block is solid", async () => {
    const { id } = await world.enter(trx);
    await world.carry(id);
    await ledger.mine();
    await followOnce(world.handler);
    expect((await world.read(id)).status).toBe("Broadcasted");
    await ledger.mine(SOLID);
    await followOnce(world.handler);
    expect((await world.read(id)).status).toBe("Confirmed");
  });

  it("INV-4 is not built again before signers believe that its time is over", async () => {
    speakToFuture();
    const { id } = await world.enter(trx);
    await world.carry(id);
    await isLost(future);
    await future.mine(SOLID);
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 is not built again when a solid block holds it, whatever the node says of it", async () => {
    const { id } = await world.enter(trx);
    await world.carry(id);
    await lands();
    ledger.clock.pass(LIFE_MS);
    await ledger.mine(SOLID);
    for (const side of ["wallet", "walletsolidity"]) ledger.node.says(`/${side}/gettransaction`, () => ({}));
    refuses("TAPOS_ERROR", "Tapos failed");
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-5 ends when a contract refuses it with words that nobody can store", async () => {
    refusesCalls(CUT);
    const { id } = await world.enter(trc20Transfer);
    expect(await world.carry(id)).toEqual({ kind: "Done" });
    expect(await world.read(id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("refuses"),
    });
  });
});

describe("INV-4 INV-5 a transfer of which signers name several versions, where a liar names a wrong one first", () => {
  const NOT_BUILT = `signed_transaction = null, tx_hash = null, date_broadcasted = null, status = 'Pending', sequence = null,
    exclusion = null, unsigned_transaction = null, details = null`;
  beforeEach(speakToFuture);
  const goBack = (id: ChainRequestId) =>
    world.database.execute(`update chain_requests set ${NOT_BUILT} where id = $1`, [id]);

  /** Signs three versions of one transfer, and puts its row back to before each was built. */
  const versions = async () => {
    const { id } = await world.enter(trx);
    const made = [];
    for (let each = 0; each < 3; each += 1) {
      await world.carry(id);
      const { unsignedTransaction: unsigned, signedTransaction: signed, txHash } = await world.read(id);
      if (unsigned === undefined || signed === undefined || txHash === undefined)
        expect.fail("none is signed");
      made.push({ unsigned, signed, txHash });
      await goBack(id);
      await future.admin("drop");
      // so that the next version refers to another block
      await future.mine();
    }
    const [wrong, other, third] = made;
    if (wrong === undefined || other === undefined || third === undefined) expect.fail("three were made");
    // the first signer lies: it has signed both, the other one last
    const [early, late] = [wrong.unsigned, other.unsigned];
    const lie = [Uint8Array.of(1), Uint8Array.of(2), early];
    const said = [lie, [early, late], [early, late], [late]].map(async (transactions) => ({
      isBound: true,
      isWhole: true,
      transactions,
    }));
    const askSigned = () => ({ of: 4, threshold: 3, remembering: 3, answers: said });
    world.handler = { ...world.handler, quorum: { ...world.handler.quorum, askSigned } };
    world.asked = [];
    return { id, wrong, other, third };
  };
  /** @param find replaces the node's search */
  const finding = (find: NonNullable<ChainNode["findSent"]>): void => {
    const { family, node } = world.handler.chains.get(world.network) ?? expect.fail("it is not served");
    world.handler = {
      ...world.handler,
      chains: new Map([[world.network, { family, node: { ...node, findSent: find } }]]),
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
      const { node } = world.handler.chains.get(world.network) ?? expect.fail("it is not served");
      expect(await node.broadcast(landed.signed)).toEqual({ kind: "accepted" });
      await future.mine(SOLID);
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
    const askSigned = () => ({
      of: 2,
      threshold: 2,
      remembering: 2,
      answers: [one, one].map(async (each) => each),
    });
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
      const askSigned = () => ({ of: 3, threshold: 2, remembering: 2, answers: named });
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
        await future.admin("drop");
        for (let look = 0; look < 5; look += 1) await world.carry(id);
        expect(await world.read(id)).toMatchObject({ status: "Broadcasted", txHash: each.txHash });
      }
    },
  );
});

describe("a caller's own bytes on TRON", () => {
  it("INV-4 are one request's alone: a second one for them would take the first one's landing for its own", async () => {
    const { id, timeMs } = await ledger.last("walletsolidity");
    const transaction = tronBytes({
      refBlockBytes: Buffer.from(id.slice(12, 16), "hex"),
      refBlockHash: Buffer.from(id.slice(16, 32), "hex"),
      expirationMs: BigInt(timeMs) + 120_000n,
    });
    const [first, second] = [await world.enterBytes(transaction), await world.enterBytes(transaction)];
    // the node has neither transaction when it is asked about the second one
    refuses("SERVER_BUSY");
    expect(await world.carry(first.id)).toMatchObject({ kind: "Again" });
    expect(await world.carry(second.id)).toEqual({ kind: "Done" });
    expect(await world.read(second.id)).toMatchObject({
      status: "Failed",
      reason: expect.stringContaining("another request of the wallet has this very transaction"),
    });
    ledger.node.answers = () => undefined;
    await world.carry(first.id);
    expect((await world.read(first.id)).status).toBe("Broadcasted");
    expect(world.asked).toHaveLength(1);
  });
});
