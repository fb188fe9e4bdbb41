import type { AuxiliaryInfo, KeyShare, MaskStore, PeerCheck } from "@conclave/threshold";
import type { SessionKey } from "../control/session-key.ts";
import type { RunningAuxiliary } from "./auxiliary/task.ts";
import type { DecodedMemory } from "./decoded.ts";
import type { RunningKeyChange } from "./key-change/task.ts";
import type { RunningKeyGeneration } from "./key-generation/task.ts";
import type { RunningKeyImport } from "./key-import/task.ts";
import type { RunningPresigned, RunningPresigning } from "./presigning/task.ts";
import type { FrostKey } from "./signing/frost-key.ts";
import type { RunningFrost, RunningSigning } from "./signing/task.ts";
import type { ComputeResult, HostConfig } from "./task.ts";

/**
 * Costly checks of a session's peers, which other hosts of the same signer do in parallel. A job holds what peers said
 * and proved, and no secret of the session; Paillier key and ring-Pedersen factors are in the auxiliary info, which
 * every host of the signer knows. A verdict holds the plaintexts that the check opened; like them, it stays within the
 * process.
 */
type ChecksAway = ReadonlyMap<SessionKey, readonly PeerCheck[]>;

/**
 * Which sessions hand their checks out. "apart": all, as other hosts share the work. "apart-for-pool": those that fill
 * the pool, so that a live session can run between two checks and need not wait for a whole round.
 */
export type ChecksPlace = "here" | "apart-for-pool" | "apart";

/** A run of one session in the host. */
export type Run =
  | RunningAuxiliary
  | RunningKeyGeneration
  | RunningKeyImport
  | RunningKeyChange
  | RunningPresigning
  | RunningPresigned
  | RunningSigning
  | RunningFrost;

/** All sessions of a signer with their secrets. A plain value, so that a test can run it without a worker. */
export interface Host {
  readonly config: HostConfig;
  readonly runs: ReadonlyMap<SessionKey, Run>;
  /** shares of ECDSA keys */
  readonly keys: DecodedMemory<KeyShare>;
  readonly frostKeys: DecodedMemory<FrostKey>;
  readonly auxiliaries: DecodedMemory<AuxiliaryInfo>;
  /** made in idle time (ahead.ts) */
  readonly masks: MaskStore | undefined;
  /** of presignings for the pool that are about to begin */
  readonly poolMasks: MaskStore | undefined;
  readonly checks: ChecksPlace;
  /** checks that were handed out and have no verdict yet */
  readonly away: ChecksAway;
}

export interface Computed {
  readonly host: Host;
  readonly result: ComputeResult;
}

export const keep = (host: Host, session: SessionKey, run: Run): Host => ({
  ...host,
  runs: new Map(host.runs).set(session, run),
});

/** Forgets a session and the last references to its secrets. */
export const drop = (host: Host, session: SessionKey): Host => {
  const [runs, away] = [new Map(host.runs), new Map(host.away)];
  runs.delete(session);
  away.delete(session);
  return { ...host, runs, away };
};
