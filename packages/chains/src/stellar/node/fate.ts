import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { Fate, OwnTransaction } from "../../chain.ts";
import type { StellarNetwork } from "../network.ts";
import { decodeStellar, type StellarDraft, stellarId } from "../transaction.ts";
import { stellarAccountAt } from "./accounts.ts";
import { ledgerAt } from "./ledgers.ts";
import { passphraseOf } from "./look-around.ts";
import { demandStellar, type StellarRest } from "./rest.ts";

const OPEN: Fate = { kind: "open" };
/** Transactions of the account that are checked; the one that took a sequence number is among the last ones. */
const RECENT = 200;

interface Known extends Pick<StellarDraft, "from" | "sequence" | "maxTime"> {
  readonly id: string;
}

/** The verdict of one proof on a transaction. */
type Verdict = "open" | "dead" | "unclear";

/**
 * Whether transactions of one account can no longer land (INV-4). A transaction that lands takes its sequence number,
 * even if it fails. So there are two proofs. Each uses one answer of one node, because two answers may come from two
 * nodes, one of which lags:
 *
 * - The account, as of a ledger that closed after the time bound, has not reached the sequence number: no ledger
 *   contains the transaction, and no later one can.
 * - The account's last transactions, without a gap, include another one with the sequence number, or one above it and
 *   one below it and none with it.
 *
 * An absent hash proves nothing, because nodes forget old ledgers.
 *
 * @returns ServiceUnavailable when there is no verdict
 */
export const stellarFate = async (
  { passphrase }: Pick<StellarNetwork, "passphrase">,
  rest: StellarRest,
  transactions: readonly OwnTransaction[],
): Promise<Result<Fate>> => {
  if (transactions.length === 0) throw new TypeError("there is no transaction whose fate is asked for");
  const known: Known[] = [];
  for (const { unsigned } of transactions) {
    const decoded = decodeStellar(unsigned);
    if (!decoded.ok) return decoded;
    known.push({ ...decoded.value, id: stellarId(passphrase, unsigned) });
  }
  const chain = await passphraseOf(rest);
  if (!chain.ok) return chain;
  // another chain's accounts prove nothing: they have other sequence numbers
  if (chain.value !== passphrase) return nodeAway(rest.network, "it is of another chain");
  const reached = await reachedBy(rest, known);
  if (!reached.ok) return reached;
  if (reached.value.includes("open")) return ok(OPEN);
  const taken = reached.value.includes("unclear") ? await takenByOthers(rest, known) : ok(reached.value);
  if (!taken.ok) return taken;
  if (taken.value.includes("open")) return ok(OPEN);
  if (known.some((_, at) => reached.value[at] !== "dead" && taken.value[at] !== "dead")) {
    return nodeAway(rest.network, "it does not tell what took the sequence number, so it gives no verdict");
  }
  const numbers = known.map(({ sequence }) => sequence).join(", ");
  return ok({
    kind: "dead",
    reason: `its sequence number ${numbers} is void or taken; this one can never land`,
  });
};

/** The first proof: how far the account's sequence number has come, and when. */
const reachedBy = async (rest: StellarRest, known: readonly Known[]): Promise<Result<readonly Verdict[]>> => {
  const [first] = known;
  if (first === undefined) return ok([]);
  const account = await stellarAccountAt(rest, first.from);
  if (!account.ok) return account;
  const { value, ledger } = account.value;
  if (ledger === undefined) return nodeAway(rest.network, "it does not say of which ledger its answer is");
  const closed = await ledgerAt(rest, ledger);
  if (!closed.ok) return closed;
  if (closed.value === undefined) return nodeAway(rest.network, `it has no ledger ${ledger}`);
  const { closedAt } = closed.value;
  // a deleted account that is created again starts far above, at its ledger's number
  const last = value?.sequence ?? 0n;
  return ok(
    known.map(({ sequence, maxTime }) => {
      if (last >= sequence) return "unclear";
      return closedAt > maxTime ? "dead" : "open";
    }),
  );
};

const landedSchema = z.object({
  hash: z.string(),
  /** the inner transaction of a fee bump */
  inner_transaction: z.object({ hash: z.string() }).optional(),
  source_account: z.string(),
  source_account_sequence: z
    .string()
    .regex(/^[0-9]{1,19}$/)
    .transform((text) => BigInt(text)),
});
const recentSchema = z.object({ _embedded: z.object({ records: z.array(landedSchema) }) });

/** The second proof: the account's last transactions, in one page. */
const takenByOthers = async (
  rest: StellarRest,
  known: readonly Known[],
): Promise<Result<readonly Verdict[]>> => {
  const from = known[0]?.from ?? "";
  const path = `/accounts/${from}/transactions?order=desc&limit=${RECENT}&include_failed=true`;
  const page = await demandStellar(rest, path, recentSchema);
  if (!page.ok) return page;
  const own = page.value._embedded.records.filter((record) => record.source_account === from);
  return ok(
    known.map(({ id, sequence }) => {
      const taker = own.find((record) => record.source_account_sequence === sequence);
      if (taker !== undefined)
        return [taker.hash, taker.inner_transaction?.hash].includes(id) ? "open" : "dead";
      const isPassed =
        own.some((record) => record.source_account_sequence > sequence) &&
        own.some((record) => record.source_account_sequence < sequence);
      return isPassed ? "dead" : "unclear";
    }),
  );
};
