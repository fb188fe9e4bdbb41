import { z } from "zod";
import type { BlockTimer } from "../../block-timer.ts";
import { type AdminAction, adminAction } from "../../http/admin.ts";
import { clockActions } from "../../http/clock-actions.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { ledgerTip } from "../../http/ledger-tip.ts";
import type { LedgerJson } from "../../json.ts";
import { scriptPaying } from "../address.ts";
import type { BitcoindEvent } from "../advance.ts";
import { latestBitcoindBlock } from "../chain/chain.ts";
import { MOST_MONEY } from "../rules/consensus.ts";
import { type BitcoindHost, secondsOf } from "./running.ts";

const MOST_BLOCKS_AT_ONCE = 2_000;
const MOST_BLOCKS_DELAYED = 10_000;
const MOST_BLOCKS_UNDONE = 500;
const MOST_FAULTS = 10_000;
const MOST_WORDS = 1_000;
const MOST_ESTIMATES = 100;
const MOST_TARGET_BLOCKS = 1_008;
const RATE_DIGITS_MAX = 9;
const AMOUNT_DIGITS_MAX = 16;
const NOT_FOUND = -5;

const count = (most: number): z.ZodInt => z.int().min(1).max(most);

/** a whole number, or a string of digits where a JavaScript number would lose precision */
const whole = (mostDigits: number) =>
  z
    .union([z.int().min(0), z.string().regex(/^\d+$/, "is no whole number").max(mostDigits)])
    .transform((amount) => BigInt(amount));

const satoshis = whole(AMOUNT_DIGITS_MAX).refine(
  (amount) => amount <= MOST_MONEY,
  "is more than there will ever be",
);
/** satoshis per 1,000 virtual bytes */
const feeRate = whole(RATE_DIGITS_MAX);
const transactionId = z.string().regex(/^[0-9a-f]{64}$/, "is no transaction id");

/** Mines one block of the waiting transactions; by default the faucet receives the reward. */
export const mineBlockNow = (host: BitcoindHost, rewardScript?: Uint8Array): void => {
  host.apply({ kind: "mine", time: secondsOf(host), rewardScript });
};

/** The ledger's state as the admin endpoint shows it. */
export const bitcoinAdminView = (host: BitcoindHost, timer: BlockTimer): LedgerJson => {
  const { chain, mempool, fees, genesis, faults } = host.state;
  const block = latestBitcoindBlock(chain);
  return {
    ledger: "Bitcoin",
    network: genesis.network.chain,
    genesisHash: genesis.block.hash,
    height: block.height,
    blockHash: block.hash,
    blockTime: block.header.time,
    tip: ledgerTip(block.height, block.header.time),
    now: secondsOf(host),
    blocksAreMadeByTheClock: timer.isRunning,
    fees: {
      minimumRelay: fees.minimumRelay,
      incrementalRelay: fees.incrementalRelay,
      minimumMined: fees.minimumMined,
      estimates: fees.estimates.map(({ blocks, rate }) => ({ blocks, rate })),
      isYoung: fees.isYoung,
    },
    refusalsLeft: faults.refusals.count,
    repliesLeftToLose: faults.lostReplies,
    warmUpsLeft: faults.warmUps,
    faucet: genesis.faucet.address,
    waiting: [...mempool.entries.values()].map(({ transaction, fee, notBefore }) => ({
      id: transaction.txid,
      fee,
      notBefore,
    })),
  };
};

type Actions = Readonly<Record<string, AdminAction>>;
/** Applies an event. @returns the admin view afterwards, or the refusal */
type Apply = (event: BitcoindEvent) => LedgerJson | Response;

/** The actions of the admin endpoint. Each returns the admin view afterwards. */
export const bitcoinAdminActions = (host: BitcoindHost, timer: BlockTimer): Actions => {
  const view = (): LedgerJson => bitcoinAdminView(host, timer);
  const apply: Apply = (event) => {
    const refusal = host.apply(event).find((effect) => effect.kind === "refused");
    if (refusal === undefined) return view();
    return jsonResponse({ message: refusal.message }, refusal.code === NOT_FOUND ? 404 : 400);
  };
  return {
    ...blockActions(host, timer, view),
    ...chainActions(host, apply),
    ...submissionActions(host, apply),
    ...moneyActions(host, apply),
  };
};

