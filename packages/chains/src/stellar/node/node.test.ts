import { base64 } from "@scure/base";
import { TransactionBuilder, xdr } from "@stellar/stellar-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ChainNode, OwnTransaction, TransactionIntent } from "../../chain.ts";
import { answerOf, codeOf } from "../../testing/answers.ts";
import {
  authorisedStellar,
  authorisedStellarBytes,
  LUMEN_TRANSFER,
  SEP41_TRANSFER,
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  STELLAR_TOKEN_SPELT,
  stellarBytes,
} from "../../testing/stellar-samples.ts";
import { StubHorizon, stubClosedAt, stubHorizonHash } from "../../testing/stub-horizon.ts";
import { STELLAR_FAMILY } from "../family.ts";
import { stellarContractAddress } from "../rules/address.ts";
import { assetContractOf } from "../soroban/asset-contract.ts";
import { type CallResources, writeResources } from "../soroban/resources.ts";
import { decodeStellar, stellarHash, stellarId } from "../transaction.ts";
import { stellarOutcome } from "./broadcast.ts";
import { stellarNode } from "./node.ts";
import { SubmittedMemory } from "./submitted-memory.ts";

const { passphrase } = STELLAR_TESTNET;

let horizon: StubHorizon;
let node: ChainNode;
let nowMs: number;

const line = { ...STELLAR_TOKEN, balance: 50_000_000n, limit: 9_007_199_254_740_993n };
const account = { sequence: 100n, balance: 100_000_000n, trustlines: [line] };

beforeEach(async () => {
  horizon = await StubHorizon.start();
  nowMs = 0;
  const memory = new SubmittedMemory(() => nowMs);
  node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: `${horizon.url}/` }, memory);
  for (const address of [STELLAR_SENDER, STELLAR_RECIPIENT]) horizon.accounts.set(address, account);
});
afterEach(() => horizon.stop());

const intent = (
  act: TransactionIntent["act"] = authorisedStellar(LUMEN_TRANSFER),
  lowest = 0n,
): TransactionIntent => ({
  sender: STELLAR_SENDER,
  keys: [STELLAR_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest },
});

interface Made extends OwnTransaction {
  readonly id: string;
  readonly sequence: bigint;
  readonly maxTime: bigint;
}

/** A transaction as it is built now, and signed. */
const made = async (act?: TransactionIntent["act"]): Promise<Made> => {
  const built = await node.build(intent(act));
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const signature = STELLAR_KEY.sign(stellarHash(passphrase, unsigned));
  const attached = STELLAR_FAMILY.attach(unsigned, [signature], [STELLAR_KEY.publicKey], STELLAR_TESTNET);
  const decoded = decodeStellar(unsigned);
  if (!attached.ok || !decoded.ok) expect.fail("it is not signed");
  const { sequence, maxTime } = decoded.value;
  return { unsigned, signed: attached.value.signed, id: attached.value.txHash, sequence, maxTime };
};

const landed = ({ id, sequence }: Pick<Made, "id" | "sequence">, change: object = {}) => ({
  hash: id,
  ledger: 990,
  from: STELLAR_SENDER,
  sequence,
  ...change,
});

