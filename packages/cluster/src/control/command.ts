import type { SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";

/**
 * The command to one signer for one session. Coordinators ask it, the wire carries it, the signer begins it, and
 * sessions, runs and status name it by its kind. `expiresAtMs` is the session's deadline, Unix milliseconds: all signers of a
 * session receive the same, for the run binds it.
 */
export type Command =
  /** makes the Paillier and ring-Pedersen material that all keys of the roster share; all signers take part */
  | {
      readonly kind: "auxiliary";
      readonly epoch: number;
      /** AuthorisedAuxiliary; none for the first epoch alone */
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
      /** the encrypted share of this signer, as the client made it */
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
  /** t holders deal new shares of a key to the whole roster, so that a signer which lost its share has one again */
  | {
      readonly kind: "key-reshare";
      /** AuthorisedKeyChange */
      readonly authorisation: SignedAuthorisation;
      /** exactly threshold holders, ascending */
      readonly dealers: readonly number[];
      /** publicKeyInfoCodec of the current key: a signer without the key has no other source for it */
      readonly info: Uint8Array;
      readonly expiresAtMs: number;
    }
  /** makes one presignature for the pool; it signs nothing, so it needs no authorisation */
  | {
      readonly kind: "presigning";
      /** ascending, exactly threshold of them */
      readonly quorum: readonly number[];
      readonly keyId: string;
      readonly expiresAtMs: number;
    }
  /** signs a transaction, or what stands in the authorisation, with the keys that the authorisation names */
  | {
      readonly kind: "signing";
      /** ascending, exactly threshold of them */
      readonly quorum: readonly number[];
      readonly keyId: string;
      /** AuthorisedSigning */
      readonly authorisation: SignedAuthorisation;
      /** the unsigned transaction, whole; empty when all that is signed stands in the authorisation */
      readonly unsigned: Uint8Array;
      /**
       * a ready presignature of this key and quorum for each CGGMP24 signable, in their order, 64 lower-case hex digits
       * each; none: the session makes its own
       */
      readonly presignatures: readonly string[];
      /** which of the signables this session signs; undefined for all of them, where one session may sign so many */
      readonly part?: SignablePart | undefined;
      /** DeadTransactions: earlier transactions of the request that can no longer land, where there are any */
      readonly dead: SignedAuthorisation | undefined;
      readonly expiresAtMs: number;
    };

/** Some of the things to sign of one transaction, in their order. */
export interface SignablePart {
  /** the first of them, from 0 */
  readonly from: number;
  /** 1 to SIGNABLES_PER_SESSION_MAX */
  readonly count: number;
}

export type CommandKind = Command["kind"];
export type CommandOf<Kind extends CommandKind> = Extract<Command, { readonly kind: Kind }>;
/** The part of a command that a coordinator is given; it adds the signers that take part, and the deadline. */
export type AskedOf<Kind extends CommandKind> = Omit<
  CommandOf<Kind>,
  "kind" | "quorum" | "presignatures" | "expiresAtMs"
>;

/** A next epoch of a key: new shares for its holders, or shares dealt out anew to the whole roster. */
export type KeyChange =
  | Omit<CommandOf<"key-refresh">, "expiresAtMs">
  | (Omit<CommandOf<"key-reshare">, "expiresAtMs"> & { readonly dealers: readonly PartyIndex[] });
