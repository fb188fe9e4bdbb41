import { z } from "zod";
import type { BlockTimer } from "../../block-timer.ts";
import { type AdminAction, adminAction } from "../../http/admin.ts";
import { clockActions } from "../../http/clock-actions.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { ledgerTip } from "../../http/ledger-tip.ts";
import type { LedgerJson } from "../../json.ts";
import { parseJavaTronBase58, parseJavaTronHex, toJavaTronBase58 } from "../address.ts";
import { javaTronHead, latestJavaTronBlock } from "../state.ts";
import type { JavaTronNode } from "./running.ts";

const MOST_BLOCKS_AT_ONCE = 2_000;
const MOST_BLOCKS_DELAYED = 100_000;
const MOST_FAULTS = 10_000;
const MOST_WORDS = 1_000;
const SUN_DIGITS_MAX = 17;
const NOT_FOUND = 404;
const BAD_REQUEST = 400;

const count = (most: number): z.ZodInt => z.int().min(1).max(most);

/** sun as a whole number, or as a string of digits where a JavaScript number would lose precision */
const sun = z
  .union([z.int().min(0), z.string().regex(/^\d+$/, "is no whole number").max(SUN_DIGITS_MAX)])
  .transform((amount) => BigInt(amount));

const address = z.string().transform((text, context) => {
  const parsed = parseJavaTronBase58(text) ?? parseJavaTronHex(text);
  if (parsed !== undefined) return parsed;
  context.addIssue("is no TRON address: T and 33 more characters with a checksum");
  return z.NEVER;
});

const transactionId = z.string().regex(/^[0-9a-f]{64}$/, "is no transaction id");

const refusalCode = z.enum([
  "SIGERROR",
  "CONTRACT_VALIDATE_ERROR",
  "CONTRACT_EXE_ERROR",
  "BANDWITH_ERROR",
  "DUP_TRANSACTION_ERROR",
  "TAPOS_ERROR",
  "TOO_BIG_TRANSACTION_ERROR",
  "TRANSACTION_EXPIRATION_ERROR",
  "SERVER_BUSY",
  "NO_CONNECTION",
  "NOT_ENOUGH_EFFECTIVE_CONNECTION",
  "BLOCK_UNSOLIDIFIED",
  "OTHER_ERROR",
]);

/** The ledger's state as the admin endpoint shows it. */
export const javaTronAdminView = ({ host }: JavaTronNode, timer: BlockTimer): LedgerJson => {
  const { prices, faults, genesis, waiting } = host.state;
  const head = latestJavaTronBlock(host.state);
  return {
    ledger: "Tron",
    chain: genesis.chain,
    genesisBlock: genesis.block.id,
    block: head.number,
    blockTime: head.time,
    tip: ledgerTip(head.number, Math.floor(head.time / 1_000)),
    solidBlock: javaTronHead(host.state, "solid").number,
    now: host.now,
    blocksAreMadeByTheClock: timer.isRunning,
    fees: { bandwidth: prices.transactionFee, energy: prices.energyFee },
    refusalsLeft: faults.refusals.count,
    submissionsLeftToSwallow: faults.swallowed,
    repliesLeftToLose: faults.lostReplies,
    faucet: toJavaTronBase58(genesis.faucet.address),
    waiting: waiting.map(({ submission, notBefore }) => ({ id: submission.id, notBefore })),
  };
};

type Actions = Readonly<Record<string, AdminAction>>;
type Apply = (event: Parameters<JavaTronNode["apply"]>[0]) => Promise<LedgerJson | Response>;

/** The actions of the admin endpoint. Each returns the admin view afterwards. */
export const javaTronAdminActions = (node: JavaTronNode, timer: BlockTimer): Actions => {
  const view = (): LedgerJson => javaTronAdminView(node, timer);
  const apply: Apply = async (event) => {
    for (const effect of await node.apply(event)) {
      if (effect.kind === "unknown") {
        return jsonResponse({ message: `the transaction ${effect.id} does not wait` }, NOT_FOUND);
      }
      if (effect.kind === "impossible") return jsonResponse({ message: effect.message }, BAD_REQUEST);
    }
    return view();
  };
  return {
    mine: adminAction(
      z.strictObject({ blocks: count(MOST_BLOCKS_AT_ONCE).default(1) }),
      async ({ blocks }) => {
        for (let made = 0; made < blocks; made += 1) await node.mine();
        return view();
      },
    ),
    reorg: adminAction(z.strictObject({ depth: count(MOST_BLOCKS_AT_ONCE).default(1) }), ({ depth }) =>
      apply({ kind: "reorganise", depth, time: node.host.now }),
    ),
    ...clockActions(node.host, timer, view),
    ...waitingActions(apply),
    ...submissionActions(node, apply),
    ...moneyActions(node, apply),
  };
};

/** Actions that drop or delay waiting transactions. */
const waitingActions = (apply: Apply): Actions => ({
  drop: adminAction(z.strictObject({ id: transactionId.optional() }), ({ id }) =>
    apply({ kind: "drop", id }),
  ),
  delay: adminAction(
    z.strictObject({ id: transactionId.optional(), blocks: count(MOST_BLOCKS_DELAYED) }),
    ({ id, blocks }) => apply({ kind: "delay", id, blocks }),
  ),
});

/** Actions that make the next submissions fail. */
const submissionActions = ({ host }: JavaTronNode, apply: Apply): Actions => ({
  refuse: adminAction(
    z.strictObject({
      count: count(MOST_FAULTS).default(1),
      code: refusalCode.default("SERVER_BUSY"),
      message: z.string().min(1).max(MOST_WORDS),
    }),
    ({ count: times, code, message }) =>
      apply({
        kind: "set-faults",
        faults: { ...host.state.faults, refusals: { count: times, refusal: { code, message } } },
      }),
  ),
  swallow: adminAction(z.strictObject({ count: count(MOST_FAULTS).default(1) }), (fault) =>
    apply({ kind: "set-faults", faults: { ...host.state.faults, swallowed: fault.count } }),
  ),
  "lose-replies": adminAction(z.strictObject({ count: count(MOST_FAULTS).default(1) }), (fault) =>
    apply({ kind: "set-faults", faults: { ...host.state.faults, lostReplies: fault.count } }),
  ),
});

const moneyActions = (node: JavaTronNode, apply: Apply): Actions => ({
  "set-fees": adminAction(
    z.strictObject({ bandwidth: sun.optional(), energy: sun.optional() }),
    ({ bandwidth, energy }) => {
      const { prices } = node.host.state;
      const transactionFee = bandwidth ?? prices.transactionFee;
      const energyFee = energy ?? prices.energyFee;
      return apply({ kind: "set-prices", prices: { ...prices, transactionFee, energyFee } });
    },
  ),
  fund: adminAction(
    z.strictObject({ address, amount: sun.refine((amount) => amount > 0n, "is nothing") }),
    async ({ address: to, amount }) => {
      const [effect] = await node.apply({ kind: "fund", address: to, amount });
      if (effect?.kind === "pooled") return { id: effect.id };
      const words = effect?.kind === "refused" ? effect.refusal.message : "nothing happened";
      return jsonResponse({ message: words }, BAD_REQUEST);
    },
  ),
});
