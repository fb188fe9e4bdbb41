import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, Sighting } from "../../chain.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  SOLANA_FINAL,
  solanaEntryAt,
} from "../../testing/ledgers/solana-ledger.ts";
import {
  SOL_TRANSFER,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
  solanaIntent,
  withSolanaSignature,
} from "../../testing/solana-samples.ts";
import type { SolanaTransfer } from "../rules/act.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { solanaNode } from "./node.ts";

/** The balances in a node's record of a transaction. */
interface Balances {
  readonly accountKeys: readonly string[];
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  /** by index of the account among the keys; undefined if the node records none */
  readonly preTokens?: Readonly<Record<number, bigint>>;
  readonly postTokens?: Readonly<Record<number, bigint>>;
}

let ledger: ScriptedSolanaLedger;
let node: ChainNode;
/** a transaction that has landed */
let id: string;
beforeAll(async () => {
  ledger = await openSolanaLedger();
  node = solanaNode(solanaEntryAt(ledger.node.url));
  const { signed, txHash } = withSolanaSignature(got(await node.build(solanaIntent())).unsigned);
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  await ledger.mine(SOLANA_FINAL);
  id = txHash;
});
beforeEach(() => ledger.node.reset());
afterAll(() => ledger.stop());

const tokensOf = (amounts: Readonly<Record<number, bigint>> | undefined) =>
  amounts === undefined
    ? null
    : Object.entries(amounts).map(([place, amount]) => ({
        accountIndex: Number(place),
        mint: SOLANA_MINT,
        uiTokenAmount: { amount: amount.toString() },
      }));

/** The sighting of a transfer for which the node shows these balances. */
const seen = async (
  transfer: SolanaTransfer,
  { accountKeys, preBalances, postBalances, preTokens, postTokens }: Balances,
  options: { readonly err?: unknown; readonly expected?: SolanaTransfer | undefined } = {},
): Promise<Sighting> => {
  const { err } = options;
  const balances = { preBalances, postBalances };
  const tokens = { preTokenBalances: tokensOf(preTokens), postTokenBalances: tokensOf(postTokens) };
  ledger.changes("getTransaction", (found) => {
    const { transaction, meta, ...record } = Object(found);
    return {
      ...record,
      transaction: { ...transaction, message: { ...transaction.message, accountKeys } },
      meta: { ...meta, ...balances, ...tokens, ...(err === undefined ? {} : { err }) },
    };
  });
  const sighting = await node.sight(id, "expected" in options ? options.expected : transfer);
  return sighting.ok ? sighting.value : expect.fail(sighting.problem.message);
};

const native = (grown: bigint): Balances => ({
  accountKeys: [SOLANA_SENDER, SOLANA_RECIPIENT],
  preBalances: [10_000_000_000n, 7n],
  postBalances: [10_000_000_000n - grown - 5_000n, 7n + grown],
});

const token = (
  transfer: Exclude<SolanaTransfer, { kind: "Native" }>,
  pre: Readonly<Record<number, bigint>> | undefined,
  post: Readonly<Record<number, bigint>> | undefined,
): Balances => ({
  accountKeys: [
    SOLANA_SENDER,
    associatedAccount({ kind: transfer.kind, mint: SOLANA_MINT }, transfer.from),
    associatedAccount({ kind: transfer.kind, mint: SOLANA_MINT }, transfer.to),
  ],
  preBalances: [9n, 1n, 1n],
  postBalances: [8n, 1n, 1n],
  ...(pre === undefined ? {} : { preTokens: pre }),
  ...(post === undefined ? {} : { postTokens: post }),
});

const MOVED = { kind: "included", succeeded: true };
const NOTHING = { kind: "included", succeeded: false, movedNothing: true };

describe("K3 a transfer that the chain carried out", () => {
  it("moved lamports when the recipient's balance grew by them", async () => {
    const sighting = await seen(SOL_TRANSFER, native(1_500_000_000n));
    expect(sighting).toMatchObject({ ...MOVED, fee: 5_000n });
    expect("arrived" in sighting || "movedNothing" in sighting).toBe(false);
  });

  it.each<[string, Balances]>([
    ["grew by nothing", native(0n)],
    ["is not among the accounts", { ...native(0n), accountKeys: [SOLANA_SENDER, SOLANA_MINT] }],
  ])("moved nothing when the recipient's balance %s", async (_, balances) => {
    expect(await seen(SOL_TRANSFER, balances)).toMatchObject({
      ...NOTHING,
      fee: 5_000n,
      reason: "no balance of the recipient's has changed",
    });
  });

  it.each([SPL_TRANSFER, SPL_2022_TRANSFER])(
    "moved tokens of the kind $kind when the recipient's account of them grew",
    async (transfer) => {
      const old = token(transfer, { 1: 10_000_000n, 2: 3n }, { 1: 7_500_000n, 2: 2_500_003n });
      expect(await seen(transfer, old)).not.toHaveProperty("arrived");
      const fresh = token(transfer, { 1: 10_000_000n }, { 1: 7_500_000n, 2: 2_500_000n });
      expect(await seen(transfer, fresh)).toMatchObject(MOVED);
      const still = token(transfer, { 1: 10_000_000n, 2: 3n }, { 1: 10_000_000n, 2: 3n });
      expect(await seen(transfer, still)).toMatchObject(NOTHING);
    },
  );

  it("tells what arrived where the token takes a fee of it, down to nothing at all", async () => {
    const taken = (arrived: bigint) =>
      token(SPL_2022_TRANSFER, { 1: 10_000_000n, 2: 0n }, { 1: 7_500_000n, 2: arrived });
    expect(await seen(SPL_2022_TRANSFER, taken(2_475_000n))).toMatchObject({ ...MOVED, arrived: 2_475_000n });
    expect(await seen(SPL_2022_TRANSFER, taken(1n))).toMatchObject({ ...MOVED, arrived: 1n });
    expect(await seen(SPL_2022_TRANSFER, taken(0n))).toMatchObject({ ...MOVED, arrived: 0n });
  });

  it("is believed where the node wrote no tokens down, and where it is of an account to itself", async () => {
    expect(await seen(SPL_TRANSFER, token(SPL_TRANSFER, undefined, undefined))).toMatchObject(MOVED);
    expect(await seen({ ...SOL_TRANSFER, to: SOLANA_SENDER }, native(0n))).toMatchObject(MOVED);
    const own = { ...SPL_TRANSFER, to: SOLANA_SENDER };
    expect(await seen(own, token(own, { 1: 5n }, { 1: 5n }))).toMatchObject(MOVED);
  });

  it("is judged by the chain alone where nothing is expected of it", async () => {
    expect(await seen(SOL_TRANSFER, native(0n), { expected: undefined })).toMatchObject(MOVED);
  });

  it("keeps the chain's own reason when it was undone", async () => {
    const undone = await seen(SOL_TRANSFER, native(0n), { err: "InsufficientFundsForRent" });
    expect(undone).toMatchObject({ kind: "included", succeeded: false, reason: "InsufficientFundsForRent" });
    expect(undone).not.toHaveProperty("movedNothing");
  });
});