describe("building on a Stellar node", () => {
  it("looks at the chain as it is at this moment", async () => {
    horizon.ledger = 1_200;
    horizon.usualFee = 700n;
    horizon.accounts.set(STELLAR_SENDER, { ...account, sequence: 2n ** 58n });
    const { unsigned } = await made();
    const decoded = decodeStellar(unsigned);
    expect(decoded.ok && decoded.value).toMatchObject({
      sequence: 2n ** 58n + 1n,
      fee: 700n,
      maxTime: BigInt(stubClosedAt(1_200)) + 300n,
    });
  });

  it("asks for the chain, the last ledger, the fees and both accounts, each once", async () => {
    await made();
    expect(horizon.asked.map(({ path }) => path).sort()).toEqual(
      [
        "/",
        "/ledgers?order=desc&limit=1",
        "/fee_stats",
        `/accounts/${STELLAR_SENDER}`,
        `/accounts/${STELLAR_RECIPIENT}`,
      ].sort(),
    );
  });

  it("reads reserves, trustlines, signers and what recipients want", async () => {
    const usdc = authorisedStellar(SEP41_TRANSFER);
    const why = async () => {
      const built = await node.build(intent(usdc));
      return built.ok ? "ok" : built.problem.message;
    };
    expect(await why()).toBe("ok");
    horizon.accounts.set(STELLAR_RECIPIENT, { ...account, trustlines: [{ ...line, isAuthorised: false }] });
    expect(await why()).toContain("does not let the recipient hold it");
    horizon.accounts.set(STELLAR_RECIPIENT, { ...account, trustlines: [] });
    expect(await why()).toContain("the recipient has no trustline for USDC");
    horizon.accounts.delete(STELLAR_RECIPIENT);
    expect(await why()).toContain("the recipient's account does not exist");
    horizon.accounts.set(STELLAR_SENDER, { ...account, balance: 15_000_100n, subentries: 2 });
    expect(await why()).toContain("insufficient funds");
    horizon.accounts.set(STELLAR_SENDER, { ...account, weight: 1, threshold: 2 });
    expect(await why()).toContain("handed to others");
    horizon.accounts.delete(STELLAR_SENDER);
    expect(await why()).toContain("does not exist yet");
  });

  it("refuses a caller's own bytes that are on their way or in a ledger already", async () => {
    const bytes = Buffer.from(stellarBytes().slice(2), "hex");
    horizon.accounts.set(STELLAR_TOKEN.issuer, account);
    const own = authorisedStellarBytes(bytes);
    const { signed, id, sequence } = await made(own);
    expect(id).toBe(stellarId(passphrase, bytes));
    await node.broadcast(signed);
    expect(await codeOf(node.build(intent(own)))).toBe("TransactionInvalid");
    nowMs = 20_000;
    expect(await codeOf(node.build(intent(own)))).toBe("ok");
    horizon.landed.push(landed({ id, sequence }));
    expect(await codeOf(node.build(intent(own)))).toBe("TransactionInvalid");
  });

  it("waits while the node is of another chain, or an earlier transaction may land", async () => {
    expect(await codeOf(node.build(intent(undefined, 102n)))).toBe("ServiceUnavailable");
    horizon.passphrase = "Public Global Stellar Network ; September 2015";
    expect(await codeOf(node.build(intent()))).toBe("ServiceUnavailable");
  });
});

