import type { World } from "@conclave/custody";
import {
  type Claim,
  type Connection,
  claimDue,
  type Database,
  extendClaims,
  failClaim,
  finishClaim,
  type Logger,
  lockClaim,
  Outage,
  parkClaim,
  postponeClaim,
  type Slots,
  type Stoppable,
  startLoop,
} from "@conclave/platform";
import { lookFailed, requestAwaitsOutage, requestNotGivenBack, requestsNotTaken } from "../log/log-events.ts";
import type { Disposition, RequestLook } from "./disposition.ts";
import { afterFailure, PARKED_AFTER_FAILURES } from "./failure.ts";

/** After this time without a sign of life, the request of a dead process goes to another process (INV-5). */
export const REQUEST_LEASE_MS = 10_000;
/** Interval of lease extensions: three fit into a lease, so that a lost one does no harm. */
const EXTEND_MS = 3_000;
/** A look that takes longer than this counts as hung: another process may take the request over. */
const LONGEST_MS = 15 * 60_000;
/** Interval, plus a random part, of searches for due requests, as announcements may be lost. */
const ROUND_MS = 500;
const ROUND_JITTER_MS = 250;
const OUTAGE_MS = 1_000;
const OTHERS_PART = 4;
const BYTE_VALUES = 256;

export interface TakeOptions {
  readonly database: Database;
  /** number of concurrent looks for each lane; lanes that are not listed are left to other processes */
  readonly slots: Slots;
  readonly looks: Readonly<Record<Claim["kind"], RequestLook>>;
  /** whether later requests may continue without one that is parked */
  readonly letsGo: (claim: Claim) => Promise<boolean>;
  /** this process's name among the present ones; undefined while it has none, and then its leases run their full time */
  readonly presentAs: () => string | undefined;
  /** subscribes to DUE_SUBJECT */
  readonly hear: (ring: () => void) => Stoppable;
  readonly world: World;
  readonly logger: Logger;
}

/** A claim, and the time until which no other process takes it while its holder is present. */
interface Held {
  readonly claim: Claim;
  readonly holder: string | undefined;
  readonly untilMs: number;
}

/** The held claims, by token and id: a request may be claimed again while an earlier look at it still hangs. */
type Holding = Map<string, Held>;

const nameOf = ({ id, token }: Claim): string => `${token} ${id}`;

/**
 * Takes due requests, looks at each, and gives it back, until stopped. The database is the queue: when a process dies,
 * another takes over after its leases end, and a process that lost a lease can no longer change the queue.
 */
export const startTaking = (options: TakeOptions): Stoppable => {
  const holding: Holding = new Map();
  const looks = new Set<Promise<void>>();
  let isStopping = false;
  const onFailure = (err: unknown): void => requestsNotTaken(options.logger, { err });
  const take = async (): Promise<number> => {
    const beganMs = options.world.monotonicMs();
    const slots = freeSlots(options.slots, holding, beganMs);
    if (slots.size === 0 || isStopping) return ROUND_MS;
    const holder = options.presentAs();
    const token = options.world.freshUuid();
    const claims = await claimDue(
      options.database,
      slots,
      token,
      REQUEST_LEASE_MS,
      holder,
      partsOf(options.slots),
    );
    for (const claim of claims) {
      holding.set(nameOf(claim), { claim, holder, untilMs: beganMs + REQUEST_LEASE_MS });
      const look = lookAndGiveBack(options, holding, claim).finally(() => {
        holding.delete(nameOf(claim));
        looks.delete(look);
        // the slot is free again
        loop.ring();
      });
      looks.add(look);
    }
    return ROUND_MS + jitterOf(options.world);
  };
  const { world, hear } = options;
  const loop = startLoop({ world, hear, round: take, onFailure, pauseAfterFailureMs: OUTAGE_MS });
  const extending = startLoop({
    world,
    round: () => extend(options, holding),
    onFailure,
    pauseAfterFailureMs: OUTAGE_MS,
  });
  return {
    stop: async () => {
      isStopping = true;
      await loop.stop();
      await Promise.all(looks);
      await extending.stop();
    },
  };
};

