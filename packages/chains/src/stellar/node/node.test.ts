import { base64 } from "@scure/base";
import { Operation, TransactionBuilder, xdr } from "@stellar/stellar-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { processSurroundings } from "../../breaker/node/surroundings.ts";
import type { ChainNode, OwnTransaction, TransactionIntent } from "../../chain.ts";
import { testEdwardsKey } from "../../testing/account.ts";
import { answerOf, codeOf } from "../../testing/answers.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import {
  horizonPage,
  issueStellarAsset,
  openStellarLedger,
  type ScriptedStellarLedger,
  STELLAR_KEYPAIRS,
} from "../../testing/ledgers/stellar-ledger.ts";
import type { Json } from "../../testing/scripted-node.ts";
import {
  authorisedStellar,
  authorisedStellarBytes,
  SEP41_TRANSFER,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_SEQUENCE,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  STELLAR_TOKEN_SPELT,
  stellarBytes,
  stellarIntent,
  withStellarSignature,
} from "../../testing/stellar-samples.ts";
import { stellarAddress, stellarContractAddress } from "../rules/address.ts";
import { assetContractOf } from "../soroban/asset-contract.ts";
import { decodeStellar, stellarId } from "../transaction.ts";
import { stellarOutcome } from "./broadcast.ts";
import { stellarNode } from "./node.ts";

const { passphrase } = STELLAR_TESTNET;
const OF_SENDER = `/accounts/${STELLAR_SENDER}`;
const OF_RECIPIENT = `/accounts/${STELLAR_RECIPIENT}`;
/** an account that does not exist */
const NOBODY = stellarAddress(testEdwardsKey("0f".repeat(32)).publicKey);
/** another account that does not exist */
const FRESH = stellarAddress(testEdwardsKey("1f".repeat(32)).publicKey);

let ledger: ScriptedStellarLedger;
let node: ChainNode;
let nowMs: number;
beforeEach(async () => {
  ledger = await openStellarLedger();
  nowMs = 0;
  const surroundings = { ...processSurroundings, monotonicMs: () => nowMs };
  node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: `${ledger.node.url}/` }, surroundings);
});
afterEach(() => ledger.stop());

/** Builds and signs a transaction. */
const made = async (act?: TransactionIntent["act"]) =>
  withStellarSignature(got(await node.build(stellarIntent(act))).unsigned);
const land = async (own: OwnTransaction): Promise<void> => {
  expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
  await ledger.mine();
};
const isOfAnotherChain = (): void =>
  ledger.shows("/", (root) => ({
    ...root,
    network_passphrase: "Public Global Stellar Network ; September 2015",
  }));
const balancesOf = ({ balances }: Json): readonly Json[] => [...Object(balances)];
const isAsset = ({ asset_code }: Json): boolean => asset_code === STELLAR_TOKEN.code;

