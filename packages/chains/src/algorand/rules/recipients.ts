import { type FamilyContent, fail, type Network, ok, type Result } from "@conclave/custody";
import { algorandTransferSchema } from "./act.ts";

/**
 * The protocol's own accounts of the main network and the test network (go-algorand,
 * installer/genesis/{mainnet,testnet}/genesis.json). Only the protocol moves their balances (data/transactions/payment.go:
 * checkSpender, data/transactions/transaction.go: wellFormed). On other networks nobody is known to hold the keys of these
 * addresses. A node reports the accounts of its own network; the family's `judgeRecipient` on the chain checks those. The zero
 * address is refused as an address (`parseAlgorandAddress`): the chain encodes it like an absent receiver.
 */
const PROTOCOL_ACCOUNTS: Readonly<Record<string, string>> = {
  Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA: "the fee sink of the main network",
  "737777777777777777777777777777777777777777777777777UFEJ2CI": "the rewards pool of the main network",
  A7NMWS3NT3IUDMLVO26ULGXGIIOUQ3ND2TXSER6EBGRZNOBOUIQXHIBGDE: "the fee sink of the test network",
  "7777777777777777777777777777777777777777777777777774MSJUVU": "the rewards pool of the test network",
};

/** Refuses a recipient whose balance only the protocol can spend. @param which such as "the fee sink of the main network" */
export const unsuitableAlgorand = (to: string, which: string): Result<never> =>
  fail(
    "RecipientUnsuitable",
    { field: "to", why: "protocol-account" },
    `${to} is ${which}: the protocol alone moves what it holds.`,
  );

/** @returns RecipientUnsuitable for an account of the protocol */
export const judgeAlgorandRecipient = (_network: Network, transfer: FamilyContent): Result<void> => {
  const parsed = algorandTransferSchema.safeParse(transfer);
  const which = parsed.success ? PROTOCOL_ACCOUNTS[parsed.data.to] : undefined;
  return parsed.success && which !== undefined ? unsuitableAlgorand(parsed.data.to, which) : ok(undefined);
};
