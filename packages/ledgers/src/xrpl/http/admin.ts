import { z } from "zod";
import type { BlockTimer } from "../../block-timer.ts";
import { type AdminAction, adminAction } from "../../http/admin.ts";
import { clockActions } from "../../http/clock-actions.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { ledgerTip } from "../../http/ledger-tip.ts";
import type { LedgerJson } from "../../json.ts";
import { parseRippledAddress } from "../address.ts";
import type { RippledEvent } from "../advance.ts";
import { isRippledResult } from "../engine-result.ts";
import { rippledSeconds, unixSecondsOfRippleTime } from "../ripple-time.ts";
import { RIPPLED_ERROR_NAMES } from "../rippled/answer.ts";
import { completeLedgers } from "../rippled/server.ts";
import { latestRippledLedger } from "../state.ts";
import { closeRippledLedgerNow, type RippledNode } from "./running.ts";

const MOST_LEDGERS_AT_ONCE = 2_000;
const MOST_LEDGERS_DELAYED = 10_000;
const MOST_FAULTS = 10_000;
const DROPS_DIGITS_MAX = 17;
const LEDGER_INDEX_MAX = 0xffff_ffff;

const NO_REORGANISATION =
  "an XRP Ledger is final when it is validated: there is no reorganisation; delay or drop a transaction instead, until it expires";

const count = (most: number): z.ZodInt => z.int().min(1).max(most);
const ledgerIndex = z.int().min(1).max(LEDGER_INDEX_MAX);

/** drops as a whole number, or as a string of digits where a JavaScript number would lose precision */
const drops = z
  .union([z.int().min(0), z.string().regex(/^\d+$/, "is no whole number").max(DROPS_DIGITS_MAX)])
  .transform((amount) => BigInt(amount));

const address = z.string().transform((text, context) => {
  const parsed = parseRippledAddress(text);
  if (parsed !== undefined) return parsed;
  context.addIssue("is no classic address of the XRP Ledger: it begins with r and has a checksum");
  return z.NEVER;
});

const rippledTransactionHash = z
  .string()
  .regex(/^[0-9A-Fa-f]{64}$/, "is no transaction hash: 64 characters of hex")
  .transform((text) => text.toUpperCase());

/** The ledger's state as the admin endpoint shows it. */
export const rippledAdminView = ({ host }: RippledNode, timer: BlockTimer): LedgerJson => {
  const { fees, genesis, faults, open } = host.state;
  const { index, closeTime } = latestRippledLedger(host.state);
  return {
    ledger: "XrpLedger",
    networkId: genesis.networkId,
    index,
    closeTime,
    tip: ledgerTip(index, unixSecondsOfRippleTime(closeTime)),
    now: rippledSeconds(host.now),
    blocksAreMadeByTheClock: timer.isRunning,
    completeLedgers: completeLedgers(host.state),
    fees: { ...fees },
    refusalsLeft: faults.refusals.count,
    repliesLeftToLose: faults.lostReplies,
    faucet: genesis.faucet.address,
    waiting: open.waiting.map(({ transaction, place, notBefore }) => ({
      id: transaction.hash,
      place,
      notBefore,
    })),
  };
};

type Actions = Readonly<Record<string, AdminAction>>;
/** Applies an event. @returns the admin view afterwards, or the refusal */
type Apply = (event: RippledEvent) => LedgerJson | Response;

/** The actions of the admin endpoint. Each returns the admin view afterwards. */
export const rippledAdminActions = (node: RippledNode, timer: BlockTimer): Actions => {
  const view = (): LedgerJson => rippledAdminView(node, timer);
  const apply: Apply = (event) => {
    const refusal = node.host.apply(event).find((effect) => effect.kind === "refused");
    return refusal === undefined ? view() : jsonResponse({ message: refusal.message }, refusal.status);
  };
  return {
    ...ledgerActions(node, timer, view),
    ...historyActions(apply),
    ...waitingActions(apply),
    ...submissionActions(node, apply),
    ...moneyActions(node, apply),
  };
};

