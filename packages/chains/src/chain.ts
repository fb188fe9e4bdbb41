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

/** One entry of the networks file: a network that this process serves. Its other members are its family's. */
export interface NetworkEntry {
  /** the name of the interface, such as "EthereumSepolia" */
  readonly network: string;
  readonly family: NetworkFamily;
  /** when the service raises fees by itself; of families that replace what waits */
  readonly feeBumps?: FeeBumps | undefined;
  /** the same network at another node, which is asked as well (`withSecondNode`) */
  readonly second?: NetworkEntry | undefined;
}

/** The same, parsed by its family. */
export type EnabledNetwork = NetworkEntry & { readonly network: Network };

/** Where a transaction stands among those of its account. Families that count none of them pass over it. */
export type Sequencing =
  /** behind all others: the lowest place that our own records leave free; the chain may have moved further */
  | { readonly kind: "next"; readonly lowest: bigint }
  /**
   * it was built before, and is built again with the fees of now: at most one of the two lands. Families that count no
   * transactions find in the earlier unsigned bytes what tells that
   */
  | { readonly kind: "kept"; readonly sequence: bigint | undefined; readonly earlier?: Uint8Array }
  /** in the place of one that waits, whose unsigned bytes these are: at most one of the two lands */
  | { readonly kind: "replacing"; readonly sequence: bigint | undefined; readonly earlier: Uint8Array };

/** The input of a transaction. */
export interface TransactionIntent {
  /** the wallet's address */
  readonly sender: string;
  /** public keys of the wallet and then of the act's cosigners, in their order */
  readonly keys: readonly Uint8Array[];
  readonly act: Act;
  readonly priority: Priority | undefined;
  readonly sequencing: Sequencing;
  /** whether the caller wants it sent although a token's own word in the trial is against it (`sendAnyway`) */
  readonly insists?: boolean;
  /**
   * of families that spend coins: unsigned bytes of the account's other transactions that are built and may still land,
   * whose coins this one leaves alone. A problem that waits for some of them says which: `awaits`, their places in this list
   */
  readonly alive?: readonly Uint8Array[];
  /**
   * whether the service gathers coins by itself: nobody waits for it, so it takes final coins alone, and leaves the largest to payments
   */
  readonly isGathering?: boolean;
}

export interface BuiltTransaction {
  readonly unsigned: Uint8Array;
  /** its place among the transactions of its account, in families that count them */
  readonly sequence: bigint | undefined;
  readonly details: TransactionDetails;
}

export interface SignedTransaction {
  readonly signed: Uint8Array;
  /** how the chain names it */
  readonly txHash: string;
}

/** The transaction of a request that another one is to take the place of. */
export interface ReplacedTransaction {
  /** the request's own act */
  readonly act: Act;
  readonly sequence: bigint | undefined;
  /** its signed bytes as they were when the replacement was asked for, to bound what that one may cost; anybody's word */
  readonly signed: Uint8Array;
}

/** The base of a raised fee, and its limit. */
export interface StuckTransaction {
  readonly replaced: ReplacedTransaction;
  /** its unsigned bytes */
  readonly unsigned: Uint8Array;
  /** the operator's: `cap` of the network's `feeBumps` */
  readonly cap: string;
  /** the current fees */
  readonly market: FeeLevels;
}

/** The service's own bid for a waiting transaction. */
export type FeeBid =
  /** @param content the speed-up, in which signers find the most that it may cost: no more than the cap */
  | { readonly kind: "bid"; readonly content: FamilyContent }
  /** the least that takes the place of what waits is above the cap; both in the unit of the cap */
  | { readonly kind: "above-cap"; readonly least: string }
  /** its caller chose the fee: only its caller raises it */
  | { readonly kind: "callers-fee" };

