import {
  AUXILIARY_ATTEMPT_MS,
  AUXILIARY_SUBJECT,
  type AuxiliaryResult,
  agreedInfo,
  agreementOf,
  chooseDealers,
  type HeldAuxiliary,
  KEY_CHANGE_ATTEMPT_MS,
  type KeyChange,
  type KeyChangeResult,
  keyHolders,
  openAuxiliaryCoordinator,
  openKeyChangeCoordinator,
  ownClockOf,
  type PublicInfo,
  stepAuxiliaryCoordinator,
  stepKeyChangeCoordinator,
} from "@conclave/cluster";
import { authorisedAuxiliarySchema, authorisedKeyChangeSchema, keyChangeIdSchema } from "@conclave/custody";
import { lowestThreshold, pastIdentities } from "@conclave/platform/config";
import { processWorld } from "@conclave/platform/world";
import { LaunchError } from "@conclave/testbed/launch";
import type { PartyIndex } from "@conclave/threshold";
import { answerOf } from "./answer-of.ts";
import { signAuthorisation } from "./credentials.ts";
import type { KeyStanding } from "./key-standing.ts";
import { entropy, type HeardSigner, type Operator } from "./operator.ts";

export interface ChangeRun {
  readonly operator: Operator;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

const authorisationOf = (
  { roster, members, authority }: Operator,
  kind: KeyChange["kind"],
  { keyId, publicKey }: Pick<KeyStanding, "keyId" | "publicKey">,
  epoch: number,
  nextEpoch: number,
) =>
  signAuthorisation(
    authority,
    authorisedKeyChangeSchema.parse({
      version: 1,
      kind,
      requestId: processWorld.freshId(keyChangeIdSchema, "kch"),
      keyId,
      publicKey,
      epoch,
      nextEpoch,
      threshold: roster.threshold,
      parties: keyHolders(members),
      cluster: roster.clusterId,
      dateRequested: new Date().toISOString(),
    }),
  );

/**
 * The certificates of the signers' present epochs. They are requested only if a signer holds inactive data of a next
 * epoch, or if signers are in different epochs: then a certificate decides which epoch is valid.
 */
const certificatesFor = async (
  { clients }: Operator,
  keyId: string,
  held: KeyStanding["held"],
): Promise<readonly Uint8Array[]> => {
  const isSettled =
    new Set([...held.values()].map(({ epoch }) => epoch)).size === 1 &&
    [...held.values()].every(({ pending }) => pending.length === 0);
  return isSettled ? [] : certificatesOf(clients, keyId);
};

const certificatesOf = async (
  clients: Operator["clients"],
  subject: string,
): Promise<readonly Uint8Array[]> => {
  const answers = await Promise.all(clients.map((client) => client.getCertificate(subject)));
  return answers.flatMap((answer) => (answer.ok && answer.value !== undefined ? [answer.value] : []));
};

const change = async (
  { operator, say, signal }: ChangeRun,
  { keyId, held, epoch }: KeyStanding,
  request: (nextEpoch: number) => KeyChange,
  released: readonly PartyIndex[] = [],
): Promise<KeyChangeResult> => {
  const config = {
    roster: operator.members,
    past: pastIdentities(operator.roster),
    released,
    keyId,
    epoch,
    change: request,
    entropy,
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
    ...ownClockOf(processWorld),
  };
  const certificates = await certificatesFor(operator, keyId, held);
  return operator.run(
    keyId,
    {
      open: (known, nowMs) => openKeyChangeCoordinator(config, { ...known, held, certificates }, nowMs),
      step: stepKeyChangeCoordinator,
    },
    say,
    signal,
  );
};

/** Refreshes the shares of one key at all holders, or finishes an interrupted change. Rejects with a LaunchError. */
export const refreshKey = async (run: ChangeRun, key: KeyStanding): Promise<KeyChangeResult> => {
  if (key.lacking.length > 0 && !key.isHalfActive) {
    const who = key.lacking.map((index) => run.operator.members.get(index)?.id).join(", ");
    const remedy = "`conclave reprovision <signer>` gives it one, and all others new ones with it.";
    throw new LaunchError(`${who} holds no share of ${key.keyId}`, remedy);
  }
  return change(run, key, (nextEpoch) => ({
    kind: "key-refresh",
    authorisation: authorisationOf(run.operator, "key-refresh", key, key.epoch, nextEpoch),
  }));
};

/** The public part of a key, by the majority of its holders. Rejects with a LaunchError if too few agree. */
export const publicInfoOf = async (
  { roster }: Pick<Operator, "roster">,
  keyId: string,
  holding: readonly Pick<HeardSigner, "index" | "id" | "client">[],
): Promise<PublicInfo> => {
  const said = await Promise.all(
    holding.map(
      async ({ index, id, client }) => [index, await answerOf(id, () => client.getKeyInfo(keyId))] as const,
    ),
  );
  const info = agreedInfo(new Map(said), lowestThreshold(roster));
  if (info !== undefined) return info;
  throw new LaunchError(
    `too few signers hold the same epoch of ${keyId}: ${holding.map(({ id }) => id).join(", ")} answered`,
    "Restore the vault of another signer from its backup.",
  );
};

/** Has t holders of a key deal it anew to the signers of the roster. Rejects with a LaunchError. */
export const reshareKey = async (
  run: ChangeRun,
  key: KeyStanding,
  heard: readonly HeardSigner[],
): Promise<KeyChangeResult> => {
  const { members } = run.operator;
  const holding = heard.filter(({ index }) => key.held.get(index)?.epoch === key.epoch);
  const info = await publicInfoOf(run.operator, key.keyId, holding);
  const chosen = chooseDealers(
    members,
    info,
    holding.map(({ index }) => index),
  );
  if (chosen === undefined) {
    throw new LaunchError(
      `${holding.length} signers hold a share of ${key.keyId}, and ${info.threshold} are needed`,
      "Restore the vault of another signer from its backup.",
    );
  }
  const { dealers, released } = chosen;
  const agreed = { keyId: key.keyId, publicKey: Buffer.from(info.publicKey).toString("hex") };
  const reshare = (nextEpoch: number): KeyChange => ({
    kind: "key-reshare",
    authorisation: authorisationOf(run.operator, "key-reshare", agreed, key.epoch, nextEpoch),
    dealers,
    info: info.bytes,
  });
  return change(run, key, reshare, released);
};

const heldAuxiliary = (heard: readonly HeardSigner[]): ReadonlyMap<PartyIndex, HeldAuxiliary> =>
  new Map(
    heard.map(({ index, status }) => {
      const { auxiliaryEpoch: epoch, auxiliaryDigest: digest, pendingAuxiliary: pending } = status;
      return [index, { epoch, digest, pending }];
    }),
  );

/** The epoch of auxiliary information that t signers use; 0 if there is none. */
const sharedAuxiliary = ({ roster }: Operator, heard: readonly HeardSigner[]) => {
  const agreement = agreementOf(heldAuxiliary(heard), lowestThreshold(roster));
  return agreement ?? { epoch: 0, apart: heard.map(({ index }) => index) };
};

/** Whether a signer uses the same auxiliary information as t signers do, and the epoch of theirs. */
export const auxiliaryAt = (
  operator: Operator,
  heard: readonly HeardSigner[],
  signer: HeardSigner,
): { readonly isShared: boolean; readonly epoch: number } => {
  const { epoch, apart } = sharedAuxiliary(operator, heard);
  return { isShared: !apart.includes(signer.index), epoch };
};

/**
 * Generates new auxiliary information for all signers, or finishes a generation that was interrupted after every signer
 * held it. Says so, and how it goes. Rejects with a LaunchError.
 */
export const renewAuxiliary = async (
  { operator, say, signal }: ChangeRun,
  heard: readonly HeardSigner[],
): Promise<AuxiliaryResult> => {
  const { parties, authority, members, clients, roster } = operator;
  const authorise = (from: number, epoch: number) =>
    signAuthorisation(
      authority,
      authorisedAuxiliarySchema.parse({
        version: 1,
        kind: "auxiliary",
        requestId: processWorld.freshId(keyChangeIdSchema, "kch"),
        from,
        epoch,
        parties,
        cluster: roster.clusterId,
        dateRequested: new Date().toISOString(),
      }),
    );
  const { epoch: from } = sharedAuxiliary(operator, heard);
  const order = { from, authorise, attemptMs: AUXILIARY_ATTEMPT_MS };
  const config = {
    ...order,
    roster: members,
    past: pastIdentities(roster),
    entropy,
    ...ownClockOf(processWorld),
  };
  const held = heldAuxiliary(heard);
  const certificates = await certificatesOf(clients, AUXILIARY_SUBJECT);
  say("auxiliary information: every signer makes it anew, with real parameters in one to three minutes");
  return operator.run(
    "auxiliary information",
    {
      open: (known, nowMs) => openAuxiliaryCoordinator(config, { ...known, held, certificates }, nowMs),
      step: stepAuxiliaryCoordinator,
    },
    say,
    signal,
  );
};
