import { ed25519 } from "@noble/curves/ed25519.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { type AgaveAddress, MEMO_PROGRAM, SYSTEM_PROGRAM } from "./address.ts";
import { type AgaveState, latestAgaveBlock } from "./state.ts";
import { agaveMessageBytes } from "./wire/build.ts";

const TRANSFER = 2;

const transferData = (lamports: bigint): Uint8Array => {
  const data = new DataView(new ArrayBuffer(12));
  data.setUint32(0, TRANSFER, true);
  data.setBigUint64(4, lamports, true);
  return new Uint8Array(data.buffer);
};

/**
 * A signed payment out of the faucet. A memo holds its number, so that two payments of the same amount to the same
 * address are different transactions.
 */
export const agaveFaucetPayment = (state: AgaveState, to: AgaveAddress, lamports: bigint): Uint8Array => {
  const { address, secretKey } = state.genesis.faucet;
  const message = agaveMessageBytes({
    payer: address,
    writable: [to],
    programs: [SYSTEM_PROGRAM, MEMO_PROGRAM],
    blockhash: latestAgaveBlock(state).blockhash,
    instructions: [
      { program: SYSTEM_PROGRAM, accounts: [0, 1], data: transferData(lamports) },
      { program: MEMO_PROGRAM, accounts: [], data: utf8ToBytes(`faucet ${state.fundings + 1}`) },
    ],
  });
  return Uint8Array.from([1, ...ed25519.sign(message, secretKey), ...message]);
};