/** How a family replaces a transaction that waits, and what of its place a caller may fix. */
export interface Replacements {
  /**
   * The same payload in the same place, to be built with higher fees. Those of what it replaces bound them.
   * @param market the fees when the replacement is requested, as `feeLevels` of the node gives them: the bound
   * is then no
   *   lower than its `fast` price
   */
  speedUp(replaced: ReplacedTransaction, market?: FeeLevels): Result<FamilyContent>;
  /**
   * The same for what nobody asked for: at least what nodes take in the place of what waits, the market's fee where that is more, at
   * most the cap. Absent where no fee is raised.
   */
  bump?(stuck: StuckTransaction): Result<FeeBid>;
  /** Nothing at all in the same place, bounded likewise. */
  cancel(replaced: ReplacedTransaction, sender: string, market?: FeeLevels): Result<FamilyContent>;
  /** A caller's transaction, bound to the place of what it replaces. */
  takePlace(content: FamilyContent, sequence: bigint | undefined): Result<FamilyContent>;
  /** The place that a caller's transaction names; undefined where it names none. */
  fixedSequence(content: FamilyContent): Result<bigint | undefined>;
  /** Judges a place that a caller named and that replaces nothing: NonceUsed or NonceGap unless it is the next one. */
  judgeSequence(wanted: bigint, next: bigint): Result<void>;
  /** Judges, without the chain, whether a caller's transaction may take the place of one that waits, as by its fees. */
  judge(earlier: Uint8Array, content: FamilyContent): Result<void>;
}

/**
 * One chain family, as far as it needs no chain: a pure value. The author of a family writes one of these, its node
 * (`ChainNode`), and its line in the two registries.
 *
 * The registry hands a family entries of its own alone, which is why `Entry` and `Situation` may be narrower here than what
 * callers hold.
 */
export interface ChainFamily<Entry extends NetworkEntry = NetworkEntry, Situation = unknown>
  extends FamilyRules {
  /** its entries of the networks file */
  readonly entrySchema: z.ZodType<Entry & { readonly network: Network }>;
  /**
   * Whether a request whose transactions are dead is built again. If not, it has failed. A family that is built again
   * has a deadline in its bytes, or exclusions that tell which transactions may follow one another.
   */
  readonly rebuilds: boolean;
  /** Whether each transaction of an account has a place, in which it lands after those before it. */
  readonly countsTransactions: boolean;
  /**
   * The id of a transaction by its unsigned bytes, in a family that counts no transactions and whose ids depend on no signature: of several
   * versions of a request its node tells which one landed.
   */
  idOf?(unsigned: Uint8Array): string | undefined;
  /** Names the chain of an entry: two entries of one family with the same name are the same chain. */
  chainOf(entry: Entry): string;
  /** The keys that sign each transaction of a network beside the wallet's, each of a scheme of its own. */
  cosignersOf(entry: Entry): readonly KeyId[];
  /** The address of a public key: 33 bytes of secp256k1, compressed, or 32 of Ed25519. */
  addressOf(network: Network, publicKey: Uint8Array): string;
  /** Writes unsigned bytes for the situation on the chain. InsufficientFunds and the like when it is impossible. */
  build(entry: Entry, situation: Situation, intent: TransactionIntent): Result<BuiltTransaction>;
  /**
   * The place and the details of unsigned bytes, as `build` tells them but for what the bytes do not hold: of a transaction that was built
   * when no record of it is left.
   * @param sender the wallet's address
   * @returns TransactionUnreadable, TransactionMismatch
   */
  describe(unsigned: Uint8Array, sender: string): Result<Omit<BuiltTransaction, "unsigned">>;
  /**
   * Reads unsigned bytes against what is authorised (INV-3): they must be the one encoding of exactly that, on the entry's
   * chain. The family's own part of the act is parsed strictly, so that a field which it does not know is refused.
   * @returns TransactionUnreadable, TransactionMismatch (details.field), FeeAboveCap
   */
  read(entry: Entry, unsigned: Uint8Array, act: Act): Result<TransactionReading>;
  /** The bytes that a caller built, of a transaction to send or to sign alone; undefined where there are none. */
  givenBytes(content: FamilyContent): Uint8Array | undefined;
  /**
   * The account whose money a caller's own bytes move, where a chain lets a key sign for another account than its own: by a regular key, a
   * signer list, a permission or a rekey. Undefined where the bytes cannot be read. A family without it has no such bytes.
   */
  accountOf?(content: FamilyContent): string | undefined;
  /** Reads what is signed and not sent. @param entries of this family */
  readContent(entries: readonly Entry[], content: FamilyContent): Result<ContentReading>;
  /**
   * Whether at most one of two transactions lands, by the protocol alone (INV-4).
   * @param earlier an exclusion that `read` gave, as is `later`; of anything else nothing is excluded
   */
  excludes(earlier: Uint8Array, later: Uint8Array): boolean;
  /** The meaning of a signer's record of version 0.1; of EVM alone, which was the only family then. */
  exclusionOfNonce?(nonce: bigint): Uint8Array;
  /**
   * The effects of a transfer, transaction or content, for policies to judge, and the most that its caller can
   * make it cost in fees. An unreadable effect is unknown.
   * @param entry undefined when no network is known
   * @param isReplacement whether it takes the place of another, so that its fees are higher for its caller's wish
   */
  effectsOf(entry: Entry | undefined, content: FamilyContent, isReplacement: boolean): Effects;
  /**
   * Puts signatures into their transaction, after checking each of them once more.
   * @param signatures in the order of the reading's signables
   * @param keys public keys of the wallet and then of the cosigners
   * @param entry of the transaction's network: a family whose bytes name no chain, such as Stellar, cannot do without
   * @returns the bytes to broadcast; Internal when a signature is not of its key
   */
  attach(
    unsigned: Uint8Array,
    signatures: readonly SchemeSignature[],
    keys: readonly Uint8Array[],
    entry?: Entry,
  ): Result<SignedTransaction>;
  /**
   * Like `attach`, for content that is signed and not broadcast. Only a family has it whose clients expect
   * another form than the bytes to broadcast: on Bitcoin, a PSBT with its signatures.
   * @param asked the body of the request: the fields in it that no signature covers are returned unchanged
   */
  signedContent?(
    unsigned: Uint8Array,
    signatures: readonly SchemeSignature[],
    keys: readonly Uint8Array[],
    asked?: SignatureBody,
  ): Result<Uint8Array>;
  readonly replacements: Replacements;
}

