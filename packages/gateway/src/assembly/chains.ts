import type { ChainNode } from "@conclave/chains";
import { connectGuarded } from "@conclave/chains/node";
import { FairTurns, showSilentNodes } from "@conclave/platform";
import { ADMISSION_LIMITS } from "../admission/limits.ts";
import { bodyReader } from "../reading/body-reader.ts";
import { type BodyReading, readingHere, shareReading } from "../reading/body-reading.ts";
import type { OpenedParts } from "./opened-parts.ts";
import type { GatewayParts } from "./parts.ts";

/** The nodes of the served networks, by the network's name. */
export type ServedNodes = ReadonlyMap<string, ChainNode>;

/** Connects each node behind a circuit breaker: while a node gives no answer, requests that need it fail at once. */
export const connectNodes = (
  { networks, nodes, metrics, logger, world }: GatewayParts,
  opened: OpenedParts,
): ServedNodes => {
  const names = networks.map(({ network }) => String(network));
  const show = showSilentNodes(metrics, names, logger);
  return new Map(
    networks.map((entry) => {
      const network = String(entry.network);
      const onSilence = (isSilent: boolean): void => show(network, isSilent);
      const { node, stop } = connectGuarded(nodes.connect, entry, { ...world, onSilence });
      opened.add(stop);
      return [network, node];
    }),
  );
};

/** The `reader` part reads long bodies; organisations take turns. */
export const openReading = (
  { families, reader: elsewhere, world }: GatewayParts,
  chains: ServedNodes,
): BodyReading => {
  const here = bodyReader({ families, chains });
  const turns = new FairTurns(world, ADMISSION_LIMITS.reading);
  return shareReading(here, elsewhere?.reader ?? readingHere(here), turns);
};
