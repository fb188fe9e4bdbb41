import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, Sighting } from "../../chain.ts";
import {
  authorisedSolana,
  SOL_TRANSFER,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
} from "../../testing/solana-samples.ts";
import { StubSolana, type StubSolanaBalances } from "../../testing/stub-solana.ts";
import { SOLANA_FAMILY } from "../family.ts";
import { messageOf } from "../message/message.ts";
import type { SolanaTransfer } from "../rules/act.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { solanaNode } from "./node.ts";

let stub: StubSolana;
let node: ChainNode;
beforeEach(async () => {
  stub = await StubSolana.start();
  node = solanaNode({ ...SOLANA_DEVNET, solanaUrl: stub.url });
  stub.accounts.set(SOLANA_SENDER, { lamports: 10_000_000_000n });
});
afterEach(() => stub.stop());

/** The view of a transfer that landed with these balances. */
const seen = async (
  transfer: SolanaTransfer,
  balances: StubSolanaBalances,
  options: { readonly err?: unknown; readonly expected?: SolanaTransfer | undefined } = {},
): Promise<Sighting> => {
  const act = authorisedSolana(SOL_TRANSFER);
  const intent = {
    sender: SOLANA_SENDER,
    keys: [SOLANA_KEY.publicKey],
    act,
    priority: undefined,
    sequencing: { kind: "next", lowest: 0n },
  } as const;
  const built = await node.build(intent);
  const { unsigned } = built.ok ? built.value : expect.fail(built.problem.message);
  const attached = SOLANA_FAMILY.attach(
    unsigned,
    [SOLANA_KEY.sign(messageOf(unsigned))],
    [SOLANA_KEY.publicKey],
  );
  const { signed, txHash } = attached.ok ? attached.value : expect.fail(attached.problem.message);
  const { err } = options;
  stub.landings.length = 0;
  stub.landings.push({ slot: 4_960n, of: SOLANA_SENDER, transaction: signed, err, balances });
  const sighting = await node.sight(txHash, "expected" in options ? options.expected : transfer);
  return sighting.ok ? sighting.value : expect.fail(sighting.problem.message);
};

const native = (grown: bigint): StubSolanaBalances => ({
  accountKeys: [SOLANA_SENDER, SOLANA_RECIPIENT],
  preBalances: [10_000_000_000n, 7n],
  postBalances: [10_000_000_000n - grown - 5_000n, 7n + grown],
});

const token = (
  transfer: Exclude<SolanaTransfer, { kind: "Native" }>,
  pre: Readonly<Record<number, bigint>> | undefined,
  post: Readonly<Record<number, bigint>> | undefined,
): StubSolanaBalances => ({
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

  it.each<[string, StubSolanaBalances]>([
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
