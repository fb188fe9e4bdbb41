import { networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { NetworkEntry } from "../chain.ts";
import { nodeUrl } from "../node-url.ts";

const UINT32_MAX = 0xffff_ffff;
/** The lowest network id that transactions must name; with a lower id they must not name it (XRP Ledger docs, "NetworkID"). */
const FIRST_NAMED_ID = 1_025;

/** An XRP Ledger network of the networks file. */
export const xrplNetworkSchema = z.strictObject({
  network: networkSchema,
  family: z.literal("Xrpl"),
  /** the chain's own id: 0 of the main network, 1 of the test network */
  networkId: z.int().min(0).max(UINT32_MAX),
  /** URL of a server's JSON-RPC interface (rippled) */
  rippledUrl: nodeUrl,
  /** drops, as digits: the highest fee of one transaction; signers refuse more */
  feeCap: z.string().regex(/^[1-9][0-9]{0,17}$/),
});

export interface XrplNetwork extends NetworkEntry {
  readonly family: "Xrpl";
  readonly networkId: number;
  readonly rippledUrl: string;
  readonly feeCap: string;
}

/** The network's parameters that reading needs. */
export type ReadableXrpl = Pick<XrplNetwork, "network" | "networkId" | "feeCap">;

/** The id that each transaction of a network names; undefined for networks with a low id. */
export const namedNetworkId = ({ networkId }: Pick<XrplNetwork, "networkId">): number | undefined =>
  networkId < FIRST_NAMED_ID ? undefined : networkId;
