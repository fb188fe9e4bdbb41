import { isLife, type PendingEpoch, type PoolStatus, type Quarantined } from "@conclave/cluster";
import type { PartyIndex } from "@conclave/threshold";
import { partyIndex } from "@conclave/threshold";
import type { StatusReply, StatusReply__Output } from "./generated/proto.gen.ts";
import type { HeldKeyState } from "./held-keys.ts";
import { fromPending, toPending } from "./pending-epoch.ts";
import { fromQuarantine, toQuarantine } from "./quarantined.ts";

/** A signer's answer to a command about a key. */
export interface KeyAnswer {
  readonly state: HeldKeyState;
  /** epoch of the share that it holds; 0 when absent */
  readonly epoch: number;
}

/** Counts of presignatures. */
export type PoolCounters = Omit<PoolStatus, "sets">;

/** A signer's status. Its size does not depend on the number of keys; listKeys lists those. It contains no secret. */
export interface SignerStatus {
  readonly index: number;
  readonly id: string;
  readonly state: "starting" | "ready" | "stopping";
  /** the name of its parameters */
  readonly parameters: string;
  /** 0 when it has no auxiliary info */
  readonly auxiliaryEpoch: number;
  /** digest of the public material; empty if the signer has none */
  readonly auxiliaryDigest: Uint8Array;
  /** epochs of auxiliary info that wait for their certificates */
  readonly pendingAuxiliary: readonly PendingEpoch[];
  /** number of keys of which it holds a share, pending ones included */
  readonly keyCount: number;
  /**
   * how many of these it does not sign with before their next epoch, because its store was an older copy; 0 from a
   * signer of the previous version
   */
  readonly keysToRefresh: number;
  readonly sessions: readonly {
    readonly session: Uint8Array;
    readonly protocol: string;
    readonly stage: string;
  }[];
  /** of the whole process, since it started */
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
  readonly connectedPeers: readonly PartyIndex[];
  /** the peers that it proved to cheat; it signs nothing with them */
  readonly quarantined: readonly Quarantined[];
  /** Unix milliseconds at its answer, by its clock; undefined from an older signer */
  readonly clockMs: number | undefined;
  /** for commands to name; undefined from an older signer */
  readonly life: Uint8Array | undefined;
  /** counts of presignatures */
  readonly pool: PoolCounters;
}

export const toStatusReply = (status: SignerStatus): StatusReply => ({
  index: status.index,
  id: status.id,
  state: status.state,
  parameters: status.parameters,
  auxiliaryEpoch: status.auxiliaryEpoch,
  auxiliaryDigest: Buffer.from(status.auxiliaryDigest),
  keyCount: status.keyCount,
  keysToRefresh: status.keysToRefresh,
  pendingAuxiliary: status.pendingAuxiliary.map(toPending),
  sessions: status.sessions.map(({ session, protocol, stage }) => ({
    sessionId: Buffer.from(session),
    protocol,
    stage,
  })),
  cpuMicroseconds: status.cpuMicroseconds,
  residentBytes: status.residentBytes,
  connectedPeers: [...status.connectedPeers],
  quarantined: status.quarantined.map(toQuarantine),
  clockMs: status.clockMs ?? 0,
  life: Buffer.from(status.life ?? new Uint8Array(0)),
  pool: { ...status.pool },
});

const EMPTY_POOL: PoolCounters = {
  ready: 0,
  reserved: 0,
  stored: 0,
  consumed: 0,
  burnt: 0,
  expired: 0,
  refused: 0,
  reused: 0,
  rolledBack: 0,
};

const parseState = (text: string): SignerStatus["state"] =>
  text === "ready" || text === "stopping" ? text : "starting";

export const fromStatusReply = (reply: StatusReply__Output): SignerStatus => ({
  index: reply.index,
  id: reply.id,
  state: parseState(reply.state),
  parameters: reply.parameters,
  auxiliaryEpoch: reply.auxiliaryEpoch,
  auxiliaryDigest: reply.auxiliaryDigest,
  keyCount: reply.keyCount,
  keysToRefresh: reply.keysToRefresh,
  pendingAuxiliary: reply.pendingAuxiliary.map(fromPending),
  sessions: reply.sessions.map(({ sessionId, protocol, stage }) => ({ session: sessionId, protocol, stage })),
  cpuMicroseconds: reply.cpuMicroseconds,
  residentBytes: reply.residentBytes,
  connectedPeers: reply.connectedPeers.map(partyIndex).filter((index) => index !== undefined),
  quarantined: reply.quarantined.flatMap(fromQuarantine),
  clockMs: reply.clockMs === 0 ? undefined : reply.clockMs,
  life: isLife(reply.life) ? reply.life : undefined,
  pool: reply.pool ?? EMPTY_POOL,
});
