import { hexToBytes, hexToNumber } from "@noble/curves/utils.js";
import { z } from "zod";
import type { Arrival } from "../../chain.ts";
import { wordAddress } from "../call.ts";
import { tronAddress } from "../rules/address.ts";
import { HEX_BYTES } from "./http.ts";

/** Keccak-256 of "Transfer(address,address,uint256)": the event of TRC-20 and of TRC-721 */
const TRANSFER_EVENT = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const WORD_DIGITS = 64;

const hex = z.string().regex(HEX_BYTES);

/** A log of a contract, as nodes write it. */
export const logSchema = z.object({
  address: z.string().regex(/^[0-9a-fA-F]{40}$/),
  topics: z.array(hex).default([]),
  data: hex.default(""),
});
type TronLog = z.output<typeof logSchema>;

const accountIn = (topic: string): string | undefined =>
  topic.length === WORD_DIGITS ? wordAddress(hexToBytes(topic)) : undefined;

/**
 * A movement in a token's log.
 *
 * @param nth position among its transaction's logs
 * @returns undefined for a log of another form, and for one that moves nothing: such logs are written to put a
 * scammer's address into a victim's history
 */
export const tronMovementIn = (
  txHash: string,
  { address: emitter, topics, data }: TronLog,
  nth: number,
): Arrival | undefined => {
  const [event, sent = "", received = "", tokenId] = topics;
  if (event !== TRANSFER_EVENT) return undefined;
  const [from, to] = [accountIn(sent), accountIn(received)];
  if (from === undefined || to === undefined) return undefined;
  const contract = tronAddress(hexToBytes(emitter));
  const common = { txHash, place: `log ${nth}`, from };
  if (tokenId !== undefined) {
    return tokenId.length === WORD_DIGITS && data === ""
      ? { ...common, moved: { kind: "Trc721", contract, to, tokenId: hexToNumber(tokenId).toString() } }
      : undefined;
  }
  const amount = data.length === WORD_DIGITS ? hexToNumber(data) : 0n;
  return amount === 0n
    ? undefined
    : { ...common, moved: { kind: "Trc20", contract, to, amount: amount.toString() } };
};
