import type { Problem } from "@conclave/custody";
import type { Envelope, Fault, ImportRefusal, PartyIndex, Secret, Signature } from "@conclave/threshold";
import type { ComputeTask } from "../compute/task.ts";
import type { CallId, SessionKey } from "./event.ts";

/**
 * What a signer wants done, in order. The shell carries out one effect after another, over all events, and does not
 * begin an effect before the earlier ones are done: a `store` before a `send` means durable before visible (INV-2).
 * A `send` is done once it is queued for its peer, a `compute` once it is queued for the host, a `store` once synced.
 */
export type SignerEffect =
  /** one synced write, sealed by the shell; when it fails, the process stops */
  | { readonly kind: "store"; readonly record: string; readonly value: Secret<Uint8Array> }
  | { readonly kind: "erase"; readonly record: string }
  /**
   * one atomic write: after a crash all of it is there, or nothing. With `sync` it is durable when it is done, and with
   * it all writes before; without, it may be lost to a power failure, but never outlived by a later write. Records of a
   * group are sealed under a key of the group; to shred a group is to destroy that key and all records under it
   */
  | {
      readonly kind: "batch";
      readonly puts: readonly {
        readonly record: string;
        readonly value: Secret<Uint8Array>;
        readonly group?: string;
      }[];
      readonly erases: readonly string[];
      readonly shreds?: readonly string[];
      readonly sync: boolean;
    }
  /** to one peer: broadcasts come as one effect a receiver */
  | { readonly kind: "send"; readonly to: PartyIndex; readonly envelope: Envelope }
  /** fresh primes for auxiliary generation; answered by the event "primes" */
  | { readonly kind: "primes"; readonly session: SessionKey; readonly parameters: string }
  /**
   * answered by one event "computed", and by one more for each round whose checks were done on other threads, unless the
   * session is dropped before
   */
  | { readonly kind: "compute"; readonly session: SessionKey; readonly task: ComputeTask }
  /** presignings use this auxiliary info from now on (auxiliaryInfoCodec): the host may work ahead for them when idle */
  | { readonly kind: "prepare"; readonly auxiliary: Secret<Uint8Array> }
  /** the host forgets the session and all its secrets */
  | { readonly kind: "drop"; readonly session: SessionKey }
  /** written to the caller's stream */
  | { readonly kind: "report"; readonly call: CallId; readonly report: SessionReport };

/** What a caller hears. All but "progress" are last words: the stream ends after them. */
export type SessionReport =
  | { readonly kind: "progress"; readonly stage: string }
  | { readonly kind: "auxiliary"; readonly epoch: number; readonly digest: Uint8Array }
  | {
      readonly kind: "key";
      readonly keyId: string;
      readonly publicKey: Uint8Array;
      readonly chainCode: Uint8Array;
    }
  /** what a client gave is no key: nothing of it is kept, here or at any honest signer */
  | { readonly kind: "import-refused"; readonly refusals: readonly ImportRefusal[] }
  /** this signer's share, which the client's key opens; that it left is on record */
  | {
      readonly kind: "exported";
      readonly keyId: string;
      /** shares of one epoch alone make up the key */
      readonly epoch: number;
      readonly envelope: Uint8Array;
      /** the point that t such shares are of */
      readonly publicKey: Uint8Array;
    }
  | {
      readonly kind: "key-state";
      readonly keyId: string;
      readonly state: "absent" | "pending" | "active";
      /** of the share that is held; 0 when absent */
      readonly epoch: number;
    }
  /** this signer's share of the key's next epoch is durable; it serves nothing until it is activated */
  | {
      readonly kind: "key-changed";
      readonly keyId: string;
      readonly epoch: number;
      /** of all that is public of the next epoch */
      readonly digest: Uint8Array;
    }
  /** this signer's part of the presignature is durable; it may be used once all of its signers have said so */
  | { readonly kind: "presigned"; readonly id: string; readonly expiresAtMs: number }
  /** how many of the ids were ready here, and are burnt now */
  | { readonly kind: "presignatures-discarded"; readonly count: number }
  | { readonly kind: "signature"; readonly signature: Signature; readonly digest: Uint8Array }
  | {
      readonly kind: "message-signature";
      /** 64 bytes, which a library verified */
      readonly signature: Uint8Array;
      /** what they verify under, as the key's scheme writes it */
      readonly publicKey: Uint8Array;
    }
  | { readonly kind: "refusal"; readonly problem: Problem }
  | { readonly kind: "fault"; readonly fault: Fault }
  /** nobody is to blame; `silent` are the peers that the session was waiting for */
  | { readonly kind: "failure"; readonly reason: string; readonly silent: readonly PartyIndex[] };
