import { z } from "zod";
import type { BlockTimer } from "../../block-timer.ts";
import { type AdminAction, adminAction } from "../../http/admin.ts";
import { clockActions } from "../../http/clock-actions.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { ledgerTip } from "../../http/ledger-tip.ts";
import type { LedgerJson } from "../../json.ts";
import { parseAlgodAddress } from "../address.ts";
import type { AlgodEvent } from "../advance.ts";
import { latestBlock } from "../state.ts";
import type { AlgodHost } from "./running.ts";

const MOST_BLOCKS_AT_ONCE = 2_000;
const MOST_ROUNDS_DELAYED = 10_000;
const MOST_FAULTS = 10_000;
const MOST_WORDS = 1_000;
const MICROALGOS_DIGITS_MAX = 16;

const NO_REORGANISATION =
  "an Algorand block is final when it is made: there is no reorganisation; delay or drop a transaction instead, until it expires";

const count = (most: number): z.ZodInt => z.int().min(1).max(most);

/** microalgos as a whole number, or as a string of digits where a JavaScript number would lose precision */
const microalgos = z
  .union([z.int().min(0), z.string().regex(/^\d+$/, "is no whole number").max(MICROALGOS_DIGITS_MAX)])
  .transform((amount) => BigInt(amount));

const address = z.string().transform((text, context) => {
  const parsed = parseAlgodAddress(text);
  if (parsed !== undefined) return parsed;
  context.addIssue("is no Algorand address: 58 characters with a checksum");
  return z.NEVER;
});

const transactionId = z.string().regex(/^[A-Z2-7]{52}$/, "is no transaction id");

/** The ledger's time in whole seconds since 1970, the unit of block times. */
const seconds = (host: AlgodHost): bigint => BigInt(Math.floor(host.now / 1_000));

/** Makes one block of the waiting transactions. */
export const mineNow = (host: AlgodHost): void => {
  host.apply({ kind: "mine", time: seconds(host) });
};

/** The ledger's state as the admin endpoint shows it. */
export const adminView = (host: AlgodHost, timer: BlockTimer): LedgerJson => {
  const { pool, fees, genesis, faults } = host.state;
  const block = latestBlock(host.state);
  return {
    ledger: "Algorand",
    genesisId: genesis.id,
    round: block.round,
    blockTime: block.time,
    tip: ledgerTip(block.round, block.time),
    now: seconds(host),
    blocksAreMadeByTheClock: timer.isRunning,
    fees: { minimum: fees.minimum, perByte: fees.perByte },
    refusalsLeft: faults.refusals.count,
    repliesLeftToLose: faults.lostReplies,
    faucet: genesis.faucet.address,
    waiting: pool.groups.map(({ group, notBefore }) => ({
      transactions: group.map(({ id }) => id),
      notBefore,
    })),
  };
};

type Actions = Readonly<Record<string, AdminAction>>;
/** Applies an event. @returns the admin view afterwards, or the refusal */
type Apply = (event: AlgodEvent) => LedgerJson | Response;

/** The actions of the admin endpoint. Each returns the admin view afterwards. */
export const adminActions = (host: AlgodHost, timer: BlockTimer): Actions => {
  const view = (): LedgerJson => adminView(host, timer);
  const apply: Apply = (event) => {
    const refusal = host.apply(event).find((effect) => effect.kind === "refused");
    return refusal === undefined ? view() : jsonResponse({ message: refusal.message }, refusal.status);
  };
  return {
    ...blockActions(host, timer, view),
    ...poolActions(apply),
    ...submissionActions(host, apply),
    ...moneyActions(host, apply),
  };
};

const blockActions = (host: AlgodHost, timer: BlockTimer, view: () => LedgerJson): Actions => ({
  mine: adminAction(z.strictObject({ blocks: count(MOST_BLOCKS_AT_ONCE).default(1) }), ({ blocks }) => {
    for (let made = 0; made < blocks; made += 1) mineNow(host);
    return view();
  }),
  ...clockActions(host, timer, view),
  reorg: adminAction(z.looseObject({}), () => jsonResponse({ message: NO_REORGANISATION }, 400)),
});

/** Actions that drop or delay waiting transactions. */
const poolActions = (apply: Apply): Actions => ({
  drop: adminAction(z.strictObject({ id: transactionId.optional() }), ({ id }) =>
    apply({ kind: "drop", id }),
  ),
  delay: adminAction(
    z.strictObject({ id: transactionId.optional(), rounds: count(MOST_ROUNDS_DELAYED) }),
    ({ id, rounds }) => apply({ kind: "delay", id, rounds: BigInt(rounds) }),
  ),
});

/** Actions that make the next submissions fail. */
const submissionActions = (host: AlgodHost, apply: Apply): Actions => ({
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

const moneyActions = (host: AlgodHost, apply: Apply): Actions => ({
  "set-fees": adminAction(
    z.strictObject({ minimum: microalgos.optional(), perByte: microalgos.optional() }),
    ({ minimum, perByte }) => {
      const { fees } = host.state;
      const changed = { minimum: minimum ?? fees.minimum, perByte: perByte ?? fees.perByte };
      return apply({ kind: "set-fees", fees: changed });
    },
  ),
  fund: adminAction(
    z.strictObject({ address, amount: microalgos.refine((amount) => amount > 0n, "is nothing") }),
    ({ address, amount }) => {
      const [effect] = host.apply({ kind: "fund", address, amount });
      return effect?.kind === "pooled"
        ? { id: effect.id }
        : jsonResponse({ message: effect?.kind === "refused" ? effect.message : "nothing happened" }, 400);
    },
  ),
});
