import { type FamilyContent, networkSchema } from "@conclave/custody";
import { Asset, Keypair, Operation, type xdr } from "@stellar/stellar-sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { processSurroundings } from "../../breaker/node/surroundings.ts";
import type { ChainNode } from "../../chain.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import {
  horizonPage,
  openStellarLedger,
  type ScriptedStellarLedger,
} from "../../testing/ledgers/stellar-ledger.ts";
import {
  LUMEN_TRANSFER,
  SEP41_TRANSFER,
  STELLAR_RECIPIENT,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  STELLAR_TOKEN,
  stellarIntent,
  withStellarSignature,
} from "../../testing/stellar-samples.ts";
import { stellarAddress, stellarContractAddress } from "../rules/address.ts";
import { STELLAR_RULES } from "../rules/rules.ts";
import { stellarNode } from "./node.ts";

let ledger: ScriptedStellarLedger;
let node: ChainNode;
let nowMs: number;
beforeAll(async () => {
  ledger = await openStellarLedger();
});
beforeEach(() => {
  nowMs = 0;
  ledger.node.reset();
  const surroundings = { ...processSurroundings, monotonicMs: () => nowMs };
  node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: ledger.node.url }, surroundings);
});
afterAll(() => ledger.stop());

const { passphrase } = STELLAR_TESTNET;
const network = networkSchema.parse(STELLAR_TESTNET.network);
const { memo: _, ...WITHOUT_MEMO } = LUMEN_TRANSFER;

