import { ok, type Result } from "@conclave/custody";
import { z } from "zod";
import type { SentSearch, SentTransaction } from "../../chain.ts";
import { firstSent } from "../../first-sent.ts";
import { attachSolanaSignature } from "../attach.ts";
import { signatureIn, withSignature } from "../message/message.ts";
import type { SolanaNetwork } from "../network.ts";
import { solanaPublicKey } from "../rules/address.ts";
import { firstAvailableSlot, genesisHashOf, headerOfSlot, slotOf } from "./blocks.ts";
import { blockTimeField, signatureField, uint64Field } from "./fields.ts";
import { demandSolana, type SolanaRpc, solanaAway } from "./json-rpc.ts";
import { landedTransactionOf } from "./landings.ts";

/** Size and number of pages of an account's transactions. */
const PAGE = 1_000;
const PAGES_MAX = 200;
/** Transactions that are requested at once, and in one look; the next look continues. */
const AT_ONCE = 8;
const READS_A_LOOK = 512;
/** Most transactions that are remembered; the oldest are dropped first. */
const REMEMBERED_MAX = 262_144;
const MS_IN_SECOND = 1_000;
const SIGNATURE_BYTES = 64;

const listedSchema = z.array(
  z.object({ signature: signatureField, slot: uint64Field, blockTime: blockTimeField }),
);

/**
 * A cache of accounts' transactions; the bytes of an id never change. Anyone can make thousands appear in an account's
 * list, and all requests that wait in its line look at the same ones.
 */
export class SolanaReads {
  readonly #sent = new Map<string, readonly SentTransaction[]>();

  of(sender: string, id: string): readonly SentTransaction[] | undefined {
    return this.#sent.get(`${sender} ${id}`);
  }

  remember(sender: string, id: string, sent: readonly SentTransaction[]): void {
    const [oldest] = this.#sent.keys();
    if (this.#sent.size >= REMEMBERED_MAX && oldest !== undefined) this.#sent.delete(oldest);
    this.#sent.set(`${sender} ${id}`, sent);
  }
}

/**
 * Looks for a transaction among those of an account since a time, the newest first. Transactions in no block yet are
 * not found.
 */
export const findSentSolana = async (
  { genesisHash }: Pick<SolanaNetwork, "genesisHash">,
  rpc: SolanaRpc,
  reads: SolanaReads,
  sender: string,
  search: SentSearch,
): Promise<Result<SentTransaction | undefined>> => {
  const genesis = await genesisHashOf(rpc);
  if (!genesis.ok) return genesis;
  if (genesis.value !== genesisHash) return solanaAway(rpc.network, "it is of another chain");
  const ids = await listSince(rpc, sender, search.sinceMs);
  if (!ids.ok) return ids;
  const sent = new Map(ids.value.map((id) => [id, reads.of(sender, id)]));
  const unread = ids.value.filter((id) => sent.get(id) === undefined);
  const now = unread.slice(0, READS_A_LOOK);
  for (let from = 0; from < now.length; from += AT_ONCE) {
    const read = await Promise.all(
      now
        .slice(from, from + AT_ONCE)
        .map(async (id) => ({ id, transaction: await landedTransactionOf(rpc, id, "confirmed") })),
    );
    for (const { id, transaction } of read) {
      if (!transaction.ok) return transaction;
      const rebuilt = rebuiltSolana(transaction.value, sender);
      sent.set(id, rebuilt);
      reads.remember(sender, id, rebuilt);
    }
  }
  const found = await firstSent(
    [...sent.values()].flatMap((each) => each ?? []),
    search,
  );
  const isWhole = found !== undefined || unread.length <= READS_A_LOOK;
  return isWhole
    ? ok(found)
    : solanaAway(
        rpc.network,
        "the wallet's transactions since the request was authorised are still being read",
      );
};

/** All transactions of an account since a time, failed ones included. */
const listSince = async (
  rpc: SolanaRpc,
  owner: string,
  sinceMs: number,
): Promise<Result<readonly string[]>> => {
  const ids: string[] = [];
  const reached = await slotOf(rpc, "confirmed");
  if (!reached.ok) return reached;
  let before: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const config = { commitment: "confirmed", limit: PAGE, minContextSlot: Number(reached.value) };
    const listed = await demandSolana(rpc, {
      method: "getSignaturesForAddress",
      params: [owner, before === undefined ? config : { ...config, before }],
      schema: listedSchema,
    });
    if (!listed.ok) return listed;
    for (const { signature, blockTime } of listed.value) {
      if (isOlder(blockTime, sinceMs)) return ok(ids);
      ids.push(signature);
    }
    before = listed.value.at(-1)?.signature;
    if (before === undefined) {
      const isWhole = await reachesBack(rpc, sinceMs);
      return isWhole.ok ? ok(ids) : isWhole;
    }
  }
  return solanaAway(rpc.network, "the wallet has too many transactions of that time");
};

const isOlder = (time: z.infer<typeof blockTimeField>, sinceMs: number): boolean =>
  typeof time === "bigint" && Number(time) * MS_IN_SECOND < sinceMs;

/** Checks that the node still has the blocks since then; otherwise its list is incomplete. */
const reachesBack = async (rpc: SolanaRpc, sinceMs: number): Promise<Result<void>> => {
  const first = await firstAvailableSlot(rpc);
  if (!first.ok) return first;
  // nothing is before the first block
  if (first.value === 0n) return ok(undefined);
  const header = await headerOfSlot(rpc, first.value, "finalized");
  if (!header.ok) return header;
  const time = header.value.kind === "block" ? header.value.block.blockTime : undefined;
  return isOlder(time, sinceMs)
    ? ok(undefined)
    : solanaAway(rpc.network, "it has forgotten blocks in which the wallet may have sent something");
};

/**
 * Rebuilds a transaction that a block shows. @returns an empty list if it has further signers, another one, or
 * instructions that are not supported
 */
const rebuiltSolana = (signed: Uint8Array, sender: string): readonly SentTransaction[] => {
  if (signed[0] !== 1) return [];
  const unsigned = withSignature(signed, new Uint8Array(SIGNATURE_BYTES));
  const signature = { scheme: "FROST-Ed25519", bytes: signatureIn(signed) } as const;
  const attached = attachSolanaSignature(unsigned, [signature], [solanaPublicKey(sender)]);
  return attached.ok ? [{ unsigned, ...attached.value }] : [];
};
