import type { SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";

/**
 * The command to one signer for one session. Coordinators send it and signers begin it; its kind names it in sessions,
 * runs and status. `expiresAtMs` is the session's deadline, Unix milliseconds: all signers of a session receive the
 * same, for the run binds it.
 */
export type Command =
  /** makes the Paillier and ring-Pedersen material that all keys of the roster share; all signers take part */
  | {
      readonly kind: "auxiliary";
      readonly epoch: number;
      /** AuthorisedAuxiliary; absent for the first epoch alone */
      readonly authorisation?: SignedAuthorisation;
      readonly expiresAtMs: number;
    }
  /** makes a key; all signers take part */
  | {
      readonly kind: "key-generation";
      /** AuthorisedKey */
      readonly authorisation: SignedAuthorisation;
      readonly expiresAtMs: number;
    }
  /** imports a key that a client sharded; the signers store new shares of it */
  | {
      readonly kind: "key-import";
      /** AuthorisedImport */
      readonly authorisation: SignedAuthorisation;
      /** this signer's share, encrypted by the client */
      readonly envelope: Uint8Array;
      readonly expiresAtMs: number;
    }
  /** seals this signer's share of a key for a client; no peer takes part */
  | {
      readonly kind: "key-export";
      /** AuthorisedExport */
      readonly authorisation: SignedAuthorisation;
      readonly expiresAtMs: number;
    }
  /** gives all holders of a key new shares of it */
  | {
      readonly kind: "key-refresh";
      /** AuthorisedKeyChange */
      readonly authorisation: SignedAuthorisation;
      readonly expiresAtMs: number;
    }
  /** t holders deal new shares of a key to the whole roster; this also gives a signer that lost its share a new one */
  | {
      readonly kind: "key-reshare";
      /** AuthorisedKeyChange */
      readonly authorisation: SignedAuthorisation;
      /** exactly `threshold` holders, ascending */
      readonly dealers: readonly number[];
      /** publicKeyInfoCodec of the current key: a signer without the key has no other source for it */
      readonly info: Uint8Array;
      readonly expiresAtMs: number;
    }
  /** makes one presignature for the pool; needs no authorisation, as it signs nothing */
  | {
      readonly kind: "presigning";
      /** exactly `threshold` signers, ascending */
      readonly quorum: readonly number[];
      readonly keyId: string;
      readonly expiresAtMs: number;
    }
  /** signs a transaction, or the content of the authorisation, with the keys that the authorisation names */
  | {
      readonly kind: "signing";
      /** exactly `threshold` signers, ascending */
      readonly quorum: readonly number[];
      readonly keyId: string;
      /** AuthorisedSigning */
      readonly authorisation: SignedAuthorisation;
      /** the whole unsigned transaction; empty when the authorisation itself holds the content */
      readonly unsigned: Uint8Array;
      /**
       * a ready presignature of this key and quorum for each CGGMP24 signable, in their order, 64 lower-case hex digits
       * each; empty: the session makes its own
       */
      readonly presignatures: readonly string[];
      /** the signables that this session signs; undefined for all, where one session may sign that many */
      readonly part?: SignablePart | undefined;
      /** DeadTransactions: earlier transactions of the request that can no longer land; undefined where there are none */
      readonly dead: SignedAuthorisation | undefined;
      readonly expiresAtMs: number;
    };

/** A consecutive part of a transaction's signables. */
export interface SignablePart {
  /** index of the first signable, from 0 */
  readonly from: number;
  /** 1 to SIGNABLES_PER_SESSION_MAX */
  readonly count: number;
}

export type CommandKind = Command["kind"];
export type CommandOf<Kind extends CommandKind> = Extract<Command, { readonly kind: Kind }>;
/** The part of a command that a coordinator's caller gives; the coordinator adds the signers and the deadline. */
export type AskedOf<Kind extends CommandKind> = Omit<
  CommandOf<Kind>,
  "kind" | "quorum" | "presignatures" | "expiresAtMs"
>;

/** A change of a key to its next epoch: a refresh for its holders, or a reshare for the whole roster. */
export type KeyChange =
  | Omit<CommandOf<"key-refresh">, "expiresAtMs">
  | (Omit<CommandOf<"key-reshare">, "expiresAtMs"> & { readonly dealers: readonly PartyIndex[] });
