import type {
  Envelope,
  Fault,
  IgnoreReason,
  Parameters,
  PartyIndex,
  PartySecrets,
  PeerKeys,
  Secret,
} from "@conclave/threshold";
import type { AuxiliaryTask, MadeAuxiliary } from "./auxiliary/task.ts";
import type { DealerReleasedResult, KeyChangedResult, RefreshTask, ReshareTask } from "./key-change/task.ts";
import type { ExportedResult, KeyExportTask } from "./key-export/task.ts";
import type { KeyGenerationTask, KeyResult } from "./key-generation/task.ts";
import type { ImportRefusedResult, KeyImportTask } from "./key-import/task.ts";
import type {
  ExportPresignatureTask,
  PresignatureResult,
  PresignedResult,
  PresigningTask,
} from "./presigning/task.ts";
import type {
  FrostSignatureResult,
  FrostTask,
  PooledSigningTask,
  SignatureResult,
  SigningTask,
} from "./signing/task.ts";

/**
 * A task for the compute host, which does the costly computations of a signer. The host is a worker thread in a process
 * and a plain value in a test; it holds the protocol sessions, and the state machine sends it these tasks. One
 * session's tasks are done in order.
 *
 * Tasks, results and configurations are plain values, which cross a worker boundary by structured clone; the one class
 * in them is `Secret` (clone.ts). Shares and auxiliary info pass as canonical bytes. The host remembers decoded values
 * by the SHA-256 of the bytes, so that each task may carry all that it needs.
 */
export type ComputeTask =
  | AuxiliaryTask
  | KeyGenerationTask
  | KeyImportTask
  | KeyExportTask
  | RefreshTask
  | ReshareTask
  | PresigningTask
  | SigningTask
  | ExportPresignatureTask
  | PooledSigningTask
  | FrostTask
  | { readonly kind: "deliver"; readonly envelope: Envelope };

/**
 * The values from which a host is made: its party, and the peers whose messages it accepts. The state machine itself
 * needs no identity secret.
 */
export interface HostConfig {
  readonly self: PartyIndex;
  readonly parameters: Parameters;
  /** every signer of the roster, self included */
  readonly peers: ReadonlyMap<PartyIndex, PeerKeys>;
  readonly secrets: Secret<PartySecrets>;
}

export type ComputeResult =
  | {
      readonly kind: "running";
      /** such as "presign/2" */
      readonly stage: string;
      readonly send: readonly Envelope[];
      /** peers whose messages of the current round are missing */
      readonly awaiting: readonly PartyIndex[];
      /** how far the session has come, see phaseOf; 0 before its first round */
      readonly phase: number;
      readonly ignored?: IgnoreReason;
    }
  | MadeAuxiliary
  | KeyResult
  | ImportRefusedResult
  | ExportedResult
  | KeyChangedResult
  | DealerReleasedResult
  | PresignedResult
  | PresignatureResult
  | SignatureResult
  | FrostSignatureResult
  /** its last messages allow the other signers to reach the same verdict */
  | { readonly kind: "fault"; readonly fault: Fault; readonly send: readonly Envelope[] }
  | { readonly kind: "abort"; readonly check: string };