describe("building on a Stellar node", () => {
  it("looks at the chain as it is at this moment", async () => {
    await ledger.mine(200);
    const { closedAt } = await ledger.last();
    ledger.shows("/fee_stats", (stats) => ({
      ...stats,
      fee_charged: { ...Object(stats["fee_charged"]), p90: "700" },
    }));
    ledger.shows(OF_SENDER, (account) => ({ ...account, sequence: (2n ** 58n).toString() }));
    const { unsigned } = await made();
    const decoded = decodeStellar(unsigned);
    expect(decoded.ok && decoded.value).toMatchObject({
      sequence: 2n ** 58n + 1n,
      fee: 700n,
      maxTime: BigInt(closedAt) + 300n,
    });
  });

  it("asks for the chain, the last ledger, the fees and both accounts, each once", async () => {
    await made();
    expect([...ledger.paths()].sort()).toEqual(
      ["/", "/ledgers?order=desc&limit=1", "/fee_stats", OF_SENDER, OF_RECIPIENT].sort(),
    );
  });

  it("reads reserves, trustlines, signers and what recipients want", async () => {
    const { sender } = STELLAR_KEYPAIRS;
    const why = async (change: object = {}) => {
      const built = await node.build(stellarIntent(authorisedStellar({ ...SEP41_TRANSFER, ...change })));
      return built.ok ? "ok" : built.problem.message;
    };
    await issueStellarAsset(ledger);
    expect(await why()).toBe("ok");
    ledger.shows(OF_RECIPIENT, (account) => ({
      ...account,
      balances: balancesOf(account).map((line) => (isAsset(line) ? { ...line, is_authorized: false } : line)),
    }));
    expect(await why()).toContain("does not let the recipient hold it");
    ledger.node.reset();
    expect(await why({ to: NOBODY })).toContain("the recipient's account does not exist");
    await ledger.fund(NOBODY, 50_000_000);
    expect(await why({ to: NOBODY })).toContain("the recipient has no trustline for USDC");
    // the reserves of a trustline and of the account itself, and one stroop less than the fee
    const lumens = async () => (await answerOf(node.balance(STELLAR_SENDER))) ?? 0n;
    const left = 15_000_000n + 100n - 1n;
    const amount = (await lumens()) - 100n - left;
    const rest = `${amount / 10_000_000n}.${(amount % 10_000_000n).toString().padStart(7, "0")}`;
    await ledger.land(sender, Operation.createAccount({ destination: FRESH, startingBalance: rest }));
    expect(await lumens()).toBe(left);
    expect(await why()).toContain("insufficient funds");
    await ledger.fund(STELLAR_SENDER, 50_000_000);
    await ledger.land(sender, Operation.setOptions({ medThreshold: 2 }));
    expect(await why()).toContain("handed to others");
  });

  it("refuses a caller's own bytes that are on their way or in a ledger already", async () => {
    const maxTime = BigInt((await ledger.last()).closedAt) + 200n;
    const bytes = Buffer.from(stellarBytes({ maxTime }).slice(2), "hex");
    const act = authorisedStellarBytes(bytes);
    const own = await made(act);
    expect(own.txHash).toBe(stellarId(passphrase, bytes));
    await node.broadcast(own.signed);
    expect(await codeOf(node.build(stellarIntent(act)))).toBe("TransactionInvalid");
    nowMs = 20_000;
    expect(await codeOf(node.build(stellarIntent(act)))).toBe("ok");
    await ledger.mine();
    expect(await codeOf(node.build(stellarIntent(act)))).toBe("TransactionInvalid");
  });

  it("waits while the node is of another chain, or an earlier transaction may land", async () => {
    expect(await codeOf(node.build(stellarIntent(undefined, STELLAR_SEQUENCE + 2n)))).toBe(
      "ServiceUnavailable",
    );
    isOfAnotherChain();
    expect(await codeOf(node.build(stellarIntent()))).toBe("ServiceUnavailable");
  });
});

