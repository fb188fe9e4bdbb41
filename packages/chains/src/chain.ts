import type {
  AbiFunctionBody,
  Act,
  Asset,
  ContentReading,
  Effects,
  FamilyContent,
  FamilyRules,
  FeeLevels,
  KeyId,
  Network,
  NetworkFamily,
  Priority,
  Result,
  SchemeSignature,
  SignatureBody,
  TransactionBody,
  TransactionDetails,
  TransactionReading,
  TransferBody,
} from "@conclave/custody";
import type { z } from "zod";
import type { BlockDate } from "./block-date.ts";
import type { FeeBumps } from "./fee-bumps.ts";

/** One entry of the networks file: a network that this process serves. Further members belong to its family. */
export interface NetworkEntry {
  /** the network's name in the API, such as "EthereumSepolia" */
  readonly network: string;
  readonly family: NetworkFamily;
  /** when the service raises fees by itself; only in families that replace waiting transactions */
  readonly feeBumps?: FeeBumps | undefined;
  /** the same network at a second node, which is asked too (`withSecondNode`) */
  readonly second?: NetworkEntry | undefined;
}

/** An entry that its family has parsed. */
export type EnabledNetwork = NetworkEntry & { readonly network: Network };

/** Where a transaction stands among those of its account. Families that do not count transactions ignore it. */
export type Sequencing =
  /** after all others: the lowest place that our own records leave free; the chain may be further */
  | { readonly kind: "next"; readonly lowest: bigint }
  /**
   * it was built before, and is built again with current fees: at most one of the two lands. Families that do not count
   * transactions ensure this by means of the earlier unsigned bytes
   */
  | { readonly kind: "kept"; readonly sequence: bigint | undefined; readonly earlier?: Uint8Array }
  /** in place of a waiting transaction with these unsigned bytes: at most one of the two lands */
  | { readonly kind: "replacing"; readonly sequence: bigint | undefined; readonly earlier: Uint8Array };

/** The input of `build`. */
export interface TransactionIntent {
  /** the wallet's address */
  readonly sender: string;
  /** public keys of the wallet and then of the act's cosigners, in their order */
  readonly keys: readonly Uint8Array[];
  readonly act: Act;
  readonly priority: Priority | undefined;
  readonly sequencing: Sequencing;
  /** whether the caller wants the transaction sent even if a token's dry run returns failure (`sendAnyway`) */
  readonly insists?: boolean;
  /**
   * in families that spend coins: unsigned bytes of the account's other transactions that may still land; `build` leaves their
   * coins alone. A problem that waits for some of them names their indices in this list: `awaits`
   */
  readonly alive?: readonly Uint8Array[];
  /**
   * whether the service gathers coins on its own: nobody waits for it, so it spends only final coins, and leaves the largest to
   * payments
   */
  readonly isGathering?: boolean;
}

export interface BuiltTransaction {
  readonly unsigned: Uint8Array;
  /** its place among the transactions of its account; undefined in families that do not count them */
  readonly sequence: bigint | undefined;
  readonly details: TransactionDetails;
}

export interface SignedTransaction {
  readonly signed: Uint8Array;
  /** its id on the chain */
  readonly txHash: string;
}

/** The transaction of a request that is to be replaced. */
export interface ReplacedTransaction {
  /** the request's own act */
  readonly act: Act;
  readonly sequence: bigint | undefined;
  /** its signed bytes at the time when the replacement was requested, to bound the replacement's cost; not trusted */
  readonly signed: Uint8Array;
}

/** A waiting transaction whose fee the service may raise, with the limit and the current fees. */
export interface StuckTransaction {
  readonly replaced: ReplacedTransaction;
  /** its unsigned bytes */
  readonly unsigned: Uint8Array;
  /** set by the operator: `cap` of the network's `feeBumps` */
  readonly cap: string;
  /** the current fees */
  readonly market: FeeLevels;
}

/** The service's own bid to replace a waiting transaction. */
export type FeeBid =
  /** @param content the speed-up; it states the highest fee, within the cap, which signers enforce */
  | { readonly kind: "bid"; readonly content: FamilyContent }
  /** even the lowest fee that would replace it is above the cap; `least` is in the cap's unit */
  | { readonly kind: "above-cap"; readonly least: string }
  /** the caller chose the fee: only the caller may raise it */
  | { readonly kind: "callers-fee" };

