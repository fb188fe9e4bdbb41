import { type ChainNode, FAMILIES } from "@conclave/chains";
import {
  StubTron,
  stubTronBlock,
  TRON_KEY,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  tronAccount,
  tronBytes,
} from "@conclave/chains/testing";
import { WALLET_SAMPLES } from "@conclave/chains/testing/ledgers";
import { type ChainRequest, type ChainRequestId, fail, ok, problem } from "@conclave/custody";
import { ruleOut } from "@conclave/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { signedBy } from "../testing/plain-signers.ts";
import { contentOf, describeTransfers, outageOf } from "../testing/transfer-suite.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";
import { authorisedOf } from "./authorised.ts";
import type { RequestHandler } from "./work.ts";

const sample = WALLET_SAMPLES.Tron;
const [trc10, trc20] = sample.tokens;
const [trx, trc20Transfer] = [contentOf(sample, sample.native), contentOf(sample, trc20)];
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
  const tokens = { [trc10.tokenId]: 10_000_000n };
  tron.accounts.set(TRON_SENDER, { balance: 100_000_000n, tokens });
  tron.accounts.set(TRON_RECIPIENT, { balance: 1n });
  tron.returns(TRON_TOKEN, "balanceOf(address)", [10_000_000n]);
  ownedBy(TRON_SENDER);
  tron.returns(TRON_TOKEN, "transfer(address,uint256)", [1n], ENERGY);
  tron.returns(TRON_TOKEN, "safeTransferFrom(address,address,uint256)", [], ENERGY);
  world = await startWalletWorld(sample, tron.url);
  world.dateResolved = () => new Date().toISOString();
});
afterEach(async () => {
  await Promise.all([world.close(), tron.stop()]);
});

/** It lands in the next block, and that is solid. */
const lands = (
  id = "",
  outcome: { readonly fee?: bigint; readonly result?: string; readonly words?: string } = {},
) => {
  const height = tron.height + 1n;
  tron.blocks.set(height, [id]);
  tron.landed.set(id, { height, ...outcome });
  tron.height += 30n;
  return height;
};
const refuses = (code: string, message = ""): void => {
  tron.refusal = { code, message };
};
const deadlineOf = (request: ChainRequest): number => {
  const { unsignedTransaction: unsigned = new Uint8Array(0) } = request;
  const family = FAMILIES.familyOf(world.network);
  const reading = family.read(sample.entryAt(tron.url), unsigned, authorisedOf(request));
  return (reading.ok ? reading.value.deadlineMs : undefined) ?? 0;
};

/** A contract's own words, which an attacker chooses: cut where a node's words end, they end within a character. */
const CUT = `x${"\u{1f600}".repeat(300)}`;

describeTransfers({
  sample,
  world: () => world,
  landings: [sample.native, ...sample.tokens].map((transfer) => ({
    title: transfer.kind,
    transfer: contentOf(sample, transfer),
    signables: [["CGGMP24", 32]],
  })),
  posted: () => tron.posted,
  appear: ({ txHash = "" }) => tron.pending.add(txHash),
  land: ({ txHash }) => {
    const blockNumber = lands(txHash, { fee: 1_000n, result: "SUCCESS" });
    ownedBy(TRON_RECIPIENT);
    return { fee: sample.fee, blockNumber };
  },
  // the tags of the requests alone tell two of them apart
  isIndependent: true,
  impossible: {
    prepare: () => tron.reverts(TRON_TOKEN, "transfer(address,uint256)", "the token is paused"),
    transfer: trc20Transfer,
    reason: expect.stringMatching(/the contract refuses the call.*the token is paused/),
  },
  outage: outageOf(() => tron),
  resendings: [
    {
      title: "the node took them, and its answer was not one to them",
      failures: [
        () => {
          tron.takenId = "00".repeat(32);
        },
        () => {
          tron.takenId = undefined;
          refuses("DUP_TRANSACTION_ERROR", "dup trans");
        },
      ],
      takes: ({ txHash = "" }) => tron.pending.add(txHash),
      posts: 3,
    },
  ],
  expiry: {
    title: "solid blocks are past it and hold none of it",
    prepare: () => {
      tron.firstTimeMs = 1_700_000_000_000n;
    },
    approach: (request) => {
      refuses("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
      // the head is past its expiration, and what is solid is not
      while (tron.timeOf(tron.height) <= deadlineOf(request)) tron.height += 1n;
    },
    pass: () => {
      tron.height += 19n;
    },
    recover: () => {
      tron.refusal = undefined;
    },
  },
  reverting: {
    title: "its contract reverted",
    transfer: trc20Transfer,
    land: ({ txHash }) =>
      lands(txHash, { fee: 6_500_000n, result: "OUT_OF_ENERGY", words: "Not enough energy" }),
    failed: { fee: "6500000", reason: expect.stringContaining("OUT_OF_ENERGY: Not enough energy") },
  },
  hostileWords: {
    transfer: trc20Transfer,
    revert: ({ txHash }) => lands(txHash, { result: "REVERT", words: CUT }),
    reason: "REVERT: x\u{1f600}",
    failures: [
      () => tron.spoilt.set("/", { status: 200, text: JSON.stringify({ Error: `\0${CUT}` }) }),
      () => {
        tron.spoilt.clear();
        refuses(`\0${"9".repeat(2_000_000)}`);
      },
    ],
  },
});

describe("a transfer on TRON", () => {
  it("is not confirmed before its block is solid", async () => {
    const { id } = await world.enter(trx);
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

  it("INV-4 is not built again before signers believe that its time is over", async () => {
    const { id } = await world.enter(trx);
    await world.carry(id);
    refuses("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
    tron.height += 200n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-4 is not built again when a solid block holds it, whatever the node says of it", async () => {
    tron.firstTimeMs = 1_700_000_000_000n;
    const { id } = await world.enter(trx);
    await world.carry(id);
    const { txHash = "" } = await world.read(id);
    tron.blocks.set(tron.height + 5n, [txHash]);
    refuses("TAPOS_ERROR", "Tapos failed");
    tron.height += 200n;
    await followOnce(world.handler);
    expect(await world.questions()).toEqual([]);
    expect((await world.read(id)).status).toBe("Broadcasted");
  });

  it("INV-5 ends when a contract refuses it with words that nobody can store", async () => {
    const message = Buffer.from(CUT).toString("hex");
    tron.calls.set(`${TRON_TOKEN}.transfer(address,uint256)`, {
      result: { code: "CONTRACT_EXE_ERROR", message },
    });
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
  const goBack = (id: ChainRequestId) =>
    world.database.execute(`update chain_requests set ${NOT_BUILT} where id = $1`, [id]);

  /** A transfer that was put back to before two versions of it were signed. */
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
    const askSigned = () => ({ of: 4, threshold: 3, remembering: 3, answers: said });
    world.handler = { ...world.handler, quorum: { ...world.handler.quorum, askSigned } };
    world.asked = [];
    return { id, wrong, other, third };
  };
  /** @param find the search that the node makes */
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
    refuses("SERVER_BUSY");
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
