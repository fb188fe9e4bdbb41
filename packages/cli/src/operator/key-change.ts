import {
  AUXILIARY_ATTEMPT_MS,
  type AuxiliaryResult,
  KEY_CHANGE_ATTEMPT_MS,
  type KeyChange,
  type KeyChangeResult,
  openAuxiliaryCoordinator,
  openKeyChangeCoordinator,
  stepAuxiliaryCoordinator,
  stepKeyChangeCoordinator,
} from "@conclave/cluster";
import { authorisedKeyChangeSchema, authorisedKeyDiscardSchema, keyChangeIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { LaunchError } from "@conclave/testbed";
import type { PartyIndex } from "@conclave/threshold";
import { signAuthorisation } from "./credentials.ts";
import type { KeyStanding } from "./key-standing.ts";
import { entropy, type HeardSigner, type Operator } from "./operator.ts";

export interface ChangeRun {
  readonly operator: Operator;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

const authorisationOf = (
  { roster, parties, authority }: Operator,
  kind: KeyChange["kind"],
  { keyId, publicKey }: KeyStanding,
  epoch: number,
) =>
  signAuthorisation(
    authority,
    authorisedKeyChangeSchema.parse({
      version: 1,
      kind,
      requestId: freshId(keyChangeIdSchema, "kch"),
      keyId,
      publicKey,
      epoch,
      threshold: roster.threshold,
      parties,
      dateRequested: new Date().toISOString(),
    }),
  );

const discardOf = ({ authority }: Operator, keyId: string, session: string) =>
  signAuthorisation(
    authority,
    authorisedKeyDiscardSchema.parse({
      version: 1,
      kind: "key-discard",
      requestId: freshId(keyChangeIdSchema, "kch"),
      keyId,
      session,
      dateRequested: new Date().toISOString(),
    }),
  );

const change = (
  { operator, say, signal }: ChangeRun,
  { keyId, held }: KeyStanding,
  epoch: number,
  request: KeyChange,
): Promise<KeyChangeResult> => {
  const config = {
    roster: operator.members,
    keyId,
    epoch,
    change: request,
    authoriseDiscard: (session: string) => discardOf(operator, keyId, session),
    entropy,
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
  };
  return operator.run(
    {
      open: (live, nowMs) => openKeyChangeCoordinator(config, { live, held }, nowMs),
      step: stepKeyChangeCoordinator,
    },
    say,
    signal,
  );
};

/**
 * The epoch from which a change starts: that of the key, or the previous one if only some signers have activated the new one.
 */
const startOf = ({ epoch, isHalfActive }: KeyStanding): number => (isHalfActive ? epoch - 1 : epoch);

/** Refreshes the shares of one key at all holders, or finishes an interrupted change. Rejects with a LaunchError. */
export const refreshKey = async (run: ChangeRun, key: KeyStanding): Promise<KeyChangeResult> => {
  if (key.lacking.length > 0 && !key.isHalfActive) {
    const who = key.lacking.map((index) => run.operator.members.get(index)?.id).join(", ");
    const remedy = "`conclave reprovision <signer>` gives it one, and all others new ones with it.";
    throw new LaunchError(`${who} holds no share of ${key.keyId}`, remedy);
  }
  const epoch = startOf(key);
  const authorisation = authorisationOf(run.operator, "key-refresh", key, epoch);
  return change(run, key, epoch, { kind: "key-refresh", authorisation });
};

/** Has t holders of a key reshare it to all signers. Rejects with a LaunchError. */
export const reshareKey = async (
  run: ChangeRun,
  key: KeyStanding,
  heard: readonly HeardSigner[],
): Promise<KeyChangeResult> => {
  const { roster } = run.operator;
  const holders = heard.filter(({ index }) => !key.lacking.includes(index));
  const dealers = holders.slice(0, roster.threshold);
  const [first] = dealers;
  if (first === undefined || dealers.length < roster.threshold) {
    throw new LaunchError(
      `${holders.length} signers hold a share of ${key.keyId}, and ${roster.threshold} are needed`,
      "Restore the vault of another signer from its backup.",
    );
  }
  const info = await first.client.getKeyInfo(key.keyId);
  if (!info.ok) throw new LaunchError(`${first.id}: ${info.problem.message}`, "Try again.");
  const epoch = startOf(key);
  const authorisation = authorisationOf(run.operator, "key-reshare", key, epoch);
  const indices: readonly PartyIndex[] = dealers.map(({ index }) => index);
  return change(run, key, epoch, { kind: "key-reshare", authorisation, dealers: indices, info: info.value });
};

/** Generates new auxiliary information for all signers. Rejects with a LaunchError. */
export const renewAuxiliary = (
  { operator, say, signal }: ChangeRun,
  heard: readonly HeardSigner[],
): Promise<AuxiliaryResult> => {
  const config = { roster: operator.members, entropy, attemptMs: AUXILIARY_ATTEMPT_MS };
  // an epoch with an unknown outcome has to be replaced
  const held = new Map(
    heard.map(({ index, status }) => [index, { epoch: status.auxiliaryEpoch, digest: new Uint8Array(0) }]),
  );
  return operator.run(
    {
      open: (live, nowMs) => openAuxiliaryCoordinator(config, { live, held }, nowMs),
      step: stepAuxiliaryCoordinator,
    },
    say,
    signal,
  );
};