describe("building a transfer to a contract", () => {
  const CONTRACT = stellarContractAddress(new Uint8Array(32).fill(5));
  const act = authorisedStellar({ ...SEP41_TRANSFER, to: CONTRACT });
  const contract = assetContractOf(passphrase, STELLAR_TOKEN);
  const resources: CallResources = {
    reads: [{ kind: "instance", contract }],
    writes: [
      { kind: "trustline", account: STELLAR_SENDER, token: STELLAR_TOKEN },
      { kind: "balance", contract, holder: CONTRACT },
    ],
    instructions: 1_000_000,
    readBytes: 500,
    writeBytes: 300,
    fee: 60_000n,
  };
  const dataOf = (data: Uint8Array) => ({ result: { transactionData: base64.encode(data) } });
  const build = async (change: object = { rpcUrl: `${horizon.url}/rpc` }) => {
    const called = stellarNode({ ...STELLAR_TESTNET, horizonUrl: horizon.url, ...change });
    const built = await called.build(intent(act));
    return built.ok ? built.value : built.problem;
  };

  it("simulates the call, and adds what it takes to the fee", async () => {
    horizon.simulation = dataOf(writeResources(resources));
    const built = await build();
    if (!("unsigned" in built)) expect.fail(built.message);
    const decoded = decodeStellar(built.unsigned);
    expect(decoded.ok && decoded.value).toMatchObject({
      fee: 60_100n,
      sequence: 101n,
      operation: { contract, from: STELLAR_SENDER, to: CONTRACT, amount: 25_000_000n },
      resources,
    });
    expect(horizon.asked.some(({ path }) => path.includes(CONTRACT))).toBe(false);
  });

  it("K1 lets the node try the very call that is signed", async () => {
    horizon.simulation = dataOf(writeResources(resources));
    const built = await build();
    if (!("unsigned" in built)) expect.fail(built.message);
    const asked = z
      .object({ method: z.literal("simulateTransaction"), params: z.object({ transaction: z.string() }) })
      .parse(JSON.parse(horizon.rpcBodies.at(-1) ?? ""));
    // by Stellar's own library: resources and the fee for them are what the trial tells
    const callIn = (envelope: string) => {
      const read = TransactionBuilder.fromXDR(envelope, passphrase);
      if (!("source" in read)) return expect.fail("it is a fee bump");
      const { source, sequence, memo, timeBounds, operations } = read;
      return { source, sequence, memo, timeBounds, operations };
    };
    const call = callIn(asked.params.transaction);
    expect(call.operations).toMatchObject([{ type: "invokeHostFunction" }]);
    expect(callIn(base64.encode(built.unsigned))).toEqual(call);
  });

  it("is refused in the contract's words, or where no Stellar RPC is named, or it would cost too much", async () => {
    expect(await build({})).toMatchObject({
      code: "RecipientCannotReceive",
      message: expect.stringContaining("rpcUrl"),
    });
    horizon.simulation = { result: { error: "HostError: Error(Contract, #10) balance is not sufficient" } };
    expect(await build()).toMatchObject({
      code: "ExecutionReverted",
      message: expect.stringContaining("balance is not sufficient"),
    });
    horizon.simulation = {
      result: { ...dataOf(writeResources(resources)).result, restorePreamble: { minResourceFee: "5" } },
    };
    expect(await build()).toMatchObject({
      code: "ExecutionReverted",
      message: expect.stringContaining("archived"),
    });
    horizon.simulation = dataOf(writeResources({ ...resources, fee: 99_901n }));
    expect(await build()).toMatchObject({ code: "FeeAboveCap" });
  });

  it("waits while the simulation says nothing that is a transfer's", async () => {
    for (const simulation of [
      {},
      { result: {} },
      { result: { transactionData: "no base64" } },
      dataOf(Uint8Array.of(...writeResources(resources), 0)),
      dataOf(writeResources(resources).slice(4)),
      { error: { code: -32_603, message: "internal" } },
    ]) {
      horizon.simulation = simulation;
      expect(await build()).toMatchObject({ code: "ServiceUnavailable" });
    }
    horizon.spoilt.set("/rpc", { status: 502, text: "<html>" });
    expect(await build()).toMatchObject({ code: "ServiceUnavailable" });
  });
});

