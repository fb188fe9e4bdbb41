import type { Problem } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import type { SessionReport } from "../control/report.ts";
import type { SessionKey } from "../control/session-key.ts";

/**
 * The events that the interpreter hands to a coordinator. Each comes with the time of a monotonic clock, in whole
 * milliseconds.
 */
export type CoordinatorEvent =
  /** a signer sent a report on the stream of a session */
  | {
      readonly kind: "report";
      readonly signer: PartyIndex;
      readonly session: SessionKey;
      readonly report: SessionReport;
    }
  /** the stream of a session ended without a final report: the signer died, or could not be reached */
  | { readonly kind: "lost"; readonly signer: PartyIndex; readonly session: SessionKey }
  /** the whole set of signers that may take part now; sent whenever it changes */
  | {
      readonly kind: "live";
      readonly signers: readonly PartyIndex[];
      /** other signers that answer: they begin no session, but may finish those that they have begun */
      readonly apart?: readonly PartyIndex[];
    }
  /** the answer to an `activate` or `discard` */
  | {
      readonly kind: "key-state";
      readonly signer: PartyIndex;
      readonly keyId: string;
      readonly state: "absent" | "pending" | "active";
      /** epoch of the share that is held; 0 when absent */
      readonly epoch: number;
    }
  /** the answer to a `switch`: the epoch that is active at the signer now */
  | {
      readonly kind: "switched";
      readonly signer: PartyIndex;
      readonly keyId: string;
      readonly epoch: number;
      /** the signer's handover of the key to the epoch of the certificate, as `writeHandover` encodes it */
      readonly handover?: Uint8Array;
      /** whether the signer waits for the handovers of others */
      readonly isWaiting?: boolean;
    }
  /** an `activate`, `discard` or `switch` got no answer; the coordinator repeats it later */
  | { readonly kind: "unanswered"; readonly signer: PartyIndex; readonly keyId: string }
  /** an `activate`, `discard` or `switch` was refused */
  | {
      readonly kind: "refused";
      readonly signer: PartyIndex;
      readonly keyId: string;
      readonly problem: Problem;
    }
  /** the time of the last `wake` has come */
  | { readonly kind: "tick" }
  /** the process stops: cancel what is open and close */
  | { readonly kind: "stop" };
