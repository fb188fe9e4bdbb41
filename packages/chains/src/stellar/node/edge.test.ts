import { type FamilyContent, networkSchema } from "@conclave/custody";
import { Asset } from "@stellar/stellar-sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  authorisedStellar,
  LUMEN_TRANSFER,
  SEP41_TRANSFER,
  STELLAR_KEY,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
} from "../../testing/stellar-samples.ts";
import { StubHorizon, type StubStellarAccount, stubClosedAt } from "../../testing/stub-horizon.ts";
import { STELLAR_FAMILY } from "../family.ts";
import { stellarContractAddress } from "../rules/address.ts";
import { STELLAR_RULES } from "../rules/rules.ts";
import { decodeStellar, stellarHash } from "../transaction.ts";
import { stellarNode } from "./node.ts";
import { SubmittedMemory } from "./submitted-memory.ts";

let horizon: StubHorizon;
let node: ChainNode;
let nowMs: number;
beforeEach(async () => {
  nowMs = 0;
  horizon = await StubHorizon.start();
  node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: horizon.url }, new SubmittedMemory(() => nowMs));
  horizon.accounts.set(STELLAR_SENDER, { sequence: 100n, balance: 100_000_000n });
  horizon.accounts.set(STELLAR_RECIPIENT, { sequence: 7n, balance: 50_000_000n });
});
afterEach(() => horizon.stop());

const { passphrase } = STELLAR_TESTNET;
const network = networkSchema.parse(STELLAR_TESTNET.network);
const { memo: _, ...WITHOUT_MEMO } = LUMEN_TRANSFER;

describe("a recipient", () => {
  const judged = async (
    account: Partial<StubStellarAccount> | undefined,
    content: FamilyContent = WITHOUT_MEMO,
  ): Promise<string> => {
    if (account === undefined) horizon.accounts.delete(STELLAR_RECIPIENT);
    else horizon.accounts.set(STELLAR_RECIPIENT, { sequence: 7n, balance: 5n, ...account });
    const result = await node.judgeRecipient?.(content);
    return result?.ok === false ? `${result.problem.code} ${result.problem.details["why"]}` : "suitable";
  };

  it("is suitable when nothing speaks against it, or when nobody has paid to it", async () => {
    expect(await judged({})).toBe("suitable");
    expect(await judged(undefined)).toBe("suitable");
  });

  it("wants a memo (SEP-29)", async () => {
    const data = { "config.memo_required": "MQ==" };
    expect(await judged({ data })).toBe("RecipientUnsuitable memo-required");
    expect(await judged({ data }, SEP41_TRANSFER)).toBe("RecipientUnsuitable memo-required");
    expect(await judged({ data }, LUMEN_TRANSFER)).toBe("suitable");
    expect(await judged({ data: { "config.memo_required": "MA==" } })).toBe("suitable");
  });

  it.each([
    ["its own key weighs nothing, and there is no other", { weight: 0 }, false],
    ["all its keys together weigh too little", { weight: 1, others: [2, 3], threshold: 7 }, false],
    ["all its keys together weigh enough", { weight: 1, others: [2, 4], threshold: 7 }, true],
    ["another key signs for it", { weight: 0, others: [1], threshold: 1 }, true],
    ["its thresholds are above its key", { weight: 1, threshold: 2 }, false],
  ])("is locked when no signatures reach a payment: %s", async (_words, account, isSuitable) => {
    expect(await judged(account)).toBe(isSuitable ? "suitable" : "RecipientUnsuitable locked");
  });

  it("is no contract of an asset: what that holds nothing moves", async () => {
    const { code, issuer } = STELLAR_TOKEN;
    const own = new Asset(code, issuer).contractId(passphrase);
    const lumens = Asset.native().contractId(passphrase);
    expect(await judged({}, { ...SEP41_TRANSFER, to: own })).toBe("RecipientUnsuitable token-contract");
    expect(await judged({}, { ...SEP41_TRANSFER, to: lumens })).toBe("RecipientUnsuitable token-contract");
    expect(await judged({}, { ...WITHOUT_MEMO, to: lumens })).toBe("RecipientUnsuitable token-contract");
    const other = stellarContractAddress(new Uint8Array(32).fill(9));
    expect(await judged({}, { ...SEP41_TRANSFER, to: other })).toBe("suitable");
  });

  it.each<readonly [string, object, string]>([
    [
      "is no contract's address where none is",
      { result: { entries: [] } },
      "RecipientUnsuitable no-contract",
    ],
    ["is a contract that is there", { result: { entries: [{ xdr: "AAAA" }] } }, "suitable"],
    ["is any contract where the node cannot tell", { error: { code: -32_601, message: "no" } }, "suitable"],
  ])("%s", async (_, says, expected) => {
    node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: horizon.url, rpcUrl: `${horizon.url}/rpc` });
    horizon.simulation = says;
    const to = stellarContractAddress(new Uint8Array(32).fill(9));
    expect(await judged({}, { ...SEP41_TRANSFER, to })).toBe(expected);
    expect(horizon.asked.at(-1)).toEqual({ method: "POST", path: "/rpc" });
  });

  it("is not judged while the node that knows its contract is away", async () => {
    node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: horizon.url, rpcUrl: "http://127.0.0.1:9/rpc" });
    const to = stellarContractAddress(new Uint8Array(32).fill(9));
    expect(await judged({}, { ...SEP41_TRANSFER, to })).toMatch(/^ServiceUnavailable/);
  });

  it("is not judged while the node is away", async () => {
    horizon.spoilt.set("/accounts", { status: 503, text: "" });
    expect(await judged({})).toContain("ServiceUnavailable");
  });

  it("that issues the asset unmakes it, which is known without a node", () => {
    const burnt = STELLAR_RULES.judgeRecipient?.(network, { ...SEP41_TRANSFER, to: STELLAR_TOKEN.issuer });
    expect(burnt?.ok === false && [burnt.problem.code, burnt.problem.details["why"]]).toEqual([
      "RecipientUnsuitable",
      "issuer",
    ]);
    expect(STELLAR_RULES.judgeRecipient?.(network, SEP41_TRANSFER)?.ok).toBe(true);
    expect(STELLAR_RULES.judgeRecipient?.(network, { ...LUMEN_TRANSFER, to: STELLAR_TOKEN.issuer })?.ok).toBe(
      true,
    );
  });
});

