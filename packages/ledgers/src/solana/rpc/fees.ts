import { base64 } from "@scure/base";
import { z } from "zod";
import type { AgaveAddress } from "../address.ts";
import type { AgaveBlock, AgaveLanded } from "../block.ts";
import { AGAVE_BLOCKHASH_AGE_MAX, isAgaveBlockhashValid } from "../blockhashes.ts";
import { agaveFeeOf } from "../compute-budget.ts";
import { AGAVE_CODES } from "../refusal.ts";
import { AgaveWireError } from "../wire/canonical.ts";
import { isAgaveWritable, readAgaveMessage } from "../wire/message.ts";
import { AGAVE_TRANSACTION_BYTES_MAX } from "../wire/transaction.ts";
import {
  type AgaveMethod,
  addressParameter,
  agaveMethod,
  agaveRefused,
  agaveResult,
  atAgaveContext,
  contextParameter,
  inAgaveContext,
} from "./method.ts";

const MOST_LOCKED = 128;
/** in base64 */
const MESSAGE_CHARACTERS_MAX = Math.ceil(AGAVE_TRANSACTION_BYTES_MAX / 3) * 4;

const messageParameter = z
  .string()
  .max(MESSAGE_CHARACTERS_MAX, "base64 encoded too large")
  .transform((text, context) => {
    try {
      return readAgaveMessage(base64.decode(text));
    } catch (error) {
      const words = error instanceof AgaveWireError ? error.message : "invalid base64 encoding";
      context.addIssue(words);
      return z.NEVER;
    }
  });

const locks = ({ transaction: { message } }: AgaveLanded, address: AgaveAddress): boolean =>
  message.keys.some((key, place) => key === address && isAgaveWritable(message, place));

/** Ascending. */
const sorted = (prices: readonly bigint[]): readonly bigint[] =>
  prices.toSorted((one, other) => (one < other ? -1 : Number(one > other)));

const leastOf = (landed: readonly AgaveLanded[]): bigint =>
  sorted(landed.map(({ unitPrice }) => unitPrice))[0] ?? 0n;

/**
 * The lowest price that got a transaction into a block, and that wrote each of the addresses there. @source Agave,
 * runtime/src/prioritization_fee_cache.rs
 */
const enoughIn = (block: AgaveBlock, addresses: readonly AgaveAddress[]): bigint => {
  const ofAddresses = addresses.map((address) =>
    leastOf(block.transactions.filter((landed) => locks(landed, address))),
  );
  return sorted([leastOf(block.transactions), block.unitPriceFloor, ...ofAddresses]).at(-1) ?? 0n;
};

/** @source Solana documentation, RPC: HTTP methods */
export const AGAVE_FEE_METHODS: Readonly<Record<string, AgaveMethod>> = {
  getFeeForMessage: agaveMethod(
    { message: messageParameter, options: contextParameter },
    ({ state }, { message, options }) =>
      atAgaveContext(state, options, (block) =>
        inAgaveContext(
          block,
          isAgaveBlockhashValid(state, block.height, message.blockhash) ? agaveFeeOf(message) : null,
        ),
      ),
  ),
  getRecentPrioritizationFees: agaveMethod(
    { addresses: z.array(addressParameter).default([]) },
    ({ state }, { addresses }) =>
      addresses.length > MOST_LOCKED
        ? agaveRefused(AGAVE_CODES.invalidParams, `Too many inputs provided; max ${MOST_LOCKED}`)
        : agaveResult(
            state.chain.recent.slice(-AGAVE_BLOCKHASH_AGE_MAX).map((block) => ({
              slot: block.slot,
              prioritizationFee: enoughIn(block, addresses),
            })),
          ),
  ),
};