describe("broadcasting on a Stellar node", () => {
  it("hands over the very bytes, as often as it is asked", async () => {
    const { signed, id } = await made();
    horizon.verdict = { status: 201, body: { tx_status: "PENDING", hash: id } };
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    horizon.verdict = { status: 409, body: { tx_status: "DUPLICATE", hash: id } };
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    expect(horizon.posted).toEqual([base64.encode(signed), base64.encode(signed)]);
    expect(horizon.asked.at(-1)).toEqual({ method: "POST", path: "/transactions_async" });
    const theirs = TransactionBuilder.fromXDR(horizon.posted[0] ?? "", passphrase);
    expect(theirs.hash().toString("hex")).toBe(id);
  });

  it("believes no node that names another transaction", async () => {
    const { signed } = await made();
    horizon.verdict = { status: 201, body: { tx_status: "PENDING", hash: "00".repeat(32) } };
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
  });

  const ID = "ab".repeat(32);
  const said = (status: number, body: unknown) =>
    ({ kind: "said", status, body, words: "", ledger: undefined }) as const;
  /** by the SDK, which knows each code by its name */
  const errorOf = (code: string): string => {
    const made = Reflect.get(xdr.TransactionResultCode, code);
    const results = code === "txFailed" ? [] : undefined;
    const result = Reflect.construct(xdr.TransactionResultResult, [made.call(), results]);
    const ext = Reflect.construct(xdr.TransactionResultExt, [0]);
    return new xdr.TransactionResult({ feeCharged: xdr.Int64.fromString("100"), result, ext }).toXDR(
      "base64",
    );
  };
  it.each([
    ["outdated", "txBadSeq"],
    ["outdated", "txTooLate"],
    ["refused", "txTooEarly"],
    ["refused", "txInsufficientFee"],
    ["refused", "txInsufficientBalance"],
    ["refused", "txNoAccount"],
    ["unacceptable", "txBadAuth"],
    ["unacceptable", "txBadAuthExtra"],
    ["refused", "txInternalError"],
    ["refused", "txBadMinSeqAgeOrGap"],
    ["unacceptable", "txMissingOperation"],
    ["unacceptable", "txNotSupported"],
    ["unacceptable", "txBadSponsorship"],
    ["unacceptable", "txMalformed"],
    ["unacceptable", "txSorobanInvalid"],
    ["unacceptable", "txFailed"],
  ])("reads a refusal as %s: %s", (kind, code) => {
    const body = { tx_status: "ERROR", hash: ID, error_result_xdr: errorOf(code) };
    const outcome = stellarOutcome(said(400, body), ID);
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === "refused") expect(outcome.reason).not.toContain("no reason that is known");
  });

  it("names bytes that Horizon itself cannot read", () => {
    const type = "https://stellar.org/horizon-errors/transaction_malformed";
    const outcome = stellarOutcome(said(400, { type, title: "Transaction Malformed" }), ID);
    expect(outcome.kind).toBe("unacceptable");
  });

  it.each([
    [503, { tx_status: "TRY_AGAIN_LATER", hash: ID }],
    [504, { title: "Timeout", status: 504 }],
    [400, { tx_status: "ERROR" }],
    [400, { tx_status: "ERROR", error_result_xdr: "AAAA" }],
    [400, { tx_status: "ERROR", error_result_xdr: "no base64" }],
    [400, { title: "Transaction Malformed" }],
    [201, { tx_status: "HELD" }],
    [201, undefined],
  ])("sends the same bytes again after %i %j", (status, body) => {
    expect(stellarOutcome(said(status, body), ID).kind).toBe("refused");
    expect(stellarOutcome({ kind: "away", cause: "timeout" }, ID).kind).toBe("refused");
  });
});