describe("a recipient", () => {
  const judged = async (content: FamilyContent): Promise<string> => {
    const result = await node.judgeRecipient?.(content);
    return result?.ok === false ? `${result.problem.code} ${result.problem.details["why"]}` : "suitable";
  };
  /** @returns a new account after these operations */
  const accountAfter = async (...operations: readonly xdr.Operation[]): Promise<string> => {
    const account = Keypair.random();
    await ledger.fund(account.publicKey(), 100_000_000);
    await ledger.land(account, ...operations);
    return account.publicKey();
  };
  const another = () => stellarAddress(Keypair.random().rawPublicKey());

  it("is suitable when nothing speaks against it, or when nobody has paid to it", async () => {
    expect(await judged(WITHOUT_MEMO)).toBe("suitable");
    expect(await judged({ ...WITHOUT_MEMO, to: another() })).toBe("suitable");
  });

  it("wants a memo (SEP-29)", async () => {
    const wants = (value: string) =>
      accountAfter(Operation.manageData({ name: "config.memo_required", value }));
    const to = await wants("1");
    expect(await judged({ ...WITHOUT_MEMO, to })).toBe("RecipientUnsuitable memo-required");
    expect(await judged({ ...SEP41_TRANSFER, to })).toBe("RecipientUnsuitable memo-required");
    expect(await judged({ ...LUMEN_TRANSFER, to })).toBe("suitable");
    expect(await judged({ ...WITHOUT_MEMO, to: await wants("0") })).toBe("suitable");
  });

  const signers = (...weights: readonly number[]): readonly xdr.Operation[] =>
    weights.map((weight) => Operation.setOptions({ signer: { ed25519PublicKey: another(), weight } }));
  const own = (masterWeight: number, medThreshold = 0) =>
    Operation.setOptions({ masterWeight, medThreshold });
  it.each<[string, () => readonly xdr.Operation[], boolean]>([
    ["its own key weighs nothing, and there is no other", () => [own(0)], false],
    ["all its keys together weigh too little", () => [...signers(2, 3), own(1, 7)], false],
    ["all its keys together weigh enough", () => [...signers(2, 4), own(1, 7)], true],
    ["another key signs for it", () => [...signers(1), own(0, 1)], true],
    ["its thresholds are above its key", () => [own(1, 2)], false],
  ])("is locked when no signatures reach a payment: %s", async (_words, operations, isSuitable) => {
    const to = await accountAfter(...operations());
    const expected = isSuitable ? "suitable" : "RecipientUnsuitable locked";
    expect(await judged({ ...WITHOUT_MEMO, to })).toBe(expected);
  });

  it("is no contract of an asset: what that holds nothing moves", async () => {
    const { code, issuer } = STELLAR_TOKEN;
    const own = new Asset(code, issuer).contractId(passphrase);
    const lumens = Asset.native().contractId(passphrase);
    expect(await judged({ ...SEP41_TRANSFER, to: own })).toBe("RecipientUnsuitable token-contract");
    expect(await judged({ ...SEP41_TRANSFER, to: lumens })).toBe("RecipientUnsuitable token-contract");
    expect(await judged({ ...WITHOUT_MEMO, to: lumens })).toBe("RecipientUnsuitable token-contract");
    const other = stellarContractAddress(new Uint8Array(32).fill(9));
    expect(await judged({ ...SEP41_TRANSFER, to: other })).toBe("suitable");
  });

  it.each<readonly [string, object | undefined, string]>([
    ["is no contract's address where none is", undefined, "RecipientUnsuitable no-contract"],
    ["is a contract that is there", { result: { entries: [{ xdr: "AAAA" }] } }, "suitable"],
    ["is any contract where the node cannot tell", { error: { code: -32_601, message: "no" } }, "suitable"],
  ])("%s", async (_, says, expected) => {
    const { url: horizonUrl } = ledger.node;
    node = stellarNode({ ...STELLAR_TESTNET, horizonUrl, rpcUrl: `${horizonUrl}/rpc` });
    ledger.node.says("/rpc", () => says && { jsonrpc: "2.0", id: 1, ...says });
    const to = stellarContractAddress(new Uint8Array(32).fill(9));
    expect(await judged({ ...SEP41_TRANSFER, to })).toBe(expected);
    expect(ledger.node.asked.at(-1)).toMatchObject({ method: "POST", path: "/rpc" });
  });

  it("is not judged while the node that knows its contract is away", async () => {
    node = stellarNode({ ...STELLAR_TESTNET, horizonUrl: ledger.node.url, rpcUrl: "http://127.0.0.1:9/rpc" });
    const to = stellarContractAddress(new Uint8Array(32).fill(9));
    expect(await judged({ ...SEP41_TRANSFER, to })).toMatch(/^ServiceUnavailable/);
  });

  it("is not judged while the node is away", async () => {
    ledger.node.spoilt.set("/accounts", { status: 503, text: "" });
    expect(await judged(WITHOUT_MEMO)).toContain("ServiceUnavailable");
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

const made = async () => withStellarSignature(got(await node.build(stellarIntent())).unsigned);

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
  /** @param effects the node's effects of a transaction that has landed @returns its id */
  const landed = async (effects: readonly object[]): Promise<string> => {
    const { signed, txHash } = await made();
    await node.broadcast(signed);
    await ledger.mine();
    ledger.node.spoilt.set(`/transactions/${txHash}/effects`, horizonPage(effects));
    return txHash;
  };
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
    const txHash = await landed(effects);
    const seen = await node.sight(txHash, expected);
    expect(seen.ok && seen.value).toMatchObject({ ...INCLUDED, ...outcome });
    if (!("arrived" in outcome)) expect(seen.ok && seen.value).not.toHaveProperty("arrived");
  });

  it("is not concluded from effects that cannot be read", async () => {
    const txHash = await landed([credit("a lot")]);
    expect(await node.sight(txHash, LUMEN_TRANSFER)).toMatchObject({ ok: false });
  });
});

describe("a node that says that it took a transaction, and forwards nothing", () => {
  it("cannot hold it: past its last time it is dead by closed ledgers alone, however often the node says so", async () => {
    const own = await made();
    const fate = async () => {
      const reported = await node.fateOf(STELLAR_SENDER, [own]);
      return reported.ok ? reported.value.kind : reported.problem.code;
    };
    const taken = JSON.stringify({ tx_status: "PENDING", hash: own.txHash });
    ledger.node.spoilt.set("/transactions_async", { status: 201, text: taken });
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    expect(await node.sight(own.txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    await ledger.closeAt(own.maxTime);
    expect(await fate()).toBe("open");
    await ledger.closeAt(own.maxTime + 1n);
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    expect(await node.sight(own.txHash)).toEqual({ ok: true, value: { kind: "unknown" } });
    expect(await fate()).toBe("dead");
  });
});
