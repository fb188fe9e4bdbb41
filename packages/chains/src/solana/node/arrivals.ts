import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { dateBySeconds } from "../../block-date.ts";
import type { AreOurs, Arrival } from "../../chain.ts";
import { fewAtATime } from "../../few-at-a-time.ts";
import { firstThatFits } from "../../too-large.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { blockBefore, contentOfSlot, type SlotContent } from "./blocks.ts";
import {
  includedSchema,
  lamportChanges,
  type SolanaChange,
  type SolanaIncluded,
  tokenChanges,
} from "./changes.ts";
import { blockTimeField, keyField, signatureField, uint64Field, VERSION_MAX } from "./fields.ts";
import { askSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";

/** A transaction as a block lists it by its accounts, those that it names by lookup tables behind the others. */
const listedSchema = z
  .object({
    transaction: z.object({
      accountKeys: z.array(z.object({ pubkey: keyField })),
      signatures: z.array(signatureField).min(1),
    }),
    meta: includedSchema.shape.meta.omit({ loadedAddresses: true }),
  })
  .transform(
    ({ transaction: { accountKeys, signatures }, meta }): SolanaIncluded => ({
      transaction: { message: { accountKeys: accountKeys.map(({ pubkey }) => pubkey) }, signatures },
      meta,
    }),
  );
const blockSchema = z.object({ blockTime: blockTimeField, transactions: z.array(listedSchema) });
type Block = z.output<typeof blockSchema>;

const idsSchema = z.object({ blockTime: blockTimeField, signatures: z.array(signatureField) });
const singleSchema = includedSchema.extend({ slot: uint64Field });

const transactionOf = async (rpc: SolanaRpc, slot: bigint, id: string): Promise<Result<SolanaIncluded>> => {
  const config = { commitment: "finalized", encoding: "json", maxSupportedTransactionVersion: VERSION_MAX };
  const found = await askSolana(rpc, {
    method: "getTransaction",
    params: [id, config],
    schema: singleSchema,
  });
  if (!found.ok) return found;
  const { value } = found;
  return value?.slot === slot && value.transaction.signatures[0] === id
    ? ok(value)
    : solanaAway(rpc.network, `it does not have the transactions of slot ${slot}`);
};

/** The block of a slot, each of its transactions by itself. */
const blockInPieces = async (rpc: SolanaRpc, slot: bigint): Promise<Result<SlotContent<Block>>> => {
  const listed = await contentOfSlot(rpc, slot, "finalized", "signatures", idsSchema);
  if (!listed.ok) return listed;
  if (listed.value.kind !== "block") return ok(listed.value);
  const { blockTime, signatures } = listed.value.block;
  const read = await fewAtATime(signatures, (id) => transactionOf(rpc, slot, id));
  return read.ok ? ok({ kind: "block", block: { blockTime, transactions: [...read.value] } }) : read;
};

/** Whoever gave as much as the other got, where there is one alone. */
const giverOf = ({ amount }: SolanaChange, changes: readonly SolanaChange[]): string | undefined => {
  const givers = changes.filter((change) => change.amount <= -amount);
  return givers.length === 1 ? givers[0]?.owner : undefined;
};

const nativeArrivals = (included: SolanaIncluded, id: string): readonly Arrival[] => {
  const changes = lamportChanges(included);
  return changes
    .filter(({ amount }) => amount > 0n)
    .map((change) => ({
      txHash: id,
      place: change.address,
      from: giverOf(change, changes),
      moved: { kind: "Native", to: change.address, amount: change.amount.toString() },
    }));
};

const tokenArrivals = (
  included: SolanaIncluded,
  id: string,
): readonly (Arrival & { readonly account: string })[] => {
  const changes = tokenChanges(included);
  return changes
    .filter(({ amount }) => amount > 0n)
    .map((change) => {
      const { kind, mint, address: account, owner: to, amount } = change;
      const from = giverOf(
        change,
        changes.filter((other) => other.mint === mint),
      );
      return {
        txHash: id,
        place: account,
        from,
        account,
        moved: { kind, mint, to, amount: amount.toString() },
      };
    });
};

/**
 * What the block of a slot brought to wallets here, by what its transactions changed: lamports, and tokens in the account that is
 * associated with a wallet. What programs moved inside of them counts as well.
 * @returns undefined when the node has nothing of the slot yet, or not any more
 */
export const solanaArrivals = async (
  rpc: SolanaRpc,
  height: bigint,
  areOurs: AreOurs,
): Promise<Result<readonly Arrival[] | undefined>> => {
  // whole transactions would make the answer several times as long, and nothing here reads calls and logs of programs
  const found = await firstThatFits(
    () => contentOfSlot(rpc, height, "finalized", "accounts", blockSchema),
    () => blockInPieces(rpc, height),
  );
  if (!found.ok) return found;
  if (found.value.kind === "absent") return ok(undefined);
  if (found.value.kind === "skipped") {
    const before = await blockBefore(rpc, height, "finalized");
    if (!before.ok) return before;
    return ok(before.value === undefined ? undefined : []);
  }
  const { blockTime, transactions } = found.value.block;
  const succeeded = transactions.filter(({ meta }) => meta.err === null);
  const lamports = succeeded.flatMap((each) => nativeArrivals(each, each.transaction.signatures[0] ?? ""));
  const tokens = succeeded.flatMap((each) => tokenArrivals(each, each.transaction.signatures[0] ?? ""));
  if (lamports.length + tokens.length === 0) return ok([]);
  const ours = await areOurs([...new Set([...lamports, ...tokens].map(({ moved }) => moved.to))]);
  const own = tokens.filter(
    ({ moved, account }) =>
      ours.has(moved.to) &&
      (moved.kind === "Spl" || moved.kind === "Spl2022") &&
      associatedAccount(moved, moved.to) === account,
  );
  const arrivals: readonly Arrival[] = [
    ...lamports.filter(({ moved }) => ours.has(moved.to)),
    ...own.map(({ account: _, ...arrival }) => arrival),
  ];
  return ok(arrivals.map((arrival) => ({ ...arrival, ...dateBySeconds(blockTime) })));
};
