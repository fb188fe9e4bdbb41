import type { ComputeResult, ComputeTask, SessionKey, SignerConfig } from "@conclave/cluster";
import type { World } from "@conclave/custody";
import type { SignerStatus } from "@conclave/platform/grpc";
import type { Logger } from "@conclave/platform/logger";
import type { AuxiliaryPrimes, PartyIndex, Secret } from "@conclave/threshold";
import type { Control } from "../control.ts";
import type { Deliver } from "../delivery.ts";
import type { SignerRecords } from "../records.ts";

/** The links by which a signer speaks to its peers. */
export interface PeerLinks {
  /**
   * Queues an envelope; never waits and never throws.
   *
   * @param envelope envelopeCodec
   */
  send(to: PartyIndex, envelope: Uint8Array): void;
  /** Peers whose links stand, ascending. Asks for the links that do not. */
  connected(): readonly PartyIndex[];
  /** Drops what waits, and sends nothing more. */
  close(): void;
}

/** The results of a compute host. */
export interface ComputeListener {
  /** the result of a task, in order within a session; never of a session that was dropped or lost */
  readonly computed: (session: SessionKey, result: ComputeResult) => void;
  /** sessions were lost, and their tasks are not done */
  readonly lost: (sessions: readonly SessionKey[], reason: Error) => void;
  /** it cannot do its work: the signer has to end */
  readonly failed: (reason: Error) => void;
}

/** Computes the sessions of a signer: worker threads of a process, or the calling thread in a test. */
export interface ComputeHost {
  /** Queues a task; never waits, and hands its result over after it has returned. */
  submit(session: SessionKey, task: ComputeTask): void;
  drop(session: SessionKey): void;
  /** Precomputes in idle time for presigning. @param auxiliary auxiliaryInfoCodec */
  prepare(auxiliary: Secret<Uint8Array>): void;
  close(): Promise<void>;
}

/** The operations of a running signer, for those who serve them. */
export interface ServedSigner {
  /** the operations of its service Control */
  readonly control: Control;
  /** the operation of its service Peer */
  readonly deliver: Deliver;
}

/** The callers' way to a signer: a server, or an entry in a table of a simulated world. */
export interface Serving {
  /** says to callers whether the signer as a whole is ready; at first it is not */
  readonly setReady: (isReady: boolean) => void;
  /** Takes no more calls, and resolves when the open ones have ended. */
  readonly stop: () => Promise<void>;
}

/** The system's figures of a signer's process. */
export type ProcessFigures = Pick<SignerStatus, "cpuMicroseconds" | "residentBytes">;

/** The parts of a signer: its identity and settings, and a port for each socket, file, thread and figure of its process. */
export interface SignerParts {
  readonly id: string;
  readonly machine: SignerConfig;
  readonly world: World;
  readonly log: Logger;
  /** the signer cannot go on: its process has to stop, and a restart burns what was open */
  readonly failed: (error: unknown) => void;
  /** the opened store; the signer closes it when it stops, and when it refuses to start */
  readonly records: SignerRecords;
  /** @param dropped hears why an envelope never reaches its peer */
  readonly openLinks: (dropped: (to: PartyIndex, reason: string) => void) => PeerLinks;
  readonly openCompute: (listener: ComputeListener) => ComputeHost;
  /** Finds primes for auxiliary information, until the signal aborts. */
  readonly searchPrimes: (
    signal: AbortSignal,
    progress: (done: number, of: number) => void,
  ) => Promise<Secret<AuxiliaryPrimes>>;
  /** the id of the machine's boot; undefined where the system shows none */
  readonly bootId: () => string | undefined;
  readonly figures: () => ProcessFigures;
  /** Answers the orchestrator and the peers from the moment at which it resolves. */
  readonly serve: (served: ServedSigner) => Promise<Serving>;
}