/** The outcome of an attempt to broadcast. The same bytes may be sent any number of times (INV-4). */
export type BroadcastOutcome =
  /** the node has it, since now or since before; `isProcessed` where the chain has these bytes already, under whichever signature */
  | { readonly kind: "accepted"; readonly isProcessed?: true }
  /**
   * as things stand it does not land: its place is taken, by itself or by another, or its time is over. Only the chain's
   * final state tells: see `fateOf`
   */
  | { readonly kind: "outdated"; readonly reason: string }
  /** the node does not take it now, or does not answer; the very same bytes may be taken later */
  | { readonly kind: "refused"; readonly reason: string }
  /**
   * the node's rules refuse these very bytes whenever they come, as a gas limit above that of every block. They are not dead: a
   * node of other rules may take them. Another transaction in their place frees the wallet; `byFee` where the same with a higher fee
   * would be taken
   */
  | { readonly kind: "unacceptable"; readonly reason: string; readonly byFee?: true };

/** Where a transaction is. */
export type Sighting =
  | { readonly kind: "unknown" }
  /** in the node's pool, in no block yet */
  | { readonly kind: "waiting" }
  | ({
      readonly kind: "included";
      readonly height: bigint;
      readonly blockHash: string;
      /** deep enough for this network to count as confirmed */
      readonly isFinal: boolean;
      /** smallest unit of the native coin: what was really paid */
      readonly fee: bigint;
      /** false when the chain executed it and undid its effects, or when the expected transfer moved nothing */
      readonly succeeded: boolean;
      /** true when the chain counts it as executed and the expected transfer moved nothing all the same; `succeeded` is false then */
      readonly movedNothing?: true;
      /**
       * smallest unit of the asset: the sum that reached the recipient of the expected transfer, where that differs from the amount
       * asked for, as of a token that takes a fee of each transfer
       */
      readonly arrived?: bigint;
      /** why it did not succeed, where the chain has a word for it */
      readonly reason?: string;
    } & BlockDate);

/** A transaction of a request of ours. Ids and hashes are computed from its bytes, and taken from no record. */
export interface OwnTransaction {
  readonly unsigned: Uint8Array;
  readonly signed: Uint8Array;
}

/** A transaction that the chain shows: its unsigned bytes in the form that the family's `read` takes, with the chain's own signature. */
export interface SentTransaction extends OwnTransaction, SignedTransaction {}

/** Which places of an account may hold what is looked for; the chain's next place ends them. */
export interface PlacesToSearch {
  readonly lowest: bigint;
  /** the only one where it is the lowest too; undefined: all up to the chain's next place */
  readonly highest: bigint | undefined;
  /** whether our records say which transaction holds a place */
  readonly isExplained: (place: bigint) => boolean;
}

