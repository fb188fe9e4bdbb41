import { base58, base64 } from "@scure/base";
import { SOLANA_SYSTEM_PROGRAM } from "../solana/message/programs.ts";
import { solanaAddress } from "../solana/rules/address.ts";
import { decodeSolana } from "../solana/transaction.ts";
import { type NodeAnswer, rpcCallOf, ScriptedNode } from "./scripted-node.ts";
import { SOLANA_DEVNET } from "./solana-samples.ts";

interface StubSolanaAccount {
  readonly lamports: bigint;
  readonly owner?: string;
  readonly data?: Uint8Array;
  readonly executable?: boolean;
}

/** A transaction in a block of the stub's. */
interface StubSolanaLanding {
  readonly slot: bigint;
  readonly transaction: Uint8Array;
  /** the accounts whose histories list it */
  readonly of: string;
  readonly err?: unknown;
}

interface ListOptions {
  readonly before?: string;
  readonly limit: number;
  readonly minContextSlot?: number;
}

/** Heights are behind slots by as many as were skipped: so many long ago. */
const SKIPPED_BEFORE = 10n;
const LAST_AGE = 150n;
const BLOCK_NOT_AVAILABLE = -32004;
const SLOT_SKIPPED = -32007;
const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;

/** The hash of a slot's block. */
export const stubBlockhash = (slot: bigint): string => {
  const bytes = new Uint8Array(32).fill(1);
  new DataView(bytes.buffer).setBigUint64(24, slot);
  return solanaAddress(bytes);
};

/** The answer to a call: a result, or an error. */
type Answer = { readonly result: unknown } | { readonly error: object };

const result = (value: unknown): Answer => ({ result: value });
const refused = (code: number, message: string, data?: object): Answer => ({
  error: { code, message, data },
});

/** Numbers of 64 bits as a node writes them. */
const text = (body: object): string =>
  JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? `\u0000${value}` : value)).replaceAll(
    /"\\u0000(\d+)"/g,
    "$1",
  );

const ids = new WeakMap<Uint8Array, string>();
/** Base58 of 64 bytes takes its time, and a thousand transactions are asked for one by one. */
const idOf = (transaction: Uint8Array): string => {
  const id = ids.get(transaction) ?? base58.encode(transaction.slice(1, 65));
  ids.set(transaction, id);
  return id;
};

const SIGNATURE_END = 65;

/** A node's record of an executed payment; it has none of tokens. */
const paidBy = (transaction: Uint8Array) => {
  const decoded = decodeSolana(Uint8Array.from(transaction).fill(0, 1, SIGNATURE_END));
  const instructions = decoded.ok ? decoded.value.instructions : [];
  const payment = instructions.find(({ kind }) => kind === "payment");
  if (payment?.kind !== "payment") return { accountKeys: [], preBalances: [], postBalances: [] };
  const { from, to, amount } = payment;
  return { accountKeys: [from, to], preBalances: [amount, 0n], postBalances: [0n, amount] };
};

/**
 * A node of a Solana network that says what a test wants, over HTTP and in the words of JSON-RPC. It checks nothing: what a ledger
 * checks is for a ledger to test.
 */
export class StubSolana {
  readonly #node: ScriptedNode;
  readonly asked: { readonly method: string; readonly params: readonly unknown[] }[] = [];
  readonly posted: Uint8Array[] = [];
  genesisHash: string = SOLANA_DEVNET.genesisHash;
  /** the last slot; what is below by 32 is final */
  slot = 5_000n;
  firstAvailable = 0n;
  /** the most transactions that it lists at once */
  pageMost = Number.POSITIVE_INFINITY;
  /** the last final slot of a second node behind the same address, which is asked for every page of a list but the first */
  behind: bigint | undefined;
  /** slots in which no leader made a block */
  readonly skipped = new Set<bigint>();
  /** slots whose blocks the node has lost, as by a jump to a snapshot: it says the same of them */
  readonly lost = new Set<bigint>();
  readonly accounts = new Map<string, StubSolanaAccount>();
  readonly landings: StubSolanaLanding[] = [];
  /** when blocks were made, by slot, Unix seconds; the node has no time of the others */
  readonly blockTimes = new Map<bigint, bigint>();
  readonly prices: bigint[] = [];
  simulation: { readonly err: unknown; readonly logs: readonly string[]; readonly units: bigint } = {
    err: null,
    logs: [],
    units: 10_000n,
  };
  /** the results of the next simulations, before `simulation` */
  simulateNext: readonly StubSolana["simulation"][] = [];
  /** why it does not take a transaction: an error's name, by which it says that it tried; undefined takes it */
  refusal: unknown;
  /** the same for what it did not try: a code and words */
  refusalWords: readonly [code: number, words: string] | undefined;
  /** answers that come before all others, by method */
  readonly spoilt = new Map<string, NodeAnswer>();

