import { type RunningLedger, SYSTEM_CLOCK, startXrpLedger } from "@conclave/ledgers";
import { commandLedger } from "@conclave/ledgers/testing";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AccountSetAsfFlags, verifySignature, Wallet } from "xrpl";
import type {
  BuiltTransaction,
  ChainNode,
  OwnTransaction,
  Sequencing,
  TransactionIntent,
} from "../../chain.ts";
import { testAccount, testEdwardsKey } from "../../testing/account.ts";
import {
  authorisedXrpl,
  authorisedXrplBytes,
  XRP_TRANSFER,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
} from "../../testing/xrpl-samples.ts";
import { XRPL_FAMILY } from "../family.ts";
import type { XrplNetwork } from "../network.ts";
import { xrplAddress } from "../rules/address.ts";
import { decodeXrpl, encodeXrpl, signedXrpl, type XrplDraft, xrplSignable } from "../transaction.ts";
import { xrplNode } from "./node.ts";

const NEXT: Sequencing = { kind: "next", lowest: 0n };
const FUNDS = 100_000_000;
/** key of the samples' recipient */
const RECIPIENT_KEY = testEdwardsKey("0c".repeat(32));
/** above 1024, so that transactions must contain it */
const NAMED_ID = 20_261;

let ledger: RunningLedger;
let network: XrplNetwork;
let node: ChainNode;

const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);
const mine = (blocks = 1) => admin("mine", { blocks });
const fund = async (...addresses: readonly string[]): Promise<void> => {
  for (const address of addresses) await admin("fund", { address, amount: FUNDS });
  await mine();
};

