import { keccak256, stringToHex } from "viem/utils";
import { type GasLimits, TRANSACTION_GAS_MAX } from "../../evm/gas/gas-limit.ts";
import { type LandingTransaction, readLanding } from "./landing.ts";

const GWEI = 1_000_000_000n;
const BLOCK_GAS = 30_000_000n;
/** geth replaces a waiting transaction if both fees rise by a tenth. */
const BUMP_PERCENT = 110n;

export interface LandedTransaction {
  readonly transaction: LandingTransaction;
  /** wei */
  readonly fee: bigint;
  readonly succeeded: boolean;
}

export interface MemoryBlock {
  readonly height: bigint;
  readonly hash: string;
  readonly parentHash: string;
  readonly landed: readonly LandedTransaction[];
}

interface Account {
  balance: bigint;
  nonce: bigint;
}

/** Accounts, a pool and blocks of an EVM chain without contracts. It changes only when called. */
export class MemoryLedger {
  readonly chainId: bigint;
  /** wei a gas: a transaction that offers less keeps waiting */
  baseFee = GWEI;
  /** wei a gas: the node's own minimum; it refuses a transaction with a lower tip at any time */
  leastTip = 0n;
  readonly gasLimits: GasLimits = { block: BLOCK_GAS, transaction: TRANSACTION_GAS_MAX };
  readonly #accounts = new Map<string, Account>();
  /** in order of arrival */
  #pool = new Map<string, LandingTransaction>();
  readonly #blocks: MemoryBlock[];
  readonly #where = new Map<string, { readonly block: MemoryBlock; readonly landed: LandedTransaction }>();
  readonly #undone = new Set<string>();
  #branch = 0;

  constructor(chainId: number) {
    this.chainId = BigInt(chainId);
    const parentHash = `0x${"00".repeat(32)}`;
    this.#blocks = [{ height: 0n, hash: this.#hashOf(parentHash, 0n, []), parentHash, landed: [] }];
  }

  get head(): MemoryBlock {
    const head = this.#blocks.at(-1);
    if (head === undefined) throw new Error("a chain has a first block");
    return head;
  }

  at(height: bigint): MemoryBlock | undefined {
    return this.#blocks[Number(height)];
  }

  /** The transactions in blocks, lowest block first. */
  get landed(): readonly LandedTransaction[] {
    return this.#blocks.flatMap(({ landed }) => landed);
  }

  /** The waiting transactions, in the order of their arrival. */
  get pool(): readonly LandingTransaction[] {
    return [...this.#pool.values()];
  }

  find(
    hash: string,
  ): "waiting" | { readonly block: MemoryBlock; readonly landed: LandedTransaction } | undefined {
    return this.#where.get(hash) ?? (this.#pool.has(hash) ? "waiting" : undefined);
  }

  #account(address: string): Account {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    const made = { balance: 0n, nonce: 0n };
    this.#accounts.set(address, made);
    return made;
  }

  /** wei, by transactions in blocks */
  balanceOf(address: string): bigint {
    return this.#accounts.get(address)?.balance ?? 0n;
  }