  private constructor() {
    this.#node = new ScriptedNode(async (request) => {
      const { method, params } = rpcCallOf(request);
      this.asked.push({ method, params });
      const chosen = this.spoilt.get(method);
      const body = text({ jsonrpc: "2.0", id: 1, ...this.#answer(method, params) });
      return chosen ?? this.spoilt.get("") ?? { status: 200, text: body };
    });
  }

  static async start(): Promise<StubSolana> {
    const stub = new StubSolana();
    await stub.#node.start();
    return stub;
  }

  get url(): string {
    return this.#node.url;
  }

  get finalSlot(): bigint {
    return this.slot - 32n;
  }

  stop(): Promise<void> {
    return this.#node.stop();
  }

  #answer(method: string, params: readonly unknown[]): Answer {
    const [first, second, third] = params;
    switch (method) {
      case "getGenesisHash":
        return result(this.genesisHash);
      case "getSlot":
        return result(this.#at(first));
      case "getFirstAvailableBlock":
        return result(this.firstAvailable);
      case "getLatestBlockhash":
        return this.#latest(this.#at(first));
      case "isBlockhashValid":
        return this.#inContext(this.#isYoung(String(first), this.#at(second)));
      case "getBlock":
        return this.#block(BigInt(Number(first)));
      case "getBlocks":
        return result(this.#slots(BigInt(Number(first)), BigInt(Number(second))));
      case "getBlocksWithLimit":
        return result(this.#slots(BigInt(Number(first)), this.#at(third)).slice(0, Number(second)));
      case "getMinimumBalanceForRentExemption":
        return result((128n + BigInt(Number(first))) * 6_960n);
      case "getMultipleAccounts":
        return this.#inContext((first as readonly string[]).map((address) => this.#account(address)));
      case "getRecentPrioritizationFees":
        return result(this.prices.map((prioritizationFee) => ({ slot: this.slot, prioritizationFee })));
      default:
        return this.#transactions(method, first, second);
    }
  }

  #transactions(method: string, first: unknown, second: unknown): Answer {
    switch (method) {
      case "simulateTransaction": {
        const [next = this.simulation, ...later] = this.simulateNext;
        this.simulateNext = later;
        const { err, logs, units } = next;
        return this.#inContext({ err, logs, unitsConsumed: units });
      }
      case "sendTransaction":
        return this.#send(base64.decode(String(first)));
      case "getSignatureStatuses":
        return this.#inContext((first as readonly string[]).map((id) => this.#status(id)));
      case "getTransaction":
        return result(this.#landed(String(first), Object(second)["encoding"]));
      case "getSignaturesForAddress":
        return this.#listed(String(first), second as ListOptions);
      default:
        return refused(-32601, "Method not found");
    }
  }

  #at(config: unknown): bigint {
    return (config as { readonly commitment: string }).commitment === "finalized"
      ? this.finalSlot
      : this.slot;
  }

  #inContext(value: unknown): Answer {
    return result({ context: { slot: this.slot }, value });
  }

  #latest(slot: bigint): Answer {
    const value = { blockhash: stubBlockhash(slot), lastValidBlockHeight: this.#heightOf(slot) + LAST_AGE };
    return result({ context: { slot }, value });
  }

