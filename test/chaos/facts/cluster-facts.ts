/** A row of chain_requests, with the transactions signed for it. */
export interface RowFact {
  readonly id: string;
  readonly orgId: string;
  readonly walletId: string;
  readonly externalId: string | undefined;
  readonly status: string;
  readonly reason: string | undefined;
  readonly txHash: string | undefined;
  /** the place among the account's transactions; undefined in families that do not count them */
  readonly sequence: bigint | undefined;
  readonly approvalId: string | undefined;
  readonly authorisation: AuthorisationFact | undefined;
  /** bytes of every transaction signed for it, in hex, including dead ones */
  readonly signed: readonly string[];
}

/** The readable parts of the authority's statement. */
export interface AuthorisationFact {
  /** whether the authority signed exactly these bytes */
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
  /** its data about the resource, as `contentText` writes it */
  readonly content: string;
}

/** A request that the queue still holds. */
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
  /** publishing time of each published event in the outbox, in Unix milliseconds by the database's clock */
  readonly publishing: ReadonlyMap<string, number>;
  /** ids of events in the outbox that are not published */
  readonly unpublished: readonly string[];
  /** pending deliveries, by the name of their event */
  readonly waitingDeliveries: readonly string[];
  readonly due: readonly DueFact[];
  readonly faults: readonly FaultFact[];
}

/** A transaction from the node, as the chain's own library reads it. */
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
  /** by request; a text says why there is no transaction */
  readonly landed: ReadonlyMap<string, LandedFact | string>;
  /** by `accountName` */
  readonly balances: ReadonlyMap<string, bigint>;
  /** hashes of all transactions that a wallet sent, by wallet id; only on EVM, where the node lists them */
  readonly sent: ReadonlyMap<string, readonly string[]>;
}

export const accountName = (network: string, address: string): string => `${address} on ${network}`;
/** An event's name for a webhook receiver, which never sees the event's id. */
export const eventName = (kind: string, resourceId: string, date: string): string =>
  `${kind} of ${resourceId} at ${date}`;

/** A signer's report on its share of a key. */
export interface HoldingFact {
  readonly keyId: string;
  readonly state: string;
  readonly epoch: number;
  readonly publicKey: string;
}

/** A share in a signer's store. */
export interface ShareFact {
  readonly keyId: string;
  /** the signer that the share belongs to */
  readonly party: number;
}

/** A tombstone: a spent presignature. */
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
  /** ids of presignatures still in its store; there must be none */
  readonly presignatures: readonly string[];
  /** from its store, and from its former stores that a fault took away */
  readonly spent: readonly SpentFact[];
  /** presignatures of the stock that a former store spent, and the present store does not know as spent */
  readonly forgotten: readonly string[];
}

/** A signer's log line that its store is an old copy. */
export interface OldCopyFact {
  readonly by: number;
  /** counts of its spent presignatures: by its store, and by its own signature */
  readonly held: number;
  readonly signed: number;
}

/** A signer's log line that a peer failed a check which anybody can repeat. */
export interface CaughtFact {
  readonly by: number;
  readonly culprit: number;
  readonly check: string;
  /** by the clock of the signer's process */
  readonly atMs: number;
}

/** A key, computed from several sets of t shares. */
export interface KeyFact {
  readonly keyId: string;
  /** whether all sets gave the same key */
  readonly isOne: boolean;
  /** whether presignatures sign for it */
  readonly isEcdsa: boolean;
}

/** A known secret found in a wrong place. */
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

/** Everything read of a cluster after its load. */
export interface ClusterFacts {
  readonly database: DatabaseFacts;
  /** events on the bus, in order */
  readonly published: readonly EventFact[];
  readonly chain: ChainFacts;
  readonly signers: readonly SignerFacts[];
  readonly caught: readonly CaughtFact[];
  readonly oldCopies: readonly OldCopyFact[];
  readonly keys: readonly KeyFact[];
  readonly leaks: readonly LeakFact[];
  readonly strangers: readonly StrangerFact[];
}
