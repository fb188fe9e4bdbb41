import type { World } from "@conclave/custody";
import {
  type Claim,
  claimDue,
  type Database,
  extendClaims,
  failClaim,
  finishClaim,
  type Logger,
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
/** Three fit into a lease, so that a lost one does no harm. */
const EXTEND_MS = 3_000;
/** A look that takes longer than this hangs: another process may take the request over. */
const LONGEST_MS = 15 * 60_000;
/** The queue is searched for due requests this often, give or take: announcements may be lost. */
const ROUND_MS = 500;
const ROUND_JITTER_MS = 250;
const OUTAGE_MS = 1_000;
const OTHERS_PART = 4;
const BYTE_VALUES = 256;

export interface TakeOptions {
  readonly database: Database;
  /** how many requests of each lane are looked at side by side; requests of other lanes are left to others */
  readonly slots: Slots;
  readonly looks: Readonly<Record<Claim["kind"], RequestLook>>;
  /** whether those behind a request that is put aside may go on without it */
  readonly letsGo: (claim: Claim) => Promise<boolean>;
  /** as whom this process is present; undefined while it is not, and then its leases last their time */
  readonly presentAs: () => string | undefined;
  /** hears DUE_SUBJECT */
  readonly hear: (ring: () => void) => Stoppable;
  readonly world: World;
  readonly logger: Logger;
}

/** A claim, and until when nobody else takes it, unless its holder is gone. */
interface Held {
  readonly claim: Claim;
  readonly holder: string | undefined;
  readonly untilMs: number;
}

/** The claims that are held, by token and id: a request may be taken again while an earlier look at it still hangs. */
type Holding = Map<string, Held>;

const nameOf = ({ id, token }: Claim): string => `${token} ${id}`;

/**
 * Takes requests that are due, looks at each, and gives it back, until stopped. The database is the queue: a process that dies is followed
 * by another one when its leases end, and a process that lost a lease changes nothing of the queue any more.
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
        // its slot is free
        loop.ring();
      });
      looks.add(look);
    }
    return ROUND_MS + jitterOf(options.world);
  };
  const loop = startLoop({ world: options.world, round: take, onFailure, pauseAfterFailureMs: OUTAGE_MS });
  const extending = startLoop({
    world: options.world,
    round: () => extend(options, holding),
    onFailure,
    pauseAfterFailureMs: OUTAGE_MS,
  });
  const ears = options.hear(loop.ring);
  return {
    stop: async () => {
      isStopping = true;
      await Promise.all([ears.stop(), loop.stop()]);
      await Promise.all(looks);
      await extending.stop();
    },
  };
};

const jitterOf = ({ entropy }: World): number => ((entropy(1)[0] ?? 0) / BYTE_VALUES) * ROUND_JITTER_MS;

/** One organisation, whose builds may all be slow, leaves a quarter of a lane's slots to the others, where there are so many. */
const partsOf = (slots: Slots): Slots =>
  new Map([...slots].map(([lane, all]) => [lane, all - Math.floor(all / OTHERS_PART)]));

/** A look whose claim was taken over, because it hangs, takes no slot. */
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
  try {
    const disposition = isLeftAgain(claim)
      ? new Error("processes that looked at it ended, or hung")
      : await looks[claim.kind]({ id, attempt, isHeld }).catch(asError);
    await (disposition instanceof Error
      ? giveBackFailed(options, claim, disposition)
      : giveBack(options, claim, disposition));
  } catch (err) {
    // its lease ends, and then it is taken again
    requestNotGivenBack(logger, { err, requestId: id });
  }
};

/** Each process that took it died with it, or hung: it may well be what kills them. */
const isLeftAgain = ({ failures }: Claim): boolean => failures >= PARKED_AFTER_FAILURES;

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

const giveBack = async ({ database }: TakeOptions, claim: Claim, disposition: Disposition): Promise<void> => {
  if (disposition.kind === "Done") await finishClaim(database, claim);
  else await postponeClaim(database, claim, disposition.afterMs);
};

/** A service that is away comes back: its outage is no failure of a request. */
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
