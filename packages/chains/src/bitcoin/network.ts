import { networkSchema } from "@conclave/custody";
import { z } from "zod";
import type { NetworkEntry } from "../chain.ts";
import { feeBumpsSchema } from "../fee-bumps.ts";
import { nodeUrl } from "../node-url.ts";

/** Confirmations until a block counts as final, unless the networks file sets them. */
const FINALITY_BLOCKS = 6;
const FINALITY_BLOCKS_MAX = 1_000;
const TEXT_LENGTH = 256;

const credential = z
  .string()
  .min(1)
  .max(TEXT_LENGTH)
  .regex(/^\P{Cc}+$/u, "is no single line of text");

/** A Bitcoin network of the networks file. */
export const bitcoinNetworkSchema = z
  .strictObject({
    network: networkSchema,
    family: z.literal("Bitcoin"),
    /** hash of the genesis block, 32 bytes in hex as nodes show it: it names the chain; addresses of several chains look alike */
    genesisHash: z.string().regex(/^[0-9a-f]{64}$/),
    /** URL of a node's JSON-RPC interface (bitcoind) */
    bitcoindUrl: nodeUrl,
    bitcoindUser: credential.refine((text) => !text.includes(":"), "has a colon").optional(),
    bitcoindPassword: credential.optional(),
    /** confirmations until a block counts as final */
    finality: z.int().min(1).max(FINALITY_BLOCKS_MAX).default(FINALITY_BLOCKS),
    /** satoshis, as digits: the highest fee of one transaction; signers refuse more */
    feeCap: z.string().regex(/^[1-9][0-9]{0,15}$/),
    /** when the service raises a fee by itself; its cap is in satoshis a virtual byte */
    feeBumps: feeBumpsSchema(
      z.string().regex(/^[1-9][0-9]{0,5}$/, "is not a number of satoshis a virtual byte, as digits"),
    ).optional(),
  })
  .refine(
    ({ bitcoindUser, bitcoindPassword }) => (bitcoindUser === undefined) === (bitcoindPassword === undefined),
    "has a user without a password, or a password without a user",
  );

export interface BitcoinNetwork extends NetworkEntry {
  readonly family: "Bitcoin";
  readonly genesisHash: string;
  readonly bitcoindUrl: string;
  readonly bitcoindUser?: string | undefined;
  readonly bitcoindPassword?: string | undefined;
  readonly finality: number;
  readonly feeCap: string;
}

/** The network's parameters that reading needs. */
export type ReadableBitcoin = Pick<BitcoinNetwork, "network" | "feeCap">;