/** Which of the transactions that an account has sent is searched for. */
export interface SentSearch {
  readonly act: Act;
  /** Unix ms: blocks of an earlier date do not hold it */
  readonly sinceMs: number;
  /** undefined in families that count no transactions */
  readonly places: PlacesToSearch | undefined;
  /**
   * of families that spend coins: the unsigned bytes of a transaction that can land no more. Only what has spent coins of it for good is
   * looked at, whatever its date
   */
  readonly inPlaceOf?: Uint8Array;
  /** Whether a transaction is the one that is looked for. */
  readonly isIt: (sent: SentTransaction) => Promise<boolean>;
}

/** Whether transactions can still land. */
export type Fate =
  /** one of them has landed, or may still */
  | { readonly kind: "open" }
  /** none of them has landed, nor can any more: so it stands at final depth */
  | { readonly kind: "dead"; readonly reason: string };

export interface ChainHead {
  readonly height: bigint;
  readonly hash: string;
  /** the highest block whose transactions count as confirmed on this network: `isFinal` of a sighting is true up to it */
  readonly confirmedHeight: bigint;
  /** the highest block that nothing undoes any more, by the family's rule of finality */
  readonly finalHeight: bigint;
}

/** A block, as far as it concerns us. */
export interface OwnBlock extends BlockDate {
  readonly height: bigint;
  readonly hash: string;
  readonly parentHash: string;
  /** which of our transactions it holds, in its order */
  readonly holds: readonly string[];
}

/** The arrival of anybody's transaction at an account, and its time, by the record of its block. */
export interface Arrival extends BlockDate {
  readonly txHash: string;
  /** among what its block brought; the same whenever the block is read */
  readonly place: string;
  /** absent where the chain names no sender */
  readonly from: string | undefined;
  /** as a transfer of it would be asked for; its `to` is spelled as `addressOf` spells it */
  readonly moved: TransferBody;
}

/** Which of these addresses, spelled as `addressOf` spells them, are wallets' here. */
export type AreOurs = (addresses: readonly string[]) => Promise<ReadonlySet<string>>;

/** The coins of an account that could be gathered into one. */
export interface Gatherable {
  /** how many there are in final blocks that are worth more than they cost */
  readonly coins: number;
  /** a transaction that gathers as many of them as one can spend, with a bound of its cost */
  readonly body: TransactionBody;
}

/** Gathering coins before they are needed, while that costs little. */
export interface CoinGathering {
  /** Whether transactions cost so little now that coins are worth gathering; not where the node cannot tell. */
  isCheap(): Promise<Result<boolean>>;
  coinsOf(owner: string): Promise<Result<Gatherable>>;
}

/**
 * The node of one network: the only part of a family that does I/O. All are held to one suite,
 * `testing/conformance/chain-conformance.ts`. Every call answers ServiceUnavailable when the node is
 * away or cannot tell, which passes.
 */
