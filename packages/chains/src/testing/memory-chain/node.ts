import { fail, ok, type Result } from "@conclave/custody";
import { getAddress, isHash, keccak256 } from "viem/utils";
import type {
  AreOurs,
  Arrival,
  BuiltTransaction,
  ChainNode,
  Fate,
  OwnTransaction,
  SentSearch,
  SentTransaction,
  Sighting,
  SignedTransaction,
  TransactionIntent,
} from "../../chain.ts";
import { decodeAnyUnsigned } from "../../evm/decode-any.ts";
import { EVM_FAMILY } from "../../evm/family.ts";
import { feesFor } from "../../evm/fees/fees.ts";
import { gasLimitTooLow } from "../../evm/gas/gas-limit.ts";
import type { EvmNetwork } from "../../evm/network.ts";
import { planOf } from "../../evm/plan.ts";
import { outcomeOf } from "../../evm/refusals/broadcast-refusals.ts";
import type { EvmSituation } from "../../evm/situation.ts";
import { firstSent, mayHold, waitsUnseen } from "../../first-sent.ts";
import { gasOf } from "./landing.ts";
import type { MemoryBlock, MemoryLedger } from "./ledger.ts";
import type { MemoryLine } from "./line.ts";

/** wei a gas: the tip that the node suggests */
const SUGGESTED_TIP = 1_000_000_000n;

/** The parts of an in-memory chain's node. */
export interface MemoryNodeParts {
  readonly entry: EvmNetwork;
  readonly ledger: MemoryLedger;
  readonly line: Pick<MemoryLine, "ask">;
  /** blocks above the final one, unless the entry counts them itself */
  readonly finalDepth: number;
  /** Submits bytes to the chain. @returns the node's words if it refuses them; "silence" if the reply is lost */
  readonly submit: (signed: Uint8Array) => string | undefined;
}

const SILENCE = "silence";

/** The node of an in-memory chain, with the interface of an EVM network's node. */
export const memoryNode = (parts: MemoryNodeParts): ChainNode<EvmNetwork> => {
  const { entry, ledger, line, submit } = parts;
  const { network } = entry;
  const ask = <T>(answer: () => T): Promise<Result<T>> => line.ask(network, answer);
  return {
    network: entry,
    build: async (intent) => {
      const built = await ask(() => buildOn(parts, intent));
      return built.ok ? built.value : built;
    },
    broadcast: async (signed) => {
      const said = await ask(() => submit(signed));
      if (!said.ok || said.value === SILENCE)
        return { kind: "refused", reason: "the chain node does not answer" };
      return said.value === undefined ? { kind: "accepted" } : outcomeOf(said.value);
    },
    head: () =>
      ask(() => {
        const { height, hash } = ledger.head;
        const confirmedHeight = height - BigInt(entry.confirmations) + 1n;
        return { height, hash, confirmedHeight, finalHeight: finalHeight(parts) };
      }),
    ofChain: () => ask(() => String(ledger.chainId)),
    block: (height, ours) =>
      ask(() => {
        const block = ledger.at(height);
        if (block === undefined) return undefined;
        const { hash, parentHash, landed } = block;
        const holds = landed.map(({ transaction }) => transaction.hash).filter((each) => ours.has(each));
        return { height, hash, parentHash, holds };
      }),
    sight: (txHash) => {
      if (!isHash(txHash)) throw new TypeError("a transaction hash is 32 bytes of hex");
      return ask(() => sightOn(parts, txHash));
    },
    arrivals: async (height, areOurs, arePayers) => {
      const block = await ask(() => ledger.at(height));
      return block.ok ? ok(block.value && (await arrivalsIn(block.value, areOurs, arePayers))) : block;
    },
    fateOf: async (sender, transactions) => {
      const fate = await ask(() => fateOn(parts, getAddress(sender), transactions));
      return fate.ok ? fate.value : fate;
    },
    twinOf: async (sender, own) => {
      const twin = await ask(() => twinOn(parts, getAddress(sender), own));
      return twin.ok ? twin.value : twin;
    },
    findSent: async (sender, search) => {
      const shown = await ask(() => sentOn(parts, getAddress(sender), search));
      if (!shown.ok) return shown;
      return shown.value.ok ? ok(await firstSent(shown.value.value, search)) : shown.value;
    },
    nextSequence: (sender) => ask(() => countsOf(ledger, getAddress(sender)).pending),
    describeToken: () => ask(() => ({})),
    balance: (owner) => ask(() => ledger.balanceOf(getAddress(owner))),
    tokenBalance: () => ask(() => undefined),
    tokenOwner: () => ask(() => undefined),
    feeLevels: () => ask(() => feeLevelsOn(ledger)),
  };
};

