import { createHash } from "node:crypto";
import type { SignedForRequest } from "@conclave/cluster";
import { type ChainRequest, type ChainRequestEvent, ok, type Result } from "@conclave/custody";
import {
  isOthersTransaction,
  listDeadTransactions,
  listSignedWithSequence,
  readWalletLine,
  type VersionedRequest,
} from "@conclave/platform";
import type { SigningQuorum } from "../signing-quorum.ts";
import { failUnsigned, noteReason } from "./apply.ts";
import { commitBuilt } from "./commit-built.ts";
import { judgeSigned, type SignedVerdict } from "./judge-signed.ts";
import { areKept } from "./kept-records.ts";
import { adoptedAs, isRead } from "./own-payment.ts";
import { adoptSent, recallLanded, recallSent } from "./recall-sent.ts";
import { again, GO_ON, type Next, type RequestWork } from "./step.ts";

const UNSURE_MS = 400;
const CHAIN_AWAY_MS = 1_000;
const UNSURE = "waiting for signers to say whether they have signed it";

type Adopted = Extract<ChainRequestEvent, { readonly kind: "Adopted" }>;

/** Why it is not known what signers have signed: for most of the time too few of them live. */
export const whyUnsure = (quorum: Pick<SigningQuorum, "shortage">): string => quorum.shortage() ?? UNSURE;

interface RecalledBytes {
  readonly kind: "bytes";
  readonly adopted: Adopted;
  /** whether the row has them */
  readonly isOnRecord: boolean;
  /** whether another version of the request may have a signature */
  readonly mayBeAnother: boolean;
}

/** Signers name versions of it, and the chain does not tell which of them landed, or has one that is not taken over now. */
interface RecalledHidden {
  readonly kind: "hidden";
  readonly reason: string;
}

/** The signers' memory of a request that the database may have forgotten. */
export type Recalled =
  /** nothing that may land: it may be built, and it may fail (INV-4) */
  | { readonly kind: "nothing" }
  /** these bytes, which are what is authorised */
  | RecalledBytes
  | RecalledHidden
  /** too few answer, or the transaction that they signed is none that is authorised now */
  | { readonly kind: "unsure" };

type Recalling = Pick<RequestWork, "database" | "chain" | "wallet" | "quorum" | "records">;

/**
 * Asks the signers for what they have signed for a request. A database that was put back to a moment before knows nothing of it, and
 * the signers refuse whatever does not exclude it. More of them than may lie must name the bytes, and those must be what is authorised, by
 * the family's own reading: so nobody has foreign bytes adopted, nor bytes that were never signed.
 */
export const recallSigned = async (work: Recalling, request: ChainRequest): Promise<Recalled> => {
  const { database, quorum } = work;
  const dead = request.deadTransactions === 0 ? [] : await listDeadTransactions(database, request.id);
  const digests = new Set(dead.map(({ unsigned }) => createHash("sha256").update(unsigned).digest("hex")));
  // where the records may have been put back, one signer may name a version that no other names
  const hearsAll = !(await areKept(work, request));
  const verdict = await hear(quorum, request.id, (digest) => digests.has(digest), hearsAll);
  return verdict.kind === "bytes" ? versionOf(work, request, verdict, hearsAll) : verdict;
};

/** Hears signers until nothing that they could say changes the verdict, or all of those that name bytes. */
const hear = (
  quorum: SigningQuorum,
  requestId: string,
  isDead: (digest: string) => boolean,
  hearsAll: boolean,
): Promise<SignedVerdict> =>
  new Promise((resolve) => {
    const { of, threshold, answers: coming } = quorum.askSigned(requestId);
    const answers: SignedForRequest[] = [];
    let open = coming.length;
    const judge = (): void => {
      const verdict = judgeSigned({ answers, open, of, threshold, isDead });
      if (verdict === undefined || (hearsAll && verdict.kind === "bytes" && open > 0)) return;
      resolve(verdict);
    };
    for (const each of coming) {
      void each.then((answer) => {
        open -= 1;
        if (answer !== undefined) answers.push(answer);
        judge();
      });
    }
    judge();
  });

/** A transaction that signers name for a request, and that is what is authorised; above a cap that was lowered since it is not taken over. */
interface Version {
  readonly unsigned: Uint8Array;
  readonly adopted: Adopted | undefined;
}

const ABOVE_CAP = "the chain has what was signed for it, which costs more than the network allows now";