  /** Number of an account's transactions in blocks up to a height, by default the head. */
  countOf(address: string, height: bigint = this.head.height): bigint {
    const above = this.#blocks.slice(Number(height) + 1);
    const later = above.flatMap(({ landed }) => landed).filter((each) => each.transaction.from === address);
    return (this.#accounts.get(address)?.nonce ?? 0n) - BigInt(later.length);
  }

  /** An account's transactions in blocks, in their order. */
  landedOf(address: string): readonly LandingTransaction[] {
    const all = this.landed.map(({ transaction }) => transaction);
    return all.filter(({ from }) => from === address);
  }

  /** The waiting transactions of an account that can land next, in nonce order. */
  nextOf(address: string): readonly LandingTransaction[] {
    const own = new Map(this.pool.filter(({ from }) => from === address).map((each) => [each.nonce, each]));
    const next: LandingTransaction[] = [];
    for (let nonce = this.countOf(address); ; nonce += 1n) {
      const waiting = own.get(nonce);
      if (waiting === undefined) return next;
      next.push(waiting);
    }
  }

  /** wei a gas that a transaction would pay now */
  priceOf({ maxFee, tip }: LandingTransaction): bigint {
    return maxFee < this.baseFee + tip ? maxFee : this.baseFee + tip;
  }

  fund(address: string, wei: bigint): void {
    this.#account(address).balance += wei;
  }

  /** Makes the transaction with this hash fail when it lands: it pays its fee and has no other effect. */
  undo(hash: string): void {
    this.#undone.add(hash);
  }

  /** Forgets waiting transactions. @param hash of one; by default all */
  drop(hash?: string): void {
    if (hash === undefined) this.#pool.clear();
    else this.#pool.delete(hash);
  }

  /** @returns why the node refuses the signed bytes, in a node's words; undefined when it accepts them */
  take(signed: Uint8Array): string | undefined {
    const transaction = readLanding(signed);
    if (transaction === undefined) return "rlp: the transaction cannot be read, or has an invalid signature";
    const { hash, from, nonce, chainId, gas, gasLimit, maxFee, tip, value } = transaction;
    if (chainId !== this.chainId) return `invalid chain id for signer: have ${chainId} want ${this.chainId}`;
    if (this.#pool.has(hash)) return "already known";
    if (gasLimit > TRANSACTION_GAS_MAX) {
      return `transaction gas limit too high (cap: ${TRANSACTION_GAS_MAX}, tx: ${gasLimit})`;
    }
    if (gasLimit > BLOCK_GAS) return "exceeds block gas limit";
    if (gasLimit < gas) return `intrinsic gas too low: gas ${gasLimit}, minimum needed ${gas}`;
    if (tip < this.leastTip) {
      return `transaction gas price below minimum: gas tip cap ${tip}, minimum needed ${this.leastTip}`;
    }
    const next = this.countOf(from);
    if (nonce < next) return `nonce too low: next nonce ${next}, tx nonce ${nonce}`;
    const rival = this.pool.find((each) => each.from === from && each.nonce === nonce);
    if (rival !== undefined && !outbids(transaction, rival)) return "replacement transaction underpriced";
    const others = this.pool.filter((each) => each.from === from && each !== rival);
    const spoken = others.reduce((sum, each) => sum + each.value + each.gasLimit * each.maxFee, 0n);
    if (this.balanceOf(from) < spoken + value + gasLimit * maxFee) {
      return "insufficient funds for gas * price + value";
    }
    if (rival !== undefined) this.#pool.delete(rival.hash);
    this.#pool.set(hash, transaction);
    return undefined;
  }

  /** Makes a block with all transactions that can land, in order of arrival. */
  mine(): void {
    const landed: LandedTransaction[] = [];
    let room = BLOCK_GAS;
    for (let next = this.#landable(room); next !== undefined; next = this.#landable(room)) {
      this.#pool.delete(next.hash);
      room -= next.gas;
      landed.push(this.#carryOut(next));
    }
    this.#append(landed);
    for (const { hash, from, nonce } of this.pool) {
      if (nonce < this.countOf(from)) this.#pool.delete(hash);
    }
  }

  #landable(room: bigint): LandingTransaction | undefined {
    return this.pool.find(
      ({ from, nonce, maxFee, gas, gasLimit, value }) =>
        nonce === this.countOf(from) &&
        maxFee >= this.baseFee &&
        gas <= room &&
        this.balanceOf(from) >= value + gasLimit * maxFee,
    );
  }

  #carryOut(transaction: LandingTransaction): LandedTransaction {
    const fee = transaction.gas * this.priceOf(transaction);
    const landed = { transaction, fee, succeeded: !this.#undone.has(transaction.hash) };
    this.#move(landed, 1n);
    return landed;
  }

  /** @param way 1 applies the transaction, -1 reverts it */
  #move({ transaction: { from, to, value }, fee, succeeded }: LandedTransaction, way: 1n | -1n): void {
    const sender = this.#account(from);
    const paid = succeeded ? value : 0n;
    sender.nonce += way;
    sender.balance -= way * (fee + paid);
    if (to !== undefined) this.#account(to).balance += way * paid;
  }

  /**
   * Replaces the latest blocks by a branch of empty blocks that is longer by one.
   * @param keeps whether their transactions wait again; a node may also forget them
   */
  reorganise(depth: number, keeps: boolean): void {
    const gone = this.#blocks.splice(this.#blocks.length - depth, depth).flatMap(({ landed }) => landed);
    for (const landed of gone.toReversed()) {
      this.#move(landed, -1n);
      this.#where.delete(landed.transaction.hash);
    }
    const again = keeps ? gone.map(({ transaction }) => [transaction.hash, transaction] as const) : [];
    this.#pool = new Map([...again, ...this.#pool]);
    this.#branch += 1;
    for (let made = 0; made <= depth; made += 1) this.#append([]);
  }

  #append(landed: readonly LandedTransaction[]): void {
    const { height: below, hash: parentHash } = this.head;
    const height = below + 1n;
    const hashes = landed.map(({ transaction }) => transaction.hash);
    const block = { height, hash: this.#hashOf(parentHash, height, hashes), parentHash, landed };
    this.#blocks.push(block);
    for (const each of landed) this.#where.set(each.transaction.hash, { block, landed: each });
  }

  #hashOf(parent: string, height: bigint, hashes: readonly string[]): string {
    return keccak256(stringToHex([this.chainId, this.#branch, parent, height, ...hashes].join("/")));
  }
}

const outbids = (later: LandingTransaction, earlier: LandingTransaction): boolean =>
  later.maxFee * 100n >= earlier.maxFee * BUMP_PERCENT && later.tip * 100n >= earlier.tip * BUMP_PERCENT;
