import type { Hex } from "viem";
import { hexToBigInt, size, slice } from "viem/utils";
import type { EvmTransfer } from "../rules/act.ts";

/** Keccak-256 of "Transfer(address,address,uint256)", an event of EIP-20 and EIP-721 */
export const TRANSFER_TOPIC: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const WORD_BYTES = 32;
const WORDS = 3;

/** A contract's log. */
export interface TokenLog {
  readonly address: string;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A transfer of a token. */
export type TokenTransfer = Exclude<EvmTransfer, { readonly kind: "Native" }>;

interface LoggedTransfer {
  /** lower case */
  readonly from: string;
  readonly to: string;
  /** an amount, or the id of a non-fungible token */
  readonly number: bigint;
}

/**
 * Decodes a transfer from a log. Tokens index different fields: EIP-20 two of three, EIP-721 all, CryptoKitties and some old
 * tokens none. All have the three fields in the same order.
 */
const transferIn = ({ topics, data }: TokenLog): LoggedTransfer | undefined => {
  const [event, ...indexed] = topics;
  if (event !== TRANSFER_TOPIC || size(data) % WORD_BYTES !== 0) return undefined;
  const words = [...indexed];
  for (let at = 0; at < size(data); at += WORD_BYTES) words.push(slice(data, at, at + WORD_BYTES));
  const [from, to, number] = words;
  if (from === undefined || to === undefined || number === undefined || words.length !== WORDS)
    return undefined;
  return { from: addressIn(from), to: addressIn(to), number: hexToBigInt(number) };
};

const addressIn = (word: Hex): string => `0x${word.slice(-40).toLowerCase()}`;

/**
 * The amount of a token's transfer that reached the recipient by the logs of a receipt; one for a non-fungible token.
 *
 * It sums the events from the sender to the recipient. If there are none, as with tokens that burn and mint, it sums all events
 * to the recipient. Outflows of the recipient in the same transaction are not subtracted: a contract may forward what it
 * received.
 * @param sender lower case
 * @returns undefined when no log shows an arrival at the recipient
 */
export const arrivedByLogs = (
  logs: readonly TokenLog[],
  transfer: TokenTransfer,
  sender: string,
): bigint | undefined => {
  const reported = logs
    .filter(({ address }) => address.toLowerCase() === transfer.contract)
    .flatMap((log) => transferIn(log) ?? [])
    .filter(({ to }) => to === transfer.to);
  if (transfer.kind === "Erc721") {
    return reported.some(({ number }) => number === BigInt(transfer.tokenId)) ? 1n : undefined;
  }
  const own = reported.filter(({ from }) => from === sender);
  const sum = (own.length > 0 ? own : reported).reduce((total, { number }) => total + number, 0n);
  return sum > 0n ? sum : undefined;
};