/** How a family replaces a waiting transaction, and its rules for a place that a caller fixes. */
export interface Replacements {
  /**
   * The same payload in the same place, to be built with higher fees, bounded by those of the replaced transaction.
   * @param market `feeLevels` of the node at the time of the request: the bound is at least its `fast` price
   */
  speedUp(replaced: ReplacedTransaction, market?: FeeLevels): Result<FamilyContent>;
  /**
   * A speed-up that the service makes by itself. It bids at least the minimum that nodes accept for a replacement, or the
   * market's fee if that is higher; at most the cap. Absent in families that raise no fees.
   */
  bump?(stuck: StuckTransaction): Result<FeeBid>;
  /** An empty transaction in the same place, with fees bounded like a speed-up's. */
  cancel(replaced: ReplacedTransaction, sender: string, market?: FeeLevels): Result<FamilyContent>;
  /** A caller's transaction, bound to the place of the transaction that it replaces. */
  takePlace(content: FamilyContent, sequence: bigint | undefined): Result<FamilyContent>;
  /** The place that a caller's transaction fixes; undefined if it fixes none. */
  fixedSequence(content: FamilyContent): Result<bigint | undefined>;
  /** Judges a place that a caller fixed without a replacement: NonceUsed or NonceGap unless it is the next one. */
  judgeSequence(wanted: bigint, next: bigint): Result<void>;
  /** Judges, without the chain, whether a caller's transaction may replace a waiting one, for example by its fees. */
  judge(earlier: Uint8Array, content: FamilyContent): Result<void>;
}

/**
 * The part of a chain family that needs no chain: a pure value. To add a family, write one of these, its node (`ChainNode`),
 * and a line in each of the two registries.
 *
 * The registry passes a family only its own entries; therefore `Entry` and `Situation` may be narrower here than the types that
 * callers hold.
 */
export interface ChainFamily<Entry extends NetworkEntry = NetworkEntry, Situation = unknown>
  extends FamilyRules {
  /** its entries of the networks file */
  readonly entrySchema: z.ZodType<Entry & { readonly network: Network }>;
  /**
   * Whether a request whose transactions are all dead is built again. If not, it has failed. A family that rebuilds has a
   * deadline in its bytes, or exclusions that show which transactions may follow one another.
   */
  readonly rebuilds: boolean;
  /** Whether each transaction of an account has a place, in which it lands after those before it. */
  readonly countsTransactions: boolean;
  /**
   * The id of a transaction from its unsigned bytes, in families that do not count transactions and whose ids do not depend on
   * signatures. By it the node finds which of a request's versions landed.
   */
  idOf?(unsigned: Uint8Array): string | undefined;
  /** Identifies the chain of an entry: entries of one family with equal results are on the same chain. */
  chainOf(entry: Entry): string;
  /** The keys that sign each transaction of a network beside the wallet's; each has its own scheme. */
  cosignersOf(entry: Entry): readonly KeyId[];
  /** The address of a public key: 33 bytes of secp256k1, compressed, or 32 of Ed25519. */
  addressOf(network: Network, publicKey: Uint8Array): string;
  /** Writes unsigned bytes for the chain's situation. @returns the reason if that is impossible, such as InsufficientFunds */
  build(entry: Entry, situation: Situation, intent: TransactionIntent): Result<BuiltTransaction>;
  /**
   * The place and details of unsigned bytes, like those of `build` except for facts not in the bytes. It serves transactions
   * whose record is lost.
   * @param sender the wallet's address
   * @returns TransactionUnreadable, TransactionMismatch
   */
  describe(unsigned: Uint8Array, sender: string): Result<Omit<BuiltTransaction, "unsigned">>;
  /**
   * Reads unsigned bytes against the act (INV-3): they must be the one encoding of exactly the authorised act, on the entry's
   * chain. The family parses its own part of the act strictly: an unknown field is refused.
   * @returns TransactionUnreadable, TransactionMismatch (details.field), FeeAboveCap
   */
  read(entry: Entry, unsigned: Uint8Array, act: Act): Result<TransactionReading>;
  /** The bytes that a caller built, for a transaction to send or only to sign; undefined if the content has none. */
  givenBytes(content: FamilyContent): Uint8Array | undefined;
  /**
   * The account whose money a caller's own bytes move, on chains where a key may sign for another account than its own: by a
   * regular key, a signer list, a permission or a rekey. Undefined if the bytes cannot be read. Families without it have no
   * such bytes.
   */
  accountOf?(content: FamilyContent): string | undefined;
  /** Reads content that is signed and not sent. @param entries of this family */
  readContent(entries: readonly Entry[], content: FamilyContent): Result<ContentReading>;
  /**
   * Whether the protocol alone ensures that at most one of two transactions lands (INV-4).
   * @param earlier an exclusion from `read`, like `later`; any other bytes exclude nothing
   */
  excludes(earlier: Uint8Array, later: Uint8Array): boolean;
  /** The exclusion for a signer's record of version 0.1, which had EVM as its only family. */
  exclusionOfNonce?(nonce: bigint): Uint8Array;
  /**
   * The effects of a transfer, transaction or content, for policies to judge, and the highest fees that its caller can cause.
   * An unreadable effect is unknown.
   * @param entry undefined when the network is unknown
   * @param isReplacement whether it replaces another transaction, so that the caller causes its higher fees
   */
  effectsOf(entry: Entry | undefined, content: FamilyContent, isReplacement: boolean): Effects;
  /**
   * Puts signatures into their transaction, after checking each of them once more.
   * @param signatures in the order of the reading's signables
   * @param keys public keys of the wallet and then of the cosigners
   * @param entry of the transaction's network: required by families whose bytes name no chain, such as Stellar
   * @returns the bytes to broadcast; Internal when a signature is not of its key
   */
  attach(
    unsigned: Uint8Array,
    signatures: readonly SchemeSignature[],
    keys: readonly Uint8Array[],
    entry?: Entry,
  ): Result<SignedTransaction>;
  /**
   * Like `attach`, for content that is signed and not broadcast. Only families whose clients expect another form than the bytes
   * to broadcast have it: on Bitcoin, a PSBT with its signatures.
   * @param asked the body of the request: its fields that no signature covers are returned unchanged
   */
  signedContent?(
    unsigned: Uint8Array,
    signatures: readonly SchemeSignature[],
    keys: readonly Uint8Array[],
    asked?: SignatureBody,
  ): Result<Uint8Array>;
  readonly replacements: Replacements;
}