const ledgerActions = (node: RippledNode, timer: BlockTimer, view: () => LedgerJson): Actions => ({
  mine: adminAction(z.strictObject({ blocks: count(MOST_LEDGERS_AT_ONCE).default(1) }), ({ blocks }) => {
    for (let made = 0; made < blocks; made += 1) closeRippledLedgerNow(node);
    return view();
  }),
  ...clockActions(node.host, timer, view),
  reorg: adminAction(z.looseObject({}), () => jsonResponse({ message: NO_REORGANISATION }, 400)),
});

/** Actions that make the node forget ledgers, and remember them. */
const historyActions = (apply: Apply): Actions => ({
  forget: adminAction(z.strictObject({ from: ledgerIndex, to: ledgerIndex }), (range) =>
    apply({ kind: "forget", range }),
  ),
  remember: adminAction(z.strictObject({}), () => apply({ kind: "forget", range: undefined })),
});

/** Actions that drop or delay waiting transactions. */
const waitingActions = (apply: Apply): Actions => ({
  drop: adminAction(z.strictObject({ id: rippledTransactionHash.optional() }), ({ id }) =>
    apply({ kind: "drop", hash: id }),
  ),
  delay: adminAction(
    z.strictObject({ id: rippledTransactionHash.optional(), blocks: count(MOST_LEDGERS_DELAYED) }),
    ({ id, blocks }) => apply({ kind: "delay", hash: id, ledgers: blocks }),
  ),
});

const refusal = z
  .strictObject({
    count: count(MOST_FAULTS).default(1),
    result: z.string().refine(isRippledResult, "is no engine result that this ledger knows").optional(),
    error: z.enum(RIPPLED_ERROR_NAMES).optional(),
  })
  .refine(
    ({ result, error }) => (result === undefined) !== (error === undefined),
    "name a result or an error",
  );

/** Actions that make the next submissions fail. */
const submissionActions = ({ host }: RippledNode, apply: Apply): Actions => ({
  refuse: adminAction(refusal, ({ count: times, result, error }) =>
    apply({
      kind: "set-faults",
      faults: {
        ...host.state.faults,
        refusals: { count: times, message: result ?? error ?? "", status: 200 },
      },
    }),
  ),
  "lose-replies": adminAction(z.strictObject({ count: count(MOST_FAULTS).default(1) }), (fault) =>
    apply({ kind: "set-faults", faults: { ...host.state.faults, lostReplies: fault.count } }),
  ),
});

const moneyActions = ({ host }: RippledNode, apply: Apply): Actions => ({
  "set-fees": adminAction(
    z.strictObject({
      base: drops.optional(),
      openLedger: drops.optional(),
      reserveBase: drops.optional(),
      reserveIncrement: drops.optional(),
    }),
    (given) => {
      const { fees } = host.state;
      const changed = {
        base: given.base ?? fees.base,
        openLedger: given.openLedger ?? fees.openLedger,
        reserveBase: given.reserveBase ?? fees.reserveBase,
        reserveIncrement: given.reserveIncrement ?? fees.reserveIncrement,
      };
      return apply({ kind: "set-fees", fees: changed });
    },
  ),
  fund: adminAction(
    z.strictObject({ address, amount: drops.refine((amount) => amount > 0n, "is nothing") }),
    ({ address: receiver, amount }) => {
      const [effect] = host.apply({ kind: "fund", address: receiver, amount });
      if (effect?.kind === "judged") {
        return effect.place === undefined
          ? jsonResponse({ message: `${effect.result}: ${effect.words}` }, 400)
          : { id: effect.hash };
      }
      return jsonResponse({ message: effect?.kind === "closed" ? "" : (effect?.message ?? "") }, 400);
    },
  ),
});
