import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { granted, type Ruling, refusedWith } from "../ruling.ts";
import { bytesOfAddress, type HorizonAddress } from "./address.ts";
import { accountEntry, trustLineIn } from "./books.ts";
import type { HorizonKeyPair } from "./genesis.ts";
import { BASE_RESERVE } from "./ledger.ts";
import { creditOf } from "./operations/asset-code.ts";
import type { HorizonState } from "./state.ts";
import { priceOf } from "./transaction/fees.ts";
import { encodeXdr } from "./xdr/codec.ts";
import { type HorizonTransaction, xdrEnvelope, xdrSignaturePayload } from "./xdr/envelope.ts";
import type { HorizonOperation } from "./xdr/operation.ts";

/** The minimum balance of an account without subentries: two base reserves. */
const LEAST_BALANCE = BASE_RESERVE * 2n;
const HINT_BYTES = 4;

/** The first teller account without a waiting transaction. */
const freeTeller = ({ genesis, queue }: HorizonState): HorizonKeyPair | undefined => {
  const busy = new Set(queue.waiting.map(({ submission }) => submission.transaction.source.account));
  return genesis.tellers.find(({ address }) => !busy.has(address));
};

const signedBy = (
  transaction: HorizonTransaction,
  pairs: readonly HorizonKeyPair[],
  networkId: Uint8Array,
): Uint8Array => {
  const tagged = { type: "transaction" as const, value: transaction };
  const hash = sha256(encodeXdr(xdrSignaturePayload, { networkId, tagged }));
  const signatures = pairs.map(({ address, secretKey }) => ({
    hint: bytesOfAddress(address).slice(-HINT_BYTES),
    signature: ed25519.sign(hash, secretKey),
  }));
  return encodeXdr(xdrEnvelope, { type: "transaction", value: { transaction, signatures } });
};

const paidBy = (
  state: HorizonState,
  payer: HorizonKeyPair,
  body: HorizonOperation["body"],
): Ruling<Uint8Array> => {
  const teller = freeTeller(state);
  if (teller === undefined) {
    return refusedWith("each of the faucet's accounts has a transaction that waits: mine a ledger first");
  }
  const sequence = (accountEntry(state.books, teller.address)?.sequence ?? 0n) + 1n;
  const transaction: HorizonTransaction = {
    source: { account: teller.address, id: undefined },
    fee: Number(priceOf(state.fees)),
    sequence,
    preconditions: { type: "none", value: undefined },
    memo: { type: "none", value: undefined },
    operations: [{ source: { account: payer.address, id: undefined }, body }],
    extension: { type: "none", value: undefined },
  };
  return granted(signedBy(transaction, [teller, payer], state.genesis.networkId));
};

/** Whether a waiting transaction creates the account. */
const isOnItsWay = ({ queue }: HorizonState, address: HorizonAddress): boolean =>
  queue.waiting
    .flatMap(({ submission }) => submission.transaction.operations)
    .some(({ body }) => body.type === "createAccount" && body.value.destination === address);

/**
 * A signed transaction that pays lumens out of the faucet; an account that does not exist is created.
 * @param amount stroops, above 0
 * @returns the envelope to submit
 */
export const faucetEnvelope = (
  state: HorizonState,
  to: HorizonAddress,
  amount: bigint,
): Ruling<Uint8Array> => {
  const { faucet } = state.genesis;
  if (accountEntry(state.books, to) !== undefined || isOnItsWay(state, to)) {
    const destination = { account: to, id: undefined };
    const asset = { type: "native" as const, value: undefined };
    return paidBy(state, faucet, { type: "payment", value: { destination, asset, amount } });
  }
  if (amount < LEAST_BALANCE) {
    return refusedWith(`a new account needs ${LEAST_BALANCE} stroops at least: op_low_reserve`);
  }
  return paidBy(state, faucet, {
    type: "createAccount",
    value: { destination: to, startingBalance: amount },
  });
};

/**
 * A signed transaction by which the ledger's issuer pays a test asset to an account that trusts it.
 * @param code 1 to 12 letters and digits
 * @param amount in units of 1/10 000 000, above 0
 * @returns the envelope to submit
 */
export const issueEnvelope = (
  state: HorizonState,
  to: HorizonAddress,
  code: string,
  amount: bigint,
): Ruling<Uint8Array> => {
  const { issuer } = state.genesis;
  const asset = creditOf(code, issuer.address);
  const line = trustLineIn(state.books, to, asset);
  if (line === undefined) {
    return refusedWith(`${to} does not trust ${code}:${issuer.address}: op_no_trust`);
  }
  if (line.balance + amount > line.limit)
    return refusedWith(`${to} wants no more than ${line.limit}: op_line_full`);
  const destination = { account: to, id: undefined };
  return paidBy(state, issuer, { type: "payment", value: { destination, asset, amount } });
};