/** The height of the node's `finalized` block, or by depth if the entry says so. */
const finalHeight = ({ entry, ledger, finalDepth }: MemoryNodeParts): bigint => {
  const depth = BigInt(entry.finality === "depth" ? entry.confirmations - 1 : finalDepth);
  return ledger.head.height > depth ? ledger.head.height - depth : 0n;
};

const countsOf = (ledger: MemoryLedger, sender: string) => {
  const mined = ledger.countOf(sender);
  return { mined, pending: mined + BigInt(ledger.nextOf(sender).length) };
};

const marketOf = ({ baseFee, leastTip }: MemoryLedger) => ({
  nextBaseFee: baseFee,
  rewards: [],
  suggestedTip: leastTip > SUGGESTED_TIP ? leastTip : SUGGESTED_TIP,
});

const buildOn = ({ entry, ledger }: MemoryNodeParts, intent: TransactionIntent): Result<BuiltTransaction> => {
  const plan = planOf(intent.act);
  if (!plan.ok) return plan;
  const { call } = plan.value;
  if (plan.value.kind === "call" && (plan.value.transfer?.kind ?? "Native") !== "Native") {
    return fail("ExecutionReverted", { network: entry.network }, "there is no token contract at the address");
  }
  const sender = getAddress(intent.sender);
  const isReplacement = intent.sequencing.kind === "replacing";
  const leaving = isReplacement ? [] : ledger.nextOf(sender);
  const gone = leaving.reduce((sum, each) => sum + each.value + each.gas * ledger.priceOf(each), 0n);
  const situation: EvmSituation = {
    count: countsOf(ledger, sender),
    balance: ledger.balanceOf(sender) - gone,
    market: marketOf(ledger),
    gasLimits: ledger.gasLimits,
    holding: undefined,
    estimate: gasOf(call.to, call.data),
  };
  const built = EVM_FAMILY.build(entry, situation, intent);
  if (!built.ok) return built;
  const decoded = decodeAnyUnsigned(built.value.unsigned);
  if (!decoded.ok) return decoded;
  // a caller's gas limit is simulated, as by a real node
  const { gasLimit } = decoded.value;
  const needed = gasOf(call.to, call.data);
  return gasLimit < needed ? gasLimitTooLow(gasLimit, needed) : built;
};

const sightOn = ({ entry, ledger }: MemoryNodeParts, hash: string): Sighting => {
  const found = ledger.find(hash);
  if (found === undefined) return { kind: "unknown" };
  if (found === "waiting") return { kind: "waiting" };
  const { block, landed } = found;
  return {
    kind: "included",
    height: block.height,
    blockHash: block.hash,
    isFinal: ledger.head.height - block.height + 1n >= BigInt(entry.confirmations),
    fee: landed.fee,
    succeeded: landed.succeeded,
  };
};

