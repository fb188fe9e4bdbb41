import type { NextShare, PendingEpoch, PoolStatus } from "@conclave/cluster";
import type { PartyIndex } from "@conclave/threshold";
import { partyIndex } from "@conclave/threshold";
import type {
  NextShare as WireShare,
  NextShare__Output as WireShare__Output,
} from "./generated/conclave/signer/v2/NextShare.gen.ts";
import type { StatusReply, StatusReply__Output } from "./generated/conclave/signer/v2/StatusReply.gen.ts";

export type KeyState = "absent" | "pending" | "active";

export const isKeyState = (text: string): text is KeyState =>
  text === "absent" || text === "pending" || text === "active";

/** What a signer answers when it is told what becomes of a key. */
export interface KeyAnswer {
  readonly state: KeyState;
  /** of the share that it holds; 0 when absent */
  readonly epoch: number;
}

/** Presignatures, counted. */
export type PoolCounters = Omit<PoolStatus, "sets">;

/** What a signer says of itself. Nothing of it is secret. */
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
  /** how many keys it holds */
  readonly keyCount: number;
  /** all of them, or the pending ones, as it was asked */
  readonly keys: readonly {
    readonly keyId: string;
    readonly state: KeyState;
    readonly epoch: number;
    /** 33 bytes, compressed */
    readonly publicKey: Uint8Array;
    /** a client brought it */
    readonly isImported: boolean;
    /** the signer's share of it was handed out to a client */
    readonly isExported: boolean;
  }[];
  /** shares of next epochs that wait for their certificates */
  readonly next: readonly NextShare[];
  readonly sessions: readonly {
    readonly session: Uint8Array;
    readonly protocol: string;
    readonly stage: string;
  }[];
  /** of the process, all threads, since it started */
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
  readonly connectedPeers: readonly PartyIndex[];
  /** presignatures, counted */
  readonly pool: PoolCounters;
}

type WirePending = Omit<WireShare, "keyId">;
type WirePending__Output = Omit<WireShare__Output, "keyId">;

const toPending = ({ from, epoch, session, digest, receipt }: PendingEpoch): WirePending => ({
  fromEpoch: from,
  epoch,
  sessionId: Buffer.from(session, "hex"),
  digest: Buffer.from(digest),
  receipt: Buffer.from(receipt),
});

const fromPending = ({
  fromEpoch,
  epoch,
  sessionId,
  digest,
  receipt,
}: WirePending__Output): PendingEpoch => ({
  from: fromEpoch,
  epoch,
  session: sessionId.toString("hex"),
  digest,
  receipt,
});

/** @param allKeys names every key; otherwise the pending ones alone are named */
export const toStatusReply = (status: SignerStatus, allKeys: boolean): StatusReply => ({
  index: status.index,
  id: status.id,
  state: status.state,
  parameters: status.parameters,
  auxiliaryEpoch: status.auxiliaryEpoch,
  auxiliaryDigest: Buffer.from(status.auxiliaryDigest),
  keyCount: status.keyCount,
  keys: status.keys
    .filter(({ state }) => allKeys || state === "pending")
    .map(({ publicKey, isImported, isExported, ...key }) => ({
      ...key,
      publicKey: Buffer.from(publicKey),
      imported: isImported,
      exported: isExported,
    })),
  nextShares: status.next.map(({ keyId, ...pending }) => ({ keyId, ...toPending(pending) })),
  pendingAuxiliary: status.pendingAuxiliary.map(toPending),
  sessions: status.sessions.map(({ session, protocol, stage }) => ({
    sessionId: Buffer.from(session),
    protocol,
    stage,
  })),
  cpuMicroseconds: status.cpuMicroseconds,
  residentBytes: status.residentBytes,
  connectedPeers: [...status.connectedPeers],
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
  keys: reply.keys.map(({ keyId, state, epoch, publicKey, imported, exported }) => ({
    keyId,
    state: isKeyState(state) ? state : "absent",
    epoch,
    publicKey,
    isImported: imported,
    isExported: exported,
  })),
  next: reply.nextShares.map(({ keyId, ...pending }) => ({ keyId, ...fromPending(pending) })),
  pendingAuxiliary: reply.pendingAuxiliary.map(fromPending),
  sessions: reply.sessions.map(({ sessionId, protocol, stage }) => ({ session: sessionId, protocol, stage })),
  cpuMicroseconds: reply.cpuMicroseconds,
  residentBytes: reply.residentBytes,
  connectedPeers: reply.connectedPeers.map(partyIndex).filter((index) => index !== undefined),
  pool: reply.pool ?? EMPTY_POOL,
});
