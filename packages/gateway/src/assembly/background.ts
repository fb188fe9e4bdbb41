import { type Stoppable, startPruning } from "@conclave/platform";
import { makeRenewal } from "../authority.ts";
import { startBulkWallets } from "../bulk-wallets/carry-on.ts";
import { startDeathStatements } from "../chain-request/death-statements.ts";
import { startClockWatch } from "../clocks.ts";
import { startCoinGathering } from "../coin-gathering/gather-coins.ts";
import type { Dependencies } from "../dependencies.ts";
import { bumpEvents } from "../fee-bump/bump-events.ts";
import { startFeeBumps } from "../fee-bump/fee-bumps.ts";
import { startKeyActivation } from "../key/activation.ts";
import { pruningFailed } from "../log-events.ts";
import { startAuthorisationRenewal } from "../renew-authorisations.ts";
import type { ServedNodes } from "./chains.ts";
import type { Connections } from "./connections.ts";
import type { GatewayParts } from "./parts.ts";

/**
 * The work beside requests: pruning, the activation of keys, and statements that the authority signs without a
 * request.
 * @returns a function for each loop, which starts it
 */
export const backgroundLoops = (
  { roster, networks, authorityKey }: GatewayParts,
  { database, bus, databaseClock }: Connections,
  chains: ServedNodes,
  dependencies: Dependencies,
): readonly (() => Stoppable)[] => {
  const { authority, families, logger, metrics, now, world } = dependencies;
  const shared = { world, database, now, logger };
  const requests = { ...shared, families, chains, authority, prices: dependencies.prices };
  const renewal = makeRenewal(authorityKey, roster.clusterId, authority);
  const bumped = networks.flatMap(({ network, feeBumps }) => (feeBumps === undefined ? [] : [network]));
  return [
    () => startClockWatch({ world, database, clock: databaseClock, logger }),
    () =>
      startPruning({
        world,
        database,
        // a deletion is final, so the earlier of the two clocks decides that a row is too old
        now: databaseClock.earlierMs,
        onFailure: (err, table) => pruningFailed(logger, { err, table }),
      }),
    () => startKeyActivation({ ...shared, roster, addressOn: families.addressOn, signal: bus.signal }),
    () => startBulkWallets(dependencies),
    () => startDeathStatements({ ...shared, families, chains, authority }),
    () => startAuthorisationRenewal({ ...shared, renewal }),
    () => startCoinGathering(requests),
    () => startFeeBumps({ ...requests, reading: dependencies.reading, events: bumpEvents(metrics, bumped) }),
  ];
};