describe("following on a Stellar node", () => {
  it("has a head that nothing undoes", async () => {
    expect(await answerOf(node.head())).toEqual({
      height: 1_000n,
      hash: stubHorizonHash(1_000),
      confirmedHeight: 1_000n,
      finalHeight: 1_000n,
    });
  });

  it("finds our transactions in a ledger of several pages, those that failed as well, in its order", async () => {
    const hashes = Array.from({ length: 205 }, (_, at) => at.toString(16).padStart(64, "0"));
    const [first = "", last = ""] = [hashes[3], hashes[203]];
    for (const hash of hashes) {
      horizon.landed.push(landed({ id: hash, sequence: 1n }, { succeeded: hash !== last }));
    }
    const ours = new Set([last, first, "ff".repeat(32)]);
    expect(await answerOf(node.block(990n, ours))).toEqual({
      height: 990n,
      hash: stubHorizonHash(990),
      parentHash: stubHorizonHash(989),
      holds: [first, last],
      date: new Date(stubClosedAt(990) * 1_000).toISOString(),
    });
    expect(horizon.asked.filter(({ path }) => path.includes("include_failed=true")).length).toBe(2);
    expect(await node.block(1_001n, ours)).toEqual({ ok: true, value: undefined });
  });

  it("sees a transaction nowhere, waiting while the node just took it, and in its ledger with the fee that it paid", async () => {
    const own = await made();
    const see = () => answerOf(node.sight(own.id));
    expect(await see()).toEqual({ kind: "unknown" });
    await node.broadcast(own.signed);
    expect(await see()).toEqual({ kind: "waiting" });
    nowMs = 15_000;
    expect(await see()).toEqual({ kind: "unknown" });
    horizon.landed.push(landed(own, { fee: 100n }));
    const date = new Date(stubClosedAt(990) * 1_000).toISOString();
    const included = { kind: "included", height: 990n, blockHash: stubHorizonHash(990), isFinal: true, date };
    expect(await see()).toEqual({ ...included, fee: 100n, succeeded: true });
    horizon.ledger = 989;
    expect(await see()).toEqual({ kind: "waiting" });
  });

  it("sees one that failed in its ledger, and one for which somebody else paid", async () => {
    const own = await made();
    horizon.landed.push(landed(own, { succeeded: false }));
    expect(await answerOf(node.sight(own.id))).toMatchObject({
      kind: "included",
      succeeded: false,
      fee: 100n,
    });
    const [bumped] = horizon.landed.splice(0);
    const bumpedBy = { account: STELLAR_RECIPIENT, hash: "0f".repeat(32) };
    if (bumped !== undefined) horizon.landed.push({ ...bumped, fee: 2_000n, bumpedBy });
    expect(await answerOf(node.sight(own.id))).toMatchObject({ kind: "included", fee: 0n });
  });

  it("takes nothing for a hash that is none", () => {
    expect(() => node.sight("../accounts")).toThrow(TypeError);
  });
});

