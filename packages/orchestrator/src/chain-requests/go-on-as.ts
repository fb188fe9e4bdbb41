import type { ChainRequest, ChainRequestEvent } from "@conclave/custody";
import {
  isOthersTransaction,
  listSignedWithSequence,
  readWalletLine,
  type VersionedRequest,
} from "@conclave/platform";
import { signedTransactionAdopted } from "../log/log-events.ts";
import { failUnsigned, noteReason } from "./apply.ts";
import { commitBuilt } from "./commit-built.ts";
import { supersededBy } from "./fate.ts";
import { adoptSent, recallLanded, recallSent } from "./recall-sent.ts";
import {
  type RecalledBytes,
  type RecalledHidden,
  recallSigned,
  type Version,
  whyUnsure,
} from "./recall-signed.ts";
import { again, GO_ON, type Next, type RequestWork } from "./step.ts";

const UNSURE_MS = 400;
const CHAIN_AWAY_MS = 1_000;

type Adopted = Extract<ChainRequestEvent, { readonly kind: "Adopted" }>;

/**
 * Continues a request with bytes that signers have signed for it: with the version that the chain has, or else with the
 * bytes that the signers name. While another version may still land, the request waits: otherwise it would fail with a
 * version that can no longer land, although it is paid.
 * @param onRecord the step that follows where the row already has these bytes
 */
export const goOnAs = async (
  work: RequestWork,
  seen: VersionedRequest,
  recalled: RecalledBytes | RecalledHidden,
  onRecord: () => Promise<Next>,
): Promise<Next> => {
  const wait = async (reason: string): Promise<Next> => {
    await noteReason(work.database, seen, reason);
    return again(CHAIN_AWAY_MS);
  };
  if (recalled.kind === "hidden") return wait(recalled.reason);
  const { isOnRecord, mayBeAnother, versions } = recalled;
  const landed = mayBeAnother ? await recallLanded(work, seen.request, versions) : undefined;
  if (landed?.kind === "sent") return adoptSent(work, seen, landed.events);
  if (landed?.kind === "unsure") return wait(landed.reason);
  return isOnRecord ? onRecord() : adoptFirst(work, seen, recalled);
};

/**
 * Takes over the first of the signers' versions whose bytes and place no other request of the wallet has. If other
 * requests have all of them, this one waits; once those have landed for good, no version can land any more, and it
 * fails.
 */
const adoptFirst = async (
  work: RequestWork,
  seen: VersionedRequest,
  { candidates, versions }: RecalledBytes,
): Promise<Next> => {
  let first: Taken | undefined;
  for (const adopted of candidates) {
    const taken = await takenBy(work, seen.request, adopted);
    if (taken === undefined) return adopt(work, seen, adopted);
    first ??= taken;
  }
  if (first?.forGood !== undefined && (await areLost(work, seen.request, versions))) {
    await failUnsigned(work, seen, first.forGood);
    return GO_ON;
  }
  await noteReason(work.database, seen, first?.reason);
  return again(CHAIN_AWAY_MS);
};

/** Takes over bytes that signers have signed for a request; signed again, they are the same transaction. */
const adopt = async (
  work: Pick<RequestWork, "database" | "logger">,
  seen: VersionedRequest,
  adopted: Adopted,
): Promise<Next> => {
  const { id, walletId } = seen.request;
  const line = await readWalletLine(work.database, walletId, id);
  signedTransactionAdopted(work.logger, { requestId: id });
  return commitBuilt(work, seen, line, async () => [adopted]);
};

/**
 * Takes over the next of several versions that signers name, if the recorded one was not signed although enough signers
 * live. So no single signer determines, by naming or refusing versions, which of them is tried.
 * @returns whether there is one that no other request of the wallet has
 */