const jitterOf = ({ entropy }: World): number => ((entropy(1)[0] ?? 0) / BYTE_VALUES) * ROUND_JITTER_MS;

/**
 * The limit for one organisation, whose builds may all be slow: it leaves a quarter of a lane's slots, rounded down, to
 * the others.
 */
const partsOf = (slots: Slots): Slots =>
  new Map([...slots].map(([lane, all]) => [lane, all - Math.floor(all / OTHERS_PART)]));

/** The free slots. A hung look, whose claim was taken over, occupies none. */
const freeSlots = (slots: Slots, holding: Holding, nowMs: number): Slots => {
  const free = new Map(slots);
  for (const { claim, untilMs } of holding.values()) {
    if (untilMs <= nowMs) continue;
    const left = (free.get(claim.lane) ?? 0) - 1;
    if (left > 0) free.set(claim.lane, left);
    else free.delete(claim.lane);
  }
  return free;
};

const extend = async ({ database, world }: TakeOptions, holding: Holding): Promise<number> => {
  const beganMs = world.monotonicMs();
  const claims = [...holding.values()].map(({ claim }) => claim);
  if (claims.length === 0) return EXTEND_MS;
  const held = await extendClaims(database, claims, REQUEST_LEASE_MS, LONGEST_MS);
  for (const claim of held) {
    const known = holding.get(nameOf(claim));
    if (known !== undefined) holding.set(nameOf(claim), { ...known, untilMs: beganMs + REQUEST_LEASE_MS });
  }
  return EXTEND_MS;
};

const lookAndGiveBack = async (options: TakeOptions, holding: Holding, claim: Claim): Promise<void> => {
  const { looks, logger, presentAs, world } = options;
  const { id, attempt } = claim;
  const isHeld = (): boolean => {
    const held = holding.get(nameOf(claim));
    if (held === undefined || world.monotonicMs() >= held.untilMs) return false;
    return held.holder === undefined || held.holder === presentAs();
  };
  const lock = (connection: Connection): Promise<boolean> => lockClaim(connection, claim);
  try {
    const disposition = isLeftAgain(claim)
      ? new Error("processes that looked at it ended, or hung")
      : await looks[claim.kind]({ id, attempt, isHeld, lock }).catch(asError);
    await (disposition instanceof Error
      ? giveBackFailed(options, claim, disposition)
      : giveBack(options, claim, disposition));
  } catch (err) {
    // the lease ends, and then the request is taken again
    requestNotGivenBack(logger, { err, requestId: id });
  }
};

/** Whether the claim was lost too often, as each process that held it died or hung: the request itself may be the cause. */
const isLeftAgain = ({ failures }: Claim): boolean => failures >= PARKED_AFTER_FAILURES;

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

const giveBack = async ({ database }: TakeOptions, claim: Claim, disposition: Disposition): Promise<void> => {
  if (disposition.kind === "Done") await finishClaim(database, claim);
  else await postponeClaim(database, claim, disposition.afterMs);
};

/** Gives a request back after an error. An outage of a service is no failure of the request, as the service will return. */
const giveBackFailed = async (options: TakeOptions, claim: Claim, err: Error): Promise<void> => {
  const { database, letsGo, logger } = options;
  const { id, failures } = claim;
  if (err instanceof Outage) {
    requestAwaitsOutage(logger, { err, requestId: id });
    await postponeClaim(database, claim, OUTAGE_MS);
    return;
  }
  const after = isLeftAgain(claim) ? afterFailure(failures) : afterFailure(failures + 1);
  lookFailed(logger, { err, requestId: id, failures: failures + 1, after });
  if (after.kind === "retry") await failClaim(database, claim, after.afterMs, err.message);
  else await parkClaim(database, claim, err.message, await letsGo(claim));
};
