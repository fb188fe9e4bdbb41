import { isLife, type PendingEpoch, type PoolStatus, type Quarantined } from "@conclave/cluster";
import type { PartyIndex } from "@conclave/threshold";
import { partyIndex } from "@conclave/threshold";
import type { StatusReply, StatusReply__Output } from "./generated/proto.gen.ts";
import type { HeldKeyState } from "./held-keys.ts";
import { fromPending, toPending } from "./pending-epoch.ts";
import { fromQuarantine, toQuarantine } from "./quarantined.ts";

/** A signer's answer to an order about a key. */
export interface KeyAnswer {
  readonly state: HeldKeyState;
  /** of the share that it holds; 0 when absent */
  readonly epoch: number;
}

/** Presignatures, counted. */
export type PoolCounters = Omit<PoolStatus, "sets">;

/** A signer's status, small for any number of keys; listKeys says the rest. Nothing of it is secret. */
export interface SignerStatus {
  readonly index: number;
  readonly id: string;
  readonly state: "starting" | "ready" | "stopping";
  /** the name of its parameters */
  readonly parameters: string;
  /** 0 when it has no auxiliary info */
  readonly auxiliaryEpoch: number;
  /** of the public material; empty when there is none */
  readonly auxiliaryDigest: Uint8Array;
  /** epochs of auxiliary info that wait for their certificates */
  readonly pendingAuxiliary: readonly PendingEpoch[];
  /** how many keys it holds a share of, pending ones too */
  readonly keyCount: number;
  /** of these: it signs with none of them before its next epoch, since its store was an older copy; 0 from a signer of the version before */
  readonly keysToRefresh: number;
  readonly sessions: readonly {
    readonly session: Uint8Array;
    readonly protocol: string;
    readonly stage: string;
  }[];
  /** of the process, all threads, since it started */
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
  readonly connectedPeers: readonly PartyIndex[];
  /** the peers that it proved to cheat, and signs nothing with */
  readonly quarantined: readonly Quarantined[];
  /** Unix milliseconds as it answered, by its clock; undefined of an older one */
  readonly clockMs: number | undefined;
  /** for the commands that coordinators give it; undefined of an older one */
  readonly life: Uint8Array | undefined;
  /** presignatures, counted */
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