/** The outcome of a broadcast. The same bytes may be sent any number of times (INV-4). */
export type BroadcastOutcome =
  /**
   * the node has it, from this call or before; `isProcessed` if these unsigned bytes have landed already, under whichever
   * signature
   */
  | { readonly kind: "accepted"; readonly isProcessed?: true }
  /**
   * it cannot land in the node's current state: its place is taken, by itself or by another, or it has expired. Only the
   * chain's final state decides: see `fateOf`
   */
  | { readonly kind: "outdated"; readonly reason: string }
  /** the node refuses it for now, or does not answer; it may accept the same bytes later */
  | { readonly kind: "refused"; readonly reason: string }
  /**
   * the node's rules refuse these bytes at any time, for example for a gas limit above every block's. They are not dead: a node
   * with other rules may accept them. Another transaction in their place frees the wallet; `byFee` if a higher fee alone would
   * make them acceptable
   */
  | { readonly kind: "unacceptable"; readonly reason: string; readonly byFee?: true };

/** Whether and where a node sees a transaction. */
export type Sighting =
  | { readonly kind: "unknown" }
  /** in the node's pool, not in a block */
  | { readonly kind: "waiting" }
  | ({
      readonly kind: "included";
      readonly height: bigint;
      readonly blockHash: string;
      /** whether its block is deep enough to count as confirmed on this network */
      readonly isFinal: boolean;
      /** fee actually paid, in the smallest unit of the native coin */
      readonly fee: bigint;
      /** false when the chain executed it and reverted its effects, or when the expected transfer moved nothing */
      readonly succeeded: boolean;
      /** true when the chain counts it as executed but the expected transfer moved nothing; `succeeded` is false then */
      readonly movedNothing?: true;
      /**
       * amount that reached the recipient of the expected transfer, in the asset's smallest unit, if it differs from the
       * requested amount, as with a token that takes a fee from each transfer
       */
      readonly arrived?: bigint;
      /** the chain's reason for the failure, if it gives one */
      readonly reason?: string;
    } & BlockDate);

/** A transaction of one of our requests. Its ids and hashes are computed from its bytes, never read from a record. */
export interface OwnTransaction {
  readonly unsigned: Uint8Array;
  readonly signed: Uint8Array;
}

/**
 * A transaction as the chain shows it: its unsigned bytes in the form that the family's `read` accepts, with the signature on
 * the chain.
 */
export interface SentTransaction extends OwnTransaction, SignedTransaction {}