export const goOnAsNext = async (
  work: RequestWork,
  seen: VersionedRequest,
  recalled: RecalledBytes | RecalledHidden,
): Promise<boolean> => {
  if (recalled.kind !== "bytes" || work.quorum.shortage() !== undefined) return false;
  for (const next of recalled.candidates.slice(1)) {
    if ((await takenBy(work, seen.request, next)) !== undefined) continue;
    await adopt(work, seen, next);
    return true;
  }
  return false;
};

/**
 * The reason why a request cannot take over signed bytes: another request of the wallet has recorded them, or has their
 * place.
 */
interface Taken {
  readonly reason: string;
  /**
   * the reason why the request fails with these bytes: another transaction has landed in their place for good;
   * undefined while that may be undone
   */
  readonly forGood: string | undefined;
}

const takenBy = async (
  { database, chain: { family, node } }: Pick<RequestWork, "database" | "chain">,
  { id, walletId, replacementId: replacement }: ChainRequest,
  { unsignedTransaction: unsigned, sequence }: Adopted,
): Promise<Taken | undefined> => {
  // for a replaced request, signers also name the replacement's transactions
  if (replacement !== undefined) return undefined;
  const isFinal = async (txHash: string): Promise<boolean> => {
    const sighting = await node.sight(txHash);
    return sighting.ok && sighting.value.kind === "included" && sighting.value.isFinal;
  };
  const txHash = family.idOf?.(unsigned);
  if (txHash !== undefined && (await isOthersTransaction(database, walletId, id, { unsigned, txHash }))) {
    const forGood = (await isFinal(txHash)) ? OTHERS_TRANSACTION : undefined;
    return { reason: OTHERS_TRANSACTION, forGood };
  }
  const inPlace = sequence === undefined ? [] : await listSignedWithSequence(database, walletId, sequence);
  const holders = inPlace.filter(
    ({ id: other, status, replacementId }) =>
      other !== id && replacementId === undefined && status !== "Failed" && status !== "Rejected",
  );
  if (holders.length === 0) return undefined;
  for (const holder of holders) {
    const isLanded = holder.txHash !== undefined && (await isFinal(holder.txHash));
    if (isLanded) return { reason: OTHERS_PLACE, forGood: supersededBy(holder) };
  }
  return { reason: OTHERS_PLACE, forGood: undefined };
};

const OTHERS_TRANSACTION = "another request of the wallet has the transaction that signers name for it";
const OTHERS_PLACE =
  "another request of the wallet has the place of the transaction that signers name for it";

/** Whether none of the versions that signers name can land any more, as other requests have their places for good. */
const areLost = async (
  work: RequestWork,
  request: ChainRequest,
  versions: readonly Version[],
): Promise<boolean> => {
  for (const { adopted } of versions) {
    const taken = adopted && (await takenBy(work, request, adopted));
    if (taken?.forGood === undefined) return false;
  }
  return true;
};

/**
 * Fails a request that cannot be carried out, unless the signers have signed something for it or the chain already has
 * it: then it continues with that transaction (INV-4). Until both are known, it waits.
 */
export const failUnlessSigned = async (
  work: RequestWork,
  seen: VersionedRequest,
  reason: string,
): Promise<Next> => {
  const recalled = await recallSigned(work, seen.request);
  switch (recalled.kind) {
    case "nothing":
      return failUnlessSent(work, seen, reason);
    case "bytes":
    case "hidden":
      return goOnAs(work, seen, recalled, async () => {
        await noteReason(work.database, seen, reason);
        return again(UNSURE_MS);
      });
    case "unsure":
      await noteReason(work.database, seen, whyUnsure(work.quorum));
      return again(UNSURE_MS);
  }
};

const failUnlessSent = async (work: RequestWork, seen: VersionedRequest, reason: string): Promise<Next> => {
  const sent = await recallSent(work, seen.request, undefined);
  switch (sent.kind) {
    case "nothing":
      await failUnsigned(work, seen, reason);
      return GO_ON;
    case "sent":
      return adoptSent(work, seen, sent.events);
    case "unsure":
      await noteReason(work.database, seen, sent.reason);
      return again(CHAIN_AWAY_MS);
  }
};
