import { z } from "zod";
import type { BlockTimer } from "../../block-timer.ts";
import { type AdminAction, adminAction } from "../../http/admin.ts";
import { clockActions } from "../../http/clock-actions.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { ledgerTip } from "../../http/ledger-tip.ts";
import type { LedgerJson } from "../../json.ts";
import { parseHorizonAddress } from "../address.ts";
import type { HorizonEffect, HorizonEvent } from "../advance.ts";
import { resultCodes } from "../horizon/result-codes.ts";
import { latestLedger } from "../state.ts";
import { type HorizonHost, stellarTime } from "./running.ts";

const MOST_LEDGERS_AT_ONCE = 2_000;
const MOST_LEDGERS_DELAYED = 10_000;
const MOST_FAULTS = 10_000;
const MOST_WORDS = 1_000;
const STROOPS_DIGITS_MAX = 18;
/** At this fee per operation, the bid of a hundred operations still fits into the fee's 32 bits. */
const MOST_FEE = 10_000_000n;

const NO_REORGANISATION =
  "a Stellar ledger is final when it is closed: there is no reorganisation; delay or drop a transaction instead, until it expires";

const count = (most: number): z.ZodInt => z.int().min(1).max(most);

/** stroops as a whole number, or as a string of digits where a JavaScript number would lose precision */
const stroops = z
  .union([z.int().min(0), z.string().regex(/^\d+$/, "is no whole number").max(STROOPS_DIGITS_MAX)])
  .transform((amount) => BigInt(amount));

const something = stroops.refine((amount) => amount > 0n, "is nothing");
const fee = stroops.refine((amount) => amount <= MOST_FEE, `is above ${MOST_FEE}`);

const address = z.string().transform((text, context) => {
  const parsed = parseHorizonAddress(text);
  if (parsed !== undefined) return parsed;
  context.addIssue("is no account's address: 56 characters, G first, with a checksum");
  return z.NEVER;
});

const transactionId = z.string().regex(/^[0-9a-f]{64}$/, "is no transaction's hash");

/** Closes one ledger with the waiting transactions. */
export const closeNow = (host: HorizonHost): void => {
  host.apply({ kind: "mine", time: stellarTime(host) });
};

/** The ledger's state as the admin endpoint shows it. */
export const horizonAdminView = (host: HorizonHost, timer: BlockTimer): LedgerJson => {
  const { queue, fees, genesis, faults } = host.state;
  const { header } = latestLedger(host.state);
  return {
    ledger: "Stellar",
    passphrase: genesis.passphrase,
    sequence: header.sequence,
    closedAt: header.value.closedAt,
    tip: ledgerTip(header.sequence, header.value.closedAt),
    now: stellarTime(host),
    ledgersAreClosedByTheClock: timer.isRunning,
    fees: { minimum: fees.minimum, surge: fees.surge },
    refusalsLeft: faults.refusals.count,
    repliesLeftToLose: faults.lostReplies,
    faucet: genesis.faucet.address,
    issuer: genesis.issuer.address,
    waiting: queue.waiting.map(({ submission, age, notBefore }) => ({
      transaction: submission.id,
      age,
      notBefore,
    })),
  };
};

type Actions = Readonly<Record<string, AdminAction>>;
/** Applies an event. @returns the admin view afterwards, or the refusal */
type Apply = (event: HorizonEvent) => LedgerJson | Response;

/** The actions of the admin endpoint. Each returns the admin view afterwards. */
export const horizonAdminActions = (host: HorizonHost, timer: BlockTimer): Actions => {
  const view = (): LedgerJson => horizonAdminView(host, timer);
  const apply: Apply = (event) => {
    const refusal = host.apply(event).find((effect) => effect.kind === "refused");
    return refusal === undefined ? view() : jsonResponse({ message: refusal.message }, refusal.status);
  };
  return {
    ...ledgerActions(host, timer, view),
    ...queueActions(apply),
    ...faultActions(host, apply),
    ...moneyActions(host, apply),
  };
};

const ledgerActions = (host: HorizonHost, timer: BlockTimer, view: () => LedgerJson): Actions => ({
  mine: adminAction(z.strictObject({ blocks: count(MOST_LEDGERS_AT_ONCE).default(1) }), ({ blocks }) => {
    for (let made = 0; made < blocks; made += 1) closeNow(host);
    return view();
  }),
  ...clockActions(host, timer, view),
  reorg: adminAction(z.looseObject({}), () => jsonResponse({ message: NO_REORGANISATION }, 400)),
});

/** Actions that drop or delay waiting transactions. */
const queueActions = (apply: Apply): Actions => ({
  drop: adminAction(z.strictObject({ id: transactionId.optional() }), ({ id }) =>
    apply({ kind: "drop", id }),
  ),
  delay: adminAction(
    z.strictObject({ id: transactionId.optional(), rounds: count(MOST_LEDGERS_DELAYED) }),
    ({ id, rounds }) => apply({ kind: "delay", id, ledgers: rounds }),
  ),
});

/** Actions that make the next submissions fail. */
const faultActions = (host: HorizonHost, apply: Apply): Actions => ({
  refuse: adminAction(
    z.strictObject({
      count: count(MOST_FAULTS).default(1),
      message: z.string().min(1).max(MOST_WORDS),
      status: z.int().min(400).max(599).default(400),
    }),
    (refusals) => apply({ kind: "set-faults", faults: { ...host.state.faults, refusals } }),
  ),
  "lose-replies": adminAction(z.strictObject({ count: count(MOST_FAULTS).default(1) }), (fault) =>
    apply({ kind: "set-faults", faults: { ...host.state.faults, lostReplies: fault.count } }),
  ),
});

/** @returns the transaction's hash, or the refusal */
const paidOut = (effect: HorizonEffect | undefined): LedgerJson | Response => {
  if (effect?.kind === "refused") return jsonResponse({ message: effect.message }, effect.status);
  if (effect?.kind !== "submitted") throw new Error("the faucet writes what the ledger reads");
  const { id, reply } = effect;
  if (reply.status === "PENDING") return { id };
  const codes = reply.status === "ERROR" ? resultCodes(reply.result) : undefined;
  return jsonResponse({ message: `the faucet's transaction was answered ${reply.status}`, codes }, 400);
};

const moneyActions = (host: HorizonHost, apply: Apply): Actions => ({
  "set-fees": adminAction(
    z.strictObject({ minimum: fee.optional(), surge: fee.optional() }),
    ({ minimum, surge }) => {
      const { fees } = host.state;
      const changed = { minimum: minimum ?? fees.minimum, surge: surge ?? fees.surge };
      return apply({ kind: "set-fees", fees: changed });
    },
  ),
  fund: adminAction(z.strictObject({ address, amount: something }), ({ address, amount }) =>
    paidOut(host.apply({ kind: "fund", address, amount, time: stellarTime(host) })[0]),
  ),
  issue: adminAction(
    z.strictObject({
      address,
      code: z.string().regex(/^[A-Za-z0-9]{1,12}$/, "is no asset code: 1 to 12 letters and digits"),
      amount: something,
    }),
    ({ address, code, amount }) =>
      paidOut(host.apply({ kind: "issue", address, code, amount, time: stellarTime(host) })[0]),
  ),
});