/** The places of an account to search; the search ends before the chain's next place. */
export interface PlacesToSearch {
  readonly lowest: bigint;
  /** equal to `lowest` to search one place; undefined: all places before the chain's next one */
  readonly highest: bigint | undefined;
  /** whether our records name the transaction at a place */
  readonly isExplained: (place: bigint) => boolean;
}

/** The search for one of the transactions that an account has sent. */
export interface SentSearch {
  readonly act: Act;
  /** Unix ms: blocks with an earlier date cannot hold it */
  readonly sinceMs: number;
  /** undefined in families that do not count transactions */
  readonly places: PlacesToSearch | undefined;
  /**
   * in families that spend coins: the unsigned bytes of a dead transaction. The search examines only transactions that finally
   * spent coins of it, whatever their date
   */
  readonly inPlaceOf?: Uint8Array;
  /** Whether a transaction is the wanted one. */
  readonly isIt: (sent: SentTransaction) => Promise<boolean>;
}

/** Whether any of some transactions can still land. */
export type Fate =
  /** at least one has landed, or may still land */
  | { readonly kind: "open" }
  /** by final blocks, none has landed or can land any more */
  | { readonly kind: "dead"; readonly reason: string };

export interface ChainHead {
  readonly height: bigint;
  readonly hash: string;
  /** the highest block whose transactions count as confirmed on this network; `isFinal` of a sighting is true up to it */
  readonly confirmedHeight: bigint;
  /** the highest block that nothing can undo, by the family's rule of finality */
  readonly finalHeight: bigint;
}

/** The parts of a block that concern us. */
export interface OwnBlock extends BlockDate {
  readonly height: bigint;
  readonly hash: string;
  readonly parentHash: string;
  /** ids of our transactions in it, in the block's order */
  readonly holds: readonly string[];
}

/** The arrival of anybody's transaction at an account, with the time of its block. */
export interface Arrival extends BlockDate {
  readonly txHash: string;
  /** its place among all arrivals of the block; the same on every read of the block */
  readonly place: string;
  /** undefined where the chain names no sender */
  readonly from: string | undefined;
  /** the movement as the body of a transfer; its `to` is spelled as `addressOf` spells it */
  readonly moved: TransferBody;
}

/** Looks up which addresses are ours: of wallets, or watched. Addresses are spelled as `addressOf` spells them. */
export type AreOurs = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/** The coins of an account that could be merged into one. */
export interface Gatherable {
  /** number of coins in final blocks that hold more than they cost to spend */
  readonly coins: number;
  /** a transaction that gathers as many of them as one can spend, with a bound on its cost */
  readonly body: TransactionBody;
}

/** Gathers coins before they are needed, while fees are low. */
export interface CoinGathering {
  /** Whether fees are so low now that gathering is worthwhile; false if the node cannot say. */
  isCheap(): Promise<Result<boolean>>;
  coinsOf(owner: string): Promise<Result<Gatherable>>;
}

/**
 * The node of one network: the only part of a family that does I/O. All pass one test suite,
 * `testing/conformance/chain-conformance.ts`. Every call returns ServiceUnavailable when the node is unavailable or cannot
 * tell, which is temporary.
 */
