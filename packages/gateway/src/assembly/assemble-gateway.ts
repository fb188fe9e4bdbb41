import { setMaxListeners } from "node:events";
import { type Stoppable, within } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import { backgroundLoops } from "./background.ts";
import { connectNodes, openReading } from "./chains.ts";
import { openConnections } from "./connections.ts";
import { OpenedParts } from "./opened-parts.ts";
import type { GatewayParts } from "./parts.ts";
import { useCasesOf } from "./use-cases.ts";

/** Longest wait of a failed start for the end of its parts: a loop's round may wait for a node or a database for much longer. */
export const FAILED_START_MS = 2_000;

/** A gateway at work. */
export interface AssembledGateway {
  /** the dependencies of the use cases, for those who serve callers */
  readonly dependencies: Dependencies;
  /** Answers at once all callers that wait for signers; the health report then says that the gateway stops. Idempotent. */
  endWaits(): void;
  /**
   * Ends waits and loops, and closes all parts. Nobody may be served any more: use cases under way fail from then on.
   * Idempotent.
   */
  stop(): Promise<void>;
}

/**
 * Opens the parts of a gateway and starts its loops; resolves once callers may be served. A process and a simulated world
 * hand in their own parts, and are otherwise alike.
 * @throws the first failure of a part; those that were opened are then closed
 */
export const assembleGateway = async (parts: GatewayParts): Promise<AssembledGateway> => {
  const stopping = new AbortController();
  // each request that waits for signers listens to the signal
  setMaxListeners(0, stopping.signal);
  const opened = new OpenedParts();
  try {
    const dependencies = await begin(parts, stopping.signal, opened);
    const endWaits = (): void => {
      dependencies.health.stopping();
      stopping.abort();
    };
    let closing: Promise<void> | undefined;
    return {
      dependencies,
      endWaits,
      stop: () => {
        endWaits();
        closing ??= opened.close();
        return closing;
      },
    };
  } catch (error) {
    stopping.abort();
    // if closing fails too, the first error is the cause
    await within(parts.world, FAILED_START_MS, opened.close()).catch(() => undefined);
    throw error;
  }
};

const begin = async (
  parts: GatewayParts,
  stopping: AbortSignal,
  opened: OpenedParts,
): Promise<Dependencies> => {
  const { reader } = parts;
  if (reader !== undefined) opened.add(reader.stop);
  // before the database is migrated: a gateway whose thread does not start leaves the records as they are
  await reader?.begin();
  const connections = await openConnections(parts, opened);
  const chains = connectNodes(parts, opened);
  const reading = openReading(parts, chains);
  const dependencies = useCasesOf(parts, { connections, chains, reading, stopping });
  const running: Stoppable[] = [];
  opened.add(() => Promise.all(running.map((loop) => loop.stop())));
  for (const start of backgroundLoops(parts, connections, chains, dependencies)) running.push(start());
  return dependencies;
};