describe("INV-4 whether a transaction is dead", () => {
  const fate = async (...transactions: readonly OwnTransaction[]) => {
    const found = await node.fateOf(STELLAR_SENDER, transactions);
    return found.ok ? found.value.kind : found.problem.code;
  };
  const LAST = 1_060;

  it("is open until a ledger closed after its last time, and dead then if its sequence number is not reached", async () => {
    const own = await made();
    expect(stubClosedAt(LAST)).toBe(Number(own.maxTime));
    expect(await fate(own)).toBe("open");
    horizon.ledger = LAST;
    expect(await fate(own)).toBe("open");
    horizon.ledger = LAST + 1;
    expect(await fate(own)).toBe("dead");
  });

  it("is decided by one answer: the account's state is of a ledger of its own, and that one counts", async () => {
    const own = await made();
    horizon.ledger = LAST + 1;
    horizon.stateLedger = LAST;
    expect(await fate(own)).toBe("open");
    horizon.saysLedger = false;
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("is open when it has taken its sequence number itself, failed or bumped by somebody else too", async () => {
    const own = await made();
    horizon.ledger = LAST + 1;
    horizon.accounts.set(STELLAR_SENDER, { ...account, sequence: 101n });
    const bumpedBy = { account: STELLAR_RECIPIENT, hash: "0f".repeat(32) };
    for (const change of [{}, { succeeded: false }, { bumpedBy }]) {
      horizon.landed.splice(0);
      horizon.landed.push(landed(own, change));
      expect(await fate(own)).toBe("open");
    }
  });

  it("is dead at once when another transaction has taken its sequence number", async () => {
    const own = await made();
    horizon.accounts.set(STELLAR_SENDER, { ...account, sequence: 101n });
    horizon.landed.push(landed({ id: "cd".repeat(32), sequence: own.sequence }));
    expect(await fate(own)).toBe("dead");
  });

  it("is dead when the account went past its sequence number without a transaction of it", async () => {
    const own = await made();
    horizon.accounts.set(STELLAR_SENDER, { ...account, sequence: 500n });
    horizon.landed.push(landed({ id: "aa".repeat(32), sequence: 100n }));
    expect(await fate(own)).toBe("ServiceUnavailable");
    horizon.landed.push(landed({ id: "bb".repeat(32), sequence: 500n }));
    expect(await fate(own)).toBe("dead");
  });

  it("has no verdict when what took the sequence number is not among the account's last transactions", async () => {
    const own = await made();
    horizon.ledger = LAST + 1;
    horizon.accounts.set(STELLAR_SENDER, { ...account, sequence: 300n });
    expect(await fate(own)).toBe("ServiceUnavailable");
    horizon.landed.push(landed({ id: "bb".repeat(32), sequence: 300n }));
    // of another account, which this one only paid for
    horizon.landed.push({
      ...landed({ id: "cc".repeat(32), sequence: 101n }),
      from: STELLAR_RECIPIENT,
      bumpedBy: { account: STELLAR_SENDER, hash: "0e".repeat(32) },
    });
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("is dead after its last time when there is no such account any more", async () => {
    const own = await made();
    horizon.accounts.delete(STELLAR_SENDER);
    expect(await fate(own)).toBe("open");
    horizon.ledger = LAST + 1;
    expect(await fate(own)).toBe("dead");
  });

  it("has no verdict from a node of another chain, whose accounts count otherwise", async () => {
    const own = await made();
    horizon.ledger = LAST + 1;
    horizon.passphrase = "Public Global Stellar Network ; September 2015";
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("is dead only when all of a request's transactions are", async () => {
    const first = await made();
    horizon.ledger = 1_030;
    const second = await made();
    horizon.ledger = LAST + 1;
    expect([await fate(first), await fate(first, second), await fate(second)]).toEqual([
      "dead",
      "open",
      "open",
    ]);
    horizon.ledger = LAST + 31;
    expect(await fate(first, second)).toBe("dead");
    horizon.accounts.set(STELLAR_SENDER, { ...account, sequence: 101n });
    horizon.landed.push(landed(second));
    expect(await fate(first, second)).toBe("open");
  });
});

describe("reading accounts and assets on a Stellar node", () => {
  it("reads amounts to the last digit", async () => {
    horizon.accounts.set(STELLAR_SENDER, {
      ...account,
      balance: 2n ** 63n - 1n,
      trustlines: [{ ...line, balance: 9_007_199_254_740_993n }],
    });
    expect(await answerOf(node.balance(STELLAR_SENDER))).toBe(2n ** 63n - 1n);
    expect(await answerOf(node.tokenBalance(STELLAR_SENDER, STELLAR_TOKEN_SPELT))).toBe(
      9_007_199_254_740_993n,
    );
  });

  it("has nothing in an account that is not there, and tells an asset that nobody issues", async () => {
    horizon.accounts.delete(STELLAR_SENDER);
    expect(await node.balance(STELLAR_SENDER)).toEqual({ ok: true, value: 0n });
    const held = () => node.tokenBalance(STELLAR_SENDER, STELLAR_TOKEN_SPELT);
    expect(await held()).toEqual({ ok: true, value: undefined });
    horizon.accounts.set(STELLAR_TOKEN.issuer, account);
    expect(await held()).toEqual({ ok: true, value: 0n });
  });

  it("describes an asset by its name", async () => {
    expect(await answerOf(node.describeToken(STELLAR_TOKEN_SPELT))).toEqual({
      symbol: "USDC",
      decimals: 7,
      verified: false,
    });
    await expect(node.describeToken("USDC")).rejects.toThrow(TypeError);
    await expect(node.tokenBalance(STELLAR_SENDER, "../USDC:x")).rejects.toThrow(TypeError);
  });

  it("has no tokens that are one of a kind, and one fee for all; the next sequence number is the account's", async () => {
    expect(await node.tokenOwner(STELLAR_TOKEN_SPELT, 1n)).toEqual({ ok: true, value: undefined });
    expect(await codeOf(node.feeLevels())).toBe("PriorityNotSupported");
    expect(await node.nextSequence(STELLAR_SENDER)).toEqual({ ok: true, value: 101n });
    horizon.accounts.delete(STELLAR_SENDER);
    expect(await node.nextSequence(STELLAR_SENDER)).toEqual({ ok: true, value: undefined });
    expect(() => node.balance("../fee_stats")).toThrow(TypeError);
  });
});
