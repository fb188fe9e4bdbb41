import { createHash } from "node:crypto";
import type { SignedForRequest } from "@conclave/cluster";
import { type ChainRequest, type ChainRequestEvent, ok, type Result } from "@conclave/custody";
import { listDeadTransactions } from "@conclave/platform";
import type { SigningPort } from "../signing-port.ts";
import { judgeSigned, type SignedVerdict } from "./judge-signed.ts";
import { areKept } from "./kept-records.ts";
import { adoptedAs, isRead } from "./own-payment.ts";
import type { RequestWork } from "./step.ts";

const UNSURE = "waiting for signers to say whether they have signed it";

type Adopted = Extract<ChainRequestEvent, { readonly kind: "Adopted" }>;

/** The reason why it is unknown what signers have signed: usually because too few of them live. */
export const whyUnsure = (quorum: Pick<SigningPort, "shortage">): string => quorum.shortage() ?? UNSURE;

/**
 * A transaction that signers name for a request, and that does what is authorised; if it costs more than a cap that was
 * lowered since, it is not taken over.
 */
export interface Version {
  readonly unsigned: Uint8Array;
  readonly adopted: Adopted | undefined;
  /** whether more signers name it than may lie */
  readonly isSure: boolean;
}

/** The versions that signers name for a request. */
interface NamedVersions {
  readonly kind: "bytes";
  /** those that more signers name than may lie, in the order in which they are tried */
  readonly sure: readonly Version[];
  /** all, also those that fewer signers name */
  readonly versions: readonly Version[];
  /** whether a version that no signer names may have a signature */
  readonly mayBeUnnamed: boolean;
}

export interface RecalledBytes {
  readonly kind: "bytes";
  readonly adopted: Adopted;
  /** whether the row already has them */
  readonly isOnRecord: boolean;
  /** whether another version of the request may have a signature */
  readonly mayBeAnother: boolean;
  /** the bytes that may be taken over, in the order in which they are tried */
  readonly candidates: readonly Adopted[];
  /** all versions that signers name */
  readonly versions: readonly Version[];
}

/** Signers name versions, and the chain does not show which of them landed, or has one that cannot be taken over now. */
export interface RecalledHidden {
  readonly kind: "hidden";
  readonly reason: string;
}

/** The signers' memory of a request that the database may have forgotten. */
export type Recalled =
  /** no transaction that may land: the request may be built, and it may fail (INV-4) */
  | { readonly kind: "nothing" }
  /** these bytes, which do what is authorised */
  | RecalledBytes
  | RecalledHidden
  /** too few signers answer, or the transaction that they signed does not do what is authorised now */
  | { readonly kind: "unsure" };

type Recalling = Pick<RequestWork, "database" | "chain" | "wallet" | "quorum" | "records">;

/**
 * Asks the signers what they have signed for a request. A database that was restored to an earlier moment does not know
 * that, and the signers refuse every transaction that does not exclude it. Bytes are taken over only if more signers
 * name them than may lie, and if they do what is authorised, by the family's own reading: so neither foreign nor
 * unsigned bytes are taken over.
 */
export const recallSigned = async (work: Recalling, request: ChainRequest): Promise<Recalled> => {
  const named = await versionsNamedFor(work, request);
  return named.kind === "bytes" ? versionOf(work, request, named) : named;
};

