import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { dateBySeconds } from "../../block-date.ts";
import type { AreOurs, Arrival } from "../../chain.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { blockBefore, contentOfSlot } from "./blocks.ts";
import {
  includedSchema,
  lamportChanges,
  type SolanaChange,
  type SolanaIncluded,
  tokenChanges,
} from "./changes.ts";
import { blockTimeField } from "./fields.ts";
import type { SolanaRpc } from "./json-rpc.ts";

const blockSchema = z.object({ blockTime: blockTimeField, transactions: z.array(includedSchema) });

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
 * @returns undefined when the node has nothing of the slot yet
 */
export const solanaArrivals = async (
  rpc: SolanaRpc,
  height: bigint,
  areOurs: AreOurs,
): Promise<Result<readonly Arrival[] | undefined>> => {
  const found = await contentOfSlot(rpc, height, "finalized", "full", blockSchema);
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