const arrivalsIn = async (
  { landed }: MemoryBlock,
  areOurs: AreOurs,
  arePayers: AreOurs | undefined,
): Promise<readonly Arrival[]> => {
  const paid = landed.flatMap(({ transaction: { hash, from, to, value }, succeeded }): readonly Arrival[] =>
    succeeded && to !== undefined && value > 0n
      ? [{ txHash: hash, place: "value", from, moved: { kind: "Native", to, amount: value.toString() } }]
      : [],
  );
  if (paid.length === 0) return [];
  const ours = await areOurs([...new Set(paid.map(({ moved }) => moved.to))]);
  const payers = await arePayers?.([...new Set(paid.flatMap(({ from }) => from ?? []))]);
  return paid.filter(({ moved, from }) => ours.has(moved.to) || payers?.has(from ?? "") === true);
};

/** The same proof as on EVM: the account's count at the final block exceeds each nonce, and none of the hashes is known. */
const fateOn = (
  parts: MemoryNodeParts,
  sender: string,
  transactions: Parameters<ChainNode["fateOf"]>[1],
): Result<Fate> => {
  const { entry, ledger } = parts;
  if (ledger.chainId !== BigInt(entry.chainId)) {
    return fail("ServiceUnavailable", { network: entry.network }, "the chain node is of another chain");
  }
  if (transactions.length === 0) throw new TypeError("there is no transaction whose fate is asked for");
  const count = ledger.countOf(sender, finalHeight(parts));
  for (const { unsigned, signed } of transactions) {
    const decoded = decodeAnyUnsigned(unsigned);
    if (!decoded.ok) return decoded;
    const isKnown = ledger.find(keccak256(signed)) !== undefined;
    if (isKnown || count <= decoded.value.nonce) return ok({ kind: "open" });
  }
  return ok({ kind: "dead", reason: "another transaction used the account nonce; this one can never land" });
};

/** Finds a twin: a landed transaction with the same signing hash as ours, and another signature. */
const twinOn = (
  parts: MemoryNodeParts,
  sender: string,
  { unsigned, signed }: OwnTransaction,
): Result<SignedTransaction | undefined> => {
  const decoded = decodeAnyUnsigned(unsigned);
  if (!decoded.ok) return decoded;
  const final = finalHeight(parts);
  for (let height = 0n; height <= final; height += 1n) {
    const landed = parts.ledger.at(height)?.landed ?? [];
    const holder = landed.find(
      ({ transaction: { from, nonce } }) => from === sender && nonce === decoded.value.nonce,
    )?.transaction;
    if (holder === undefined) continue;
    const isTwin = holder.hash !== keccak256(signed) && holder.signingHash === keccak256(unsigned);
    return ok(isTwin ? { signed: holder.signed, txHash: holder.hash } : undefined);
  }
  return ok(undefined);
};

/** Blocks have no dates here, so only places limit the search. Transactions in the pool are not shown. */
const sentOn = (
  { ledger, entry }: MemoryNodeParts,
  sender: string,
  { places }: SentSearch,
): Result<readonly SentTransaction[]> => {
  if (places === undefined) throw new TypeError("an account counts its transactions");
  const { mined, pending } = countsOf(ledger, sender);
  if (waitsUnseen(places, mined, pending)) {
    return fail(
      "ServiceUnavailable",
      { network: entry.network },
      "a transaction of the account waits unseen",
    );
  }
  const landed = ledger.landedOf(sender).filter(({ nonce }) => mayHold(places, nonce));
  return ok(landed.map(({ unsigned, signed, hash: txHash }) => ({ unsigned, signed, txHash })));
};

const feeLevelsOn = (ledger: MemoryLedger) => {
  const market = marketOf(ledger);
  const shown = (priority: "Slow" | "Standard" | "Fast") => {
    const { maxFeePerGas, maxPriorityFeePerGas } = feesFor(priority, market);
    return {
      maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
      maxFeePerGas: maxFeePerGas.toString(),
    };
  };
  return {
    kind: "Eip1559",
    blockNumber: Number(ledger.head.height),
    baseFeePerGas: ledger.baseFee.toString(),
    slow: shown("Slow"),
    standard: shown("Standard"),
    fast: shown("Fast"),
  } as const;
};