/** Starts a ledger without a clock: ledgers close only when a test does so. */
const start = async (networkId: number): Promise<void> => {
  ledger = await startXrpLedger({
    clock: SYSTEM_CLOCK,
    chain: String(networkId),
    seed: "tests",
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  network = { ...XRPL_TESTNET, networkId, rippledUrl: ledger.url };
  node = xrplNode(network);
  await mine();
};
beforeEach(() => start(NAMED_ID));
afterEach(() => ledger.stop());

type Key = Pick<typeof XRPL_KEY, "publicKey"> & {
  sign(bytes: Uint8Array): ReturnType<typeof XRPL_EDWARDS_KEY.sign>;
};

const TRANSFER_ACT = authorisedXrpl(XRP_TRANSFER);
const intentOf = (key: Key, act: TransactionIntent["act"], sequencing: Sequencing): TransactionIntent => ({
  sender: xrplAddress(key.publicKey),
  keys: [key.publicKey],
  act,
  priority: undefined,
  sequencing,
});

const built = async (
  key: Key = XRPL_KEY,
  act: TransactionIntent["act"] = TRANSFER_ACT,
  sequencing: Sequencing = NEXT,
): Promise<BuiltTransaction> => {
  const made = await node.build(intentOf(key, act, sequencing));
  if (!made.ok) expect.fail(`${made.problem.code}: ${made.problem.message}`);
  expect(XRPL_FAMILY.read(network, made.value.unsigned, act).ok).toBe(true);
  return made.value;
};

const draftOf = (unsigned: Uint8Array): XrplDraft => {
  const decoded = decodeXrpl(unsigned);
  return decoded.ok ? decoded.value : expect.fail(decoded.problem.message);
};

/** Changes the recipient's account by its own key, with the official SDK. */
const asRecipient = async (change: { readonly SetFlag: AccountSetAsfFlags }): Promise<void> => {
  const wallet = new Wallet(`ED${bytesToHex(RECIPIENT_KEY.publicKey)}`.toUpperCase(), `ED${"0C".repeat(32)}`);
  const next = await node.nextSequence(XRPL_RECIPIENT);
  const { tx_blob } = wallet.sign({
    TransactionType: "AccountSet",
    Account: XRPL_RECIPIENT,
    NetworkID: NAMED_ID,
    Sequence: Number(next.ok ? next.value : 0n),
    Fee: "12",
    ...change,
  });
  const body = JSON.stringify({ method: "submit", params: [{ tx_blob }] });
  const answer = await fetch(ledger.url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  expect(await answer.json()).toMatchObject({ result: { engine_result: "tesSUCCESS" } });
  await mine();
};

interface Signed extends OwnTransaction {
  readonly id: string;
}

const signed = (unsigned: Uint8Array, key: Key = XRPL_KEY): Signed => {
  const { bytes } = xrplSignable(unsigned, draftOf(unsigned));
  const attached = XRPL_FAMILY.attach(unsigned, [key.sign(bytes)], [key.publicKey]);
  if (!attached.ok) expect.fail(attached.problem.message);
  return { unsigned, signed: attached.value.signed, id: attached.value.txHash };
};

const made = async (...given: Parameters<typeof built>): Promise<Signed> =>
  signed((await built(...given)).unsigned, given[0]);

const see = async (id: string) => {
  const seen = await node.sight(id);
  return seen.ok ? seen.value : expect.fail(seen.problem.message);
};
const fate = async (...own: readonly OwnTransaction[]): Promise<string> => {
  const found = await node.fateOf(XRPL_SENDER, own);
  return found.ok ? found.value.kind : found.problem.code;
};
const balance = async (address: string): Promise<bigint | undefined> => {
  const found = await node.balance(address);
  return found.ok ? found.value : undefined;
};
const said = async (act: TransactionIntent["act"], key: Key = XRPL_KEY): Promise<string> => {
  const found = await node.build(intentOf(key, act, NEXT));
  return found.ok ? "built" : `${found.problem.code}: ${found.problem.message}`;
};

const EDWARDS_ACT = authorisedXrpl({ ...XRP_TRANSFER, from: XRPL_EDWARDS_SENDER });

describe("a payment on a ledger that checks it", () => {
  it.each([
    ["secp256k1", NAMED_ID, XRPL_KEY, XRPL_SENDER, TRANSFER_ACT],
    ["Ed25519", NAMED_ID, XRPL_EDWARDS_KEY, XRPL_EDWARDS_SENDER, EDWARDS_ACT],
    ["secp256k1", 1, XRPL_KEY, XRPL_SENDER, TRANSFER_ACT],
    ["Ed25519", 1, XRPL_EDWARDS_KEY, XRPL_EDWARDS_SENDER, EDWARDS_ACT],
  ] as const)(
    "is taken, validated and final: a key of %s, network %i",
    async (_, networkId, key, sender, act) => {
      await ledger.stop();
      await start(networkId);
      await fund(sender, XRPL_RECIPIENT);
      const own = await made(key, act);
      expect(verifySignature(bytesToHex(own.signed).toUpperCase())).toBe(true);
      expect(await see(own.id)).toEqual({ kind: "unknown" });
      expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
      expect(await see(own.id)).toEqual({ kind: "waiting" });
      // the same bytes again, as after a lost reply
      expect(["accepted", "outdated"]).toContain((await node.broadcast(own.signed)).kind);
      await mine();
      const head = await node.head();
      const height = head.ok ? head.value.height : 0n;
      expect(await see(own.id)).toMatchObject({
        kind: "included",
        height,
        isFinal: true,
        fee: 12n,
        succeeded: true,
      });
      expect([await balance(sender), await balance(XRPL_RECIPIENT)]).toEqual([98_499_988n, 101_500_000n]);
      const block = await node.block(height, new Set([own.id, "AB".repeat(32)]));
      expect(block.ok && block.value?.holds).toEqual([own.id]);
      expect(head.ok && block.ok && block.value?.hash === head.value.hash).toBe(true);
      const parent = await node.block(height - 1n, new Set());
      expect(parent.ok && block.ok && parent.value?.hash === block.value?.parentHash).toBe(true);
      expect(await node.block(height + 1n, new Set())).toEqual({ ok: true, value: undefined });
    },
  );

  it("makes the account of its recipient, with the reserve that this takes", async () => {
    await fund(XRPL_SENDER);
    const small = authorisedXrpl({ ...XRP_TRANSFER, amount: "999999" });
    expect(await said(small)).toContain("RecipientCannotReceive: the recipient's account does not exist");
    const own = await made();
    await node.broadcast(own.signed);
    await mine();
    expect((await see(own.id)).kind).toBe("included");
    expect(await balance(XRPL_RECIPIENT)).toBe(1_500_000n);
  });

  it("is refused here where the ledger would refuse it: funds, reserve, no account", async () => {
    expect(await said(TRANSFER_ACT)).toContain("InsufficientFunds");
    await fund(XRPL_SENDER, XRPL_RECIPIENT);
    const paying = (amount: bigint) => authorisedXrpl({ ...XRP_TRANSFER, amount: amount.toString() });
    expect(await said(paying(99_000_001n))).toContain("InsufficientFunds");
    // everything above the reserve; the reserve pays the fee
    const own = await made(XRPL_KEY, paying(99_000_000n));
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    await mine();
    expect(await see(own.id)).toMatchObject({ succeeded: true });
    expect(await balance(XRPL_SENDER)).toBe(999_988n);
  });

  it("brings the destination tag that its recipient wants, and is refused here without it", async () => {
    await fund(XRPL_SENDER, XRPL_RECIPIENT);
    await asRecipient({ SetFlag: AccountSetAsfFlags.asfRequireDest });
    const { tag: _, ...untagged } = XRP_TRANSFER;
    expect(await said(authorisedXrpl(untagged))).toContain("wants a destination tag");
    const own = await made(XRPL_KEY, authorisedXrpl({ ...untagged, tag: 0 }));
    await node.broadcast(own.signed);
    await mine();
    expect(await see(own.id)).toMatchObject({ succeeded: true });
  });

  it("that its recipient has not authorised is found when it is tried, by a ledger that cannot tell before", async () => {
    await fund(XRPL_SENDER, XRPL_RECIPIENT);
    const own = await made();
    await asRecipient({ SetFlag: AccountSetAsfFlags.asfDepositAuth });
    expect(await said(TRANSFER_ACT)).toContain(
      "ExecutionReverted: the ledger refuses the transaction, tried as it would be signed: tecNO_PERMISSION",
    );
    // a transaction that was signed before costs its fee
    await node.broadcast(own.signed);
    await mine();
    expect(await see(own.id)).toMatchObject({ succeeded: false, reason: "tecNO_PERMISSION", fee: 12n });
  });

  it("that the ledger takes and refuses has failed, has cost its fee and taken its place", async () => {
    await fund(XRPL_SENDER, XRPL_RECIPIENT);
    const own = await made();
    await admin("set-fees", { reserveBase: 99_999_999 });
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    await mine();
    expect(await see(own.id)).toMatchObject({
      kind: "included",
      isFinal: true,
      fee: 12n,
      succeeded: false,
      reason: "tecUNFUNDED_PAYMENT",
    });
    expect(await balance(XRPL_SENDER)).toBe(99_999_988n);
    expect(await fate(own)).toBe("open");
  });

  it("stands behind those that wait, and lands with them", async () => {
    await fund(XRPL_SENDER, XRPL_RECIPIENT);
    const first = await made();
    await node.broadcast(first.signed);
    const second = await made();
    expect(draftOf(second.unsigned).sequence).toBe(draftOf(first.unsigned).sequence + 1);
    await node.broadcast(second.signed);
    await mine();
    expect([await see(first.id), await see(second.id)]).toMatchObject([
      { succeeded: true },
      { succeeded: true },
    ]);
  });

  it("pays what the open ledger asks for", async () => {
    await fund(XRPL_SENDER, XRPL_RECIPIENT);
    await admin("set-fees", { openLedger: 500 });
    const own = await made();
    expect(draftOf(own.unsigned).fee).toBe(600n);
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    await mine();
    expect(await see(own.id)).toMatchObject({ fee: 600n, succeeded: true });
  });
});

describe("a payment that the ledger does not take", () => {
  beforeEach(() => fund(XRPL_SENDER, XRPL_RECIPIENT));

  it("is one that was altered after it was signed", async () => {
    const { unsigned } = await built();
    const other = { ...draftOf(unsigned), amount: 1_500_001n };
    const { bytes } = xrplSignable(unsigned, other);
    const forged = xrplSigned(encodeXrpl(other), XRPL_KEY.sign(bytes));
    expect((await node.broadcast(forged)).kind).toBe("unacceptable");
  });

  it("is one of another chain", async () => {
    const { unsigned } = await built();
    for (const networkId of [undefined, NAMED_ID + 1]) {
      const own = signed(encodeXrpl({ ...draftOf(unsigned), networkId }));
      expect((await node.broadcast(own.signed)).kind).toBe("unacceptable");
    }
  });

  it("is one of an account that is not its key's", async () => {
    const stranger = testAccount("0d".repeat(32));
    const { unsigned } = await built();
    const own = signed(encodeXrpl({ ...draftOf(unsigned), signingPubKey: stranger.publicKey }), stranger);
    expect((await node.broadcast(own.signed)).kind).toBe("unacceptable");
  });

  it("is one that stands behind an empty place: the same bytes are taken later", async () => {
    const { unsigned } = await built();
    const draft = draftOf(unsigned);
    const later = signed(encodeXrpl({ ...draft, sequence: draft.sequence + 1 }));
    const outcome = await node.broadcast(later.signed);
    expect(outcome).toMatchObject({ kind: "refused", reason: expect.stringContaining("terPRE_SEQ") });
    await node.broadcast(signed(unsigned).signed);
    await mine(2);
    if ((await see(later.id)).kind !== "included") {
      expect(await node.broadcast(later.signed)).toEqual({ kind: "accepted" });
      await mine();
    }
    expect(await see(later.id)).toMatchObject({ kind: "included", succeeded: true });
  });
});

/** The bytes with an unchecked signature. */
const xrplSigned = (unsigned: Uint8Array, signature: ReturnType<typeof XRPL_KEY.sign>): Uint8Array =>
  signedXrpl(unsigned, new secp256k1.Signature(signature.r, signature.s).toBytes("der"));

describe("INV-4 the fate of a payment, as a ledger shows it,", () => {
  beforeEach(() => fund(XRPL_SENDER, XRPL_RECIPIENT));
  /** Another signature of the same bytes, by the same key. */
  const signedAnew = (unsigned: Uint8Array): Uint8Array => {
    const { bytes } = xrplSignable(unsigned, draftOf(unsigned));
    const options = {
      prehash: false,
      lowS: true,
      format: "der",
      extraEntropy: new Uint8Array(32).fill(7),
    } as const;
    return signedXrpl(unsigned, secp256k1.sign(bytes, hexToBytes("0b".repeat(32)), options));
  };

  it("is open while it may land, dead when its ledgers are over, and another lands in the same place", async () => {
    const own = await made();
    await node.broadcast(own.signed);
    await admin("drop", { id: own.id });
    await mine(50);
    expect(await fate(own)).toBe("open");
    await mine();
    expect(await node.broadcast(own.signed)).toMatchObject({ kind: "outdated" });
    expect([await see(own.id), await fate(own)]).toEqual([{ kind: "unknown" }, "dead"]);
    const again = await made();
    expect(draftOf(again.unsigned).sequence).toBe(draftOf(own.unsigned).sequence);
    await node.broadcast(again.signed);
    await mine();
    expect([await see(again.id), await fate(own), await fate(again)]).toMatchObject([
      { succeeded: true },
      "dead",
      "open",
    ]);
  });

  it("is dead at once when another one has its place, of which at most one lands", async () => {
    const own = await made();
    const { unsigned } = await built();
    const rival = signed(encodeXrpl({ ...draftOf(unsigned), amount: 7n }));
    await node.broadcast(rival.signed);
    await mine();
    expect((await node.broadcast(own.signed)).kind).toBe("outdated");
    expect([await fate(own), await fate(rival), await fate(own, rival)]).toEqual(["dead", "open", "open"]);
  });

  it("is open when it landed with a signature that is not on record", async () => {
    const own = await made();
    await node.broadcast(signedAnew(own.unsigned));
    await mine(60);
    expect(await see(own.id)).toEqual({ kind: "unknown" });
    expect(await node.broadcast(own.signed)).toMatchObject({ kind: "outdated" });
    expect(await fate(own)).toBe("open");
  });

  it("needs no history to be dead, and has no verdict when what has its place is forgotten", async () => {
    const own = await made();
    const start = await node.head();
    const from = start.ok ? Number(start.value.height) : 0;
    await mine(60);
    await admin("forget", { from, to: from + 55 });
    expect(await fate(own)).toBe("dead");
    await admin("remember");
    const landed = await made();
    await node.broadcast(landed.signed);
    await mine(2);
    const end = await node.head();
    const to = end.ok ? Number(end.value.height) - 1 : 0;
    await admin("forget", { from, to });
    expect(await fate(landed)).toBe("ServiceUnavailable");
    await admin("remember");
    expect(await fate(landed)).toBe("open");
  });

  it("is the same when the reply to its broadcast is lost", async () => {
    const own = await made();
    await admin("lose-replies", { count: 1 });
    expect((await node.broadcast(own.signed)).kind).toBe("refused");
    expect(["accepted", "outdated"]).toContain((await node.broadcast(own.signed)).kind);
    await mine();
    expect(await see(own.id)).toMatchObject({ kind: "included", succeeded: true });
  });
});

describe("a caller's own bytes on a ledger that checks them", () => {
  it("land as they are, once", async () => {
    await fund(XRPL_SENDER, XRPL_RECIPIENT);
    const { unsigned } = await built();
    const own = encodeXrpl({ ...draftOf(unsigned), sourceTag: 5, flags: undefined });
    const act = authorisedXrplBytes(own);
    const first = await made(XRPL_KEY, act);
    expect(first.unsigned).toEqual(own);
    await node.broadcast(first.signed);
    await mine();
    expect(await see(first.id)).toMatchObject({ succeeded: true });
    expect(await said(act)).toContain("NonceUsed");
  });

  it("are of no use to another key", async () => {
    await fund(XRPL_SENDER, XRPL_RECIPIENT);
    const { unsigned } = await built();
    const stranger = testEdwardsKey("0d".repeat(32));
    const { bytes } = xrplSignable(unsigned, draftOf(unsigned));
    expect(XRPL_FAMILY.attach(unsigned, [stranger.sign(bytes)], [stranger.publicKey]).ok).toBe(false);
  });
});