const made = async () => {
  const built = await node.build({
    sender: STELLAR_SENDER,
    keys: [STELLAR_KEY.publicKey],
    act: authorisedStellar(LUMEN_TRANSFER),
    priority: undefined,
    sequencing: { kind: "next", lowest: 0n },
  });
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const signature = STELLAR_KEY.sign(stellarHash(passphrase, unsigned));
  const attached = STELLAR_FAMILY.attach(unsigned, [signature], [STELLAR_KEY.publicKey], STELLAR_TESTNET);
  const decoded = decodeStellar(unsigned);
  if (!attached.ok || !decoded.ok) expect.fail("it is not signed");
  return { unsigned, ...attached.value, ...decoded.value };
};

describe("the amount that a transfer moved", () => {
  const credit = (amount: string, change: object = {}) => ({
    type: "account_credited",
    account: STELLAR_RECIPIENT,
    asset_type: "native",
    amount,
    paging_token: "1-1",
    ...change,
  });
  const usdc = { asset_type: "credit_alphanum4", asset_code: "USDC", asset_issuer: STELLAR_TOKEN.issuer };
  const contract = stellarContractAddress(new Uint8Array(32).fill(9));
  const INCLUDED = { kind: "included", isFinal: true, fee: 100n };

  it.each<readonly [string, FamilyContent | undefined, readonly object[], object]>([
    ["all of it", LUMEN_TRANSFER, [credit("1.5000000")], { succeeded: true }],
    [
      "the first lumens of an account",
      LUMEN_TRANSFER,
      [
        {
          type: "account_created",
          account: STELLAR_RECIPIENT,
          starting_balance: "1.5000000",
          paging_token: "1",
        },
      ],
      { succeeded: true },
    ],
    ["less", LUMEN_TRANSFER, [credit("1.4999999")], { succeeded: true, arrived: 14_999_999n }],
    ["an asset", SEP41_TRANSFER, [credit("2.5000000", usdc)], { succeeded: true }],
    [
      "an asset of another issuer",
      SEP41_TRANSFER,
      [credit("2.5000000", { ...usdc, asset_issuer: STELLAR_SENDER })],
      { succeeded: false, movedNothing: true },
    ],
    [
      "lumens in the place of an asset",
      SEP41_TRANSFER,
      [credit("2.5000000")],
      { succeeded: false, movedNothing: true },
    ],
    [
      "something for another account",
      LUMEN_TRANSFER,
      [credit("1.5000000", { account: STELLAR_SENDER })],
      { succeeded: false, movedNothing: true },
    ],
    [
      "something for a contract",
      { ...SEP41_TRANSFER, to: contract },
      [credit("2.5000000", { ...usdc, type: "contract_credited", account: STELLAR_SENDER, contract })],
      { succeeded: true },
    ],
    [
      "a contract's, of which the node tells nothing",
      { ...SEP41_TRANSFER, to: contract },
      [credit("0.0000001", { account: STELLAR_SENDER })],
      { succeeded: true },
    ],
    ["what a node without effects does not tell", LUMEN_TRANSFER, [], { succeeded: true }],
    ["nothing that anybody expects", undefined, [credit("0.0000001")], { succeeded: true }],
  ])("is what its effects say: %s", async (_words, expected, effects, outcome) => {
    const own = await made();
    const landed = { hash: own.txHash, ledger: 990, from: STELLAR_SENDER, sequence: own.sequence, effects };
    horizon.landed.push(landed);
    const seen = await node.sight(own.txHash, expected);
    expect(seen.ok && seen.value).toMatchObject({ ...INCLUDED, ...outcome });
    if (!("arrived" in outcome)) expect(seen.ok && seen.value).not.toHaveProperty("arrived");
  });

  it("is not concluded from effects that cannot be read", async () => {
    const own = await made();
    const landed = { hash: own.txHash, ledger: 990, from: STELLAR_SENDER, sequence: own.sequence };
    horizon.landed.push({ ...landed, effects: [credit("a lot")] });
    expect(await node.sight(own.txHash, LUMEN_TRANSFER)).toMatchObject({ ok: false });
  });
});

describe("a node that says that it took a transaction, and forwards nothing", () => {
  it("cannot hold it: past its last time it is dead by closed ledgers alone, however often the node says so", async () => {
    const own = await made();
    const fate = async () => {
      const reported = await node.fateOf(STELLAR_SENDER, [own]);
      return reported.ok ? reported.value.kind : reported.problem.code;
    };
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    expect(await node.sight(own.txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    const last = 1_060;
    expect(stubClosedAt(last)).toBe(Number(own.maxTime));
    horizon.ledger = last;
    expect(await fate()).toBe("open");
    horizon.ledger = last + 1;
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    expect(await node.sight(own.txHash)).toEqual({ ok: true, value: { kind: "unknown" } });
    expect(await fate()).toBe("dead");
  });
});