describe("building a transfer to a contract", () => {
  const CONTRACT = stellarContractAddress(new Uint8Array(32).fill(5));
  const act = authorisedStellar({ ...SEP41_TRANSFER, to: CONTRACT });
  const contract = assetContractOf(passphrase, STELLAR_TOKEN);
  beforeEach(() => issueStellarAsset(ledger));

  const build = async (change: object = { rpcUrl: `${ledger.node.url}/rpc` }, asked = act) => {
    const called = stellarNode({ ...STELLAR_TESTNET, horizonUrl: ledger.node.url, ...change });
    const built = await called.build(stellarIntent(asked));
    return built.ok ? built.value : built.problem;
  };
  /** Changes the result of a simulation. */
  const simulates = (change: (result: Json) => object): void =>
    ledger.shows("/rpc", (body) => ({ ...body, result: change(Object(body["result"])) }));

  it("simulates the call, and adds what it takes to the fee", async () => {
    let transactionData = "";
    simulates((result) => {
      transactionData = String(result["transactionData"]);
      return result;
    });
    const built = await build();
    if (!("unsigned" in built)) expect.fail(built.message);
    // parsed by Stellar's own library
    const taken = xdr.SorobanTransactionData.fromXDR(transactionData, "base64").resourceFee().toBigInt();
    const decoded = decodeStellar(built.unsigned);
    expect(decoded.ok && decoded.value).toMatchObject({
      fee: taken + 100n,
      sequence: STELLAR_SEQUENCE + 2n,
      operation: { contract, from: STELLAR_SENDER, to: CONTRACT, amount: 25_000_000n },
    });
    const envelope = xdr.TransactionEnvelope.fromXDR(Buffer.from(built.unsigned));
    expect(envelope.v1().tx().ext().sorobanData().toXDR("base64")).toBe(transactionData);
    expect(ledger.paths().some((path) => path.includes(CONTRACT))).toBe(false);
  });

  it("K1 lets the node try the very call that is signed", async () => {
    const built = await build();
    if (!("unsigned" in built)) expect.fail(built.message);
    const { body = new Uint8Array() } = ledger.node.asked.findLast(({ path }) => path === "/rpc") ?? {};
    const asked = z
      .object({ method: z.literal("simulateTransaction"), params: z.object({ transaction: z.string() }) })
      .parse(JSON.parse(Buffer.from(body).toString()));
    // parsed by Stellar's own library: resources and their fee are those of the simulation
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
    simulates(() => ({ error: "HostError: Error(Contract, #10) balance is not sufficient" }));
    expect(await build()).toMatchObject({
      code: "ExecutionReverted",
      message: expect.stringContaining("balance is not sufficient"),
    });
    ledger.node.reset();
    const rpcUrl = `${ledger.node.url}/rpc`;
    expect(await build({ rpcUrl, feeCap: "101" })).toMatchObject({ code: "FeeAboveCap" });
    simulates((result) => ({ ...result, restorePreamble: { minResourceFee: "5" } }));
    expect(await build()).toMatchObject({
      code: "ExecutionReverted",
      message: expect.stringContaining("archived"),
    });
  });

  it("waits while the simulation says nothing that is a transfer's", async () => {
    const dataOf = (change: (data: Buffer) => Buffer) => (result: Json) => ({
      transactionData: change(Buffer.from(String(result["transactionData"]), "base64")).toString("base64"),
    });
    for (const change of [
      () => ({}),
      () => ({ transactionData: "no base64" }),
      dataOf((data) => Buffer.concat([data, Uint8Array.of(0)])),
      dataOf((data) => data.subarray(4)),
    ]) {
      ledger.node.reset();
      simulates(change);
      expect(await build()).toMatchObject({ code: "ServiceUnavailable" });
    }
    ledger.node.reset();
    for (const said of [{ jsonrpc: "2.0", id: 1 }, { error: { code: -32_603, message: "internal" } }]) {
      ledger.node.says("/rpc", () => said);
      expect(await build()).toMatchObject({ code: "ServiceUnavailable" });
    }
    ledger.node.spoilt.set("/rpc", { status: 502, text: "<html>" });
    expect(await build()).toMatchObject({ code: "ServiceUnavailable" });
  });
});