/** An address of the ledger's network. @returns the script that pays it */
const addressOn = (host: BitcoindHost) =>
  z.string().transform((text, context) => {
    const { network } = host.state.genesis;
    const script = scriptPaying(text, network);
    if (script !== undefined) return script;
    context.addIssue(`is no address of Bitcoin's network ${network.chain}`);
    return z.NEVER;
  });

const blockActions = (host: BitcoindHost, timer: BlockTimer, view: () => LedgerJson): Actions => ({
  mine: adminAction(
    z.strictObject({
      blocks: count(MOST_BLOCKS_AT_ONCE).default(1),
      address: addressOn(host).optional(),
    }),
    ({ blocks, address }) => {
      for (let made = 0; made < blocks; made += 1) mineBlockNow(host, address);
      return view();
    },
  ),
  ...clockActions(host, timer, view),
});

/** Actions that reorganise the chain, and that drop or delay waiting transactions. */
const chainActions = (host: BitcoindHost, apply: Apply): Actions => ({
  reorg: adminAction(z.strictObject({ depth: count(MOST_BLOCKS_UNDONE).default(1) }), ({ depth }) =>
    apply({ kind: "reorg", depth, time: secondsOf(host) }),
  ),
  drop: adminAction(z.strictObject({ id: transactionId.optional() }), ({ id }) =>
    apply({ kind: "drop", txid: id }),
  ),
  delay: adminAction(
    z.strictObject({ id: transactionId.optional(), blocks: count(MOST_BLOCKS_DELAYED) }),
    ({ id, blocks }) => apply({ kind: "delay", txid: id, blocks }),
  ),
});

/** Actions that make the next submissions fail. */
const submissionActions = (host: BitcoindHost, apply: Apply): Actions => ({
  refuse: adminAction(
    z.strictObject({
      count: count(MOST_FAULTS).default(1),
      message: z.string().min(1).max(MOST_WORDS),
      code: z.int().min(-32_768).max(-1).default(-26),
    }),
    ({ code, ...refusals }) =>
      apply({
        kind: "set-faults",
        faults: { ...host.state.faults, refusals: { ...refusals, status: 500 }, refusalCode: code },
      }),
  ),
  "lose-replies": adminAction(z.strictObject({ count: count(MOST_FAULTS).default(1) }), (fault) =>
    apply({ kind: "set-faults", faults: { ...host.state.faults, lostReplies: fault.count } }),
  ),
  "warm-up": adminAction(z.strictObject({ count: count(MOST_FAULTS).default(1) }), (fault) =>
    apply({ kind: "set-faults", faults: { ...host.state.faults, warmUps: fault.count } }),
  ),
});

const estimates = z
  .array(z.strictObject({ blocks: count(MOST_TARGET_BLOCKS), rate: feeRate }))
  .max(MOST_ESTIMATES)
  .transform((list) => [...list].sort((one, other) => one.blocks - other.blocks));

const moneyActions = (host: BitcoindHost, apply: Apply): Actions => ({
  "set-fees": adminAction(
    z.strictObject({
      minimumRelay: feeRate.optional(),
      incrementalRelay: feeRate.optional(),
      minimumMined: feeRate.optional(),
      estimates: estimates.optional(),
      young: z.boolean().optional(),
    }),
    (given) => {
      const { fees } = host.state;
      return apply({
        kind: "set-fees",
        fees: {
          minimumRelay: given.minimumRelay ?? fees.minimumRelay,
          incrementalRelay: given.incrementalRelay ?? fees.incrementalRelay,
          minimumMined: given.minimumMined ?? fees.minimumMined,
          estimates: given.estimates ?? fees.estimates,
          isYoung: given.young ?? fees.isYoung,
        },
      });
    },
  ),
  fund: adminAction(
    z.strictObject({
      address: addressOn(host),
      amount: satoshis.refine((amount) => amount > 0n, "is nothing"),
    }),
    ({ address: script, amount }) => {
      const [effect] = host.apply({ kind: "fund", script, amount, time: secondsOf(host) });
      return effect?.kind === "pooled"
        ? { id: effect.txid }
        : jsonResponse({ message: effect?.kind === "refused" ? effect.message : "nothing happened" }, 400);
    },
  ),
});