/** The versions that signers name for a request, whether or not the chain has one. */
export const versionsNamedFor = async (
  work: Recalling,
  request: ChainRequest,
): Promise<NamedVersions | Exclude<SignedVerdict, { readonly kind: "bytes" }>> => {
  const { database, quorum } = work;
  const dead = request.deadTransactions === 0 ? [] : await listDeadTransactions(database, request.id);
  const digests = new Set(dead.map(({ unsigned }) => createHash("sha256").update(unsigned).digest("hex")));
  // if the records may have been restored, a single signer may be the only one to name a version
  const hearsAll = !(await areKept(work, request));
  const verdict = await hear(quorum, request, (digest) => digests.has(digest), hearsAll);
  if (verdict.kind !== "bytes") return verdict;
  const versionsIn = (some: readonly Uint8Array[], isSure: boolean): readonly Version[] =>
    some
      .filter((unsigned) => isRead(work, request, unsigned))
      .map((unsigned) => {
        const adopted = adoptedAs(work, request, unsigned);
        return { unsigned, adopted: adopted.ok ? adopted.value : undefined, isSure };
      });
  const [sure, unsure] = [versionsIn(verdict.transactions, true), versionsIn(verdict.others, false)];
  const versions = [...sure, ...unsure.filter((each) => mayFollowAll(work, sure, each))];
  return { kind: "bytes", sure, versions, mayBeUnnamed: hearsAll };
};

/** Collects signers' answers until no further answer can change the verdict; with `hearsAll`, all answers. */
const hear = (
  quorum: SigningPort,
  { id: requestId, dateRequested }: ChainRequest,
  isDead: (digest: string) => boolean,
  hearsAll: boolean,
): Promise<SignedVerdict> =>
  new Promise((resolve) => {
    const {
      of,
      threshold,
      remembering,
      answers: coming,
    } = quorum.askSigned({
      requestId,
      requestedAtMs: Date.parse(dateRequested),
    });
    const answers: SignedForRequest[] = [];
    let open = coming.length;
    const judge = (): void => {
      const verdict = judgeSigned({ answers, open, of, threshold, remembering, isDead });
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

const ABOVE_CAP = "the chain has what was signed for it, which costs more than the network allows now";

/**
 * The version of a request that the chain has, where its node shows that by the bytes alone; otherwise the recorded
 * one, if enough signers name it; otherwise the first that enough name.
 */
const versionOf = async (
  work: Recalling,
  request: ChainRequest,
  { sure, versions, mayBeUnnamed }: NamedVersions,
): Promise<Recalled> => {
  const landed = versions.length > 1 ? await onChain(work, versions) : ok(undefined);
  if (!landed.ok) return { kind: "hidden", reason: landed.problem.message };
  if (landed.value !== undefined && landed.value.adopted === undefined) {
    return { kind: "hidden", reason: ABOVE_CAP };
  }
  const { unsignedTransaction: before } = request;
  const isBefore = ({ unsignedTransaction }: Adopted): boolean =>
    before !== undefined && Buffer.compare(before, unsignedTransaction) === 0;
  const inOrder = sure.flatMap(({ adopted }) => adopted ?? []);
  const first = landed.value?.adopted ?? inOrder.find(isBefore) ?? inOrder[0];
  if (first === undefined) return { kind: "unsure" };
  const from = inOrder.indexOf(first);
  // first the versions after this one, then those before it
  const candidates = from < 0 ? [first, ...inOrder] : [...inOrder.slice(from), ...inOrder.slice(0, from)];
  const mayBeAnother = mayBeUnnamed || versions.length > 1;
  return { kind: "bytes", adopted: first, isOnRecord: isBefore(first), mayBeAnother, candidates, versions };
};

/**
 * Whether all versions can have been signed: signers let a version follow another only if one excludes the other, or
 * the other is dead. In a family that does not build again, bytes that only a liar names usually fail this check.
 */
const mayFollowAll = (
  { chain: { family } }: Recalling,
  sure: readonly Version[],
  { adopted }: Version,
): boolean =>
  family.rebuilds ||
  family.idOf === undefined ||
  sure.every(
    (each) =>
      each.adopted === undefined ||
      adopted === undefined ||
      family.excludes(each.adopted.exclusion, adopted.exclusion),
  );

/**
 * @returns the version that is in a block, or else one that waits in a pool; undefined where the node has none, or
 * cannot look transactions up by their bytes
 */
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

/** Whether signers name bytes for a request: then no other transaction is built for it. */
export const isNamed = (recalled: Recalled): recalled is RecalledBytes | RecalledHidden =>
  recalled.kind === "bytes" || recalled.kind === "hidden";