export interface ChainNode<Entry extends NetworkEntry = NetworkEntry> {
  readonly network: Entry;
  /** Reads the chain's state, and writes the unsigned bytes of a transaction from it with the family's pure `build`. */
  build(intent: TransactionIntent): Promise<Result<BuiltTransaction>>;
  /** @param signed as the family's `attach` returned it; for anything else it may throw */
  broadcast(signed: Uint8Array): Promise<BroadcastOutcome>;
  head(): Promise<Result<ChainHead>>;
  /** The chain that the node follows, in the form of the family's `chainOf`. */
  ofChain(): Promise<Result<string>>;
  /**
   * Whether the node says that it is still syncing its chain, for example after a new start: few blocks then say nothing about
   * the chain. Absent in families whose nodes do not report this.
   */
  readonly isCatchingUp?: () => Promise<Result<boolean>>;
  /** @param ours hashes to look for. @returns undefined when there is no block of this height yet */
  block(height: bigint, ours: ReadonlySet<string>): Promise<Result<OwnBlock | undefined>>;
  /**
   * Looks for a transaction.
   * @param expected the transfer that the transaction carries out, as its family writes it: the sighting then tells whether it
   * moved the asset. Without it only the chain's own verdict counts
   */
  sight(txHash: string, expected?: FamilyContent): Promise<Result<Sighting>>;
  /**
   * Judges, by the chain's record of a recipient, whether anybody could use the transferred asset. Absent in families whose
   * chains have no such record. Checks that need no chain are in `judgeRecipient` of the family's rules.
   * @param transfer as its family writes it
   * @returns RecipientUnsuitable, ServiceUnavailable
   */
  readonly judgeRecipient?: (transfer: FamilyContent) => Promise<Result<void>>;
  /**
   * The arrivals of a final block at our addresses, and those that our payers paid; families without it detect no deposits.
   * It does not see movements inside contracts that no log reports.
   * @param arePayers the payers whose payments to anybody are looked for; absent: none. Families without `judgeWatched`
   * do not look for any
   * @returns undefined when the node says, in words or by a code of its own, that it has no block of this height yet, or has
   * pruned it; BlockTooLarge when even the smallest possible pieces of the block are too large to read; ServiceUnavailable for
   * all else, as on EVM and Bitcoin for each block that the node itself does not call final, even one that it does not have yet
   */
  readonly arrivals?: (
    height: bigint,
    areOurs: AreOurs,
    arePayers?: AreOurs,
  ) => Promise<Result<readonly Arrival[] | undefined>>;
  /**
   * Whether transactions of one sender are dead, by final blocks. The answer rests on one block of one node: a node that does
   * not know that block, or that follows another chain, gives no verdict, which is ServiceUnavailable.
   *
   * Signers sign the same unsigned bytes again, and an orchestrator may hide the result. So a family that rebuilds, and whose
   * ids depend on the signature, must not look only for the ids of `signed`.
   * @param transactions all of them, at least one
   */
  fateOf(sender: string, transactions: readonly OwnTransaction[]): Promise<Result<Fate>>;
  /**
   * Looks for the same unsigned bytes on the chain under another signature. Absent in families whose hashes do not depend on
   * the signature. Signers may sign the same bytes again, for example for a database that lost the first signature.
   * @returns the landed transaction with the signature on the chain; undefined if that is the known one, or if nothing or
   * another transaction is in its place; ServiceUnavailable when the node does not show it
   */
  readonly twinOf?: (sender: string, own: OwnTransaction) => Promise<Result<SignedTransaction | undefined>>;
  /**
   * Looks among the transactions that an account has sent for one that our records lack, for example after a restore of all of
   * them. It searches final and other blocks, and verifies each transaction that the node shows: its signature must be the
   * account's and give the hash on the chain.
   * @returns the first match, lowest place first; undefined if all candidates were examined; ServiceUnavailable when the node
   * does not show a candidate, such as one that waits in its pool
   */
  readonly findSent?: (sender: string, search: SentSearch) => Promise<Result<SentTransaction | undefined>>;
  /** The place of the account's next transaction on the chain; undefined in families that do not count transactions. */
  nextSequence(sender: string): Promise<Result<bigint | undefined>>;
  /** A token's own metadata; empty if it has none. */
  describeToken(token: string): Promise<Result<Asset>>;
  /** The balance of an account in the native coin, in its smallest unit. */
  balance(owner: string): Promise<Result<bigint>>;
  /** The balance of an account in a fungible token, in its smallest unit; undefined if the token does not exist. */
  tokenBalance(owner: string, token: string): Promise<Result<bigint | undefined>>;
  /** The owner of a non-fungible token; undefined if nobody owns it. */
  tokenOwner(token: string, tokenId: bigint): Promise<Result<string | undefined>>;
  /**
   * A contract's answer to a read-only call. Absent in families without such calls.
   * @param data of the call, hex with 0x
   * @returns hex with 0x; AddressInvalid; ExecutionReverted when the contract reverts or returns too much
   */
  readonly callContract?: (contract: string, data: string) => Promise<Result<string>>;
  /**
   * Calls a read-only function of the contract by its ABI.
   * @param given the arguments from JSON: a list, or an object by the names of the inputs
   * @returns the single output, or a list of several; problems as of `callContract`, and InvalidBody for arguments that do not
   * fit the function
   */
  readonly callFunction?: (
    contract: string,
    abi: AbiFunctionBody,
    given: unknown,
  ) => Promise<Result<unknown>>;
  /** The current fees. */
  feeLevels(): Promise<Result<FeeLevels>>;
  /** Only in families whose accounts hold many coins; an account with one balance has nothing to gather. */
  readonly gathering?: CoinGathering;
}
