import { z } from "zod";
import type { BlockTimer } from "../../block-timer.ts";
import { type AdminAction, adminAction } from "../../http/admin.ts";
import { clockActions } from "../../http/clock-actions.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { ledgerTip } from "../../http/ledger-tip.ts";
import type { LedgerJson } from "../../json.ts";
import { parseAgaveAddress } from "../address.ts";
import type { AgaveEffect, AgaveEvent } from "../advance.ts";
import { AGAVE_CODES } from "../refusal.ts";
import { type AgaveState, agaveBlockAt } from "../state.ts";
import { agaveSignatureOf } from "../wire/transaction.ts";
import { type AgaveNode, changeAgaveChain, mineAgaveNow } from "./running.ts";

const MOST_BLOCKS_AT_ONCE = 2_000;
const MOST_BLOCKS_DELAYED = 10_000;
const MOST_FAULTS = 10_000;
const MESSAGE_CHARACTERS_MAX = 500;
const LAMPORTS_DIGITS_MAX = 18;
const REFUSED_STATUS = 400;
const NOT_FOUND_STATUS = 404;

const count = (most: number): z.ZodInt => z.int().min(1).max(most);

/** a whole number, or a string of digits where a JavaScript number would lose precision */
const lamports = z
  .union([z.int().min(0), z.string().regex(/^\d+$/, "is no whole number").max(LAMPORTS_DIGITS_MAX)])
  .transform((amount) => BigInt(amount));

const address = z.string().transform((text, context) => {
  const parsed = parseAgaveAddress(text);
  if (parsed !== undefined) return parsed;
  context.addIssue("is no Solana address: base58 of 32 bytes");
  return z.NEVER;
});

const transactionId = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, "is no signature: base58 of 64 bytes");

const agaveTip = (state: AgaveState): LedgerJson => {
  const { height, time } = agaveBlockAt(state, "processed");
  return ledgerTip(height, time);
};

/** The ledger's state as the admin endpoint shows it. */
export const agaveAdminView = ({ host }: AgaveNode, timer: BlockTimer): LedgerJson => {
  const { state } = host;
  const place = (commitment: "processed" | "confirmed" | "finalized"): LedgerJson => {
    const { slot, height } = agaveBlockAt(state, commitment);
    return { slot, height };
  };
  return {
    ledger: "Solana",
    chain: state.genesis.chain,
    genesisHash: state.genesis.hash,
    processed: place("processed"),
    confirmed: place("confirmed"),
    finalized: place("finalized"),
    tip: agaveTip(state),
    now: Math.floor(host.now / 1_000),
    blocksAreMadeByTheClock: timer.isRunning,
    computeUnitPrice: state.unitPriceFloor,
    refusalsLeft: state.faults.refusals.count,
    repliesLeftToLose: state.faults.lostReplies,
    faucet: state.genesis.faucet.address,
    waiting: state.waiting.map(({ transaction, notBefore }) => ({
      id: agaveSignatureOf(transaction),
      notBefore,
    })),
  };
};

type Actions = Readonly<Record<string, AdminAction>>;
/** Applies an event. @returns the admin view afterwards, or the refusal */
type Apply = (event: AgaveEvent, status?: number) => LedgerJson | Response;

const refusalOf = (effects: readonly AgaveEffect[], status: number): Response | undefined => {
  const refused = effects.find((effect) => effect.kind === "refused");
  return refused && jsonResponse({ message: refused.refusal.message }, status);
};

/** The actions of the admin endpoint. Each returns the admin view afterwards. */
export const agaveAdminActions = (node: AgaveNode, timer: BlockTimer): Actions => {
  const view = (): LedgerJson => agaveAdminView(node, timer);
  const apply: Apply = (event, status = REFUSED_STATUS) =>
    refusalOf(node.host.apply(event), status) ?? view();
  return {
    ...chainActions(node, timer, view),
    ...waitingActions(apply),
    ...submissionActions(node, apply),
    ...moneyActions(node, apply),
  };
};

const chainActions = (node: AgaveNode, timer: BlockTimer, view: () => LedgerJson): Actions => ({
  mine: adminAction(z.strictObject({ blocks: count(MOST_BLOCKS_AT_ONCE).default(1) }), ({ blocks }) => {
    for (let made = 0; made < blocks; made += 1) mineAgaveNow(node);
    return view();
  }),
  ...clockActions(node.host, timer, view),
  reorg: adminAction(
    z.strictObject({ depth: count(MOST_BLOCKS_AT_ONCE).default(1) }),
    ({ depth }) => refusalOf(changeAgaveChain(node, { kind: "reorg", depth }), REFUSED_STATUS) ?? view(),
  ),
});

/** Actions that drop or delay waiting transactions. */
const waitingActions = (apply: Apply): Actions => ({
  drop: adminAction(z.strictObject({ id: transactionId.optional() }), ({ id }) =>
    apply({ kind: "drop", id }, NOT_FOUND_STATUS),
  ),
  delay: adminAction(
    z.strictObject({ id: transactionId.optional(), blocks: count(MOST_BLOCKS_DELAYED) }),
    ({ id, blocks }) => apply({ kind: "delay", id, blocks }, NOT_FOUND_STATUS),
  ),
});

/** Actions that make the next submissions fail. */
const submissionActions = ({ host }: AgaveNode, apply: Apply): Actions => ({
  refuse: adminAction(
    z.strictObject({
      count: count(MOST_FAULTS).default(1),
      message: z.string().min(1).max(MESSAGE_CHARACTERS_MAX),
      code: z.int().min(-32_768).max(-1).default(AGAVE_CODES.internal),
    }),
    ({ count: times, message, code }) =>
      apply({
        kind: "set-faults",
        faults: { ...host.state.faults, refusals: { count: times, message, status: code } },
      }),
  ),
  "lose-replies": adminAction(z.strictObject({ count: count(MOST_FAULTS).default(1) }), (fault) =>
    apply({ kind: "set-faults", faults: { ...host.state.faults, lostReplies: fault.count } }),
  ),
});

const moneyActions = ({ host }: AgaveNode, apply: Apply): Actions => ({
  "set-fees": adminAction(z.strictObject({ computeUnitPrice: lamports }), ({ computeUnitPrice }) =>
    apply({ kind: "set-fees", unitPriceFloor: computeUnitPrice }),
  ),
  fund: adminAction(
    z.strictObject({ address, amount: lamports.refine((amount) => amount > 0n, "is nothing") }),
    ({ address: receiver, amount }) => {
      const effects = host.apply({ kind: "fund", address: receiver, lamports: amount });
      const taken = effects.find((effect) => effect.kind === "taken");
      return taken === undefined ? (refusalOf(effects, REFUSED_STATUS) ?? null) : { id: taken.signature };
    },
  ),
});