describe("broadcasting on a Stellar node", () => {
  it("hands over the very bytes, as often as it is asked", async () => {
    const { signed, txHash } = await made();
    // first PENDING, then DUPLICATE
    for (let times = 0; times < 2; times += 1) {
      expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    }
    expect(ledger.posted()).toEqual([base64.encode(signed), base64.encode(signed)]);
    expect(ledger.node.asked.at(-1)).toMatchObject({ method: "POST", path: "/transactions_async" });
    const theirs = TransactionBuilder.fromXDR(ledger.posted()[0] ?? "", passphrase);
    expect(theirs.hash().toString("hex")).toBe(txHash);
  });

  it("believes no node that names another transaction", async () => {
    const { signed } = await made();
    ledger.shows("/transactions_async", (body) => ({ ...body, hash: "00".repeat(32) }));
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
  });

  const ID = "ab".repeat(32);
  const said = (status: number, body: unknown) =>
    ({ kind: "said", status, body, words: "", ledger: undefined }) as const;
  /** made by the SDK, which knows each code by its name */
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
    const { sequence, hash } = await ledger.last();
    const height = BigInt(sequence);
    expect(await answerOf(node.head())).toEqual({
      height,
      hash,
      confirmedHeight: height,
      finalHeight: height,
    });
  });

  it("finds our transactions in a ledger of several pages, those that failed as well, in its order", async () => {
    const before = await ledger.last();
    await ledger.mine();
    const { sequence, hash, closedAt } = await ledger.last();
    const records = Array.from({ length: 205 }, (_, at) => ({
      hash: at.toString(16).padStart(64, "0"),
      paging_token: String(at + 1),
    }));
    ledger.lists(`/ledgers/${sequence}/transactions`, records);
    const [first = "", last = ""] = [records[3]?.hash, records[203]?.hash];
    const ours = new Set([last, first, "ff".repeat(32)]);
    expect(await answerOf(node.block(BigInt(sequence), ours))).toEqual({
      height: BigInt(sequence),
      hash,
      parentHash: before.hash,
      holds: [first, last],
      date: new Date(closedAt * 1_000).toISOString(),
    });
    expect(ledger.paths().filter((path) => path.includes("include_failed=true")).length).toBe(2);
    expect(await node.block(BigInt(sequence) + 1n, ours)).toEqual({ ok: true, value: undefined });
  });

  it("sees a transaction nowhere, waiting while the node just took it, and in its ledger with the fee that it paid", async () => {
    const own = await made();
    const see = () => answerOf(node.sight(own.txHash));
    expect(await see()).toEqual({ kind: "unknown" });
    await node.broadcast(own.signed);
    expect(await see()).toEqual({ kind: "waiting" });
    nowMs = 15_000;
    expect(await see()).toEqual({ kind: "unknown" });
    await ledger.mine();
    const { sequence, hash: blockHash, closedAt } = await ledger.last();
    const date = new Date(closedAt * 1_000).toISOString();
    const included = { kind: "included", height: BigInt(sequence), blockHash, isFinal: true, date };
    expect(await see()).toEqual({ ...included, fee: 100n, succeeded: true });
    // the node that answers about the ledger lags behind the other one
    ledger.node.spoilt.set("/ledgers/", { status: 404, text: "{}" });
    expect(await see()).toEqual({ kind: "waiting" });
  });

  it("sees one that failed in its ledger, and one for which somebody else paid", async () => {
    const own = await made();
    await land(own);
    const path = `/transactions/${own.txHash}`;
    ledger.shows(path, (record) => ({ ...record, successful: false }));
    expect(await answerOf(node.sight(own.txHash))).toMatchObject({
      kind: "included",
      succeeded: false,
      fee: 100n,
    });
    ledger.node.reset();
    ledger.shows(path, (record) => ({
      ...record,
      hash: "0f".repeat(32),
      fee_account: STELLAR_RECIPIENT,
      fee_charged: "2000",
      inner_transaction: { hash: own.txHash },
    }));
    expect(await answerOf(node.sight(own.txHash))).toMatchObject({ kind: "included", fee: 0n });
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
  const stands = (sequence: bigint): void =>
    ledger.shows(OF_SENDER, (account) => ({ ...account, sequence: sequence.toString() }));
  /** Makes the node list these as the account's last transactions, by sequence number; of another account if one is given. */
  const lists = (...taken: readonly (readonly [sequence: bigint, source?: string])[]): void => {
    const records = taken.map(([sequence, source_account = STELLAR_SENDER], at) => ({
      hash: at.toString(16).padStart(64, "c"),
      source_account,
      source_account_sequence: sequence.toString(),
    }));
    ledger.node.spoilt.set(`${OF_SENDER}/transactions`, horizonPage(records));
  };

  it("is open until a ledger closed after its last time, and dead then if its sequence number is not reached", async () => {
    const own = await made();
    expect(await fate(own)).toBe("open");
    await ledger.closeAt(own.maxTime);
    expect(await fate(own)).toBe("open");
    await ledger.closeAt(own.maxTime + 1n);
    expect(await fate(own)).toBe("dead");
  });

  it("is decided by one answer: the account's state is of a ledger of its own, and that one counts", async () => {
    const own = await made();
    await ledger.closeAt(own.maxTime);
    ledger.answersAsOf((await ledger.last()).sequence);
    await ledger.mine();
    expect(await fate(own)).toBe("open");
    ledger.answersAsOf(undefined);
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("is open when it has taken its sequence number itself, failed or bumped by somebody else too", async () => {
    const own = await made();
    await land(own);
    await ledger.closeAt(own.maxTime + 1n);
    const bumped = { hash: "0f".repeat(32), inner_transaction: { hash: own.txHash } };
    for (const change of [{}, { successful: false }, { ...bumped, fee_account: STELLAR_RECIPIENT }]) {
      ledger.node.reset();
      ledger.shows(`${OF_SENDER}/transactions`, ({ _embedded }) => ({
        _embedded: {
          records: [...Object(_embedded).records].map((record: Json) => ({ ...record, ...change })),
        },
      }));
      expect(await fate(own)).toBe("open");
    }
  });

  it("is dead at once when another transaction has taken its sequence number", async () => {
    const own = await made();
    await ledger.land(STELLAR_KEYPAIRS.sender, Operation.manageData({ name: "another", value: "1" }));
    expect(await fate(own)).toBe("dead");
  });

  it("is dead when the account went past its sequence number without a transaction of it", async () => {
    const own = await made();
    stands(own.sequence + 400n);
    lists([own.sequence - 1n]);
    expect(await fate(own)).toBe("ServiceUnavailable");
    lists([own.sequence + 400n], [own.sequence - 1n]);
    expect(await fate(own)).toBe("dead");
  });

  it("has no verdict when what took the sequence number is not among the account's last transactions", async () => {
    const own = await made();
    await ledger.closeAt(own.maxTime + 1n);
    stands(own.sequence + 200n);
    expect(await fate(own)).toBe("ServiceUnavailable");
    // the second one is of another account, for which this one only paid the fee
    lists([own.sequence + 200n], [own.sequence, STELLAR_RECIPIENT]);
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("is dead after its last time when there is no such account any more", async () => {
    const own = await made();
    await ledger.land(STELLAR_KEYPAIRS.sender, Operation.accountMerge({ destination: STELLAR_RECIPIENT }));
    expect(await fate(own)).toBe("open");
    await ledger.closeAt(own.maxTime + 1n);
    expect(await fate(own)).toBe("dead");
  });

  it("has no verdict from a node of another chain, whose accounts count otherwise", async () => {
    const own = await made();
    await ledger.closeAt(own.maxTime + 1n);
    isOfAnotherChain();
    expect(await fate(own)).toBe("ServiceUnavailable");
  });

  it("is dead only when all of a request's transactions are", async () => {
    const pair = async () => {
      const first = await made();
      await ledger.closeAt(first.maxTime - 150n);
      return { first, second: await made() };
    };
    const { first, second } = await pair();
    await ledger.closeAt(first.maxTime + 1n);
    expect([await fate(first), await fate(first, second), await fate(second)]).toEqual([
      "dead",
      "open",
      "open",
    ]);
    await ledger.closeAt(second.maxTime + 1n);
    expect(await fate(first, second)).toBe("dead");
    const later = await pair();
    await land(later.second);
    await ledger.closeAt(later.second.maxTime + 1n);
    expect(await fate(later.first, later.second)).toBe("open");
  });
});

describe("reading accounts and assets on a Stellar node", () => {
  it("reads amounts to the last digit", async () => {
    await issueStellarAsset(ledger);
    ledger.shows(OF_SENDER, (account) => ({
      ...account,
      balances: balancesOf(account).map((line) => ({
        ...line,
        balance: isAsset(line) ? "900719925.4740993" : "922337203685.4775807",
      })),
    }));
    expect(await answerOf(node.balance(STELLAR_SENDER))).toBe(2n ** 63n - 1n);
    expect(await answerOf(node.tokenBalance(STELLAR_SENDER, STELLAR_TOKEN_SPELT))).toBe(
      9_007_199_254_740_993n,
    );
  });

  it("has nothing in an account that is not there, and tells an asset that nobody issues", async () => {
    expect(await node.balance(NOBODY)).toEqual({ ok: true, value: 0n });
    const unissued = `USDC:${FRESH}`;
    expect(await node.tokenBalance(NOBODY, unissued)).toEqual({ ok: true, value: undefined });
    expect(await node.tokenBalance(NOBODY, STELLAR_TOKEN_SPELT)).toEqual({ ok: true, value: 0n });
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
    expect(await node.nextSequence(STELLAR_SENDER)).toEqual({ ok: true, value: STELLAR_SEQUENCE + 1n });
    expect(await node.nextSequence(NOBODY)).toEqual({ ok: true, value: undefined });
    expect(() => node.balance("../fee_stats")).toThrow(TypeError);
  });
});