  #isYoung(blockhash: string, slot: bigint): boolean {
    for (let age = 0n; age <= LAST_AGE; age += 1n) if (stubBlockhash(slot - age) === blockhash) return true;
    return false;
  }

  #slots(from: bigint, to: bigint): readonly bigint[] {
    const slots: bigint[] = [];
    for (let slot = from; slot <= to && slot <= this.slot; slot += 1n)
      if (!this.#isEmpty(slot)) slots.push(slot);
    return slots;
  }

  #parentOf(slot: bigint): bigint {
    return this.skipped.has(slot - 1n) ? this.#parentOf(slot - 1n) : slot - 1n;
  }

  #heightOf(slot: bigint): bigint {
    return slot - SKIPPED_BEFORE - BigInt([...this.skipped].filter((each) => each < slot).length);
  }

  #block(slot: bigint): Answer {
    if (slot > this.slot || slot < this.firstAvailable)
      return refused(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`);
    if (this.#isEmpty(slot)) {
      const why = `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`;
      return refused(SLOT_SKIPPED, why);
    }
    return result({
      blockhash: stubBlockhash(slot),
      previousBlockhash: stubBlockhash(this.#parentOf(slot)),
      parentSlot: this.#parentOf(slot),
      blockHeight: this.#heightOf(slot),
      signatures: this.landings
        .filter((each) => each.slot === slot)
        .map(({ transaction }) => idOf(transaction)),
      transactions: [],
    });
  }

  #isEmpty(slot: bigint): boolean {
    return this.skipped.has(slot) || this.lost.has(slot);
  }

  #account(address: string): object | null {
    const found = this.accounts.get(address);
    if (found === undefined) return null;
    const { lamports, owner = SOLANA_SYSTEM_PROGRAM, data = new Uint8Array(0), executable = false } = found;
    return {
      lamports,
      owner,
      data: [base64.encode(data), "base64"],
      executable,
      rentEpoch: 2n ** 64n - 1n,
    };
  }

  #send(transaction: Uint8Array): Answer {
    this.posted.push(transaction);
    if (this.refusalWords !== undefined) return refused(...this.refusalWords);
    return this.refusal === undefined
      ? result(idOf(transaction))
      : refused(-32002, "Transaction simulation failed", { err: this.refusal, logs: [] });
  }

  #find(id: string): StubSolanaLanding | undefined {
    return this.landings.find(({ transaction }) => idOf(transaction) === id);
  }

  #status(id: string): object | null {
    const found = this.#find(id);
    if (found === undefined) return null;
    const confirmationStatus = found.slot <= this.finalSlot ? "finalized" : "confirmed";
    return { slot: found.slot, confirmations: null, err: found.err ?? null, confirmationStatus };
  }

  #landed(id: string, encoding: unknown): object | null {
    const found = this.#find(id);
    if (found === undefined) return null;
    const { slot, transaction, err = null } = found;
    const { accountKeys, preBalances, postBalances } = paidBy(transaction);
    return {
      slot,
      blockTime: this.blockTimes.get(slot) ?? null,
      transaction:
        encoding === "json"
          ? { message: { accountKeys }, signatures: [id] }
          : [base64.encode(transaction), "base64"],
      meta: {
        err,
        fee: 5_000,
        logMessages: [],
        preBalances,
        postBalances,
        preTokenBalances: null,
        postTokenBalances: null,
      },
    };
  }

  /** The newest first. A node that does not know where a page begins says that there is nothing more. */
  #listed(address: string, { before, limit, minContextSlot = 0 }: ListOptions): Answer {
    const last = before === undefined ? undefined : this.behind;
    if (last !== undefined && BigInt(minContextSlot) > last) {
      return refused(MIN_CONTEXT_SLOT_NOT_REACHED, "Minimum context slot has not been reached");
    }
    const own = this.landings
      .filter(({ of, slot }) => of === address && (last === undefined || slot <= last))
      .toSorted((a, b) => Number(b.slot - a.slot))
      .map(({ slot, transaction, err = null }) => ({ signature: idOf(transaction), slot, err }));
    const known = before === undefined ? -1 : own.findIndex(({ signature }) => signature === before);
    if (before !== undefined && known < 0) return result([]);
    return result(own.slice(known + 1, known + 1 + Math.min(limit, this.pageMost)));
  }
}