export interface ChainNode<Entry extends NetworkEntry = NetworkEntry> {
  readonly network: Entry;
  /** Looks around, and writes the unsigned bytes of a transaction with what it found: the family's pure `build`. */
  build(intent: TransactionIntent): Promise<Result<BuiltTransaction>>;
  /** @param signed as the family's `attach` gave it; it may throw at anything else */
  broadcast(signed: Uint8Array): Promise<BroadcastOutcome>;
  head(): Promise<Result<ChainHead>>;
  /** Which chain the node is of, spelled as the family's `chainOf` spells that of an entry. */
  ofChain(): Promise<Result<string>>;
  /**
   * Whether the node says that it is still reading its chain, as one that began anew: that it has few blocks tells nothing of the chain then.
   * Families whose nodes do not say so have none.
   */
  readonly isCatchingUp?: () => Promise<Result<boolean>>;
  /** @param ours hashes to look for. @returns undefined when there is no block of this height yet */
  block(height: bigint, ours: ReadonlySet<string>): Promise<Result<OwnBlock | undefined>>;
  /**
   * Looks for a transaction.
   * @param expected the transfer that the transaction is to carry out, as its family writes it: the sighting then tells whether it
   *   moved the asset. Without it only the chain's own verdict counts
   */
  sight(txHash: string, expected?: FamilyContent): Promise<Result<Sighting>>;
  /**
   * Judges, by what the chain knows of a recipient, whether anybody could use what the transfer moves. Families whose chains know
   * nothing of that have none. The checks without a chain are in `judgeRecipient` of the family's rules.
   * @param transfer as its family writes it
   * @returns RecipientUnsuitable, ServiceUnavailable
   */
  readonly judgeRecipient?: (transfer: FamilyContent) => Promise<Result<void>>;
  /**
   * The arrivals of a final block for wallets here; families without it detect nothing. A movement inside of
   * contracts that none of their logs reports is not seen.
   * @returns undefined when the node has no block of this height yet, or has forgotten it, which it says in
   * words or by a code of its own;
   *   BlockTooLarge when it tells more of it than goes through, asked in the smallest pieces that there are;
   *   ServiceUnavailable for all else, as on EVM and Bitcoin for each block that the node does not call final
   *   itself, also one that it does not have yet
   */
  readonly arrivals?: (height: bigint, areOurs: AreOurs) => Promise<Result<readonly Arrival[] | undefined>>;
  /**
   * Whether transactions of one sender are dead, at final depth. All that the answer rests on is read at one block of one
   * node: a node that does not know that block gives no verdict, which is ServiceUnavailable. Neither does one of another chain.
   *
   * Signers sign the same unsigned bytes again, and an orchestrator may hide what they made. So a family that rebuilds and
   * whose ids change with the signature must not look for the ids of `signed` alone.
   * @param transactions all of them, at least one
   */
  fateOf(sender: string, transactions: readonly OwnTransaction[]): Promise<Result<Fate>>;
  /**
   * Looks for the very same unsigned bytes on the chain under another signature, in families whose hashes depend on it; others have none.
   * Signers sign the same bytes again, as for a database that lost the first signature.
   * @returns the landed transaction, with the chain's own signature; undefined where that is the one that is
   * known, and where nothing, or another
   *   transaction, is in its place; ServiceUnavailable when the node does not show it
   */
  readonly twinOf?: (sender: string, own: OwnTransaction) => Promise<Result<SignedTransaction | undefined>>;
  /**
   * Looks among the transactions that an account has sent for one that our records do not know, as after a restore of all of them. It looks
   * in blocks, final or not, and verifies what the node shows: the chain's signature is the account's, and gives the chain's hash.
   * @returns the first that is it, the lowest place first; undefined where all that may be it were looked at; ServiceUnavailable when the
   *   node does not show one of them, as what waits in its pool
   */
  readonly findSent?: (sender: string, search: SentSearch) => Promise<Result<SentTransaction | undefined>>;
  /** The place that the chain would give to the account's next transaction; undefined in families that count none. */
  nextSequence(sender: string): Promise<Result<bigint | undefined>>;
  /** A token's own metadata; empty when it has none. */
  describeToken(token: string): Promise<Result<Asset>>;
  /** The balance of an account in the native coin, in its smallest unit. */
  balance(owner: string): Promise<Result<bigint>>;
  /** The balance of an account in a fungible token, in its smallest unit; undefined when there is no such token. */
  tokenBalance(owner: string, token: string): Promise<Result<bigint | undefined>>;
  /** The owner of a non-fungible token; undefined when it has none. */
  tokenOwner(token: string, tokenId: bigint): Promise<Result<string | undefined>>;
  /**
   * A contract's answer to a call that changes nothing; families without contracts that can be asked so have none.
   * @param data of the call, hex with 0x
   * @returns hex with 0x; AddressInvalid; ExecutionReverted when the contract refuses, or answers too much
   */
  readonly callContract?: (contract: string, data: string) => Promise<Result<string>>;
  /**
   * The same of a function of the contract, by its ABI.
   * @param given the arguments as JSON has them: a list, or by the names of the inputs
   * @returns the one output, or a list of several; as `callContract`, and InvalidBody for arguments that are not the function's
   */
  readonly callFunction?: (
    contract: string,
    abi: AbiFunctionBody,
    given: unknown,
  ) => Promise<Result<unknown>>;
  /** The current fees. */
  feeLevels(): Promise<Result<FeeLevels>>;
  /** Families whose accounts hold many coins; those whose accounts have one balance have nothing to gather. */
  readonly gathering?: CoinGathering;
}
