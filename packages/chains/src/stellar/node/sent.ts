import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import { nodeAway } from "../../answers/node-away.ts";
import type { SentSearch, SentTransaction } from "../../chain.ts";
import { firstSent, isSettledBelow, mayHold } from "../../first-sent.ts";
import { attachStellarSignature } from "../attach.ts";
import type { StellarNetwork } from "../network.ts";
import { stellarPublicKey } from "../rules/address.ts";
import { unsignedStellar } from "../signed.ts";
import { decodeStellar } from "../transaction.ts";
import { stellarAccountAt } from "./accounts.ts";
import { ledgerAt } from "./ledgers.ts";
import { demandStellar, type StellarRest } from "./rest.ts";

/** Size and number of pages of an account's transactions. */
const PAGE = 200;
const PAGES_MAX = 20;
const MS_IN_SECOND = 1_000;
const SIGNATURE_BYTES = 64;
/** An account's sequence numbers begin at the number of the ledger that created it, times two to this power. */
const LEDGER_BITS = 32n;

const recordSchema = z.object({
  hash: z.string(),
  paging_token: z.string().regex(/^[0-9]{1,20}$/),
  created_at: z.iso.datetime(),
  source_account: z.string(),
  source_account_sequence: z
    .string()
    .regex(/^[0-9]{1,19}$/)
    .transform((text) => BigInt(text)),
  envelope_xdr: z.base64(),
});
const pageSchema = z.object({ _embedded: z.object({ records: z.array(recordSchema) }) });
const eldestSchema = z.object({ history_elder_ledger: z.int().positive() });
type Landed = z.infer<typeof recordSchema>;

/**
 * Looks for a transaction among those that an account has sent, in closed ledgers, which are final; the newest page
 * first.
 */
export const findSentStellar = async (
  network: StellarNetwork,
  rest: StellarRest,
  sender: string,
  search: SentSearch,
): Promise<Result<SentTransaction | undefined>> => {
  const { places, sinceMs } = search;
  if (places === undefined) throw new TypeError("a Stellar account counts its transactions");
  const account = await stellarAccountAt(rest, sender);
  if (!account.ok) return account;
  if (account.value.value === undefined) return ok(undefined);
  const { sequence } = account.value.value;
  const first = ((sequence >> LEDGER_BITS) << LEDGER_BITS) + 1n;
  if (isSettledBelow(places, sequence + 1n, first)) return ok(undefined);
  const landed = await landedSince(rest, sender, account.value.ledger, sinceMs);
  if (!landed.ok) return landed;
  const held = landed.value.filter((each) => mayHold(places, each.source_account_sequence));
  const sent: SentTransaction[] = [];
  for (const each of held.toReversed()) {
    const rebuilt = rebuiltStellar(network, each, sender);
    if (rebuilt === "false")
      return nodeAway(rest.network, `the transaction ${each.hash} is not what it shows`);
    if (rebuilt !== undefined) sent.push(rebuilt);
  }
  return ok(await firstSent(sent, search));
};

/**
 * Lists the account's transactions in ledgers since a time, the newest first. @param asOf a ledger that the node must
 * know
 */
const landedSince = async (
  rest: StellarRest,
  sender: string,
  asOf: bigint | undefined,
  sinceMs: number,
): Promise<Result<readonly Landed[]>> => {
  const own: Landed[] = [];
  let cursor = "";
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const path = `/accounts/${sender}/transactions?order=desc&limit=${PAGE}&include_failed=true${cursor}`;
    const found = await demandStellar(rest, path, pageSchema, asOf);
    if (!found.ok) return found;
    const { records } = found.value._embedded;
    for (const each of records) {
      if (Date.parse(each.created_at) < sinceMs) return ok(own);
      if (each.source_account === sender) own.push(each);
    }
    const last = records.at(-1);
    if (last === undefined || records.length < PAGE) {
      const isWhole = await reachesBack(rest, sinceMs);
      return isWhole.ok ? ok(own) : isWhole;
    }
    cursor = `&cursor=${last.paging_token}`;
  }
  return nodeAway(rest.network, "the account has more transactions than are looked at");
};

/** Checks that the node still has the ledgers since then; otherwise its list is incomplete. */
const reachesBack = async (rest: StellarRest, sinceMs: number): Promise<Result<void>> => {
  const eldest = await demandStellar(rest, "/", eldestSchema);
  if (!eldest.ok) return eldest;
  const { history_elder_ledger: first } = eldest.value;
  const ledger = await ledgerAt(rest, BigInt(first));
  if (!ledger.ok) return ledger;
  // nothing is before the first ledger
  const closedMs = ledger.value === undefined ? undefined : Number(ledger.value.closedAt) * MS_IN_SECOND;
  const isWhole = first === 1 || (closedMs !== undefined && closedMs <= sinceMs);
  return isWhole
    ? ok(undefined)
    : nodeAway(rest.network, "it has forgotten ledgers in which the account may have sent something");
};

/** @returns undefined if it is nothing that we sign; "false" if its signature or its hash is wrong */
const rebuiltStellar = (
  network: StellarNetwork,
  { hash, envelope_xdr }: Landed,
  sender: string,
): SentTransaction | "false" | undefined => {
  const envelope = Uint8Array.from(Buffer.from(envelope_xdr, "base64"));
  const unsigned = unsignedStellar(envelope);
  if (!decodeStellar(unsigned).ok) return undefined;
  const signature = { scheme: "FROST-Ed25519", bytes: envelope.slice(-SIGNATURE_BYTES) } as const;
  const attached = attachStellarSignature(unsigned, [signature], [stellarPublicKey(sender)], network);
  // further signatures by other keys of the account: we never sign like that
  if (!attached.ok || !Buffer.from(attached.value.signed).equals(envelope)) return undefined;
  return attached.value.txHash === hash ? { unsigned, ...attached.value } : "false";
};