/** The version of a request that the chain has, where its node tells by the bytes alone; else the first one that enough signers name. */
const versionOf = async (
  work: Recalling,
  request: ChainRequest,
  { transactions, others }: Extract<SignedVerdict, { readonly kind: "bytes" }>,
  mayBeUnnamed: boolean,
): Promise<Recalled> => {
  const versionsIn = (some: readonly Uint8Array[]): readonly Version[] =>
    some
      .filter((unsigned) => isRead(work, request, unsigned))
      .map((unsigned) => {
        const adopted = adoptedAs(work, request, unsigned);
        return { unsigned, adopted: adopted.ok ? adopted.value : undefined };
      });
  const [sure, told] = [versionsIn(transactions), versionsIn(others)];
  const versions = [...sure, ...told.filter((each) => excludesAll(work, sure, each))];
  const landed = versions.length > 1 ? await onChain(work, versions) : ok(undefined);
  if (!landed.ok) return { kind: "hidden", reason: landed.problem.message };
  if (landed.value !== undefined && landed.value.adopted === undefined) {
    return { kind: "hidden", reason: ABOVE_CAP };
  }
  const adopted = landed.value?.adopted ?? sure.find((each) => each.adopted !== undefined)?.adopted;
  if (adopted === undefined) return { kind: "unsure" };
  const { unsignedTransaction: before } = request;
  const isOnRecord = before !== undefined && Buffer.compare(before, adopted.unsignedTransaction) === 0;
  return { kind: "bytes", adopted, isOnRecord, mayBeAnother: mayBeUnnamed || versions.length > 1 };
};

/** Signers let a version follow another only where they exclude each other: bytes that a liar alone names are mostly none. */
const excludesAll = (
  { chain: { family } }: Recalling,
  sure: readonly Version[],
  { adopted }: Version,
): boolean =>
  family.idOf === undefined ||
  sure.every(
    (each) =>
      each.adopted === undefined ||
      adopted === undefined ||
      family.excludes(each.adopted.exclusion, adopted.exclusion),
  );

/** @returns the version that is in a block, or else one that waits; undefined where the node knows none, or does not tell by the bytes */
const onChain = async (
  { chain: { family, node } }: Recalling,
  versions: readonly Version[],
): Promise<Result<Version | undefined>> => {
  let [waiting, away]: [Version | undefined, Result<undefined>] = [undefined, ok(undefined)];
  for (const version of versions) {
    const id = family.idOf?.(version.unsigned);
    if (id === undefined) continue;
    const sighting = await node.sight(id);
    if (!sighting.ok) away = sighting;
    else if (sighting.value.kind === "included") return ok(version);
    else if (sighting.value.kind === "waiting") waiting ??= version;
  }
  return away.ok ? ok(waiting) : away;
};

/** Whether signers name bytes for a request: then nothing else is built for it. */
export const isNamed = (recalled: Recalled): recalled is RecalledBytes | RecalledHidden =>
  recalled.kind === "bytes" || recalled.kind === "hidden";

/**
 * Goes on with what signers have signed for a request: as the version of it that the chain has, or else as the bytes that they name. While
 * another version may be on its way, it waits: a version that lost its place to another would fail, though it is paid.
 * @param onRecord what follows where the row has these bytes already
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
  const { adopted, isOnRecord, mayBeAnother } = recalled;
  const landed = mayBeAnother ? await recallLanded(work, seen.request) : undefined;
  if (landed?.kind === "sent") return adoptSent(work, seen, landed.events);
  if (landed?.kind === "unsure") return wait(landed.reason);
  return isOnRecord ? onRecord() : adopt(work, seen, adopted);
};

/** Takes over what signers have signed for a request: signed again, it is the transaction that it was. */
const adopt = async (
  work: Pick<RequestWork, "database" | "logger" | "chain">,
  seen: VersionedRequest,
  adopted: Adopted,
): Promise<Next> => {
  const { id, walletId } = seen.request;
  const line = await readWalletLine(work.database, walletId, id);
  const taken = await takenBy(work, seen.request, adopted);
  if (taken !== undefined) {
    await noteReason(work.database, seen, taken);
    return again(CHAIN_AWAY_MS);
  }
  work.logger.warn({ requestId: id }, "signers have signed a transaction that the database does not know");
  return commitBuilt(work, seen, line, async () => [adopted]);
};

/** Why signers' bytes are not a request's: another one of its wallet has them on record, or has their place. */
const takenBy = async (
  { database, chain: { family } }: Pick<RequestWork, "database" | "chain">,
  { id, walletId, replacementId: replacement }: ChainRequest,
  { unsignedTransaction: unsigned, sequence }: Adopted,
): Promise<string | undefined> => {
  // signers name what replaced a request for that one, too
  if (replacement !== undefined) return undefined;
  const txHash = family.idOf?.(unsigned);
  if (txHash !== undefined && (await isOthersTransaction(database, walletId, id, { unsigned, txHash }))) {
    return "another request of the wallet has the transaction that signers name for it";
  }
  const inPlace = sequence === undefined ? [] : await listSignedWithSequence(database, walletId, sequence);
  const holds = ({ id: other, status, replacementId }: ChainRequest): boolean =>
    other !== id && replacementId === undefined && status !== "Failed" && status !== "Rejected";
  return inPlace.some(holds)
    ? "another request of the wallet has the place of the transaction that signers name for it"
    : undefined;
};

/**
 * Fails a request that cannot be carried out, unless the signers have signed something for it, or the chain has it already: then it goes on
 * as that (INV-4). Until both are known it waits.
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
