import {
  type AttestingCluster,
  judgeClaimedKey,
  type KeyCreated,
  type KeyId,
  type Network,
  type World,
} from "@conclave/custody";
import {
  attendAttestedKeys,
  attestingClusters,
  type Database,
  doneSubject,
  type Logger,
  type Subscription,
} from "@conclave/platform";
import { taprootOutputKey, verifyEd25519 } from "@conclave/threshold";
import { activationsFailed, keyActivated, keyNotActivated } from "../log-events.ts";

type AttestedRoster = Parameters<typeof attestingClusters>[0];

/** The dependencies of the activation of keys. */
export interface Activation {
  readonly world: World;
  readonly database: Database;
  /** the signers whose attestations a key needs */
  readonly roster: AttestedRoster;
  /** Gives the key's address on a network; undefined on a pseudo network, which has no addresses. */
  readonly addressOn: (network: Network, publicKey: string) => string | undefined;
  /** makes callers that wait for a key read its row again */
  readonly signal: (subject: string) => void;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** Activates, until stopped, the keys that orchestrators report, if all signers of the roster attested them. */
export const startKeyActivation = ({
  world,
  database,
  roster,
  addressOn,
  signal,
  now,
  logger,
}: Activation): Subscription => {
  const checks = { clusters: clustersOf(roster), verify, isInternalKeyOf, addressOn };
  return attendAttestedKeys({
    world,
    database,
    judge: (claimed) => judgeClaimedKey(claimed, checks, now().toISOString()),
    settled: (keyId, event) => {
      logOutcome(logger, keyId, event);
      signal(doneSubject(keyId));
    },
    onFailure: (err) => activationsFailed(logger, { err }),
  });
};

/**
 * The clusters whose signers may attest a key: today's, and during a change of the roster also the previous one, which
 * may have made the key.
 */
const clustersOf = (roster: AttestedRoster): readonly AttestingCluster[] => {
  const times = attestingClusters(roster).map(({ cluster }) => cluster);
  return times.slice(0, roster.change === undefined ? 1 : 2);
};

const verify = (signature: Uint8Array, message: Uint8Array, identityKey: string): boolean =>
  verifyEd25519(signature, message, new Uint8Array(Buffer.from(identityKey, "hex")));

const isInternalKeyOf = (internalKey: string, publicKey: string): boolean => {
  const outputKey = taprootOutputKey(new Uint8Array(Buffer.from(internalKey, "hex")));
  return outputKey !== undefined && Buffer.from(outputKey).toString("hex") === publicKey;
};

const logOutcome = (logger: Logger, keyId: KeyId, event: KeyCreated | undefined): void => {
  if (event?.kind === "Activated") keyActivated(logger, { keyId });
  if (event?.kind === "GenerationFailed") keyNotActivated(logger, { keyId, problem: event.problem });
};
