/** A row of chain_requests, with what was signed for it. */
export interface RowFact {
  readonly id: string;
  readonly orgId: string;
  readonly walletId: string;
  readonly externalId: string | undefined;
  readonly status: string;
  readonly reason: string | undefined;
  readonly txHash: string | undefined;
  /** the account's place that it took; undefined in families whose accounts count nothing */
  readonly sequence: bigint | undefined;
  readonly approvalId: string | undefined;
  readonly authorisation: AuthorisationFact | undefined;
  /** bytes of every transaction that was signed for it, in hex, dead ones too */
  readonly signed: readonly string[];
}

/** The authority's statement, as far as it can be read. */
export interface AuthorisationFact {
  /** whether the signature is the authority's, over these very bytes */
  readonly isByAuthority: boolean;
  readonly requestId: string;
  readonly walletId: string;
  readonly to: string | undefined;
  readonly amount: string | undefined;
  readonly outcome: string;
  readonly approvalId: string | undefined;
  readonly approvers: readonly string[];
}

export interface ApprovalFact {
  readonly id: string;
  readonly subjectId: string;
  readonly status: string;
  readonly votes: readonly { readonly userId: string; readonly value: string }[];
}

/** An event, in the order of the changes. */
export interface EventFact {
  readonly id: string;
  readonly kind: string;
  readonly orgId: string;
  readonly resourceId: string;
  readonly date: string;
  /** its data of the resource, as `contentText` writes it */
  readonly content: string;
}

/** A request that is not carried out yet, as the queue has it. */
export interface DueFact {
  readonly id: string;
  readonly isParked: boolean;
  readonly reason: string | undefined;
}

export interface FaultFact {
  readonly culprit: number;
  readonly reporter: number;
  readonly check: string;
}

export interface DatabaseFacts {
  readonly rows: readonly RowFact[];
  readonly approvals: readonly ApprovalFact[];
  readonly events: readonly EventFact[];
  /** when it began to publish each event that the outbox says is published, in Unix milliseconds by the database's clock */
  readonly publishing: ReadonlyMap<string, number>;
  /** ids of events that the outbox has and has not published */
  readonly unpublished: readonly string[];
  /** deliveries that are still to be made, by the name of their event */
  readonly waitingDeliveries: readonly string[];
  readonly due: readonly DueFact[];
  readonly faults: readonly FaultFact[];
}

/** A transaction as the chain's own library reads it from the node. */
export interface LandedFact {
  readonly sender: string;
  readonly recipient: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly isSigned: boolean;
  /** hex */
  readonly signed: string;
}

export interface ChainFacts {
  /** by request; a text says why there is none */
  readonly landed: ReadonlyMap<string, LandedFact | string>;
  /** by `accountName` */
  readonly balances: ReadonlyMap<string, bigint>;
  /** the hashes of all that a wallet sent, by its id, where the node lists them: on EVM */
  readonly sent: ReadonlyMap<string, readonly string[]>;
}

export const accountName = (network: string, address: string): string => `${address} on ${network}`;
/** An event's name for a receiver of webhooks, who never sees the event's own id. */
export const eventName = (kind: string, resourceId: string, date: string): string =>
  `${kind} of ${resourceId} at ${date}`;

/** A signer's own statement of its share of a key. */
export interface HoldingFact {
  readonly keyId: string;
  readonly state: string;
  readonly epoch: number;
  readonly publicKey: string;
}

/** A share in a signer's store. */
export interface ShareFact {
  readonly keyId: string;
  /** the holder of the share */
  readonly party: number;
}

/** That a presignature is spent. */
export interface SpentFact {
  readonly id: string;
  readonly digest: string;
  readonly requestId: string;
}

export interface SignerFacts {
  readonly index: number;
  /** undefined when it did not answer */
  readonly holdings: readonly HoldingFact[] | undefined;
  readonly shares: readonly ShareFact[];
  /** ids of presignatures in its store: none belongs there */
  readonly presignatures: readonly string[];
  /** by its store, and by those that were taken away from it */
  readonly spent: readonly SpentFact[];
  /** presignatures of the stock that it spent by a store that was taken away, and not by the one that it has */
  readonly forgotten: readonly string[];
}

/** That a signer says in its log that its store is an old copy. */
export interface OldCopyFact {
  readonly by: number;
  /** how many presignatures it had spent by its store, and by its own signature */
  readonly held: number;
  readonly signed: number;
}

/** That a signer says in its log that a peer deviated, by a check that anybody can repeat. */
export interface CaughtFact {
  readonly by: number;
  readonly culprit: number;
  readonly check: string;
  /** by the clock of its process */
  readonly atMs: number;
}

/** A key, by the shares of some t signers and of some other t. */
export interface KeyFact {
  readonly keyId: string;
  /** whether all that was tried give one key */
  readonly isOne: boolean;
  /** whether it signs by presignatures */
  readonly isEcdsa: boolean;
}

/** A known secret, where it must not be. */
export interface LeakFact {
  readonly secret: string;
  readonly isKey: boolean;
  readonly places: readonly string[];
}

/** The answers to a caller of another organisation. */
export interface StrangerFact {
  readonly path: string;
  readonly status: number;
}

/** Everything that is read of a cluster once its load has ended. */
export interface ClusterFacts {
  readonly database: DatabaseFacts;
  /** ids and kinds of events on the bus, in order */
  readonly published: readonly EventFact[];
  readonly chain: ChainFacts;
  readonly signers: readonly SignerFacts[];
  readonly caught: readonly CaughtFact[];
  readonly oldCopies: readonly OldCopyFact[];
  readonly keys: readonly KeyFact[];
  readonly leaks: readonly LeakFact[];
  readonly strangers: readonly StrangerFact[];
}
