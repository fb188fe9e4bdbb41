import {
  DELIVERIES_SUBJECT,
  listParked,
  makeHealth,
  OUTBOX_SUBJECT,
  type Stoppable,
  startRelay,
  within,
} from "@conclave/platform";
import type { HttpView } from "../http.ts";
import { bringToEpoch } from "../keys/leftover-epochs.ts";
import { partFailed } from "../log/process-events.ts";
import { presignaturesNotReleased } from "../log/session-events.ts";
import { startDeliveries } from "../webhook-deliveries.ts";
import { type AssembledParts, type Core, connectCore } from "./core.ts";
import { startLoops } from "./loops.ts";
import { takeRequests } from "./take-requests.ts";

const PARKED_SHOWN = 100;
/** Signers that serve answer sooner than this. Without them a request would be recorded as waiting, and looked at again only later. */
const FIRST_ANSWERS_MS = 2_000;
/** Longest time of a stop. The next process takes up unfinished work (INV-5); a stop does not wait for a database that hangs. */
const STOP_MS = 1_500;
/** Part of STOP_MS for work under way; in the rest the process gives back what it holds. */
const WORK_MS = 1_000;

/** An orchestrator at work. */
export interface AssembledOrchestrator {
  /** the values that health, metrics and status show */
  readonly view: HttpView;
  /** Takes no more work, gives what is under way a moment, closes database and bus. Idempotent. */
  stop(): Promise<void>;
}

/** Connects the parts and begins to work; resolves once requests are taken. */
export const assembleOrchestrator = async (parts: AssembledParts): Promise<AssembledOrchestrator> => {
  const core = await connectCore(parts);
  const { database, bus, logger, world } = core;
  core.signers.start();
  bringOnThoseBehind(core);
  const failed = (part: string) => (err: unknown) => partFailed(logger, { part, err });
  const relay = startRelay({
    world,
    database,
    publish: bus.publish,
    hear: (ring) => bus.listen(OUTBOX_SUBJECT, ring),
    onFailure: failed("the outbox relay"),
  });
  const loops = startLoops(core, failed);
  const deliveries = startDeliveries({
    database,
    ...parts.webhooks,
    hear: (ring) => bus.listen(DELIVERIES_SUBJECT, ring),
    world: { ...world, nowMs: core.clock.nowMs },
    logger,
  });
  await core.signers.enoughWithin(FIRST_ANSWERS_MS);
  const taking = takeRequests(core, parts.roster, loops.following);
  const health = makeHealth([
    { name: "database", check: async () => (await database.execute("select 1")) >= 0 },
    { name: "bus", check: () => bus.connected(), isSpared: true },
  ]);
  const working = [taking, ...loops.all, deliveries, relay];
  const close = async (): Promise<void> => {
    health.stopping();
    core.readiness.stop();
    for (const guard of core.guards) guard.stop();
    await within(world, STOP_MS, endAll(core, working).catch(failed("the stop")));
  };
  let closing: Promise<void> | undefined;
  return {
    view: {
      health,
      metrics: core.metrics,
      readiness: () => core.readiness.state,
      threshold: parts.roster.threshold,
      signers: () => core.signers.view(),
      presignatures: () => core.stock.view,
      signed: () => core.coordinators.signed,
      parked: () => listParked(database, PARKED_SHOWN),
      networks: parts.networks.map(({ network }) => network),
    },
    stop: () => {
      closing ??= close();
      return closing;
    },
  };
};

/** Ends what works, gives back what this process holds, and closes its connections. */
const endAll = async (core: Core, working: readonly Stoppable[]): Promise<void> => {
  const ending = Promise.all(working.map((part) => part.stop()));
  await core.coordinators.stop();
  await within(core.world, WORK_MS, ending);
  await core.leases.release().catch((err: unknown) => presignaturesNotReleased(core.logger, { err }));
  await core.presence.stop();
  core.signers.close();
  await core.bus.close();
  await core.database.close();
};

/** One look at a time for each signer and key: many requests meet the same signer at once. */
const bringOnThoseBehind = (core: Core): void => {
  const underWay = new Set<string>();
  core.coordinators.onBehind((signer, keyId) => {
    const name = `${signer}/${keyId}`;
    if (underWay.has(name)) return;
    underWay.add(name);
    void bringToEpoch(core, signer, keyId).finally(() => underWay.delete(name));
  });
};
