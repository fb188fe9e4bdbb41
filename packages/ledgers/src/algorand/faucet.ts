import { ed25519 } from "@noble/curves/ed25519.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type AlgodAddress, keyOfAddress } from "./address.ts";
import { encodeCanonical, type MsgpackMap, type MsgpackValue } from "./msgpack.ts";
import { type AlgodState, latestBlock } from "./state.ts";
import { messageToSign } from "./transaction/identity.ts";
import { MOST_ROUNDS_VALID } from "./transaction/well-formed.ts";

/** Upper bound of the size of a signed faucet payment. */
const PAYMENT_BYTES = 400n;

/**
 * A payment out of the faucet, signed with the faucet's key. Submit it like any other transaction.
 * @param amount microalgos, above 0
 * @returns the bytes to submit
 */
export const faucetPayment = (state: AlgodState, to: AlgodAddress, amount: bigint): Uint8Array => {
  const { genesis, fees, fundings } = state;
  const { round } = latestBlock(state);
  const busy = fees.perByte * PAYMENT_BYTES;
  const fee = busy > fees.minimum ? busy : fees.minimum;
  const entries: readonly (readonly [string, MsgpackValue])[] = [
    ["type", "pay"],
    ["snd", keyOfAddress(genesis.faucet.address)],
    ["rcv", keyOfAddress(to)],
    ["amt", amount],
    ["fee", fee],
    ["fv", round + 1n],
    ["lv", round + MOST_ROUNDS_VALID],
    ["gen", genesis.id],
    ["gh", genesis.hash],
    ["note", utf8ToBytes(`faucet ${fundings}`)],
  ];
  const fields: MsgpackMap = new Map(entries.filter(([, value]) => value !== 0n));
  const sig = ed25519.sign(messageToSign(fields), genesis.faucet.secretKey);
  return encodeCanonical(
    new Map<string, MsgpackValue>([
      ["sig", sig],
      ["txn", fields],
    ]),
  );
};
